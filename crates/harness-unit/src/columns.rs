//! Runs cases on all programs: those that are right, and the mutants. What comes of one program is a column.

use crate::built::Built;
use crate::confirmation::Confirmation;
use crate::diagnostic::{Failure, Problem};
use crate::rooms::Rooms;
use crate::run::parallel;
use crate::running::Pair;
use crate::suite::Test;
use crate::variant::Variant;
use crate::variants::Variants;
use std::collections::BTreeSet;
use std::iter;
use std::mem;
use std::time::Duration;
use subject::{Case, End, Outcome};

/// How often a case that passed on the reference runs there again, at other times and in other orders.
const REPEATS: usize = 2;

/// A test case, and what the reference does on it.
pub(crate) struct TestCase {
    /// The number of its name among those of all cases in the file.
    pub(crate) name: usize,
    pub(crate) test: Test,
    pub(crate) case: Case,
    pub(crate) reference: Outcome,
    pub(crate) time: Duration,
    /// The mutants whose place it reaches, if the program can tell. No other can differ.
    pub(crate) reached: Option<BTreeSet<String>>,
}

/// A program on which cases run after they passed on the reference.
#[derive(Clone, Copy)]
pub(crate) enum Role<'a> {
    /// The reference once more.
    Again,
    /// A right program with a name, or a decoy.
    Right(Option<&'a str>),
    /// The mutant with this number.
    Mutant(usize),
}

/// What came of running a case.
#[derive(Clone)]
pub(crate) struct Tried {
    pub(crate) outcome: Outcome,
    /// Whether it came out the same each time: a mutant was exposed again, or a right program failed again.
    pub(crate) is_steady: bool,
    /// Whether a mutant that was exposed was exposed in its disguise.
    pub(crate) is_alike: bool,
    /// Whether the reference passed in the same disguise.
    pub(crate) passes_on_decoy: bool,
}

impl Tried {
    /// That a case does what it does on the reference.
    fn passed(reference: Outcome) -> Self {
        Self { outcome: reference, is_steady: true, is_alike: true, passes_on_decoy: true }
    }
}

/// What came of running the cases on one program. A file may also not compile with it.
pub(crate) type Column = Result<Vec<Tried>, Problem>;

impl Variants {
    /// The programs on which cases run that the reference passed: first those that are right, and then the mutants.
    pub(crate) fn programs(&self) -> Vec<(Role<'_>, &Variant)> {
        let again = iter::repeat_n((Role::Again, &self.reference), REPEATS);
        let right = self.right.iter().map(|it| (Role::Right(it.name.as_deref()), &it.variant));
        let mutants = self.mutants.iter().enumerate();
        let mutants = mutants.map(|(at, mutant)| (Role::Mutant(at), &mutant.variant));
        again.chain(right).chain(mutants).collect()
    }

    /// Runs the cases on each of the programs. Their order is random, so that a test cannot tell by the clock which are right.
    pub(crate) fn columns(
        &self,
        built: Built<'_>,
        rooms: &Rooms,
        cases: &[&TestCase],
    ) -> Result<Vec<Column>, Failure> {
        let programs = self.programs();
        let (order, on_mutants) = (shuffled(programs.len()), shuffled(cases.len()));
        let in_rooms = Built { rooms: Some(rooms), ..built };
        let confirmation = Confirmation::new(self, in_rooms, cases, &on_mutants);
        let column = |at: usize| match programs[order[at]] {
            (Role::Mutant(number), variant) => confirmation.column(number, variant),
            (role, variant) => {
                let mut pair = confirmation.shared(variant);
                let column = self.on_right(role, &mut pair, cases);
                pair.leave();
                column
            }
        };
        let columns = parallel::map(programs.len(), self.jobs, column)?;
        let mut columns: Vec<_> = order.iter().copied().zip(columns).collect();
        columns.sort_by_key(|(at, _)| *at);
        let mut columns: Vec<_> = columns.into_iter().map(|(_, column)| column).collect();
        let first_mutant = columns.len() - self.mutants.len();
        let in_doubt = confirmation.in_doubt(&columns[first_mutant..]);
        let once_more = parallel::map(in_doubt.len(), self.jobs, |at| {
            confirmation.column(in_doubt[at], &self.mutants[in_doubt[at]].variant)
        })?;
        for (number, column) in in_doubt.into_iter().zip(once_more) {
            let first = &mut columns[first_mutant + number];
            *first = both(mem::replace(first, Ok(Vec::new())), column);
        }
        confirmation.close();
        Ok(columns)
    }

    /// Runs the cases on a program that is right, and those that fail again, because a case may fail by chance.
    fn on_right(
        &self,
        role: Role<'_>,
        pair: &mut Pair<'_>,
        cases: &[&TestCase],
    ) -> Result<Column, Failure> {
        let mut tried = match self.tried(pair, cases, &shuffled(cases.len()))? {
            Ok(tried) => tried,
            Err(problem) => return Ok(Err(problem)),
        };
        let failed = |at: &usize| tried[*at].outcome.end != End::Exit(0);
        let failed: Vec<_> = (0..cases.len()).filter(failed).collect();
        if matches!(role, Role::Again) || failed.is_empty() {
            return Ok(Ok(tried));
        }
        for _ in 0..REPEATS {
            let Ok(again) = self.tried(pair, cases, &failed)? else { continue };
            for &at in &failed {
                tried[at].is_steady &= again[at].outcome.end != End::Exit(0);
            }
        }
        Ok(Ok(tried))
    }

    /// Runs the cases with these numbers on a program. The others do what they do on the reference.
    pub(crate) fn tried(
        &self,
        pair: &mut Pair<'_>,
        cases: &[&TestCase],
        order: &[usize],
    ) -> Result<Column, Failure> {
        let mut tried: Vec<_> =
            cases.iter().map(|it| Tried::passed(it.reference.clone())).collect();
        let given: Vec<_> = order.iter().map(|at| (&cases[*at].case, cases[*at].time)).collect();
        let outcomes = match self.outcomes(pair, &given)? {
            Ok(outcomes) => outcomes,
            Err(problem) => return Ok(Err(problem)),
        };
        for (at, (outcome, _)) in order.iter().zip(outcomes) {
            tried[*at].outcome = outcome;
        }
        Ok(Ok(tried))
    }

    /// Whether the mutant with a number can do something else on a case than the reference.
    pub(crate) fn can_differ(&self, number: usize, case: &TestCase) -> bool {
        match (&self.mutants[number].place, &case.reached) {
            (Some(place), Some(reached)) => reached.contains(place),
            _ => true,
        }
    }
}

/// What came of cases that ran on a mutant at two times.
fn both(first: Column, second: Column) -> Column {
    let (first, mut second) = (first?, second?);
    for (one, other) in first.iter().zip(&mut second) {
        let same = (one.outcome.end == End::Exit(0)) == (other.outcome.end == End::Exit(0));
        other.is_steady &= one.is_steady && same;
        other.is_alike &= one.is_alike;
        other.passes_on_decoy &= one.passes_on_decoy;
    }
    Ok(second)
}

/// The numbers below `count` in a random order.
fn shuffled(count: usize) -> Vec<usize> {
    let mut order: Vec<_> = (0..count).collect();
    fastrand::shuffle(&mut order);
    order
}
