//! `--missing`: writes a catalogue file for every mutant that the source marks and no file describes.

use super::{course_option, print, topics, well_formed};
use crate::catalogue;
use crate::catalogue::sites::{self, Sites};
use crate::cli::mutants::New;
use crate::command::write_new;
use crate::course::{Assignment, AssignmentProgram, Course};
use crate::diagnostic::{Failure, FailureKind, Problem, did_you_mean};
use crate::exit::Exit;
use crate::run::differences::Differences;
use std::path::PathBuf;

pub(super) fn describe(options: &New, course: &Course) -> Result<Exit, Failure> {
    let assignments: Vec<_> = match &options.assignment {
        Some(id) => vec![course.assignment(id)?],
        None => course.assignments.iter().collect(),
    };
    let (mut written, mut problems) = (Vec::new(), Vec::new());
    let mut described = Vec::new();
    for assignment in assignments {
        let ids = undescribed(course, assignment, &mut problems)?;
        if !ids.is_empty() {
            described.push(assignment);
        }
        written.extend(write(assignment, &ids)?);
    }
    if !written.is_empty() || problems.is_empty() {
        print(&report(options, &written, &described))?;
    }
    if problems.is_empty() {
        Ok(Exit::Done)
    } else {
        Err(Failure { kind: FailureKind::Course, problems })
    }
}

/// The ids that the source marks and no file describes. One that is no id, or is probably misspelled, is a problem.
fn undescribed(
    course: &Course,
    assignment: &Assignment,
    problems: &mut Vec<Problem>,
) -> Result<Vec<String>, Failure> {
    let mutants = catalogue::read_if_any(assignment)?;
    let Differences { unwritten, undescribed, .. } =
        Differences::find(course, assignment, &mutants)?;
    let unwritten: Vec<_> =
        unwritten.iter().map(|(index, _)| mutants[*index].id.as_str()).collect();
    let mut ids = Vec::new();
    for (id, problem) in undescribed {
        if let Err(Failure { problems: malformed, .. }) = well_formed(&id) {
            problems.extend(
                malformed.into_iter().map(|it| Problem { place: problem.place.clone(), ..it }),
            );
        } else if let Some(hint) = did_you_mean(&id, unwritten.iter().copied()) {
            problems.push(problem.hint(hint));
        } else {
            ids.push(id);
        }
    }
    Ok(ids)
}

fn write(assignment: &Assignment, ids: &[String]) -> Result<Vec<PathBuf>, Failure> {
    let topics = topics(assignment);
    let topics: Vec<_> = topics.iter().map(String::as_str).collect();
    let declared = Sites::read(assignment)?.map(|sites| sites.declared).unwrap_or_default();
    let mut files = Vec::new();
    for id in ids {
        let file = assignment.mutants.join(format!("{id}.yaml"));
        if let AssignmentProgram::Cargo(package) = &assignment.program
            && !declared.contains(id)
        {
            sites::declare(&package.folder, id)?;
        }
        write_new(&file, catalogue::template(id, &topics, assignment.unit.is_some()))?;
        files.push(file);
    }
    Ok(files)
}

/// What was written, and what to do next.
fn report(options: &New, written: &[PathBuf], described: &[&Assignment]) -> String {
    let course = course_option(options);
    if written.is_empty() {
        return "nothing to do: a catalogue file describes every mutant in the source".to_owned();
    }
    let (count, it) = match written.len() {
        1 => ("1 file".to_owned(), "it"),
        count => (format!("{count} files"), "them"),
    };
    let files: String = written.iter().map(|file| format!("  {}\n", file.display())).collect();
    let mut steps = vec![format!(
        "fill {it} in: empty keys are valid, but `mutants verify` requires every key"
    )];
    if described.iter().any(|assignment| assignment.unit.is_none()) {
        steps.push(format!(
            "harness mutants witness --missing{course}\n         finds the smallest test that exposes each mutant"
        ));
    }
    let unit = described.iter().filter_map(|assignment| assignment.unit.as_ref());
    steps.extend(unit.map(|unit| super::unit_step(unit, "each mutant")));
    steps.push(format!("harness mutants verify{course}"));
    let steps = steps.iter().zip(1..).map(|(step, number)| format!("{number}. {step}"));
    format!("Wrote {count}:\n{files}\n{}", steps.collect::<Vec<_>>().join("\n"))
}
