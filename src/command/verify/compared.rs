//! A record beside what a receipt says of it.

use crate::course::submission::Parts;
use crate::report::receipt::{Finding, Verdict};
use crate::report::words::counted;
use crate::result::graded::{LeaksReport, SubmissionReport};
use crate::result::receipt::{CourseSecret, Earned, Receipt, Sealed, span};
use crate::result::regraded::Change;
use std::collections::BTreeSet;

/// What a record is compared with.
pub(super) struct Compared<'a> {
    pub(super) receipt: &'a Receipt,
    pub(super) secret: &'a CourseSecret,
    /// What the course gives for each part of the points.
    pub(super) most: &'a Parts,
}

impl Compared<'_> {
    /// Whether a file holds the record of the receipt.
    pub(super) fn file(&self, report: &SubmissionReport) -> Finding {
        const WHAT: &str = "record file";
        let differing = self.differing(report);
        if differing.is_empty() && Earned::of(&report.points) == self.receipt.points {
            return Finding::new(WHAT, Verdict::Same, "it is the record of this receipt");
        }
        let parts = if differing.is_empty() { "points".to_owned() } else { differing.join(", ") };
        let found = format!("it is not the record of this receipt: {parts}");
        Finding::new(WHAT, Verdict::Differs, found)
    }

    /// Whether the record that comes out now is the same. With the old one, there is more to say.
    pub(super) fn record(
        &self,
        now: &SubmissionReport,
        old: Option<&SubmissionReport>,
    ) -> Vec<Finding> {
        let differing = self.differing(now);
        let mut findings: Vec<_> = differing
            .iter()
            .map(|part| Finding::new(part, Verdict::Differs, is_now(part, now)))
            .collect();
        if findings.is_empty() {
            let found = "it comes out the same, times aside";
            findings.push(Finding::new("record", Verdict::Same, found));
        }
        let mut points = self.points(now, differing.is_empty());
        let change = old.and_then(|old| Change::between(old, now));
        for part in change.into_iter().flat_map(|change| change.parts) {
            let why = part.why.into_iter().map(|why| format!("{}: {why}", part.name));
            points.details.extend(why);
        }
        findings.push(points);
        findings
    }

    /// The parts that differ.
    fn differing(&self, report: &SubmissionReport) -> Vec<String> {
        let sealed = Sealed::of(report, self.secret, &self.receipt.salt);
        let names: BTreeSet<_> = self.receipt.parts.keys().chain(sealed.parts.keys()).collect();
        let differs = |name: &&String| self.receipt.parts.get(*name) != sealed.parts.get(*name);
        let mut differing: Vec<_> = names.into_iter().filter(differs).cloned().collect();
        if differing.is_empty() && sealed.record != self.receipt.record {
            differing.push("record".to_owned());
        }
        differing
    }

    fn points(&self, now: &SubmissionReport, is_same: bool) -> Finding {
        const WHAT: &str = "points";
        let (then, here) = (&self.receipt.points, Earned::of(&now.points));
        let Earned { earned, max } = &here;
        if *then == here {
            return Finding::new(WHAT, Verdict::Same, format!("{earned} of {max}"));
        }
        let both = format!("{} of {} then, and {earned} of {max} now", then.earned, then.max);
        let span = span(now, self.most);
        let is_possible = then.earned.parse().is_ok_and(|points| span.contains(&points));
        if is_same && then.max == *max && is_possible {
            let found = format!("{both}: right answers earn by measured time");
            return Finding::new(WHAT, Verdict::Same, found);
        }
        let found =
            if is_same { format!("{both}, and no measured time explains that") } else { both };
        Finding::new(WHAT, Verdict::Differs, found)
    }
}

/// What a part of the record says now.
fn is_now(part: &str, now: &SubmissionReport) -> String {
    if let Some(name) = part.strip_prefix("cases ") {
        return match now.groups.iter().find(|group| group.name == name) {
            Some(group) => format!("{} of {} cases are right now", group.passed, group.total),
            None => "none of these cases are run now".to_owned(),
        };
    }
    match part {
        "build" => match &now.build {
            Some(build) if build.built => "it builds now, in another way".to_owned(),
            Some(_) => "it does not build now".to_owned(),
            None => "nothing is built now".to_owned(),
        },
        "findings" => {
            let first = now.findings.first().map(|it| format!(", the first: {}", it.message));
            counted(now.findings.len(), "message") + " now" + &first.unwrap_or_default()
        }
        "leaks" => match &now.leaks {
            Some(LeaksReport { unchecked: Some(why), .. }) => {
                format!("they cannot all be checked here: {why}")
            }
            Some(leaks) => {
                format!("{} of {} checked cases have no leak now", leaks.clean, leaks.checked)
            }
            None => "leaks are not checked now".to_owned(),
        },
        "tests" => match now.tests.as_ref().and_then(|tests| tests.score.as_ref()) {
            Some(score) => format!("they expose {} of {} now", score.exposed, score.mutants),
            None => "they are not scored now".to_owned(),
        },
        "outputs" => "the program printed something else on the cases that it fails".to_owned(),
        "own test" => match &now.own {
            Some(own) => format!("the program is wrong on {} now", own.file),
            None => "the program is right on its own tests now".to_owned(),
        },
        "files" if now.refused => "it is refused now".to_owned(),
        "files" => "its files are read differently now".to_owned(),
        _ => "its parts are the same, and the whole is not".to_owned(),
    }
}
