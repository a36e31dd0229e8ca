//! The compilers and interpreters that a course needs.

use super::absent;
use crate::course::submission::ProgramLanguage;
use crate::course::{Assignment, AssignmentProgram, Commands, Course, Language, Tool};
use crate::files::on_path;
use crate::report::doctor::{Finding, Health};
use crate::run::interpreter;
use crate::sandbox;
use std::collections::BTreeSet;

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
    let is_shown = |language: &Language| *language == Language::C || is_used(*language);
    let tools = Language::ALL.into_iter().filter(is_shown);
    let tools =
        tools.flat_map(|language| language.rules().tools.iter().map(move |it| (language, it)));
    let users = |language| match language {
        Language::C if !needs_c => "; only programs in C and Rust need it",
        Language::C if !is_used(Language::C) => ": Rust links with it",
        _ => ", which the course needs",
    };
    tools
        .map(|(language, tool)| find(tool, language != Language::C || needs_c, users(language)))
        .collect()
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

/// What is found of the programs of this machine that the course's own commands build and run submissions with, each once.
pub(super) fn of_commands(course: &Course) -> Vec<Finding> {
    let submissions = course.assignments.iter().filter_map(|it| it.submission.as_ref());
    let words = submissions.flat_map(|submission| match &submission.program.language {
        ProgramLanguage::Any(Commands { build, run }) => {
            build.first().into_iter().chain(run.first())
        }
        ProgramLanguage::Of(_) | ProgramLanguage::Rust => None.into_iter().chain(None),
    });
    let words: BTreeSet<_> = words.filter(|word| sandbox::is_of_machine(word)).collect();
    words.into_iter().map(|word| find_in_sandbox(word)).collect()
}

/// What is found of a program that submissions need.
fn find_in_sandbox(program: &str) -> Finding {
    let finding =
        |health, found, remedy| Finding { what: program.to_owned(), health, found, remedy };
    if let Some(path) = sandbox::seen(program) {
        return finding(Health::Fine, path.display().to_string(), None);
    }
    let found = match on_path(&[program]) {
        Some(path) => format!("the sandbox does not show {}", path.display()),
        None => format!("there is no `{program}`"),
    };
    let found = format!("{found}, which builds or runs submissions of the course");
    let remedy = "install it below /usr, or change `program` of the submission in harness.yaml";
    finding(Health::Missing, found, Some(remedy.to_owned()))
}

/// What is found of a tool. `users` says what needs it.
fn find(tool: &Tool, is_required: bool, users: &str) -> Finding {
    let finding =
        |health, found, remedy| Finding { what: tool.what.to_owned(), health, found, remedy };
    if let Some(path) = on_path(&[tool.name]) {
        let started = interpreter::behind(tool.name);
        let started = started.map(|path| format!(", which starts {}", path.display()));
        let found = format!("{}{}", path.display(), started.unwrap_or_default());
        return finding(Health::Fine, found, None);
    }
    let found = format!("there is no `{}`{users}", tool.name);
    finding(absent(is_required), found, Some(tool.remedy.to_owned()))
}
