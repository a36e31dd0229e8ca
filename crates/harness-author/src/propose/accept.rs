//! `--accept`: writes a proposal into the source and the catalogue.

use super::kept::{self, KeptProposal};
use harness::catalogue::sites;
use harness::catalogue::{self, Mutant};
use harness::cli::mutants::Propose;
use harness::command::mutants::new;
use harness::command::write_new;
use harness::course::{Assignment, AssignmentProgram, Course};
use harness::diagnostic::{Failure, Problem};
use harness::exit::Exit;
use harness::files;
use std::fs;
use std::io::{self, ErrorKind, Write};
use std::path::{Path, PathBuf};

pub(super) fn accept(
    options: &Propose,
    course: &Course,
    assignment: &Assignment,
    number: usize,
) -> Result<Exit, Failure> {
    let mut kept = kept::read(course, assignment)?;
    let proposal = kept.proposals.iter().find(|proposal| proposal.number == number);
    let Some(proposal) = proposal else {
        let problem = Problem::new(format!("there is no proposal {number} any more"));
        return Err(Failure::usage(problem.hint("run `harness mutants propose` again")));
    };
    let source = kept.source(&proposal.file)?;
    let id = match &options.id {
        Some(id) => id.clone(),
        None => free_id(assignment, &proposal.candidate.default_id()),
    };
    new::well_formed(&id)?;
    let file = assignment.mutants.join(format!("{id}.yaml"));
    new::free(assignment, &id, &file)?;
    let mark = mark(&assignment.program, &id, &source);
    let (edits, text) = kept.written(proposal, &source, &mark);
    let place = proposal.file.clone();
    let written = describe(assignment, proposal, &id, &file)
        .and_then(|()| match &assignment.program {
            AssignmentProgram::Cargo(package) => sites::declare(&package.folder, &id),
            _ => Ok(()),
        })
        .and_then(|()| {
            files::replace(&place, text.as_bytes())
                .map_err(|error| Failure::machine(format!("write {}", place.display()), error))
        });
    written.inspect_err(|_| drop(fs::remove_file(&file)))?;
    kept.accepted(number, &edits, &text);
    kept::keep(course, assignment, &kept)?;
    let beside = match &assignment.program {
        AssignmentProgram::Cargo(_) => "; `cargo fmt` lays it out".to_owned(),
        program => match put_library(program)? {
            Some(library) => format!(", and {}, which defines its mark", library.display()),
            None => String::new(),
        },
    };
    let next = format!(
        "Wrote `{id}` into {}{beside}.\n\n\
         1. fill in {}: what it has is a guess\n\
         2. harness mutants verify {id}",
        place.display(),
        file.display()
    );
    writeln!(io::stdout().lock(), "{next}")
        .map_err(|error| Failure::unwritten("what to do next", &error))?;
    Ok(Exit::Done)
}

/// The id, with a number if it is taken.
fn free_id(assignment: &Assignment, id: &str) -> String {
    let numbered = (2..).map(|number| format!("{id}-{number}"));
    let mut ids = std::iter::once(id.to_owned()).chain(numbered);
    let is_free = |id: &String| {
        new::free(assignment, id, &assignment.mutants.join(format!("{id}.yaml"))).is_ok()
    };
    // Only so many ids are taken, unless the source cannot be read, which is reported later.
    ids.by_ref().take(1000).find(is_free).unwrap_or_else(|| id.to_owned())
}

/// The mark of the bug, with its path if the source does not import the macro.
fn mark(program: &AssignmentProgram, id: &str, source: &str) -> String {
    let mark = sites::mark(program, id).expect("only such a program has candidates");
    let imports = |line: &str| line.trim_start().starts_with("use subject") && line.contains("bug");
    match program {
        AssignmentProgram::Cargo(_) if !source.lines().any(imports) => format!("subject::{mark}"),
        _ => mark,
    }
}

/// Writes the file that defines the mark of a bug beside the program, unless it is there. A crate has a dependency for that.
fn put_library(program: &AssignmentProgram) -> Result<Option<PathBuf>, Failure> {
    let AssignmentProgram::Sources(sources) = program else { return Ok(None) };
    let (name, text) = sites::library(sources.language);
    let path = sources.files[0].with_file_name(name);
    match files::create(&path, text.as_bytes()) {
        Ok(()) => Ok(Some(path)),
        Err(error) if error.kind() == ErrorKind::AlreadyExists => Ok(None),
        Err(error) => Err(Failure::machine(format!("write {}", path.display()), error)),
    }
}

/// Writes the catalogue file, with the witness and the topic of the nearest mutant.
fn describe(
    assignment: &Assignment,
    proposal: &KeptProposal,
    id: &str,
    file: &Path,
) -> Result<(), Failure> {
    let topics = new::topics(assignment);
    let topics: Vec<_> = topics.iter().map(String::as_str).collect();
    let template = catalogue::template(id, &topics, assignment.unit.is_some());
    let topic = proposal.topic.as_deref().unwrap_or_default();
    write_new(file, template.replacen("\ntopic: \"\"", &format!("\ntopic: {topic:?}"), 1))?;
    let mutants = catalogue::read(assignment)?;
    let mutant = mutants.into_iter().find(|mutant: &Mutant| mutant.id == id);
    let mutant = mutant.expect("its file was just written");
    let Some(witness) = &proposal.witness else { return Ok(()) };
    catalogue::write_witness(&mutant, witness, assignment)
}
