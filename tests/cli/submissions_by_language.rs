//! Submissions in each language: what `grade` says of right, slow, wrong and broken ones.

use super::run::{command, has_a_sandbox, output};
use super::{Run, folder, skip};
use harness::result::graded::{Diagnostic, Graded, SubmissionReport, Verdict};
use std::fs;
use std::process::Command;
use tempfile::TempDir;

/// A course whose programs print the sum of the numbers up to one that they read.
const COURSE: &str = r#"course: Sums
assignments:
  upto:
    domain: text
    program:
      reference: { run: [sh, upto.sh] }
      mutant: { run: [sh, "wrong/{mutant}.sh"] }
    mutants: mutants
    tests: { files: 3, flags: [] }
    scoring: { start: 1, full: 1, points: 10 }
    submission:
      program: PROGRAM
      cases: cases.yaml
      time: { seconds: 10, full: 3, none: 4, least: 0.5, runs: 1 }
"#;

const CASES: &str = "sample:\n  cases:\n    Small: { text: \"4\\n\" }\n    Large: { text: \"1000\\n\" }\ninvalid:\n  cases:\n    INV1: { text: \"x\\n\" }\n";

/// A course for submissions whose `program` is this. `keys` are others of the submission.
pub(super) fn course(program: &str, keys: &str, files: &[(&str, &str)]) -> TempDir {
    let yaml = COURSE.replace("PROGRAM", program) + keys;
    let mut all = vec![
        ("harness.yaml", yaml.as_str()),
        (
            "upto.sh",
            "read n && [ \"$n\" -ge 0 ] 2> /dev/null || exit 1\necho $((n * (n + 1) / 2))\n",
        ),
        ("cases.yaml", CASES),
        (
            "wrong/adds-one.sh",
            "read n && [ \"$n\" -ge 0 ] 2> /dev/null || exit 1\necho $((n + 1))\n",
        ),
        (
            "mutants/adds-one.yaml",
            "summary: Adds one.\nkind: implementation\ntopic: sum\nspec: the sum\nhint: Add.\npoints: 1\nwitness:\n  flags: ''\n  input: \"4\\n\"\n  expected: { exit: 0, stdout: \"10\\n\" }\n",
        ),
    ];
    all.extend(files);
    let all: Vec<_> = all.into_iter().map(|(name, text)| (name, text.as_bytes())).collect();
    folder(&all)
}

/// Grades the submission in the folder `mine`.
#[track_caller]
pub(super) fn graded(course: &TempDir) -> SubmissionReport {
    let mut command = command();
    command.arg("grade").arg(course.path().join("mine")).arg("--course").arg(course.path());
    command.args(["--jobs", "1", "--format", "json"]);
    let run: Run = output(&mut command).into();
    run.json::<Graded>().submissions.remove(0)
}

/// The verdicts on all cases.
pub(super) fn verdicts(report: &SubmissionReport) -> Vec<Verdict> {
    report.groups.iter().flat_map(|group| &group.cases).map(|case| case.verdict).collect()
}

pub(super) fn build_error(report: &SubmissionReport) -> &Diagnostic {
    report.build.as_ref().and_then(|build| build.error.as_ref()).expect("the build fails")
}

/// A language, and a right program in it.
struct Handed {
    /// What builds or runs it.
    tool: &'static str,
    /// `program` of the submission.
    program: &'static str,
    keys: &'static str,
    /// A file beside the source.
    beside: (&'static str, &'static str),
    file: &'static str,
    right: &'static str,
    /// A part of the program, and what makes it slow, wrong and broken.
    part: &'static str,
    slow: &'static str,
    wrong: &'static str,
    broken: &'static str,
    /// The line of the error, and a part of its message.
    error: (usize, &'static str),
}

const NOTES: (&str, &str) = ("mine/test-2.txt", "3\n");

const PYTHON: Handed = Handed {
    tool: "python3",
    program: "{ python: upto.py }",
    keys: "",
    beside: NOTES,
    file: "upto.py",
    right: "import sys\n\ntext = sys.stdin.read().strip()\nif not text.isdigit():\n    sys.exit('no number')\nprint(sum(range(int(text) + 1)))\n",
    part: "print(sum(",
    slow: "while text == '1000': pass\nprint(sum(",
    wrong: "print(1 + sum(",
    broken: "print(sum((",
    error: (6, "SyntaxError: "),
};

const JAVA: Handed = Handed {
    tool: "javac",
    program: "{ java: Upto.java }",
    keys: "",
    beside: ("mine/Input.java", "record Input(long number) {}\n"),
    file: "Upto.java",
    right: "import java.util.Scanner;\n\npublic class Upto {\n    public static void main(String[] args) {\n        Scanner scanner = new Scanner(System.in);\n        if (!scanner.hasNextLong()) {\n            System.exit(1);\n        }\n        long n = new Input(scanner.nextLong()).number();\n        System.out.println(n * (n + 1) / 2);\n    }\n}\n",
    part: "        System.out.println(",
    slow: "        while (n == 1000) {}\n        System.out.println(",
    wrong: "        System.out.println(1 + ",
    broken: "        System.out.println(;",
    error: (10, "illegal start of expression"),
};

const C: Handed = Handed {
    tool: "gcc",
    program: "{ c: upto }",
    keys: "      points: { cases: 90, tests: 10, leaks: 0 }\n",
    beside: ("mine/Makefile", "upto: upto.c\n\tgcc -O3 -o upto upto.c\nclean:\n\trm -f upto\n"),
    file: "upto.c",
    right: "#include <stdio.h>\n\nint main(void) {\n    volatile long n = 0;\n    if (scanf(\"%ld\", &n) != 1) {\n        return 1;\n    }\n    printf(\"%ld\\n\", n * (n + 1) / 2);\n    return 0;\n}\n",
    part: "    printf(\"%ld\\n\", ",
    slow: "    while (n == 1000) {}\n    printf(\"%ld\\n\", ",
    wrong: "    printf(\"%ld\\n\", 1 + ",
    broken: "    printf(\"%ld\\n\", missing + ",
    error: (8, "missing"),
};

const RUST: Handed = Handed {
    tool: "rustc",
    program: "{ rust: upto.rs }",
    keys: "",
    beside: ("mine/total.rs", "pub fn upto(n: u64) -> u64 {\n    n * (n + 1) / 2\n}\n"),
    file: "upto.rs",
    right: "mod total;\n\nfn main() {\n    let mut line = String::new();\n    let read = std::io::stdin().read_line(&mut line);\n    let Some(n) = read.ok().and_then(|_| line.trim().parse().ok()) else { std::process::exit(1) };\n    println!(\"{}\", total::upto(n));\n}\n",
    part: "    println!(\"{}\", ",
    slow: "    while std::hint::black_box(n) == 1000 {}\n    println!(\"{}\", ",
    wrong: "    println!(\"{}\", 1 + ",
    broken: "    println!(\"{}\", missing + ",
    error: (7, "missing"),
};

const NODE: Handed = Handed {
    tool: "node",
    program: "{ build: [node, --check, upto.js], run: [node, upto.js] }",
    keys: "      files: [\"*.js\", \"test*.txt\"]\n      memory_mb: 2048\n",
    beside: NOTES,
    file: "upto.js",
    right: "const text = require('fs').readFileSync(0, 'utf8').trim();\nif (!/^\\d+$/.test(text)) {\n    process.exit(1);\n}\nconst n = Number(text);\nconsole.log((n * (n + 1)) / 2);\n",
    part: "console.log(",
    slow: "while (n === 1000) {}\nconsole.log(",
    wrong: "console.log(1 + ",
    broken: "console.log(;",
    error: (6, "SyntaxError: "),
};

const GO: Handed = Handed {
    tool: "go",
    program: "{ build: [go, build, -o, upto, upto.go], run: [./upto] }",
    keys: "      files: [\"*.go\", \"test*.txt\"]\n",
    beside: NOTES,
    file: "upto.go",
    right: "package main\n\nimport (\n\t\"fmt\"\n\t\"os\"\n)\n\nfunc main() {\n\tvar n int\n\tif _, err := fmt.Scan(&n); err != nil {\n\t\tos.Exit(1)\n\t}\n\tfmt.Println(n * (n + 1) / 2)\n}\n",
    part: "\tfmt.Println(",
    slow: "\tfor n == 1000 {\n\t}\n\tfmt.Println(",
    wrong: "\tfmt.Println(1 + ",
    broken: "\tfmt.Println(missing + ",
    error: (13, "undefined: missing"),
};

/// Whether the language's compiler or interpreter and a sandbox are on this machine. If not, the test is skipped.
fn is_here(tool: &str) -> bool {
    let is_here = Command::new(tool).arg("--version").output().is_ok();
    if !is_here {
        skip(&format!("there is no `{tool}` on this machine"));
    }
    is_here && has_a_sandbox()
}

fn check(handed: &Handed) {
    use Verdict::{NotRun, Passed, Timeout, Wrong};
    if !is_here(handed.tool) {
        return;
    }
    let Handed { program, keys, file, beside, right, part, slow, wrong, broken, .. } = handed;
    let (line, message) = &handed.error;
    let path = format!("mine/{file}");
    let course = course(program, keys, &[(&path, right), ("mine/test-1.txt", "3\n"), *beside]);
    let change = |new: &str| {
        assert!(right.contains(part));
        fs::write(course.path().join(&path), right.replace(part, new)).unwrap();
        graded(&course)
    };
    let report = graded(&course);
    let messages: Vec<_> = report.findings.iter().map(|finding| &finding.message).collect();
    assert!(messages.is_empty(), "{messages:?}");
    assert_eq!(verdicts(&report), [Passed; 3], "{report:?}");
    let (earned, max) = (report.points.earned, report.points.max);
    assert_eq!((earned.to_string(), max.to_string()), ("100".to_owned(), "100".to_owned()));

    assert_eq!(verdicts(&change(slow)), [Passed, Timeout, Passed]);
    assert_eq!(verdicts(&change(wrong)), [Wrong, Wrong, Passed]);
    let report = change(broken);
    assert_eq!(verdicts(&report), [NotRun; 3]);
    let found = build_error(&report);
    assert_eq!((found.file.as_deref(), found.line), (Some(*file), Some(*line)), "{found:?}");
    assert!(found.message.contains(message), "{found:?}");
}

#[test]
fn a_submission_in_python_is_right_slow_wrong_or_broken() {
    check(&PYTHON);
}

#[test]
#[ignore = "it takes long; .ci/run runs it"]
fn a_submission_in_java_is_right_slow_wrong_or_broken() {
    check(&JAVA);
}

#[test]
#[ignore = "it takes long; .ci/run runs it"]
fn a_submission_in_c_is_right_slow_wrong_or_broken() {
    check(&C);
}

#[test]
#[ignore = "it takes long; .ci/run runs it"]
fn a_submission_in_rust_is_right_slow_wrong_or_broken() {
    check(&RUST);
}

#[test]
#[ignore = "it takes long; .ci/run runs it"]
fn a_submission_in_javascript_is_right_slow_wrong_or_broken() {
    check(&NODE);
}

/// `.ci/run` installs no Go.
#[test]
#[ignore = "it takes long; .ci/run runs it"]
fn a_submission_in_go_is_right_slow_wrong_or_broken() {
    if Command::new(GO.tool).arg("version").output().is_err() {
        return eprintln!("skipped: there is no `go` on this machine");
    }
    if has_a_sandbox() {
        check(&GO);
    }
}

#[test]
fn times_are_compared_with_those_of_a_reference_in_the_same_language() {
    use Verdict::{Passed, Slow};
    if !is_here(PYTHON.tool) {
        return;
    }
    let takes = |seconds: &str| {
        let wait = format!("import time\nwhile time.process_time() < {seconds}: pass\nprint(sum(");
        PYTHON.right.replace(PYTHON.part, &wait)
    };
    let (mine, right) = (takes("0.6"), takes("0.5"));
    let files = [("mine/upto.py", mine.as_str()), ("right/upto.py", right.as_str())];
    let keys = "      time: { seconds: 10, full: 3, none: 30, least: 0.1, runs: 1 }\n";
    let verdicts = |program: &str| {
        let course = course(program, "", &files);
        let file = course.path().join("harness.yaml");
        let text = fs::read_to_string(&file).unwrap();
        let (start, _) = text.split_once("      time:").unwrap();
        fs::write(&file, format!("{start}{keys}")).unwrap();
        verdicts(&graded(&course))
    };
    assert_eq!(verdicts("{ python: upto.py }"), [Slow, Slow, Passed]);
    assert_eq!(verdicts("{ python: upto.py, reference: right }"), [Passed; 3]);
}

#[test]
fn the_file_of_a_reference_may_have_any_name() {
    if !is_here(PYTHON.tool) {
        return;
    }
    let files = [("mine/upto.py", PYTHON.right), ("right.py", PYTHON.right)];
    let report = graded(&course("{ python: upto.py, reference: right.py }", "", &files));
    assert_eq!(verdicts(&report), [Verdict::Passed; 3]);
}

#[test]
fn what_a_course_bans_in_python_and_what_it_needs_is_found_before_anything_runs() {
    if !is_here(PYTHON.tool) {
        return;
    }
    let cheats = format!("from os import popen\n{}", PYTHON.right.replace("sum(range", "eval(str"));
    let keys = "      banned: { imports: [os, subprocess], words: [eval] }\n      identifier: ABCDEF0123456789\n";
    let course = course(PYTHON.program, keys, &[("mine/upto.py", &cheats), ("mine/notes.md", "")]);
    let report = graded(&course);
    let found: Vec<_> =
        report.findings.iter().map(|it| (it.message.as_str(), it.line, it.points)).collect();
    assert_eq!(
        found,
        [
            ("`os` may not be imported", Some(1), Some(5.0)),
            ("`eval` may not be used", Some(7), None),
            ("notes.md does not belong here", None, None),
            ("upto.py has no project identifier", None, None),
        ]
    );
}

#[test]
fn an_error_that_nothing_catches_is_quoted_with_its_place() {
    if !is_here(PYTHON.tool) {
        return;
    }
    let raises = PYTHON.right.replace("print(", "print(1 // 0)\nprint(");
    let course = course(PYTHON.program, "", &[("mine/upto.py", &raises)]);
    let case = &graded(&course).groups[0].cases[0];
    assert_eq!(case.verdict, Verdict::Rejected);
    let says = "upto.py, line 6: ZeroDivisionError: integer division or modulo by zero";
    assert_eq!(case.says.as_deref(), Some(says));
}

#[test]
fn a_file_that_starts_no_program_is_said_to_be_missing() {
    if !is_here(PYTHON.tool) {
        return;
    }
    let course = course(PYTHON.program, "", &[("mine/other.py", PYTHON.right)]);
    let report = graded(&course);
    assert_eq!(build_error(&report).message, "there is no file upto.py, which starts the program");
    assert_eq!(report.findings[0].message, "there is no file upto.py");
    // It has another case, or there is no source at all.
    fs::rename(course.path().join("mine/other.py"), course.path().join("mine/Upto.py")).unwrap();
    let report = graded(&course);
    let hint = Some("rename Upto.py to upto.py: upper and lower case differ");
    assert_eq!(build_error(&report).hint.as_deref(), hint);
    assert_eq!(report.findings[0].hint.as_deref(), hint);
    fs::rename(course.path().join("mine/Upto.py"), course.path().join("mine/test-1.txt")).unwrap();
    let report = graded(&course);
    assert_eq!(build_error(&report).message, "there is no file upto.py, which starts the program");
}

#[test]
fn keys_that_make_no_sense_in_a_language_are_mistakes_of_the_course() {
    for (program, keys, message) in [
        (
            PYTHON.program,
            "flags: { required: [-O] }",
            "`flags` is for programs that a Makefile makes",
        ),
        (
            PYTHON.program,
            "build: { clean: [] }",
            "`build.clean` is for programs that a Makefile makes",
        ),
        (PYTHON.program, "points: { leaks: 5 }", "valgrind sees no leaks of this program"),
        ("{ run: [node, a.js] }", "", "the key `files` is missing"),
        ("upto", "banned: { imports: [os] }", "`banned.imports` means nothing for `cpp`"),
        ("{ python: upto }", "", "`upto` is not the name of a source in python"),
        ("{ python: upto.py, reference: no }", "", "there is no file or folder no"),
    ] {
        let course = course(program, &format!("      {keys}\n"), &[("mine/upto.py", "")]);
        let mut command = command();
        command.arg("grade").arg(course.path().join("mine")).arg("--course").arg(course.path());
        let run: Run = output(&mut command).into();
        assert!(run.stderr.contains(&format!("error: {message}\n")), "{}", run.stderr);
        assert_eq!(run.status, 2, "{}", run.stderr);
        // The line that is shown is that of the key.
        let is_shown = run.stderr.contains(keys);
        assert!(is_shown || !message.starts_with('`') || keys.is_empty(), "{}", run.stderr);
    }
}

/// A checker that compares numbers, and fails on other words.
const CHECKER: &str = "import sys\nright, said = open(sys.argv[2]).read(), sys.stdin.read()\nif not said.strip():\n    sys.exit(43)\nsys.exit(42 if int(said) == int(right) else 43)\n";

#[test]
#[ignore = "it takes long; .ci/run runs it"]
fn a_program_on_which_the_checker_fails_is_wrong_alone() {
    if !has_a_sandbox() {
        return;
    }
    let keys = "    judge: { kattis: [python3, check.py] }\n";
    let files = [
        ("check.py", CHECKER),
        ("class/honest/upto.py", PYTHON.right),
        ("class/rogue/upto.py", "print('many')\n"),
    ];
    let course = course("{ python: upto.py }", keys, &files);
    let grade = || -> Run {
        let mut command = command();
        command.arg("grade").arg(course.path().join("class")).arg("--course").arg(course.path());
        output(command.args(["--jobs", "1", "--format", "json"])).into()
    };
    let graded = grade();
    let reports = graded.json::<Graded>().submissions;
    let [honest, rogue] = &reports[..] else { panic!("{} {}", graded.stdout, graded.stderr) };
    assert_eq!(verdicts(honest)[..2], [Verdict::Passed, Verdict::Passed]);
    assert_eq!(verdicts(rogue)[..2], [Verdict::Wrong, Verdict::Wrong]);
    // A checker that fails on every output is an error of the course.
    fs::write(course.path().join("check.py"), "import sys\nsys.exit(1)\n").unwrap();
    let broken = grade();
    assert_eq!(broken.status, 4, "{}", broken.stdout);
    assert!(
        broken.stderr.contains("error: the checker `python3 check.py` exits with status 1"),
        "{}",
        broken.stderr
    );
}
