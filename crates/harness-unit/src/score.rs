//! Scores suites: finds the test cases in each file, runs them on the right programs and on the mutants, and says which are valid.

use crate::built::Built;
use crate::columns::{Column, Role, TestCase, Tried};
use crate::diagnostic::{Failure, Problem, printable};
use crate::domain::TestKind;
use crate::files;
use crate::looks::Looks;
use crate::rejection::{
    confused, limit, looks_at_the_program, misnamed, not_compiled, of_case, skipped, too_long,
    too_many,
};
use crate::rooms::Rooms;
use crate::run::coverage::Coverage;
use crate::run::matrix::{Difference, Row};
use crate::run::parallel;
use crate::run::work::Work;
use crate::running::Pair;
use crate::suite::name::TestName;
use crate::suite::{Suite, Test, TestProgram};
use crate::variants::Variants;
use std::collections::BTreeSet;
use std::mem;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::Duration;
use subject::wire::MutantSet;
use subject::{Case, End, How, Outcome};

/// What has come of a suite.
#[derive(Default)]
struct Scored {
    /// The valid cases as its tests, and the others.
    suite: Suite,
    /// What each of its tests does.
    rows: Vec<Row>,
    coverage: Coverage,
    looks: Looks,
}

impl Scored {
    /// Rejects each case that exposes a mutant. The lines that it reaches stay counted.
    fn reject_guesses(&mut self) {
        let tests = mem::take(&mut self.suite.tests);
        for (test, row) in tests.into_iter().zip(mem::take(&mut self.rows)) {
            if row.exposed.is_empty() {
                self.suite.tests.push(test);
                self.rows.push(row);
            } else {
                self.suite.reject(test.file, looks_at_the_program());
            }
        }
    }
}

impl Variants {
    /// Finds the test cases of a suite, and runs them: the same suite with the valid ones as tests, and a row for each of them.
    ///
    /// # Errors
    /// If the machine fails.
    pub fn score(&self, suite: Suite) -> Result<(Suite, Vec<Row>), Failure> {
        let (suite, rows, _) = self.score_with_coverage(suite)?;
        Ok((suite, rows))
    }

    /// The same, and which lines of the reference the valid cases reach, if these variants [count them](Self::count_lines).
    ///
    /// # Errors
    /// If the machine fails.
    pub fn score_with_coverage(
        &self,
        mut suite: Suite,
    ) -> Result<(Suite, Vec<Row>, Option<Coverage>), Failure> {
        let files = mem::take(&mut suite.programs);
        let mut scored = Scored { suite, ..Scored::default() };
        let work = self.work.on_new_account();
        for file in files {
            if let Err(problem) = self.file(&work, &file, &mut scored)? {
                scored.suite.reject(file.file, problem);
            }
        }
        let exposing = scored.rows.iter().filter(|row| !row.exposed.is_empty()).count();
        if scored.looks.are_guesses(self.mutants.len(), exposing) {
            scored.reject_guesses();
        }
        let Scored { mut suite, rows, coverage, .. } = scored;
        limit(&mut suite.rejected);
        Ok((suite, rows, self.counter.is_some().then_some(coverage)))
    }

    /// Adds what comes of the test cases of a file. A problem rejects the whole file.
    fn file(
        &self,
        work: &Work,
        file: &TestProgram,
        scored: &mut Scored,
    ) -> Result<Result<(), Problem>, Failure> {
        let folder = files::temporary_folder()
            .map_err(|error| Failure::machine("make a temporary folder", error))?;
        let built = Built { work, file, folder: folder.path(), rooms: None };
        let rooms = Rooms::default();
        let done = self.file_in(built, &rooms, scored);
        rooms.close(work);
        done
    }

    /// The same in a folder, with rooms for programs.
    fn file_in(
        &self,
        built: Built<'_>,
        rooms: &Rooms,
        scored: &mut Scored,
    ) -> Result<Result<(), Problem>, Failure> {
        let Built { work, file, .. } = built;
        if let Err(problem) = self.compile(built, rooms)? {
            return Ok(Err(problem));
        }
        let mut reference = Pair::new(built, &self.reference);
        self.prepare(&mut reference)?;
        let names = match self.names(&mut reference)? {
            Ok(names) => names,
            Err(problem) => return Ok(Err(problem)),
        };
        let cases = match self.on_reference(&mut reference, &names, &mut scored.suite)? {
            Ok(cases) => cases,
            Err(problem) => return Ok(Err(problem)),
        };
        let columns = self.columns_with_known(built, rooms, &names, &cases)?;
        if let Err(problem) = self.has_time(work) {
            return Ok(Err(problem));
        }
        let tried = cases.iter().map(|it| (it.test.file.clone(), it.case.clone())).collect();
        self.judge(file, cases, columns, scored);
        if let Some(counter) = &self.counter {
            let valid = valid(tried, &scored.suite);
            // What its runs take does not count as the suite's. Nothing is known of a file that does not compile so.
            let counting = Built { work: &work.on_new_account(), ..built };
            let mut reference = Pair::new(counting, &self.reference);
            let reached = counter.coverage(self, &mut reference, &valid)?.unwrap_or_default();
            scored.coverage.add(reached);
        }
        Ok(Ok(()))
    }

    /// Compiles a file of tests, and prepares rooms for its programs.
    fn compile(&self, built: Built<'_>, rooms: &Rooms) -> Result<Result<(), Problem>, Failure> {
        let is_built = AtomicBool::new(false);
        let build = || {
            let done = self.kit.build(built, &self.reference);
            is_built.store(true, Ordering::Relaxed);
            done
        };
        // Few programs run where most cases are known. Each mutant on which a case fails needs two rooms, to be confirmed.
        let is_known = self.known.as_ref().is_some_and(|known| !known.is_empty());
        let most = if is_known { 4 } else { 2 * self.mutants.len() };
        let enter = || rooms.enter(&*self.kit, built, most, &is_built);
        let (done, entered) = parallel::both(self.jobs, build, enter);
        entered.and(done)
    }

    /// Whether the suite has time left for more runs. If not, that is its author's problem.
    pub(crate) fn has_time(&self, work: &Work) -> Result<(), Problem> {
        if work.account.charged() < self.most_time { Ok(()) } else { Err(too_long(self.most_time)) }
    }

    /// Runs the cases on the reference, and on what tells the places that they reach. Those that fail on the reference, and those that are
    /// too many, are rejected.
    fn on_reference(
        &self,
        reference: &mut Pair<'_>,
        names: &[String],
        suite: &mut Suite,
    ) -> Result<Result<Vec<TestCase>, Problem>, Failure> {
        let built = reference.built;
        let file = built.file;
        let called = |name: &str| format!("{}:{}", file.file, printable(name));
        let counted = Self::first(file, names, self.most.saturating_sub(suite.tests.len()));
        let mut run = Vec::new();
        for (at, name) in names.iter().enumerate() {
            let problem = (!counted.contains(&at)).then(|| too_many(self.most));
            match problem.or_else(|| misnamed(name)) {
                Some(problem) => suite.reject(called(name), problem),
                None => run.push((at + 1, name)),
            }
        }
        let case = |(number, name): &(usize, &String)| Case {
            args: self.framework.run(name, *number),
            ..Case::default()
        };
        let cases: Vec<_> = run.iter().map(case).collect();
        let given: Vec<_> = cases.iter().map(|case| (case, Duration::ZERO)).collect();
        let (outcomes, told) = parallel::both(
            self.jobs,
            || self.outcomes(reference, &given),
            || self.told_reached(built, &cases),
        );
        let outcomes = match outcomes? {
            Ok(outcomes) => outcomes,
            Err(problem) => return Ok(Err(problem)),
        };
        let before = suite.tests.len();
        let mut passed = Vec::new();
        for (((number, name), case), ((outcome, time), reached)) in
            run.into_iter().zip(cases).zip(outcomes.into_iter().zip(told?))
        {
            if let Some(problem) = self.refused(file, names, name, &outcome) {
                suite.reject(called(name), of_case(file, name, problem));
                continue;
            }
            let test = Test {
                file: called(name),
                name: TestName {
                    number: u32::try_from(before + number).unwrap_or(u32::MAX),
                    flags: String::new(),
                },
                input: file.source.clone(),
            };
            passed.push(TestCase {
                name: number - 1,
                test,
                case,
                reference: outcome,
                time,
                reached,
            });
        }
        Ok(Ok(passed))
    }

    /// Why a case with a name is no test, of which this came on the reference.
    fn refused(
        &self,
        file: &TestProgram,
        names: &[String],
        name: &str,
        outcome: &Outcome,
    ) -> Option<Problem> {
        if let Some(other) = self.confused(name, names) {
            return Some(confused(other));
        }
        if let Some(why) = self.skipped(outcome) {
            return Some(skipped(&why));
        }
        (outcome.end != End::Exit(0)).then(|| self.rejection(file, outcome, "a right program"))
    }

    /// The mutants whose places each case reaches, if there is a program that tells. A case that fails on it reaches all, which is `None`.
    fn told_reached(
        &self,
        built: Built<'_>,
        cases: &[Case],
    ) -> Result<Vec<Option<BTreeSet<String>>>, Failure> {
        let Some(teller) = &self.teller else { return Ok(vec![None; cases.len()]) };
        let given: Vec<_> = cases.iter().collect();
        self.reached(&mut Pair::new(built, teller), &given)
    }

    /// Rejects the cases that a right program fails, those that are not always the same, and those that look at programs. Adds a row for
    /// each other one.
    fn judge(
        &self,
        file: &TestProgram,
        cases: Vec<TestCase>,
        columns: Vec<Column>,
        scored: &mut Scored,
    ) {
        let roles = self.programs().into_iter().map(|(role, _)| role);
        let first_mutant = columns.len() - self.mutants.len();
        let columns: Vec<_> = roles.zip(columns).collect();
        let (right, on_mutants) = columns.split_at(first_mutant);
        let is_decoy = |(role, _): &(Role<'_>, Column)| matches!(role, Role::Right(None));
        let first_decoy = right.iter().position(is_decoy).unwrap_or(right.len());
        let (right, on_decoys) = right.split_at(first_decoy);
        for (at, TestCase { test, reference, reached, .. }) in cases.into_iter().enumerate() {
            let problem = |(role, column): &(Role<'_>, Column)| match column {
                Ok(tried) => self.problem(file, *role, &tried[at]),
                Err(problem) => not_compiled(*role, problem),
            };
            let problem = right.iter().find_map(problem).or_else(|| {
                let looks = scored.looks.add(tried(on_decoys, at), tried(on_mutants, at));
                let mut others = on_decoys.iter().chain(on_mutants);
                others.find_map(problem).or_else(|| looks.then(looks_at_the_program))
            });
            if let Some(problem) = problem {
                let name = test.file.split_once(':').map_or("", |(_, name)| name);
                let problem = of_case(file, name, problem);
                scored.suite.reject(test.file, problem);
                continue;
            }
            let difference = |(mutant, tried): (usize, &Tried)| {
                let outcome = tried.is_alike.then_some(&tried.outcome)?;
                let how = How::between(&reference, outcome).filter(|how| *how != How::Output)?;
                Some(Difference { mutant, how, why: None, outcome: Some(outcome.clone()) })
            };
            let exposed = tried(on_mutants, at).filter_map(difference).collect();
            scored.suite.tests.push(test);
            let reached = reached.map(|places| self.with_places(&places));
            let row = Row::new(reference, Some(TestKind::Accepted), exposed);
            scored.rows.push(row.reaching(reached));
        }
    }

    /// The mutants with one of these places, and those without a place.
    fn with_places(&self, places: &BTreeSet<String>) -> MutantSet {
        let mutants = self.mutants.iter().enumerate();
        let is_reached =
            |place: &Option<String>| place.as_ref().is_none_or(|it| places.contains(it));
        mutants.filter(|(_, mutant)| is_reached(&mutant.place)).map(|(at, _)| at).collect()
    }
}

/// What the case with a number did on the programs of these columns with which its file compiles, by the numbers of the columns.
fn tried<'c>(
    columns: &'c [(Role<'_>, Column)],
    case: usize,
) -> impl Iterator<Item = (usize, &'c Tried)> {
    let columns = columns.iter().enumerate();
    columns.filter_map(move |(at, (_, column))| Some((at, &column.as_ref().ok()?[case])))
}

/// Those of the cases that are tests of the suite.
fn valid(tried: Vec<(String, Case)>, suite: &Suite) -> Vec<Case> {
    let tests: BTreeSet<_> = suite.tests.iter().map(|test| &test.file).collect();
    tried.into_iter().filter(|(name, _)| tests.contains(name)).map(|(_, case)| case).collect()
}
