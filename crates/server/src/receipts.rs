//! Receipts of results: what a student can keep, and anybody with the course can check. Each is signed, and holds the digest of the one
//! before. docs/receipts.md says what a receipt proves, and what not.

mod follow;
pub mod key;

pub use follow::{Head, chain, head, lost, verify};

use crate::chain;
use crate::courses;
use crate::database::{Connection, Fault, Result};
use crate::rules::Moment;
use crate::secret;
use harness::result::receipt::{CourseSecret, Earned, Harness, Receipt, SCHEMA, Sealed};
use harness::result::record::Record;
use std::collections::BTreeMap;
use std::sync::{Mutex, PoisonError};

/// The seed of random spellings with which submissions are graded.
pub const SEED: u64 = 0;

/// What a result is the result of.
pub struct Graded<'a> {
    pub job: i64,
    pub submission: i64,
    /// The student's login.
    pub student: &'a str,
    /// The digest of the archive.
    pub archive: &'a str,
    /// The version of the course.
    pub course: &'a str,
    pub at: Moment,
}

/// Adds the receipt of a result. Others that add one wait until this transaction ends, so this should be its last step.
///
/// # Errors
/// If the database fails.
pub fn add(connection: &mut Connection<'_>, graded: &Graded<'_>, record: &Record) -> Result<()> {
    let salt = secret::random()[..32].to_owned();
    let sealed = Sealed::of(&record.report, &course_secret(connection, graded.course)?, &salt);
    let handed_in = connection
        .first("select at from submission where id = $1", &[graded.submission.into()])?
        .map_or(0, |row| row.int(0));
    let previous = chain::end(connection, "receipt", "number")?;
    let last = connection.first("select coalesce(max(number), 0) from receipt", &[])?;
    let number = last.map_or(0, |row| row.int(0)) + 1;
    let receipt = Receipt {
        schema: SCHEMA.to_owned(),
        number,
        student: graded.student.to_owned(),
        assignment: record.assignment.clone(),
        submission: graded.submission,
        handed_in: Moment(handed_in).rfc3339(),
        graded: graded.at.rfc3339(),
        points: Earned::of(&record.report.points),
        archive: graded.archive.to_owned(),
        course: graded.course.to_owned(),
        harness: Harness {
            program: record.digests.harness.clone(),
            version: env!("CARGO_PKG_VERSION").to_owned(),
        },
        seed: SEED,
        salt,
        record: sealed.record,
        parts: sealed.parts,
        previous,
        key: String::new(),
        signature: String::new(),
    };
    let receipt = receipt.signed(&key::current(connection)?);
    let json = serde_json::to_string(&receipt).unwrap_or_default();
    connection.execute(
        "insert into receipt (number, job, content, previous, digest, receipt) \
         values ($1, $2, $3, $4, $5, $6)",
        &[
            number.into(),
            graded.job.into(),
            receipt.content().into(),
            (&receipt.previous).into(),
            receipt.digest().into(),
            json.into(),
        ],
    )?;
    Ok(())
}

/// The receipt of a result, if it has one: results of earlier versions of the server have none.
///
/// # Errors
/// If the database fails.
pub fn of(connection: &mut Connection<'_>, job: i64) -> Result<Option<Receipt>> {
    let row = connection.first("select receipt from receipt where job = $1", &[job.into()])?;
    let read = |row: crate::database::Row| {
        serde_json::from_str(&row.text(0))
            .map_err(|error| Fault::Broken(format!("a receipt cannot be read: {error}")))
    };
    row.map(read).transpose()
}

/// The secret of a version of the course. It follows from the files of the version, so all work may share what is known of it.
fn course_secret(connection: &mut Connection<'_>, course: &str) -> Result<CourseSecret> {
    /// How many are known.
    const MOST: usize = 64;
    static KNOWN: Mutex<BTreeMap<String, CourseSecret>> = Mutex::new(BTreeMap::new());
    let known = || KNOWN.lock().unwrap_or_else(PoisonError::into_inner);
    if let Some(secret) = known().get(course) {
        return Ok(secret.clone());
    }
    let secret = CourseSecret::of(&courses::bytes(connection, course)?);
    let mut known = known();
    if known.len() >= MOST {
        known.clear();
    }
    known.insert(course.to_owned(), secret.clone());
    Ok(secret)
}
