//! Cleans sources in Python, with Python's own parser: `clean.py` runs in the course's `python3`.

use super::SourceFile;
use crate::catalogue::tokens;
use crate::diagnostic::{Failure, FailureKind, Place, Problem};
use serde::Deserialize;
use std::io::{self, Write};
use std::path::Path;
use std::process::{Command, Output, Stdio};

const CLEAN: &str = include_str!("clean.py");

/// What the script prints: the clean text, or the bug that it cannot remove.
#[derive(Deserialize)]
struct Answer {
    text: Option<String>,
    id: Option<String>,
    /// How often the source marks this id from the bug on.
    left: Option<usize>,
    line: Option<usize>,
    message: Option<String>,
    hint: Option<String>,
}

/// Removes the bugs from the sources in `folder`.
///
/// # Errors
/// If `python3` cannot be started, or a `bug` has a form that cannot be replaced.
pub(super) fn clean(files: &mut [SourceFile], folder: &Path) -> Result<(), Failure> {
    for file in files {
        let output = run(&file.text).map_err(|error| {
            let problem = Problem::new(format!("cannot start `python3`: {error}"));
            let hint = "`harness doctor` lists what is missing and how to install it";
            Failure::new(FailureKind::Machine, problem.hint(hint))
        })?;
        let answer: Answer = serde_json::from_slice(&output.stdout).map_err(|_| {
            let printed = String::from_utf8_lossy(&output.stderr);
            let path = folder.join(&file.path);
            Failure::broken_course(Problem::new(format!(
                "cannot remove the bugs of {}\n{}",
                path.display(),
                printed.trim_end()
            )))
        })?;
        let Some(text) = answer.text else {
            let problem = problem(&answer, &folder.join(&file.path), &file.text);
            return Err(Failure::broken_course(problem));
        };
        file.text = text;
    }
    Ok(())
}

fn run(text: &str) -> io::Result<Output> {
    let mut child = Command::new("python3")
        .args(["-I", "-c", CLEAN])
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .stderr(Stdio::piped())
        .spawn()?;
    // The script reads everything before it prints. If it ends early, its output says why.
    let _ = child.stdin.take().expect("it is a pipe").write_all(text.as_bytes());
    child.wait_with_output()
}

/// What is wrong, at the bug or the line that the script names.
fn problem(answer: &Answer, file: &Path, text: &str) -> Problem {
    let calls = tokens::calls(text, &tokens::python(text), "bug");
    let mut same = calls.iter().rev().filter(|call| call.id.is_some() && call.id == answer.id);
    let call = answer.left.and_then(|left| same.nth(left.saturating_sub(1)));
    let place = match call {
        Some(call) => Place::at_offset(file, text, call.range.start),
        None => Place::new(file, text, answer.line.unwrap_or(1), None),
    };
    Problem::new(answer.message.clone().unwrap_or_default())
        .at(place)
        .maybe_hint(answer.hint.clone())
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::env;

    fn cleaned(source: &str) -> Result<String, Failure> {
        let mut files = [SourceFile { path: "a.py".into(), text: source.to_owned() }];
        clean(&mut files, Path::new(""))?;
        let [file] = files;
        Ok(file.text)
    }

    /// Whether Python is on this machine. If not, the test is skipped, which `CI=true` does not allow.
    fn python_is_here() -> bool {
        let is_here = Command::new("python3").arg("--version").output().is_ok();
        if !is_here {
            eprintln!("skipped: there is no `python3` on this machine");
            assert_ne!(env::var("CI").as_deref(), Ok("true"), "CI=true allows no skipped test");
        }
        is_here
    }

    #[track_caller]
    fn check(source: &str, expected: &str) {
        let cleaned = cleaned(source).unwrap_or_else(|failure| panic!("{:?}", failure.problems));
        assert_eq!(cleaned, expected, "{source}");
    }

    #[test]
    fn an_expression_keeps_what_the_reference_evaluates() {
        if !python_is_here() {
            return;
        }
        for (source, expected) in [
            ("a if bug('b') else c + 1", "c + 1"),
            ("a if not bug('b') else c", "a"),
            ("2 * (a if bug('b') else c + 1)", "2 * (c + 1)"),
            ("2 * (a if bug('b') else f(c).d)", "2 * f(c).d"),
            ("f(a if bug('b') else c)", "f(c)"),
            ("1 if bug('b') else 2 if c else 3", "2 if c else 3"),
            ("a == 1 or (a == 2 and bug('b'))", "a == 1"),
            ("(a == 1 or bug('b')) and c", "(a == 1) and c"),
            ("a and not bug('b') and c", "a and c"),
            ("not (c and bug('b')) and d", "d"),
            ("'é' == a and not bug('b')", "'é' == a"),
            ("subject.bug('b') or a", "a"),
        ] {
            check(&format!("x = {source}\n"), &format!("x = {expected}\n"));
        }
    }

    #[test]
    fn a_statement_is_replaced_by_its_correct_branch() {
        if !python_is_here() {
            return;
        }
        check("f()\nif bug('b'):\n    g()\nh()\n", "f()\nh()\n");
        check(
            "def f():\n    # Wrong.\n    if a and bug('b'):\n        g()\n    # Right.\n    h()\n",
            "def f():\n    # Right.\n    h()\n",
        );
        check(
            "def f():\n    if bug('b'):\n        g()\n    else:\n        # Right.\n        h()\n        i('''x\n  y''')\n",
            "def f():\n    # Right.\n    h()\n    i('''x\n  y''')\n",
        );
        check(
            "if a:\n    f()\nelif bug('b'):\n    g()\nelse:\n    h()\n",
            "if a:\n    f()\nelse:\n    h()\n",
        );
        check(
            "if bug('b'):\n    f()\nelif a:\n    g()\nelse:\n    h()\n",
            "if a:\n    g()\nelse:\n    h()\n",
        );
        check("if a:\n    f()\nelif bug('b'):\n    g()\ni()\n", "if a:\n    f()\ni()\n");
        check("for a in b:\n    if bug('b'):\n        break\n", "for a in b:\n    pass\n");
        check(
            "def f():\n    if not bug('b'):\n        return a\n    return c\n",
            "def f():\n    return a\n",
        );
        check("while a and not bug('b'):\n    g()\n", "while a:\n    g()\n");
        check("def f():\n    return not (a and bug('b'))\n", "def f():\n    return True\n");
    }

    #[test]
    fn comments_and_strings_stay_and_the_import_goes() {
        if !python_is_here() {
            return;
        }
        check(
            "import a\n\nfrom subject import bug\n\n\nx = 'bug(1)'  # bug('b')\ny = 1 if bug('b') else 2  # two\n",
            "import a\n\n\nx = 'bug(1)'  # bug('b')\ny = 2  # two\n",
        );
    }

    #[test]
    fn any_other_form_is_refused_with_its_place() {
        if !python_is_here() {
            return;
        }
        for source in [
            "x = 1 + bug('b')",
            "x = bug('b')",
            "f(bug('b'))",
            "while bug('b'): g()",
            "x = a == bug('b') or c",
            "x = bug('b') if c else d",
            "assert not bug('b')",
            "if bug('b'): g()\nelse: h()",
            "x = 1 + bug('b')\nif bug('b'): f()\ny = bug('b') or a",
        ] {
            let problem = cleaned(source).expect_err(source).problems.remove(0);
            assert_eq!(problem.message, "this `bug` cannot be replaced by its correct branch");
            assert_eq!(
                problem.place.unwrap().column.unwrap(),
                source.find("bug").unwrap() + 1,
                "{source}"
            );
        }
        let problem = cleaned("if a.pop() and bug('b'): f()").unwrap_err().problems.remove(0);
        assert!(problem.message.contains("has an effect"), "{}", problem.message);
        let problem = cleaned("x = 1\nif bug(\n").unwrap_err().problems.remove(0);
        assert!(problem.message.starts_with("not valid Python"), "{}", problem.message);
    }
}
