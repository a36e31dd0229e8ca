//! Where a program is wrong, as `generate --against` says for a source.

use super::{Run, found, harness};
use harness::report::against::{Against, ProgramDifference, SuspectLines};
use std::fs;
use tempfile::TempDir;

/// The folder of a new course in this language, with its solution, in which these texts are changed.
fn changed(language: &str, file: &str, changes: &[(&str, &str)]) -> TempDir {
    let place = super::folder(&[]);
    let course = place.path().join("course");
    let course = course.to_str().unwrap();
    harness(&["init", "--language", language, course]).exits(0);
    let solution = place.path().join("solution");
    let out = ["--course", course, "--out", solution.to_str().unwrap()];
    harness(&[&["solution", "tally"], &out[..]].concat()).exits(0);
    let program = solution.join(file);
    let mut text = fs::read_to_string(&program).unwrap();
    for (right, wrong) in changes {
        assert!(text.contains(right), "{text}");
        text = text.replacen(right, wrong, 1);
    }
    fs::write(&program, text).unwrap();
    place
}

/// What is found about the changed solution.
fn run(place: &TempDir, file: &str, format: &str) -> Run {
    let path = |name: &str| place.path().join(name).display().to_string();
    let (course, out, program) = (path("course"), path(format), path(&format!("solution/{file}")));
    let args = ["generate", "--course", &course, "--format", format, "--out", &out];
    harness(&[&args[..], &["--against", &program]].concat()).exits(0)
}

/// The difference whose most suspicious lines, which are few, have this text among them. On a busy machine, few right cases are tried, and
/// the lines beside it are as suspicious.
#[track_caller]
fn at<'a>(
    against: &'a Against,
    place: &TempDir,
    text: &str,
) -> (&'a ProgramDifference, &'a SuspectLines) {
    let first = |it: &'a ProgramDifference| Some((it, it.suspects.first()?));
    let mut all = against.differences.iter().filter_map(first);
    let has_text = |suspect: &SuspectLines| {
        let program =
            fs::read_to_string(place.path().join("solution").join(&suspect.file)).unwrap();
        let [first, last] = suspect.lines;
        let mut lines = program.lines().skip(first - 1).take(last + 1 - first);
        last - first < 3 && lines.any(|line| line.trim() == text)
    };
    let found = all.find(|(_, suspect)| has_text(suspect));
    found.unwrap_or_else(|| panic!("{text}: {against:?}"))
}

#[test]
#[ignore = "it takes long; .ci/run runs it"]
fn a_source_in_cpp_is_wrong_at_the_lines_that_only_wrong_runs_reach() {
    let crashes = ("if (text.empty()) {\n", "if (text.empty()) {\n if (at > 2)\n abort();\n");
    let wrong = ("return result", "if (result < 0) {\n return 0;\n}\nreturn result");
    let place = changed("cpp", "tally.cpp", &[crashes, wrong]);
    let against = found(&run(&place, "tally.cpp", "json"));
    let (crash, suspect) = at(&against, &place, "abort();");
    assert_eq!((suspect.right, suspect.score), (0, 1.0));
    assert!(suspect.wrong > 1 && crash.shows_on > 1, "{crash:?}");
    let (_, suspect) = at(&against, &place, "return 0;");
    assert_eq!((suspect.right, suspect.score), (0, 1.0));
    let text = run(&place, "tally.cpp", "text");
    assert!(text.stdout.contains("abort();") && text.stdout.contains("where: "), "{}", text.stdout);
    assert_eq!(against.not_located, None);
}

#[test]
#[ignore = "it takes long; .ci/run runs it"]
fn a_source_in_python_that_does_not_end_is_wrong_in_its_loop() {
    let endless =
        ("if not text:\n", "if not text:\n            while at > 2:\n                pass\n");
    let place = changed("python", "tally.py", &[endless]);
    let against = found(&run(&place, "tally.py", "json"));
    let (difference, suspect) = at(&against, &place, "pass");
    assert_eq!((suspect.right, suspect.score), (0, 1.0), "{difference:?}");
}
