//! `harness mutants new ASSIGNMENT ID`: declares a mutant and writes the file that describes it. What is there already stays.

use crate::catalogue;
use crate::catalogue::sites;
use crate::cli::mutants::New;
use crate::command::write_new;
use crate::course::{Assignment, Course, Program};
use crate::problem::{Exit, Failure, Problem, printable};
use std::collections::BTreeSet;
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
    if let Program::Cargo(package) = &assignment.program {
        sites::declare(&package.folder, id)?;
    }
    let next = next_steps(options, assignment, &file)?;
    writeln!(io::stdout().lock(), "{next}")
        .map_err(|error| Failure::unwritten("what to do next", &error))?;
    Ok(Exit::Done)
}

fn well_formed(id: &str) -> Result<(), Failure> {
    if !sites::is_mutant(id) {
        return Err(Failure::usage(
            Problem::new(format!("`{id}` has a meaning of its own")).hint("choose another id"),
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

/// Checks that neither feature, nor file, nor `bug!` has this id.
fn free(assignment: &Assignment, id: &str, file: &Path) -> Result<(), Failure> {
    let mut taken = Vec::new();
    if file.exists() {
        taken.push(Problem::new(format!("there is a mutant `{id}`: {} exists", file.display())));
    }
    if let Program::Cargo(package) = &assignment.program {
        if sites::declared(&package.folder)?.iter().any(|declared| declared == id) {
            let manifest = package.folder.join("Cargo.toml");
            taken.push(Problem::new(format!(
                "`{id}` is a feature of {} already",
                manifest.display()
            )));
        }
        let asked = sites::find(&package.folder)?.into_iter().filter(|site| site.id == id);
        taken.extend(asked.map(|site| {
            Problem::new(format!("the source asks for `{id}` already")).at(site.place)
        }));
    }
    if let Some(last) = taken.pop() {
        taken.push(last.hint("choose an id that nothing has: nothing is overwritten"));
        return Err(Failure { exit: Exit::Usage, problems: taken });
    }
    Ok(())
}

/// The areas of the mutants that there are. A catalogue that is empty or broken has none to offer.
fn areas(assignment: &Assignment) -> BTreeSet<String> {
    let mutants = catalogue::read(assignment).unwrap_or_default();
    mutants.into_iter().map(|mutant| mutant.area).filter(|area| !area.is_empty()).collect()
}

fn next_steps(options: &New, assignment: &Assignment, file: &Path) -> Result<String, Failure> {
    let id = &options.id;
    let course = if options.course == Path::new(".") {
        String::new()
    } else {
        format!(" --course {}", options.course.display())
    };
    let file = file.display();
    let put = match &assignment.program {
        Program::Cargo(package) => {
            let example = match sites::find(&package.folder)?.into_iter().next() {
                Some(site) => {
                    let text = site.place.text.unwrap_or_default();
                    format!(
                        "as {}:{} does\n         {}",
                        site.place.file.display(),
                        site.place.line,
                        printable(text.trim())
                    )
                }
                None => format!(
                    "as in\n         let first = if bug!(\"{id}\") {{ wrong }} else {{ right }};"
                ),
            };
            format!(
                "`{id}` is declared in {}; {file} is there to be filled in.\n\n\
                 1. put `bug!(\"{id}\")` where the bug bites in {}, {example}",
                package.folder.join("Cargo.toml").display(),
                package.folder.join("src").display()
            )
        }
        Program::Commands { .. } => format!(
            "{file} is there to be filled in.\n\n\
             1. put the bug where the build of the mutant `{id}` finds it: see `mutant:` in the course file"
        ),
    };
    let finds = if assignment.domain.generator().is_some()
        && matches!(assignment.program, Program::Cargo(_))
    {
        format!(
            "3. harness mutants witness {id}{course}\n         finds the smallest test that exposes it"
        )
    } else {
        format!(
            "3. write a small test that exposes it into {file}, as `witness: {{ flags: …, input: … }}`"
        )
    };
    Ok(format!(
        "{put}\n2. fill in {file}: it is read as it is, but not verified before every key says something\n{finds}\n\
         4. harness mutants verify {id}{course}"
    ))
}
