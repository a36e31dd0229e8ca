//! Measures how many bugs a generated suite exposes that are not in the catalogue. `cargo-mutants` makes them from the puzzle's
//! reference.
//!
//! Run it with `cargo bench --bench untuned`. It needs `cargo install cargo-mutants`, and takes about a second for each of some 600 bugs.
//! `EVERY=10` uses every tenth bug only. The benchmark also runs the bugs that the suite misses on many random tests. It counts a bug as
//! equivalent if no random test exposes it, and lists the others.

#![expect(clippy::print_stdout, reason = "a benchmark prints its figures")]

use harness::course::{Assignment, Course};
use harness::domain::Draft;
use harness::generate::arena;
use harness::run::build::Runnable;
use harness::run::matrix::{Isolated, Runner};
use harness::run::prepare::{self, Workbench};
use harness::run::worker::{Pool, Settings};
use harness::suite::Suite;
use proptest::test_runner::{Config, RngAlgorithm, TestRng, TestRunner};
use serde::Deserialize;
use std::fs;
use std::io;
use std::path::{Path, PathBuf};
use std::process::Command;
use subject::wire::{Answer, Detail, MutantSet, Request};
use subject::{Case, End};

const ROOT: &str = env!("CARGO_MANIFEST_DIR");
/// A bug counts as equivalent if it passes this many random tests.
const RANDOM_TESTS: usize = 30_000;

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
    let Some(changes) = changes() else {
        println!(
            "skipped: `cargo mutants` cannot be started; install it with `cargo install cargo-mutants`"
        );
        return;
    };
    let every = std::env::var("EVERY").ok().and_then(|every| every.parse().ok()).unwrap_or(1);
    let folder = Path::new(ROOT).join("target/untuned");
    copy(&folder.join("tree")).expect("the sources can be copied");
    let course = Course::read(Path::new(ROOT)).expect("the course file is valid");
    let assignment = course.assignment("puzzle").expect("there is a puzzle");
    let bench = Workbench::new(&course, assignment).expect("it builds");
    let suite = suite(&folder.join("suite"), assignment);
    let random = random(&bench);
    let (mut built, mut exposed, mut missed) = (0, 0, Vec::new());
    for change in changes.iter().step_by(every) {
        let Some(program) = build(change, &folder) else { continue };
        built += 1;
        let limits = prepare::process_limits(&assignment.run);
        let (domain, reference, mutants) =
            (assignment.domain, bench.reference.clone(), vec![program.clone()]);
        let mut runner =
            Isolated { domain, reference, mutants, limits, factor: assignment.run.factor, jobs: 2 };
        let rows = runner.rows(&suite).expect("the programs run");
        if rows.iter().any(|row| !row.exposed.is_empty()) {
            exposed += 1;
        } else if random.differs(program) {
            missed.push(&change.name);
        }
    }
    let bugs = exposed + missed.len();
    println!(
        "{} tests; {built} bugs compile, {} of them equivalent on {} random tests",
        suite.len(),
        built - bugs,
        random.count()
    );
    println!(
        "exposed {exposed} of {bugs}: {:.1} %",
        100.0 * f64::from(exposed as u32) / bugs as f64
    );
    missed.iter().for_each(|name| println!("  missed: {name}"));
}

fn changes() -> Option<Vec<Change>> {
    let mut list = Command::new(env!("CARGO"));
    let list =
        list.args(["mutants", "--list", "--json", "-p", "puzzle", "-d", ROOT]).output().ok()?;
    list.status.success().then(|| serde_json::from_slice(&list.stdout).expect("a list of changes"))
}

/// Writes a workspace with the reference alone.
fn copy(tree: &Path) -> io::Result<()> {
    for part in ["subject", "reference/puzzle"] {
        for entry in walkdir::WalkDir::new(Path::new(ROOT).join(part)) {
            let entry = entry?;
            let to = tree.join(entry.path().strip_prefix(ROOT).expect("it is below"));
            if entry.file_type().is_dir() {
                fs::create_dir_all(to)?;
            } else {
                fs::copy(entry.path(), to)?;
            }
        }
    }
    let manifest = fs::read_to_string(Path::new(ROOT).join("Cargo.toml"))?;
    let (workspace, _) =
        manifest.split_once("[package]\n").expect("the package comes after the workspace");
    let members =
        workspace.replace("\"reference/*\"", "\"reference/puzzle\"").replace("[\".\", ", "[");
    fs::write(
        tree.join("Cargo.toml"),
        members + "[profile.release]\nopt-level = 1\nincremental = true\n",
    )?;
    fs::copy(Path::new(ROOT).join("Cargo.lock"), tree.join("Cargo.lock")).map(|_| ())
}

/// The cases of the suite that `generate` writes.
fn suite(folder: &Path, assignment: &Assignment) -> Vec<Case> {
    let _ = fs::remove_dir_all(folder);
    let generate = Command::new(env!("CARGO_BIN_EXE_harness"))
        .args(["generate", "--assignment", "puzzle", "--course", ROOT, "--out"])
        .arg(folder)
        .output()
        .expect("it starts");
    assert!(generate.status.success(), "{}", String::from_utf8_lossy(&generate.stderr));
    let tests = Suite::read(folder, assignment).expect("the folder is a suite").tests;
    let draft =
        |flags: &str, input: &[u8]| Draft { flags: flags.to_owned(), input: input.to_vec() };
    tests
        .iter()
        .map(|test| arena::case(assignment, &draft(&test.name.flags, &test.input)))
        .collect()
}

/// Builds the reference with the change. `None` if it does not compile.
fn build(change: &Change, folder: &Path) -> Option<Runnable> {
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
    let program: PathBuf = folder.join("target/release/puzzle");
    built
        .then(|| Runnable { words: vec![program.display().to_string()], folder: folder.to_owned() })
}

/// Random tests, with the reference's answers.
struct Random {
    settings: Settings,
    requests: Vec<Request>,
    answers: Vec<Answer>,
}

fn random(bench: &Workbench<'_>) -> Random {
    let mut settings = prepare::settings(bench.assignment, &[], bench.reference.clone());
    // Stop a bug that loops.
    settings.hello.limits.reference_steps = 200_000;
    let mut runner = TestRunner::new_with_rng(
        Config::default(),
        TestRng::from_seed(RngAlgorithm::ChaCha, &[9; 32]),
    );
    let drafts =
        (0..RANDOM_TESTS).map(|_| bench.generator.sample(&bench.assignment.tests, &mut runner));
    let request = |draft| Request {
        case: arena::case(bench.assignment, &draft),
        mutants: MutantSet::default(),
        detail: Detail::Reference,
    };
    let requests: Vec<_> = drafts.map(request).collect();
    let answers = Pool::new(&settings, 2).rows(&requests).expect("the reference runs");
    let valid = requests
        .into_iter()
        .zip(answers)
        .filter(|(_, answer)| answer.reference.end == End::Exit(0));
    let (requests, answers) = valid.unzip();
    Random { settings, requests, answers }
}

impl Random {
    fn count(&self) -> usize {
        self.requests.len()
    }

    /// Whether the program's output or exit status differs on any of the tests.
    fn differs(&self, program: Runnable) -> bool {
        let mut pool = Pool::new(&Settings { runnable: program, ..self.settings.clone() }, 2);
        self.requests.chunks(256).zip(self.answers.chunks(256)).any(|(requests, answers)| {
            let rows = pool.rows(requests).expect("the program runs");
            rows.iter().zip(answers).any(|(one, other)| {
                (&one.reference.end, &one.reference.stdout)
                    != (&other.reference.end, &other.reference.stdout)
            })
        })
    }
}
