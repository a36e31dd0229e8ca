//! `--regrade`: grades again what a change of the course affects. The store knows the rest, so only that is run.

use super::class::{Class, Entry};
use crate::diagnostic::Failure;
use crate::result::record::Record;
use crate::result::regraded::{Change, Regraded, SCHEMA};
use std::collections::BTreeMap;
use std::sync::{Mutex, PoisonError};

/// Grades outdated results again, and replaces them if `applied`.
///
/// # Errors
/// If the machine or the course fails.
pub fn regrade(class: &Class<'_>, entries: Vec<Entry>, applied: bool) -> Result<Regraded, Failure> {
    let mut outdated: BTreeMap<String, Record> = BTreeMap::new();
    let (mut up_to_date, mut not_graded) = (0, 0);
    let affected = entries.into_iter().filter(|entry| match class.known(entry) {
        None => {
            not_graded += 1;
            false
        }
        Some(record) if class.is_outdated(&record) => {
            outdated.insert(entry.name.clone(), record);
            true
        }
        Some(_) => {
            up_to_date += 1;
            false
        }
    });
    let affected: Vec<_> = affected.collect();
    let changes: Mutex<BTreeMap<String, Change>> = Mutex::default();
    class.run(affected, |record| {
        let name = &record.report.name;
        if let Some(change) = Change::between(&outdated[name].report, &record.report) {
            let mut changes = changes.lock().unwrap_or_else(PoisonError::into_inner);
            changes.insert(name.clone(), change);
        }
        if applied { class.results.write(&record) } else { Ok(()) }
    })?;
    let changes = changes.into_inner().unwrap_or_else(PoisonError::into_inner);
    Ok(Regraded {
        schema: SCHEMA.to_owned(),
        assignment: class.ready.assignment().id.clone(),
        title: class.ready.assignment().title.clone(),
        applied,
        up_to_date,
        regraded: outdated.len(),
        not_graded,
        changes: changes.into_values().collect(),
    })
}
