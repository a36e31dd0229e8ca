//! Measures scoring: one suite, compared with one process for each run; a cold build of all mutants, compared with the reference alone;
//! and the time and memory for a large class.
//!
//! Run it with `cargo bench --bench score`. The benchmark generates the same class each time.

#![expect(clippy::print_stdout, reason = "a benchmark prints its figures")]

use harness::catalogue;
use harness::course::{Assignment, Course};
use harness::run::build::{self, Variant};
use harness::run::prepare;
use harness::run::programs::{Builds, Plan, Programs};
use harness::run::work::Work;
use harness::suite::decode::{self, Spelled};
use harness::suite::spelling::Spelling;
use harness::suite::{Suite, name};
use proptest::test_runner::{Config, RngAlgorithm, TestRng, TestRunner};
use std::fs;
use std::io;
use std::path::Path;
use std::process::{Child, Command, Stdio};
use std::time::{Duration, Instant};

const ROOT: &str = env!("CARGO_MANIFEST_DIR");
const SUITE: &str = "student_tests/puzzle";
/// How often a short operation is measured. The fastest time counts.
const RUNS: usize = 10;
const BUILDS: usize = 3;
const CLASSES: [usize; 2] = [100, 1000];
const TESTS: u32 = 15;

fn main() {
    harness::sandbox::enter();
    let course = Course::read(Path::new(ROOT)).expect("the course file is valid");
    let assignment = course.assignment("puzzle").expect("there is a puzzle");
    let mutants = catalogue::read(assignment).expect("the catalogue is fine");
    let jobs = prepare::jobs(None);
    println!("{} mutants, {jobs} at a time\n", mutants.len());
    one_suite(&Plan::new(&Work::default(), &course, assignment, &mutants).jobs(jobs));
    cold_build(&course);
    class(assignment);
}

/// `harness score` from its start to its end, Cargo's checks included, beside the bare runs of the same matrix as processes. Every
/// mutant there is the reference's own program: nothing is built, checked or reported, and no run has to be cut, so that the processes
/// are never slower than they would have to be.
fn one_suite(plan: &Plan<'_>) {
    let whole = fastest(RUNS, || {
        let scored = harness(&[SUITE]).stdout(Stdio::null()).status().expect("harness starts");
        assert!(scored.success(), "{scored}");
    });
    let suite =
        Suite::read(&Path::new(ROOT).join(SUITE), plan.assignment).expect("the suite is there");
    let cases: Vec<_> = suite
        .tests
        .iter()
        .map(|test| {
            let spelled = Spelled { spelling: Spelling::Mixed, file: &test.file, seed: 0 };
            decode::case(plan.assignment, &test.name.flags, test.input.clone(), &spelled)
                .expect("the name was read before")
        })
        .collect();
    let reference =
        build::build(plan.course, plan.assignment, Variant::Reference).expect("it builds");
    let mutants = vec![reference.clone(); plan.mutants.len()];
    let isolated = Programs::new(&plan.clone().with(Builds::Isolated), reference, mutants);
    let mut isolated = isolated.expect("the domain judges");
    let processes = fastest(BUILDS, || drop(isolated.rows(&cases).expect("the processes run")));
    println!("one suite of {} tests", cases.len());
    println!("  harness score, in total       {:>8.1} ms   goal: tens of ms", milliseconds(whole));
    println!(
        "  {:>4} processes, the runs alone {:>8.1} ms",
        cases.len() * (plan.mutants.len() + 1),
        milliseconds(processes)
    );
    println!(
        "  ratio                         {:>8.3}      goal: at most 0.1\n",
        whole.as_secs_f64() / processes.as_secs_f64()
    );
}

/// Builds into new target folders, alternating both kinds so that both run under the same load.
fn cold_build(course: &Course) {
    let assignment = course.assignment("puzzle").expect("there is a puzzle");
    let build = |variants: &[(&Assignment, Variant<'_>)]| {
        let folder = tempfile::tempdir().expect("there is room for a build");
        // Programs are built below the course's folder, which is empty here.
        let elsewhere = Course {
            file: course.file.clone(),
            title: course.title.clone(),
            folder: folder.path().to_owned(),
            assignments: Vec::new(),
        };
        fastest(1, || drop(build::all(&elsewhere, variants).expect("it builds")))
    };
    let both = [(assignment, Variant::Reference), (assignment, Variant::Combined)];
    let times: Vec<_> = (0..BUILDS).map(|_| (build(&both[..1]), build(&both))).collect();
    let reference = times.iter().map(|times| times.0).min().unwrap_or_default();
    let all = times.iter().map(|times| times.1).min().unwrap_or_default();
    println!("a cold build");
    println!("  reference                     {:>8.2} s", reference.as_secs_f64());
    println!("  reference and all mutants     {:>8.2} s", all.as_secs_f64());
    println!(
        "  ratio                         {:>8.2}      goal: at most 2.5\n",
        all.as_secs_f64() / reference.as_secs_f64()
    );
}

fn class(assignment: &Assignment) {
    println!(
        "a class                          time    memory   goal: 20 s for 1000, and memory that does not grow"
    );
    for suites in CLASSES {
        let class = tempfile::tempdir().expect("there is room for a class");
        write_class(class.path(), suites, assignment).expect("there is room for a class");
        for format in ["text", "json"] {
            let folder = class.path().to_str().expect("temporary folders have plain names");
            let mut command = harness(&[folder, "--assignment", "puzzle", "--format", format]);
            let start = Instant::now();
            let child = command.stdout(Stdio::piped()).spawn().expect("harness starts");
            let memory = watch(child).expect("the process can be watched");
            let memory = memory
                .map_or("unknown".to_owned(), |memory| format!("{:.1} MB", memory as f64 / 1024.0));
            println!(
                "  {suites:>4} suites, {format}           {:>8.2} s  {memory:>8}",
                start.elapsed().as_secs_f64()
            );
        }
    }
}

/// Writes suites of sampled maps, which repeat no other.
fn write_class(folder: &Path, suites: usize, assignment: &Assignment) -> io::Result<()> {
    let generator = assignment.domain.generator().expect("the domain makes inputs");
    let mut runner = TestRunner::new_with_rng(
        Config::default(),
        TestRng::from_seed(RngAlgorithm::ChaCha, &[7; 32]),
    );
    for student in 1..=suites {
        let suite = folder.join(format!("student-{student:04}"));
        fs::create_dir(&suite)?;
        for number in 1..=TESTS {
            let draft = generator.sample(&assignment.tests, &mut runner);
            fs::write(suite.join(name::file_name(number, &draft.flags)), draft.input)?;
        }
    }
    Ok(())
}

/// Waits until `child` ends, and discards its output. Returns its peak memory in kB, if the system reports it.
fn watch(mut child: Child) -> io::Result<Option<u64>> {
    const LOOK: Duration = Duration::from_millis(1);
    let mut stdout = child.stdout.take().expect("standard output is a pipe");
    let reader = std::thread::spawn(move || io::copy(&mut stdout, &mut io::sink()));
    let mut most = None;
    let status = loop {
        most = most.max(peak_memory(child.id()));
        if let Some(status) = child.try_wait()? {
            break status;
        }
        std::thread::sleep(LOOK);
    };
    assert!(status.success(), "{status}");
    reader.join().expect("the reader does not panic")?;
    Ok(most)
}

/// The peak memory of a process so far, in kB, if the system reports it.
fn peak_memory(process: u32) -> Option<u64> {
    let status = fs::read_to_string(format!("/proc/{process}/status")).ok()?;
    let line = status.lines().find_map(|line| line.strip_prefix("VmHWM:"))?;
    line.trim().strip_suffix(" kB")?.parse().ok()
}

fn harness(args: &[&str]) -> Command {
    let mut command = Command::new(env!("CARGO_BIN_EXE_harness"));
    command.current_dir(ROOT).arg("score").args(args);
    command
}

fn fastest(runs: usize, mut work: impl FnMut()) -> Duration {
    let time = |()| {
        let start = Instant::now();
        work();
        start.elapsed()
    };
    std::iter::repeat_n((), runs).map(time).min().unwrap_or_default()
}

fn milliseconds(time: Duration) -> f64 {
    time.as_secs_f64() * 1e3
}
