//! `harness mutants list`: lists every mutant on a line.

use super::{choose, print};
use crate::cli::mutants::List;
use crate::course::Course;
use crate::diagnostic::Failure;
use crate::exit::Exit;
use crate::report::catalogue::{Described, LIST_SCHEMA, Listed};
use crate::result::pseudonym::Pseudonyms;

pub(super) fn run(options: &List) -> Result<Exit, Failure> {
    let course = Course::read(&options.which.course)?;
    let mut mutants = Vec::new();
    for choice in choose(&course, &options.which, &[])? {
        let pseudonyms = Pseudonyms::of_all(choice.assignment, &choice.mutants)?;
        let described = |mutant| Described::new(&choice.assignment.id, mutant, pseudonyms.as_ref());
        mutants.extend(choice.mutants.iter().map(described));
    }
    print("the result", &Listed { schema: LIST_SCHEMA.to_owned(), mutants }, options.which.format)?;
    Ok(Exit::Done)
}
