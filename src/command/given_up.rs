//! Warns of the mutants that a search gave up.

use super::terminal;
use crate::catalogue::sites;
use crate::course::Assignment;
use crate::diagnostic::{Failure, Problem, Warning, printable};
use crate::result::given_up::GivenUp;
use std::collections::BTreeSet;

/// Prints which mutants of `assignment` a search gave up, with their places in the source, and gives them.
///
/// # Errors
/// If the source cannot be read.
pub fn warn(assignment: &Assignment, ids: &BTreeSet<String>) -> Result<Vec<GivenUp>, Failure> {
    if ids.is_empty() {
        return Ok(Vec::new());
    }
    let sites = sites::of(assignment)?;
    let places = |id: &String| {
        let id = id.clone();
        sites.iter().filter(move |site| site.id == id).map(|site| &site.place)
    };
    let given_up: Vec<_> = ids.iter().map(|id| GivenUp::new(id, places(id))).collect();
    let mut message =
        "the search stopped running mutants that hang without counting steps".to_owned();
    for GivenUp { id, places } in &given_up {
        message.extend(["\n  ", id]);
        places.iter().for_each(|place| message.extend([", at ", &printable(place)]));
    }
    let problem =
        Problem::new(message).hint("count the steps of their loops, with `tick!` in Rust");
    terminal::say(&Warning(problem));
    Ok(given_up)
}
