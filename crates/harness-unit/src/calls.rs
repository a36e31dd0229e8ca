//! Draws calls of the program that is tested, and makes tests of those on which a mutant returns something else.
//!
//! A call is what an input of the assignment's shape is: code, whose last line is an expression, and whose lines before it are
//! statements. A [`Probe`] evaluates many at once on each variant. The tests that are written are then scored as a student's are.

mod form;
mod probe;
mod value;

pub use probe::{Probe, callable, file_name};

use crate::diagnostic::{Failure, Problem};
use crate::domain::{Draft, Generator, TestRules};
use crate::suite::{Suite, TestProgram};
use crate::variants::Variants;
use fastrand::Rng;
use std::collections::{BTreeMap, HashSet};
use std::time::Instant;
use subject::MutantSet;
use value::Value;

/// How many calls are tried at once, how often random ones may bring nothing new, and how many smaller versions of a call are tried.
const AT_ONCE: usize = 300;
const MOST_IN_VAIN: usize = 8;
const SMALLER_AT_ONCE: usize = 60;

/// How calls are looked for.
pub struct Search<'a> {
    pub variants: &'a Variants,
    pub probe: &'a Probe,
    pub generator: &'a dyn Generator,
    pub rules: &'a TestRules,
    /// The file of tests that cases are added to, instead of a new one.
    pub before: Option<&'a TestProgram>,
    /// The mutants for which tests are wanted.
    pub targets: MutantSet,
    /// Whether a test counts that exposes these mutants.
    pub counts: &'a dyn Fn(&MutantSet) -> bool,
    pub seed: u64,
    /// The largest size of which every call is tried, if there are not too many.
    pub size: usize,
    pub most_cases: usize,
    pub until: Instant,
}

/// A call that exposes mutants.
#[derive(Clone)]
pub struct Found {
    pub draft: Draft,
    /// Its size, as the shape counts.
    pub size: usize,
    value: Value,
}

/// A test case that was written.
pub struct WrittenCase {
    pub name: String,
    pub size: usize,
    pub exposes: MutantSet,
}

/// What was found.
pub struct Drawn {
    /// The file of tests, if any calls were found.
    pub file: Option<TestProgram>,
    pub cases: Vec<WrittenCase>,
    /// The smallest call for each mutant that one exposes.
    pub smallest: BTreeMap<usize, Found>,
    pub missed: MutantSet,
    /// The mutants that a call exposes and no test case that was written.
    pub unconfirmed: MutantSet,
    /// How many calls were tried, and how many of them are no tests, so that nothing is known of mutants there.
    pub tried: usize,
    pub no_tests: usize,
    /// The size up to which all were.
    pub enumerated: Option<usize>,
    pub out_of_time: bool,
}

/// The code of a call: its statements, and its expression.
fn parts(code: &str) -> (&str, &str) {
    let code = code.trim_end_matches('\n');
    code.rsplit_once('\n').unwrap_or(("", code))
}

/// The largest number of a case in a text that is named as those here are.
fn last_call(text: &str) -> usize {
    let after = text.split("call_").skip(1);
    let digits = after.map(|it| it.split(|c: char| !c.is_ascii_digit()).next().unwrap_or_default());
    digits.filter_map(|it| it.parse().ok()).max().unwrap_or(0)
}

/// What a search has tried.
#[derive(Default)]
struct Tried {
    /// All calls that were made, of which some may not have been tried for want of time.
    seen: HashSet<Draft>,
    count: usize,
    no_tests: usize,
    smallest: BTreeMap<usize, Found>,
}

impl Tried {
    /// The sizes of what was found, added up.
    fn size(&self) -> usize {
        self.smallest.values().map(|found| found.size).sum()
    }
}

impl Search<'_> {
    /// Looks for a small call for each mutant, and makes tests of the fewest that expose all that are found.
    ///
    /// # Errors
    /// If the machine fails, or a call is not code that the compiler takes.
    pub fn run(&self) -> Result<Drawn, Failure> {
        let mut tried = Tried::default();
        let enumerated = self.enumerate(&mut tried)?;
        self.draw(&mut tried)?;
        self.shrink(&mut tried)?;
        let out_of_time = self.is_late();
        let Tried { smallest, count, no_tests, .. } = tried;
        let found: MutantSet = smallest.keys().copied().collect();
        let (file, cases) = self.written(&smallest)?;
        let mut written = MutantSet::default();
        cases.iter().for_each(|case| written.add_all(&case.exposes));
        Ok(Drawn {
            file,
            cases,
            smallest,
            missed: self.targets.without(&found),
            unconfirmed: found.without(&written),
            tried: count,
            no_tests,
            enumerated,
            out_of_time,
        })
    }

    /// Whether the search must end.
    fn is_late(&self) -> bool {
        Instant::now() >= self.until || self.variants.work.cancellation.is_cancelled()
    }

    fn is_done(&self, tried: &Tried) -> bool {
        tried.smallest.len() == self.targets.len()
    }

    /// Tries all calls of the sizes of which there are not too many, in order, until each mutant is exposed. Gives the largest size of
    /// which all were tried.
    fn enumerate(&self, tried: &mut Tried) -> Result<Option<usize>, Failure> {
        let (mut all, mut ends) = (Vec::new(), Vec::new());
        for size in 0..=self.size {
            let families = self.generator.families(size, self.rules);
            let count: usize = families.iter().map(|family| family.count).sum();
            if !self.generator.has_all(size, self.rules) || all.len() + count > 2 * AT_ONCE {
                break;
            }
            let drafts = families.iter().flat_map(|it| (0..it.count).filter_map(&it.make));
            all.extend(drafts.filter(|draft| tried.seen.insert(draft.clone())));
            ends.push(all.len());
        }
        for drafts in all.chunks(AT_ONCE) {
            // None of those that follow is smaller.
            if !self.is_done(tried) {
                self.try_all(drafts, &self.targets, tried)?;
            }
        }
        Ok(ends.iter().take_while(|&&end| end <= tried.count).count().checked_sub(1))
    }

    /// Tries random calls until nothing new is found.
    fn draw(&self, tried: &mut Tried) -> Result<(), Failure> {
        let mut rng = Rng::with_seed(self.seed);
        let kinds = self.generator.kinds().len();
        let mut in_vain = 0;
        while in_vain < MOST_IN_VAIN && !self.is_done(tried) && !self.is_late() {
            let sample = |at: usize| self.generator.sample_of(at % kinds, self.rules, &mut rng);
            let mut drafts: Vec<_> = (0..AT_ONCE).map(sample).collect();
            drafts.retain(|draft| tried.seen.insert(draft.clone()));
            let before = tried.smallest.len();
            let left = self.targets.without(&tried.smallest.keys().copied().collect());
            self.try_all(&drafts, &left, tried)?;
            in_vain = if tried.smallest.len() > before { 0 } else { in_vain + 1 };
        }
        Ok(())
    }

    /// Tries smaller versions of what was found until there are none that expose the same mutant.
    fn shrink(&self, tried: &mut Tried) -> Result<(), Failure> {
        let found = tried.smallest.keys().copied().collect();
        while !self.is_late() {
            let smaller = tried.smallest.values().flat_map(|found| {
                self.generator.smaller(&found.draft).into_iter().take(SMALLER_AT_ONCE)
            });
            let seen = &mut tried.seen;
            let drafts: Vec<_> = smaller.filter(|draft| seen.insert(draft.clone())).collect();
            let before = tried.size();
            for drafts in drafts.chunks(AT_ONCE) {
                self.try_all(drafts, &found, tried)?;
            }
            if tried.size() == before {
                break;
            }
        }
        Ok(())
    }

    /// Evaluates calls if there is time, and keeps each that is the smallest which exposes some mutant.
    fn try_all(
        &self,
        drafts: &[Draft],
        mutants: &MutantSet,
        tried: &mut Tried,
    ) -> Result<(), Failure> {
        if drafts.is_empty() || self.is_late() {
            return Ok(());
        }
        for (draft, (value, exposes)) in drafts.iter().zip(self.evaluated(drafts, mutants)?) {
            let Some(value) = value else {
                tried.no_tests += 1;
                continue;
            };
            let size = self.generator.size(&draft.input);
            for mutant in exposes.iter() {
                if tried.smallest.get(&mutant).is_none_or(|found| size < found.size) {
                    let (draft, value) = (draft.clone(), value.clone());
                    tried.smallest.insert(mutant, Found { draft, size, value });
                }
            }
        }
        tried.count += drafts.len();
        Ok(())
    }

    /// The value of each call on which all right programs agree, and which of the mutants it exposes.
    fn evaluated(
        &self,
        drafts: &[Draft],
        mutants: &MutantSet,
    ) -> Result<Vec<(Option<Value>, MutantSet)>, Failure> {
        let values = self.probe.values(drafts, mutants)?;
        let row = |at: usize| {
            let value = values.reference[at].clone().filter(Value::can_be_asked_for);
            let agrees = |value: &Value| {
                values.right.iter().all(|it| it[at].as_ref().is_some_and(|it| value.accepts(it)))
            };
            let Some(value) = value.filter(agrees) else { return (None, MutantSet::default()) };
            let differs = |column: &[Option<Value>]| {
                column[at].as_ref().is_some_and(|other| !value.accepts(other))
            };
            let exposes = values.mutants.iter().filter(|(_, column)| differs(column));
            let exposes = exposes.map(|(mutant, _)| *mutant).collect();
            (Some(value), exposes)
        };
        Ok((0..drafts.len()).map(row).collect())
    }

    /// A file of tests with few of the calls that were found, scored, and without the cases that are not valid or expose nothing.
    fn written(
        &self,
        smallest: &BTreeMap<usize, Found>,
    ) -> Result<(Option<TestProgram>, Vec<WrittenCase>), Failure> {
        let mut chosen = self.chosen(smallest)?;
        let first = self.before.map_or(0, |it| last_call(&String::from_utf8_lossy(&it.source)));
        while !chosen.is_empty() {
            let name = |at: usize| format!("call_{}", first + at + 1);
            let code: Vec<_> =
                chosen.iter().map(|it| String::from_utf8_lossy(&it.draft.input)).collect();
            let cases = chosen.iter().zip(&code).enumerate();
            let cases = cases.map(|(at, (found, code))| (name(at), &**code, &found.value));
            let Some(file) = self.probe.file_of_tests(self.before, &cases.collect::<Vec<_>>())
            else {
                break;
            };
            let suite = Suite { programs: vec![file.clone()], ..Suite::default() };
            let (suite, rows) = self.variants.score(suite)?;
            if let Some(of_all) = suite.rejected.iter().find(|it| it.file == file.file) {
                let message = format!(
                    "the file with the drawn cases is rejected: {}",
                    of_all.problem.message
                );
                return Err(Failure::broken_course(Problem { message, ..of_all.problem.clone() }));
            }
            let exposes = |name: &str| {
                let is_named = |test: &crate::suite::Test| test.file.ends_with(name);
                let row = &rows[suite.tests.iter().position(is_named)?];
                let exposed = Some(row.exposed_mutants()).filter(self.counts)?.both(&self.targets);
                Some(exposed).filter(|exposed| !exposed.is_empty())
            };
            let exposes: Vec<_> = (0..chosen.len()).map(|at| exposes(&name(at))).collect();
            if let Some(exposes) = exposes.iter().cloned().collect::<Option<Vec<_>>>() {
                let case =
                    |(at, exposes)| WrittenCase { name: name(at), size: chosen[at].size, exposes };
                return Ok((Some(file), exposes.into_iter().enumerate().map(case).collect()));
            }
            let mut counts = exposes.iter().map(Option::is_some);
            chosen.retain(|_| counts.next().unwrap_or(false));
        }
        Ok((None, Vec::new()))
    }

    /// Calls that expose all that was found: each time, the one that exposes most of what is left, and among these the smallest.
    fn chosen(&self, smallest: &BTreeMap<usize, Found>) -> Result<Vec<Found>, Failure> {
        let mut pool: Vec<_> = smallest.values().cloned().collect();
        pool.sort_by(|one, other| one.size.cmp(&other.size).then(one.draft.cmp(&other.draft)));
        pool.dedup_by(|one, other| one.draft == other.draft);
        let drafts: Vec<_> = pool.iter().map(|found| found.draft.clone()).collect();
        let mut left: MutantSet = smallest.keys().copied().collect();
        let all = (0..self.variants.mutants.len()).collect();
        let exposes = self.evaluated(&drafts, &all)?;
        let exposes = exposes.into_iter().map(|(_, mutants)| mutants);
        let exposes: Vec<_> = exposes
            .map(|mutants| if (self.counts)(&mutants) { mutants } else { MutantSet::default() })
            .collect();
        let mut chosen = Vec::new();
        while chosen.len() < self.most_cases {
            let gain = |at: &usize| exposes[*at].both(&left).len();
            // Of several that expose as many, `max_by_key` gives the last.
            let Some(best) = (0..pool.len()).rev().max_by_key(gain).filter(|at| gain(at) > 0)
            else {
                break;
            };
            left = left.without(&exposes[best]);
            chosen.push(pool[best].clone());
        }
        Ok(chosen)
    }
}
