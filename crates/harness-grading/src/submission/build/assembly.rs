//! What is wrong with how the files of the compiler became a program, by the calls of the assembler that were seen. Pure.

use super::trace::{Command, Traced};
use crate::course::submission::{Rule, Submission};
use crate::diagnostic::{Problem, printable};
use crate::sandbox::BOX;

/// What was assembled without a compilation, and, if the course asks for separate compilation, the sources that were not compiled to an
/// object file.
pub(super) fn wrong(traced: &Traced, submission: &Submission) -> Vec<(Rule, Problem)> {
    let mut wrong = Vec::new();
    if !submission.flags().required.is_empty() {
        let by_hand = traced.assemblies.iter().filter_map(|words| by_hand(words, traced));
        wrong.extend(by_hand.map(|file| {
            // The driver's own files have names by chance.
            let is_own = file.starts_with('/') && !file.starts_with(BOX);
            let file = if is_own { "code of an unknown compiler" } else { file };
            let problem = Problem::new(format!("{} was assembled, not compiled", printable(file)));
            (Rule::Flags, problem.hint("hand in its source, and compile that"))
        }));
    }
    if submission.build.separate {
        let whole = traced.commands.iter().filter(|command| is_linked_at_once(command, traced));
        wrong.extend(whole.map(|command| {
            let file = printable(&command.file);
            let problem = Problem::new(format!("{file} was not compiled to an object file"));
            let hint = "compile each source with `-c`, and link the `.o` files";
            (Rule::Separate, problem.hint(hint))
        }));
    }
    wrong
}

/// The file that the assembler reads, if no compiler wrote it.
fn by_hand<'a>(words: &'a [String], traced: &Traced) -> Option<&'a str> {
    let is_written = |word: &str| traced.outputs.iter().any(|all| all.contains(word));
    if words.iter().any(|word| is_written(word)) {
        return None;
    }
    let is_file = |at: &usize| {
        let before = at.checked_sub(1).map_or("", |before| words[before].as_str());
        !words[*at].starts_with('-') && !["-o", "-I", "--defsym"].contains(&before)
    };
    match (0..words.len()).rev().find(is_file) {
        Some(at) => Some(&words[at]),
        // It reads what a compiler writes at the same time.
        None => (!is_written("-")).then_some("standard input"),
    }
}

/// Whether the object file of a compilation is one that the driver removes after it has linked it.
fn is_linked_at_once(command: &Command, traced: &Traced) -> bool {
    let Some(output) = command.output() else { return false };
    let assembled = traced.assemblies.iter().find(|words| words.contains(output));
    let object = assembled.and_then(|words| words.windows(2).find(|pair| pair[0] == "-o"));
    object.is_some_and(|pair| {
        let path = std::path::Path::new(&pair[1]);
        path.is_absolute() && !path.starts_with(BOX)
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    fn words(text: &str) -> Vec<String> {
        text.split(' ').map(str::to_owned).collect()
    }

    #[test]
    fn what_no_compiler_wrote_was_assembled_by_hand() {
        let mut traced = Traced::default();
        traced.outputs[0].insert("/tmp/a.s".to_owned());
        assert_eq!(by_hand(&words("--64 -o a.o /tmp/a.s"), &traced), None);
        assert_eq!(by_hand(&words("--64 -I dir -o a.o own.s"), &traced), Some("own.s"));
        assert_eq!(by_hand(&words("--64 -o a.o"), &traced), Some("standard input"));
        traced.outputs[0].insert("-".to_owned());
        assert_eq!(by_hand(&words("--64 -o a.o"), &traced), None);
    }

    #[test]
    fn an_object_file_that_stays_is_compiled_separately() {
        let command = Command { words: words("a.cpp -o /tmp/a.s"), ..Command::default() };
        for (object, expected) in [("/tmp/cc1.o", true), ("a.o", false), ("/box/a.o", false)] {
            let assemblies = vec![words(&format!("--64 -o {object} /tmp/a.s"))];
            let traced = Traced { assemblies, ..Traced::default() };
            assert_eq!(is_linked_at_once(&command, &traced), expected, "{object}");
        }
    }
}
