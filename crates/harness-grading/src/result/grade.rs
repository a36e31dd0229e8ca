//! Grades a suite from its rows of the matrix. Pure.

use crate::catalogue::Mutant;
use crate::catalogue::behaviours::counted;
use crate::course::{Assignment, Scoring};
use crate::diagnostic::{Place, Problem, printable, without_traceback};
use crate::domain::{Domain, TestKind, characters, shortened, uncaught};
use crate::result::score::score;
use crate::result::{Exposure, Refusal, SuiteReport, TestReport, verify};
use crate::run::matrix::Row;
use crate::suite::{Suite, Test, name_byte_order_mark, validity};
use std::collections::BTreeMap;
use subject::{End, MutantSet, Outcome};

/// Grades `suite`. `rows` and `arguments` are those of its tests, in order.
pub fn grade(
    suite: Suite,
    arguments: Vec<Vec<String>>,
    rows: &[Row],
    mutants: &[Mutant],
    assignment: &Assignment,
) -> SuiteReport {
    let mut exposed_by: BTreeMap<String, Vec<Exposure>> = BTreeMap::new();
    let mut tests = Vec::new();
    for ((test, args), row) in suite.tests.into_iter().zip(arguments).zip(rows) {
        if let Some(problem) = rejection(row, &test, assignment) {
            tests.push(TestReport::rejected(test.file, problem, args));
            continue;
        }
        let mut exposes = Vec::new();
        let too_broad = too_broad(&row.exposed_mutants(), mutants, &assignment.scoring);
        let credited = if too_broad.is_some() { &[][..] } else { &row.exposed[..] };
        for difference in credited {
            let id = &mutants[difference.mutant].id;
            exposes.push(id.clone());
            exposed_by
                .entry(id.clone())
                .or_default()
                .push(Exposure { file: test.file.clone(), how: difference.how.into() });
        }
        tests.push(TestReport {
            refused: refusal(row),
            too_broad,
            reached: row.reached.clone(),
            ..TestReport::valid(test.file, args, exposes)
        });
    }
    tests.extend(
        suite
            .rejected
            .into_iter()
            .map(|rejection| TestReport::rejected(rejection.file, rejection.problem, Vec::new())),
    );
    // Unit tests stay in the order of their files.
    if assignment.unit.is_none() {
        tests.sort_by_key(|test| order(&test.file));
    }
    let scoring = &assignment.scoring;
    let points = |mutants: Vec<&Mutant>| -> Vec<_> {
        mutants.into_iter().map(|mutant| mutant.points).collect()
    };
    let exposed = mutants.iter().filter(|mutant| exposed_by.contains_key(&mutant.id));
    let exposed = points(counted(exposed, scoring.by));
    let all = points(counted(mutants.iter(), scoring.by));
    let score = Some(score(scoring, &exposed, &all));
    SuiteReport {
        name: suite.name,
        note: suite.note,
        tests,
        more_rejected: suite.more_rejected,
        ignored: suite.ignored,
        more_ignored: suite.more_ignored,
        exposed_by,
        score,
        coverage: None,
        hints: Vec::new(),
    }
}

/// The number of bugs that a test exposes which exposes these mutants, if that is more than the course counts for one test.
pub fn too_broad(exposed: &MutantSet, mutants: &[Mutant], scoring: &Scoring) -> Option<usize> {
    let most = scoring.bugs_per_test? as usize;
    let exposed = exposed.iter().map(|mutant| &mutants[mutant]);
    let bugs = counted(exposed, scoring.by).len();
    (bugs > most).then_some(bugs)
}

/// Sorts by the first number in the name, then by the name: `test-2` comes before `test-10`.
fn order(file: &str) -> (u64, String) {
    let digits: String =
        file.chars().skip_while(|c| !c.is_ascii_digit()).take_while(char::is_ascii_digit).collect();
    (digits.parse().unwrap_or(u64::MAX), file.to_owned())
}

/// How the reference refuses a test of error handling.
pub fn refusal(row: &Row) -> Option<Refusal> {
    const MOST: usize = 200;
    let End::Exit(status) = row.reference.end else { return None };
    let is_refused = row.kind == Some(TestKind::Refused);
    is_refused.then(|| Refusal { status, says: shortened(&verify::said(&row.reference), MOST) })
}

/// Why the test is not valid; `None` if it is.
pub fn rejection(row: &Row, test: &Test, assignment: &Assignment) -> Option<Problem> {
    let (reference, refusals) = (&row.reference, &assignment.refusals);
    let flags = &test.name.flags;
    if row.kind == Some(TestKind::Accepted)
        && let Some(problem) = validity::undescribed(assignment, &test.input)
    {
        return Some(problem);
    }
    let problem = match (&reference.end, row.kind) {
        (_, Some(kind)) if refusals.fits(flags, kind) => return None,
        (_, Some(TestKind::Accepted)) => return refusals.letter().map(accepted),
        (End::Exit(status), None) if refusals.is_no_answer(reference) => {
            no_refusal(reference, *status)
        }
        (End::Exit(_), _) => {
            let stderr = String::from_utf8_lossy(&reference.stderr);
            let problem = in_the_references_words(&stderr, test, &*assignment.domain);
            let problem = name_byte_order_mark(problem, &test.input);
            return Some(match refusals.letter() {
                Some(letter) if problem.hint.is_none() => problem.hint(format!(
                    "if the program should refuse it, write `{letter}` among the letters of the name"
                )),
                _ => problem,
            });
        }
        (End::Crash(how), _) => format!("the reference crashes on this test ({})", printable(how)),
        (End::Timeout, _) => "the reference does not finish this test in time".to_owned(),
        (End::Memory, _) => "the reference runs out of memory on this test".to_owned(),
        (End::OutputLimit, _) => {
            "the reference prints more on this test than the course allows".to_owned()
        }
    };
    Some(Problem::new(problem).hint("this is not the test's fault: please tell the course's staff"))
}

/// Why such a test is rejected. The exception follows, which may show the text of the reference.
const UNCAUGHT: &str = "nothing catches an exception of the reference on this test";

/// A reason as a student may see it: without an exception of the reference, which is for the course's staff.
pub fn for_students(reason: &str) -> &str {
    let is_quoted = reason.strip_prefix(UNCAUGHT).is_some_and(|rest| rest.starts_with(": "));
    if is_quoted { "the reference fails on this test" } else { reason }
}

/// Why what the reference does on a test, with this status, is no refusal.
fn no_refusal(reference: &Outcome, status: u8) -> String {
    const MOST: usize = 200;
    match uncaught(reference) {
        Some(exception) => {
            let exception = printable(&shortened(&exception, MOST));
            format!("{UNCAUGHT}: {exception}")
        }
        None => {
            format!("the reference ends on this test with status {status}, which is no refusal")
        }
    }
}

/// The problem of a test that the reference accepts, although this letter in its name says that it refuses it.
fn accepted(letter: char) -> Problem {
    let message = format!(
        "the reference accepts this test, but `{letter}` in its name says that it refuses it"
    );
    Problem::new(message).hint(format!("remove the `{letter}`, or change the file"))
}

/// The reference's message, `line 3, column 5: …`, with its place, and its hint from a line `hint: …`. A reference counts columns
/// in bytes.
fn in_the_references_words(stderr: &str, test: &Test, domain: &dyn Domain) -> Problem {
    let lines = without_traceback(stderr).lines().map(|line| printable(line.trim()));
    let mut lines = lines.filter(|line| !line.is_empty());
    let first = lines.next().unwrap_or_else(|| "the reference rejects this test".to_owned());
    let hint = lines.find_map(|line| line.strip_prefix("hint: ").map(str::to_owned));
    let Some((line, byte, message)) = place(&first) else {
        return Problem::new(first).maybe_hint(hint);
    };
    let raw = line
        .checked_sub(1)
        .and_then(|at| test.input.split(|&byte| byte == b'\n').nth(at))
        .unwrap_or_default();
    let text_before =
        |byte: usize| String::from_utf8_lossy(&raw[..(byte - 1).min(raw.len())]).chars().count();
    let column = byte.filter(|&byte| byte > 0).map(|byte| text_before(byte) + 1);
    let text = String::from_utf8_lossy(raw);
    let hint = hint.or_else(|| {
        let found = text.trim_end_matches('\r').chars().nth(column? - 1)?;
        characters::hint(found, &domain.characters(&test.input, line, byte?)?)
    });
    let place = Place {
        file: test.file.clone().into(),
        line,
        column,
        text: Some(text.trim_end_matches('\r').to_owned()),
    };
    Problem::new(message).at(place).maybe_hint(hint)
}

/// Splits a message into its line, column and text.
fn place(message: &str) -> Option<(usize, Option<usize>, &str)> {
    let (place, rest) = message.strip_prefix("line ")?.split_once(": ")?;
    match place.split_once(", column ") {
        Some((line, column)) => Some((line.parse().ok()?, Some(column.parse().ok()?), rest)),
        None => Some((place.parse().ok()?, None, rest)),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_references_message_is_split_into_place_and_text() {
        assert_eq!(place("line 3, column 5: 'x' is no cell"), Some((3, Some(5), "'x' is no cell")));
        assert_eq!(place("line 3: too short"), Some((3, None, "too short")));
        assert_eq!(place("no target"), None);
    }

    #[test]
    fn tests_are_sorted_by_number() {
        let mut names = ["test-10-ql.txt", "test-2-ql.txt", "tests", "test-2-qm.txt"];
        names.sort_by_key(|name| order(name));
        assert_eq!(names, ["test-2-ql.txt", "test-2-qm.txt", "test-10-ql.txt", "tests"]);
    }
}
