//! Why test cases and files of them are rejected.

use crate::code::line_of;
use crate::columns::{Role, Tried};
use crate::diagnostic::{Place, Problem, printable};
use crate::framework::{ENDS, Failed, LOOKS};
use crate::suite::{Rejection, TestProgram};
use crate::variants::Variants;
use regex::{Captures, Regex};
use std::path::PathBuf;
use std::sync::LazyLock;
use std::time::Duration;
use subject::{End, Outcome};

impl Variants {
    /// Why a case did not run that did not fail. Some frameworks end with another status than if it had passed.
    pub(crate) fn skipped(&self, outcome: &Outcome) -> Option<String> {
        let printed = String::from_utf8_lossy(&outcome.stdout);
        let has_not_failed = || match outcome.end {
            End::Exit(0) => true,
            End::Exit(_) => self.failed(outcome).is_none(),
            _ => false,
        };
        self.framework.skipped(&printed).filter(|_| has_not_failed())
    }

    /// What is wrong with a case that came out so on a program with this role.
    pub(crate) fn problem(
        &self,
        file: &TestProgram,
        role: Role<'_>,
        tried: &Tried,
    ) -> Option<Problem> {
        let passed = tried.outcome.end == End::Exit(0);
        match role {
            Role::Again if !passed => Some(not_always_the_same()),
            Role::Mutant(_) | Role::Right(_) if !tried.is_steady => Some(not_always_the_same()),
            Role::Right(Some(name)) if !passed => {
                Some(self.rejection(file, &tried.outcome, &format!("the right program {name}")))
            }
            Role::Right(None) if !passed => Some(looks_at_the_program()),
            _ => None,
        }
    }

    /// The assertion that failed in this run of a case.
    pub fn failed(&self, outcome: &Outcome) -> Option<Failed> {
        if outcome.stderr == ENDS.as_bytes() {
            return Some(Failed { line: None, message: ENDS.to_owned() });
        }
        let printed = [&outcome.stdout[..], &outcome.stderr].concat();
        let failed = self.framework.failure(&String::from_utf8_lossy(&printed))?;
        Some(Failed { message: without_addresses(&failed.message), ..failed })
    }

    /// Why a case that a program fails is rejected.
    pub(crate) fn rejection(&self, file: &TestProgram, outcome: &Outcome, on: &str) -> Problem {
        let failed = self.failed(outcome);
        let message = match (&outcome.end, &failed) {
            (_, Some(failed)) if failed.message.starts_with(LOOKS) => printable(&failed.message),
            (End::Exit(_), Some(failed)) => format!("it fails on {on}: {}", said(&failed.message)),
            (End::Exit(status), None) => format!("it fails on {on}, with exit status {status}"),
            (End::Crash(how), _) => format!("it crashes on {on} ({})", printable(how)),
            (End::Timeout, _) => format!("it does not end on {on}"),
            (End::Memory, _) => format!("it runs out of memory on {on}"),
            (End::OutputLimit, _) => format!("it prints too much on {on}"),
        };
        let problem = Problem::new(message);
        match failed.and_then(|failed| failed.line) {
            Some(line) => problem.at(at(file, line, None)),
            None => problem,
        }
    }
}

/// A message without the addresses of objects, which differ from run to run: `0x7ffd5c1e0a40` of a pointer, and `List@1b6d3586` of an
/// object in Java.
fn without_addresses(message: &str) -> String {
    static ADDRESS: LazyLock<Regex> = LazyLock::new(|| {
        Regex::new(r"\b0x[0-9a-f]{9,16}\b|\w@[0-9a-f]{5,8}\b").expect("it is a pattern")
    });
    let hidden = |found: &Captures<'_>| {
        let found = &found[0];
        let kept =
            if found.starts_with("0x") { "0x" } else { &found[..=found.find('@').unwrap_or(0)] };
        if found.contains(|c: char| c.is_ascii_digit()) {
            format!("{kept}...")
        } else {
            found.to_owned()
        }
    };
    ADDRESS.replace_all(message, hidden).into_owned()
}

/// What an assertion says, or its beginning.
fn said(message: &str) -> String {
    /// The most characters of it.
    const MOST: usize = 1000;
    match message.char_indices().nth(MOST) {
        Some((end, _)) => format!("{} …", printable(&message[..end])),
        None => printable(message),
    }
}

/// Cuts messages where those of a suite say much together, because tests can say there what they read of a program.
pub(crate) fn limit(rejected: &mut [Rejection]) {
    /// The most characters of messages that are whole.
    const MOST: usize = 8000;
    /// The most of each one after them.
    const LEAST: usize = 80;
    let mut left = MOST;
    for Rejection { problem, .. } in rejected {
        let most = left.max(LEAST);
        left = left.saturating_sub(problem.message.chars().count());
        if let Some((end, _)) = problem.message.char_indices().nth(most) {
            problem.message.truncate(end);
            problem.message.push_str(" … (cut, because the messages of this suite are long)");
        }
    }
}

/// What is wrong with a case that fails because of how a program looks.
pub(crate) fn looks_at_the_program() -> Problem {
    Problem::new(LOOKS).hint("a test may only call the functions that it tests")
}

/// What is wrong with a file of a suite that has used up its time.
pub(crate) fn too_long(most: Duration) -> Problem {
    let most = match most.as_secs() {
        1 => "one second".to_owned(),
        most => format!("{most} seconds"),
    };
    let message = format!("the suite takes more than {most} on all programs");
    let hint = "each case runs on many programs: which one sleeps, or works for long?";
    Problem::new(message).hint(hint)
}

/// What is wrong with the name of a case, which a program gets as an argument.
pub(crate) fn misnamed(name: &str) -> Option<Problem> {
    /// The most bytes of a name, so that the names of all cases that count are not too much for one program.
    const MOST: usize = 16 << 10;
    let problem = if name.contains('\0') {
        Problem::new("its name has a null character")
    } else if name.len() > MOST {
        Problem::new(format!("its name has more than {MOST} bytes"))
    } else {
        return None;
    };
    Some(problem.hint("give it another name"))
}

pub(crate) fn too_many(most: usize) -> Problem {
    Problem::new(match most {
        1 => "only the first test case counts".to_owned(),
        most => format!("only the first {most} test cases count"),
    })
}

/// What is wrong with a case that does not run, for this reason.
pub(crate) fn skipped(why: &str) -> Problem {
    let why = if why.is_empty() { String::new() } else { format!(": {}", printable(why)) };
    Problem::new(format!("it is skipped{why}"))
        .hint("a test that does not run exposes nothing; let it run, or leave it out")
}

fn not_always_the_same() -> Problem {
    Problem::new("it passes at one time and fails at another")
        .hint("a test must not depend on chance, on time, or on what ran before it")
}

/// What is wrong with a case that cannot be told from another one.
pub(crate) fn confused(other: &str) -> Problem {
    let other = printable(other);
    Problem::new(format!("the framework takes its name for that of another case, `{other}`"))
        .hint("give each case a name of its own that differs in more than its capitals, without `exclude:` or `*`")
}

/// What it means that a file does not compile with a program.
pub(crate) fn not_compiled(role: Role<'_>, problem: &Problem) -> Option<Problem> {
    let Role::Right(name) = role else { return None };
    let on = name
        .map_or_else(|| "a right program".to_owned(), |name| format!("the right program {name}"));
    let message = format!("it does not compile with {on}: {}", problem.message);
    Some(Problem { message, ..problem.clone() })
}

/// A problem of a case, at its first line if nothing says more of where it is.
pub(crate) fn of_case(file: &TestProgram, name: &str, problem: Problem) -> Problem {
    let line = || line_of(&String::from_utf8_lossy(&file.source), name);
    match problem.place.is_none().then(line).flatten() {
        Some(line) => problem.at(at(file, line, None)),
        None => problem,
    }
}

/// A place in a file of tests, with its line.
pub(crate) fn at(file: &TestProgram, line: usize, column: Option<usize>) -> Place {
    Place::new(&PathBuf::from(&file.file), &String::from_utf8_lossy(&file.source), line, column)
}

#[cfg(test)]
mod tests {
    use super::{limit, without_addresses};
    use crate::diagnostic::Problem;
    use crate::suite::Rejection;

    #[test]
    fn a_message_is_the_same_wherever_objects_are_in_memory() {
        let same = |message: &str, expected: &str| assert_eq!(without_addresses(message), expected);
        same(
            "expected: <[I@5e8c92f4> but was: <a.List$Node@61e4705>",
            "expected: <[I@...> but was: <a.List$Node@...>",
        );
        same("values: CHECK( 0x7ffd5c1e0a40 == nullptr )", "values: CHECK( 0x... == nullptr )");
        same(
            "0xdeadbeef is no address, and ann@decade.org is none",
            "0xdeadbeef is no address, and ann@decade.org is none",
        );
    }

    #[test]
    fn messages_of_a_suite_are_cut_after_the_first_ones() {
        let long = Problem::new("é".repeat(900));
        let rejection = Rejection { file: String::new(), problem: long.clone(), is_surplus: false };
        let mut all = vec![rejection; 20];
        all[19].problem = Problem::new("it is skipped");
        limit(&mut all);
        let says = |at: usize, begin: usize, end: &str| {
            assert_eq!(all[at].problem.message, "é".repeat(begin) + end, "{at}");
        };
        says(7, 900, "");
        let end = " … (cut, because the messages of this suite are long)";
        says(8, 800, end);
        says(9, 80, end);
        says(18, 80, end);
        says(19, 0, "it is skipped");
    }
}
