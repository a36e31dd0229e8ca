//! The versions of the tables, from the first that was released. A migration is never changed: a change is a new one.

use super::{Fault, Result};
use refinery_core::error::Kind;
use refinery_core::{Error, Migration, Runner, Target};

/// The migrations in their order: `V` and a number, and a name.
const ALL: [(&str, &str); 9] = [
    ("V1__schema", include_str!("migrations/V1__schema.sql")),
    ("V2__counting", include_str!("migrations/V2__counting.sql")),
    ("V3__receipt", include_str!("migrations/V3__receipt.sql")),
    ("V4__late_and_request", include_str!("migrations/V4__late_and_request.sql")),
    ("V5__group", include_str!("migrations/V5__group.sql")),
    ("V6__hand_grading", include_str!("migrations/V6__hand_grading.sql")),
    ("V7__platform", include_str!("migrations/V7__platform.sql")),
    ("V8__passback", include_str!("migrations/V8__passback.sql")),
    ("V9__mining", include_str!("migrations/V9__mining.sql")),
];

/// The tables that no backup may hold.
pub(super) const SECRET: [&str; 2] = ["receipt_secret", "lti_secret"];

/// The version of the tables that this program knows.
pub const VERSION: i32 = ALL.len() as i32;

/// The migrations up to a version, or all, in the words of one database.
pub(super) fn runner(to: Option<i32>, in_words: impl Fn(&str) -> String) -> Result<Runner> {
    let one = |(name, sql): (&str, &str)| Migration::unapplied(name, &in_words(sql));
    let all: std::result::Result<Vec<_>, Error> = ALL.into_iter().map(one).collect();
    let target = to.map_or(Target::Latest, Target::Version);
    Ok(Runner::new(&all.map_err(|error| fault(&error))?).set_grouped(true).set_target(target))
}

pub(super) fn fault(error: &Error) -> Fault {
    match error.kind() {
        Kind::MissingVersion(migration) => Fault::Refused(format!(
            "the database is of a later version: its tables are of version {}, and this program knows version {VERSION}",
            migration.version()
        )),
        Kind::DivergentVersion(applied, _) => Fault::Refused(format!(
            "version {} of the database's tables is not the one that was released",
            applied.version()
        )),
        Kind::Connection(_, cause) => {
            let text = format!("the tables cannot be brought to this version: {error}: {cause}");
            let busy = cause.downcast_ref().map(rusqlite::Error::sqlite_error_code);
            match busy.flatten() {
                Some(rusqlite::ErrorCode::DatabaseBusy | rusqlite::ErrorCode::DatabaseLocked) => {
                    Fault::Busy(text)
                }
                // The other process made the table in which the versions are noted.
                _ if cause.to_string().contains("already exists") => Fault::Busy(text),
                _ => Fault::Broken(text),
            }
        }
        _ => Fault::Broken(format!("the tables cannot be brought to this version: {error}")),
    }
}

/// The tables in the order in which they are made. So each refers only to those before it.
pub(super) fn tables() -> Vec<&'static str> {
    let lines = ALL.iter().flat_map(|(_, sql)| sql.lines());
    lines.filter_map(|line| line.strip_prefix("create table ")?.split(' ').next()).collect()
}
