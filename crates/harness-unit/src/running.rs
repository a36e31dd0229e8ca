//! Runs test cases on a variant: each by a process, or all by one, where the framework can.

use crate::built::Built;
use crate::diagnostic::{Failure, Problem};
use crate::framework::ENDS;
use crate::kit::PREPARED;
use crate::run::build::Runnable;
use crate::run::process::{self, ProcessLimits};
use crate::run::programs::process_limits;
use crate::run::work::Work;
use crate::variant::Variant;
use crate::variants::Variants;
use std::collections::{BTreeMap, BTreeSet};
use std::fs;
use std::iter;
use std::sync::Arc;
use std::time::{Duration, Instant};
use subject::{Case, End, Outcome};

/// A file of tests with a variant, and the program that they are together, once it was needed.
pub(crate) struct Pair<'a> {
    pub(crate) built: Built<'a>,
    pub(crate) variant: &'a Variant,
    program: Option<Arc<Program>>,
    /// How many times as long as usually it may take.
    patience: u32,
}

impl<'a> Pair<'a> {
    pub(crate) fn new(built: Built<'a>, variant: &'a Variant) -> Self {
        Self { built, variant, program: None, patience: 1 }
    }

    /// Those of another pair with this variant, which are this program, and may take so many times as long.
    pub(crate) fn slow(&self, variant: &'a Variant, program: Runnable, patience: u32) -> Self {
        Self { patience, ..Self::with(self.built, variant, Program::of(self.built, program)) }
    }

    /// Leaves the folder of the program, in whose sandbox nothing runs now, to another variant, if it is a room.
    pub(crate) fn leave(self) {
        if let (Some(rooms), Some(program)) = (self.built.rooms, self.program)
            && let Some(mut program) = Arc::into_inner(program)
        {
            program.has_folder = false;
            rooms.add(program.runnable.clone());
        }
    }

    /// The same where the program is there already.
    pub(crate) fn with(built: Built<'a>, variant: &'a Variant, program: Arc<Program>) -> Self {
        Self { program: Some(program), ..Self::new(built, variant) }
    }
}

/// A program. If it has a folder of its own, that is removed with it: a suite may have many large ones.
pub(crate) struct Program {
    runnable: Runnable,
    has_folder: bool,
}

impl Program {
    fn of(built: Built<'_>, runnable: Runnable) -> Arc<Self> {
        let has_folder = runnable.folder != built.folder;
        Arc::new(Self { runnable, has_folder })
    }
}

impl Drop for Program {
    fn drop(&mut self) {
        if self.has_folder {
            // What cannot be removed now is removed with the folder of the file of tests.
            let _ = fs::remove_dir_all(&self.runnable.folder);
        }
    }
}

impl Variants {
    /// Lets a server do once what it would do with the tests for each variant. Without it, the server takes longer.
    pub(crate) fn prepare(&self, pair: &mut Pair<'_>) -> Result<(), Failure> {
        let (Some(word), Some(_)) = (self.framework.prepare(), &self.servers) else {
            return Ok(());
        };
        let Ok((outcome, _)) = self.at_once(pair, vec![word.to_owned()], 1)? else { return Ok(()) };
        if outcome.end == End::Exit(0) {
            fs::write(pair.built.folder.join(PREPARED), &outcome.stdout)
                .map_err(|error| Failure::machine("write a temporary file", error))?;
        }
        Ok(())
    }

    /// Runs cases on a variant, each with the time that it took the reference. One process tells of several cases only whether they pass
    /// or fail. Where it cannot say this, each has a process of its own. If the tests do not fit the variant, that is their problem.
    pub(crate) fn outcomes(
        &self,
        pair: &mut Pair<'_>,
        cases: &[(&Case, Duration)],
    ) -> Result<Result<Vec<(Outcome, Duration)>, Problem>, Failure> {
        let (work, variant) = (pair.built.work, pair.variant);
        if let Err(problem) = self.has_time(work) {
            return Ok(Err(problem));
        }
        let mut known = self.together(pair, cases)?.into_iter();
        let mut outcomes = Vec::with_capacity(cases.len());
        for (case, time) in cases {
            if let Err(problem) = self.has_time(work) {
                return Ok(Err(problem));
            }
            outcomes.push(match known.next().flatten() {
                Some(known) => known,
                None => match self.program(pair)? {
                    Ok(program) => {
                        self.alone(work, variant, program, case, &self.limits_of(*time))?
                    }
                    Err(problem) => return Ok(Err(problem)),
                },
            });
        }
        Ok(Ok(outcomes))
    }

    /// What one process says of the cases. There is nothing for those of which it says nothing.
    fn together(
        &self,
        pair: &mut Pair<'_>,
        cases: &[(&Case, Duration)],
    ) -> Result<Vec<Option<(Outcome, Duration)>>, Failure> {
        let Some(read) = self.framework.together().filter(|_| !self.is_isolated) else {
            return Ok(Vec::new());
        };
        // One case takes no longer by itself, unless a server would start it.
        if cases.is_empty() || cases.len() == 1 && self.servers.is_none() {
            return Ok(Vec::new());
        }
        let args = cases.iter().flat_map(|(case, _)| case.args.clone()).collect();
        let Ok((outcome, took)) = self.at_once(pair, args, cases.len())? else {
            return Ok(Vec::new());
        };
        let said = read(&String::from_utf8_lossy(&outcome.stdout));
        let of = |(case, reference): &(&Case, Duration)| {
            let (_, verdict) = said.iter().find(|(name, _)| case.args.first() == Some(name))?;
            // The process of one case is also that of the tests, which can say anything.
            let time = if cases.len() == 1 { took } else { verdict.time };
            // Its own process ends a case that takes longer than it may.
            if time > self.limits_of(*reference).time {
                return None;
            }
            let end = End::Exit(u8::from(!verdict.passed));
            let stdout = verdict.line.clone().into_bytes();
            let (stderr, files) = (Vec::new(), BTreeMap::new());
            Some((Outcome { end, stdout, stderr, files }, time))
        };
        let known: Vec<_> = cases.iter().map(of).collect();
        if self.servers.is_some() {
            // A server is no run of the suite's work.
            pair.built.work.account.charge(known.iter().flatten().map(|(_, time)| *time).sum());
        }
        Ok(known)
    }

    /// The mutants whose places each case reaches, on a program that tells them. `None` of a case that fails there, or does not tell all.
    pub(crate) fn reached(
        &self,
        pair: &mut Pair<'_>,
        cases: &[&Case],
    ) -> Result<Vec<Option<BTreeSet<String>>>, Failure> {
        let Some(read) = self.framework.together() else {
            let (work, variant) = (pair.built.work, pair.variant);
            let limits = self.limits_for(pair.patience);
            let Ok(program) = self.program(pair)? else { return Ok(vec![None; cases.len()]) };
            let told = |case: &&Case| match self.has_time(work) {
                Ok(()) => self.told(work, variant, program, case, &limits),
                Err(_) => Ok(None),
            };
            return cases.iter().map(told).collect();
        };
        let none = vec![None; cases.len()];
        if self.has_time(pair.built.work).is_err() {
            return Ok(none);
        }
        let args = cases.iter().flat_map(|case| case.args.clone()).collect();
        let Ok((outcome, _)) = self.at_once(pair, args, cases.len())? else { return Ok(none) };
        let said = read(&String::from_utf8_lossy(&outcome.stdout)).into_iter();
        let passed = said.filter(|(_, verdict)| verdict.passed);
        let mut reached: BTreeMap<_, _> = passed.map(|(name, it)| (name, it.reached)).collect();
        Ok(cases.iter().map(|case| reached.remove(case.args.first()?).flatten()).collect())
    }

    /// The same for a case in a process of its own, which prints each mutant between two control characters.
    fn told(
        &self,
        work: &Work,
        variant: &Variant,
        program: &Runnable,
        case: &Case,
        limits: &ProcessLimits,
    ) -> Result<Option<BTreeSet<String>>, Failure> {
        let (outcome, _) = self.alone(work, variant, program, case, limits)?;
        let printed = String::from_utf8_lossy(&outcome.stdout);
        let marks = printed.split('\u{1e}').skip(1).filter_map(|it| it.split_once('\u{1f}'));
        let mut reached: BTreeSet<_> = marks.map(|(id, _)| id.to_owned()).collect();
        let is_whole = reached.remove("") && outcome.end == End::Exit(0);
        Ok(is_whole.then_some(reached))
    }

    /// Runs the tests with arguments that stand for so many cases, or list them, and says how long that took.
    pub(crate) fn at_once(
        &self,
        pair: &mut Pair<'_>,
        args: Vec<String>,
        cases: usize,
    ) -> Result<Result<(Outcome, Duration), Problem>, Failure> {
        if let Some(servers) = &self.servers {
            let start = Instant::now();
            let given = iter::once(&pair.built.file.file).chain(&args).cloned().collect();
            let (outcome, took) = servers.run(given, self.kit.files(pair.built, pair.variant)?)?;
            if matches!(outcome.end, End::Exit(_)) {
                return Ok(Ok((outcome, took)));
            }
            let patience = servers.patience();
            let is_late = outcome.end == End::Timeout;
            let time = if is_late { patience } else { start.elapsed().min(patience) };
            pair.built.work.account.charge(time);
        }
        let many = u32::try_from(cases).unwrap_or(u32::MAX).max(1);
        let limits = self.limits_for(many.saturating_mul(pair.patience));
        let case = Case { args, ..Case::default() };
        let (work, variant) = (pair.built.work, pair.variant);
        Ok(match self.program(pair)? {
            Ok(program) => Ok(self.start(work, variant, program, &case, &limits)?),
            Err(problem) => Err(problem),
        })
    }

    /// The program that the tests are with the variant.
    pub(crate) fn program<'p>(
        &self,
        pair: &'p mut Pair<'_>,
    ) -> Result<Result<&'p Runnable, Problem>, Failure> {
        Ok(self.shared_program(pair)?.map(|program| &program.runnable))
    }

    /// The same for other pairs too.
    pub(crate) fn shared_program<'p>(
        &self,
        pair: &'p mut Pair<'_>,
    ) -> Result<Result<&'p Arc<Program>, Problem>, Failure> {
        if pair.program.is_none() {
            match self.kit.program(pair.built, pair.variant)? {
                Ok(program) => pair.program = Some(Program::of(pair.built, program)),
                Err(problem) => return Ok(Err(problem)),
            }
        }
        Ok(Ok(pair.program.as_ref().expect("it was just made")))
    }

    fn limits(&self) -> ProcessLimits {
        let limits = process_limits(&self.run);
        ProcessLimits { memory: limits.memory.saturating_add(self.kit.room()), ..limits }
    }

    /// The same with so many times as much time.
    fn limits_for(&self, times: u32) -> ProcessLimits {
        let limits = self.limits();
        ProcessLimits { time: limits.time.saturating_mul(times), ..limits }
    }

    /// The limits of another program on a case that takes the reference some time.
    pub(crate) fn limits_of(&self, reference: Duration) -> ProcessLimits {
        let (limits, factor) = (self.limits(), u32::try_from(self.run.factor).unwrap_or(u32::MAX));
        ProcessLimits { time: limits.time.max(reference.saturating_mul(factor)), ..limits }
    }

    /// Runs a case in a process of its own, whose status is then zero only if the framework says that the case passed.
    fn alone(
        &self,
        work: &Work,
        variant: &Variant,
        program: &Runnable,
        case: &Case,
        limits: &ProcessLimits,
    ) -> Result<(Outcome, Duration), Failure> {
        let (mut outcome, time) = self.start(work, variant, program, case, limits)?;
        if let End::Exit(status) = outcome.end {
            if self.framework.passed(status, &outcome.stdout) {
                outcome.end = End::Exit(0);
            } else if status == 0 {
                (outcome.end, outcome.stderr) = (End::Exit(1), ENDS.as_bytes().to_vec());
            }
        }
        Ok((outcome, time))
    }

    fn start(
        &self,
        work: &Work,
        variant: &Variant,
        program: &Runnable,
        case: &Case,
        limits: &ProcessLimits,
    ) -> Result<(Outcome, Duration), Failure> {
        let unstarted = |error| process::failure("run a program of tests", &error);
        if !self.framework.knows_a_secret() {
            return process::run(work, program, case, limits).map_err(unstarted);
        }
        let secret: String = iter::repeat_with(fastrand::alphanumeric).take(32).collect();
        let input = [format!("{secret}\n").into_bytes(), self.kit.input(variant)].concat();
        let case = Case { input, ..case.clone() };
        let (mut outcome, time) = process::run(work, program, &case, limits).map_err(unstarted)?;
        let printed = String::from_utf8_lossy(&outcome.stdout);
        let said: Vec<_> = printed.lines().filter_map(|it| it.strip_prefix(&*secret)).collect();
        // A test can end the program with any status.
        if said.is_empty() && outcome.end == End::Exit(0) {
            (outcome.end, outcome.stderr) = (End::Exit(1), ENDS.as_bytes().to_vec());
        }
        outcome.stdout = said.join("\n").into_bytes();
        Ok((outcome, time))
    }
}
