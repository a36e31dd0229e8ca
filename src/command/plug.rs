//! `harness plug`: what the mutation test suites of autograder.io ask, each answered by an exit status.
//!
//! Every status of `plug grade` but 0 awards the bug there, so it has no other than 1, for a bug that is exposed. Nothing here builds
//! anything but `plug setup`.

mod grade;
mod judge;
mod names;
mod setup;
mod validate;

pub(super) use grade::not_graded;

use crate::cli::plug::{Handed, Plug};
use crate::course::{Assignment, Course, Program};
use crate::domain::How;
use crate::problem::{Exit, Failure, Problem, printable};
use crate::run::build::Variant;
use crate::run::build::built::Built;
use crate::run::matrix::{Combined, Isolated};
use crate::run::prepare;
use crate::suite::Test;
use crate::suite::decode::{self, Spelled};
use crate::suite::spelling::Spelling;
use std::path::Path;
use subject::wire::MutantSet;
use subject::{Case, Outcome};

pub(super) fn run(options: &Plug) -> Result<Exit, Failure> {
    match options {
        Plug::Setup(options) => setup::run(options),
        Plug::Names(options) => names::run(options),
        Plug::Validate(options) => validate::run(options),
        Plug::Grade(options) => Ok(grade::run(options)),
        Plug::Judge(options) => judge::run(options),
    }
}

/// Whether a command line that can't be read may have been meant for grading: then its exit status must not be that of a mistake.
pub(super) fn is_meant_for_grading(words: &[String]) -> bool {
    let is_other = |word: &String| ["setup", "names", "validate", "judge"].contains(&word.as_str());
    let is_plug = words.first().is_some_and(|word| word == "plug");
    words.iter().any(|word| word == "grade") || is_plug && !words.get(1).is_some_and(is_other)
}

fn assignment<'a>(course: &'a Course, handed: &Handed) -> Result<&'a Assignment, Failure> {
    course.assignment_or_only(handed.assignment.as_deref())
}

/// The test `name` of the student: a file of that very name in the suite's folder, and nowhere else.
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

/// The programs that were built before, and one mutant or none.
enum Programs {
    Combined(Box<Combined>, MutantSet),
    Isolated(Isolated),
}

impl Programs {
    /// The reference, and `bug` beside it, if there is one.
    fn new(course: &Course, assignment: &Assignment, bug: Option<&str>) -> Result<Self, Failure> {
        let built = Built::read(course, assignment)?;
        let reference = built.program(Variant::Reference)?;
        if let Program::Commands { .. } = assignment.program {
            let mutants =
                bug.map(|id| built.program(Variant::Mutant(id))).transpose()?.into_iter().collect();
            let (limits, factor) =
                (prepare::process_limits(&assignment.run), assignment.run.factor);
            return Ok(Self::Isolated(Isolated {
                domain: assignment.domain,
                reference,
                mutants,
                limits,
                factor,
                jobs: 1,
            }));
        }
        let mutants = prepare::bugs(course, assignment)?;
        let asked = mutants
            .iter()
            .enumerate()
            .filter(|(_, mutant)| Some(mutant.id.as_str()) == bug)
            .map(|(index, _)| index);
        let asked = asked.collect();
        let settings = prepare::settings(assignment, &mutants, built.program(Variant::Combined)?);
        Ok(Self::Combined(
            Box::new(Combined::new(assignment.domain, reference, &settings, 1)),
            asked,
        ))
    }

    /// What the reference did, and how the mutant differs, if it does.
    fn look(&mut self, case: &Case) -> Result<(Outcome, Option<How>), Failure> {
        let (reference, differing) = match self {
            Self::Combined(combined, asked) => {
                let answer = combined.look(case, asked)?;
                (answer.reference, answer.differing)
            }
            Self::Isolated(isolated) => isolated.look(case)?,
        };
        Ok((reference, differing.first().map(|difference| difference.how.into())))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_mistyped_command_line_may_have_been_meant_for_grading() {
        let is_meant = |line: &str| {
            is_meant_for_grading(&line.split(' ').map(str::to_owned).collect::<Vec<_>>())
        };
        for line in [
            "plug grade --bug",
            "plug grad x",
            "plug",
            "plg grade a b",
            "--course x plug grade",
            "grade a",
        ] {
            assert!(is_meant(line), "{line}");
        }
        for line in ["plug names --x", "plug validate", "plug setup x", "score --formt", ""] {
            assert!(!is_meant(line), "{line}");
        }
    }
}
