//! Compares what the reference does on a witness with what the catalogue file records. Pure.

use super::Trial;
use crate::catalogue::Mutant;
use crate::catalogue::expected::{Expected, Recorded};
use crate::diagnostic::Problem;
use crate::result::diff::{Diff, Line, Row};
use std::collections::BTreeSet;
use subject::{End, Outcome};

/// How many differing lines a problem shows.
const MOST_LINES: usize = 5;

/// The problem if the reference does something else on the mutant's witness than its file records.
pub(super) fn unexpected(mutant: &Mutant, trial: &Trial) -> Option<Problem> {
    let id = &mutant.id;
    let expected = mutant.witness.as_ref()?.expected.as_ref()?;
    if expected.is_of(&trial.reference) {
        return None;
    }
    let difference = difference(expected, &trial.reference);
    let with_bug = trial.combined.as_ref().or(trial.isolated.as_ref());
    let problem = if with_bug.is_some_and(|tried| expected.is_of(&tried.outcome)) {
        let message = format!(
            "the branches of `{id}` are swapped: on its witness, the mutant does what is expected, and the reference does not: {difference}"
        );
        Problem::new(message).hint("swap the two branches")
    } else {
        let message =
            format!("on the witness of `{id}`, the reference is not as expected: {difference}");
        let hint = format!(
            "correct the reference; after an intended change, run `harness mutants witness --record {id}`"
        );
        Problem::new(message).hint(hint)
    };
    Some(problem.at(mutant.place("witness")))
}

/// The first difference between a record and an outcome that does not match it.
fn difference(expected: &Expected, outcome: &Outcome) -> String {
    match outcome.end {
        End::Exit(exit) if exit == expected.exit => {}
        End::Exit(exit) => return format!("exit status {exit}, expected {}", expected.exit),
        _ => return format!("it does not exit, expected exit status {}", expected.exit),
    }
    if !expected.stdout.is_of(&outcome.stdout) {
        return format!("standard output differs{}", lines(&expected.stdout, &outcome.stdout));
    }
    let names: BTreeSet<_> = expected.files.keys().chain(outcome.files.keys()).collect();
    let differs = |name: &String| match (expected.files.get(name), outcome.files.get(name)) {
        (Some(_), None) => Some(format!("it does not write the file `{name}`")),
        (None, Some(_)) => Some(format!("it writes an unexpected file `{name}`")),
        (Some(recorded), Some(bytes)) if !recorded.is_of(bytes) => {
            Some(format!("the file `{name}` differs{}", lines(recorded, bytes)))
        }
        _ => None,
    };
    names.into_iter().find_map(differs).unwrap_or_default()
}

/// The first lines that differ, as in `diff`, or the sizes if only a digest is recorded.
fn lines(expected: &Recorded, found: &[u8]) -> String {
    let Some(bytes) = expected.bytes() else {
        let length = match expected {
            Recorded::Long { bytes, .. } => *bytes,
            Recorded::Text(_) | Recorded::Bytes { .. } => 0,
        };
        return format!(": {} bytes, expected {length}; only a digest is recorded", found.len());
    };
    let rows = Diff::new(&bytes, found).rows.into_iter().filter(|row| !row.same);
    let sign = |sign: char, line: &Option<Line>| {
        line.as_ref().map_or(String::new(), |line| format!("\n  {sign} {}", line.text))
    };
    let shown = |row: Row| sign('-', &row.reference) + &sign('+', &row.mutant);
    format!(" (- expected, + found):{}", rows.take(MOST_LINES).map(shown).collect::<String>())
}
