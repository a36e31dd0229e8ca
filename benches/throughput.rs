//! Measures how many mutants the combined build runs per second on sampled maps, compared with one process for each run.
//!
//! Run it with `cargo bench --bench throughput`. It prints runs for each second of processor time, of all programs and of the harness,
//! and where the time goes. So a busy machine changes the figures less than a clock would.
//!
//! Only what is run counts as a run. A mutant that cannot matter on a map has its verdict without one, so more such mutants make a whole
//! row faster, but the runs that are left slower on average. Compare whole rows if the conditions of mutants have changed.

#![expect(clippy::print_stdout, reason = "a benchmark prints its figures")]

use harness::catalogue;
use harness::course::Course;
use harness::generate::evaluator::{Batch, Evaluator};
use harness::run::build::{self, Variant};
use harness::run::prepare;
use harness::run::process::usage_of_tree;
use harness::run::programs::{Builds, Plan, Programs};
use harness::run::work::Work;
use harness::suite::decode;
use proptest::test_runner::{Config, RngAlgorithm, TestRng, TestRunner};
use std::path::Path;
use std::time::Duration;
use subject::wire::MutantSet;

const CASES: usize = 20_000;

fn main() {
    harness::sandbox::enter();
    let course =
        Course::read(Path::new(env!("CARGO_MANIFEST_DIR"))).expect("the course file is valid");
    let assignment = course.assignment("puzzle").expect("there is a puzzle");
    let jobs = prepare::jobs(None);
    let mut evaluator =
        Evaluator::build(&Work::default(), &course, assignment, jobs).expect("it builds");
    let generator = evaluator.generator;
    let all = MutantSet::all(evaluator.mutants.len());

    let mut runner = TestRunner::new_with_rng(
        Config::default(),
        TestRng::from_seed(RngAlgorithm::ChaCha, &[7; 32]),
    );
    let before = used();
    let drafts: Vec<_> =
        (0..CASES).map(|_| generator.sample(&assignment.tests, &mut runner)).collect();
    let making = used().saturating_sub(before);

    let mut sweep = |mutants: &MutantSet| {
        let batches: Vec<_> = drafts.chunks(64).collect();
        let before = used();
        let runs = evaluator
            .sweep(
                batches.len(),
                |at| Batch::new(batches[at].to_vec(), mutants),
                |_, _, answers| {
                    answers
                        .iter()
                        .map(|answer| answer.reached.both(mutants).len() + 1)
                        .sum::<usize>()
                },
            )
            .expect("the workers run");
        (runs.iter().sum::<usize>(), used().saturating_sub(before))
    };
    sweep(&all);
    let (reference_runs, reference) = sweep(&MutantSet::default());
    let (runs, whole) = sweep(&all);
    let per_second = |runs: usize, time: Duration| runs as f64 / time.as_secs_f64();
    let each = |time: Duration| time.as_secs_f64() * 1e6 / CASES as f64;
    println!("{CASES} sampled maps, {} mutant runs, {jobs} cores", runs - CASES);
    println!("making a case                   {:>8.1} us", each(making));
    println!("pipe and reference, per case    {:>8.1} us", each(reference));
    println!("mutants, per case               {:>8.1} us", each(whole.saturating_sub(reference)));
    println!("reference runs per s            {:>8.0}", per_second(reference_runs, reference));
    println!("mutant runs per s               {:>8.0}", per_second(runs - CASES, whole));
    println!("verdicts per s                  {:>8.0}", per_second(CASES * all.len(), whole));
    println!("whole rows per s                {:>8.0}", per_second(CASES, whole));

    // Every mutant is the reference's own program, so that nothing more is built.
    let reference =
        build::build(&course, assignment, Variant::Reference).expect("the reference builds");
    let mutants = catalogue::read(assignment).expect("the catalogue is fine");
    let plan = Plan::new(&Work::default(), &course, assignment, &mutants).only(MutantSet::all(10));
    let plan = plan.with(Builds::Isolated).jobs(jobs);
    let programs = vec![reference.clone(); 10];
    let isolated = Programs::new(&plan, reference, programs);
    let mut isolated = isolated.expect("the domain judges");
    let cases: Vec<_> =
        drafts.iter().take(100).map(|draft| decode::case_of_draft(assignment, draft)).collect();
    let before = used();
    isolated.rows(&cases).expect("the processes run");
    let processes = per_second(cases.len() * 11, used().saturating_sub(before));
    println!(
        "processes per s                 {processes:>8.0}   ({:.0} times fewer)",
        per_second(runs - CASES, whole) / processes
    );
}

/// The processor time of this process, and of all programs that it has started.
fn used() -> Duration {
    usage_of_tree(std::process::id()).expect("the system tells").processor
}
