//! A course whose programs print the sum of two numbers, for tests of whole submissions.

use super::run::{Run, command, output};
use super::{folder, path, skip};
use harness::result::graded::{Graded, SubmissionReport};
use std::fs;
use std::process::Command;
use tempfile::TempDir;

/// A course whose programs print the sum of two numbers.
const COURSE: &str = r#"course: Sums
assignments:
  sum:
    domain: text
    program:
      reference: { run: [sh, sum.sh] }
      mutant: { run: [sh, "wrong/{mutant}.sh"] }
    mutants: mutants
    tests: { files: 3, flags: [] }
    scoring: { start: 1, full: 1, points: 10 }
    submission:
      program: sum
      identifier: ABCDEF0123456789
      files: ["*.cpp", "*.h", Makefile, "test*.txt"]
      cases: cases.yaml
      points: { cases: 80, tests: 10, leaks: 0 }
"#;

const REFERENCE: &[u8] = b"read a b || exit 1\n[ -n \"$b\" ] || exit 1\necho $((a + b))\n";

pub(super) const CASES: &[u8] = b"sample:\n  weight: 1\n  cases:\n    Two: { text: \"1 2\\n\" }\n    Large: { text: \"20 22\\n\" }\ninvalid:\n  weight: 1\n  cases:\n    INV1: { text: \"1\\n\" }\n";

/// A right program. Its header is a small one: many tests compile it.
pub(super) const SUM: &str = "// Project Identifier: ABCDEF0123456789\n#include <cstdio>\nint main() {\n    int a = 0, b = 0;\n    if (std::scanf(\"%d %d\", &a, &b) < 2) {\n        std::fputs(\"two numbers, please\\n\", stderr);\n        return 1;\n    }\n    std::printf(\"%d\\n\", a + b);\n}\n";

pub(super) const MAKEFILE: &str = "# Project Identifier: ABCDEF0123456789\nsum: sum.cpp\n\tg++ -O3 -o sum sum.cpp\nclean:\n\trm -f sum\n";

/// A course, and a submission in the folder `mine` with these files.
pub(super) fn course(files: &[(&str, &str)]) -> TempDir {
    let mine: Vec<_> = files.iter().map(|(name, text)| (format!("mine/{name}"), *text)).collect();
    let mut all: Vec<(&str, &[u8])> = vec![
        ("harness.yaml", COURSE.as_bytes()),
        ("sum.sh", REFERENCE),
        ("cases.yaml", CASES),
        ("wrong/adds-one.sh", b"read a b || exit 1\n[ -n \"$b\" ] || exit 1\necho $((a + b + 1))\n"),
        ("mutants/adds-one.yaml", b"summary: Adds one.\nkind: implementation\ntopic: sum\nspec: the sum\nhint: Add.\npoints: 1\nwitness:\n  flags: ''\n  input: \"1 2\\n\"\n  expected: { exit: 0, stdout: \"3\\n\" }\n"),
    ];
    all.extend(mine.iter().map(|(name, text)| (name.as_str(), text.as_bytes())));
    folder(&all)
}

/// Adds keys to what the course file says about submissions.
pub(super) fn set(course: &TempDir, keys: &str) {
    let file = course.path().join("harness.yaml");
    let text = fs::read_to_string(&file).unwrap();
    fs::write(&file, text + &format!("      {keys}\n")).unwrap();
}

/// Adds a submission with these files to the folder `class`.
pub(super) fn submit(course: &TempDir, name: &str, files: &[(&str, &str)]) {
    let folder = course.path().join("class").join(name);
    fs::create_dir_all(&folder).unwrap();
    for (name, text) in files {
        let file = folder.join(name);
        fs::create_dir_all(file.parent().unwrap()).unwrap();
        fs::write(file, text).unwrap();
    }
}

/// Grades the submission `name` of a course without the sandbox, which not every machine has.
#[track_caller]
pub(super) fn grade_with(course: &TempDir, name: &str, args: &[&str]) -> Run {
    let mut command = command();
    command.arg("grade").arg(course.path().join(name)).args(["--course", path(course)]);
    output(command.args(["--unsafe-no-sandbox", "--jobs", "1"]).args(args)).into()
}

#[track_caller]
pub(super) fn graded(run: &Run) -> SubmissionReport {
    run.json::<Graded>().submissions.remove(0)
}

pub(super) fn has_no_compiler() -> bool {
    let has = |name: &str| Command::new(name).arg("--version").output().is_ok();
    let is_missing = !has("g++") || !has("make");
    if is_missing {
        skip("there is no g++ or no make on this machine");
    }
    is_missing
}

/// The messages of a report.
pub(super) fn messages(report: &SubmissionReport) -> Vec<&str> {
    report.findings.iter().map(|finding| finding.message.as_str()).collect()
}
