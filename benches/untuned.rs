//! Measures how many bugs a generated suite exposes that are not in the catalogue. `cargo-mutants` makes them from the puzzle's
//! reference.
//!
//! Run it with `cargo bench --bench untuned`. It needs `cargo install cargo-mutants`, and takes about a second for each of some 600 bugs
//! to build them. `EVERY=10` uses every tenth bug only. The benchmark also runs the bugs that all suites miss on many random tests. It
//! counts a bug as equivalent if no random test exposes it. The other bugs are split: what `generate` does is chosen by one half, whose
//! missed bugs are named, and the other half is reported.

#![expect(clippy::print_stdout, reason = "a benchmark prints its figures")]

use harness::course::{Assignment, Course};
use harness::hash;
use harness::run::build::{self, Runnable, Variant};
use harness::run::programs::{Plan, Programs};
use harness::run::work::Work;
use harness::suite::{Suite, decode};
use proptest::test_runner::{Config, RngAlgorithm, TestRng, TestRunner};
use serde::Deserialize;
use std::fs;
use std::io;
use std::path::Path;
use std::process::Command;
use subject::{Case, Outcome};

const ROOT: &str = env!("CARGO_MANIFEST_DIR");
/// A bug counts as equivalent if it passes this many random tests.
const RANDOM_TESTS: usize = 30_000;
/// The suites of this many seeds are measured.
const SEEDS: u64 = 10;

/// A change that `cargo-mutants` proposes.
#[derive(Deserialize)]
struct Change {
    name: String,
    file: String,
    span: Span,
    replacement: String,
}

#[derive(Deserialize)]
struct Span {
    start: Position,
    end: Position,
}

/// Both count from 1. Columns count characters.
#[derive(Deserialize)]
struct Position {
    line: usize,
    column: usize,
}

fn main() {
    harness::sandbox::enter();
    let Some(changes) = changes() else {
        println!(
            "skipped: `cargo mutants` cannot be started; install it with `cargo install cargo-mutants`"
        );
        return;
    };
    let every = std::env::var("EVERY").ok().and_then(|every| every.parse().ok()).unwrap_or(1);
    let folder = Path::new(ROOT).join("target/untuned");
    let sources = copy(&folder.join("tree")).expect("the sources can be copied");
    let mut course = Course::read(Path::new(ROOT)).expect("the course is fine");
    // A bug that goes in circles is stopped.
    for assignment in &mut course.assignments {
        (assignment.run.reference_steps, assignment.run.seconds) = (200_000, 0.2);
    }
    let assignment = course.assignment("puzzle").expect("there is a puzzle");
    let reference =
        build::build(&course, assignment, Variant::Reference).expect("the reference builds");
    let plan = Plan::reference(&Work::default(), &course, assignment).jobs(1);
    let suite =
        |seed| Tests::new(&plan, &reference, suite(&folder.join("suite"), assignment, seed));
    let suites: Vec<_> = (0..SEEDS).map(suite).collect();
    let random = Tests::new(&plan, &reference, random(assignment));
    let (mut built, mut bugs) = (0, Vec::new());
    for change in changes.iter().step_by(every) {
        let Some(program) = build(change, &folder, sources) else { continue };
        built += 1;
        let mut programs = Programs::new(&plan, program, Vec::new()).expect("the domain judges");
        let exposed_by: Vec<_> = suites.iter().map(|suite| suite.expose(&mut programs)).collect();
        if exposed_by.contains(&true) || random.expose(&mut programs) {
            bugs.push(Bug { name: &change.name, exposed_by });
        }
    }
    assert!(built > 0, "no bug compiles");
    println!(
        "{built} bugs compile, {} of them equivalent on {} random tests",
        built - bugs.len(),
        random.cases.len()
    );
    let files: usize = suites.iter().map(|suite| suite.cases.len()).sum();
    println!("{SEEDS} seeds, {:.1} tests each", files as f64 / SEEDS as f64);
    let (chosen_by, reported): (Vec<_>, Vec<_>) =
        bugs.iter().enumerate().partition(|(number, _)| number % 2 == 0);
    print("half to choose by", &chosen_by);
    for (_, bug) in &chosen_by {
        let missing = bug.exposed_by.iter().filter(|&&is_exposed| !is_exposed).count();
        if missing > 0 {
            println!("  missed with {missing} seeds: {}", bug.name);
        }
    }
    print("half to report", &reported);
}

/// A bug that is not equivalent, and whether the suite of each seed exposes it.
struct Bug<'a> {
    name: &'a str,
    exposed_by: Vec<bool>,
}

fn print(half: &str, bugs: &[(usize, &Bug<'_>)]) {
    let shares = (0..SEEDS as usize).map(|seed| {
        let exposed = bugs.iter().filter(|(_, bug)| bug.exposed_by[seed]).count();
        100.0 * exposed as f64 / bugs.len() as f64
    });
    let shares: Vec<_> = shares.collect();
    let mean = shares.iter().sum::<f64>() / shares.len() as f64;
    let worst = shares.iter().copied().fold(f64::INFINITY, f64::min);
    println!(
        "{half}: {} bugs, {mean:.1} % exposed in the mean, {worst:.1} % with the worst seed",
        bugs.len()
    );
}

fn changes() -> Option<Vec<Change>> {
    let mut list = Command::new(env!("CARGO"));
    let list =
        list.args(["mutants", "--list", "--json", "-p", "puzzle", "-d", ROOT]).output().ok()?;
    list.status.success().then(|| serde_json::from_slice(&list.stdout).expect("a list of changes"))
}

/// Writes a workspace with the reference alone. Gives a hash of its sources.
fn copy(tree: &Path) -> io::Result<u64> {
    let mut sources = Vec::new();
    for part in ["crates/subject", "reference/puzzle"] {
        for entry in walkdir::WalkDir::new(Path::new(ROOT).join(part)).sort_by_file_name() {
            let entry = entry?;
            let to = tree.join(entry.path().strip_prefix(ROOT).expect("it is below"));
            if entry.file_type().is_dir() {
                fs::create_dir_all(to)?;
            } else {
                sources.extend(fs::read(entry.path())?);
                fs::copy(entry.path(), to)?;
            }
        }
    }
    let manifest = fs::read_to_string(Path::new(ROOT).join("Cargo.toml"))?;
    let (workspace, _) =
        manifest.split_once("[package]\n").expect("the package comes after the workspace");
    // Without the list of packages to test, of which most are missing.
    let (members, rest) = workspace.split_once("default-members = [").expect("they are listed");
    let (_, rest) = rest.split_once("]\n").expect("the list ends");
    fs::write(
        tree.join("Cargo.toml"),
        format!("{members}{rest}[profile.release]\nopt-level = 1\nincremental = true\n"),
    )?;
    fs::copy(Path::new(ROOT).join("Cargo.lock"), tree.join("Cargo.lock"))?;
    Ok(hash::fnv1a(&sources))
}

/// The cases of the suite that `generate` writes.
fn suite(folder: &Path, assignment: &Assignment, seed: u64) -> Vec<Case> {
    let _ = fs::remove_dir_all(folder);
    let generate = Command::new(env!("CARGO_BIN_EXE_harness"))
        .args(["generate", "--assignment", "puzzle", "--course", ROOT, "--out"])
        .arg(folder)
        .args(["--seed", &seed.to_string()])
        .output()
        .expect("it starts");
    assert!(generate.status.success(), "{}", String::from_utf8_lossy(&generate.stderr));
    let tests = Suite::read(folder, assignment).expect("it is a suite").tests;
    tests.iter().map(|test| decode::case_of_draft(assignment, &test.draft())).collect()
}

/// Builds the reference with the change, unless an earlier run has built it from the same `sources`. `None` if it does not compile.
fn build(change: &Change, folder: &Path, sources: u64) -> Option<Runnable> {
    let name = format!("{sources:x}-{:x}", hash::fnv1a(change.name.as_bytes()));
    let kept = folder.join("bin").join(name);
    let runnable = Runnable::new(vec![kept.display().to_string()], folder.to_owned());
    if kept.exists() {
        return Some(runnable);
    }
    let tree = folder.join("tree");
    let file = tree.join(&change.file);
    let source = fs::read_to_string(&file).expect("the source is there");
    let at = |position: &Position| {
        let lines: usize = source.split_inclusive('\n').take(position.line - 1).map(str::len).sum();
        lines + source[lines..].chars().take(position.column - 1).map(char::len_utf8).sum::<usize>()
    };
    let changed =
        [&source[..at(&change.span.start)], &change.replacement, &source[at(&change.span.end)..]]
            .concat();
    fs::write(&file, changed).expect("it can be written");
    let mut cargo = Command::new(env!("CARGO"));
    let cargo = cargo
        .args(["build", "--release", "--quiet", "-p", "puzzle", "--target-dir"])
        .arg(folder.join("target"));
    let built = cargo.current_dir(&tree).output().expect("Cargo starts").status.success();
    fs::write(&file, source).expect("it can be written");
    fs::create_dir_all(folder.join("bin")).expect("there is room");
    built.then(|| fs::copy(folder.join("target/release/puzzle"), kept).expect("it was built"))?;
    Some(runnable)
}

/// Random tests.
fn random(assignment: &Assignment) -> Vec<Case> {
    let generator = assignment.domain.generator().expect("the domain makes inputs");
    let mut runner = TestRunner::new_with_rng(
        Config::default(),
        TestRng::from_seed(RngAlgorithm::ChaCha, &[9; 32]),
    );
    let drafts = (0..RANDOM_TESTS).map(|_| generator.sample(&assignment.tests, &mut runner));
    drafts.map(|draft| decode::case_of_draft(assignment, &draft)).collect()
}

/// Tests that the reference accepts, with its outcomes.
struct Tests {
    cases: Vec<Case>,
    outcomes: Vec<Outcome>,
}

impl Tests {
    fn new(plan: &Plan<'_>, reference: &Runnable, cases: Vec<Case>) -> Self {
        let rows = Programs::new(plan, reference.clone(), Vec::new())
            .and_then(|mut programs| programs.rows(&cases));
        let valid = cases.into_iter().zip(rows.expect("the reference runs"));
        let valid =
            valid.filter(|(_, row)| row.is_valid()).map(|(case, row)| (case, row.reference));
        let (cases, outcomes) = valid.unzip();
        Self { cases, outcomes }
    }

    /// Whether the program's output or exit status differs on one of the tests. It runs on few of them first, because most bugs
    /// show at once, and some hang on each.
    fn expose(&self, programs: &mut Programs) -> bool {
        let mut done = 0;
        while done < self.cases.len() {
            let end = (done + (2 * done).clamp(2, 256)).min(self.cases.len());
            let rows = programs.rows(&self.cases[done..end]).expect("the program runs");
            let differs = rows.iter().zip(&self.outcomes[done..end]).any(|(row, outcome)| {
                (&row.reference.end, &row.reference.stdout) != (&outcome.end, &outcome.stdout)
            });
            if differs {
                return true;
            }
            done = end;
        }
        false
    }
}
