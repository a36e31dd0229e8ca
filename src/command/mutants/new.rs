//! `harness mutants new ASSIGNMENT ID`: declares a mutant and writes the file that describes it. It overwrites nothing.

mod missing;
mod program;

use crate::catalogue;
use crate::catalogue::sites::{self, Sites};
use crate::cli::mutants::New;
use crate::command::write_new;
use crate::course::{self, Assignment, AssignmentProgram, Course, UnitTests};
use crate::diagnostic::{Failure, FailureKind, Problem, printable};
use crate::exit::Exit;
use std::collections::BTreeSet;
use std::fs;
use std::io::{self, Write};
use std::path::Path;

pub(super) fn run(options: &New) -> Result<Exit, Failure> {
    let course = Course::read(&options.course)?;
    let (Some(assignment), Some(id)) = (&options.assignment, &options.id) else {
        return missing::describe(options, &course);
    };
    let assignment = course.assignment(assignment)?;
    well_formed(id)?;
    let file = assignment.mutants.join(format!("{id}.yaml"));
    free(assignment, id, &file)?;
    let topics = topics(assignment);
    let topics: Vec<_> = topics.iter().map(String::as_str).collect();
    let source =
        if options.program { Some(program::Source::new(&course, assignment, id)?) } else { None };
    let first_step = match &source {
        Some(source) => source.first_step(&file),
        None => first_step(id, assignment, &file)?,
    };
    write_new(&file, catalogue::template(id, &topics, assignment.unit.is_some()))?;
    // Only both together declare a mutant.
    let declared = match (&source, &assignment.program) {
        (Some(source), _) => source.write(),
        (None, AssignmentProgram::Cargo(package)) => sites::declare(&package.folder, id),
        (None, _) => Ok(()),
    };
    declared.inspect_err(|_| drop(fs::remove_file(&file)))?;
    print(&next_steps(options, id, assignment, &file, &first_step))?;
    Ok(Exit::Done)
}

fn print(next: &str) -> Result<(), Failure> {
    writeln!(io::stdout().lock(), "{next}")
        .map_err(|error| Failure::unwritten("what to do next", &error))
}

/// Checks that a mutant can have this id.
///
/// # Errors
/// If it cannot.
pub fn well_formed(id: &str) -> Result<(), Failure> {
    if !sites::is_mutant(id) {
        return Err(Failure::usage(
            Problem::new(format!("`{id}` is a reserved feature")).hint("choose another id"),
        ));
    }
    catalogue::check_id(id).map_err(|message| {
        let near = id.to_lowercase();
        let words: Vec<_> = near
            .split(|c: char| !c.is_ascii_alphanumeric())
            .filter(|word| !word.is_empty())
            .collect();
        let near = Some(words.join("-")).filter(|near| catalogue::check_id(near).is_ok());
        Failure::usage(
            Problem::new(message).maybe_hint(near.map(|near| format!("did you mean `{near}`?"))),
        )
    })
}

/// Checks that no feature, file or `bug!` has this id.
///
/// # Errors
/// With all that have it.
pub fn free(assignment: &Assignment, id: &str, file: &Path) -> Result<(), Failure> {
    let mut taken = Vec::new();
    if file.exists() {
        taken.push(Problem::new(format!("the mutant `{id}` already exists in {}", file.display())));
    }
    let declared = Sites::read(assignment)?.map(|sites| sites.declared).unwrap_or_default();
    if declared.iter().any(|declared| declared == id) {
        taken.push(Problem::new(format!(
            "the crate of `{}` already has a feature `{id}`",
            assignment.id
        )));
    }
    for site in sites::of(assignment)?.into_iter().filter(|site| site.id == id) {
        taken.push(match site.place.column {
            Some(_) => Problem::new(format!("the source already asks for `{id}`")).at(site.place),
            None => {
                Problem::new(format!("`{id}` is already a program: {}", site.place.file.display()))
            }
        });
    }
    if let Some(last) = taken.pop() {
        let describe = format!(
            "`harness mutants new {} --missing` describes what the source asks for",
            assignment.id
        );
        let other = "choose an id that is not used yet".to_owned();
        taken.push(last.hint(if file.exists() { other } else { describe }));
        return Err(Failure { kind: FailureKind::Request, problems: taken });
    }
    Ok(())
}

/// The topics of the existing mutants. There are none if the catalogue is empty or broken.
pub fn topics(assignment: &Assignment) -> BTreeSet<String> {
    let mutants = catalogue::read(assignment).unwrap_or_default();
    mutants.into_iter().map(|mutant| mutant.topic).filter(|topic| !topic.is_empty()).collect()
}

/// What to do next, as numbered steps.
fn next_steps(
    options: &New,
    id: &str,
    assignment: &Assignment,
    file: &Path,
    first_step: &str,
) -> String {
    let course = course_option(options);
    let file = file.display();
    let has_combined_build = assignment.program.has_combined_build();
    let fill_in =
        format!("fill in {file}: empty keys are valid, but `mutants verify` requires every key");
    let verify = format!("harness mutants verify {id}{course}");
    if let Some(unit) = &assignment.unit {
        return format!("{first_step}\n2. {fill_in}\n3. {}\n4. {verify}", unit_step(unit, "it"));
    }
    if assignment.generator().is_some() && has_combined_build {
        return format!(
            "{first_step}\n\
             2. {fill_in}\n\
             3. harness mutants witness {id}{course}\n         finds the smallest test that exposes it\n\
             4. {verify}"
        );
    }
    format!(
        "{first_step}\n\
         2. {fill_in}, and add a small test that exposes it, as `witness: {{ flags: …, input: … }}`\n\
         3. harness mutants witness --record {id}{course}\n         records what the reference does on it\n\
         4. {verify}"
    )
}

/// The step that gives new mutants their test cases.
fn unit_step(unit: &UnitTests, mutants: &str) -> String {
    let case = format!("write a test case that exposes {mutants}");
    match &unit.witnesses {
        Some(file) => format!("{case}, in {}", file.display()),
        None => format!("{case}, and name its file with `witnesses:`"),
    }
}

/// The option that names the course, if it is not the nearest.
fn course_option(options: &New) -> String {
    if options.course == course::nearest() {
        return String::new();
    }
    format!(" --course {}", options.course.display())
}

/// What was written, and where to write the bug.
fn first_step(id: &str, assignment: &Assignment, file: &Path) -> Result<String, Failure> {
    let file = file.display();
    let (wrote, place) = match &assignment.program {
        AssignmentProgram::Cargo(package) => (
            format!(
                "Declared `{id}` in {} and wrote {file}.",
                package.folder.join("Cargo.toml").display()
            ),
            package.folder.join("src"),
        ),
        AssignmentProgram::Sources(sources) => (format!("Wrote {file}."), sources.files[0].clone()),
        AssignmentProgram::Commands { .. } => {
            (format!("Wrote {file}."), assignment.mutants.clone())
        }
    };
    let (Some(mark), Some(marks)) =
        (sites::mark(&assignment.program, id), sites::marks(&assignment.program))
    else {
        return Ok(format!(
            "{wrote}\n\n\
             1. write the bug where the build of the mutant `{id}` finds it: see `mutant:` in the course file"
        ));
    };
    let sites = sites::of(assignment)?.into_iter();
    let example = match sites.into_iter().find(|site| site.place.column.is_some()) {
        Some(site) => format!(
            "like {}:{}\n         {}",
            site.place.file.display(),
            site.place.line,
            printable(site.place.text.unwrap_or_default().trim())
        ),
        None => format!("like\n         {}", marks.example.replace("{mark}", &mark)),
    };
    Ok(format!(
        "{wrote}\n\n1. write `{mark}` where the bug takes effect in {}, {example}",
        place.display()
    ))
}
