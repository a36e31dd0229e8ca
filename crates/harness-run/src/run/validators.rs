//! Runs the validators of an assignment: programs that decide which inputs are valid. What they say is cached.
//!
//! A validator runs by the fastest engine that fits it. A process confirms that an input is not valid.
//!
//! A row of the matrix asks them before anything runs. A search asks them only about cases on which a mutant differs, because most
//! cases show nothing, unless most cases are not valid (`discarded.rs`).

use crate::course::{Assignment, Course, Rule};
use crate::diagnostic::{Failure, FailureKind, without_traceback};
use crate::run::inspector::{self, Inspector};
use crate::run::program::Slower;
use crate::run::single::Single;
use crate::run::work::Work;
use sha2::{Digest, Sha256};
use std::collections::HashMap;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Mutex, MutexGuard, PoisonError};
use subject::{Case, End, Outcome};

/// The validators of an assignment.
pub(super) struct Validators {
    all: Vec<Validator>,
    /// What they say of inputs, by a hash.
    known: Mutex<HashMap<[u8; 32], Verdict>>,
}

/// The most inputs of which it is remembered what validators say. A long search has more.
const MOST_KNOWN: usize = 1 << 20;

/// Why an input is not valid; `None` if it is.
pub(super) type Verdict = Option<String>;

struct Validator {
    rule: Rule,
    inspector: Inspector,
    worker: Mutex<Single>,
    /// Whether it has given a verdict.
    has_worked: AtomicBool,
}

/// What the exit status that ends a C or C++ program by `assert` looks like.
const ASSERTION: &str = "signal 6";

impl Validators {
    /// Those of `assignment`, whose sources are built first.
    ///
    /// # Errors
    /// If one of them cannot be built, or is not there.
    pub(super) fn new(
        work: &Work,
        course: &Course,
        assignment: &Assignment,
    ) -> Result<Self, Failure> {
        let validator = |settings: &crate::course::Validator| {
            let inspector = Inspector::new(work, course, assignment, &settings.inspector)?;
            inspector.program().map_err(Failure::broken_course)?;
            let (name, limits) =
                (format!("the validator {}", inspector.name()), inspector.limits());
            let runnable = &inspector.runnable;
            let worker = Single::new(work, course, assignment, &name, runnable, limits);
            Ok(Validator {
                rule: settings.rule,
                inspector,
                worker: Mutex::new(worker),
                has_worked: AtomicBool::new(false),
            })
        };
        let all = assignment.validators.iter().map(validator).collect::<Result<_, Failure>>()?;
        Ok(Self { all, known: Mutex::default() })
    }

    /// Whether there are none.
    pub(super) fn is_empty(&self) -> bool {
        self.all.is_empty()
    }

    /// Whether a search is over, so that it may be unknown whether an input is valid that counts as not valid.
    pub(super) fn are_over(&self) -> bool {
        self.all.iter().any(|validator| validator.inspector.work.search.is_over())
    }

    /// Those that do not run by the fastest engine of their kind.
    pub(super) fn slower(&self) -> impl Iterator<Item = Slower> {
        self.all.iter().filter_map(|validator| lock(&validator.worker).slower())
    }

    /// Why each of `cases` is not valid; `None` if it is. If a search is over, those that are left count as not valid.
    ///
    /// # Errors
    /// If a validator fails.
    pub(super) fn verdicts(&self, cases: &[&Case]) -> Result<Vec<Verdict>, Failure> {
        let keys: Vec<_> = cases.iter().map(|case| key(case)).collect();
        let mut verdicts: Vec<_> = {
            let known = lock(&self.known);
            keys.iter().map(|key| known.get(key).cloned()).collect()
        };
        let new: Vec<_> = (0..cases.len()).filter(|&at| verdicts[at].is_none()).collect();
        let asked: Vec<_> = new.iter().map(|&at| cases[at]).collect();
        let asked = self.asked(&asked)?;
        let mut known = lock(&self.known);
        if known.len() > MOST_KNOWN {
            known.clear();
        }
        for (at, verdict) in new.into_iter().zip(asked) {
            if let Some(verdict) = &verdict {
                known.insert(keys[at], verdict.clone());
            }
            verdicts[at] = verdict;
        }
        let left = || Some("the search was over".to_owned());
        Ok(verdicts.into_iter().map(|verdict| verdict.unwrap_or_else(left)).collect())
    }

    /// What all validators say of `cases`. `None` for those that were left when a search was over.
    fn asked(&self, cases: &[&Case]) -> Result<Vec<Option<Verdict>>, Failure> {
        let mut verdicts = vec![Some(None); cases.len()];
        for validator in &self.all {
            let valid = (0..cases.len()).filter(|&at| verdicts[at] == Some(None));
            let valid: Vec<_> = valid.collect();
            let inputs: Vec<_> = valid.iter().map(|&at| validator.case(cases[at])).collect();
            let outcomes = {
                let (limits, search) =
                    (validator.inspector.limits(), &validator.inspector.work.search);
                lock(&validator.worker).run(&inputs, &limits, None, || search.is_over())?
            };
            for ((at, input), outcome) in valid.into_iter().zip(&inputs).zip(outcomes) {
                let verdict = outcome.map(|(outcome, _)| validator.confirmed(input, &outcome));
                verdicts[at] = verdict.transpose()?;
            }
        }
        Ok(verdicts)
    }

    /// Why `case` is not valid, according to processes.
    ///
    /// # Errors
    /// If a validator fails.
    pub(super) fn verdict_by_process(&self, case: &Case) -> Result<Verdict, Failure> {
        for validator in &self.all {
            let input = validator.case(case);
            let verdict = validator.meaning(&validator.inspector.run(&input)?)?;
            if verdict.is_some() {
                return Ok(verdict);
            }
        }
        Ok(None)
    }
}

impl Validator {
    /// How it is called for a case.
    fn case(&self, case: &Case) -> Case {
        let args = self.inspector.args().to_vec();
        Case { args, input: super::judge::input(case).to_vec(), ..Case::default() }
    }

    /// What an outcome means. Only a process is believed if it is not that the input is valid. A search, which has many other inputs,
    /// asks no process, and goes on where a validator fails that has worked before.
    fn confirmed(&self, input: &Case, outcome: &Outcome) -> Result<Verdict, Failure> {
        let is_search = self.inspector.work.search.is_on();
        match self.meaning(outcome) {
            Ok(verdict) if verdict.is_none() || is_search => {
                self.has_worked.store(true, Ordering::Relaxed);
                return Ok(verdict);
            }
            Err(failure)
                if is_search
                    && failure.kind == FailureKind::Course
                    && self.has_worked.load(Ordering::Relaxed) =>
            {
                let message = failure.problems.into_iter().next().map(|problem| problem.message);
                return Ok(Some(message.unwrap_or_default()));
            }
            _ => {}
        }
        let by_process = self.inspector.run(input)?;
        if by_process.end != outcome.end {
            lock(&self.worker).distrust("it did something else than a process");
        }
        self.meaning(&by_process)
    }

    fn meaning(&self, outcome: &Outcome) -> Result<Verdict, Failure> {
        let said = said(outcome);
        let refused =
            |said: Option<String>| {
                Some(said.unwrap_or_else(|| {
                    format!("the validator {} rejects it", self.inspector.name())
                }))
            };
        match (self.rule, &outcome.end) {
            (Rule::Kattis, End::Exit(42)) | (Rule::Testlib, End::Exit(0)) => Ok(None),
            (Rule::Kattis, End::Exit(_)) | (Rule::Testlib, End::Exit(3)) => Ok(refused(said)),
            (Rule::Kattis, End::Crash(how)) if how == ASSERTION => Ok(refused(said)),
            (Rule::Testlib, End::Exit(status)) => {
                let what = format!("exits with status {status}, but 0 is valid and 3 is not");
                Err(self.inspector.failure(&what, said))
            }
            (_, end) => Err(self.inspector.no_verdict(end, said)),
        }
    }
}

/// What a validator says: on standard error, or else on standard output. Of a traceback in Python, only the last line.
fn said(outcome: &Outcome) -> Option<String> {
    let streams = [&outcome.stderr, &outcome.stdout].map(|stream| String::from_utf8_lossy(stream));
    let said = streams.iter().find(|text| !text.trim().is_empty())?;
    inspector::message(without_traceback(said))
}

/// An outcome of the reference that stands for an input that is not valid.
pub(super) fn rejected(why: &str) -> Outcome {
    Outcome {
        end: End::Exit(1),
        stdout: Vec::new(),
        stderr: why.as_bytes().to_vec(),
        files: std::collections::BTreeMap::new(),
    }
}

fn key(case: &Case) -> [u8; 32] {
    Sha256::digest(super::judge::input(case)).into()
}

fn lock<T>(mutex: &Mutex<T>) -> MutexGuard<'_, T> {
    mutex.lock().unwrap_or_else(PoisonError::into_inner)
}
