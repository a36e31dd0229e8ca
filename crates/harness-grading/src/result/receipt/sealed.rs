//! The seals of a record and of its parts: keyed digests, with which somebody who has the course can tell whether another record is the
//! same, and from which nobody else learns what is in it.
//!
//! A student may keep a receipt, and may not see the whole record. A plain digest would let them try out what the rest may be: a few
//! verdicts are soon guessed. So the key of the digests comes from the files of the course. Whoever has these can grade the submission
//! anyway, and nobody else can guess them.

use super::hex;
use crate::hash::Digest;
use crate::result::graded::{OwnReport, SubmissionReport, Verdict};
use hmac::{Hmac, KeyInit, Mac};
use serde::Serialize;
use sha2::Sha256;
use std::collections::{BTreeMap, BTreeSet};

/// What only those know who have a version of the course.
#[derive(Clone)]
pub struct CourseSecret(String);

impl CourseSecret {
    /// That of a version of the course, packed.
    pub fn of(packed: &[u8]) -> Self {
        Self(Digest::default().with("harness-receipt/1").with(packed).hex())
    }

    fn seal(&self, salt: &str, name: &str, text: &str) -> String {
        let digest = Digest::default().with(salt).with(name).with(text).hex();
        let mut seal = Hmac::<Sha256>::new_from_slice(self.0.as_bytes()).expect("any key will do");
        seal.update(digest.as_bytes());
        hex(&seal.finalize().into_bytes())
    }
}

/// The seals of a record.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Sealed {
    pub record: String,
    /// By the name of the part.
    pub parts: BTreeMap<String, String>,
}

impl Sealed {
    pub fn of(report: &SubmissionReport, secret: &CourseSecret, salt: &str) -> Self {
        let parts = parts(report);
        let whole = serde_json::to_string(&parts).expect("texts are JSON");
        let seal = |(name, text): (String, String)| {
            let seal = secret.seal(salt, &format!("part {name}"), &text);
            (name, seal)
        };
        Self {
            record: secret.seal(salt, "record", &whole),
            parts: parts.into_iter().map(seal).collect(),
        }
    }
}

/// The parts of a record as texts, without what depends on measured time or on the machine: times, memory, whether a right program was
/// fast, the points that follow from that, and the words of compilers and of valgrind.
fn parts(report: &SubmissionReport) -> BTreeMap<String, String> {
    let mut parts = BTreeMap::from([
        ("files".to_owned(), text(&(&report.digest, report.refused))),
        ("findings".to_owned(), text(&report.findings)),
        ("own test".to_owned(), text(&report.own.as_ref().map(own))),
    ]);
    if let Some(build) = &report.build {
        // `make` may run several at once, in any order.
        let compilations: BTreeSet<_> =
            build.compilations.iter().map(|it| (&it.file, &it.flags)).collect();
        let built = (&build.command, build.built, compilations, build.error.is_some());
        parts.insert("build".to_owned(), text(&built));
    }
    let mut outputs = Vec::new();
    for group in &report.groups {
        let cases = group.cases.iter();
        let verdicts: Vec<_> =
            cases.map(|case| (&case.name, untimed(case.verdict), &case.command)).collect();
        let of_group = (group.extra, group.max_points, group.passed, group.total, verdicts);
        parts.insert(format!("cases {}", group.name), text(&of_group));
        let finished = group.cases.iter().filter(|case| !is_stopped(case.verdict));
        outputs.extend(finished.map(|case| (&group.name, &case.name, &case.says, &case.shown)));
    }
    parts.insert("outputs".to_owned(), text(&outputs));
    if let Some(leaks) = &report.leaks {
        let kinds: BTreeSet<_> =
            leaks.leaks.iter().map(|leak| (&leak.kind, leak.counts, &leak.case)).collect();
        let found = (leaks.checked, leaks.clean, leaks.evaded.is_some(), kinds);
        parts.insert("leaks".to_owned(), text(&found));
    }
    if let Some(tests) = &report.tests {
        let found = (&tests.tests, tests.more_rejected, &tests.exposed_by, &tests.score);
        parts.insert("tests".to_owned(), text(&found));
    }
    parts
}

/// The first of the student's tests on which the program is wrong.
fn own(own: &OwnReport) -> impl Serialize {
    let shown = (!is_stopped(own.verdict)).then_some(&own.shown);
    (&own.file, own.verdict, &own.command, shown)
}

/// The verdict, as if every right program were fast.
fn untimed(verdict: Verdict) -> Verdict {
    if verdict == Verdict::Slow { Verdict::Passed } else { verdict }
}

/// Whether the program was stopped. What it had printed until then depends on how fast the machine is.
fn is_stopped(verdict: Verdict) -> bool {
    use Verdict::{Limit, Memory, Output, Timeout};
    matches!(verdict, Timeout | Memory | Output | Limit)
}

fn text(part: &impl Serialize) -> String {
    serde_json::to_string(part).expect("a report is JSON")
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::result::graded::points::PointsReport;
    use crate::result::graded::{CaseReport, GroupReport, Measures};

    fn case(name: &str, verdict: Verdict) -> CaseReport {
        CaseReport {
            name: name.to_owned(),
            verdict,
            share: 1.0,
            command: vec!["sum".to_owned()],
            measures: None,
            says: None,
            stopped: None,
            shown: None,
        }
    }

    fn report() -> SubmissionReport {
        SubmissionReport {
            name: "ann".to_owned(),
            digest: "d".to_owned(),
            refused: false,
            other_scale: false,
            findings: Vec::new(),
            build: None,
            groups: vec![GroupReport {
                name: "small".to_owned(),
                extra: false,
                points: 5.0,
                max_points: 10.0,
                passed: 1,
                total: 2,
                cases: vec![case("A", Verdict::Passed), case("B", Verdict::Wrong)],
            }],
            leaks: None,
            tests: None,
            own: None,
            points: PointsReport { earned: 5.0, max: 10.0, parts: Vec::new() },
        }
    }

    #[test]
    fn measured_time_changes_no_seal_and_a_verdict_that_of_its_group_alone() {
        let secret = CourseSecret::of(b"course");
        let seal = |report: &SubmissionReport| Sealed::of(report, &secret, "salt");
        let right = seal(&report());
        let mut slow = report();
        let first = &mut slow.groups[0].cases[0];
        (first.verdict, first.share) = (Verdict::Slow, 0.25);
        first.measures = Some(Measures {
            seconds: 1.0,
            reference_seconds: None,
            megabytes: 1.0,
            reference_megabytes: None,
        });
        (slow.groups[0].points, slow.points.earned) = (1.25, 1.25);
        assert_eq!(seal(&slow), right);
        let mut wrong = report();
        wrong.groups[0].cases[0].verdict = Verdict::Crashed;
        let wrong = seal(&wrong);
        assert_ne!(wrong.record, right.record);
        let changed = wrong.parts.iter().filter(|(name, seal)| right.parts[*name] != **seal);
        assert_eq!(changed.map(|(name, _)| name.as_str()).collect::<Vec<_>>(), ["cases small"]);
    }

    #[test]
    fn seals_of_the_same_record_differ_with_the_salt_and_with_the_course() {
        let seal =
            |course: &[u8], salt| Sealed::of(&report(), &CourseSecret::of(course), salt).record;
        assert_eq!(seal(b"course", "1"), seal(b"course", "1"));
        assert_ne!(seal(b"course", "1"), seal(b"course", "2"));
        assert_ne!(seal(b"course", "1"), seal(b"other", "1"));
    }
}
