//! The versions of the tables, from the first that was released. A migration is never changed: a change is a new one.

use super::{Fault, Result};
use refinery_core::{Error, Migration, Runner};

/// The migrations in their order: `V` and a number, and a name.
const ALL: [(&str, &str); 1] = [("V1__schema", include_str!("migrations/V1__schema.sql"))];

/// The migrations, in the words of one database.
pub(super) fn runner(in_words: impl Fn(&str) -> String) -> Result<Runner> {
    let one = |(name, sql): (&str, &str)| Migration::unapplied(name, &in_words(sql));
    let all: std::result::Result<Vec<_>, Error> = ALL.into_iter().map(one).collect();
    Ok(Runner::new(&all.map_err(|error| fault(&error))?).set_grouped(true))
}

pub(super) fn fault(error: &Error) -> Fault {
    Fault::Broken(format!("the tables cannot be brought to this version: {error}"))
}
