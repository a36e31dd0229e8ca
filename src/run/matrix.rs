//! The matrix: tests × mutants, a verdict each.
//!
//! A [`Runner`] turns cases into rows, whatever it is that runs. The reference goes first; a mutant is run only on what the reference
//! accepts, and an error of the machine is an error of the run, never a bug exposed.

use crate::domain::Domain;
use crate::problem::{Failure, Problem};
use crate::run::build::Runnable;
use crate::run::judge;
use crate::run::process;
use crate::run::worker::{Pool, Settings};
use std::sync::Mutex;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::time::Duration;
use subject::wire::{Answer, Detail, Difference, Hello, MutantSet, Request};
use subject::{Case, End, How, Outcome};

/// What the reference did on one case, and which mutants did otherwise.
#[derive(Clone, Debug)]
pub struct Row {
    /// The reference's outcome.
    pub reference: Outcome,
    /// The mutants that differ, by index, in order.
    pub exposed: Vec<(usize, How)>,
    /// The mutants that the reference comes to, where that is known: no other can differ.
    pub reached: Option<MutantSet>,
}

/// Something that runs every variant on cases.
pub trait Runner {
    /// The rows of `cases`, in order.
    ///
    /// # Errors
    /// Where the machine fails, or the course is broken.
    fn rows(&mut self, cases: &[Case]) -> Result<Vec<Row>, Failure>;

    /// What the reference did on one case, and those of `mutants` that differ with what each of them did.
    ///
    /// # Errors
    /// Where the machine fails, or the course is broken.
    fn outcomes(
        &mut self,
        case: &Case,
        mutants: &[usize],
    ) -> Result<(Outcome, Vec<Difference>), Failure>;
}

/// The clean build of the reference beside the combined build, both as workers.
pub struct Combined {
    domain: &'static dyn Domain,
    clean: Pool,
    combined: Pool,
    mutants: usize,
}

impl Combined {
    /// Workers of both builds. `settings` are those of the combined one.
    pub fn new(
        domain: &'static dyn Domain,
        reference: Runnable,
        settings: &Settings,
        jobs: usize,
    ) -> Self {
        let hello = Hello { ids: Vec::new(), limits: settings.hello.limits };
        let clean = Settings { runnable: reference, hello, ..settings.clone() };
        Self {
            domain,
            clean: Pool::new(&clean, jobs),
            combined: Pool::new(settings, jobs),
            mutants: settings.hello.ids.len(),
        }
    }
}

impl Combined {
    /// The whole answer on one case: the outcome of each of `mutants` that differs too.
    ///
    /// # Errors
    /// Where the machine fails, or the course is broken.
    pub fn look(&mut self, case: &Case, mutants: &MutantSet) -> Result<Answer, Failure> {
        let request = |mutants, detail| Request { case: case.clone(), mutants, detail };
        let answer = self.combined.rows(&[request(mutants.clone(), Detail::Outcomes)])?.remove(0);
        if !is_over(&answer) {
            let oracle =
                self.clean.rows(&[request(MutantSet::default(), Detail::Reference)])?.remove(0);
            agree(&oracle, &answer, case)?;
        }
        Ok(judge::judged(self.domain, case, answer))
    }
}

impl Runner for Combined {
    fn rows(&mut self, cases: &[Case]) -> Result<Vec<Row>, Failure> {
        let detail = judge::detail(self.domain, Detail::Reference);
        let request =
            |case: &Case, mutants, detail| Request { case: case.clone(), mutants, detail };
        let all: Vec<_> =
            cases.iter().map(|case| request(case, MutantSet::all(self.mutants), detail)).collect();
        let answers = self.combined.rows(&all)?;
        let asked = cases.iter().zip(&answers).filter(|(_, answer)| !is_over(answer));
        let oracle: Vec<_> =
            asked.map(|(case, _)| request(case, MutantSet::default(), Detail::Reference)).collect();
        let mut oracle = self.clean.rows(&oracle)?.into_iter();
        let mut rows = Vec::new();
        for (answer, case) in answers.into_iter().zip(cases) {
            if !is_over(&answer) {
                agree(&oracle.next().expect("it was asked"), &answer, case)?;
            }
            let answer = judge::judged(self.domain, case, answer);
            rows.push(Row {
                reference: answer.reference,
                exposed: exposed(answer.differing),
                reached: Some(answer.reached),
            });
        }
        Ok(rows)
    }

    fn outcomes(
        &mut self,
        case: &Case,
        mutants: &[usize],
    ) -> Result<(Outcome, Vec<Difference>), Failure> {
        let answer = self.look(case, &mutants.iter().copied().collect())?;
        Ok((answer.reference, answer.differing))
    }
}

fn exposed(differing: Vec<Difference>) -> Vec<(usize, How)> {
    differing.into_iter().map(|Difference { mutant, how, .. }| (mutant, how)).collect()
}

/// Whether a case takes the reference too long: it is no case for the clean build, which counts no steps.
fn is_over(answer: &Answer) -> bool {
    answer.reference.end == End::Timeout
}

/// Checks that the combined build with nothing selected did what the clean one did.
fn agree(oracle: &Answer, answer: &Answer, case: &Case) -> Result<(), Failure> {
    if oracle.reference != answer.reference {
        let message = "the combined build with nothing selected is not the reference: they differ on the case that follows";
        let case = format!("{}\n{}", case.args.join(" "), String::from_utf8_lossy(&case.input));
        let hint = "some `bug!` changes more than its own mutant; `harness mutants verify` finds out which";
        return Err(Failure::broken_course(Problem::new(format!("{message}\n{case}")).hint(hint)));
    }
    Ok(())
}

/// One program a variant, and a process a run.
pub struct Isolated {
    /// What judges.
    pub domain: &'static dyn Domain,
    /// The reference.
    pub reference: Runnable,
    /// The mutants, in the order of the catalogue.
    pub mutants: Vec<Runnable>,
    /// What a run may use; a mutant's time grows with the reference's.
    pub limits: process::Limits,
    /// How many times the reference's time a mutant may take.
    pub factor: u64,
    /// How many runs there are at the same time.
    pub jobs: usize,
}

impl Isolated {
    fn row(&self, case: &Case) -> Result<Row, Failure> {
        let (reference, differing) = self.look(case)?;
        Ok(Row { reference, exposed: exposed(differing), reached: None })
    }

    /// What the reference did on one case, and the mutants that differ with what they did. None is run where the reference rejects it.
    ///
    /// # Errors
    /// Where the machine fails.
    pub fn look(&self, case: &Case) -> Result<(Outcome, Vec<Difference>), Failure> {
        self.look_at(case, 0..self.mutants.len())
    }

    fn look_at(
        &self,
        case: &Case,
        mutants: impl Iterator<Item = usize>,
    ) -> Result<(Outcome, Vec<Difference>), Failure> {
        let (reference, time) = run(&self.reference, case, &self.limits)?;
        let mut differing = Vec::new();
        if reference.end != End::Exit(0) {
            return Ok((reference, differing));
        }
        let time = self
            .limits
            .time
            .max(time.saturating_mul(u32::try_from(self.factor).unwrap_or(u32::MAX)));
        let limits = process::Limits { time, ..self.limits };
        for mutant in mutants {
            let (outcome, _) = run(&self.mutants[mutant], case, &limits)?;
            let fault = self.domain.judge(case, &reference, &outcome);
            differing.extend(fault.map(|fault| Difference {
                mutant,
                how: fault.how,
                outcome: Some(outcome),
            }));
        }
        Ok((reference, differing))
    }
}

impl Runner for Isolated {
    fn rows(&mut self, cases: &[Case]) -> Result<Vec<Row>, Failure> {
        let rows: Vec<Mutex<Option<Result<Row, Failure>>>> =
            cases.iter().map(|_| Mutex::default()).collect();
        let next = AtomicUsize::new(0);
        std::thread::scope(|scope| {
            for _ in 0..self.jobs.max(1) {
                scope.spawn(|| {
                    loop {
                        let at = next.fetch_add(1, Ordering::Relaxed);
                        let Some(case) = cases.get(at) else { break };
                        *rows[at].lock().expect("no run panics") = Some(self.row(case));
                    }
                });
            }
        });
        rows.into_iter()
            .map(|row| row.into_inner().expect("no run panicked").expect("every case was run"))
            .collect()
    }

    fn outcomes(
        &mut self,
        case: &Case,
        mutants: &[usize],
    ) -> Result<(Outcome, Vec<Difference>), Failure> {
        self.look_at(case, mutants.iter().copied())
    }
}

fn run(
    runnable: &Runnable,
    case: &Case,
    limits: &process::Limits,
) -> Result<(Outcome, Duration), Failure> {
    process::run(runnable, case, limits)
        .map_err(|error| Failure::machine(format!("run {}", runnable.words.join(" ")), error))
}
