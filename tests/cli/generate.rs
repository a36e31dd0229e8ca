//! `harness generate`: tests for the mutants that a suite misses.

use super::run::{LIMIT, Watchdog, command, output};
use super::{Run, folder, harness, path, repository};
use harness::report::generated::{Generated, Stopped};
use std::collections::BTreeSet;
use std::os::unix::process::CommandExt;
use std::path::Path;
use std::process::Stdio;
use std::time::{Duration, Instant};

/// Easy to expose, but no file exposes two of them.
const EASY: &str = "queue-takes-the-newest,refuses-26-colors,refuses-zero-colors";
/// No map with up to eight cells exposes this mutant, and trying all of them takes hours.
const HARD: &str = "queues-only-24-states";

impl Run {
    /// The report of `generate` that it printed as JSON.
    #[track_caller]
    pub(crate) fn generated(&self) -> Generated {
        serde_json::from_str(&self.stdout)
            .unwrap_or_else(|error| panic!("{error}\n{}\n{}", self.stdout, self.stderr))
    }
}

fn generate(out: &Path, options: &[&str]) -> Run {
    let mut args = vec![
        "generate",
        "--assignment",
        "puzzle",
        "--format",
        "json",
        "--out",
        out.to_str().unwrap(),
    ];
    args.extend(options);
    harness(&args)
}

/// The ids of the mutants that the suite in `folder` exposes.
#[track_caller]
fn exposed(folder: &Path) -> BTreeSet<String> {
    let args = ["score", folder.to_str().unwrap(), "--assignment", "puzzle", "--format", "json"];
    let report = harness(&args).exits(0).report();
    report.assignments[0].suites[0].exposed_by.keys().cloned().collect()
}

fn files(folder: &Path) -> BTreeSet<String> {
    std::fs::read_dir(folder)
        .unwrap()
        .map(|entry| entry.unwrap().file_name().into_string().unwrap())
        .collect()
}

/// Waits until `harness` handles Ctrl-C.
#[track_caller]
fn wait_until_it_listens(process: u32) {
    const INTERRUPT: u64 = 1 << 1;
    let caught = || {
        let status = std::fs::read_to_string(format!("/proc/{process}/status")).ok()?;
        let mask = status.lines().find_map(|line| line.strip_prefix("SigCgt:"))?;
        u64::from_str_radix(mask.trim(), 16).ok()
    };
    let start = Instant::now();
    while caught().unwrap_or(0) & INTERRUPT == 0 {
        assert!(start.elapsed() < Duration::from_secs(300), "it never listened");
        std::thread::sleep(Duration::from_millis(20));
    }
}

#[test]
#[ignore = "it takes long; .ci/run runs it"]
fn a_suite_with_the_generated_tests_exposes_everything_that_was_found() {
    let suite = folder(&[("test-2-ql.txt", b"0 1 2\n@?\n"), ("test-1-qq.txt", b"no map")]);
    let before = exposed(suite.path());
    let mutants = format!("{EASY},stack-takes-the-oldest");
    let report =
        generate(suite.path(), &[path(&suite), "--mutants", &mutants]).exits(0).generated();
    let sought: BTreeSet<_> =
        mutants.split(',').map(str::to_owned).filter(|id| !before.contains(id)).collect();
    let found: BTreeSet<_> =
        report.smallest.iter().map(|smallest| smallest.mutant.clone()).collect();
    assert_eq!(found, sought, "only what the suite misses is looked for, and all of it is found");
    assert_eq!(sought.len(), 3, "the suite exposes the one that refuses zero colours");
    let after = exposed(suite.path());
    assert!(after.is_superset(&before) && after.is_superset(&found), "{after:?}");
    for file in &report.files {
        let text = std::fs::read_to_string(suite.path().join(&file.file)).unwrap();
        assert!(text.lines().nth(1).unwrap().starts_with("// "), "{text}");
        assert!(!mutants.split(',').any(|id| text.contains(id)), "{text}");
    }
    let text =
        harness(&["generate", path(&suite), "--assignment", "puzzle", "--mutants", &mutants])
            .exits(0)
            .stdout;
    assert_eq!(text, "puzzle: nothing to find: the suite exposes all of these mutants\n");
}

#[test]
#[ignore = "it takes long; .ci/run runs it"]
fn generated_files_get_free_numbers_and_overwrite_nothing() {
    let huge = vec![b'x'; 1 << 17];
    let mine: [(&str, &[u8]); 4] = [
        ("test-1-ql.txt", b"0 1 2\n@?\n"),
        ("test-2-ql.txt", &huge),
        ("test-4-s.txt", b"0 1 2\n?@\n"),
        ("notes.txt", b"mine"),
    ];
    let suite = folder(&mine);
    let report = generate(suite.path(), &["--mutants", EASY]).exits(0).generated();
    assert_eq!(report.folder.as_deref(), suite.path().to_str());
    for (name, contents) in mine {
        assert_eq!(std::fs::read(suite.path().join(name)).unwrap(), contents, "{name}");
    }
    let numbers: Vec<_> =
        report.files.iter().map(|file| file.file.split('-').nth(1).unwrap()).collect();
    let free = ["3", "5", "6", "7", "8", "9", "10", "11", "12", "13", "14", "15"];
    assert_eq!(numbers, free[..numbers.len()]);
    assert_eq!(files(suite.path()).len(), mine.len() + report.files.len());

    let full: Vec<_> = (1..=15).map(|number| format!("test-{number}-ql.txt")).collect();
    let full =
        folder(&full.iter().map(|name| (name.as_str(), &b"0 1 2\n@?\n"[..])).collect::<Vec<_>>());
    harness(&["generate", path(&full), "--assignment", "puzzle", "--mutants", EASY]).fails(
        2,
        "\
error: the suite already has all of the 15 tests that it may have
hint: remove a test that exposes nothing, and generate again
",
    );
}

#[test]
fn a_full_suite_is_told_which_rejected_tests_take_numbers() {
    let right: Vec<_> = (1..=12).map(|number| format!("test-{number}-ql.txt")).collect();
    let mut files: Vec<_> = right.iter().map(|name| (name.as_str(), &b"0 1 2\n@?\n"[..])).collect();
    files.extend([
        ("test-13-ql.txt", &b""[..]),
        ("test-14-ql.txt", b"\0"),
        ("test-15-ql.txt", b""),
    ]);
    files.extend([("test-01.txt", &b"0 1 2\n@?\n"[..]), ("test-16.txt", b"")]);
    let full = folder(&files);
    harness(&["generate", path(&full), "--assignment", "puzzle", "--mutants", EASY]).fails(
        2,
        "\
error: the suite already has all of the 15 tests that it may have
hint: mend or remove what is rejected but takes a number: test-13-ql.txt, test-14-ql.txt, test-15-ql.txt
",
    );
}

#[test]
fn without_out_the_tests_go_to_a_new_folder() {
    let place = folder(&[("generated/notes.txt", b"mine")]);
    let mut command = command();
    command
        .args(["generate", "--assignment", "puzzle", "--mutants", "traps-are-floor", "--fewest"])
        .args(["--course".as_ref(), repository().as_os_str()])
        .current_dir(place.path());
    let run = Run::from(output(&mut command)).exits(0);
    assert!(
        run.stdout.contains(
            "Wrote 1 test to generated-2, the fewest of those found that expose all of them\n"
        ),
        "{}",
        run.stdout
    );
    assert_eq!(files(&place.path().join("generated")).len(), 1);
    assert_eq!(files(&place.path().join("generated-2")).len(), 1);
}

#[test]
#[ignore = "it takes long; .ci/run runs it"]
fn keep_all_also_writes_the_smallest_test_for_each_mutant() {
    let place = folder(&[]);
    let out = place.path().join("out");
    let report = generate(&out, &["--mutants", EASY, "--keep-all"]).exits(0).generated();
    assert_eq!(report.smallest.len(), 3);
    for smallest in &report.smallest {
        let file = smallest.file.as_ref().unwrap();
        assert!(file.starts_with(&format!("smallest/{}/test-1-", smallest.mutant)), "{file}");
        assert_eq!(std::fs::read_to_string(out.join(file)).unwrap(), smallest.input);
        assert!(exposed(out.join(file).parent().unwrap()).contains(&smallest.mutant), "{file}");
        assert!(smallest.certified && smallest.size <= 4, "{smallest:?}");
    }
}

#[test]
fn keep_all_keeps_the_smallest_tests_that_are_there_already() {
    let place = folder(&[("out/smallest/traps-are-floor/test-1.txt", b"mine")]);
    let out = place.path().join("out");
    let options = ["--mutants", "traps-are-floor", "--fewest", "--keep-all"];
    let report = generate(&out, &options).exits(0).generated();
    let file = report.smallest[0].file.as_ref().unwrap();
    assert!(file.starts_with("smallest/traps-are-floor/test-2"), "{file}");
    assert_eq!(std::fs::read_to_string(out.join(file)).unwrap(), report.smallest[0].input);
    let before = out.join("smallest/traps-are-floor/test-1.txt");
    assert_eq!(std::fs::read(before).unwrap(), b"mine");
}

#[test]
#[ignore = "it takes long; .ci/run runs it"]
fn with_few_files_the_selection_exposes_the_most_points() {
    let place = folder(&[]);
    let report = generate(&place.path().join("out"), &["--max-files", "1", "--mutants", EASY])
        .exits(0)
        .generated();
    assert_eq!((report.files.len(), report.smallest.len()), (1, 3));
    assert_eq!(report.selection, "chosen to expose the most points");
    let again = place.path().join("again");
    let again = again.to_str().unwrap();
    let run = harness(&[
        "generate",
        "--assignment",
        "puzzle",
        "--out",
        again,
        "--max-files",
        "1",
        "--mutants",
        EASY,
    ])
    .exits(0);
    let exposed = report.files[0].exposes.len();
    let written = format!("again, chosen to expose the most points ({exposed} of 3 mutants)");
    assert!(exposed < 3 && run.stdout.replace('\n', " ").contains(&written), "{}", run.stdout);
}

#[test]
#[ignore = "it takes long; .ci/run runs it"]
fn the_same_seed_gives_the_same_bytes_whatever_the_jobs() {
    let mutants = format!("{EASY},shows-nothing-of-the-last-color");
    let run = |jobs| {
        let place = folder(&[]);
        let out = place.path().join("out");
        let run = generate(&out, &["--jobs", jobs, "--size", "3", "--mutants", &mutants]).exits(0);
        let texts: Vec<_> = files(&out)
            .into_iter()
            .map(|file| (std::fs::read(out.join(&file)).unwrap(), file))
            .collect();
        (run.stdout.replace(out.to_str().unwrap(), "out"), texts)
    };
    let one = run("1");
    assert_eq!(one, run("3"));
    assert!(
        one.0.contains("\"certified\": false"),
        "one of them is too large to be enumerated: {}",
        one.0
    );
}

#[test]
#[ignore = "it takes long; .ci/run runs it"]
fn at_the_end_of_the_budget_the_tests_found_so_far_are_written() {
    let place = folder(&[]);
    let mutants = format!("{EASY},{HARD}");
    // Building does not count towards the budget.
    generate(&place.path().join("built"), &["--mutants", EASY]).exits(0);
    let start = Instant::now();
    let run = generate(
        &place.path().join("out"),
        &["--mutants", &mutants, "--size", "9", "--budget", "20"],
    )
    .exits(0);
    assert!(start.elapsed() < Duration::from_secs(60), "{:?}", start.elapsed());
    let report = run.generated();
    assert_eq!(report.stopped, Some(Stopped::Time));
    assert!(!report.smallest.is_empty() && !report.files.is_empty(), "{}", run.stdout);
    assert!(report.enumerated_size < Some(9), "{}", run.stdout);
    generate(&place.path().join("none"), &["--budget=-1"]).fails(
        2,
        "\
error: --budget -1 leaves no time
hint: give a number of seconds, for example --budget 60
",
    );
}

#[test]
#[ignore = "it takes long; .ci/run runs it"]
fn on_ctrl_c_the_tests_found_so_far_are_written() {
    let place = folder(&[]);
    let out = place.path().join("out");
    let mutants = format!("{EASY},{HARD}");
    let child = command()
        .args([
            "generate",
            "--assignment",
            "puzzle",
            "--budget",
            "600",
            "--size",
            "9",
            "--mutants",
            &mutants,
            "--out",
        ])
        .arg(&out)
        .stdout(Stdio::piped())
        .stderr(Stdio::piped())
        .process_group(0)
        .spawn()
        .unwrap();
    let watchdog = Watchdog::new(&child, LIMIT);
    wait_until_it_listens(child.id());
    // Long enough to expose an easy mutant.
    std::thread::sleep(Duration::from_secs(4));
    rustix::process::kill_process(
        rustix::process::Pid::from_child(&child),
        rustix::process::Signal::INT,
    )
    .unwrap();
    let start = Instant::now();
    let ended = child.wait_with_output().unwrap();
    assert!(!watchdog.has_killed());
    let run = Run::from(ended).exits(0);
    assert!(start.elapsed() < Duration::from_mins(2), "{:?}", start.elapsed());
    assert!(run.stdout.ends_with(" kept; more time may find more\n"), "{}", run.stdout);
    let (exposed, all) = (exposed(&out), mutants.split(','));
    let exposed = all.clone().filter(|id| exposed.contains(*id)).count();
    assert!(exposed > 0, "{}", run.stdout);
    let said = format!("puzzle: {exposed} of {} mutants exposed, ", all.count());
    assert!(run.stdout.starts_with(&said), "{}", run.stdout);
}

#[test]
fn an_unknown_mutant_is_a_command_line_error() {
    harness(&["generate", "--assignment", "puzzle", "--mutants", "traps-are-flor"]).fails(
        2,
        "error: there is no mutant `traps-are-flor`\nhint: did you mean `traps-are-floor`?\n",
    );
}

#[test]
fn the_files_that_are_left_expose_the_same_mutants_in_other_ways() {
    let place = folder(&[]);
    let options = ["--mutants", "traps-are-floor,keeps-open-doors", "--max-files", "4"];
    let report: Generated = generate(place.path(), &options).exits(0).json();
    let (first, again): (Vec<_>, Vec<_>) = report.files.iter().partition(|file| !file.again);
    assert!(!first.is_empty() && first.len() + again.len() == 4, "{report:?}");
    let exposed: BTreeSet<_> = first.iter().flat_map(|file| &file.exposes).collect();
    assert_eq!(exposed.len(), 2, "{first:?}");
    assert!(again.iter().all(|file| !file.exposes.is_empty()), "{again:?}");
    let flags = |file: &str| file.split('-').nth(2).map(str::to_owned);
    let ways: BTreeSet<_> = report.files.iter().map(|file| flags(&file.file)).collect();
    assert!(ways.len() > 1, "{ways:?}");
}

#[test]
fn an_option_for_another_program_is_refused_without_one() {
    let suite = folder(&[("test-1-qm.txt", b"0 1 2\n@?\n")]);
    for options in [
        ["--limit", "rows=5"].as_slice(),
        &["--without", "s"],
        &["--document-args"],
        &["--fixed-size", "3x3"],
        &["--time-limit", "1"],
        &["--memory-limit", "64"],
    ] {
        for base in [vec![path(&suite)], vec!["--mutants", EASY], vec!["--keep-all"], vec![]] {
            let args = [&["generate", "--assignment", "puzzle"], base.as_slice(), options].concat();
            let run = harness(&args);
            assert_eq!(run.status, 2, "{args:?}: {}", run.stdout);
            assert!(run.stderr.contains("--against"), "{args:?}: {}", run.stderr);
        }
    }
}

#[test]
fn a_full_folder_that_is_no_suite_asks_for_another_one() {
    let full: Vec<_> = (1..=15).map(|number| format!("test-{number}-q.txt")).collect();
    let full: Vec<_> = full.iter().map(|name| (name.as_str(), b"0 1 2\n@?\n".as_slice())).collect();
    let out = folder(&full);
    let run = generate(out.path(), &["--mutants", EASY]);
    assert_eq!(run.status, 2, "{}", run.stdout);
    assert!(run.stderr.contains("hint: name another folder with --out"), "{}", run.stderr);
    assert!(!run.stderr.contains("remove a test"), "{}", run.stderr);
}
