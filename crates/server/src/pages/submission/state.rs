//! What the page says of a submission: how far it is, what it costs, and whether it counts.

use super::Now;
use crate::feedback::{Phase, Seen};
use crate::pages::words::{costs, counted, points, span};
use crate::people::Role;
use crate::rules::Counts;
use crate::submissions::overview;
use harness::course::{Audience, Points, Submission};
use harness::grading::Stage;
use serde::Deserialize;
use serde::de::IntoDeserializer;
use serde::de::value::{Error, StrDeserializer};

/// What the page says beside the report.
pub(super) struct Words {
    /// How far it is, in a sentence. It is read aloud when it changes.
    pub(super) status: String,
    /// For staff, why the last grading failed.
    pub(super) failure: Option<String>,
    /// What else to know, each with a class of the style.
    pub(super) facts: Vec<(&'static str, String)>,
    /// A sentence in the report.
    pub(super) note: Option<String>,
    /// The bugs that are exposed, and what is missing for another submission a day.
    pub(super) bugs: Option<String>,
}

impl Words {
    pub(super) fn of(now: &Now, seen: Option<&Seen>) -> Self {
        let mut facts = Vec::new();
        facts.extend(of_counting(now));
        facts.extend(of_cost(now));
        if now.glance.is_graded_again() {
            facts.push((
                "running",
                "It is being graded again. This result stands until then.".to_owned(),
            ));
        }
        if now.result != now.glance.standing().map(|it| it.job) {
            facts.push(("running", "This is not the result that stands.".to_owned()));
        }
        let withheld = now.reader.withheld_until.filter(|_| now.glance.phase() == Phase::Done);
        let note = withheld
            .map(|until| format!("Points are shown from {} on.", now.rules.time_zone.shown(until)));
        let failure = failure(now);
        Self { status: status(now, seen), failure, facts, note, bugs: bugs(now, seen) }
    }
}

fn status(now: &Now, seen: Option<&Seen>) -> String {
    match now.glance.phase() {
        Phase::Waiting => waiting(now),
        Phase::Running => match stage(now) {
            None => "Your tests are being scored.".to_owned(),
            Some(Stage::Tests) if !has_program(now) => {
                "Your tests are scored. The points come next.".to_owned()
            }
            Some(Stage::Tests) => "Your tests are scored. Now your program is built.".to_owned(),
            Some(Stage::Build) => "The build is done. Now the cases are run.".to_owned(),
            Some(Stage::Cases) => {
                let groups = seen.map_or(0, |seen| seen.report.groups.len());
                format!("{} of cases done.", counted(groups as i64, "group"))
            }
            Some(Stage::Leaks) => "Leaks are checked. The points come next.".to_owned(),
        },
        Phase::Failed if now.as_staff() => "The machine or the course failed, so it is not \
            graded."
            .to_owned(),
        Phase::Failed => "This is not your fault, and costs no attempt. The staff see what \
            happened, and can have it graded again."
            .to_owned(),
        Phase::Done => match seen.map(|seen| &seen.report) {
            Some(report) if report.refused => {
                "Refused. It costs no attempt: mend what the messages say, and hand in again."
                    .to_owned()
            }
            Some(_) if now.reader.withheld_until.is_some() => "Graded.".to_owned(),
            Some(report) => format!(
                "Graded: {} of {} points.",
                points(report.points.earned),
                points(report.points.max)
            ),
            None => "Graded.".to_owned(),
        },
    }
}

/// Why the last grading failed. Only staff can do something about it.
fn failure(now: &Now) -> Option<String> {
    let last = now.glance.jobs.last().filter(|job| now.as_staff() && job.state == "failed")?;
    Some(last.reason.clone().unwrap_or_else(|| "no reason is known".to_owned()))
}

fn waiting(now: &Now) -> String {
    let failed = now.glance.jobs.last().is_some_and(|job| job.reason.is_some());
    let again = if failed { "The machine failed, so it is tried again. " } else { "" };
    let Some(estimate) = now.glance.estimate else { return format!("{again}It waits.") };
    let place = match estimate.before {
        0 => "It is the next one.".to_owned(),
        before => format!("{} before it.", counted(before, "submission")),
    };
    let when = match estimate.starts_in {
        None => {
            "No grader is running at the moment. It is safe, and is graded as soon as one runs."
                .to_owned()
        }
        Some(0) => "It should start at any moment.".to_owned(),
        Some(time) => format!("It should start in about {}.", span(time)),
    };
    format!("{again}{place} {when}")
}

fn stage(now: &Now) -> Option<Stage> {
    let (name, _) = now.glance.stage.as_ref()?;
    let name: StrDeserializer<'_, Error> = name.as_str().into_deserializer();
    Stage::deserialize(name).ok()
}

/// Whether a program is handed in, and not only tests.
fn has_program(now: &Now) -> bool {
    let assignment = now.version.assignment(&now.submission.assignment);
    assignment.and_then(|it| it.submission.as_ref()).is_none_or(Submission::has_program)
}

/// Whether it counts, and why.
fn of_counting(now: &Now) -> Option<(&'static str, String)> {
    let overview = &now.overview;
    let counting = overview.counting.as_ref()?;
    if now.student.role != Role::Student || now.glance.phase() != Phase::Done {
        return None;
    }
    if now.reader.withheld_until.is_some() && overview.counts == Counts::Best {
        return None;
    }
    let word = overview.counts.word();
    if counting.submission == now.submission.id {
        return Some(("good", format!("This is the submission that counts, as your {word} one.")));
    }
    let own = overview.all.iter().find(|it| it.submission == now.submission.id)?;
    let (number, better) = (counting.submission, points(counting.points));
    Some(match overview.counts {
        Counts::Best => (
            "other",
            format!(
                "Submission {number} counts: it earned {better} points, and this one {}.",
                points(own.points)
            ),
        ),
        Counts::Last => ("other", format!("Submission {number} counts, as your last one.")),
    })
}

/// What it costs, and whether it is late or past the limit.
fn of_cost(now: &Now) -> Vec<(&'static str, String)> {
    let mut facts = Vec::new();
    let submission = &now.submission;
    if submission.late.days > 0 {
        let own = now.overview.all.iter().find(|it| it.submission == submission.id);
        let left = own.filter(|_| now.reader.withheld_until.is_none());
        let left = left.map(|it| format!(", which leaves {} points", points(it.points)));
        let days = counted(submission.late.days, "late day");
        let costs = costs(now.overview.rules.late.value.price(submission.late));
        let covered = match submission.late.covered {
            0 => String::new(),
            covered => format!(", {covered} of your late days of the course"),
        };
        let left = left.unwrap_or_default();
        facts.push(("late", format!("It was late: {days}{covered}. That {costs}{left}.")));
    }
    if submission.adjusted != 0 && now.reader.withheld_until.is_none() {
        let sign = if submission.adjusted > 0 { "+" } else { "−" };
        let changed = points(submission.adjusted.abs() as f64 / 100.0);
        let why = &submission.adjusted_why;
        facts
            .push(("running", format!("Staff changed its points by hand: {sign}{changed}. {why}")));
    }
    if now.student.role != Role::Student {
        facts.push(("other", "It was handed in by staff, and counts for nothing.".to_owned()));
    } else if submission.past_limit {
        facts.push((
            "late",
            "It was past the limit of its day: it does not count, and gets less feedback."
                .to_owned(),
        ));
    } else if submission.slot.is_none() {
        let who = if now.as_staff() { "the student has" } else { "you have" };
        facts.push(("good", format!("It costs no attempt: {who} got it back.")));
    }
    facts
}

/// The bugs that are exposed, and what is missing for another submission a day.
fn bugs(now: &Now, seen: Option<&Seen>) -> Option<String> {
    if now.reader.audience == Audience::Staff {
        return None;
    }
    let score = seen?.report.tests.as_ref()?.score.as_ref()?;
    let exposed = counted(i64::from(score.exposed), "bug");
    let bonus = now.overview.rules.bonus;
    let least = score.extra_submission.filter(|_| bonus > 0);
    let takes = now.overview.phase != overview::Phase::Closed;
    let Some(least) = least.filter(|_| takes && !now.submission.past_limit) else {
        return Some(format!("Your tests expose {exposed}."));
    };
    let more = counted(bonus, "more submission");
    Some(if score.earns_extra_submission() {
        format!("Your tests expose {exposed}, which earns you {more} a day.")
    } else if now.overview.day.has_bonus {
        format!("Your tests expose {exposed}. Earlier ones earned you {more} a day.")
    } else {
        let missing = score.reached().missing_to(least);
        let earn = if missing == Points::ONE && score.worth.is_none() { "earns" } else { "earn" };
        let missing = match score.worth {
            Some(_) => format!("bugs worth {missing} more"),
            None => counted(missing.number() as i64, "more bug"),
        };
        format!("Your tests expose {exposed}; {missing} {earn} you {more} a day.")
    })
}

/// The steps of a grading that is under way.
pub(super) struct Steps(pub(super) Vec<Step>);

pub(super) struct Step {
    pub(super) name: &'static str,
    /// `done`, `now` or `to-come`.
    pub(super) state: &'static str,
}

impl Steps {
    /// None if nothing is under way for the first time.
    pub(super) fn of(now: &Now, seen: Option<&Seen>) -> Option<Self> {
        let has_program = has_program(now);
        let at = match now.glance.phase() {
            Phase::Waiting => 0,
            Phase::Running => match stage(now) {
                None => 1,
                Some(Stage::Tests) if !has_program => 5,
                Some(Stage::Tests) => 2,
                Some(Stage::Build | Stage::Cases) => 3,
                Some(Stage::Leaks) => 5,
            },
            Phase::Done | Phase::Failed => return None,
        };
        let has_leaks = now
            .version
            .assignment(&now.submission.assignment)
            .and_then(|it| it.submission.as_ref())
            .is_some_and(|it| it.points.leaks() > 0.0);
        let failed = seen.and_then(|seen| seen.report.build.as_ref()).is_some_and(|it| !it.built);
        let all =
            [(0, "Queue"), (1, "Tests"), (2, "Build"), (3, "Cases"), (4, "Leaks"), (5, "Points")];
        let all = all.into_iter().filter(|(number, _)| match number {
            2 | 3 => has_program,
            4 => has_leaks && !failed,
            _ => true,
        });
        let state = |number: i32| match number {
            _ if number < at => "done",
            _ if number == at => "now",
            _ => "to-come",
        };
        Some(Self(all.map(|(number, name)| Step { name, state: state(number) }).collect()))
    }
}
