//! The compilers and interpreters that a course needs.

use super::absent;
use crate::course::{Assignment, AssignmentProgram, Course, Language};
use crate::files::on_path;
use crate::report::doctor::{Finding, Health};
use crate::run::interpreter;

/// A program that builds or runs programs in a language.
struct Tool {
    what: &'static str,
    name: &'static str,
    language: Language,
    remedy: &'static str,
}

const TOOLS: [Tool; 5] = [
    Tool {
        what: "C compiler",
        name: "cc",
        language: Language::C,
        remedy: "for example `apt-get install gcc libc6-dev`",
    },
    Tool {
        what: "C++ compiler",
        name: "c++",
        language: Language::Cpp,
        remedy: "for example `apt-get install g++`",
    },
    Tool {
        what: "Python",
        name: "python3",
        language: Language::Python,
        remedy: "for example `apt-get install python3`",
    },
    Tool {
        what: "Java compiler",
        name: "javac",
        language: Language::Java,
        remedy: "for example `apt-get install default-jdk-headless`",
    },
    Tool {
        what: "Java",
        name: "java",
        language: Language::Java,
        remedy: "for example `apt-get install default-jre-headless`",
    },
];

/// The C compiler, which Rust links with, and the tools for the languages of the course.
pub(super) fn findings(course: Option<&Course>, needs_cargo: bool) -> Vec<Finding> {
    let is_used = |language| {
        course.is_some_and(|course| {
            course
                .assignments
                .iter()
                .any(|it| is_written_in(it, language) || is_handed_in(it, language))
        })
    };
    let needs_c = needs_cargo || is_used(Language::C);
    let tools = TOOLS.iter().filter(|tool| tool.language == Language::C || is_used(tool.language));
    tools.map(|tool| tool.find(tool.language != Language::C || needs_c)).collect()
}

/// Whether the program of an assignment is in a language.
fn is_written_in(assignment: &Assignment, language: Language) -> bool {
    matches!(&assignment.program, AssignmentProgram::Sources(sources) if sources.language == language)
}

/// Whether students hand in programs in a language. With a Makefile, they choose the compiler.
fn is_handed_in(assignment: &Assignment, language: Language) -> bool {
    let program = assignment.submission.as_ref().map(|submission| &submission.program.language);
    program.is_some_and(|it| !it.has_makefile() && it.key() == language.key())
}

impl Tool {
    fn find(&self, is_required: bool) -> Finding {
        let finding =
            |health, found, remedy| Finding { what: self.what.to_owned(), health, found, remedy };
        if let Some(path) = on_path(&[self.name]) {
            let started = interpreter::behind(self.name);
            let started = started.map(|path| format!(", which starts {}", path.display()));
            let found = format!("{}{}", path.display(), started.unwrap_or_default());
            return finding(Health::Fine, found, None);
        }
        let users = if self.language == Language::C {
            ": Rust links with it, and docs/any-program is built by it"
        } else {
            ", which the course needs"
        };
        let found = format!("there is no `{}`{users}", self.name);
        finding(absent(is_required), found, Some(self.remedy.to_owned()))
    }
}
