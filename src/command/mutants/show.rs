//! `harness mutants show ID`: what a mutant is, where it stands, and what exposes it.

use super::{Choice, choose, print};
use crate::catalogue::sites;
use crate::cli::mutants::Show;
use crate::course::{Course, Program};
use crate::domain::Draft;
use crate::generate::arena;
use crate::problem::progress::Progress;
use crate::problem::{Exit, Failure, printable};
use crate::report::catalogue::{Described, Exposure, SHOW_SCHEMA, Shown, SiteListed};
use crate::result::pseudonym::Pseudonyms;
use crate::run::build::{self, Variant};
use crate::run::matrix::{Combined, Isolated, Row, Runner};
use crate::run::prepare;
use std::iter;
use subject::Case;

pub(super) fn run(options: &Show) -> Result<Exit, Failure> {
    let course = Course::read(&options.which.course)?;
    for choice in choose(&course, &options.which, std::slice::from_ref(&options.id))? {
        let pseudonyms = Pseudonyms::of_all(choice.assignment, &choice.mutants)?;
        for (index, mutant) in choice.meant() {
            let shown = Shown {
                schema: SHOW_SCHEMA.to_owned(),
                mutant: Described::new(&choice.assignment.id, mutant, pseudonyms.as_ref()),
                sites: places(&choice, &mutant.id)?,
                exposure: exposure(&course, &choice, index)?,
            };
            print("the result", &shown, options.which.format)?;
        }
    }
    Ok(Exit::Done)
}

/// Where the source asks for the mutant.
fn places(choice: &Choice<'_>, id: &str) -> Result<Vec<SiteListed>, Failure> {
    let Program::Cargo(package) = &choice.assignment.program else { return Ok(Vec::new()) };
    let sites = sites::find(&package.folder)?.into_iter().filter(|site| site.id == id);
    let place = |site: sites::Site| SiteListed {
        file: site.place.file.display().to_string(),
        line: site.place.line,
        column: site.place.column.unwrap_or(1),
        text: printable(&site.place.text.unwrap_or_default()),
    };
    Ok(sites.map(place).collect())
}

/// What the mutant's witness shows.
fn exposure(
    course: &Course,
    choice: &Choice<'_>,
    index: usize,
) -> Result<Option<Exposure>, Failure> {
    let Some(witness) = &choice.mutants[index].witness else { return Ok(None) };
    let draft = Draft { flags: witness.flags.clone(), input: witness.input.clone().into_bytes() };
    let case = arena::case(choice.assignment, &draft);
    let row = row(course, choice, &case)?;
    let how = row.exposed.iter().find(|(mutant, _)| *mutant == index).map(|(_, how)| (*how).into());
    let others = row.exposed.iter().filter(|(mutant, _)| *mutant != index);
    let along = others.map(|(mutant, _)| choice.mutants[*mutant].id.clone()).collect();
    Ok(Some(Exposure { args: case.args, how, along }))
}

/// What the reference does on a case, and which mutants do otherwise.
fn row(course: &Course, choice: &Choice<'_>, case: &Case) -> Result<Row, Failure> {
    let (assignment, mutants) = (choice.assignment, &choice.mutants);
    let progress = Progress::new("building the programs", None);
    let mut runner: Box<dyn Runner> = match assignment.program {
        Program::Cargo(_) => {
            prepare::agree(course, assignment, mutants)?;
            let built = build::all(
                course,
                &[(assignment, Variant::Reference), (assignment, Variant::Combined)],
            )?;
            let settings = prepare::settings(assignment, mutants, built[1].clone());
            Box::new(Combined::new(assignment.domain, built[0].clone(), &settings, 1))
        }
        Program::Commands { .. } => {
            let others = mutants.iter().map(|mutant| (assignment, Variant::Mutant(&mutant.id)));
            let variants: Vec<_> =
                iter::once((assignment, Variant::Reference)).chain(others).collect();
            let mut built = build::all(course, &variants)?.into_iter();
            let reference = built.next().expect("the reference is built first");
            let limits = prepare::process_limits(&assignment.run);
            Box::new(Isolated {
                domain: assignment.domain,
                reference,
                mutants: built.collect(),
                limits,
                factor: assignment.run.factor,
                jobs: 1,
            })
        }
    };
    progress.say("running all on the witness");
    Ok(runner.rows(std::slice::from_ref(case))?.remove(0))
}
