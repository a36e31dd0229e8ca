//! Makes the report from what the programs did.

use super::prepared::Prepared;
use super::programs::Given;
use super::trials::{Attempt, Tried};
use crate::mining::corpus::Known;
use crate::mining::deviations::{self, CaseKind, Deviation, Signature};
use crate::mining::likeness::{Likeness, likenesses};
use crate::mining::smallest::{Smallest, Wanted};
use crate::mining::suites::{self, Exposed};
use crate::mining::trial::Candidate;
use crate::mining::weigh::{Class, Weight};
use crate::mining::{Corpus, Trial};
use crate::report::mined::{self, DeviationMined, Like, Mined, ProgramMined, SuitesMined, Weighed};
use harness::catalogue;
use harness::cli::mutants::Mine;
use harness::command::{generate, given_up};
use harness::course::Course;
use harness::diagnostic::{Failure, Problem};
use harness::generate::Evaluator;
use harness::result::engines;
use harness::run::judge::Judge;
use harness::suite::Suite;
use std::collections::BTreeSet;

pub(super) struct Report<'a> {
    pub(super) options: &'a Mine,
    pub(super) course: &'a Course,
    pub(super) evaluator: Evaluator<'a>,
    pub(super) corpus: Corpus,
    pub(super) given: Vec<Given>,
    pub(super) tried: Vec<Attempt>,
    pub(super) suites: Option<Vec<Suite>>,
}

impl Report<'_> {
    pub(super) fn made(mut self) -> Result<Mined, Failure> {
        let is_cut = self.tried.iter().any(Option::is_none);
        let cases = self.case_kinds();
        let mutants = self.mutant_signatures();
        let found = {
            let trials: Vec<_> = self.trials().collect();
            deviations::deviations(&cases, &mutants, &trials)
        };
        let (mut rows, mut taken) = (Vec::new(), BTreeSet::new());
        for deviation in &found {
            let smallest = self.smallest(&found, deviation)?;
            let tried = self.trials().nth(deviation.example).flatten().map_or(0, |it| it.tried);
            let like = likenesses(&cases[..tried], &deviation.signature, &mutants);
            rows.push(self.deviation(deviation, smallest, &like, &mut taken)?);
        }
        let assignment = self.evaluator.assignment;
        let trials: Vec<_> = self.trials().collect();
        let exposed = self.suites.as_ref().map(|all| {
            suites::exposed(&self.corpus, self.evaluator.generator, all, &found, &trials)
        });
        let weighed = if self.options.weigh {
            Some(self.weighed(&cases, &mutants, &found, exposed.as_deref())?)
        } else {
            None
        };
        Ok(Mined {
            weighed,
            seed: self.options.seed,
            cases: self.corpus.counts.into(),
            suites: exposed.map(|exposed| {
                SuitesMined::new(&exposed, &self.evaluator.mutants, assignment.scoring.by)
            }),
            stopped: generate::stopped(self.evaluator.programs.work(), is_cut),
            given_up: given_up::warn(assignment, &self.evaluator.programs.given_up())?,
            discarded: self.evaluator.programs.discarded().into(),
            engines: engines::slower(self.evaluator.programs.slower()),
            ..Mined::new(
                &assignment.id,
                (0..self.given.len()).map(|at| self.program(at)).collect(),
                rows,
                self.evaluator.mutants.iter().map(|mutant| mutant.id.as_str()),
            )
        })
    }

    /// The points that are proposed. They are written, if that is asked for.
    fn weighed(
        &self,
        cases: &[CaseKind],
        signatures: &[Signature],
        deviations: &[Deviation],
        suites: Option<&[Exposed]>,
    ) -> Result<Weighed, Failure> {
        let assignment = self.evaluator.assignment;
        let tried = self.trials().map(|trial| trial.map_or(0, |it| it.tried)).collect();
        let (mutants, by) = (&self.evaluator.mutants[..], assignment.scoring.by);
        let class = Class { cases, mutants, signatures, deviations, tried, by };
        let untried = self.tried.iter().filter(|it| it.is_none()).count();
        if self.options.apply && untried > 0 {
            let all = self.tried.len();
            let problem = Problem::new(format!(
                "{untried} of {all} programs were not run, so no points were written"
            ));
            return Err(Failure::usage(problem.hint("give more time with --budget")));
        }
        if self.options.apply && deviations.is_empty() {
            let problem = Problem::new("no program shows a bug, so there are no points to write");
            return Err(Failure::usage(problem.hint("mine programs of which some are wrong")));
        }
        let matches = class.matches();
        let weights = class.weights(&matches, &class.programs().into_iter().collect());
        let checked = class.check(&matches, suites.unwrap_or_default(), self.options.seed);
        let weighed = Weighed::new(&class, &weights, &checked, &assignment.scoring);
        if self.options.apply { self.applied(weighed, &weights) } else { Ok(weighed) }
    }

    /// Writes what is proposed: the thresholds into the course file, and the points into the catalogue's files.
    fn applied(&self, weighed: Weighed, weights: &[Weight]) -> Result<Weighed, Failure> {
        let (assignment, mutants) = (self.evaluator.assignment, &self.evaluator.mutants);
        let scoring = weighed.thresholds.scoring(assignment.scoring);
        if scoring != assignment.scoring {
            self.course.write_thresholds(assignment, scoring).map_err(Failure::usage)?;
        }
        let changed = mutants.iter().zip(weights);
        let changed = changed.filter(|(mutant, weight)| mutant.points != weight.points);
        let changed: Vec<_> = changed.collect();
        for (mutant, weight) in &changed {
            catalogue::write_points(mutant, weight.points, assignment)?;
        }
        Ok(Weighed { applied: Some(changed.len()), ..weighed })
    }

    fn case_kinds(&self) -> Vec<CaseKind> {
        let kind = |it: &Known| CaseKind {
            answer: kind_of_answer(&it.draft.flags, &it.reference.stdout),
            counts: it.is_plain,
        };
        self.corpus.cases.iter().map(kind).collect()
    }

    /// What each mutant shows.
    fn mutant_signatures(&self) -> Vec<Signature> {
        let mut signatures = vec![Signature::new(); self.evaluator.mutants.len()];
        for (number, known) in self.corpus.cases.iter().enumerate() {
            for (&mutant, &shown) in &known.mutants {
                signatures[mutant].insert(number, shown);
            }
        }
        signatures
    }

    /// What each program did that can be compared.
    fn trials(&self) -> impl Iterator<Item = Option<&Trial>> {
        self.tried.iter().map(|tried| match tried {
            Some(Ok(Tried { trial, .. })) => Some(trial).filter(|trial| trial.problem().is_none()),
            _ => None,
        })
    }

    fn smallest(
        &mut self,
        found: &[Deviation],
        deviation: &Deviation,
    ) -> Result<Option<Smallest>, Failure> {
        let example = deviation.example;
        let Some(Ok(Tried { runnable, .. })) = &self.tried[example] else { return Ok(None) };
        let is_other = |other: &&Deviation| {
            !std::ptr::eq(*other, deviation) && other.programs.contains(&example)
        };
        let wanted = Wanted { deviation, others: found.iter().filter(is_other).collect() };
        let assignment = self.evaluator.assignment;
        let work = self.evaluator.programs.work().clone();
        let judge = Judge::new(&work, self.course, assignment)?;
        let mut candidate = Candidate::new(&work, self.course, assignment, &judge, runnable)?;
        let smallest = wanted.smallest(&mut self.evaluator, &self.corpus, &mut candidate)?;
        let folder = self.given[example].folder_in(runnable);
        Ok(smallest.map(|smallest| match folder {
            Some(folder) => smallest.without_folder(folder),
            None => smallest,
        }))
    }

    /// The row of a deviation. Its catalogue file is written, if it needs one.
    fn deviation(
        &self,
        deviation: &Deviation,
        smallest: Option<Smallest>,
        like: &[Likeness],
        taken: &mut BTreeSet<String>,
    ) -> Result<DeviationMined, Failure> {
        let mutants = &self.evaluator.mutants;
        let id = |mutant: usize| mutants[mutant].id.clone();
        let name = |program: &usize| self.given[*program].name.clone();
        let represented = deviation.mutant.is_some() || like.iter().any(Likeness::represents);
        let programs: Vec<_> = deviation.programs.iter().map(name).collect();
        let folder = self.options.out.as_ref().map(|out| out.join("catalogue"));
        let prepared = match (&smallest, &folder) {
            (Some(smallest), Some(folder)) if !represented => {
                let assignment = self.evaluator.assignment;
                let (programs, example) = (&programs, &self.given[deviation.example].name);
                Prepared { assignment, mutants, programs, example, smallest }
                    .write(folder, taken)?
            }
            _ => None,
        };
        Ok(DeviationMined {
            number: 0,
            mutant: deviation.mutant.map(id),
            represented,
            mutants: like.iter().map(|it| Like::new(id(it.mutant), it)).collect(),
            programs,
            cases: deviation.signature.len(),
            example: name(&deviation.example),
            smallest: smallest.map(mined::SmallestTest::new),
            prepared,
        })
    }

    fn program(&self, at: usize) -> ProgramMined {
        let row = ProgramMined::untried(&self.given[at].name);
        match &self.tried[at] {
            None => row,
            Some(Err(problem)) => ProgramMined { problem: Some(problem.message.clone()), ..row },
            Some(Ok(Tried { trial, .. })) => ProgramMined {
                tried: trial.tried,
                differing: trial.shown.len(),
                problem: trial.problem(),
                slow: trial.is_slow.then_some(trial.stopped.len()),
                engine: trial.engine.clone().map(mined::Slower::from),
                ..row
            },
        }
    }
}

/// The letters of the flags, and the first line of the answer without its digits.
fn kind_of_answer(flags: &str, answer: &[u8]) -> String {
    let letters = flags.split('-').next().unwrap_or_default();
    let line = answer.split(|&byte| byte == b'\n').next().unwrap_or_default();
    let line = String::from_utf8_lossy(line);
    let begins: String = line.chars().filter(|letter| !letter.is_ascii_digit()).collect();
    format!("{letters} {begins}")
}
