//! What changed in a suite's result since the last run, as text. Both results contain only what the reader may see.

use super::text::excerpt;
use super::words::{noun, number, reason, share_exposed};
use crate::course::Audience;
use crate::result::{Exposure, Status, SuiteReport, TestReport};
use std::collections::BTreeMap;
use std::fmt;

/// The results of a suite before and after a change. `None` where the suite did not exist.
pub struct Changes<'a> {
    pub before: Option<&'a SuiteReport>,
    pub after: Option<&'a SuiteReport>,
    pub audience: Audience,
}

impl Changes<'_> {
    /// Whether there is nothing to report.
    pub fn is_empty(&self) -> bool {
        self.to_string().is_empty()
    }
}

/// Writes a line with `what` in the first column.
fn line(f: &mut fmt::Formatter<'_>, what: &str, rest: &str) -> fmt::Result {
    writeln!(f, "  {what:<17}  {rest}")
}

impl fmt::Display for Changes<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let tests =
            |suite: Option<&SuiteReport>| suite.map_or_else(Vec::new, |suite| suite.tests.clone());
        let (before, after) = (tests(self.before), tests(self.after));
        for test in &after {
            changed_test(f, before.iter().find(|other| other.file == test.file), test)?;
        }
        for test in before.iter().filter(|test| !after.iter().any(|other| other.file == test.file))
        {
            line(f, "gone", &test.file)?;
        }
        self.exposed(f)?;
        self.score(f)
    }
}

fn changed_test(
    f: &mut fmt::Formatter<'_>,
    before: Option<&TestReport>,
    test: &TestReport,
) -> fmt::Result {
    let same_reason =
        before.is_some_and(|before| before.reason == test.reason && before.excerpt == test.excerpt);
    match (before.map(|before| before.status), test.status) {
        (Some(Status::Rejected), Status::Valid) => line(f, "mended", &test.file),
        (None, Status::Valid) => line(f, "new", &test.file),
        (Some(Status::Rejected), Status::Rejected) if same_reason => Ok(()),
        (Some(Status::Rejected), Status::Rejected) => rejected(f, "still rejected", test),
        (_, Status::Rejected) => rejected(f, "rejected", test),
        (Some(Status::Valid), Status::Valid) => Ok(()),
    }
}

fn rejected(f: &mut fmt::Formatter<'_>, what: &str, test: &TestReport) -> fmt::Result {
    line(f, what, &format!("{}: {}", test.file, reason(test)))?;
    let hint = test.hint.as_ref().map(|hint| format!("hint: {hint}"));
    excerpt(test).into_iter().chain(hint).try_for_each(|more| line(f, "", &more))
}

impl Changes<'_> {
    fn exposed(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let exposed = |suite: Option<&SuiteReport>| {
            suite.map(|suite| suite.exposed_by.clone()).unwrap_or_default()
        };
        let (before, after) = (exposed(self.before), exposed(self.after));
        let width = before.keys().chain(after.keys()).map(String::len).max().unwrap_or(0);
        let mut tell = |what: &str,
                        of: &BTreeMap<String, Vec<Exposure>>,
                        without: &BTreeMap<String, Vec<Exposure>>| {
            let ids = of.iter().filter(|(id, _)| !without.contains_key(*id));
            ids.into_iter().try_for_each(|(id, by)| {
                line(f, what, &format!("{id:<width$}  by {} ({})", by[0].file, by[0].how.word()))
            })
        };
        tell("exposed", &after, &before)?;
        tell("no longer exposed", &before, &after)
    }

    fn score(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let score = |suite: Option<&SuiteReport>| suite.and_then(|suite| suite.score.clone());
        let noun = noun(self.audience);
        match (score(self.before), score(self.after)) {
            (Some(before), Some(after)) if before != after => {
                let (points, most) = (number(after.points), number(after.max_points));
                let points = match number(before.points) {
                    same if same == points => format!("{points} of {most} points"),
                    before => format!("{before} → {points} of {most} points"),
                };
                let exposed = share_exposed(&after, noun);
                line(f, "score", &format!("{points}; {} → {exposed}", before.exposed))
            }
            (None, Some(after)) => {
                let (points, most) = (number(after.points), number(after.max_points));
                let exposed = share_exposed(&after, noun);
                line(f, "score", &format!("{points} of {most} points; {exposed}"))
            }
            _ => Ok(()),
        }
    }
}
