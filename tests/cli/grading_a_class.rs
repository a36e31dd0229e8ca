//! `harness grade CLASS --out RESULTS`: classes, regrades and shards.

use super::path;
use super::run::{LIMIT, Run, Watchdog, command, output};
use super::sums::{MAKEFILE, SUM, course, has_no_compiler};
use harness::result::record::Record;
use harness::result::regraded::Regraded;
use harness::result::scoreboard::Scoreboard;
use rustix::process::{Pid, Signal, kill_process};
use std::collections::BTreeMap;
use std::fs;
use std::os::unix::fs::PermissionsExt;
use std::os::unix::process::CommandExt;
use std::path::PathBuf;
use std::process::{Command, Stdio};
use std::thread;
use std::time::Duration;
use tempfile::TempDir;

/// A program that subtracts.
fn wrong() -> String {
    SUM.replace("a + b", "a - b")
}

/// A class of students with these sources, in a course whose Makefile notes each build in the file `builds`, unless a sandbox hides it.
pub(super) fn class(students: &[(&str, &str)]) -> TempDir {
    let course = course(&[]);
    let log = course.path().join("builds");
    fs::write(&log, "").unwrap();
    fs::set_permissions(&log, fs::Permissions::from_mode(0o666)).unwrap();
    fs::set_permissions(course.path(), fs::Permissions::from_mode(0o755)).unwrap();
    let makefile = MAKEFILE.replace(
        "\tg++",
        &format!("\t@(echo built >> {}) 2> /dev/null || true\n\tg++", log.display()),
    );
    for (name, source) in students {
        let folder = course.path().join("class").join(name);
        fs::create_dir_all(&folder).unwrap();
        fs::write(folder.join("sum.cpp"), source).unwrap();
        fs::write(folder.join("Makefile"), &makefile).unwrap();
        fs::write(folder.join("test-1.txt"), "2 3\n").unwrap();
    }
    course
}

pub(super) fn grade(course: &TempDir, out: &str) -> Command {
    let mut command = command();
    command.arg("grade").arg(course.path().join("class")).args(["--course", path(course)]);
    command.arg("--unsafe-no-sandbox").arg("--out").arg(course.path().join(out));
    command
}

#[track_caller]
pub(super) fn run(course: &TempDir, args: &[&str]) -> Run {
    output(grade(course, "results").args(args)).into()
}

fn builds(course: &TempDir) -> usize {
    fs::read_to_string(course.path().join("builds")).unwrap().lines().count()
}

/// The results in a folder, by file name. A file that is not whole fails the test.
pub(super) fn records(course: &TempDir, out: &str) -> BTreeMap<String, Record> {
    let folder = course.path().join(out).join("submissions");
    let entries = fs::read_dir(folder).into_iter().flatten().map(|entry| entry.unwrap().path());
    let whole = entries.filter(|path| path.extension().is_some_and(|it| it == "json"));
    let read = |path: PathBuf| {
        let name = path.file_stem().unwrap().to_str().unwrap().to_owned();
        let record = serde_json::from_slice(&fs::read(&path).unwrap());
        (name, record.unwrap_or_else(|error| panic!("{}: {error}", path.display())))
    };
    whole.map(read).collect()
}

/// The results without times and memory.
pub(super) fn without_times(mut records: BTreeMap<String, Record>) -> BTreeMap<String, Record> {
    let groups = records.values_mut().flat_map(|record| &mut record.report.groups);
    groups.flat_map(|group| &mut group.cases).for_each(|case| case.measures = None);
    records
}

fn points(records: &BTreeMap<String, Record>) -> Vec<(&str, f64)> {
    records.iter().map(|(name, record)| (name.as_str(), record.report.points.earned)).collect()
}

fn change(course: &TempDir, file: &str, from: &str, to: &str) {
    let path = course.path().join(file);
    let text = fs::read_to_string(&path).unwrap();
    assert!(text.contains(from), "{file} does not contain {from}");
    fs::write(path, text.replace(from, to)).unwrap();
}

#[test]
#[ignore = "it takes long; .ci/run runs it"]
fn a_second_run_grades_only_what_is_new_or_changed() {
    if has_no_compiler() {
        return;
    }
    let course = class(&[("ann", SUM), ("bob", &wrong())]);
    run(&course, &[]).exits(0);
    let first = records(&course, "results");
    assert_eq!(points(&first), [("ann", 90.0), ("bob", 50.0)]);
    assert_eq!(builds(&course), 2);
    run(&course, &[]).exits(0);
    assert_eq!(builds(&course), 2, "nothing is built again");
    assert_eq!(records(&course, "results"), first);

    fs::write(course.path().join("class/bob/sum.cpp"), SUM).unwrap();
    let second = run(&course, &[]).exits(0);
    assert_eq!(points(&records(&course, "results")), [("ann", 90.0), ("bob", 90.0)]);
    assert!(second.stdout.contains("bob"), "{}", second.stdout);
    let earlier = fs::read_dir(course.path().join("results/earlier")).unwrap();
    assert_eq!(earlier.count(), 1, "the result of what bob handed in first is kept");
}

#[test]
fn ctrl_c_ends_a_program_that_runs_and_keeps_what_is_graded() {
    if has_no_compiler() {
        return;
    }
    let endless =
        SUM.replace("    std::printf", "    for (volatile int i = 0;;) i = 1;\n    std::printf");
    let course = class(&[("ann", SUM), ("bob", &endless)]);
    change(&course, "harness.yaml", "leaks: 0 }", "leaks: 0 }\n      time: { seconds: 1000 }");
    let mut command = grade(&course, "results");
    command.args(["--jobs", "1"]).stdout(Stdio::null()).stderr(Stdio::piped()).process_group(0);
    let mut harness = command.spawn().unwrap();
    let watchdog = Watchdog::new(&harness, LIMIT);
    while records(&course, "results").is_empty() && harness.try_wait().unwrap().is_none() {
        thread::sleep(Duration::from_millis(20));
    }
    kill_process(Pid::from_child(&harness), Signal::INT).unwrap();
    let ended = harness.wait_with_output().unwrap();
    assert!(!watchdog.has_killed());
    assert_eq!(ended.status.code(), Some(130));
    let said = String::from_utf8_lossy(&ended.stderr);
    assert!(said.contains("error: the work was interrupted before it was complete\n"), "{said}");
    assert_eq!(points(&records(&course, "results")), [("ann", 90.0)]);
}

#[test]
fn identical_sources_are_built_and_run_once() {
    if has_no_compiler() {
        return;
    }
    let course = class(&[("ann", SUM), ("bob", SUM), ("cem", &wrong()), ("dee", SUM)]);
    run(&course, &["--jobs", "2"]).exits(0);
    assert_eq!(builds(&course), 2);
    let records = records(&course, "results");
    assert_eq!(records["ann"].report.groups, records["dee"].report.groups);
    assert_eq!(records["dee"].report.name, "dee");
}

#[test]
#[ignore = "it takes long; .ci/run runs it"]
fn a_regrade_runs_what_is_affected_and_replaces_nothing_unasked() {
    if has_no_compiler() {
        return;
    }
    let course = class(&[("ann", SUM), ("bob", &wrong())]);
    run(&course, &[]).exits(0);
    let before = records(&course, "results");
    let regrade = |args: &[&str]| {
        let args = [&["--regrade", "--format", "json"], args].concat();
        run(&course, &args).exits(0).json::<Regraded>()
    };
    let none = regrade(&[]);
    assert_eq!((none.regraded, none.up_to_date, none.changes.len()), (0, 2, 0));

    // A case on which subtracting is right too.
    let new = "Large: { text: \"20 22\\n\" }\n    Zero: { text: \"5 0\\n\" }";
    change(&course, "cases.yaml", "Large: { text: \"20 22\\n\" }", new);
    run(&course, &[]).warns("warning: 2 results were made with another version of the course or of harness\nhint: `--regrade` shows whose points change now\n");
    let found = regrade(&[]);
    assert_eq!((found.regraded, found.applied), (2, false));
    let [bob] = found.changes.as_slice() else { panic!("{found:?}") };
    assert_eq!((bob.name.as_str(), bob.before, bob.after), ("bob", 50.0, 63.33));
    assert_eq!(bob.parts[0].why, ["sample/Zero: new, passed"]);
    assert_eq!(records(&course, "results"), before, "nothing is replaced yet");
    assert_eq!(builds(&course), 2, "a new case needs no build");

    assert!(regrade(&["--apply"]).applied);
    assert_eq!(points(&records(&course, "results")), [("ann", 90.0), ("bob", 63.33)]);
    let earlier = fs::read_dir(course.path().join("results/earlier")).unwrap();
    assert_eq!(earlier.count(), 2, "the earlier results are kept");
    assert_eq!(regrade(&[]).up_to_date, 2);
}

#[test]
#[ignore = "it takes long; .ci/run runs it"]
fn a_new_mutant_and_a_new_curve_change_points_without_a_run() {
    if has_no_compiler() {
        return;
    }
    let course = class(&[("ann", SUM), ("bob", &wrong())]);
    run(&course, &[]).exits(0);
    let kept = |kind: &str| {
        let files = fs::read_dir(course.path().join("results/kept").join(kind)).unwrap();
        let read = |path: PathBuf| (path.clone(), fs::read(path).unwrap());
        files.map(|file| read(file.unwrap().path())).collect::<BTreeMap<_, _>>()
    };
    let (builds, runs) = (kept("builds"), kept("runs"));
    // Exposed by every test, like the other one.
    let mutants = course.path().join("mutants");
    let text = |file: &str| fs::read_to_string(mutants.join(file)).unwrap();
    let yaml = text("adds-one.yaml").replace("Adds one.", "Adds two.");
    fs::write(mutants.join("adds-two.yaml"), yaml).unwrap();
    fs::write(
        course.path().join("wrong/adds-two.sh"),
        text("../wrong/adds-one.sh").replace("+ 1", "+ 2"),
    )
    .unwrap();
    change(&course, "harness.yaml", "full: 1,", "full: 2,");
    change(
        &course,
        "harness.yaml",
        "leaks: 0 }",
        "leaks: 0 }\n      time: { full: 1, none: 500, least: 0.1 }",
    );
    let run = run(&course, &["--regrade", "--format", "json"]).exits(0);
    let found: Regraded = run.json();
    assert_eq!(found.regraded, 2);
    assert_eq!(kept("builds"), builds, "nothing is built");
    assert_eq!(kept("runs"), runs, "no case is run");
}

#[test]
#[ignore = "it takes long; .ci/run runs it"]
fn shards_together_give_the_results_of_one_run() {
    if has_no_compiler() {
        return;
    }
    let course = class(&[("ann", SUM), ("bob", SUM), ("cem", &wrong()), ("dee", SUM)]);
    run(&course, &[]).exits(0);
    let shard =
        |at: &str| Run::from(output(grade(&course, "shards").args(["--shard", at]))).exits(0);
    for at in ["1/3", "2/3", "3/3"] {
        shard(at);
    }
    assert!(!course.path().join("shards/gradebook.csv").exists());
    let whole = without_times(records(&course, "results"));
    assert_eq!(without_times(records(&course, "shards")), whole);
    let before = builds(&course);
    Run::from(output(&mut grade(&course, "shards"))).exits(0);
    assert_eq!(builds(&course), before, "everything is graded");
    assert!(course.path().join("shards/gradebook.csv").exists());
    Run::from(output(grade(&course, "shards").args(["--shard", "3/2"]))).fails(
        2,
        "error: invalid value '3/2' for '--shard <I/N>': a shard is a number and how many there are, such as 2/8\n...\n",
    );
}

#[test]
#[ignore = "it takes long; .ci/run runs it"]
fn the_reports_of_a_class_are_made_from_its_results() {
    if has_no_compiler() {
        return;
    }
    let course = class(&[("ann", SUM), ("bob", &wrong()), ("=cem", SUM)]);
    change(
        &course,
        "harness.yaml",
        "identifier:",
        "scoreboard: { pseudonyms: an example's secret }\n      identifier:",
    );
    run(&course, &[]).exits(0);
    let read = |name: &str| fs::read_to_string(course.path().join("results").join(name)).unwrap();
    let book = read("gradebook.csv");
    let rows: Vec<_> = book.lines().collect();
    assert!(
        rows[0].starts_with("student,assignment,graded,points,max_points,cases,tests,"),
        "{book}"
    );
    assert!(rows[1].starts_with("'=cem,sum,yes,90,90,80,10,,,,3,3,1,1,"), "{book}");
    let board: Scoreboard = serde_json::from_str(&read("scoreboard.json")).unwrap();
    let sample = &board.groups[0];
    let names: Vec<_> = sample.fastest.iter().map(|place| place.name.as_str()).collect();
    assert_eq!((sample.group.as_str(), names.len()), ("sample", 2), "bob's program is wrong");
    for name in names {
        assert!(name.starts_with("student-") && book.contains(name), "{name}\n{book}");
        assert!(read("scoreboard.html").contains(name));
    }
    assert!(!read("scoreboard.html").contains("ann"), "the scoreboard shows pseudonyms");
    assert!(read("class.html").contains("sample/Two"));
}

#[test]
fn a_folder_with_other_files_is_left_alone() {
    let course = class(&[("ann", SUM)]);
    fs::create_dir(course.path().join("results")).unwrap();
    fs::write(course.path().join("results/thesis.txt"), "mine").unwrap();
    run(&course, &[]).fails(2, "error: [..]/results holds other files than results\nhint: name a new folder; existing files are never overwritten\n");
    assert_eq!(fs::read_dir(course.path().join("results")).unwrap().count(), 1);
}

#[test]
fn two_submissions_of_one_name_are_refused() {
    let course = class(&[("ann", SUM)]);
    fs::write(course.path().join("class/ann.tar.gz"), "").unwrap();
    run(&course, &[]).fails(2, "error: two submissions are called ann: [..]/ann and [..]/ann.tar.gz\nhint: rename or remove one of them\n");
}

#[test]
#[ignore = "it takes long; .ci/run runs it"]
fn a_timed_run_has_one_core_whatever_number_of_jobs_there_are() {
    if has_no_compiler() {
        return;
    }
    // This program is right only if it is pinned.
    let pinned = SUM
        .replace("#include <cstdio>", "#include <cstdio>\n#include <sched.h>")
        .replace("a + b", "a + b + one()")
        .replace("int main", "int one() { cpu_set_t set; sched_getaffinity(0, sizeof set, &set); return CPU_COUNT(&set) - 1; }\nint main");
    let other = pinned.replace("one", "other");
    let course = class(&[("ann", &pinned), ("bob", &other)]);
    run(&course, &["--jobs", "64"]).exits(0);
    assert_eq!(points(&records(&course, "results")), [("ann", 90.0), ("bob", 90.0)]);
}

#[test]
#[ignore = "it takes long; .ci/run runs it"]
fn no_finished_submission_is_lost_when_the_run_is_killed() {
    if has_no_compiler() {
        return;
    }
    let sources: Vec<_> = (0..12).map(|at| format!("// {at}\n{SUM}")).collect();
    let names: Vec<_> = (0..12).map(|at| format!("student-{at:02}")).collect();
    let students: Vec<_> =
        names.iter().zip(&sources).map(|(name, text)| (name.as_str(), text.as_str())).collect();
    let course = class(&students);
    let mut finished = BTreeMap::new();
    for kill in 0..12 {
        let mut command = grade(&course, "killed");
        let mut child = command.stdout(Stdio::null()).stderr(Stdio::null()).spawn().unwrap();
        thread::sleep(Duration::from_millis(150 + kill * 137 % 1300));
        // It may have ended already.
        let _ = child.kill();
        child.wait().unwrap();
        let now = records(&course, "killed");
        for (name, record) in &finished {
            assert_eq!(now.get(name), Some(record), "{name} was lost after kill {kill}");
        }
        finished = now;
        if finished.len() == names.len() && kill < 9 {
            // Begin again, so that later kills meet a run at work too.
            fs::remove_dir_all(course.path().join("killed")).unwrap();
            finished.clear();
        }
    }
    Run::from(output(&mut grade(&course, "killed"))).exits(0);
    let killed = records(&course, "killed");
    for (name, record) in &finished {
        assert_eq!(killed.get(name), Some(record), "{name} was graded again");
    }
    run(&course, &[]).exits(0);
    assert_eq!(without_times(killed), without_times(records(&course, "results")));
}
