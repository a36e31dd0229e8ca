//! Hostile submissions, graded in the sandbox together with honest ones. `tests/attacks` tries many more, without `grade`.

use super::run::{command, has_a_compiler, has_a_sandbox, output};
use super::{Run, folder, path, repository};
use harness::files;
use harness::result::graded::{Graded, SubmissionReport, Verdict};
use std::fs;
use std::path::Path;
use tempfile::TempDir;

const COURSE: &[u8] = br#"course: Sums
assignments:
  sum:
    domain: text
    program:
      reference: { run: [sh, sum.sh] }
      mutant: { run: [sh, "{mutant}.sh"] }
    mutants: mutants
    tests: { files: 3, flags: [] }
    scoring: { start: 1, full: 1, points: 10 }
    submission:
      program: sum
      files: ["*.c", "*.cpp", Makefile]
      cases: cases.yaml
      banned: { headers: [], words: [] }
      flags: { required: [], refused: [] }
      time: { seconds: 1, runs: 1 }
      memory_mb: 64
      output_kb: 1024
      build: { command: [make], seconds: 4, memory_mb: 512 }
      points: { cases: 80, tests: 0, leaks: 0 }
"#;

const HONEST: &[u8] = b"#include <stdio.h>\nint main(void) {\n    int a, b;\n    if (scanf(\"%d %d\", &a, &b) < 2)\n        return 1;\n    printf(\"%d\\n\", a + b);\n}\n";

const MAKEFILE: &[u8] = b"sum: sum.c\n\tgcc -O3 -w -pthread sum.c -o sum\nclean:\n\trm -f sum\n";

/// Attacks of `tests/attacks/run`, and the verdict of each. Without control groups, some end in another way.
const RUN: [(&str, &[Verdict]); 12] = [
    ("daemon-with-streams", &[Verdict::Status]),
    ("flood", &[Verdict::Output]),
    ("fork-bomb", &[Verdict::Limit, Verdict::Timeout]),
    ("heap", &[Verdict::Memory, Verdict::Crashed]),
    ("kills-everything", &[Verdict::Status]),
    ("leaves-files", &[Verdict::Status]),
    ("links", &[Verdict::Status]),
    ("sleeps", &[Verdict::Timeout]),
    ("spins", &[Verdict::Timeout]),
    ("stack", &[Verdict::Crashed]),
    ("stops-its-parent", &[Verdict::Status]),
    ("supervisor", &[Verdict::Status]),
];

/// Attacks of `tests/attacks/build`.
const BUILD: [&str; 6] = [
    "deletes-itself",
    "kills-everything",
    "leaves-a-daemon",
    "links-to-a-secret",
    "never-ends",
    "prints-without-end",
];

/// A course, and a class of honest submissions with these names.
fn course(honest: &[&str]) -> TempDir {
    let course = folder(&[
        ("harness.yaml", COURSE),
        ("sum.sh", b"read a b || exit 1\n[ -n \"$b\" ] || exit 1\necho $((a + b))\n"),
        ("wrong.sh", b"echo 5\n"),
        ("cases.yaml", b"sample:\n  cases:\n    Two: { text: \"1 2\\n\" }\n"),
        ("mutants/wrong.yaml", b"summary: Prints 5.\nkind: implementation\ntopic: sum\nspec: the sum\nhint: Add.\npoints: 1\nwitness:\n  flags: ''\n  input: \"1 2\\n\"\n  expected: { exit: 0, stdout: \"3\\n\" }\n"),
    ]);
    for name in honest {
        submit(&course, name, &[("sum.c", HONEST), ("Makefile", MAKEFILE)]);
    }
    course
}

fn submit(course: &TempDir, name: &str, files: &[(&str, &[u8])]) {
    let folder = course.path().join("class").join(name);
    fs::create_dir_all(&folder).unwrap();
    for (name, contents) in files {
        fs::write(folder.join(name), contents).unwrap();
    }
}

fn grade(course: &TempDir) -> Vec<SubmissionReport> {
    let mut command = command();
    command.arg("grade").arg(course.path().join("class")).args(["--course", path(course)]);
    let run: Run = output(command.args(["--jobs", "2", "--format", "json"])).into();
    run.exits(0).json::<Graded>().submissions
}

fn verdict(report: &SubmissionReport) -> Verdict {
    report.groups[0].cases[0].verdict
}

#[test]
#[ignore = "it takes long; .ci/run runs it"]
fn hostile_submissions_earn_nothing_and_change_no_other_result() {
    if !has_a_compiler() || !has_a_sandbox() {
        return;
    }
    let alone = grade(&course(&["honest"]));
    let class = course(&["a-honest", "honest", "z-honest"]);
    let attacks = repository().join("tests/attacks");
    let read = |path: &Path| fs::read(path).unwrap();
    for (name, _) in RUN {
        let source = read(&attacks.join("run").join(format!("{name}.c")));
        submit(&class, &format!("run-{name}"), &[("sum.c", &source), ("Makefile", MAKEFILE)]);
    }
    for name in BUILD {
        let makefile = read(&attacks.join("build").join(name).join("Makefile"));
        submit(&class, &format!("build-{name}"), &[("sum.c", HONEST), ("Makefile", &makefile)]);
    }
    let graded = grade(&class);
    let of = |name: &str| graded.iter().find(|report| report.name == name).unwrap();
    for (name, verdicts) in RUN {
        let report = of(&format!("run-{name}"));
        assert!(verdicts.contains(&verdict(report)), "{name}: {:?}", verdict(report));
        assert!(report.points.earned <= 0.0, "{name}");
    }
    for name in BUILD {
        let report = of(&format!("build-{name}"));
        assert_eq!(
            (verdict(report), report.points.earned > 0.0),
            (Verdict::NotRun, false),
            "{name}"
        );
    }
    for name in ["a-honest", "honest", "z-honest"] {
        let text = |report| serde_json::to_string(report).unwrap();
        let renamed = text(of(name)).replace(&format!("{name:?}"), "\"honest\"");
        assert_eq!(renamed, text(&alone[0]), "{name}");
    }
}

#[test]
fn nothing_is_graded_without_a_sandbox_unless_the_user_asks_for_it() {
    let course = course(&["honest"]);
    let bare = folder(&[]);
    let mut command = command();
    command.arg("grade").arg(course.path().join("class")).args(["--course", path(&course)]);
    let run: Run = output(command.env("PATH", bare.path())).into();
    run.fails(
        5,
        "error: there is no `bwrap`, which isolates programs of students\n\
         hint: install bubblewrap, for example with `apt-get install bubblewrap`\n",
    );
}

/// Grades submissions of `tests/attacks/submissions` by a course that looks at options and leaks.
fn forgeries<const COUNT: usize>(names: [&str; COUNT]) -> [SubmissionReport; COUNT] {
    let course = course(&[]);
    let file = course.path().join("harness.yaml");
    let text = fs::read_to_string(&file).unwrap();
    let text = text.replace("      flags: { required: [], refused: [] }\n", "");
    fs::write(&file, text.replace("leaks: 0", "leaks: 10")).unwrap();
    for name in names {
        let folder = repository().join("tests/attacks/submissions").join(name);
        let read = |name: &str| fs::read(folder.join(name)).unwrap();
        let (source, makefile) = (read("sum.cpp"), read("Makefile"));
        submit(&course, name, &[("sum.cpp", &source), ("Makefile", &makefile)]);
    }
    let graded = grade(&course);
    names.map(|name| graded.iter().find(|report| report.name == name).unwrap().clone())
}

#[test]
#[ignore = "it takes long; .ci/run runs it"]
fn a_makefile_cannot_hide_how_it_compiles() {
    if !has_a_compiler() || !has_a_sandbox() {
        return;
    }
    let [round, hidden] = forgeries(["goes-round-the-script", "hides-its-options"]);
    let said = |report: &SubmissionReport| -> Vec<String> {
        report.findings.iter().map(|finding| finding.message.clone()).collect()
    };
    let message = "sum was made by no compilation of gcc or g++ that was seen";
    assert_eq!(said(&round), [message]);
    assert_eq!(said(&hidden), ["sum.cpp was compiled without -O3", "sum.cpp was compiled with -g"]);
}

#[test]
#[ignore = "it takes long; .ci/run runs it"]
fn a_program_cannot_hide_its_leaks_from_valgrind() {
    if !has_a_compiler() || !has_a_sandbox() || files::on_path(&["valgrind"]).is_none() {
        return;
    }
    let all = forgeries(["ends-the-report", "hides-the-report", "becomes-another"]);
    for report in &all {
        let leaks = report.leaks.as_ref().unwrap();
        assert_eq!(verdict(report), Verdict::Passed, "{}", report.name);
        assert_eq!(leaks.clean, 0, "{}: {leaks:?}", report.name);
        assert_eq!(leaks.unchecked, None, "{}", report.name);
    }
}
