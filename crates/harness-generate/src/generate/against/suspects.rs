//! Says where a program is wrong: the lines that runs with a wrong answer reach more often than runs with a right one.
//!
//! The measure is Ochiai's, which is 1 for a line that all wrong runs reach and no right one. Right cases that differ as little as possible
//! from a wrong one tell the most, so the steps below the smallest case of a deviation are among them. The runs are processes of their
//! own, and only tell lines: whether an answer is right was known before.

use super::deviation::letters;
use super::{Find, Found, apart};
use crate::diagnostic::Failure;
use crate::domain::Draft;
use crate::generate::comparer::{Comparer, Comparison};
use crate::run::coverage::{Lines, Traced};
use crate::run::process::ProcessLimits;
use std::collections::BTreeMap;
use std::time::Duration;
use subject::How;

/// The most wrong cases of a deviation, the most that do not end, and the most right cases.
const WRONG: usize = 20;
const ENDLESS: usize = 3;
const RIGHT: usize = 60;
/// Right cases with other letters are left out if there are so many with the same.
const ENOUGH: usize = 5;
/// Ranges of lines that are worth a look.
const SUSPECTS: usize = 10;
/// What such a run may take. One that takes longer has shown its lines.
const TIME: Duration = Duration::from_secs(1);

/// Lines that follow each other, and how often runs reach them.
#[derive(Clone, Debug, PartialEq)]
pub struct Suspect {
    pub file: String,
    pub first: usize,
    pub last: usize,
    /// How many runs with a wrong answer reach them, and how many with a right one.
    pub wrong: usize,
    pub right: usize,
    /// From 0 to 1.
    pub score: f64,
}

/// Runs of a program that tell their lines.
pub struct Runs<'a> {
    pub program: &'a Traced,
    pub jobs: usize,
}

impl Runs<'_> {
    /// The lines that each case reaches. Of a run that tells nothing, there are none.
    pub(super) fn lines(
        &self,
        comparer: &Comparer<'_>,
        drafts: &[Draft],
    ) -> Result<Vec<Lines>, Failure> {
        let cases: Vec<_> = drafts.iter().map(|draft| comparer.given_case(draft)).collect();
        let limits = ProcessLimits { time: TIME, wall: TIME * 4, ..comparer.under_test.limits };
        let coverage = self.program.coverage(comparer.work(), &cases, &limits, self.jobs)?;
        Ok(coverage.into_iter().map(|run| run.reached).collect())
    }
}

/// Finds the suspects of each find, the most suspicious first, as long as there is time. Finds with two bugs come apart, as long as there
/// are no more than `most`.
///
/// # Errors
/// If the program cannot be started.
pub fn locate(
    comparer: &mut Comparer<'_>,
    found: &mut Found,
    runs: &Runs<'_>,
    most: usize,
) -> Result<(), Failure> {
    if comparer.has_ended() {
        return Ok(());
    }
    let right = sample(&found.right, RIGHT);
    let right_lines = runs.lines(comparer, &right)?;
    apart::tell_apart(comparer, &mut found.finds, runs, &right_lines, most)?;
    for find in &mut found.finds {
        if comparer.has_ended() {
            break;
        }
        let near = near(comparer, &find.draft)?;
        let near_lines = runs.lines(comparer, &near)?;
        let alike = |draft: &Draft| letters(draft) == letters(&find.draft);
        let has_enough = right.iter().filter(|draft| alike(draft)).count() + near.len() >= ENOUGH;
        let far = right.iter().zip(&right_lines).filter(|(draft, _)| !has_enough || alike(draft));
        let right: Vec<_> = far.map(|(_, lines)| lines).chain(&near_lines).collect();
        let wrong = runs.lines(comparer, &wrong(find))?;
        find.suspects = ranked(&wrong.iter().collect::<Vec<_>>(), &right);
    }
    Ok(())
}

/// Cases on which a deviation shows, its own first.
pub(super) fn wrong(find: &Find) -> Vec<Draft> {
    let most = if find.difference.how == How::Timeout { ENDLESS } else { WRONG };
    let mut wrong = vec![find.draft.clone()];
    wrong.extend(sample(&find.cases, most - 1));
    wrong
}

/// Cases that are a step smaller than a wrong one, and on which the program is right.
pub(super) fn near(comparer: &mut Comparer<'_>, draft: &Draft) -> Result<Vec<Draft>, Failure> {
    let steps = sample(&comparer.smaller(draft), RIGHT);
    let comparisons = comparer.compare_quickly(&steps)?;
    let tried = steps.into_iter().zip(comparisons);
    Ok(tried.filter(|(_, it)| matches!(it, Comparison::Same)).map(|(draft, _)| draft).collect())
}

/// At most so many of `drafts`, from the first to the last.
pub(super) fn sample(drafts: &[Draft], most: usize) -> Vec<Draft> {
    let count = drafts.len().min(most);
    (0..count).map(|at| drafts[at * drafts.len() / count].clone()).collect()
}

/// The ranges of lines that tell wrong runs from right ones, the most suspicious first. A run without lines tells nothing. The first
/// wrong run is the one that a reader repeats, so lines that it does not reach are left out.
fn ranked(wrong: &[&Lines], right: &[&Lines]) -> Vec<Suspect> {
    let told =
        |runs: &[&Lines]| runs.iter().filter(|it| it.values().any(|it| !it.is_empty())).count();
    let shown = wrong.first().filter(|it| told(&[*it]) > 0);
    let is_shown = |file: &str, line: &usize| {
        shown.is_none_or(|it| it.get(file).is_some_and(|lines| lines.contains(line)))
    };
    let (all_wrong, all_right) = (told(wrong), told(right));
    let mut reached: BTreeMap<(&str, usize), [usize; 2]> = BTreeMap::new();
    for (at, runs) in [wrong, right].into_iter().enumerate() {
        for (file, line) in runs.iter().flat_map(|lines| each(lines)) {
            reached.entry((file, line)).or_default()[at] += 1;
        }
    }
    let score = |[wrong, right]: [usize; 2]| {
        let all = (all_wrong * (wrong + right)) as f64;
        if all > 0.0 { wrong as f64 / all.sqrt() } else { 0.0 }
    };
    // A line that every run reaches tells nothing.
    let least = score([all_wrong, all_right]);
    let mut suspects: Vec<Suspect> = Vec::new();
    let mut follows = false;
    for ((file, line), counts) in reached {
        let is_like = |last: &Suspect| last.file == file && [last.wrong, last.right] == counts;
        if score(counts) <= least || !is_shown(file, &line) {
            follows = false;
        } else if let Some(last) = suspects.last_mut().filter(|last| follows && is_like(last)) {
            last.last = line;
        } else {
            let ([wrong, right], file) = (counts, file.to_owned());
            let score = score(counts);
            suspects.push(Suspect { file, first: line, last: line, wrong, right, score });
            follows = true;
        }
    }
    suspects.sort_by(|one, other| other.score.total_cmp(&one.score));
    suspects.truncate(SUSPECTS);
    suspects
}

pub(super) fn each(lines: &Lines) -> impl Iterator<Item = (&str, usize)> {
    lines.iter().flat_map(|(file, lines)| lines.iter().map(move |&line| (file.as_str(), line)))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn run(lines: &[usize]) -> Lines {
        Lines::from([("a.c".to_owned(), lines.iter().copied().collect())])
    }

    fn ranges(wrong: &[Lines], right: &[Lines]) -> Vec<(usize, usize, usize, usize)> {
        let all = |runs: &'static [Lines]| runs.iter().collect::<Vec<_>>();
        let (wrong, right) = (wrong.to_vec().leak(), right.to_vec().leak());
        let suspects = ranked(&all(wrong), &all(right));
        suspects.iter().map(|it| (it.first, it.last, it.wrong, it.right)).collect()
    }

    #[test]
    fn lines_that_only_wrong_runs_reach_come_first() {
        let wrong = [run(&[1, 2, 5, 6, 9]), run(&[1, 2, 5, 6])];
        let right = [run(&[1, 2, 9]), run(&[1, 3, 9]), run(&[1, 2])];
        // 1 is reached by all, and 3 by none that is wrong. 9 is reached by more right ones than wrong ones.
        assert_eq!(ranges(&wrong, &right), [(5, 6, 2, 0), (2, 2, 2, 2)]);
    }

    #[test]
    fn a_line_that_the_first_wrong_run_does_not_reach_is_no_suspect() {
        let wrong = [run(&[1, 2, 7]), run(&[1, 2, 3, 6, 7]), run(&[1, 2, 3, 6, 7])];
        assert_eq!(ranges(&wrong, &[run(&[1])]), [(2, 2, 3, 0), (7, 7, 3, 0)]);
        assert_eq!(ranges(&[Lines::new(), run(&[1, 4])], &[run(&[1])]), [(4, 4, 1, 0)]);
    }

    #[test]
    fn nothing_is_suspicious_if_all_runs_reach_the_same_lines() {
        let both = [run(&[1, 2]), run(&[1, 2])];
        assert_eq!(ranges(&both, &both), []);
        assert_eq!(ranges(&[Lines::new()], &[]), []);
    }

    #[test]
    fn a_run_that_tells_no_lines_does_not_count() {
        let wrong = [run(&[1, 4]), Lines::new()];
        assert_eq!(ranges(&wrong, &[run(&[1])]), [(4, 4, 1, 0)]);
    }
}
