//! Where cases meet the combined build: drafts in, exposed mutants out.

use crate::course::Assignment;
use crate::domain::{Draft, Generator};
use crate::interrupt;
use crate::problem::Failure;
use crate::progress::Progress;
use crate::spelling::{self, Spelling};
use crate::suite::name;
use crate::worker::Pool;
use std::collections::HashMap;
use std::time::Instant;
use subject::wire::{Answer, Detail, MutantSet, Request};
use subject::{Case, End};

/// The combined build of an assignment, ready for drafts.
pub struct Arena<'a> {
    /// The assignment.
    pub assignment: &'a Assignment,
    /// What makes its inputs.
    pub generator: &'a dyn Generator,
    pool: Pool,
    deadline: Option<Instant>,
    progress: Progress,
    /// What progress calls the mutants, by index.
    ids: Vec<String>,
    /// The arguments of each combination of flags.
    args: HashMap<String, Vec<String>>,
    flags: HashMap<Vec<String>, String>,
}

/// Cases that a lane takes at a time.
const BATCH: usize = 16;

impl<'a> Arena<'a> {
    /// An arena on `pool`, whose workers are of the combined build. After `deadline` it is out of time.
    pub fn new(assignment: &'a Assignment, generator: &'a dyn Generator, pool: Pool, deadline: Option<Instant>) -> Self {
        let combinations = name::combinations(&assignment.tests).into_iter();
        let args: HashMap<_, _> = combinations.map(|flags| (flags.clone(), arguments(assignment, &flags))).collect();
        let flags = args.iter().map(|(flags, args)| (args.clone(), flags.clone())).collect();
        Self { assignment, generator, pool, deadline, progress: Progress::none(), ids: Vec::new(), args, flags }
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
        let last = last.and_then(|(mutant, draft)| Some((self.ids.get(mutant)?, self.generator.area(&draft.input))));
        let last = last.map(|(id, area)| format!(", last found {id} (area {area})")).unwrap_or_default();
        self.progress.say(&format!("{what}: {} mutants left{last}", missing.len()));
    }

    /// Whether the time that was given is over, or the user wants no more.
    pub fn out_of_time(&self) -> bool {
        self.deadline.is_some_and(|deadline| Instant::now() >= deadline) || interrupt::requested()
    }

    /// The mutants among `targets` that each of `drafts` exposes: none where the reference rejects it.
    ///
    /// # Errors
    /// Where a worker can't be started.
    pub fn exposed(&mut self, drafts: &[Draft], targets: &MutantSet) -> Result<Vec<MutantSet>, Failure> {
        let batches: Vec<_> = drafts.chunks(BATCH).collect();
        let answers = self.sweep(
            batches.len(),
            |arena, at| batches[at].iter().map(|draft| arena.request(draft.clone(), targets, Detail::Verdicts)).collect(),
            |_, _, _, answers| answers.iter().map(exposed_by).collect::<Vec<_>>(),
        )?;
        Ok(answers.into_iter().flatten().collect())
    }

    /// Runs `count` batches, made and digested on whatever lane is free.
    ///
    /// # Errors
    /// Where a worker can't be started.
    pub fn sweep<T: Send>(
        &mut self,
        count: usize,
        make: impl Fn(&Asking<'_>, usize) -> Vec<Request> + Sync,
        digest: impl Fn(&Asking<'_>, usize, Vec<Request>, Vec<Answer>) -> T + Sync,
    ) -> Result<Vec<T>, Failure> {
        let asking = Asking { args: &self.args, flags: &self.flags };
        let progress = &self.progress;
        self.pool.sweep(
            count,
            |at| make(&asking, at),
            |at, batch, answers| {
                progress.add(batch.len() as u64);
                digest(&asking, at, batch, answers)
            },
        )
    }
}

/// What is needed to turn drafts into requests and back, on any thread.
pub struct Asking<'a> {
    args: &'a HashMap<String, Vec<String>>,
    flags: &'a HashMap<Vec<String>, String>,
}

impl Asking<'_> {
    /// What asks for the row of `draft`, with only these mutants run.
    pub fn request(&self, draft: Draft, mutants: &MutantSet, detail: Detail) -> Request {
        let args = self.args.get(&draft.flags).cloned().unwrap_or_default();
        Request { case: Case { args, input: draft.input, ..Case::default() }, mutants: mutants.clone(), detail }
    }

    /// The draft that a request was made from.
    pub fn draft(&self, request: &Request) -> Draft {
        let flags = self.flags.get(&request.case.args).cloned().unwrap_or_default();
        Draft { flags, input: request.case.input.clone() }
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

/// The command line of a combination of flags, in long options.
pub fn arguments(assignment: &Assignment, flags: &str) -> Vec<String> {
    let chosen = name::flags(flags, &assignment.tests).unwrap_or_default();
    spelling::arguments(&chosen, Spelling::Long, "", 0)
}
