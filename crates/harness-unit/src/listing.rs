//! Which test cases a file has, and which of them count.

use crate::code::code;
use crate::diagnostic::{Failure, Problem, printable};
use crate::rejection::at;
use crate::running::Pair;
use crate::suite::TestProgram;
use crate::variants::Variants;
use std::collections::BTreeSet;
use subject::End;

/// How what is said of a file without test cases begins.
pub const NO_CASES: &str = "there are no test cases in the file";

/// The most cases of a file that are counted in the order of their lines.
const MOST_SORTED: usize = 1_000;
/// The most cases that are listed. Only the first of them count.
const MOST_LISTED: usize = 10_000;

impl Variants {
    /// The names of the cases in a file.
    pub(crate) fn names(
        &self,
        pair: &mut Pair<'_>,
    ) -> Result<Result<Vec<String>, Problem>, Failure> {
        let args = self.framework.list().iter().map(|it| (*it).to_owned()).collect();
        let (outcome, _) = match self.at_once(pair, args, 1)? {
            Ok(listed) => listed,
            Err(problem) => return Ok(Err(problem)),
        };
        let printed = String::from_utf8_lossy(&outcome.stdout);
        let names = self.framework.cases(&printed);
        if names.len() > MOST_LISTED {
            let problem = format!("the file has more than {MOST_LISTED} test cases");
            return Ok(Err(Problem::new(problem).hint("does it make cases in a loop?")));
        }
        if !names.is_empty() && matches!(outcome.end, End::Exit(_)) {
            return Ok(Ok(names));
        }
        if let Some(failed) = self.framework.failure(&printed) {
            let problem = Problem::new(printable(&failed.message));
            return Ok(Err(match failed.line {
                Some(line) => problem.at(at(pair.built.file, line, None)),
                None => problem,
            }));
        }
        if outcome.end == End::Timeout {
            let problem = Problem::new("the program of the tests does not end when it lists them");
            return Ok(Err(problem.hint("does it do something before its first test?")));
        }
        if !self.framework.has_listed_all(&printed) {
            let problem = Problem::new("the file ends the program before its tests are listed");
            return Ok(Err(problem.hint("a file of tests must not call `os._exit`")));
        }
        // Catch2 exits with the number of cases.
        if matches!(outcome.end, End::Exit(_)) {
            let said = String::from_utf8_lossy(&outcome.stderr);
            let said = said.lines().find(|line| !line.trim().is_empty());
            let said = said.map(|line| format!(": {}", printable(line.trim()))).unwrap_or_default();
            let problem = Problem::new(format!("{NO_CASES}{said}"));
            return Ok(Err(problem.hint(format!("a test case is {}", self.framework.form()))));
        }
        let problem = Problem::new("the program of the tests ends before it lists them");
        let hint = "does it do something before its first test, or have a `main` of its own?";
        Ok(Err(problem.hint(hint)))
    }

    /// The numbers of the first cases in the file, at most so many. A framework may list them in another order.
    pub(crate) fn first(file: &TestProgram, names: &[String], most: usize) -> BTreeSet<usize> {
        let mut order: Vec<_> = (0..names.len()).collect();
        // Finding the line of each takes long in a file of very many.
        if names.len() <= most || names.len() > MOST_SORTED {
            return order.into_iter().take(most).collect();
        }
        let text = String::from_utf8_lossy(&file.source);
        let line = |name: &String| code(&text, name).map(|(line, _)| line);
        let lines: Option<Vec<_>> = names.iter().map(line).collect();
        if let Some(lines) = lines {
            order.sort_by_key(|&at| lines[at]);
        }
        order.into_iter().take(most).collect()
    }

    /// The name of another case that the framework would run beside the one with this name.
    pub(crate) fn confused<'n>(&self, name: &str, names: &'n [String]) -> Option<&'n str> {
        let mut all = names.iter().filter(|other| self.framework.confuses(name, other));
        let first = all.next()?;
        let second = all.next()?;
        Some(if first == name { second } else { first })
    }
}
