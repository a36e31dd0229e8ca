//! Measures what grading a class costs: the samples of the puzzle, multiplied into distinct submissions, and where the time of each goes.
//!
//! Run it with `cargo bench --bench class`, or `cargo bench --bench class -- 300` for another number of submissions.

#![expect(clippy::print_stdout, reason = "a benchmark prints its figures")]

#[path = "../tests/samples/class.rs"]
mod samples;

use harness::course::submission::Banned;
use harness::course::{Assignment, Course, Submission};
use harness::run::work::Work;
use harness::sandbox::Sandbox;
use harness::submission::case::{MadeCase, Maker};
use harness::submission::cores::Turn;
use harness::submission::reference::Reference;
use harness::submission::store::Store;
use harness::submission::trial::Bench;
use harness::submission::trials::Trials;
use harness::submission::{Contents, build, check};
use samples::entries;
use std::fmt::Write;
use std::fs;
use std::path::Path;
use std::process::{Command, Stdio};
use std::sync::Arc;
use std::time::Instant;

const ROOT: &str = env!("CARGO_MANIFEST_DIR");
/// The number of submissions, unless the command line names another.
const USUAL: usize = 20;
/// How many submissions are graded step by step.
const STEPWISE: usize = 8;

fn main() {
    harness::sandbox::enter();
    let count = std::env::args().find_map(|word| word.parse().ok()).unwrap_or(USUAL);
    let folder = tempfile::tempdir().expect("there is room for a benchmark");
    let class = folder.path().join("class");
    multiply(count, &class);
    whole(count, &class, &folder.path().join("results"));
    stepwise(&class);
}

/// Writes distinct submissions into the folder `class`: the samples in turn, each with a comment of its own.
fn multiply(count: usize, class: &Path) {
    let once = tempfile::tempdir().expect("there is room for a benchmark");
    samples::write("puzzle", once.path());
    let samples = entries(once.path());
    for (at, sample) in (0..count).zip(samples.iter().cycle()) {
        let folder = class.join(format!("student-{at:03}"));
        fs::create_dir_all(&folder).expect("there is room");
        for file in entries(sample) {
            let mut text = fs::read_to_string(&file).expect("a sample is text");
            if file.extension().is_some_and(|it| it == "cpp") {
                writeln!(text, "// The work of student {at}.").expect("a `String` takes any text");
            }
            fs::write(folder.join(file.file_name().expect("it has a name")), text)
                .expect("there is room");
        }
    }
}

/// `harness grade`, as an instructor runs it.
fn whole(count: usize, class: &Path, results: &Path) {
    let before = used();
    let start = Instant::now();
    let mut command = Command::new(env!("CARGO_BIN_EXE_harness"));
    command.arg("grade").arg(class).args(["--assignment", "puzzle", "--course", ROOT]);
    let status = command.arg("--out").arg(results).stdout(Stdio::null()).status();
    assert!(status.expect("harness starts").success());
    let (clock, processor) = (start.elapsed(), used() - before);
    let cores = std::thread::available_parallelism().map_or(1, usize::from);
    println!("{count} distinct submissions on {cores} cores");
    println!("  by the clock     {:>8.1} s", clock.as_secs_f64());
    println!("  processor time   {processor:>8.1} s");
    let each = processor / count as f64;
    println!("  for each         {each:>8.2} s\n");
}

/// The steps of some submissions, one after the other, so that the processor time of each step is known.
fn stepwise(class: &Path) {
    let course = Course::read(Path::new(ROOT)).expect("the course file is valid");
    let assignment = course.assignment("puzzle").expect("there is a puzzle");
    let submission = assignment.submission.as_ref().expect("it expects submissions");
    let sandbox = Sandbox::open().unwrap_or_else(|problem| panic!("{problem}"));
    let sandbox = Arc::new(sandbox);
    let bench =
        Bench::build(&Work::default(), &course, assignment, submission, sandbox.clone(), true);
    let bench = bench.expect("it builds");
    let cases = cases(&course, assignment, submission, &bench.reference);
    let mut unbanned = submission.clone();
    unbanned.banned = Banned::nothing();
    let mut steps = [
        ("make and make clean", 0.0),
        ("the compiler's view", 0.0),
        ("cases", 0.0),
        ("valgrind", 0.0),
    ];
    let folders: Vec<_> = entries(class).into_iter().take(STEPWISE).collect();
    for folder in &folders {
        let contents = Contents::read(folder, submission);
        let sources = check::check(contents, assignment, submission).sources;
        let plain = time(|| {
            build::build(&sandbox, &sources, &unbanned, Turn { core: Some(0), cancellation: None })
                .map(drop)
        });
        steps[0].1 += plain;
        let store = Store::none();
        let mut begun = None;
        let turn = Turn { core: Some(0), cancellation: None };
        let whole =
            time(|| Trials::begin(&bench, &store, &sources, turn).map(|it| begun = Some(it)));
        steps[1].1 += whole - plain;
        let mut trials = begun.expect("it was begun");
        let mut passed = Vec::new();
        steps[2].1 += time(|| {
            for (group, made) in &cases {
                let report = trials.case(made, false)?;
                if report.verdict.is_right() && submission.leaks.groups.contains(group) {
                    passed.push(made);
                }
            }
            Ok(())
        });
        passed.truncate(submission.leaks.cases);
        steps[3].1 += time(|| trials.leaks(&passed).map(drop));
    }
    println!("processor seconds for each of {} submissions", folders.len());
    for (step, seconds) in steps {
        println!("  {step:<20} {:>6.2}", seconds / folders.len() as f64);
    }
}

/// The cases with the names of their groups. The reference's answers are known afterwards.
fn cases(
    course: &Course,
    assignment: &Assignment,
    submission: &Submission,
    reference: &Reference,
) -> Vec<(String, MadeCase)> {
    let maker = Maker { work: &Work::default(), course, assignment, seed: 0 };
    let mut all = Vec::new();
    for group in &submission.cases {
        let made = maker.group(group, &mut |case| reference.accepts(case)).expect("they are made");
        for case in made {
            reference
                .answer(&case, Turn { core: Some(0), cancellation: None })
                .expect("the reference answers");
            all.push((group.name.clone(), case));
        }
    }
    all
}

/// The seconds of processor time that something takes, with all programs that it runs.
fn time(run: impl FnOnce() -> Result<(), harness::diagnostic::Failure>) -> f64 {
    let before = used();
    run().unwrap_or_else(|failure| panic!("{:?}", failure.problems));
    used() - before
}

/// The seconds of processor time of this process and of all programs that have ended.
fn used() -> f64 {
    let read = |file: &str| fs::read_to_string(file).expect("the system tells");
    let stat = read("/proc/self/stat");
    let (_, fields) = stat.rsplit_once(") ").expect("the name is in parentheses");
    // Fields 14 to 17 are user and system time, of the process and of its children, in hundredths of a second.
    let ticks: u64 =
        fields.split(' ').skip(11).take(4).filter_map(|field| field.parse::<u64>().ok()).sum();
    ticks as f64 / 100.0
}
