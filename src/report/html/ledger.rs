//! Counts which tests and suites expose each mutant, one suite after the other.

use crate::domain::How;
use crate::generate::survey::order::Cases;
use crate::report::words::{self, command, number, place};
use crate::result::coverage::CoverageReport;
use crate::result::score::Score;
use crate::result::{Status, SuiteReport, TestReport};
use std::collections::HashMap;

/// The most rejected files of a suite that a page names, and the most files that are not tests.
pub(super) const MOST_FILES: usize = 40;

/// The mutants, and the tests and suites that expose them.
pub(super) struct Ledger {
    pub(super) ids: Vec<String>,
    index: HashMap<String, usize>,
    /// The valid tests that expose each mutant, by their number over all suites.
    pub(super) killers: Vec<Cases>,
    /// The number of suites that expose each mutant.
    pub(super) suites: Vec<usize>,
    /// The number of valid tests, and the number of suites.
    pub(super) tests: usize,
    pub(super) suites_in_all: usize,
}

/// The result of a suite, as far as a page shows it.
pub(super) struct Graded {
    pub(super) name: String,
    /// Where the tests are, if that is not where they belong.
    pub(super) note: Option<String>,
    pub(super) tests: Vec<Valid>,
    pub(super) rejected: Vec<Rejected>,
    /// The number of rejected files that are not in `rejected`.
    pub(super) more_rejected: usize,
    pub(super) ignored: Vec<String>,
    pub(super) more_ignored: usize,
    pub(super) score: Option<Score>,
    pub(super) coverage: Option<Covered>,
    /// The mutants that are exposed, in order.
    pub(super) exposed: Vec<usize>,
    /// The hints that the student was given, each with its day.
    pub(super) hints: Vec<(String, String)>,
}

/// How many lines of the reference are reached, in words, and those that are not, by file.
pub(super) struct Covered {
    pub(super) percent: usize,
    pub(super) words: String,
    pub(super) missed: Vec<(String, String)>,
}

/// A test that was run.
pub(super) struct Valid {
    pub(super) file: String,
    pub(super) command: String,
    /// That the program must refuse it, or nothing.
    pub(super) refused: String,
    /// That it exposes too many bugs to count, or nothing.
    pub(super) too_broad: String,
    /// The mutants that it exposes, in order, each with how it differs.
    pub(super) exposes: Vec<(usize, How)>,
}

/// A test that was rejected.
pub(super) struct Rejected {
    pub(super) file: String,
    pub(super) place: String,
    pub(super) reason: String,
    pub(super) hint: String,
}

impl Rejected {
    pub(super) fn new(test: &TestReport) -> Self {
        Self {
            file: test.file.clone(),
            place: place(test).unwrap_or_default(),
            reason: test.reason.clone().unwrap_or_default(),
            hint: test.hint.clone().unwrap_or_default(),
        }
    }

    /// Its file, and the case in it if it is a unit test. A line may break between them.
    pub(super) fn parts(&self) -> (&str, &str) {
        self.file.split_at(self.file.find(':').map_or(self.file.len(), |at| at + 1))
    }
}

impl Graded {
    /// The number of rejected files.
    pub(super) fn rejections(&self) -> usize {
        self.rejected.len() + self.more_rejected
    }

    /// Its points, or nothing if the reader may not see them.
    pub(super) fn points(&self) -> String {
        self.score.as_ref().map(|score| number(score.points)).unwrap_or_default()
    }
}

impl Ledger {
    pub(super) fn new(ids: Vec<String>) -> Self {
        let index = ids.iter().cloned().zip(0..).collect();
        let (killers, suites) = (vec![Cases::default(); ids.len()], vec![0; ids.len()]);
        Self { ids, index, killers, suites, tests: 0, suites_in_all: 0 }
    }

    /// Counts a suite. `program` is the first word of its command lines.
    pub(super) fn add(&mut self, report: &SuiteReport, program: &str) -> Graded {
        let mut tests: Vec<Valid> = Vec::new();
        let mut rejected = Vec::new();
        for test in &report.tests {
            if test.status == Status::Valid {
                let command = command(program, &test.args);
                let refused = test.refused.as_ref().map(words::refused).unwrap_or_default();
                let too_broad = test.too_broad.map(words::too_broad).unwrap_or_default();
                let (file, exposes) = (test.file.clone(), Vec::new());
                tests.push(Valid { file, command, refused, too_broad, exposes });
            } else {
                rejected.push(Rejected::new(test));
            }
        }
        let mut exposed = self.exposures(report, &mut tests);
        exposed.sort_unstable();
        for test in &mut tests {
            test.exposes.sort_unstable_by_key(|&(mutant, _)| mutant);
            test.exposes.iter().for_each(|&(mutant, _)| self.killers[mutant].insert(self.tests));
            self.tests += 1;
        }
        exposed.iter().for_each(|&mutant| self.suites[mutant] += 1);
        self.suites_in_all += 1;
        let more = |files: usize| files.saturating_sub(MOST_FILES);
        let more_rejected = more(rejected.len()) + report.more_rejected;
        let more_ignored = more(report.ignored.len()) + report.more_ignored;
        rejected.truncate(MOST_FILES);
        let ignored = report.ignored.iter().take(MOST_FILES).cloned().collect();
        let (name, score) = (report.name.clone(), report.score.clone());
        let hints =
            report.hints.iter().map(|given| (given.day.clone(), words::hint(given))).collect();
        Graded {
            name,
            note: report.note.clone(),
            tests,
            rejected,
            more_rejected,
            ignored,
            more_ignored,
            score,
            coverage: report.coverage.as_ref().map(covered),
            exposed,
            hints,
        }
    }

    /// Adds to each test the mutants that it exposes, and gives all exposed mutants.
    fn exposures(&self, report: &SuiteReport, tests: &mut [Valid]) -> Vec<usize> {
        let files: HashMap<String, usize> =
            tests.iter().map(|test| test.file.clone()).zip(0..).collect();
        let mut exposed = Vec::new();
        for (id, exposures) in &report.exposed_by {
            let Some(&mutant) = self.index.get(id) else { continue };
            exposed.push(mutant);
            for exposure in exposures {
                if let Some(&test) = files.get(&exposure.file) {
                    tests[test].exposes.push((mutant, exposure.how));
                }
            }
        }
        exposed
    }
}

fn covered(coverage: &CoverageReport) -> Covered {
    let missed = coverage.missed.iter().map(|(file, ranges)| (file.clone(), words::lines(ranges)));
    Covered { percent: coverage.percent, words: words::covered(coverage), missed: missed.collect() }
}
