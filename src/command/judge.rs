//! `harness judge TEST ANSWER`: whether an answer to a test is right, by the same judge as `score`.

use super::view;
use crate::cli::{self, Format};
use crate::course::{Assignment, Course};
use crate::diagnostic::{Failure, FailureKind, Place, Problem};
use crate::domain::Flaw;
use crate::exit::Exit;
use crate::result::grade;
use crate::result::judged::{self, Judged, SCHEMA};
use crate::run::judge::Judge;
use crate::run::matrix::Row;
use crate::run::programs::{Plan, Programs};
use crate::run::work::Work;
use crate::suite::decode::{self, Spelled};
use crate::suite::{Test, layout};
use std::io::{self, Write};
use std::path::Path;
use subject::{Case, Outcome};

pub(super) fn run(work: &Work, options: &cli::Judge) -> Result<Exit, Failure> {
    let course = Course::read(&options.course)?;
    let folder = options.test.parent().filter(|parent| !parent.as_os_str().is_empty());
    let folder = folder.unwrap_or(Path::new("."));
    view::read(&options.test)?;
    let assignment = layout::assignment(folder, &course, options.assignment.as_deref())?;
    assignment.takes_inputs()?;
    if assignment.judge.is_interactive() {
        let message = format!("programs of `{}` talk with the judge", assignment.id);
        let hint = "an answer in a file cannot; `harness score` runs programs";
        return Err(Failure::usage(Problem::new(message).hint(hint)));
    }
    let answer = view::read(&options.answer)?;
    let rejected = |mut problem: Problem| {
        if let Some(place) = &mut problem.place {
            place.file.clone_from(&options.test);
        }
        Failure::new(FailureKind::NothingValid, problem)
    };
    let test = Test::read(&options.test, assignment).map_err(rejected)?;
    let input = test.input.clone();
    let case = decode::case(assignment, &test.name.flags, input, &Spelled::LONG)
        .map_err(Failure::usage)?;
    let (row, judge) = reference(work, &course, assignment, &case)?;
    if let Some(problem) = grade::rejection(&row, &test, assignment) {
        return Err(rejected(problem));
    }
    let flaw = flaw(assignment, &judge, &case, &row.reference, &answer)?;
    let is_right = flaw.is_none();
    let judged = Judged {
        schema: SCHEMA.to_owned(),
        assignment: assignment.id.clone(),
        test: test.file,
        args: case.args,
        right: is_right,
        line: flaw.as_ref().and_then(|flaw| flaw.line),
        column: flaw.as_ref().and_then(|flaw| flaw.column),
        reason: flaw.map(|flaw| Problem::new(flaw.message).printable().message),
    };
    print(&judged, options, &answer)?;
    Ok(if is_right { Exit::Done } else { Exit::UnderThreshold })
}

/// What the reference does on a case, and the judge of other outcomes.
pub(super) fn reference(
    work: &Work,
    course: &Course,
    assignment: &Assignment,
    case: &Case,
) -> Result<(Row, Judge), Failure> {
    let mut programs = Programs::build(&Plan::reference(work, course, assignment))?;
    let row = programs.rows(std::slice::from_ref(case))?.remove(0);
    Ok((row, Judge::new(work, course, assignment)?))
}

/// What is wrong with an answer to a case; `None` if it is right.
pub(super) fn flaw(
    assignment: &Assignment,
    judge: &Judge,
    case: &Case,
    reference: &Outcome,
    answer: &[u8],
) -> Result<Option<Flaw>, Failure> {
    let domain = &*assignment.domain;
    let fault = judge.fault(case, reference, &domain.outcome(reference, answer.to_vec()))?;
    Ok(fault.map(|fault| judged::flaw(domain, reference, answer, fault)))
}

fn print(judged: &Judged, options: &cli::Judge, answer: &[u8]) -> Result<(), Failure> {
    let mut stdout = io::stdout().lock();
    let printed = match (options.format, &judged.reason) {
        (Format::Json, _) => serde_json::to_string_pretty(judged)
            .map_err(io::Error::from)
            .and_then(|json| writeln!(stdout, "{json}")),
        (Format::Text, None) => writeln!(stdout, "right"),
        (Format::Text, Some(reason)) => {
            let source = String::from_utf8_lossy(answer);
            let place = |line| Place::new(&options.answer, &source, line, judged.column);
            let place = judged.line.map_or_else(String::new, |line| format!("\n{}", place(line)));
            writeln!(stdout, "wrong: {reason}{place}")
        }
    };
    printed.and_then(|()| stdout.flush()).map_err(|error| Failure::unwritten("the verdict", &error))
}
