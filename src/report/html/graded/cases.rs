//! The groups of cases in a report: a mark for each case, and the failed ones in full.

use super::super::{diff, rendered};
use super::times::{self, Times};
use crate::report::words::{line, number};
use crate::result::explained::MutantDifference;
use crate::result::graded::{CaseReport, GroupReport, OwnReport, Shown, SubmissionReport, Verdict};
use askama::Template;
use std::collections::BTreeSet;

pub(super) struct Group<'a> {
    pub(super) name: &'a str,
    pub(super) id: String,
    pub(super) right: String,
    pub(super) points: String,
    pub(super) marks: Vec<Mark<'a>>,
    /// How many cases are still to come, if the grading is under way.
    pub(super) to_come: usize,
    /// The cases that are shown in full, the others that do not earn all points, and why programs were stopped.
    pub(super) shown: Vec<InFullCase<'a>>,
    pub(super) others: Vec<Failed<'a>>,
    pub(super) reasons: BTreeSet<&'a str>,
    pub(super) times: Option<Times<'a>>,
}

/// A case in the row of all cases.
pub(super) struct Mark<'a> {
    /// A class of the style.
    pub(super) class: &'static str,
    pub(super) sign: &'static str,
    pub(super) name: &'a str,
    pub(super) word: &'static str,
    /// The id of the case in full, if it failed.
    pub(super) target: Option<String>,
}

/// A case that is shown in full.
pub(super) struct InFullCase<'a> {
    pub(super) id: String,
    pub(super) class: &'static str,
    pub(super) sign: &'static str,
    pub(super) name: &'a str,
    pub(super) word: &'static str,
    /// The part of the points that it earns, if it is not none.
    pub(super) share: Option<String>,
    pub(super) command: String,
    pub(super) in_full: String,
}

/// A case that does not earn all points, in a line.
pub(super) struct Failed<'a> {
    pub(super) id: String,
    pub(super) class: &'static str,
    pub(super) sign: &'static str,
    pub(super) name: &'a str,
    pub(super) word: &'static str,
    pub(super) share: Option<String>,
    /// The command, unless it is only the program.
    pub(super) command: Option<String>,
    /// The first line of what the program says on standard error.
    pub(super) says: Option<&'a str>,
}

/// The first of the student's own tests on which the program is wrong.
pub(super) struct Own<'a> {
    pub(super) file: &'a str,
    pub(super) word: &'static str,
    pub(super) command: String,
    pub(super) shown: String,
}

/// A case in full: what went wrong, the input, and both outputs.
#[derive(Template)]
#[template(path = "graded/shown.html")]
struct InFull<'a> {
    name: &'a str,
    shown: &'a Shown,
    sentences: Vec<String>,
    /// What the program says on standard error.
    says: Option<&'a str>,
    outputs: Vec<String>,
}

/// The groups of a report, unless there is no program to run. If the grading is under way, the points of some are not final.
pub(super) fn groups<'a>(
    report: &'a SubmissionReport,
    id: &str,
    under_way: bool,
) -> Vec<Group<'a>> {
    if unrun(report) > 0 {
        return Vec::new();
    }
    let of = |(at, it): (usize, &'a GroupReport)| group(it, format!("a{id}-g{at}"), under_way);
    report.groups.iter().enumerate().map(of).collect()
}

/// The number of cases that were not run, if the build failed.
pub(super) fn unrun(report: &SubmissionReport) -> usize {
    let failed = report.build.as_ref().is_some_and(|build| !build.built);
    if failed { report.groups.iter().map(|group| group.total).sum() } else { 0 }
}

/// Whether some cases of a group are not in a report that is under way.
pub(super) fn is_partial(group: &GroupReport) -> bool {
    !group.cases.is_empty() && group.cases.len() < group.total
}

fn group(group: &GroupReport, id: String, under_way: bool) -> Group<'_> {
    let GroupReport { name, extra, points, max_points, passed, total, cases } = group;
    let partial = under_way && is_partial(group);
    let so_far = if partial { " so far" } else { "" };
    let extra = if *extra { "extra " } else { "" };
    let of = format!("{} of {} {extra}points", number(*points), number(*max_points));
    let target = |at: usize| format!("{id}-c{at}");
    let told = || cases.iter().enumerate().filter(|(_, case)| is_told(case));
    let others = told().filter(|(_, case)| case.shown.is_none());
    Group {
        name,
        right: format!("{passed} of {total} right"),
        points: format!("{of}{so_far}"),
        marks: cases.iter().enumerate().map(|(at, case)| mark(case, target(at))).collect(),
        to_come: if partial { total - cases.len() } else { 0 },
        shown: told().filter_map(|(at, case)| shown(case, target(at))).collect(),
        others: others.map(|(at, case)| failed(case, target(at))).collect(),
        reasons: cases.iter().filter_map(|case| case.stopped.as_deref()).collect(),
        times: times::of(cases),
        id,
    }
}

/// Whether there is more to say of a case than its mark. What was not run has nothing to show.
fn is_told(case: &CaseReport) -> bool {
    case.verdict != Verdict::NotRun && (case.share < 1.0 || case.shown.is_some())
}

/// A case's class in the style, and its sign.
fn look(case: &CaseReport) -> (&'static str, &'static str) {
    match case.verdict {
        Verdict::NotRun => ("unrun", "–"),
        Verdict::Slow => ("slow", "◔"),
        Verdict::Passed => ("passed", "✓"),
        Verdict::Timeout => ("failed", "∞"),
        Verdict::Crashed => ("failed", "!"),
        _ => ("failed", "✗"),
    }
}

fn mark(case: &CaseReport, target: String) -> Mark<'_> {
    let (class, sign) = look(case);
    let target = is_told(case).then_some(target);
    Mark { class, sign, name: &case.name, word: case.verdict.word(), target }
}

fn shown(case: &CaseReport, id: String) -> Option<InFullCase<'_>> {
    let (class, sign) = look(case);
    let (name, word, share) = (&case.name, case.verdict.word(), share(case));
    let in_full = in_full(name, case.shown.as_ref()?, case.says.as_deref());
    Some(InFullCase { id, class, sign, name, word, share, command: line(&case.command), in_full })
}

fn failed(case: &CaseReport, id: String) -> Failed<'_> {
    let (class, sign) = look(case);
    let (name, word, share) = (&case.name, case.verdict.word(), share(case));
    let command = (case.command.len() > 1).then(|| line(&case.command));
    let says = case.says.as_ref().and_then(|says| says.lines().next());
    Failed { id, class, sign, name, word, share, command, says }
}

/// The part of its points that a case earns, if it is neither all nor none.
fn share(case: &CaseReport) -> Option<String> {
    // It is less than all of them, however little is missing.
    let percent = number((case.share * 1000.0).floor() / 10.0);
    (case.share > 0.0 && case.share < 1.0).then(|| format!("{percent} % of its points"))
}

impl<'a> Own<'a> {
    pub(super) fn of(own: &'a OwnReport) -> Self {
        Self {
            file: &own.file,
            word: own.verdict.word(),
            command: line(&own.command),
            shown: in_full(&own.file, &own.shown, None),
        }
    }
}

fn in_full(name: &str, shown: &Shown, says: Option<&str>) -> String {
    let difference = shown.difference.as_ref();
    let heard = difference.map(|it| it.mutant_says.as_str()).filter(|says| !says.is_empty());
    let outputs = difference.map(|it| it.outputs.as_slice()).unwrap_or_default();
    rendered(&InFull {
        name,
        shown,
        sentences: difference.map(sentences).unwrap_or_default(),
        says: heard.or(says),
        outputs: outputs.iter().map(|output| diff::table(output, "Program")).collect(),
    })
}

/// How a program differs, in sentences.
fn sentences(difference: &MutantDifference) -> Vec<String> {
    let MutantDifference { reference_end, mutant_end, why, first, .. } = difference;
    let differs = reference_end != mutant_end;
    let end = differs.then(|| format!("The reference {reference_end}; the program {mutant_end}."));
    let why = why.as_ref().map(|why| format!("Wrong: {why}"));
    let first = first.as_ref().map(|first| format!("First difference: {first}"));
    [end, why, first].into_iter().flatten().collect()
}
