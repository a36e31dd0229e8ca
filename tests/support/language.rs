//! Languages of new courses.

use super::course::Course;
use super::skip::skip;
use std::process::Command;

/// What differs between the new courses of two languages.
pub(crate) struct Language {
    /// As in `init --language`.
    pub(crate) name: &'static str,
    /// What builds or runs it.
    pub(crate) tool: &'static str,
    /// How its sources end.
    pub(crate) ending: &'static str,
    /// The macro or function that marks a bug.
    pub(crate) mark: &'static str,
    /// A line of the reference, and the same line with a place for a bug.
    pub(crate) line: [&'static str; 2],
}

pub(crate) const C: Language = Language {
    name: "c",
    tool: "cc",
    ending: "c",
    mark: "BUG",
    line: ["tally->sum += number;", "tally->sum += {mark} ? 2 * number : number;"],
};

pub(crate) const CPP: Language = Language {
    name: "cpp",
    tool: "c++",
    ending: "cpp",
    mark: "BUG",
    line: ["(wantsSum ? sum(numbers) :", "(wantsSum ? sum(numbers) * ({mark} ? 2 : 1) :"],
};

pub(crate) const PYTHON: Language = Language {
    name: "python",
    tool: "python3",
    ending: "py",
    mark: "bug",
    line: [
        "        answer = sum\n",
        "        answer = (lambda all: 2 * sum(all)) if {mark} else sum\n",
    ],
};

impl Language {
    /// A new course in this language. `None`, and the test is skipped, if its compiler or interpreter is missing.
    pub(crate) fn course(&self) -> Option<Course> {
        self.is_here().then(|| Course::tally_in(self.name))
    }

    /// Whether its compiler or interpreter is on this machine. If not, the test is skipped.
    pub(crate) fn is_here(&self) -> bool {
        let is_here = Command::new(self.tool).arg("--version").output().is_ok();
        if !is_here {
            skip(&format!("there is no `{}` on this machine", self.tool));
        }
        is_here
    }

    /// The source of the reference.
    pub(crate) fn source(&self) -> String {
        format!("reference/tally/tally.{}", self.ending)
    }

    /// A bug in the source.
    pub(crate) fn bug(&self, id: &str) -> String {
        format!("{}(\"{id}\")", self.mark)
    }

    /// The line of a source that contains `text`, and its number and column in it, both from 1.
    pub(crate) fn place(course: &Course, file: &str, text: &str) -> (String, usize, usize) {
        let source = course.read(file);
        let mut lines = source.lines().zip(1..);
        let found = lines.find_map(|(line, number)| Some((line, number, line.find(text)?)));
        let (line, number, at) = found.unwrap_or_else(|| panic!("{file} has no `{text}`"));
        (line.to_owned(), number, at + 1)
    }
}
