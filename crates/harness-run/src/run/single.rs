//! One program that is not part of a course, run by the fastest engine that fits.

use super::parallel;
use super::program::{BuiltProgram, Slower, Standings};
use super::programs::limits;
use super::runner::Runner;
use crate::course::{Assignment, Course};
use crate::diagnostic::Failure;
use crate::run::build::{self, Runnable};
use crate::run::engine::Engine;
use crate::run::process::{self, ProcessLimits};
use crate::run::work::Work;
use std::sync::Arc;
use std::time::Duration;
use subject::wire::{Answer, Detail, Hello, MutantSet, Request};
use subject::{Case, Outcome};

/// What a program did on a case, and the steps that it took, or 0 if they are not counted.
pub type Ran = (Outcome, u64);

/// A program, and the workers that run it.
pub struct Single {
    work: Work,
    /// Its name in reports.
    name: String,
    runnable: Runnable,
    hello: Hello,
    standings: Standings,
    jobs: usize,
    /// What runs it with the limits of the last call.
    runners: Vec<Runner>,
    program: Arc<BuiltProgram>,
}

impl Single {
    /// The program called `name` that `runnable` starts, on one case at a time.
    pub fn new(
        work: &Work,
        course: &Course,
        assignment: &Assignment,
        name: &str,
        runnable: &Runnable,
        most: ProcessLimits,
    ) -> Self {
        let runnable = runnable.clone().with_whole_paths();
        let (hello, _) = limits(&assignment.run, Vec::new());
        let standings = Standings::read(&build::target_folder(course, assignment));
        let limits = (hello.clone(), most);
        let program = BuiltProgram::new(work, name, runnable.clone(), false, limits, &standings);
        Self {
            work: work.clone(),
            name: name.to_owned(),
            runnable,
            hello,
            standings,
            jobs: 1,
            runners: Vec::new(),
            program: Arc::new(program),
        }
    }

    /// The same program on `jobs` cases at a time.
    #[must_use]
    pub fn jobs(self, jobs: usize) -> Self {
        Self { jobs, ..self }
    }

    /// Whether each run is a process, which takes longer to start than most programs take to run.
    pub fn is_process(&self) -> bool {
        self.program.engine() == Engine::Process
    }

    /// Why it does not run by the fastest engine, if so.
    pub fn slower(&self) -> Option<Slower> {
        self.program.slower()
    }

    /// About the time of a step: a round of a loop, or a call.
    pub fn step(&self) -> Duration {
        self.program.step()
    }

    /// The number of steps that take about so much time.
    pub fn steps_in(&self, time: Duration) -> u64 {
        self.program.steps_in(time)
    }

    /// Moves it to a process for each run.
    pub fn distrust(&mut self, reason: &str) {
        while !self.is_process() {
            self.program.step_down(self.program.engine(), reason);
        }
    }

    /// What it does on each of `cases`, in at most so many `steps`, if they are counted. `None` for those that are left when `stop` says
    /// so.
    ///
    /// # Errors
    /// If the machine fails.
    pub fn run(
        &mut self,
        cases: &[Case],
        limits: &ProcessLimits,
        steps: Option<u64>,
        stop: impl Fn() -> bool + Sync,
    ) -> Result<Vec<Option<Ran>>, Failure> {
        if self.is_process() {
            return parallel::map(cases.len(), self.jobs, |at| {
                let run = || self.by_process(&cases[at], limits).map(|outcome| Some((outcome, 0)));
                if stop() { Ok(None) } else { run() }
            });
        }
        self.limit(limits);
        let batches = batches(cases, self.jobs.max(1));
        let outcomes = parallel::share(&mut self.runners, batches.len(), |runner, queue| {
            while let Some(at) = queue.take() {
                let mut outcomes = Vec::new();
                if !stop() {
                    let requests = batches[at].iter().map(|case| request(case, steps));
                    runner.submit(requests.collect(), Duration::ZERO)?;
                    let answers = runner.collect()?.expect("a batch was submitted").answers;
                    let ran = |answer: Answer| Some((answer.reference, answer.steps));
                    outcomes.extend(answers.into_iter().map(ran));
                }
                outcomes.resize(batches[at].len(), None);
                queue.put(at, outcomes);
            }
            Ok::<_, Failure>(())
        })?;
        Ok(outcomes.into_iter().flatten().collect())
    }

    /// What a process does.
    ///
    /// # Errors
    /// If it cannot be started.
    pub fn by_process(&self, case: &Case, limits: &ProcessLimits) -> Result<Outcome, Failure> {
        let ran = process::run_among_others(&self.work, &self.runnable, case, limits);
        ran.map(|(outcome, _)| outcome).map_err(|error| {
            process::failure(format!("run {}", self.runnable.words.join(" ")), &error)
        })
    }

    /// Starts other workers if the limits have changed.
    fn limit(&mut self, limits: &ProcessLimits) {
        let time = u64::try_from(limits.time.as_millis()).unwrap_or(u64::MAX).max(1);
        let is_same = !self.runners.is_empty() && self.program.hello.limits.time == time;
        if is_same {
            return;
        }
        let mut hello = self.hello.clone();
        hello.limits.time = time;
        hello.limits.memory = limits.memory;
        let (runnable, limits) = (self.runnable.clone(), (hello, *limits));
        let program =
            BuiltProgram::new(&self.work, &self.name, runnable, false, limits, &self.standings);
        self.program = Arc::new(program);
        self.runners = (0..self.jobs.max(1)).map(|_| Runner::new(self.program.clone())).collect();
    }
}

/// The cases in their order, in batches for so many workers. They become smaller, so that no worker waits long for the last one.
fn batches(cases: &[Case], workers: usize) -> Vec<&[Case]> {
    const LARGEST: usize = 8;
    let (mut batches, mut left) = (Vec::new(), cases);
    while !left.is_empty() {
        let size = left.len().div_ceil(2 * workers).min(LARGEST);
        let (batch, later) = left.split_at(size);
        batches.push(batch);
        left = later;
    }
    batches
}

fn request(case: &Case, steps: Option<u64>) -> Request {
    Request {
        case: case.clone(),
        mutants: MutantSet::default(),
        detail: Detail::Reference,
        // The course's limit is one on the steps of the reference, not on those of any program.
        steps: Some(steps.unwrap_or(u64::MAX)),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn batches_have_all_cases_in_order_and_become_smaller() {
        let cases: Vec<_> = (0..64).map(|at| Case { input: vec![at], ..Case::default() }).collect();
        for workers in [1, 2, 5, 100] {
            let batches = batches(&cases, workers);
            assert_eq!(batches.concat(), cases, "{workers} workers");
            let sizes: Vec<_> = batches.iter().map(|batch| batch.len()).collect();
            assert!(sizes.is_sorted_by(|a, b| a >= b), "{workers} workers: {sizes:?}");
            assert_eq!(sizes.last(), Some(&1), "{workers} workers: {sizes:?}");
        }
        assert!(batches(&[], 2).is_empty());
    }
}
