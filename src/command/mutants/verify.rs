//! `harness mutants verify`: builds every mutant, runs each on its witness and all on a corpus, and tells what is not as declared.

use super::{Choice, choose, print};
use crate::cli::Format;
use crate::cli::mutants::Verify;
use crate::compile::{self, Runnable, Variant};
use crate::course::{Assignment, Course, Program};
use crate::domain::Draft;
use crate::generate::arena;
use crate::matrix::{Isolated, Runner};
use crate::prepare;
use crate::problem::{Exit, Failure, Problem};
use crate::process;
use crate::progress::Progress;
use crate::report::verified::{Corpus, SCHEMA, Verified, VerifiedAssignment, Wrong};
use crate::sites;
use crate::suite::Suite;
use crate::verify::{self, Seen, Trial};
use crate::worker::{Pool, Settings};
use proptest::test_runner::{Config, RngAlgorithm, TestRng, TestRunner};
use std::collections::{BTreeMap, BTreeSet};
use std::sync::Mutex;
use std::sync::atomic::{AtomicUsize, Ordering};
use subject::wire::{Answer, Detail, Hello, MutantSet, Request};
use subject::{Case, End, How, Outcome};

/// Random cases of the corpus, for all mutants and for a few that are named.
const SAMPLES: usize = 512;
const FEW_SAMPLES: usize = 128;

pub(super) fn run(options: &Verify) -> Result<Exit, Failure> {
    let course = Course::read(&options.which.course)?;
    let mut report = Verified { schema: SCHEMA.to_owned(), assignments: Vec::new() };
    let mut problems = Vec::new();
    for choice in choose(&course, &options.which, &options.ids)? {
        let mut bench = Bench::new(&course, &choice, options);
        bench.verify()?;
        report.assignments.push(bench.report());
        problems.extend(bench.problems);
    }
    print(&report, options.which.format)?;
    if problems.is_empty() {
        return Ok(Exit::Done);
    }
    // A machine has read them in the document.
    let problems = if options.which.format == Format::Json { Vec::new() } else { problems };
    Err(Failure { exit: Exit::BrokenCourse, problems })
}

/// One assignment that is being verified.
struct Bench<'a> {
    course: &'a Course,
    choice: &'a Choice<'a>,
    options: &'a Verify,
    corpus: Corpus,
    problems: Vec<Problem>,
}

/// What was built.
struct Built {
    reference: Runnable,
    combined: Option<Runnable>,
    /// The mutants that were built on their own, by index.
    isolated: BTreeMap<usize, Runnable>,
}

impl<'a> Bench<'a> {
    fn new(course: &'a Course, choice: &'a Choice<'a>, options: &'a Verify) -> Self {
        Self { course, choice, options, corpus: Corpus::default(), problems: Vec::new() }
    }

    fn verify(&mut self) -> Result<(), Failure> {
        let (assignment, choice) = (self.choice.assignment, self.choice);
        if let Err(failure) = self.agree() {
            self.problems.extend(failure.problems);
        }
        if !self.problems.is_empty() {
            // What does not fit together can't be built.
            return Ok(());
        }
        self.problems.extend(choice.meant().flat_map(|(_, mutant)| verify::description(mutant, assignment)));
        let Some(built) = self.build() else { return Ok(()) };
        let (cases, witnesses) = self.cases()?;
        let mut runs = Runs::new(self, &built);
        let (references, seen) = runs.corpus(&cases, &mut self.problems)?;
        let trials = runs.trials(&witnesses, &cases, &references)?;
        self.problems.extend(trials.iter().filter_map(|(index, trial)| verify::trial(&choice.mutants[*index], trial)));
        self.problems.extend(choice.meant().filter_map(|(index, mutant)| verify::on_corpus(mutant, index, &cases, &seen)));
        Ok(())
    }

    /// Checks that features, catalogue files and `bug!`s are the same mutants.
    fn agree(&mut self) -> Result<(), Failure> {
        let Program::Cargo(package) = &self.choice.assignment.program else { return Ok(()) };
        if let Err(failure) = prepare::agree(self.choice.assignment, &self.choice.mutants) {
            self.problems.extend(failure.problems);
        }
        let (declared, asked, conditions) = (sites::declared(package)?, sites::asked(package)?, sites::conditions(package)?);
        self.problems.extend(verify::sites(&self.choice.mutants, &declared, &asked, &conditions));
        Ok(())
    }

    /// Builds what is needed. A mutant whose own build fails is a problem of that mutant.
    fn build(&mut self) -> Option<Built> {
        let assignment = self.choice.assignment;
        let has_combined = has_combined(assignment);
        let progress = Progress::new("building the programs", None);
        let mut variants = vec![(assignment, Variant::Reference)];
        variants.extend(has_combined.then_some((assignment, Variant::Combined)));
        let mut built = match compile::build_all(self.course, &variants) {
            Ok(built) => built.into_iter(),
            Err(failure) => {
                self.problems.extend(failure.problems);
                return None;
            }
        };
        let mut isolated = BTreeMap::new();
        if self.is_isolated() {
            // One at a time: they share a target folder.
            for (at, (index, mutant)) in self.choice.meant().enumerate() {
                progress.say(&format!("building mutant {} of {}: {}", at + 1, self.choice.meant.len(), mutant.id));
                match compile::build(self.course, assignment, Variant::Mutant(&mutant.id)) {
                    Ok(runnable) => drop(isolated.insert(index, runnable)),
                    Err(failure) => self.problems.extend(failure.problems),
                }
            }
        }
        Some(Built { reference: built.next()?, combined: built.next(), isolated })
    }

    /// Whether mutants are built on their own: always where there is no other build.
    fn is_isolated(&self) -> bool {
        !self.options.fast || !has_combined(self.choice.assignment)
    }

    /// The corpus: every witness, the sample suite, and random cases, each once; and where each mutant's witness is in it.
    fn cases(&mut self) -> Result<(Vec<Case>, BTreeMap<usize, usize>), Failure> {
        let assignment = self.choice.assignment;
        let mut drafts: Vec<Draft> = Vec::new();
        let mut numbers: BTreeMap<Draft, usize> = BTreeMap::new();
        let mut add = |draft: Draft| {
            *numbers.entry(draft).or_insert_with_key(|draft| {
                drafts.push(draft.clone());
                drafts.len() - 1
            })
        };
        let mut witnesses = BTreeMap::new();
        for (index, mutant) in self.choice.mutants.iter().enumerate() {
            if let Some(witness) = &mutant.witness {
                let draft = Draft { flags: witness.flags.clone(), input: witness.input.clone().into_bytes() };
                witnesses.insert(index, add(draft));
            }
        }
        let folder = self.course.folder.join("student_tests").join(&assignment.id);
        let tests = if folder.is_dir() { Suite::read(&folder, assignment)?.tests } else { Vec::new() };
        let before_tests = witnesses.values().collect::<BTreeSet<_>>().len();
        let mut count = before_tests;
        for test in tests {
            count = count.max(add(Draft { flags: test.name.flags, input: test.input }) + 1);
        }
        let before_samples = count;
        for sample in samples(assignment, if self.options.ids.is_empty() { SAMPLES } else { FEW_SAMPLES }) {
            count = count.max(add(sample) + 1);
        }
        self.corpus = Corpus { witnesses: before_tests, tests: before_samples - before_tests, samples: count - before_samples };
        let case =
            |draft: Draft| Case { args: arena::arguments(assignment, &draft.flags), input: draft.input, ..Case::default() };
        Ok((drafts.into_iter().map(case).collect(), witnesses))
    }

    fn report(&self) -> VerifiedAssignment {
        let meant = || self.choice.meant().map(|(_, mutant)| mutant);
        VerifiedAssignment {
            assignment: self.choice.assignment.id.clone(),
            mutants: meant().map(|mutant| mutant.id.clone()).collect(),
            equivalent: meant().filter(|mutant| !mutant.is_a_bug()).map(|mutant| mutant.id.clone()).collect(),
            isolated: self.is_isolated(),
            combined: has_combined(self.choice.assignment),
            corpus: self.corpus,
            problems: self.problems.iter().map(Wrong::from).collect(),
        }
    }
}

fn has_combined(assignment: &Assignment) -> bool {
    matches!(assignment.program, Program::Cargo(_))
}

/// Random cases, the same each time. None where the domain makes no inputs.
fn samples(assignment: &Assignment, count: usize) -> Vec<Draft> {
    let Some(generator) = assignment.domain.generator() else { return Vec::new() };
    let mut runner = TestRunner::new_with_rng(Config::default(), TestRng::from_seed(RngAlgorithm::ChaCha, &[0; 32]));
    (0..count).map(|_| generator.sample(&assignment.tests, &mut runner)).collect()
}

/// What runs the builds.
struct Runs<'a> {
    choice: &'a Choice<'a>,
    built: &'a Built,
    workers: Option<Workers>,
    jobs: usize,
}

/// The clean build and the combined one, as workers.
struct Workers {
    clean: Pool,
    combined: Pool,
}

impl<'a> Runs<'a> {
    fn new(bench: &Bench<'a>, built: &'a Built) -> Self {
        let jobs = prepare::jobs(bench.options.jobs);
        let workers = built.combined.clone().map(|combined| {
            let settings = prepare::settings(bench.choice.assignment, &bench.choice.mutants, combined);
            let hello = Hello { ids: Vec::new(), limits: settings.hello.limits };
            let clean = Settings { runnable: built.reference.clone(), hello, ..settings.clone() };
            Workers { clean: Pool::new(&clean, jobs), combined: Pool::new(&settings, jobs) }
        });
        Self { choice: bench.choice, built, workers, jobs }
    }

    /// What the reference did on each case, and what was seen of the mutants that are meant.
    fn corpus(&mut self, cases: &[Case], problems: &mut Vec<Problem>) -> Result<(Vec<Outcome>, Vec<Seen>), Failure> {
        let _progress = Progress::new("running all on a corpus", None);
        let Some(workers) = &mut self.workers else { return self.corpus_of_processes(cases) };
        let requests = |mutants: &MutantSet| -> Vec<_> {
            let request = |case: &Case| Request { case: case.clone(), mutants: mutants.clone(), detail: Detail::Reference };
            cases.iter().map(request).collect()
        };
        let clean = workers.clean.rows(&requests(&MutantSet::default()))?;
        let combined = workers.combined.rows(&requests(&self.choice.meant))?;
        problems.extend(disagreement(cases, &clean, &combined));
        let seen = combined.into_iter().map(|answer| Seen {
            valid: arena::is_valid(&answer),
            exposed: arena::exposed_by(&answer),
            reached: Some(answer.reached),
        });
        Ok((clean.into_iter().map(|answer| answer.reference).collect(), seen.collect()))
    }

    fn corpus_of_processes(&self, cases: &[Case]) -> Result<(Vec<Outcome>, Vec<Seen>), Failure> {
        let (indices, mutants): (Vec<_>, Vec<_>) =
            self.built.isolated.iter().map(|(&index, program)| (index, program.clone())).unzip();
        let run = &self.choice.assignment.run;
        let limits = prepare::process_limits(run);
        let mut runner =
            Isolated { reference: self.built.reference.clone(), mutants, limits, factor: run.factor, jobs: self.jobs };
        let rows = runner.rows(cases)?;
        let seen = rows.iter().map(|row| Seen {
            valid: row.reference.end == End::Exit(0),
            exposed: row.exposed.iter().map(|&(at, _): &(usize, How)| indices[at]).collect(),
            reached: None,
        });
        let seen = seen.collect();
        Ok((rows.into_iter().map(|row| row.reference).collect(), seen))
    }

    /// What each mutant that is meant does on its witness, in every build.
    fn trials(
        &mut self,
        witnesses: &BTreeMap<usize, usize>,
        cases: &[Case],
        references: &[Outcome],
    ) -> Result<Vec<(usize, Trial)>, Failure> {
        let _progress = Progress::new("running each on its witness", None);
        let tried: Vec<_> = self.choice.meant.iter().filter_map(|index| Some((index, *witnesses.get(&index)?))).collect();
        let combined: Vec<Option<Outcome>> = match &mut self.workers {
            None => tried.iter().map(|_| None).collect(),
            Some(workers) => {
                let request = |&(index, at): &(usize, usize)| Request {
                    case: cases[at].clone(),
                    mutants: MutantSet::from_iter([index]),
                    detail: Detail::Outcomes,
                };
                let answers = workers.combined.rows(&tried.iter().map(request).collect::<Vec<_>>())?;
                answers.into_iter().map(|answer| Some(outcome_of_one(answer))).collect()
            }
        };
        let alone = side_by_side(&tried, self.jobs, |&(index, at)| self.alone(index, &cases[at]))?;
        let trials = tried.iter().zip(combined).zip(alone).map(|((&(index, at), combined), alone)| {
            let (reference_process, isolated) = alone.unzip();
            (index, Trial { reference: references[at].clone(), reference_process, combined, isolated })
        });
        Ok(trials.collect())
    }

    /// What the reference and the mutant do as processes of their own, where the mutant was built so.
    fn alone(&self, index: usize, case: &Case) -> Result<Option<(Outcome, Outcome)>, Failure> {
        let Some(mutant) = self.built.isolated.get(&index) else { return Ok(None) };
        let run = &self.choice.assignment.run;
        let limits = prepare::process_limits(run);
        let start = |runnable: &Runnable, limits: &process::Limits| {
            process::run(runnable, case, limits)
                .map_err(|error| Failure::machine(format!("run {}", runnable.words.join(" ")), error))
        };
        let (reference, time) = start(&self.built.reference, &limits)?;
        let time = limits.time.max(time.saturating_mul(u32::try_from(run.factor).unwrap_or(u32::MAX)));
        let (outcome, _) = start(mutant, &process::Limits { time, ..limits })?;
        Ok(Some((reference, outcome)))
    }
}

/// What the one mutant that was run did: what the reference did, where it does not differ.
fn outcome_of_one(mut answer: Answer) -> Outcome {
    answer.differing.pop().and_then(|difference| difference.outcome).unwrap_or(answer.reference)
}

/// The first case on which the combined build with nothing selected is not the reference, and how many there are.
fn disagreement(cases: &[Case], clean: &[Answer], combined: &[Answer]) -> Option<Problem> {
    let differ: Vec<_> = (0..cases.len()).filter(|&at| clean[at].reference != combined[at].reference).collect();
    let first = differ.first()?;
    let message = format!(
        "the combined build with nothing selected is not the reference: they differ on {} of {} cases, the first of which follows\n{}",
        differ.len(),
        cases.len(),
        verify::described(&cases[*first])
    );
    let hint =
        "some mutant changes more than `bug!` shows: is what it asks kept from run to run, or asked where nothing is selected?";
    Some(Problem::new(message).hint(hint))
}

/// `work` on each of `items`, `jobs` at a time; the results in order.
fn side_by_side<T: Sync, R: Send>(
    items: &[T],
    jobs: usize,
    work: impl Fn(&T) -> Result<R, Failure> + Sync,
) -> Result<Vec<R>, Failure> {
    let results: Vec<Mutex<Option<Result<R, Failure>>>> = items.iter().map(|_| Mutex::default()).collect();
    let next = AtomicUsize::new(0);
    std::thread::scope(|scope| {
        for _ in 0..jobs.max(1) {
            scope.spawn(|| {
                while let Some((at, item)) = Some(next.fetch_add(1, Ordering::Relaxed)).and_then(|at| Some((at, items.get(at)?)))
                {
                    *results[at].lock().expect("no run panics") = Some(work(item));
                }
            });
        }
    });
    results.into_iter().map(|result| result.into_inner().expect("no run panicked").expect("every item was worked on")).collect()
}
