//! `harness mutants propose`: candidates for mutants from the reference's source.

mod build;
mod search;

use crate::cli::mutants::Propose;
use crate::course::Course;
use crate::generate::Arena;
use crate::problem::{Exit, Failure};

pub(super) fn run(options: &Propose) -> Result<Exit, Failure> {
    let course = Course::read(&options.course)?;
    let assignment = course.assignment_or_only(options.assignment.as_deref())?;
    let started = std::time::Instant::now();
    let (built, programs) = build::build(&course, assignment, options)?;
    eprintln!("{} {} {:?}", built.workshop.count(), built.workshop.left().count(), started.elapsed());
    let arena = Arena::of(&built.copy, built.mutants.clone(), programs)?;
    let search = search::search(options, &course, assignment, &built, arena)?;
    eprintln!("{:?}", started.elapsed());
    for gain in search.ranked.iter().take(options.limit) {
        eprintln!("{} {:?} {:?} chance {:?} of {} draft {:?}", built.mutants[gain.candidate].id, gain.nearest.map(|it| &built.mutants[it].id), gain.implied_by.map(|it| &built.mutants[it].id),
            search.tallies.mutants[gain.candidate].exposed, search.tallies.cases(), search.found[&gain.candidate]);
    }
    Ok(Exit::Done)
}
