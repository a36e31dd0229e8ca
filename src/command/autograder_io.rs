//! `harness autograder-io`: the commands that a mutation test suite of autograder.io calls. Each answers with its exit status.
//!
//! autograder.io takes every status of `autograder-io grade` except 0 for an exposed bug. So its status is 1 if the bug is exposed, and 0
//! in every other case. Only `autograder-io setup` builds programs.

mod grade;
mod judge;
mod names;
mod setup;
mod validate;

pub(super) use grade::not_graded;

use crate::cli::autograder_io::{AutograderIo, Handed};
use crate::course::{Assignment, Course};
use crate::diagnostic::{Failure, Problem, printable};
use crate::exit::Exit;
use crate::run::prepare;
use crate::run::programs::{Plan, Programs};
use crate::run::work::Work;
use crate::suite::Test;
use crate::suite::decode::{self, Spelled};
use crate::suite::spelling::Spelling;
use std::path::Path;
use subject::Case;

pub(super) fn run(work: &Work, options: &AutograderIo) -> Result<Exit, Failure> {
    match options {
        AutograderIo::Setup(options) => setup::run(work, options),
        AutograderIo::Names(options) => names::run(options),
        AutograderIo::Validate(options) => validate::run(work, options),
        AutograderIo::Grade(options) => Ok(grade::run(options)),
        AutograderIo::Judge(options) => judge::run(work, options),
    }
}

/// Whether an invalid command line may be a mistyped `autograder-io grade`. Its exit status must then be 0, since any other awards the bug.
pub(super) fn may_be_grading(words: &[String]) -> bool {
    let is_other = |word: &String| ["setup", "names", "validate", "judge"].contains(&word.as_str());
    // `plug` is its old name.
    let is_named = words.first().is_some_and(|word| word == "autograder-io" || word == "plug");
    // `grade` is also a command of its own, which has no such option.
    if words.first().is_some_and(|word| word == "grade") {
        return words.iter().any(|word| word.starts_with("--suite"));
    }
    words.iter().any(|word| word == "grade") || is_named && !words.get(1).is_some_and(is_other)
}

fn assignment<'a>(course: &'a Course, handed: &Handed) -> Result<&'a Assignment, Failure> {
    course.assignment_or_only(handed.assignment.as_deref())
}

/// The student's test `name`: a file in the suite's folder itself.
fn test(name: &str, handed: &Handed, assignment: &Assignment) -> Result<Test, Problem> {
    if Path::new(name).file_name().is_none_or(|file| file != name) {
        return Err(Problem::new(format!("`{}` is not the name of a test", printable(name))));
    }
    Test::read(&handed.suite.join(name), assignment)
}

/// The case of a test, spelled as `harness score` spells it.
fn case(test: &Test, assignment: &Assignment) -> Case {
    let spelled = Spelled { spelling: Spelling::Mixed, file: &test.file, seed: 0 };
    decode::case(assignment, &test.name.flags, test.input.clone(), &spelled)
        .expect("the name was read before")
}

/// The reference, and `bug` beside it if there is one. `autograder-io setup` has built them.
fn programs(
    work: &Work,
    course: &Course,
    assignment: &Assignment,
    bug: Option<&str>,
) -> Result<Programs, Failure> {
    let mutants = prepare::bugs(course, assignment)?;
    let is_bug = |&index: &usize| Some(mutants[index].id.as_str()) == bug;
    let selected = (0..mutants.len()).filter(is_bug).collect();
    Programs::open(&Plan::new(work, course, assignment, &mutants).only(selected))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_mistyped_command_line_may_have_been_meant_for_grading() {
        let is_meant =
            |line: &str| may_be_grading(&line.split(' ').map(str::to_owned).collect::<Vec<_>>());
        for line in [
            "autograder-io grade --bug",
            "autograder-io grad x",
            "autograder-io",
            "plug",
            "plug grad x",
            "plg grade a b",
            "--course x autograder-io grade",
            "grade a --suite mine",
        ] {
            assert!(is_meant(line), "{line}");
        }
        for line in [
            "autograder-io names --x",
            "plug names --x",
            "autograder-io validate",
            "autograder-io setup x",
            "score --formt",
            "grade --shard 3/2",
            "",
        ] {
            assert!(!is_meant(line), "{line}");
        }
    }
}
