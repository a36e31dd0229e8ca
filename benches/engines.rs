//! Measures the engines: runs per second of programs in C++, Python and Java beside processes and beside the Rust worker, a warm `score`
//! of a C++ suite, and cases per second of `generate --against`. All figures of a ratio are from one run.
//!
//! Run it with `cargo bench --bench engines`.

#![expect(clippy::print_stdout, reason = "a benchmark prints its figures")]

use harness::course::Course;
use harness::report::generated::Generated;
use harness::run::prepare;
use harness::run::programs::{Plan, Programs};
use harness::run::work::Work;
use harness::suite::decode;
use proptest::test_runner::{Config, RngAlgorithm, TestRng, TestRunner};
use std::fs;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};
use std::time::{Duration, Instant};
use subject::Case;
use subject::wire::{Detail, MutantSet, Request};

const ROOT: &str = env!("CARGO_MANIFEST_DIR");
/// Cases of the fast engines, and of processes.
const CASES: usize = 4000;
const FEW: usize = 200;
const REPEATS: usize = 5;

fn main() {
    harness::sandbox::enter();
    let root = Course::read(Path::new(ROOT)).expect("the course file is valid");
    let cpp = Path::new(ROOT).join("examples/puzzle-cpp");
    let cpp_course = Course::read(&cpp).expect("the course file is valid");
    let maps: Vec<_> = (0..CASES).map(map).collect();
    println!("10x10 maps, runs per second");
    let [rust, _] = measure("Rust", &root, "puzzle", &maps);
    let [worker, processes] = measure("C++", &cpp_course, "puzzle", &maps);
    println!("  C++ to processes     {:>8.0} times   goal: at least 130", worker / processes);
    println!("  Rust worker to C++   {:>8.1} times   goal: at most 3", rust / worker);
    println!("\nmaps as `generate` draws them, runs per second");
    let drawn = sample(&cpp_course, "puzzle");
    let [worker, processes] = measure("C++", &cpp_course, "puzzle", &drawn);
    println!("  C++ to processes     {:>8.0} times   goal: at least 200", worker / processes);
    let python = Path::new(ROOT).join("examples/maze-python");
    let python_course = Course::read(&python).expect("the course file is valid");
    println!("\nmazes, runs per second");
    let mazes = sample(&python_course, "maze-solver");
    let [worker, processes] = measure("Python", &python_course, "maze-solver", &mazes);
    println!("  Python to processes  {:>8.0} times   goal: at least 50", worker / processes);
    java();
    score(&cpp);
    let reference = cpp.join("target/harness/puzzle/bin/reference");
    against("a correct C++ program", &reference, "goal: at least 4000");
    let folder = tempfile::tempdir().expect("there is room");
    against("one that often never ends", &looping(&cpp, folder.path()), "goal: at least 200");
}

/// A map of ten rows and columns with three colors, a start, a target, and walls in a fifth of it.
fn map(number: usize) -> Case {
    let mut state = number as u64;
    let mut random = |below: u64| {
        state =
            state.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        (state >> 33) % below
    };
    let mut cells: Vec<u8> =
        (0..100).map(|_| b"..............####aAbBcC^"[random(25) as usize]).collect();
    let start = random(100) as usize;
    cells[start] = b'@';
    cells[(start + 1 + random(99) as usize) % 100] = b'?';
    let mut input = b"3 10 10\n".to_vec();
    cells.chunks(10).for_each(|row| input.extend(row.iter().chain(b"\n")));
    let search = ["--queue", "--stack"][random(2) as usize];
    let args = [search, "--output", ["map", "list"][random(2) as usize]];
    Case { args: args.map(str::to_owned).to_vec(), input, ..Case::default() }
}

/// Random cases, the same each time.
fn sample(course: &Course, id: &str) -> Vec<Case> {
    let assignment = course.assignment(id).expect("there is this assignment");
    let generator = assignment.domain.generator().expect("it makes inputs");
    let seed = TestRng::from_seed(RngAlgorithm::ChaCha, &[7; 32]);
    let mut runner = TestRunner::new_with_rng(Config::default(), seed);
    let drafts = std::iter::repeat_with(|| generator.sample(&assignment.tests, &mut runner));
    drafts.take(CASES).map(|draft| decode::case_of_draft(assignment, &draft)).collect()
}

/// Measures the program in Java of a new course.
fn java() {
    let folder = tempfile::tempdir().expect("there is room");
    let course = folder.path().join("course");
    let mut command = harness(&["init", "--language", "java"]);
    let status = command.arg(&course).stdout(Stdio::null()).status();
    assert!(status.expect("harness starts").success());
    let course = Course::read(&course).expect("the course file is valid");
    println!("\nsums, runs per second");
    let sums = sample(&course, "tally");
    let [worker, processes] = measure("Java", &course, "tally", &sums);
    println!("  Java to processes    {:>8.0} times   goal: at least 30", worker / processes);
}

/// The program in C++, which never ends if it has more than two arguments.
fn looping(course: &Path, folder: &Path) -> PathBuf {
    let program = folder.join("looping");
    let main = folder.join("looping.cpp");
    let text = "int solve(int, char **);\n\
                int main(int argc, char **argv) { while (argc > 3) {} return solve(argc, argv); }";
    fs::write(&main, text).expect("it can be written");
    let paths =
        fs::read_dir(course).expect("it is there").map(|entry| entry.expect("a file").path());
    let sources = paths.filter(|path| path.extension().is_some_and(|ending| ending == "cpp"));
    let objects = sources.enumerate().map(|(number, source)| {
        let object = folder.join(format!("{number}.o"));
        let mut command = Command::new("c++");
        command.args(["-std=c++17", "-O2", "-c"]).arg(&source).arg("-o").arg(&object);
        if source.ends_with("main.cpp") {
            command.arg("-Dmain=solve");
        }
        assert!(command.status().expect("there is a compiler").success());
        object
    });
    let objects: Vec<_> = objects.collect();
    let mut command = Command::new("c++");
    let linked = command.arg(&main).args(objects).arg("-o").arg(&program).status();
    assert!(linked.expect("there is a compiler").success());
    program
}

/// Runs per second of the combined build by the fastest engine and by processes, on all cores.
fn measure(name: &str, course: &Course, id: &str, cases: &[Case]) -> [f64; 2] {
    let assignment = course.assignment(id).expect("there is this assignment");
    let mutants = prepare::bugs(course, assignment).expect("the catalogue is fine");
    let plan = Plan::new(&Work::default(), course, assignment, &mutants).jobs(prepare::jobs(None));
    let mut fast = Programs::build(&plan).expect("it builds");
    let mut slow = Programs::build(&plan.by_processes()).expect("it builds");
    let all = MutantSet::all(mutants.len());
    runs_per_second(&mut fast, cases, &all);
    let fast_rate = (0..REPEATS).map(|_| runs_per_second(&mut fast, cases, &all));
    let fast_rate = fast_rate.fold(0.0, f64::max);
    let few = &cases[..FEW.min(cases.len())];
    let slow_rate = (0..2).map(|_| runs_per_second(&mut slow, few, &MutantSet::default()));
    let slow_rate = slow_rate.fold(0.0, f64::max);
    println!("  {name:<6} {fast_rate:>9.0}, by processes {slow_rate:>7.0}");
    for slower in fast.slower() {
        println!("  {} runs by {}: {}", slower.program, slower.engine, slower.reason);
    }
    [fast_rate, slow_rate]
}

/// Runs of the reference and of the mutants that it reaches, per second.
fn runs_per_second(programs: &mut Programs, cases: &[Case], mutants: &MutantSet) -> f64 {
    let batches: Vec<_> = cases.chunks(16).collect();
    let request = |case: &Case| Request {
        case: case.clone(),
        mutants: mutants.clone(),
        detail: Detail::Verdicts,
        steps: None,
    };
    let start = Instant::now();
    let runs = programs
        .sweep(
            batches.len(),
            |at| (batches[at].iter().map(request).collect(), ()),
            |_, (), answers| {
                let runs = answers.iter().map(|answer| answer.reached.both(mutants).len() + 1);
                runs.sum::<usize>()
            },
        )
        .expect("the programs run");
    runs.iter().sum::<usize>() as f64 / start.elapsed().as_secs_f64()
}

/// The fastest of several runs of `harness score` on the sample suite.
fn score(course: &Path) {
    let suite = Path::new(ROOT).join("student_tests/puzzle");
    let run = || {
        let start = Instant::now();
        let mut command = harness(&["score", "--assignment", "puzzle", "--course"]);
        let status = command.arg(course).arg(&suite).stdout(Stdio::null()).status();
        assert!(status.expect("harness starts").success());
        start.elapsed()
    };
    run();
    let fastest = (0..10).map(|_| run()).min().unwrap_or(Duration::ZERO);
    println!("\nwarm score of 12 tests and 41 mutants in C++");
    println!("  {:>8.1} ms   goal: at most 100 ms for 15 x 20", fastest.as_secs_f64() * 1e3);
}

/// Cases per second of `generate --against`.
fn against(what: &str, program: &Path, goal: &str) {
    const BUDGET: &str = "20";
    let out = tempfile::tempdir().expect("there is room");
    let mut command = harness(&["generate", "--assignment", "puzzle", "--format", "json"]);
    command.args(["--budget", BUDGET, "--out"]).arg(out.path().join("tests"));
    let start = Instant::now();
    let output = command.arg("--against").arg(program).output().expect("harness starts");
    let time = start.elapsed().as_secs_f64();
    assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr));
    let report: Generated = serde_json::from_slice(&output.stdout).expect("it is a report");
    println!("\n--against {what}\n  {} cases in {time:.1} s", report.cases);
    println!("  cases per second     {:>8.0}         {goal}", report.cases as f64 / time);
    for slower in &report.engines {
        println!("  {slower}");
    }
}

fn harness(args: &[&str]) -> Command {
    let mut command = Command::new(env!("CARGO_BIN_EXE_harness"));
    command.current_dir(ROOT).args(args);
    command
}
