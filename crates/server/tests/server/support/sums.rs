//! A small course, whose programs print the sum of two numbers, and what students hand in for it.

use std::fs;
use std::path::Path;
use tempfile::TempDir;

const COURSE: &str = r#"course: Sums
assignments:
  sum:
    title: Sum
    domain: text
    program:
      reference: { run: [sh, sum.sh] }
      mutant: { run: [sh, "wrong/{mutant}.sh"] }
    mutants: mutants
    tests: { files: 3, flags: [] }
    scoring: { start: 1, full: 1, extra_submission: 1, points: 10 }
    feedback: { hints: { per_day: 1 } }
    submission:
      program: sum
      identifier: ABCDEF0123456789
      files: ["*.cpp", "*.h", Makefile, "test*.txt"]
      cases: cases.yaml
      scoreboard: names
      points: { cases: 80, tests: 10, leaks: 0 }
"#;

const CASES: &str = "sample:\n  weight: 1\n  cases:\n    Two: { text: \"1 2\\n\" }\n    Large: { text: \"20 22\\n\" }\ninvalid:\n  weight: 1\n  cases:\n    INV1: { text: \"1\\n\" }\n";

const REFERENCE: &str = "read a b || exit 1\n[ -n \"$b\" ] || exit 1\necho $((a + b))\n";

const MUTANT: &str = "summary: Adds one.\nkind: implementation\ntopic: sum\nspec: the sum\nhint: Add.\npoints: 1\nwitness:\n  flags: ''\n  input: \"1 2\\n\"\n  expected: { exit: 0, stdout: \"3\\n\" }\n";

/// A right program. Its header is a small one: many tests compile it.
pub(crate) const SUM: &str = "// Project Identifier: ABCDEF0123456789\n#include <cstdio>\nint main() {\n    int a = 0, b = 0;\n    if (std::scanf(\"%d %d\", &a, &b) < 2) {\n        std::fputs(\"two numbers, please\\n\", stderr);\n        return 1;\n    }\n    std::printf(\"%d\\n\", a + b);\n}\n";

pub(crate) const MAKEFILE: &str = "# Project Identifier: ABCDEF0123456789\nsum: sum.cpp\n\tg++ -O3 -o sum sum.cpp\nclean:\n\trm -f sum\n";

/// The folder of the course, with a `serve.yaml`.
pub(crate) fn course(serve: &str) -> TempDir {
    let folder = tempfile::tempdir().unwrap();
    let wrong = REFERENCE.replace("a + b", "a + b + 1");
    let files = [
        ("harness.yaml", COURSE),
        ("serve.yaml", serve),
        ("sum.sh", REFERENCE),
        ("cases.yaml", CASES),
        ("wrong/adds-one.sh", &wrong),
        ("mutants/adds-one.yaml", MUTANT),
    ];
    for (name, text) in files {
        write(folder.path(), name, text);
    }
    folder
}

pub(crate) fn write(folder: &Path, name: &str, text: &str) {
    let file = folder.join(name);
    fs::create_dir_all(file.parent().unwrap()).unwrap();
    fs::write(file, text).unwrap();
}

/// An archive as a student hands it in: these files, gzipped.
pub(crate) fn archive(files: &[(&str, &str)]) -> Vec<u8> {
    let gzip = flate2::write::GzEncoder::new(Vec::new(), flate2::Compression::fast());
    let mut archive = tar::Builder::new(gzip);
    for (name, text) in files {
        let mut header = tar::Header::new_gnu();
        header.set_size(text.len() as u64);
        header.set_mode(0o644);
        header.set_cksum();
        archive.append_data(&mut header, name, text.as_bytes()).unwrap();
    }
    archive.into_inner().unwrap().finish().unwrap()
}

/// A right submission, with a test that exposes the one mutant.
pub(crate) fn right() -> Vec<u8> {
    archive(&[("sum.cpp", SUM), ("Makefile", MAKEFILE), ("test-1.txt", "2 3\n")])
}
