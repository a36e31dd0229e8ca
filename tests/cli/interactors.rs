//! Programs that talk with an interactor, in `grade`.

use super::run::{command, has_a_sandbox, output};
use super::{Run, folder, repository};
use harness::files;
use harness::result::graded::{Graded, SubmissionReport, Verdict};
use std::collections::BTreeMap;
use std::fs;

const COURSE: &str = "course: Talks
assignments:
  guess:
    domain: text
    program: { python: right.py }
    mutants: mutants
    tests: { files: 3, flags: [] }
    scoring: { start: 0, full: 1, points: 10 }
    judge: { interactive: talk.py }
    run: { seconds: 2 }
    submission:
      program: { python: guess.py }
      cases: cases.yaml
      time: { seconds: 2, full: 30, none: 60, runs: 1 }
      points: { cases: 10 }
";
const CASES: &str = "all:\n  weight: 1\n  cases:\n    A: { text: \"73\\n\" }\n";
const MUTANT: &str = "summary: Counts up.\nkind: misreading\ntopic: search\nspec: eight guesses\nhint: Halve.\npoints: 1\nwitness:\n  flags: ''\n  input: \"73\\n\"\n  expected: { exit: 0, stdout: \"accepted\\n\" }\n";

/// A file of the package whose programs guess a number.
fn of_package(name: &str) -> Vec<u8> {
    fs::read(repository().join("tests/packages/guess").join(name)).expect("the package has it")
}

/// The attacks in `tests/attacks/talks`: the name, the text, and the verdicts that are right.
fn attacks() -> Vec<(String, String, Vec<String>)> {
    let entries = fs::read_dir(repository().join("tests/attacks/talks")).unwrap();
    let attack = |path: std::path::PathBuf| {
        let text = fs::read_to_string(&path).unwrap();
        let list = text.lines().next().and_then(|line| line.strip_prefix("# Verdict: "));
        let list = list.expect("it says which verdicts are right");
        let verdicts = list.split(", ").map(str::to_owned).collect();
        (path.file_stem().unwrap().to_string_lossy().into_owned(), text, verdicts)
    };
    entries.map(|entry| attack(entry.unwrap().path())).collect()
}

fn verdict(report: &SubmissionReport) -> &'static str {
    match report.groups[0].cases[0].verdict {
        Verdict::Passed => "passed",
        Verdict::Wrong => "wrong",
        Verdict::Crashed => "crash",
        Verdict::Rejected => "rejected",
        Verdict::Timeout => "timeout",
        other => panic!("{}: {other:?}", report.name),
    }
}

#[test]
#[ignore = "it takes long; .ci/run runs it"]
fn a_hostile_program_that_talks_is_not_right_and_changes_nothing_for_others() {
    if !has_a_sandbox() || files::on_path(&["python3"]).is_none() {
        return;
    }
    let right = of_package("submissions/accepted/bits.py");
    let course = folder(&[
        ("harness.yaml", COURSE.as_bytes()),
        ("cases.yaml", CASES.as_bytes()),
        ("mutants/counts-up.yaml", MUTANT.as_bytes()),
        ("mutants/counts-up.py", &of_package("submissions/wrong_answer/counts_up.py")),
        ("talk.py", &of_package("output_validators/guess/guess.py")),
        ("right.py", &right),
        ("class/a-first/guess.py", &right),
        ("class/z-last/guess.py", &right),
    ]);
    let mut expected: BTreeMap<_, _> =
        ["a-first", "z-last"].map(|name| (name.to_owned(), vec!["passed".to_owned()])).into();
    for (name, text, verdicts) in attacks() {
        let own = course.path().join("class").join(&name);
        fs::create_dir(&own).unwrap();
        fs::write(own.join("guess.py"), text).unwrap();
        expected.insert(name, verdicts);
    }
    let mut command = command();
    command.arg("grade").arg(course.path().join("class")).arg("--course").arg(course.path());
    let graded: Run = output(command.args(["--jobs", "2", "--format", "json"])).into();
    assert_eq!(graded.status, 0, "{}", graded.stderr);
    let reports = graded.json::<Graded>().submissions;
    assert_eq!(reports.len(), expected.len());
    for report in &reports {
        let verdict = verdict(report);
        let right = &expected[&report.name];
        assert!(right.iter().any(|it| it == verdict), "{}: {verdict}, not {right:?}", report.name);
    }
}

#[test]
#[ignore = "it takes long; .ci/run runs it"]
fn a_program_is_compared_with_the_reference_on_inputs_that_its_interactor_understands() {
    if !has_a_sandbox() || files::on_path(&["python3"]).is_none() {
        return;
    }
    let talk = "import sys
n, *list = map(int, open(sys.argv[1]).read().split())
print(n, list[n - 1], flush=True)
if sys.stdin.readline() == f'{n + list[n - 1]}\\n':
    sys.exit(42)
open(sys.argv[3] + '/judgemessage.txt', 'w').write('it is no sum')
sys.exit(43)
";
    let right = "print(sum(map(int, input().split())))\n";
    let wrong = "a, b = map(int, input().split())\nprint(a + b if b != 2 else 0)\n";
    let course = COURSE.split("    submission:").next().unwrap();
    let course = course.replace("domain: text", "domain: shape\n    input: list.yaml");
    let course = folder(&[
        ("harness.yaml", course.as_bytes()),
        ("list.yaml", b"- line: [n: 1 .. 2]\n- line: [list: { list: 1 .. 2, count: n }]\n"),
        ("mutants/counts-up.yaml", MUTANT.split("witness:").next().unwrap().as_bytes()),
        ("mutants/counts-up.py", b"print(input().split()[0])\n"),
        ("talk.py", talk.as_bytes()),
        ("right.py", right.as_bytes()),
        ("wrong.py", wrong.as_bytes()),
    ]);
    let path = |name: &str| course.path().join(name);
    let mut command = command();
    command.args(["generate", "--budget", "120", "--against"]).arg(path("wrong.py"));
    command.arg("--out").arg(path("out")).arg("--course").arg(course.path());
    let run = Run::from(output(&mut command)).exits(0);
    let shown = "      1\n      2\n    wrong: it is no sum\n    the reference is accepted by the interactor\n    \
                 the program is refused by the interactor\n      it is no sum\n";
    assert!(run.stdout.contains(shown), "{}", run.stdout);
    // There are six inputs, which are not tried again and again. Each may be a random and a small one.
    let tried = run.stdout.lines().find(|line| line.starts_with("Tried: ")).unwrap_or_default();
    let counts = tried.split(' ').filter_map(|word| word.parse::<u64>().ok());
    assert!((1..=12).contains(&counts.sum::<u64>()), "{}", run.stdout);
}
