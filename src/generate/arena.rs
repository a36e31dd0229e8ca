//! Where cases meet the combined build: drafts in, exposed mutants out.

use crate::course::Assignment;
use crate::domain::{Draft, Generator};
use crate::problem::Failure;
use crate::problem::progress::Progress;
use crate::run::interrupt;
use crate::run::judge;
use crate::run::worker::Pool;
use crate::suite::decode::{self, Spelled};
use std::time::Instant;
use subject::MutantSet;
use subject::wire::{Answer, Detail, Request};
use subject::{Case, End};

/// The combined build of an assignment, ready for drafts.
pub struct Arena<'a> {
    /// The assignment.
    pub assignment: &'a Assignment,
    /// What makes its inputs.
    pub generator: &'a dyn Generator,
    pool: Pool,
    start: Instant,
    deadline: Option<Instant>,
    progress: Progress,
    /// What progress calls the mutants, by index.
    ids: Vec<String>,
}

/// Drafts that are run together, each on the same mutants.
pub struct Batch<'a> {
    /// The drafts.
    pub drafts: Vec<Draft>,
    /// The mutants.
    pub mutants: &'a MutantSet,
}

/// Drafts that a lane takes at a time.
const BATCH: usize = 16;

impl<'a> Arena<'a> {
    /// An arena on `pool`, whose workers are of the combined build. After `deadline` it is out of time.
    pub fn new(
        assignment: &'a Assignment,
        generator: &'a dyn Generator,
        pool: Pool,
        deadline: Option<Instant>,
    ) -> Self {
        Self {
            assignment,
            generator,
            pool,
            start: Instant::now(),
            deadline,
            progress: Progress::none(),
            ids: Vec::new(),
        }
    }

    /// The same arena, with its progress on a terminal, where mutants are called by `ids`.
    #[must_use]
    pub fn watched(mut self, ids: Vec<String>) -> Self {
        self.progress = Progress::of_cases("");
        self.ids = ids;
        self
    }

    /// Says what is happening now.
    pub fn say(&self, what: &str) {
        self.progress.say(what);
    }

    /// Says what is still looked for, and what was found last.
    pub fn say_missing(&self, what: &str, missing: &MutantSet, last: Option<(usize, &Draft)>) {
        let last = last.and_then(|(mutant, draft)| {
            Some((self.ids.get(mutant)?, self.generator.area(&draft.input)))
        });
        let last =
            last.map(|(id, area)| format!(", last found {id} (area {area})")).unwrap_or_default();
        self.progress.say(&format!("{what}: {} mutants left{last}", missing.len()));
    }

    /// Whether the time that was given is over, or the user wants no more.
    pub fn out_of_time(&self) -> bool {
        self.has_spent(1.0)
    }

    /// Whether this part of the time that was given is over, or the user wants no more.
    pub fn has_spent(&self, part: f64) -> bool {
        let is_over = |deadline: Instant| {
            self.start.elapsed() >= deadline.saturating_duration_since(self.start).mul_f64(part)
        };
        self.deadline.is_some_and(is_over) || interrupt::requested()
    }

    /// The mutants among `targets` that each of `drafts` exposes: none where the reference rejects it.
    ///
    /// # Errors
    /// Where a worker can't be started.
    pub fn exposed(
        &mut self,
        drafts: &[Draft],
        targets: &MutantSet,
    ) -> Result<Vec<MutantSet>, Failure> {
        let batches: Vec<_> = drafts.chunks(BATCH).collect();
        let make = |at: usize| Batch { drafts: batches[at].to_vec(), mutants: targets };
        let exposed = self.sweep(batches.len(), make, |_, _, answers| {
            answers.iter().map(exposed_by).collect::<Vec<_>>()
        })?;
        Ok(exposed.into_iter().flatten().collect())
    }

    /// Runs `count` batches, each made by `make` and digested with its judged answers, on whatever lane is free.
    ///
    /// # Errors
    /// Where a worker can't be started.
    pub fn sweep<'b, T: Send>(
        &mut self,
        count: usize,
        make: impl Fn(usize) -> Batch<'b> + Sync,
        digest: impl Fn(usize, Vec<Draft>, Vec<Answer>) -> T + Sync,
    ) -> Result<Vec<T>, Failure> {
        let (assignment, domain, progress) =
            (self.assignment, self.assignment.domain, &self.progress);
        let detail = judge::detail(domain, Detail::Verdicts);
        self.pool.sweep(
            count,
            |at| {
                let batch = make(at);
                let request = |draft: &Draft| Request {
                    case: case(assignment, draft),
                    mutants: batch.mutants.clone(),
                    detail,
                };
                (batch.drafts.iter().map(request).collect(), batch.drafts)
            },
            |at, drafts, mut answers| {
                progress.add(drafts.len() as u64);
                if domain.has_many_answers() {
                    let judge =
                        |(draft, answer)| judge::judged(domain, &case(assignment, draft), answer);
                    answers = drafts.iter().zip(answers).map(judge).collect();
                }
                digest(at, drafts, answers)
            },
        )
    }
}

/// The mutants that an answer says are exposed.
pub fn exposed_by(answer: &Answer) -> MutantSet {
    answer.differing.iter().map(|difference| difference.mutant).collect()
}

/// Whether the reference accepted the case.
pub fn is_valid(answer: &Answer) -> bool {
    answer.reference.end == End::Exit(0)
}

/// The case of a draft, its options spelled long. A draft whose flags break a rule is run without options: the reference rejects it.
pub fn case(assignment: &Assignment, draft: &Draft) -> Case {
    decode::case(assignment, &draft.flags, draft.input.clone(), &Spelled::LONG).unwrap_or_default()
}
