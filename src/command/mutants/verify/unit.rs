//! Verifies mutants of unit tests: a case of the course's own file of tests exposes each.

use super::Verification;
use crate::catalogue::Mutant;
use crate::course::UnitTests;
use crate::diagnostic::progress::Progress;
use crate::diagnostic::{Failure, FailureKind, Problem};
use crate::domain::How;
use crate::grading::witness_file;
use crate::result::verify;
use crate::run::prepare;
use crate::suite::Suite;
use crate::suite::layout::{self, Reading};
use std::path::Path;

impl Verification<'_> {
    pub(super) fn verify_unit(&mut self, unit: &UnitTests) -> Result<(), Failure> {
        let choice = self.choice;
        let _progress = Progress::new("running the witnesses", None);
        let of = (self.course, choice.assignment);
        let jobs = prepare::jobs(self.options.jobs);
        let (mutants, samples) = (&choice.mutants, self.samples());
        let has_samples = !samples.is_empty();
        let checked = match witness_file::check(self.work, of, unit, mutants, samples, jobs) {
            Ok(checked) => checked,
            // A disk that is full says nothing of a mutant.
            Err(failure) if failure.kind == FailureKind::Machine => return Err(failure),
            Err(failure) => {
                self.problems.extend(failure.problems);
                return Ok(());
            }
        };
        let (Some(checked), Some(file)) = (checked, &unit.witnesses) else {
            let message = format!("the mutants of `{}` have no witnesses", choice.assignment.id);
            let hint = "name a file with test cases that expose them: `witnesses: FILE` in `tests`";
            self.problems.push(Problem::new(message).hint(hint));
            return Ok(());
        };
        self.counts.witnesses = checked.cases;
        self.problems.extend(checked.problems);
        let ways = |at| checked.exposed.get(&at).into_iter().flatten().map(|how| (*how).into());
        let problem = |(at, mutant)| {
            exposure(mutant, &ways(at).collect::<Vec<_>>(), file)
                .or_else(|| breadth(mutant, checked.too_broad.get(&at)?))
        };
        self.problems.extend(choice.selected().filter_map(problem));
        self.counts.tests = checked.samples.cases;
        if has_samples {
            let is_missed = |(at, mutant): &(usize, &Mutant)| {
                mutant.is_a_bug() && !checked.samples.exposed.contains(at)
            };
            let missed = choice.selected().filter(is_missed);
            self.missed = missed.map(|(_, mutant)| mutant.id.clone()).collect();
        }
        Ok(())
    }

    /// The sample suites, if there are any below `student_tests`.
    fn samples(&self) -> Vec<Suite> {
        let assignment = self.choice.assignment;
        let folder = self.course.folder.join("student_tests");
        let groups = layout::find(&folder, self.course, Some(&assignment.id), Reading::RatherClass);
        let folders = groups.into_iter().flatten().flat_map(|group| group.suites);
        let suites = folders.map(|folder| Suite::of_student(&folder, assignment));
        suites.filter(|suite| !suite.programs.is_empty()).collect()
    }
}

/// What is wrong with a mutant that the cases in `file` expose in some ways, or not at all.
fn exposure(mutant: &Mutant, ways: &[How], file: &Path) -> Option<Problem> {
    let (id, name) = (&mutant.id, file.file_name().unwrap_or_default().to_string_lossy());
    match (mutant.is_a_bug(), ways.is_empty()) {
        (true, true) => {
            let problem = Problem::new(format!("no test case in {name} exposes `{id}`"));
            let hint = "add one, or declare the mutant equivalent with `expect:`";
            Some(problem.at(mutant.place("summary")).hint(hint))
        }
        (false, false) => {
            let message = format!("`{id}` is declared equivalent, but a test case exposes it");
            Some(Problem::new(message).at(mutant.place("expect")).hint("remove one of them"))
        }
        _ => verify::unexpected(mutant, ways),
    }
}

/// What is wrong with a mutant that only cases expose which are credited with nothing. One of them, and how many bugs that exposes.
fn breadth(mutant: &Mutant, (case, bugs): &(String, usize)) -> Option<Problem> {
    let message = format!(
        "only test cases that expose more bugs than `bugs_per_test` allows expose `{}`: `{case}` exposes {bugs}",
        mutant.id
    );
    let hint = "add a case that exposes fewer, give mutants of one cause the same `behaviour:`, or allow more";
    mutant.is_a_bug().then(|| Problem::new(message).at(mutant.place("summary")).hint(hint))
}
