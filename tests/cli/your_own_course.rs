//! Follows `docs/your-own-course.md`: writes each file that it shows, runs each command, and compares what the page says it prints.

use super::example::is_shown;
use super::run::has_a_sandbox;
use super::{folder, repository, run, skip};
use std::fs;
use std::path::PathBuf;
use std::process::Command;

/// A step of the page.
pub(crate) enum Step {
    /// A file with these contents.
    File { name: String, text: String },
    /// A command, and what it prints.
    Command { line: String, output: String },
}

/// The steps of the part of a page below `heading`.
pub(crate) fn steps(page: &str, heading: &str) -> Vec<Step> {
    let (_, part) = page.split_once(&format!("\n{heading}\n")).expect("the page has this part");
    let part = part.split("\n## ").next().unwrap_or_default();
    let mut steps = Vec::new();
    for block in part.split("\n```").skip(1).step_by(2) {
        let (language, text) = block.split_once('\n').unwrap_or_default();
        let first = text.lines().next().unwrap_or_default();
        if language == "console" {
            for command in format!("\n{text}").split("\n$ ").skip(1) {
                let (line, output) = command.split_once('\n').unwrap_or((command, ""));
                steps.push(Step::Command { line: line.to_owned(), output: output.to_owned() });
            }
        } else if let Some((_, name)) = first.split_once(" file: ") {
            let (_, rest) = text.split_once('\n').unwrap_or_default();
            let text = format!("{rest}\n");
            steps.push(Step::File { name: name.to_owned(), text });
        }
    }
    steps
}

/// Follows steps in a folder of their own.
pub(crate) struct Reader(pub(crate) PathBuf);

impl Reader {
    pub(crate) fn follow(&mut self, step: &Step) {
        match step {
            Step::File { name, text } => {
                let file = self.0.join(name);
                fs::create_dir_all(file.parent().unwrap()).unwrap();
                fs::write(file, text).unwrap();
            }
            Step::Command { line, output } => match line.strip_prefix("cd ") {
                Some(folder) => self.0.push(folder),
                None => self.run(line, output),
            },
        }
    }

    fn run(&self, line: &str, output: &str) {
        let mut words = line.split(' ');
        let program = match words.next() {
            Some("harness") => env!("CARGO_BIN_EXE_harness"),
            Some(program) => program,
            None => return,
        };
        let ran = run::output(Command::new(program).args(words).current_dir(&self.0));
        let printed = String::from_utf8(ran.stdout).unwrap();
        let errors = String::from_utf8(ran.stderr).unwrap();
        assert!(ran.status.success() && errors.is_empty(), "{line}\n{printed}\n{errors}");
        let shown: Vec<_> = output.trim_end().lines().collect();
        let lines: Vec<_> = printed.trim_end().lines().collect();
        assert!(is_shown(&shown, &lines), "{line}\nshown:\n{output}\nprinted:\n{printed}");
    }
}

fn page() -> String {
    fs::read_to_string(repository().join("docs/your-own-course.md")).unwrap()
}

fn is_missing(program: &str) -> bool {
    let is_missing = Command::new(program).arg("--version").output().is_err();
    if is_missing {
        skip(&format!("there is no `{program}` on this machine"));
    }
    is_missing
}

#[test]
#[ignore = "it takes long; .ci/run runs it"]
fn a_course_in_cpp_is_made_by_following_the_page() {
    if ["c++", "g++", "make", "valgrind"].into_iter().any(is_missing) || !has_a_sandbox() {
        return;
    }
    let folder = folder(&[]);
    let mut reader = Reader(folder.path().to_owned());
    let steps = steps(&page(), "## In C++");
    assert!(steps.len() > 10);
    steps.iter().for_each(|step| reader.follow(step));
}

#[test]
#[ignore = "it takes long; .ci/run runs it"]
fn a_course_in_python_is_made_by_following_the_page() {
    if is_missing("python3") || !has_a_sandbox() {
        return;
    }
    let folder = folder(&[]);
    let mut reader = Reader(folder.path().to_owned());
    let own = steps(&page(), "## In Python");
    // The other files are those of the part about C++.
    let files = steps(&page(), "## In C++");
    let is_shared =
        |step: &&Step| matches!(step, Step::File { name, .. } if !name.starts_with("reference/"));
    let files: Vec<_> = files.iter().filter(is_shared).collect();
    let program = own.iter().position(|step| matches!(step, Step::File { .. })).unwrap();
    own[..=program].iter().for_each(|step| reader.follow(step));
    files.into_iter().for_each(|step| reader.follow(step));
    let course = reader.0.join("harness.yaml");
    let text = fs::read_to_string(&course).unwrap();
    let (cpp, python) =
        ("{ cpp: reference/streak/streak.cpp }", "{ python: reference/streak/streak.py }");
    assert!(page().contains(&format!("\n    program: {python}\n")));
    fs::write(course, text.replace(cpp, python)).unwrap();
    own[program + 1..].iter().for_each(|step| reader.follow(step));
}
