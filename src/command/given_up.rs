//! Warns of the mutants that a search gave up.

use crate::catalogue::sites;
use crate::course::Assignment;
use crate::problem::{Failure, Problem, Warning, printable};
use crate::run::worker;
use std::path::PathBuf;

/// Prints which mutants of `assignment` the searches of this process gave up, with their places in the source.
///
/// # Errors
/// If the source cannot be read.
pub(super) fn warn(assignment: &Assignment) -> Result<(), Failure> {
    let ids = worker::given_up();
    if ids.is_empty() {
        return Ok(());
    }
    let sites = sites::of(assignment)?;
    let mut message =
        "the search stopped running mutants that hang without counting steps".to_owned();
    for id in &ids {
        message.extend(["\n  ", id]);
        for place in sites.iter().filter(|site| site.id == *id).map(|site| &site.place) {
            let file: PathBuf = place.file.components().collect();
            message.extend([", at ", &printable(&file.display().to_string())]);
            message.extend([":", &place.line.to_string()]);
        }
    }
    let problem =
        Problem::new(message).hint("count the steps of their loops, with `tick!` in Rust");
    anstream::eprintln!("{}", Warning(problem));
    Ok(())
}
