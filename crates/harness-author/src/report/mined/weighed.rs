//! The part of `mutants mine` about points: what it proposes for each mutant, how sure that is, and the thresholds that follow.

use crate::mining::rank::Correlation;
use crate::mining::weigh::{Checked, Class, FLOOR, Spread, Weight, wilson};
use harness::course::{Points, Scoring, ThresholdsIn};
use harness::generate::survey::suites::Thresholds;
use harness::report::screen::{STRONG, Screen, WARNING};
use harness::report::table::Table;
use harness::report::words::counted;
use serde::{Deserialize, Serialize};
use std::cmp::Reverse;
use std::fmt::{self, Write};

/// With fewer programs, an interval is so wide that it says little.
const FEW: usize = 20;
/// The least threshold for all points.
const LEAST: Points = Points::of_hundredths(1);

/// The proposals of `--weigh`.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Weighed {
    /// The number of programs that ran.
    pub programs: usize,
    /// The mutants, in the order of their ids.
    pub mutants: Vec<MutantWeighed>,
    /// How well points rank the suites of `--suites`. Empty without suites that differ.
    pub ranks: Vec<Ranks>,
    /// The thresholds that follow.
    pub thresholds: ThresholdsWeighed,
    /// The number of catalogue files that `--apply` changed, beside the course file. Absent without `--apply`.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub applied: Option<usize>,
}

/// What a mutant stands for.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct MutantWeighed {
    /// The mutant's id.
    pub mutant: String,
    /// The number of programs that have a behaviour that it is.
    pub programs: usize,
    /// The limits within which the share of such programs is, with 95 percent.
    pub share: [f64; 2],
    /// Whether it shows on most cases, so that it has the least points even if programs have its behaviour.
    pub is_broad: bool,
    /// Its points in the catalogue.
    pub points: Points,
    /// The points that are proposed.
    pub proposed: Points,
}

/// Rank correlations of the points of suites and the behaviours of programs that they expose.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Ranks {
    /// `proposed`, `catalogue`, or `one each`.
    pub points: String,
    /// The coefficient in this class.
    pub rho: f64,
    /// The limits of its interval of 95 percent. Absent if there are fewer than four suites.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub interval: Option<[f64; 2]>,
    /// The median of the coefficients if the points come from one half of the programs and the behaviours from the other. Absent if that
    /// was not tried.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub halves: Option<f64>,
    /// The limits within which 95 of 100 of these coefficients are.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub of_halves: Option<[f64; 2]>,
}

/// Thresholds in points.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct ThresholdsWeighed {
    /// Whether they follow from the suites. Otherwise they are as large a part of all points as those of the course.
    pub from_suites: bool,
    pub start: Points,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub extra_submission: Option<Points>,
    pub full: Points,
}

impl Weighed {
    pub fn new(
        class: &Class<'_>,
        weights: &[Weight],
        checked: &Checked,
        scoring: &Scoring,
    ) -> Self {
        let programs = class.programs().len();
        let round = |number: f64| (number * 1000.0).round() / 1000.0;
        let mutant = |(at, weight): (usize, &Weight)| {
            let (low, high) = wilson(weight.programs.len(), programs);
            MutantWeighed {
                mutant: class.mutants[at].id.clone(),
                programs: weight.programs.len(),
                share: [round(low), round(high)],
                is_broad: weight.is_broad,
                points: class.mutants[at].points,
                proposed: weight.points,
            }
        };
        let ranks = |points: &str, all: Option<Correlation>, halves: Option<Spread>| {
            let Correlation { rho, interval, .. } = all?;
            Some(Ranks {
                points: points.to_owned(),
                rho: round(rho),
                interval: interval.map(|(low, high)| [round(low), round(high)]),
                halves: halves.map(|it| round(it.median)),
                of_halves: halves.map(|it| [round(it.low), round(it.high)]),
            })
        };
        let ranks = [
            ranks("proposed", checked.proposed, checked.proposed_by_halves),
            ranks("catalogue", checked.current, None),
            ranks("one each", checked.equal, checked.equal_by_halves),
        ];
        let all = class.counted(0..class.mutants.len());
        let sum =
            |points: &dyn Fn(usize) -> Points| all.iter().map(|&it| points(it)).sum::<Points>();
        let before = match scoring.thresholds {
            ThresholdsIn::Bugs => Points::whole(all.len() as u64),
            ThresholdsIn::Points => sum(&|mutant| class.mutants[mutant].points),
        };
        let after = sum(&|mutant| weights[mutant].points);
        let mutants = weights.iter().enumerate().map(mutant).collect();
        Self {
            programs,
            mutants,
            ranks: ranks.into_iter().flatten().collect(),
            thresholds: ThresholdsWeighed::new(&checked.reached, scoring, before, after),
            applied: None,
        }
    }

    pub(super) fn write(&self, out: &mut String, screen: Screen) -> fmt::Result {
        writeln!(out)?;
        screen.prose(out, &screen.styled(STRONG, "Points"))?;
        self.write_mutants(out, screen)?;
        if self.programs < FEW {
            let few = counted(self.programs, "program");
            let text = format!(
                "warning: with {few}, the intervals are wide; from {FEW} on, they are narrower"
            );
            screen.prose(out, &screen.styled(WARNING, &text))?;
        }
        self.write_ranks(out, screen)?;
        self.thresholds.write(out, screen)?;
        writeln!(out)?;
        let text = match self.applied {
            None => {
                "Nothing was written. --apply writes the points into the catalogue's files, and \
                the thresholds into the course file."
                    .to_owned()
            }
            Some(files) => format!(
                "Points written into {}. The thresholds are in the course file.",
                counted(files, "catalogue file")
            ),
        };
        screen.prose(out, &text)
    }

    fn write_mutants(&self, out: &mut String, screen: Screen) -> fmt::Result {
        let is_real = |it: &&MutantWeighed| it.proposed > FLOOR || it.programs > 0 && !it.is_broad;
        let (mut real, others): (Vec<&MutantWeighed>, Vec<_>) =
            self.mutants.iter().partition(is_real);
        real.sort_by_key(|it| (Reverse(it.proposed), &it.mutant));
        let mut table = Table::new(2).right_aligned(&[1, 2]);
        table.row(["points", "programs", "share", "mutant"].map(str::to_owned));
        for it in &real {
            let points = if it.points == it.proposed {
                it.points.to_string()
            } else {
                format!("{} → {}", it.points, it.proposed)
            };
            let [low, high] = it.share.map(|share| (100.0 * share).round());
            table.row([
                points,
                it.programs.to_string(),
                format!("{low}-{high} %"),
                it.mutant.clone(),
            ]);
        }
        if !real.is_empty() {
            table.write(out, screen)?;
        }
        write_least(&others, out, screen)
    }

    fn write_ranks(&self, out: &mut String, screen: Screen) -> fmt::Result {
        writeln!(out)?;
        let heading = "Rank correlation of a suite's points and the behaviours that it exposes";
        screen.prose(out, &screen.styled(STRONG, heading))?;
        if self.ranks.is_empty() {
            return screen.prose(out, "  unknown; name suites that differ with --suites");
        }
        let mut table = Table::new(2).right_aligned(&[1, 3]);
        table.row(["points", "class", "95 %", "halves", "95 %"].map(str::to_owned));
        for it in &self.ranks {
            let limits = |limits: Option<[f64; 2]>| {
                limits
                    .map_or_else(|| "-".to_owned(), |[low, high]| format!("{low:.2} to {high:.2}"))
            };
            let halves = it.halves.map_or_else(|| "-".to_owned(), |rho| format!("{rho:.2}"));
            let cells =
                [format!("{:.2}", it.rho), limits(it.interval), halves, limits(it.of_halves)];
            table.row([it.points.clone()].into_iter().chain(cells));
        }
        table.write(out, screen)?;
        let text = "  halves: the points come from one half of the programs, and the behaviours from the other";
        screen.prose(out, text)
    }
}

/// Writes which mutants have the least points, and why.
fn write_least(others: &[&MutantWeighed], out: &mut String, screen: Screen) -> fmt::Result {
    let (unlike, broad): (Vec<&MutantWeighed>, Vec<_>) =
        others.iter().partition(|it| it.programs == 0);
    for it in broad {
        let programs = counted(it.programs, "program");
        let text = format!(
            "  {}: {FLOOR} points, because it shows on most cases, although {programs} {} it",
            it.mutant,
            if it.programs == 1 { "has" } else { "have" }
        );
        screen.prose(out, &text)?;
    }
    if unlike.is_empty() {
        return Ok(());
    }
    let (count, each) = (unlike.len(), if unlike.len() == 1 { "" } else { " each" });
    let mutants = counted(count, "mutant");
    let text = format!("  {FLOOR} points{each}: {mutants} that no program's behaviour is");
    screen.prose(out, &text)
}

impl ThresholdsWeighed {
    /// A scoring with these thresholds.
    pub(crate) fn scoring(&self, scoring: Scoring) -> Scoring {
        let Self { start, extra_submission, full, .. } = *self;
        Scoring { thresholds: ThresholdsIn::Points, start, extra_submission, full, ..scoring }
    }

    /// From what suites reach. Without suites, the same part of the points `after` as those of the course are of `before`.
    fn new(reached: &[Points], scoring: &Scoring, before: Points, after: Points) -> Self {
        if let Some(Thresholds { start, extra_submission, full }) = Thresholds::of(reached.to_vec())
        {
            let extra_submission = scoring.extra_submission.map(|_| extra_submission);
            return Self { from_suites: true, start, extra_submission, full };
        }
        let part = |threshold: Points| {
            let part = threshold.number() / before.max(LEAST).number();
            Points::nearest(part * after.number())
        };
        Self {
            from_suites: false,
            start: part(scoring.start),
            extra_submission: scoring.extra_submission.map(part),
            full: part(scoring.full).max(LEAST),
        }
    }

    fn write(&self, out: &mut String, screen: Screen) -> fmt::Result {
        writeln!(out)?;
        let from = if self.from_suites { "from the suites" } else { "as large a part as now" };
        screen.prose(out, &screen.styled(STRONG, &format!("Thresholds in points, {from}")))?;
        writeln!(out, "  thresholds: points")?;
        writeln!(out, "  start: {}", self.start)?;
        writeln!(out, "  full: {}", self.full)?;
        match self.extra_submission {
            Some(extra) => writeln!(out, "  extra_submission: {extra}"),
            None => Ok(()),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_mutant_that_programs_are_but_shows_on_most_cases_is_told_apart() {
        let mutant = |mutant: &str, programs: usize, is_broad: bool| MutantWeighed {
            mutant: mutant.to_owned(),
            programs,
            share: [0.0, 1.0],
            is_broad,
            points: Points::ONE,
            proposed: FLOOR,
        };
        let all = [mutant("ties", 1, true), mutant("common", 2, true), mutant("rare", 0, false)];
        let mut out = String::new();
        let screen = Screen { columns: Some(200), colored: false };
        write_least(&all.each_ref(), &mut out, screen).unwrap();
        let lines = [
            "  ties: 0.25 points, because it shows on most cases, although 1 program has it",
            "  common: 0.25 points, because it shows on most cases, although 2 programs have it",
            "  0.25 points: 1 mutant that no program's behaviour is",
        ];
        assert_eq!(out.lines().collect::<Vec<_>>(), lines);
    }

    fn thresholds(scoring: &str, before: u64, after: u64) -> [String; 2] {
        let scoring: Scoring = serde_json::from_str(scoring).unwrap();
        let [before, after] = [before, after].map(Points::of_hundredths);
        let all = ThresholdsWeighed::new(&[], &scoring, before, after);
        assert!(!all.from_suites);
        [all.start, all.full].map(|points| points.to_string())
    }

    #[test]
    fn without_suites_thresholds_stay_as_large_a_part_of_all_points() {
        let scoring = r#"{ "start": 1, "full": 3 }"#;
        assert_eq!(thresholds(scoring, 300, 379), ["1.26", "3.79"]);
        // No suite reaches more than all points, and a part of them is not all.
        let scoring = r#"{ "start": 2, "full": 3.04, "thresholds": "points" }"#;
        assert_eq!(thresholds(scoring, 304, 150), ["0.99", "1.5"]);
        let scoring = r#"{ "start": 0, "full": 0.5, "thresholds": "points" }"#;
        assert_eq!(thresholds(scoring, 50, 25), ["0", "0.25"]);
    }
}
