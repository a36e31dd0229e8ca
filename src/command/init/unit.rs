//! A new course whose tests are unit tests.

mod framework;
mod language;

use crate::cli::NewUnit;
use framework::Framework;

/// A test case: its name, the function that it calls, with which numbers, and what should come of it.
type Case = (&'static str, &'static str, &'static str, &'static str);

/// The sample suite. Its last case is wrong.
const SUITE: [Case; 3] = [
    ("the last number is the largest", "largest", "2, -3, 7", "7"),
    ("all numbers are negative", "largest", "-5, -2, -9", "-2"),
    ("the mean is rounded", "mean", "1, 2, 2", "2"),
];

/// The course's own test cases, one for each mutant.
const WITNESSES: [Case; 3] = [
    ("the last number counts", "largest", "1, 2", "2"),
    ("the only number is negative", "largest", "-1", "-1"),
    ("the mean is rounded towards zero", "mean", "-1, -2", "-1"),
];

/// The mutants, in every language.
const MUTANTS: [(&str, &str); 3] = [
    (
        "mutants/leaves-out-the-last-number.yaml",
        include_str!("unit/mutants/leaves-out-the-last-number.yaml"),
    ),
    ("mutants/rounds-down.yaml", include_str!("unit/mutants/rounds-down.yaml")),
    (
        "mutants/takes-zero-for-the-least.yaml",
        include_str!("unit/mutants/takes-zero-for-the-least.yaml"),
    ),
];

/// The files of the course.
pub(super) fn files(unit: NewUnit) -> Vec<(String, String)> {
    let framework = Framework::of(unit);
    let fixed = MUTANTS.iter().chain(framework.language.files.iter().copied().flatten());
    let mut files: Vec<_> = fixed.map(|&(name, text)| (name.to_owned(), text.to_owned())).collect();
    files.push((
        format!("student_tests/{}", framework.suite),
        framework.text(framework.suite, &SUITE),
    ));
    files.push((framework.witnesses.to_owned(), framework.text(framework.witnesses, &WITNESSES)));
    let course = filled(include_str!("unit/harness.yaml.in"), &framework);
    files.push(("harness.yaml".to_owned(), course));
    let readme = filled(include_str!("unit/README.md.in"), &framework);
    files.push(("README.md".to_owned(), readme));
    files
}

/// A text of the course with what this framework and its language have in the places of the names in it.
fn filled(text: &str, framework: &Framework) -> String {
    let language = framework.language;
    text.replace("{unit}", framework.key)
        .replace("{suite}", framework.suite)
        .replace("{witnesses}", framework.witnesses)
        .replace("{program}", language.program)
        .replace("{references}", language.references)
        .replace("{compile}", language.compile)
        .replace("{reference}", language.reference)
        .replace("{mark}", language.mark)
        .replace("{beside}", language.beside)
}
