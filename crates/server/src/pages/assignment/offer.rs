//! What the page says before somebody hands in: how many are left, until when, what it costs, and what counts.

use super::Open;
use crate::pages::words::{costs, counted, from_now, points, span};
use crate::rules::{Beyond, Counts, Moment, Zone, words};
use crate::secret;
use crate::submissions::overview::{Overview, Phase};
use harness::course::{Audience, Level};
use serde::Serialize;
use std::collections::BTreeSet;

/// What the page says before somebody hands in.
pub(super) struct Offer {
    /// The key of the form.
    pub(super) key: String,
    /// The patterns of the names of files, separated by spaces.
    pub(super) patterns: String,
    pub(super) needed: String,
    pub(super) kilobytes: u64,
    pub(super) phase: Phase,
    /// Whether there is a form. It stays where the day is used up, but not after the end.
    pub(super) has_form: bool,
    /// Whether submissions are taken at this moment.
    pub(super) is_open: bool,
    pub(super) left: i64,
    pub(super) limit: i64,
    pub(super) day: String,
    /// The dates, with how far they are.
    pub(super) dates: Vec<(&'static str, String)>,
    /// What somebody must know before handing in now.
    pub(super) warning: Option<String>,
    /// What handing in now costs, until when, and what is left of the late days.
    pub(super) terms: Vec<String>,
    /// What else to know.
    pub(super) notes: Vec<String>,
    /// What counts, and why.
    pub(super) counting: String,
    pub(super) counts: Counts,
    pub(super) may_choose: bool,
}

impl Offer {
    pub(super) fn of(open: &Open, is_student: bool) -> Self {
        let (overview, zone) = (&open.overview, &open.rules.time_zone);
        let rules = open.assignment().submission.as_ref().expect("it can be handed in");
        let now = overview.now;
        let date =
            |word, moment| (word, format!("{} ({})", zone.shown(moment), from_now(now, moment)));
        let mut dates = Vec::new();
        dates.extend(overview.dates.opens.filter(|it| now < *it).map(|it| date("Opens", it)));
        dates.extend(overview.dates.due.map(|it| date("Due", it)));
        let end = overview.dates.closes.filter(|it| Some(*it) != overview.dates.due);
        dates.extend(end.map(|it| date("Taken until", it)));
        let left = overview.day.left();
        let grades_beyond = overview.rules.beyond == Beyond::Grade;
        Self {
            key: secret::random(),
            patterns: rules.files.join(" "),
            needed: rules.needed().join(", "),
            kilobytes: rules.kilobytes,
            phase: overview.phase,
            has_form: !is_student || overview.phase != Phase::Closed,
            is_open: !is_student || overview.phase.takes() && (left > 0 || grades_beyond),
            left,
            limit: overview.day.limit,
            day: format!(
                "{} ({})",
                zone.shown(overview.day.ends),
                from_now(now, overview.day.ends)
            ),
            dates,
            warning: warning(overview, zone).filter(|_| is_student),
            terms: if is_student { terms(overview, zone) } else { Vec::new() },
            notes: if is_student { notes(open) } else { staff_notes() },
            counting: counting(overview, zone),
            counts: overview.counts,
            may_choose: overview.phase != Phase::Closed,
        }
    }

    /// Whether the needed files are all that are taken.
    pub(super) fn takes_only_needed(&self) -> bool {
        let patterns: BTreeSet<_> = self.patterns.split(' ').collect();
        patterns == self.needed.split(", ").collect()
    }
}

fn staff_notes() -> Vec<String> {
    vec![
        "You are staff: dates and limits are not for you, and what you hand in does not count."
            .to_owned(),
    ]
}

/// What handing in now costs, until when that is so, and what is left of the late days of the course.
pub(super) fn terms(overview: &Overview, zone: &Zone) -> Vec<String> {
    let (dates, now) = (&overview.dates, overview.now);
    let mut said = Vec::new();
    if dates.due.is_some() && overview.phase.takes() {
        let terms = dates.terms(now);
        let until = dates
            .terms_end(now)
            .map(|end| format!(" until {} ({})", zone.shown(end), from_now(now, end)));
        let until = until.unwrap_or_default();
        said.push(if terms.is_late() {
            let day = terms.late.days;
            format!("It is late day {day}. Handing in now {}{until}.", costs(terms.price))
        } else {
            format!("It is in time{until}: handing in costs nothing.")
        });
        if terms.spends > 0 {
            said.push(format!(
                "It spends {} of the course, whether or not this submission counts in the end.",
                counted(terms.spends, "late day")
            ));
        } else if terms.late.covered > 0 {
            said.push("The late days that you spent here cover it.".to_owned());
        }
    }
    if dates.budget.total > 0 {
        let (left, total) = (dates.budget.left(), dates.budget.total);
        let total = counted(total, "late day");
        said.push(if overview.group.is_alone() {
            format!("You have {left} of {total} left for the whole course.")
        } else {
            format!(
                "Each of you spends the late days of your group: of {total}, {left} are left to the one who has fewest."
            )
        });
    }
    said
}

/// Why handing in is not possible, or not as usual.
fn warning(overview: &Overview, zone: &Zone) -> Option<String> {
    let ends = from_now(overview.now, overview.day.ends);
    match overview.phase {
        Phase::NotYet => return None,
        Phase::Closed => {
            return Some(
                "The assignment is closed. Submissions are not taken any more.".to_owned(),
            );
        }
        Phase::Late | Phase::Open => {}
    }
    (overview.day.left() == 0).then(|| match overview.rules.beyond {
        Beyond::Refuse => format!(
            "No submission is left for today. The next day begins {ends}: {}.",
            zone.shown(overview.day.ends)
        ),
        Beyond::Grade => format!(
            "No submission is left for today. What you hand in now is graded with less feedback, and does not count. The next day begins {ends}."
        ),
    })
}

fn notes(open: &Open) -> Vec<String> {
    let overview = &open.overview;
    let mut notes = Vec::new();
    notes.extend(after_due(overview, &open.rules.time_zone));
    notes.extend(bonus(open));
    if overview.rules.beyond == Beyond::Grade && overview.day.left() > 0 {
        notes.push(
            "Past the limit of the day, submissions are graded with less feedback, and do not count."
                .to_owned(),
        );
    }
    if let Some(until) = overview.withheld_until {
        let until = open.rules.time_zone.shown(until);
        notes.push(format!("Points are shown from {until} on."));
    }
    notes
        .push("A submission whose files break the rules is refused, and costs nothing.".to_owned());
    notes
}

/// What is so after the due date.
fn after_due(overview: &Overview, zone: &Zone) -> Vec<String> {
    let (dates, late) = (&overview.dates, overview.rules.late.value);
    let mut said = Vec::new();
    let (Some(due), Some(closes)) = (dates.due, dates.closes) else { return said };
    if overview.phase == Phase::Closed {
        return said;
    }
    if late.grace > 0 {
        let grace = counted(late.grace, "minute");
        said.push(format!("What comes within {grace} after {} is not late.", zone.shown(due)));
    }
    if dates.in_time().is_some_and(|in_time| closes > in_time) {
        let cost = words::cost(&late);
        let cost = cost.unwrap_or_else(|| "which costs nothing".to_owned());
        said.push(format!("Late submissions are taken until {}: {cost}.", zone.shown(closes)));
        if dates.budget.total > 0 && late.budget != Some(0) {
            let most = late.budget.map(|most| format!("{} at most", counted(most, "late day")));
            let most = most.unwrap_or_else(|| "late days".to_owned());
            said.push(format!("Your late days of the course cover the first days, {most} here. They are spent when you hand in."));
        }
    }
    said
}

/// What is missing for more submissions a day.
fn bonus(open: &Open) -> Option<String> {
    let (overview, assignment) = (&open.overview, open.assignment());
    let scoring = &assignment.scoring;
    let least = scoring.extra_submission?;
    let more = counted(overview.rules.bonus, "more submission");
    if overview.rules.bonus == 0 {
        return None;
    }
    if overview.day.has_bonus {
        return Some(format!("Your tests earned {more} a day."));
    }
    let sees = assignment.feedback.level(Audience::Normal) >= Level::Count
        && overview.withheld_until.is_none();
    let most = overview.most_exposed();
    if !scoring.thresholds.are_bugs() {
        return Some(format!("Tests that expose bugs worth {least} points earn {more} a day."));
    }
    let least = least.number() as i64;
    Some(if sees && most > 0 {
        let missing = counted((least - most).max(1), "more bug");
        let earn = if least - most == 1 { "earns" } else { "earn" };
        format!(
            "Your best tests expose {}; {missing} {earn} you {more} a day.",
            counted(most, "bug")
        )
    } else {
        format!("Tests that expose {} earn {more} a day.", counted(least, "bug"))
    })
}

/// Which one counts, and why.
fn counting(overview: &Overview, zone: &Zone) -> String {
    let Some(one) = &overview.counting else {
        return match overview.counts {
            Counts::Best => "Of what is graded, the best submission will count.".to_owned(),
            Counts::Last => "Of what is graded, the last submission will count.".to_owned(),
        };
    };
    let why = match overview.counts {
        Counts::Best if overview.all.len() > 1 => {
            "it is the best; of equally good ones, the one that earned most before lateness counts, then the first"
        }
        Counts::Last if overview.all.len() > 1 => "it is the last one",
        _ => "it is the only one that is graded",
    };
    let number = one.submission;
    if let Some(until) = overview.withheld_until {
        return match overview.counts {
            // Which one is the best would tell something of the points.
            Counts::Best => format!(
                "Your best submission counts. Points are shown from {} on.",
                zone.shown(until)
            ),
            Counts::Last => format!("Submission {number} counts: {why}."),
        };
    }
    let late = if one.points < one.earned {
        let days = counted(one.late.days, "late day");
        format!(" ({} before the cost of {days})", points(one.earned))
    } else {
        String::new()
    };
    format!(
        "Submission {number} counts, with {} of {} points{late}: {why}.",
        points(one.points),
        points(one.max)
    )
}

/// What a client reads before it hands in.
#[derive(Serialize)]
pub(super) struct Document {
    assignment: String,
    title: String,
    phase: &'static str,
    /// The patterns of the names of files.
    files: Vec<String>,
    needed: Vec<String>,
    kilobytes: u64,
    left: i64,
    limit: i64,
    day_ends: String,
    due: Option<String>,
    closes: Option<String>,
    /// What handing in now costs, and until when, in sentences.
    terms: Vec<String>,
    is_late: bool,
    late_days_left: i64,
    counts: &'static str,
    counting: Option<i64>,
}

pub(super) fn document(open: &Open) -> Document {
    let (overview, assignment) = (&open.overview, open.assignment());
    let rules = assignment.submission.as_ref().expect("it can be handed in");
    Document {
        assignment: open.id.clone(),
        title: assignment.title.clone(),
        phase: overview.phase.word(),
        files: rules.files.clone(),
        needed: rules.needed().to_vec(),
        kilobytes: rules.kilobytes,
        left: overview.day.left(),
        limit: overview.day.limit,
        day_ends: overview.day.ends.rfc3339(),
        due: overview.dates.due.map(Moment::rfc3339),
        closes: overview.dates.closes.map(Moment::rfc3339),
        terms: terms(overview, &open.rules.time_zone),
        is_late: overview.phase == Phase::Late,
        late_days_left: overview.dates.budget.left(),
        counts: overview.counts.word(),
        counting: overview
            .counting
            .as_ref()
            .filter(|_| overview.withheld_until.is_none())
            .map(|it| it.submission),
    }
}

/// For how long somebody has to wait until the next day begins.
pub(super) fn until_tomorrow(overview: &Overview) -> String {
    span(overview.day.ends.0 - overview.now.0)
}
