//! Runs one program on the cases of a corpus. Whatever the program does, that takes bounded time and affects no other program.

use super::{Corpus, Shown, of_exit};
use harness::course::{Assignment, Course};
use harness::diagnostic::Failure;
use harness::domain::How;
use harness::report::words::counted;
use harness::run::build::Runnable;
use harness::run::judge::Judge;
use harness::run::process::ProcessLimits;
use harness::run::programs;
use harness::run::single::{Ran, Single};
use harness::run::work::Work;
use serde::{Deserialize, Serialize};
use std::collections::{BTreeMap, BTreeSet};
use std::time::Duration;
use subject::{Case, End, Outcome};

/// Cases that a program runs on at a time.
const CHUNK: usize = 64;
/// The most cases of a program whose steps nobody counts. No clock may choose them.
const UNCOUNTED: usize = 500;
/// The time of a run at first, in steps. A program that proves to be slow gets more.
const MOMENT: Duration = Duration::from_millis(5);
/// The most of it, as a part of the course's limit.
const QUICK: u32 = 4;
/// A program that was stopped on so many cases with all of its time does not finish on others either.
const WAITS: usize = 2;
/// All of its time is so many times the course's limit, in steps. A clock ends a run later, because a step can take longer than usual,
/// and does on a busy machine.
const CLOCK: u32 = 2;
/// A run that gets a moment ends by a clock after so many of them.
const MARGIN: u32 = 8;
/// After so many stops, the program runs on no more cases.
const MOST_STOPS: usize = 40;
/// After so much time, too. It is not measured but computed from the steps, so that it does not depend on what else the machine does.
const LONGEST: Duration = Duration::from_secs(10);
/// A program that ends on no more than one of so many cases is endless.
const ENDLESS: usize = 10;
/// What a shell exits with if it cannot start a program.
const NOT_STARTED: [u8; 2] = [126, 127];

/// What a program did on the first cases of a corpus.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Trial {
    /// The number of cases that it ran on.
    pub tried: usize,
    /// What it shows on each of them on which it differs, by the number of the case.
    pub shown: BTreeMap<usize, Shown>,
    /// Whether it is slow: it ends, but ran on few cases, or was stopped on some.
    pub is_slow: bool,
    /// The cases on which it was stopped although it ends. What it does on them is not known.
    pub stopped: BTreeSet<usize>,
    /// The engine that it did not run by, and why.
    pub engine: Option<(String, String)>,
}

impl Trial {
    /// Why what it did cannot be compared with what a mutant shows, in words.
    pub fn problem(&self) -> Option<String> {
        self.endless().or_else(|| self.not_started())
    }

    /// The cases on which it did not end.
    fn endless_cases(&self) -> impl Iterator<Item = usize> {
        let is_endless = |(_, shown): &(&usize, &Shown)| shown.how == How::Timeout;
        self.shown.iter().filter(is_endless).map(|(&number, _)| number)
    }

    /// Takes back that it does not end.
    fn call_slow(&mut self) {
        self.stopped = self.endless_cases().collect();
        self.shown.retain(|number, _| !self.stopped.contains(number));
        self.is_slow = true;
    }

    fn endless(&self) -> Option<String> {
        let ended = self.tried - self.endless_cases().count() - self.stopped.len();
        // It was stopped after a few cases, which are all small.
        let is_endless = self.tried > 0 && ended * ENDLESS <= self.tried;
        is_endless.then(|| {
            let tried = counted(self.tried, "case");
            match ended {
                _ if self.is_slow => {
                    format!("it is slow: in its time, it ends on only {ended} of the {tried} that were tried")
                }
                0 if self.tried == 1 => {
                    "it does not end on the only case that was tried".to_owned()
                }
                0 => format!("it does not end on any of the {tried} that were tried"),
                _ => format!("it ends on only {ended} of the {tried} that were tried"),
            }
        })
    }

    /// If it does on each case what a shell does that cannot start a program.
    fn not_started(&self) -> Option<String> {
        let is_right = self.shown.len() < self.tried;
        let shows = |outcome: u64| self.shown.values().all(|shown| shown.outcome == outcome);
        let same = |status: &u8| !is_right && shows(of_exit(*status, &[], &BTreeMap::new()));
        let status = NOT_STARTED.into_iter().filter(|_| self.tried > 0).find(same)?;
        let tried = counted(self.tried, "case");
        Some(format!("it cannot be started: it exits with status {status} on all {tried}"))
    }
}

/// A program that is tried.
pub struct Candidate<'a> {
    single: Single,
    judge: &'a Judge,
    /// Those of the course. Only its time is counted otherwise.
    limits: ProcessLimits,
    moment: Duration,
    waits: usize,
    stops: usize,
    /// Whether its steps are counted.
    is_counted: bool,
    /// What its runs were charged with.
    charged: Duration,
}

impl<'a> Candidate<'a> {
    /// The program that `runnable` starts.
    ///
    /// # Errors
    /// If the machine fails.
    pub fn new(
        work: &Work,
        course: &Course,
        assignment: &Assignment,
        judge: &'a Judge,
        runnable: &Runnable,
    ) -> Result<Self, Failure> {
        // A busy machine may not make a program look as if it did not end.
        let limits =
            ProcessLimits { wall: Duration::MAX, ..programs::process_limits(&assignment.run) };
        let single = Single::new(work, course, assignment, "the program", runnable, limits);
        Ok(Self {
            single,
            judge,
            limits,
            moment: MOMENT,
            waits: WAITS,
            stops: 0,
            is_counted: false,
            charged: Duration::ZERO,
        })
    }

    /// Runs it on the cases. `None` if `is_over` says so.
    ///
    /// # Errors
    /// If it cannot be started.
    pub fn run(
        &mut self,
        corpus: &Corpus,
        is_over: impl Fn() -> bool + Sync,
    ) -> Result<Option<Trial>, Failure> {
        let Some(mut trial) = self.try_all(corpus, &is_over)? else { return Ok(None) };
        if !self.is_confirmed(corpus, &trial)? {
            let reason = "it did something else than a process";
            self.single.distrust(reason);
            match self.try_all(corpus, &is_over)? {
                Some(again) => trial = again,
                None => return Ok(None),
            }
        }
        if self.ends_later(corpus, &trial)? {
            trial.call_slow();
        }
        trial.engine = self.single.slower().map(|it| (it.engine.to_string(), it.reason));
        Ok(Some(trial))
    }

    fn try_all(
        &mut self,
        corpus: &Corpus,
        is_over: &(impl Fn() -> bool + Sync),
    ) -> Result<Option<Trial>, Failure> {
        let mut trial = Trial::default();
        (self.waits, self.stops, self.charged) = (WAITS, 0, Duration::ZERO);
        (self.moment, self.is_counted) = (MOMENT, false);
        while trial.tried < corpus.cases.len() {
            let most = if self.is_counted { usize::MAX } else { UNCOUNTED };
            // Each of them may take all of its time.
            let size = match (self.is_counted, self.waits < WAITS) {
                (false, _) => 1,
                (true, true) => CHUNK / 8,
                (true, false) => CHUNK,
            };
            let end = (trial.tried + size).min(corpus.cases.len()).min(most);
            let is_slow = self.stops >= MOST_STOPS || self.charged >= LONGEST;
            if end <= trial.tried || is_slow {
                break;
            }
            if is_over() {
                return Ok(None);
            }
            self.try_some(corpus, trial.tried..end, &mut trial)?;
            trial.tried = end;
        }
        let is_cut = self.charged >= LONGEST && trial.tried < corpus.cases.len();
        trial.is_slow = is_cut && trial.endless_cases().next().is_none();
        Ok(Some(trial))
    }

    fn try_some(
        &mut self,
        corpus: &Corpus,
        numbers: std::ops::Range<usize>,
        trial: &mut Trial,
    ) -> Result<(), Failure> {
        let cases: Vec<_> =
            corpus.cases[numbers.clone()].iter().map(|it| it.case.clone()).collect();
        for (number, (outcome, steps)) in numbers.zip(self.ran(&cases)?) {
            let known = &corpus.cases[number];
            let is_slow = outcome.end == End::Timeout;
            // The steps of a run that was stopped are not known.
            self.is_counted |= steps > 0 && !is_slow;
            self.charged += match (is_slow, self.is_counted) {
                (true, false) => self.clock(),
                (true, true) => self.moment,
                (false, _) => self.charge(steps),
            };
            let outcome = if is_slow { self.patiently(&known.case, outcome)? } else { outcome };
            if let Some(fault) =
                self.judge.fault_of_stranger(&known.case, &known.reference, &outcome)?
            {
                trial.shown.insert(number, Shown::of(fault.how, &outcome));
            }
        }
        Ok(())
    }

    /// What it does on `cases`, each within a moment.
    ///
    /// # Errors
    /// If it cannot be started.
    pub fn outcomes(&mut self, cases: &[Case]) -> Result<Vec<Outcome>, Failure> {
        let ran = self.ran_within(cases, self.moment * MARGIN, self.moment)?;
        Ok(ran.into_iter().map(|(outcome, _)| outcome).collect())
    }

    /// What it does on `cases`: each in a moment of steps, or if nobody counts them, in the time of the clock.
    fn ran(&mut self, cases: &[Case]) -> Result<Vec<Ran>, Failure> {
        if !self.is_counted {
            return self.ran_within(cases, self.clock(), self.clock());
        }
        let time = (self.limits.time / QUICK).max(self.moment * MARGIN);
        self.ran_within(cases, time, self.moment)
    }

    /// The time of a run while it is not known whether its steps are counted. Once it is certain that the program does not finish, it is
    /// shorter.
    fn clock(&self) -> Duration {
        self.limits.time.saturating_mul(if self.waits > 0 { CLOCK } else { 1 })
    }

    /// What it does in so much time by the clock, and in as many steps as usually fit into the time `counted`.
    fn ran_within(
        &mut self,
        cases: &[Case],
        time: Duration,
        counted: Duration,
    ) -> Result<Vec<Ran>, Failure> {
        let limits = ProcessLimits { time, ..self.limits };
        let steps = self.single.steps_in(counted);
        let outcomes = self.single.run(cases, &limits, Some(steps), || false)?;
        Ok(outcomes.into_iter().flatten().collect())
    }

    /// What a run of so many steps is charged with.
    fn charge(&self, steps: u64) -> Duration {
        u32::try_from(steps).map_or(LONGEST, |steps| self.single.step().saturating_mul(steps))
    }

    /// What it does on a case on which it was stopped, if it may still get all of its time.
    fn patiently(&mut self, case: &Case, stopped: Outcome) -> Result<Outcome, Failure> {
        if self.waits == 0 {
            self.stops += 1;
            return Ok(stopped);
        }
        if !self.is_counted {
            // It had all of its time.
            self.waits -= 1;
            return Ok(stopped);
        }
        let time = self.clock();
        let ran = self.ran_within(std::slice::from_ref(case), time.saturating_mul(2), time)?;
        let outcome = ran.into_iter().next().map_or(stopped, |(outcome, _)| outcome);
        if outcome.end == End::Timeout {
            self.waits -= 1;
        } else {
            self.moment = (self.moment * 2).min(self.limits.time / QUICK);
        }
        Ok(outcome)
    }

    /// What a process of it does on a case, within the course's limits.
    ///
    /// # Errors
    /// If it cannot be started.
    pub fn by_process(&self, case: &Case) -> Result<Outcome, Failure> {
        self.single.by_process(case, &self.limits)
    }

    /// Whether a process ends within all of its time on the smallest cases on which the program was stopped. Then steps, or a moment,
    /// were too few for it.
    fn ends_later(&self, corpus: &Corpus, trial: &Trial) -> Result<bool, Failure> {
        let mut stopped: Vec<_> = trial.endless_cases().collect();
        stopped.sort_by_key(|&number| corpus.cases[number].size);
        let limits = ProcessLimits { time: self.limits.time.saturating_mul(CLOCK), ..self.limits };
        for &number in stopped.iter().take(WAITS) {
            let outcome = self.single.by_process(&corpus.cases[number].case, &limits)?;
            if outcome.end == End::Timeout {
                return Ok(false);
            }
        }
        Ok(!stopped.is_empty())
    }

    /// Whether a process shows the same on the first case of each way to differ, and on the first case of all.
    fn is_confirmed(&self, corpus: &Corpus, trial: &Trial) -> Result<bool, Failure> {
        if self.single.is_process() {
            return Ok(true);
        }
        let mut first = BTreeMap::new();
        for (&number, shown) in &trial.shown {
            first.entry(shown.how.word()).or_insert((number, Some(*shown)));
        }
        let right = (0..trial.tried).find(|number| !trial.shown.contains_key(number));
        first.extend(right.map(|number| ("", (number, None))));
        for (number, shown) in first.into_values() {
            // A program that did not finish in time needs no second time as long.
            if shown.is_some_and(|shown| shown.how == How::Timeout) {
                continue;
            }
            let known = &corpus.cases[number];
            let limits =
                ProcessLimits { time: self.limits.time.saturating_mul(CLOCK), ..self.limits };
            let outcome = self.single.by_process(&known.case, &limits)?;
            let fault = self.judge.fault_of_stranger(&known.case, &known.reference, &outcome)?;
            if fault.map(|fault| Shown::of(fault.how, &outcome)) != shown {
                return Ok(false);
            }
        }
        Ok(true)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// What a program that exits with `status` on each case without a word shows on three cases.
    fn exits_with(status: u8) -> Trial {
        let outcome = of_exit(status, &[], &BTreeMap::new());
        let shown = (0..3).map(|case| (case, Shown { how: How::Exit, outcome })).collect();
        Trial { tried: 3, shown, ..Trial::default() }
    }

    #[test]
    fn a_program_that_no_shell_can_start_is_told_from_one_that_fails() {
        let problem = exits_with(127).problem().unwrap();
        assert_eq!(problem, "it cannot be started: it exits with status 127 on all 3 cases");
        assert_eq!(exits_with(1).problem(), None);
        // It is right on another case.
        assert_eq!(Trial { tried: 4, ..exits_with(127) }.problem(), None);
    }

    #[test]
    fn a_program_that_hardly_ever_ends_is_told_from_one_that_hangs_on_some_cases() {
        let shown = Shown { how: How::Timeout, outcome: 2 };
        let hangs = |tried| {
            let shown = (0..18).map(|case| (case, shown)).collect();
            Trial { tried, shown, ..Trial::default() }
        };
        let problem = hangs(20).problem().unwrap();
        assert_eq!(problem, "it ends on only 2 of the 20 cases that were tried");
        assert_eq!(hangs(21).problem(), None);
        let mut slow = hangs(20);
        slow.call_slow();
        let problem = slow.problem().unwrap();
        assert_eq!(
            problem,
            "it is slow: in its time, it ends on only 2 of the 20 cases that were tried"
        );
        assert!(slow.shown.is_empty() && slow.stopped.len() == 18, "{slow:?}");
        let one = Trial { tried: 1, shown: [(0, shown)].into(), ..Trial::default() };
        assert_eq!(one.problem().unwrap(), "it does not end on the only case that was tried");
    }
}
