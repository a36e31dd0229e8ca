//! `harness mutants new ASSIGNMENT ID`: declares a mutant and writes the file that describes it. It overwrites nothing.

use crate::catalogue;
use crate::catalogue::sites::{self, Sites};
use crate::cli::mutants::New;
use crate::command::write_new;
use crate::course::{self, Assignment, Course};
use crate::problem::{Exit, Failure, Problem, printable};
use std::collections::BTreeSet;
use std::fs;
use std::io::{self, Write};
use std::path::Path;

pub(super) fn run(options: &New) -> Result<Exit, Failure> {
    let course = Course::read(&options.course)?;
    let (assignment, id) = (course.assignment(&options.assignment)?, options.id.as_str());
    well_formed(id)?;
    let file = assignment.mutants.join(format!("{id}.yaml"));
    free(assignment, id, &file)?;
    let areas = areas(assignment);
    let areas: Vec<_> = areas.iter().map(String::as_str).collect();
    write_new(&file, catalogue::template(id, &areas))?;
    if let Some(source) = assignment.program.source() {
        // Only both together declare a mutant.
        sites::declare(source, id).inspect_err(|_| drop(fs::remove_file(&file)))?;
    }
    let next = next_steps(options, assignment, &file)?;
    writeln!(io::stdout().lock(), "{next}")
        .map_err(|error| Failure::unwritten("what to do next", &error))?;
    Ok(Exit::Done)
}

fn well_formed(id: &str) -> Result<(), Failure> {
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
fn free(assignment: &Assignment, id: &str, file: &Path) -> Result<(), Failure> {
    let mut taken = Vec::new();
    if file.exists() {
        taken.push(Problem::new(format!("the mutant `{id}` already exists in {}", file.display())));
    }
    if let Some(sites) = Sites::read(assignment)? {
        if sites.declared.iter().any(|declared| declared == id) {
            taken.push(Problem::new(format!(
                "the crate of `{}` already has a feature `{id}`",
                assignment.id
            )));
        }
        let bugs = sites.bugs.into_iter().filter(|site| site.id == id);
        taken.extend(bugs.map(|site| {
            Problem::new(format!("the source already asks for `{id}`")).at(site.place)
        }));
    }
    if let Some(last) = taken.pop() {
        taken.push(last.hint("choose an id that is not used yet"));
        return Err(Failure { exit: Exit::Usage, problems: taken });
    }
    Ok(())
}

/// The areas of the existing mutants. There is none if the catalogue is empty or broken.
fn areas(assignment: &Assignment) -> BTreeSet<String> {
    let mutants = catalogue::read(assignment).unwrap_or_default();
    mutants.into_iter().map(|mutant| mutant.area).filter(|area| !area.is_empty()).collect()
}

/// What to do next, as numbered steps.
fn next_steps(options: &New, assignment: &Assignment, file: &Path) -> Result<String, Failure> {
    let id = &options.id;
    let course = if options.course == course::nearest() {
        String::new()
    } else {
        format!(" --course {}", options.course.display())
    };
    let file = file.display();
    let has_combined_build = assignment.program.has_combined_build();
    let witness = if assignment.domain.generator().is_some() && has_combined_build {
        format!(
            "harness mutants witness {id}{course}\n         finds the smallest test that exposes it"
        )
    } else {
        format!(
            "write a small test that exposes it into {file}, as `witness: {{ flags: …, input: … }}`"
        )
    };
    Ok(format!(
        "{}\n\
         2. fill in {file}: a draft is valid, but `mutants verify` requires every key\n\
         3. {witness}\n\
         4. harness mutants verify {id}{course}",
        first_step(id, assignment, &file.to_string())?
    ))
}

/// Where to write the bug.
fn first_step(id: &str, assignment: &Assignment, file: &str) -> Result<String, Failure> {
    let Some(source) = assignment.program.source() else {
        return Ok(format!(
            "Wrote {file}.\n\n\
             1. write the bug where the build of the mutant `{id}` finds it: see `mutant:` in the course file"
        ));
    };
    let example = match sites::of(assignment)?.into_iter().next() {
        Some(site) => format!(
            "like {}:{}\n         {}",
            site.place.file.display(),
            site.place.line,
            printable(site.place.text.unwrap_or_default().trim())
        ),
        None => {
            format!("like\n         let first = if bug!(\"{id}\") {{ wrong }} else {{ right }};")
        }
    };
    Ok(format!(
        "Declared `{id}` in {} and wrote {file}.\n\n\
         1. write `bug!(\"{id}\")` where the bug takes effect in {}, {example}",
        source.join("Cargo.toml").display(),
        source.join("src").display()
    ))
}
