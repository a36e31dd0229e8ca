//! `harness mutants mine`.

use super::course::COURSE;
use super::run::{Run, harness, has_a_compiler, has_a_sandbox};
use super::{folder, path, repository};
use harness_author::report::mined::{DeviationMined, Mined};
use std::collections::BTreeSet;
use std::fs;
use std::path::Path;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::thread::{self, JoinHandle};
use tempfile::TempDir;

const NUMBERS: &str = "input:
  - line: [{ n: 1 .. 4 }]
  - lines: n
    line: [{ x: -9 .. 9 }]
";
/// Prints the largest of some numbers and how many there are.
const MAX: &str = "#include <stdio.h>
#include \"subject.h\"
int main(void) {
    int n, x, most = BUG(\"starts-at-zero\") ? 0 : -1001, count = 0;
    scanf(\"%d\", &n);
    while (n-- > 0 && scanf(\"%d\", &x) == 1) {
        if (x > most) most = x;
        if (BUG(\"stops-at-seven\") && x == 7) break;
        count++;
    }
    printf(\"%d %d\\n\", most, count);
    return 0;
}
";

/// A student's program. `start`, `at_each` and `at_end` are where it can be wrong.
fn student(start: &str, at_each: &str, at_end: &str) -> String {
    format!(
        "#include <stdio.h>
#include <stdlib.h>
int main(void) {{
    int n, x, most = {start}, count = 0;
    scanf(\"%d\", &n);
    for (int i = 0; i < n && scanf(\"%d\", &x) == 1; i++) {{
        if (x > most) most = x;
        {at_each}
        count++;
    }}
    {at_end}
    printf(\"%d %d\\n\", most, count);
    return 0;
}}
"
    )
}

const RIGHT: &str = "-1001";
/// It counts three numbers as four: no mutant does.
const MISCOUNTS: &str = "if (count == 3) count = 4;";

/// The course, with this folder of programs.
fn course(programs: &[(&str, &str)]) -> TempDir {
    let mutant = |summary: &str| {
        format!(
            "summary: {summary}\nkind: implementation\ntopic: max\nspec: the largest number\nhint: Which numbers are there?\npoints: 1\n"
        )
    };
    let zero = mutant("Starts from zero.");
    let seven = mutant("Stops at seven.");
    let header = fs::read(repository().join("crates/subject/c/subject.h")).unwrap();
    let programs: Vec<_> = programs
        .iter()
        .map(|(name, text)| (format!("class/{name}"), text.as_bytes().to_vec()))
        .collect();
    let mut files: Vec<(&str, &[u8])> = vec![
        ("harness.yaml", COURSE.as_bytes()),
        ("numbers.yaml", NUMBERS.as_bytes()),
        ("max.c", MAX.as_bytes()),
        ("subject.h", &header),
        ("mutants/starts-at-zero.yaml", zero.as_bytes()),
        ("mutants/stops-at-seven.yaml", seven.as_bytes()),
        ("suites/ann/test-1.txt", b"2\n1\n-3\n"),
        ("suites/ben/test-1.txt", b"1\n-3\n"),
        ("suites/ben/test-2.txt", b"3\n1\n2\n3\n"),
    ];
    files.extend(programs.iter().map(|(name, text)| (name.as_str(), text.as_slice())));
    folder(&files)
}

fn mine(course: &TempDir, options: &[&str]) -> Run {
    let (root, class) = (path(course), course.path().join("class"));
    let class = class.to_str().unwrap();
    harness(&[&["mutants", "mine", class, "--course", root, "--jobs", "2"], options].concat())
}

fn mined(course: &TempDir, options: &[&str]) -> Mined {
    mine(course, &[options, &["--format", "json"]].concat()).exits(0).json()
}

/// The deviations of a program, each by its mutant.
fn of<'a>(mined: &'a Mined, program: &str) -> Vec<Option<&'a str>> {
    let has = |it: &&DeviationMined| it.programs.iter().any(|name| name.ends_with(program));
    mined.deviations.iter().filter(has).map(|it| it.mutant.as_deref()).collect()
}

#[test]
#[ignore = "it takes long; .ci/run runs it"]
fn each_program_shows_its_own_bugs_and_the_new_ones_come_first() {
    if !has_a_compiler() {
        return;
    }
    let course = course(&[
        ("right.c", &student(RIGHT, "", "")),
        ("zero.c", &student("0", "", "")),
        ("new.c", &student(RIGHT, "", MISCOUNTS)),
        ("two.c", &student("0", "", MISCOUNTS)),
        ("again.c", &student("0", "", MISCOUNTS)),
    ]);
    let out = course.path().join("out");
    let page = course.path().join("page.html");
    let (out_name, page_name) = (out.to_str().unwrap(), page.to_str().unwrap());
    let mined = mined(&course, &["--out", out_name, "--html", page_name]);
    assert_eq!(of(&mined, "right.c"), []);
    assert_eq!(of(&mined, "zero.c"), [Some("starts-at-zero")]);
    assert_eq!(of(&mined, "new.c"), [None]);
    for program in ["two.c", "again.c"] {
        assert_eq!(of(&mined, program), [None, Some("starts-at-zero")], "{program}");
    }
    assert_eq!(mined.unmatched_mutants, ["stops-at-seven"]);
    let new = &mined.deviations[0];
    assert!(!new.represented && new.programs.len() == 3, "{new:?}");
    let smallest = new.smallest.as_ref().unwrap();
    assert!(smallest.outcomes.input.starts_with("3\n"), "{smallest:?}");
    assert!(smallest.outcomes.reference.stdout.ends_with(" 3\n"), "{smallest:?}");
    assert!(smallest.outcomes.program.stdout.ends_with(" 4\n"), "{smallest:?}");
    let prepared = fs::read_to_string(new.prepared.as_ref().unwrap()).unwrap();
    assert!(prepared.contains("summary: \"\"") && prepared.contains("witness:"), "{prepared}");
    assert!(fs::read_to_string(page).unwrap().contains("no mutant represents it"));
}

#[test]
#[ignore = "it takes long; .ci/run runs it"]
fn points_follow_the_bugs_of_the_programs_and_are_written_only_when_told() {
    if !has_a_compiler() {
        return;
    }
    // The same bug in two programs, and nobody stops at seven.
    let course = course(&[
        ("right.c", &student(RIGHT, "", "")),
        ("zero.c", &student("0", "", "")),
        ("zero-too.c", &student("1 - 1", "", "")),
    ]);
    let zero = course.path().join("mutants/starts-at-zero.yaml");
    let before = fs::read_to_string(&zero).unwrap() + "# The end.\n";
    fs::write(&zero, &before).unwrap();
    let scored = COURSE.replace("full: 1 }", "full: 2 } # of two");
    let yaml = course.path().join("harness.yaml");
    fs::write(&yaml, &scored).unwrap();
    let weighed = mined(&course, &["--weigh"]).weighed.unwrap();
    let proposed: Vec<_> =
        weighed.mutants.iter().map(|it| (it.programs, it.proposed.to_string())).collect();
    assert_eq!(proposed, [(2, "1.5".to_owned()), (0, "0.25".to_owned())]);
    assert_eq!(fs::read_to_string(&zero).unwrap(), before, "nothing is written unasked");
    assert_eq!(fs::read_to_string(&yaml).unwrap(), scored, "nothing is written unasked");
    let text = mine(&course, &["--weigh", "--apply"]).exits(0).stdout;
    assert!(text.contains("Points written into 2 catalogue files."), "{text}");
    let after = before.replace("points: 1", "points: 1.5");
    assert_eq!(fs::read_to_string(&zero).unwrap(), after);
    // As large parts of 1.75 points as before of 2.
    let written =
        scored.replace("{ start: 1, full: 2 }", "{ thresholds: points, start: 0.88, full: 1.75 }");
    assert_eq!(fs::read_to_string(&yaml).unwrap(), written);
    let again = mined(&course, &["--weigh", "--apply"]).weighed.unwrap();
    assert_eq!(again.applied, Some(0), "what is written is what is proposed");

    // Right programs say nothing of what a mutant is worth.
    for wrong in ["zero.c", "zero-too.c"] {
        fs::remove_file(course.path().join("class").join(wrong)).unwrap();
    }
    mine(&course, &["--weigh", "--apply"]).fails(
        2,
        "error: no program shows a bug, so there are no points to write\nhint: mine programs of which some are wrong\n",
    );
    assert_eq!(fs::read_to_string(&zero).unwrap(), after);
}

#[test]
#[ignore = "it takes long; .ci/run runs it"]
fn a_prepared_file_that_was_filled_in_is_kept_and_becomes_a_mutant() {
    if !has_a_compiler() {
        return;
    }
    let course = course(&[("new.c", &student(RIGHT, "", MISCOUNTS))]);
    let out = course.path().join("out");
    let options = ["--out", out.to_str().unwrap()];
    let first = mined(&course, &options);
    let prepared = first.deviations[0].prepared.clone().unwrap();
    let filled_in = fs::read_to_string(&prepared).unwrap().replace("points: 1", "points: 2");
    fs::write(&prepared, &filled_in).unwrap();
    mined(&course, &options);
    assert_eq!(fs::read_to_string(&prepared).unwrap(), filled_in);
    // The bug goes into the reference.
    fs::copy(&prepared, course.path().join("mutants/counts-three-as-four.yaml")).unwrap();
    let with_bug = MAX.replace(
        "    printf",
        "    if (BUG(\"counts-three-as-four\") && count == 3) count = 4;\n    printf",
    );
    fs::write(course.path().join("max.c"), with_bug).unwrap();
    let again = mined(&course, &options);
    // A folder with one source is one program.
    assert_eq!(of(&again, "class"), [Some("counts-three-as-four")]);
}

#[test]
#[ignore = "it takes long; .ci/run runs it"]
fn a_hostile_program_affects_only_its_own_row() {
    if !has_a_compiler() {
        return;
    }
    let loops = student(RIGHT, "", "for (;;) {}");
    let crashes = student(RIGHT, "", "abort();");
    let course = course(&[
        ("a-loops.c", &loops),
        ("b-crashes.c", &crashes),
        ("c-does-not-compile.c", "int main(void) { return }"),
        ("d-reads-for-ever.c", "#include \"/dev/zero\"\nint main(void) {}"),
        ("e-does-not-parse.py", "n = int(input()\nprint(n)\n"),
        ("f-is-empty.py", "# TODO\n"),
        ("g-raises.py", "int('x')\n"),
        ("right.c", &student(RIGHT, "", "")),
        ("zero.c", &student("0", "", "")),
    ]);
    let mined = mined(&course, &["--weigh"]);
    let of_crash: Vec<_> =
        mined.deviations.iter().filter(|it| it.programs == ["class/b-crashes.c"]).collect();
    assert_eq!(of_crash.len(), 1, "{of_crash:?}");
    assert_eq!(of_crash[0].smallest.as_ref().unwrap().outcomes.how.word(), "crash");
    // It was stopped after a few small cases, which say nothing of what it is like.
    assert_eq!(of(&mined, "a-loops.c"), []);
    let loops = &mined.programs[0];
    let why = format!("it does not end on any of the {} cases that were tried", loops.tried);
    assert_eq!(loops.problem.as_ref(), Some(&why));
    assert_eq!(mined.weighed.as_ref().unwrap().programs, 4);
    for program in &mined.programs[2..6] {
        let problem = program.problem.as_ref().unwrap();
        assert!(program.tried == 0 && !problem.contains("/mined/"), "{program:?}");
    }
    let broken = mined.programs[4].problem.as_ref().unwrap();
    assert!(broken.contains("File \"e-does-not-parse.py\", line 1\n"), "{broken}");
    let raises = mined.deviations.iter().find(|it| it.programs == ["class/g-raises.py"]).unwrap();
    let said = &raises.smallest.as_ref().unwrap().outcomes.program.stderr;
    assert!(said.contains("File \"g-raises.py\", line 1"), "{said}");
    assert_eq!(mined.programs[7].differing, 0);
    assert_eq!(of(&mined, "zero.c"), [Some("starts-at-zero")]);
}

#[test]
#[ignore = "it takes long; .ci/run runs it"]
fn an_interrupted_run_continues_with_what_it_has_kept() {
    if !has_a_compiler() {
        return;
    }
    let course = course(&[("zero.c", &student("0", "", ""))]);
    let out = course.path().join("out");
    let page = course.path().join("page.html");
    let options = ["--out", out.to_str().unwrap(), "--html", page.to_str().unwrap()];
    let whole = mined(&course, &options);
    let kept = fs::read_dir(out.join("runs")).unwrap().next().unwrap().unwrap().path();
    assert_eq!(mined(&course, &options), whole);
    // Only what is kept says that the program is right.
    let right = r#"{"tried":7,"shown":{},"is_slow":false,"stopped":[],"engine":null}"#;
    fs::write(kept, right).unwrap();
    let again = mined(&course, &options);
    assert_eq!((again.programs[0].tried, again.programs[0].differing), (7, 0));
    // Its page follows, until somebody writes into it.
    let text = fs::read_to_string(&page).unwrap();
    assert!(!text.contains("starts-at-zero</"), "{text}");
    fs::write(&page, text.replace("<body>", "<body>mine")).unwrap();
    let run = mine(&course, &options);
    run.fails(
        2,
        "error: [..]page.html already exists
hint: name a new file; only a page of an earlier run that nobody changed is replaced
",
    );
}

#[test]
#[ignore = "it takes long; .ci/run runs it"]
fn two_deviations_with_the_same_smallest_test_get_a_file_each() {
    if !has_a_compiler() {
        return;
    }
    let course = course(&[
        ("seven.c", &student(RIGHT, "", "if (n == 1) count = 7;")),
        ("eight.c", &student(RIGHT, "", "if (n == 1) count = 8;")),
    ]);
    let out = course.path().join("out");
    let mined = mined(&course, &["--out", out.to_str().unwrap()]);
    let [first, second] = mined.deviations.as_slice() else { panic!("{mined:?}") };
    let input = |it: &DeviationMined| it.smallest.clone().unwrap().outcomes.input;
    assert_eq!(input(first), input(second));
    for deviation in [first, second] {
        let file = fs::read_to_string(deviation.prepared.as_ref().unwrap()).unwrap();
        let program = format!("Seen in {}", deviation.programs[0]);
        assert!(file.contains(&program), "{program}: {file}");
    }
    assert_eq!(fs::read_dir(out.join("catalogue")).unwrap().count(), 2);
}

/// It reads a file of the course, writes into the course and into the folder of temporary files, and includes a file of the course.
#[test]
#[ignore = "it takes long; .ci/run runs it"]
fn a_program_and_its_compilation_reach_no_file_of_the_user() {
    if !has_a_compiler() || !has_a_sandbox() {
        return;
    }
    let shared = TempDir::new_in("/tmp").unwrap();
    let left = shared.path().join("left");
    let secret = |course: &TempDir| course.path().join("mutants/starts-at-zero.yaml");
    let reads = |secret: &Path, left: &Path| {
        let attack = format!(
            "FILE *in = fopen(\"{}\", \"r\"), *out = fopen(\"{}\", \"w\");
            if (in || out) {{ if (out) fputs(\"x\", out); count = 99; }}",
            secret.display(),
            left.display(),
        );
        student(RIGHT, "", &attack)
    };
    let course = course(&[("right.c", &student(RIGHT, "", ""))]);
    let (secret, in_course) = (secret(&course), course.path().join("left"));
    let class = course.path().join("class");
    fs::write(class.join("a.c"), reads(&secret, &left)).unwrap();
    fs::write(class.join("b.c"), reads(&secret, &in_course)).unwrap();
    let includes = format!(
        "#define X(a) #a\n{}const char *in =\n#include \"{}\"\n;",
        student(RIGHT, "", ""),
        course.path().join("max.c").display()
    );
    fs::write(class.join("c.c"), includes).unwrap();
    let embeds =
        format!("__asm__(\".incbin \\\"{}\\\"\");\n{}", secret.display(), student(RIGHT, "", ""));
    fs::write(class.join("d.c"), embeds).unwrap();
    let python = format!(
        "import sys\ntry:\n    open({secret:?})\n    print(99)\nexcept OSError:\n    print(*[max(n), len(n)] if (n := [int(it) for it in sys.stdin.read().split()[1:]]) else 0)\n"
    );
    fs::write(class.join("e.py"), python).unwrap();
    let mined = mined(&course, &["--budget", "300"]);
    assert_eq!(mined.not_contained, None);
    let row = |name: &str| mined.programs.iter().find(|it| it.name.ends_with(name)).unwrap();
    for name in ["a.c", "b.c", "e.py"] {
        let row = row(name);
        assert!(row.tried > 100 && row.differing == 0, "{row:?}");
    }
    for name in ["c.c", "d.c"] {
        assert!(row(name).problem.is_some(), "{:?}", row(name));
    }
    assert!(!left.exists() && !in_course.exists());
}

/// Threads that keep the processor busy until this is dropped, with the priority of the programs that are mined.
struct Load(Arc<AtomicBool>, Vec<JoinHandle<()>>);

impl Load {
    fn new() -> Self {
        let is_over = Arc::new(AtomicBool::new(false));
        let spin = |is_over: Arc<AtomicBool>| {
            move || {
                // On Linux, that is the priority of this thread alone.
                rustix::process::setpriority_process(None, 10).unwrap();
                while !is_over.load(Ordering::Relaxed) {}
            }
        };
        let threads = (0..4).map(|_| thread::spawn(spin(is_over.clone()))).collect();
        Self(is_over, threads)
    }
}

impl Drop for Load {
    fn drop(&mut self) {
        self.0.store(true, Ordering::Relaxed);
        self.1.drain(..).for_each(|thread| thread.join().unwrap());
    }
}

#[test]
#[ignore = "it takes long; .ci/run runs it"]
fn a_busy_machine_gets_the_same_report_and_equal_programs_equal_rows() {
    if !has_a_compiler() {
        return;
    }
    // Some cases take a moment, others much longer, and some take for ever: a clock would stop them here or there.
    let slow = "for (volatile long step = 0; n == 3 || step < most * most * 50000L; step++) {}";
    // So it need not wait for long.
    let limit = "    run: { seconds: 0.25 }\n    tests:";
    let program = |number: usize| format!("{}// {number}\n", student(RIGHT, "", slow));
    let programs: Vec<_> = (0..2).map(program).collect();
    let named = ["a.c", "b.c"].into_iter().zip(programs.iter().map(String::as_str));
    let course = course(&named.collect::<Vec<_>>());
    fs::write(course.path().join("harness.yaml"), COURSE.replace("    tests:", limit)).unwrap();
    let run = || mine(&course, &["--format", "json"]).exits(0);
    let quiet = run();
    let mined: Mined = quiet.json();
    let tried: BTreeSet<_> = mined.programs.iter().map(|it| (it.tried, it.differing)).collect();
    assert_eq!(tried.len(), 1, "{mined:?}");
    assert_eq!(mined.deviations.len(), 1, "{mined:?}");
    let _load = Load::new();
    assert_eq!(run().stdout, quiet.stdout);
}

#[test]
#[ignore = "it takes long; .ci/run runs it"]
fn a_slow_program_that_is_right_has_no_deviation() {
    if !has_a_compiler() {
        return;
    }
    // These rounds are far shorter than most steps: they are too many for the limit, but take much less time.
    let slow = "numbers = [int(input()) for _ in range(int(input()))]
if len(numbers) > 2:
    for _ in range(8_000_000): pass
print(max(numbers), len(numbers))
";
    let course = course(&[
        ("right.c", &student(RIGHT, "", "")),
        ("slow.py", slow),
        ("zero.c", &student("0", "", "")),
    ]);
    let limit = "    run: { seconds: 1 }\n    tests:";
    fs::write(course.path().join("harness.yaml"), COURSE.replace("    tests:", limit)).unwrap();
    let mined = mined(&course, &[]);
    assert_eq!(of(&mined, "slow.py"), []);
    let [right, slow, _] = mined.programs.as_slice() else { panic!("{mined:?}") };
    assert_eq!((right.slow, slow.differing, slow.problem.as_deref()), (None, 0, None), "{slow:?}");
    assert!(slow.slow.is_some_and(|stopped| stopped > 0 && stopped < slow.tried), "{slow:?}");
}

#[test]
#[ignore = "it takes long; .ci/run runs it"]
fn every_suite_runs_on_every_program() {
    if !has_a_compiler() {
        return;
    }
    let course =
        course(&[("zero.c", &student("0", "", "")), ("new.c", &student(RIGHT, "", MISCOUNTS))]);
    let suites = course.path().join("suites");
    let mined = mined(&course, &["--suites", suites.to_str().unwrap()]);
    let suites = mined.suites.unwrap();
    let rows = suites
        .suites
        .iter()
        .map(|it| (it.name.as_str(), [it.valid_tests, it.mutants, it.deviations, it.programs]));
    assert_eq!(rows.collect::<Vec<_>>(), [("ann", [1, 0, 0, 0]), ("ben", [2, 1, 2, 2])]);
    let first = &suites.correlations[0];
    assert_eq!((first.of.as_str(), first.with.as_str()), ("mutants", "deviations"));
    assert_eq!((first.pairs, first.rho, first.interval), (2, 1.0, None));
}

#[test]
fn a_program_that_is_not_there_is_an_error_of_the_command_line() {
    if !has_a_compiler() {
        return;
    }
    let course = course(&[("right.c", &student(RIGHT, "", ""))]);
    let there = course.path().join("class/rihgt.c");
    let run = harness(&["mutants", "mine", there.to_str().unwrap(), "--course", path(&course)]);
    run.fails(2, "error: [..]rihgt.c does not exist\nhint: did you mean [..]\n");
    let run = harness(&["mutants", "mine", "rihgt", "--course", path(&course)]);
    run.fails(2, "error: rihgt does not exist\n");
}

#[test]
fn what_is_left_out_of_a_folder_is_told() {
    if !has_a_compiler() {
        return;
    }
    let course = course(&[("right.c", &student(RIGHT, "", "")), ("bob.py", ""), ("cy.py", "")]);
    let class = course.path().join("class");
    // The last one does not exist, so that nothing runs.
    let words = ["mutants", "mine", class.to_str().unwrap(), "--course", path(&course), "rihgt"];
    harness(&words).fails(
        2,
        "warning: [..]class is taken for one program, without bob.py, cy.py
hint: if each of its files is a program, name them: [..]class/*
error: rihgt does not exist
",
    );
    for (name, text) in [("zero.c", student("0", "", "")), ("notes.txt", String::new())] {
        fs::write(class.join(name), text).unwrap();
    }
    fs::write(class.join("common.h"), "").unwrap();
    let told = "warning: left out of [..]class, as no program: notes.txt\n";
    harness(&words).fails(2, &format!("{told}error: rihgt does not exist\n"));
}

#[test]
fn an_archive_is_no_program_and_the_report_says_so() {
    if !has_a_compiler() {
        return;
    }
    let right = student(RIGHT, "", "");
    let also = format!("/* Cy */ {right}");
    let course = course(&[("ann.c", &right), ("cy.c", &also), ("bob.tar.gz", "packed")]);
    let run = mine(&course, &["--unsafe-no-sandbox"]).exits(0);
    let out = &run.stdout;
    assert!(out.contains("class/bob.tar.gz  it is an archive: unpack it into a folder"), "{out}");
}
