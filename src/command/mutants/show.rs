//! `harness mutants show ID`: describes a mutant, its places in the source, and what its witness exposes.

use super::{Choice, choose, print};
use crate::catalogue::sites;
use crate::cli::mutants::Show;
use crate::command::terminal;
use crate::course::Course;
use crate::diagnostic::progress::Progress;
use crate::diagnostic::{Failure, printable};
use crate::exit::Exit;
use crate::grading::witness_file::{self, WitnessCase};
use crate::report::catalogue::{
    CaseListed, Described, Exposure, SHOW_SCHEMA, Shown, SiteListed, UnitWitness,
};
use crate::result::pseudonym::Pseudonyms;
use crate::run::prepare;
use crate::run::programs::{Plan, Programs};
use crate::run::work::Work;
use crate::suite::decode;

pub(super) fn run(work: &Work, options: &Show) -> Result<Exit, Failure> {
    let course = Course::read(&options.which.course)?;
    for choice in choose(&course, &options.which, std::slice::from_ref(&options.id))? {
        let pseudonyms = Pseudonyms::of_all(choice.assignment, &choice.mutants)?;
        for (index, mutant) in choice.selected() {
            let shown = Shown {
                schema: SHOW_SCHEMA.to_owned(),
                mutant: Described::new(&choice.assignment.id, mutant, pseudonyms.as_ref()),
                sites: places(&choice, &mutant.id)?,
                exposure: exposure(work, &course, &choice, index)?,
                unit: unit_witness(work, &course, &choice, &mutant.id)?,
            };
            print("the result", &shown, options.which.format)?;
        }
    }
    Ok(Exit::Done)
}

/// Where the source asks for the mutant.
fn places(choice: &Choice<'_>, id: &str) -> Result<Vec<SiteListed>, Failure> {
    let sites = sites::of(choice.assignment)?.into_iter().filter(|site| site.id == id);
    let place = |site: sites::Site| SiteListed {
        file: site.place.file.display().to_string(),
        line: site.place.line,
        column: site.place.column.unwrap_or(1),
        text: printable(&site.place.text.unwrap_or_default()),
    };
    Ok(sites.map(place).collect())
}

/// Which mutants the witness exposes, and how it exposes the mutant with this index.
fn exposure(
    work: &Work,
    course: &Course,
    choice: &Choice<'_>,
    index: usize,
) -> Result<Option<Exposure>, Failure> {
    let Some(witness) = &choice.mutants[index].witness else { return Ok(None) };
    let case = decode::case_of_draft(choice.assignment, &witness.draft());
    terminal::warn_of_differences(course, choice.assignment)?;
    let mutants = prepare::written(course, choice.assignment, choice.mutants.clone())?;
    let id = &choice.mutants[index].id;
    let Some(index) = mutants.iter().position(|mutant| mutant.id == *id) else { return Ok(None) };
    let progress = Progress::new("building the programs", None);
    let mut programs = Programs::build(&Plan::new(work, course, choice.assignment, &mutants))?;
    progress.say("running all mutants on the witness");
    let row = programs.rows(std::slice::from_ref(&case))?.remove(0);
    let others = row.exposed.iter().filter(|other| other.mutant != index);
    Ok(Some(Exposure {
        args: case.args,
        how: row.difference(index).map(|difference| difference.how.into()),
        along: others.map(|other| mutants[other.mutant].id.clone()).collect(),
    }))
}

/// The test case of the course that exposes the mutant, where tests are unit tests.
fn unit_witness(
    work: &Work,
    course: &Course,
    choice: &Choice<'_>,
    id: &str,
) -> Result<Option<UnitWitness>, Failure> {
    let assignment = choice.assignment;
    let Some(unit) = &assignment.unit else { return Ok(None) };
    let Some(file) = &unit.witnesses else { return Ok(Some(UnitWitness::default())) };
    terminal::warn_of_differences(course, assignment)?;
    let mutants = prepare::written(course, assignment, choice.mutants.clone())?;
    let _progress = Progress::new("running the witnesses", None);
    let (of, jobs) = ((course, assignment), prepare::jobs(None));
    let case = witness_file::case_for(work, of, (unit, file), &mutants, id, jobs)?;
    let listed = |WitnessCase { name, line, code, along }| CaseListed { name, line, code, along };
    Ok(Some(UnitWitness { file: Some(file.display().to_string()), case: case.map(listed) }))
}
