//! What programs that run test cases in Python print: a line of JSON for each case.

use super::{Failed, Verdict};
use serde::Deserialize;
use std::collections::{BTreeMap, BTreeSet};
use std::time::Duration;

/// Such a program: what all have in common, and what this framework does.
macro_rules! program {
    ($framework:literal) => {
        concat!(
            include_str!("python.py"),
            "\n\n",
            include_str!("watch.py"),
            "\n\n",
            include_str!($framework)
        )
    };
}
pub(super) use program;

#[derive(Deserialize)]
struct Said {
    /// Nothing, if the file itself is wrong.
    case: Option<String>,
    passed: bool,
    #[serde(default)]
    seconds: f64,
    line: Option<usize>,
    #[serde(default)]
    message: String,
    /// Why it did not run to its end, though it did not fail.
    skipped: Option<String>,
    reached: Option<BTreeSet<String>>,
    #[serde(default)]
    lines: BTreeMap<String, Vec<[usize; 2]>>,
}

fn all(printed: &str) -> impl Iterator<Item = (&str, Said)> {
    printed.lines().filter_map(|line| Some((line, serde_json::from_str(line).ok()?)))
}

/// The names of cases, each a line of JSON, which may have any character.
pub(super) fn cases(listed: &str) -> Vec<String> {
    listed.lines().filter_map(|line| serde_json::from_str(line).ok()).collect()
}

/// Whether all cases were listed.
pub(super) fn is_whole(listed: &str) -> bool {
    listed.lines().last() == Some("null")
}

/// The names of cases where each is a line as it is.
pub(super) fn cases_as_lines(listed: &str) -> Vec<String> {
    let names = listed.lines().filter(|line| serde_json::from_str::<Said>(line).is_err());
    names.map(str::to_owned).collect()
}

/// The verdicts by the names of the cases.
pub(super) fn verdicts(printed: &str) -> Vec<(String, Verdict)> {
    let verdict = |(line, said): (&str, Said)| {
        let time = Duration::try_from_secs_f64(said.seconds).unwrap_or_default();
        let Said { passed, reached, lines, .. } = said;
        Some((said.case?, Verdict { passed, time, reached, lines, line: line.to_owned() }))
    };
    all(printed).filter_map(verdict).collect()
}

/// Why the case was skipped.
pub(super) fn skipped(printed: &str) -> Option<String> {
    all(printed).find_map(|(_, said)| said.skipped)
}

/// The first failure.
pub(super) fn failure(printed: &str) -> Option<Failed> {
    let (_, said) = all(printed).find(|(_, said)| !said.passed)?;
    let message = said.message.lines().map(str::trim).filter(|line| !line.is_empty());
    Some(Failed { line: said.line, message: message.take(6).collect::<Vec<_>>().join("; ") })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_verdicts_of_several_cases_are_told_apart() {
        let printed = "{\"case\": \"a[1]\", \"passed\": true, \"seconds\": 0.5}\nnoise\n{\"case\": \"b\", \"passed\": false, \"line\": 3, \"message\": \"assert 1 == 2\\n  more\"}\n";
        let found = verdicts(printed);
        let short: Vec<_> = found.iter().map(|(name, it)| (&**name, it.passed)).collect();
        assert_eq!(short, [("a[1]", true), ("b", false)]);
        assert_eq!(found[0].1.time, Duration::from_millis(500));
        let message = "assert 1 == 2; more".to_owned();
        assert_eq!(failure(printed), Some(Failed { line: Some(3), message }));
    }
}
