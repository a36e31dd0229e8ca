//! Settles verdicts before a user sees them.
//!
//! An engine is believed that a mutant differs after processes have confirmed it on the first few cases that expose the mutant since it was
//! built. That a mutant does not end is confirmed for each case, because steps do not tell how long it would take. A search does without:
//! what it writes is confirmed later.
//!
//! A loop in Rust that came back to a state (`Cycles`) needs no confirmation. `confirmed.json` beside `engines.json` remembers both
//! until the program is built again, so that only the first `score` of a suite waits. A search settles nothing, but the tests that it
//! writes were confirmed in the same way ([`confirm`](super::confirm)), and its smallest case for each mutant by a process of its own.
//! `generate --against` has a process confirm each find; if one differs, the program runs by processes from then on, and the search is
//! repeated.

use super::matrix::{Difference, Row};
use super::program::BuiltProgram;
use super::programs::{Programs, Run, agree};
use super::trust::reason;
use super::{parallel, processes};
use crate::diagnostic::Failure;
use crate::domain::Fault;
use crate::run::engine::Engine;
use std::collections::BTreeMap;
use std::sync::Arc;
use std::time::Duration;
use subject::wire::Detail;
use subject::{Case, How, Outcome};

/// A verdict that is not settled.
struct Doubt<'a> {
    row: usize,
    mutant: usize,
    how: How,
    /// What said so.
    engine: Engine,
    case: &'a Case,
}

/// What processes did about a doubt: the mutant, and what is wrong with that.
struct Tried {
    outcome: Outcome,
    fault: Option<Fault>,
}

impl Programs {
    /// The rows as processes confirm them. `None` if a program did something else in a process. It has stepped down, so that the cases
    /// must be run again.
    ///
    /// # Errors
    /// If the machine or a checker fails.
    pub(super) fn settled(
        &self,
        runs: &[Run<'_>],
        mut rows: Vec<Row>,
        detail: Detail,
    ) -> Result<Option<Vec<Row>>, Failure> {
        let doubts = self.doubts(runs, &rows);
        if doubts.is_empty() {
            return Ok(Some(rows));
        }
        let Some(references) = self.references_of(&doubts, &rows)? else { return Ok(None) };
        // Many students of a class have the same test.
        let mut unique: BTreeMap<_, usize> = BTreeMap::new();
        for (at, doubt) in doubts.iter().enumerate() {
            unique.entry((doubt.mutant, doubt.case)).or_insert(at);
        }
        let unique: Vec<_> = unique.into_iter().collect();
        let tried = parallel::map(unique.len(), self.slots.len(), |of| {
            let doubt = &doubts[unique[of].1];
            let (reference, time) = &references[&doubt.row];
            self.tried(doubt, reference, *time)
        })?;
        let tried: BTreeMap<_, _> = unique.iter().map(|(run, _)| *run).zip(tried).collect();
        let mut is_settled = true;
        for doubt in &doubts {
            let tried = &tried[&(doubt.mutant, doubt.case)];
            let how = tried.fault.as_ref().map(|fault| fault.how);
            let (program, mutant) = self.named(doubt.mutant);
            let is_confirmed = how.is_some_and(|how| is_same(how, doubt.how));
            match doubt.how {
                How::Timeout if is_confirmed => program.add_endless(&mutant, doubt.case),
                How::Timeout => settle(&mut rows[doubt.row], doubt.mutant, tried, detail),
                _ if is_confirmed => program.add_exposed(&mutant, doubt.case),
                _ => {
                    program.step_down(doubt.engine, &reason(&doubt.case.args, Some(&mutant)));
                    is_settled = false;
                }
            }
        }
        self.base.write_confirmed();
        Ok(is_settled.then_some(rows))
    }

    /// The verdicts that a process must confirm: the first that expose a mutant after a build, and those that a mutant does not end.
    fn doubts<'a>(&self, runs: &[Run<'a>], rows: &[Row]) -> Vec<Doubt<'a>> {
        let (mut doubts, mut left) = (Vec::new(), BTreeMap::new());
        for (at, row) in rows.iter().enumerate() {
            for &Difference { mutant, how, .. } in &row.exposed {
                // Nearly all verdicts are of mutants that are believed.
                let is_believed = how != How::Timeout && left.get(&mutant) == Some(&0);
                if is_believed || row.endless.contains(mutant) {
                    continue;
                }
                let (program, name) = self.named(mutant);
                let (engine, case) = (program.engine(), runs[at].case);
                if engine == Engine::Process {
                    continue;
                }
                if how == How::Timeout {
                    if !program.is_endless(&name, case) {
                        doubts.push(Doubt { row: at, mutant, how, engine, case });
                    }
                    continue;
                }
                let (most, is_confirmed) = program.left_to_confirm(&name, case);
                let left = left.entry(mutant).or_insert(most);
                if !is_confirmed && *left > 0 {
                    *left -= 1;
                    doubts.push(Doubt { row: at, mutant, how, engine, case });
                }
            }
        }
        doubts
    }

    /// What the reference does in a process on each case in doubt, and its time. `None` if it did something else in its engine.
    #[expect(clippy::type_complexity, reason = "an outcome and a time for each row")]
    fn references_of(
        &self,
        doubts: &[Doubt<'_>],
        rows: &[Row],
    ) -> Result<Option<BTreeMap<usize, (Outcome, Duration)>>, Failure> {
        let cases: BTreeMap<_, _> = doubts.iter().map(|doubt| (doubt.row, doubt.case)).collect();
        let cases: Vec<_> = cases.into_iter().collect();
        let program = &self.reference;
        let ran = parallel::map(cases.len(), self.slots.len(), |at| {
            processes::start(&self.work, &program.runnable, cases[at].1, &program.limits)
        })?;
        let mut references = BTreeMap::new();
        for ((row, case), (outcome, time)) in cases.into_iter().zip(ran) {
            let engine = program.engine();
            // What was stopped proves nothing.
            let is_stopped = self.work.search.has_ended();
            if engine != Engine::Process && !is_stopped && !agree(&rows[row].reference, &outcome) {
                program.step_down(engine, &reason(&case.args, None));
                return Ok(None);
            }
            references.insert(row, (outcome, time));
        }
        Ok(Some(references))
    }

    fn tried(
        &self,
        doubt: &Doubt<'_>,
        reference: &Outcome,
        time: Duration,
    ) -> Result<Tried, Failure> {
        let (program, _) = self.program_of(doubt.mutant);
        let limits = processes::limits_of_mutant(program, &program.limits, time);
        let runnable = self.runnable_of(doubt.mutant);
        let (outcome, _) = processes::start(&self.work, &runnable, doubt.case, &limits)?;
        let fault = self.judge.fault(doubt.case, reference, &outcome)?;
        Ok(Tried { outcome, fault })
    }

    /// The program that runs `mutant`, and the name by which what is confirmed of the mutant is remembered.
    pub(super) fn named(&self, mutant: usize) -> (&Arc<BuiltProgram>, String) {
        let (program, selected) = self.program_of(mutant);
        let name = selected.and_then(|mutant| program.hello.ids.get(mutant).cloned());
        (program, name.unwrap_or_default())
    }
}

/// Whether two runs differ from the reference in the same way. Which limit stops a run that does not end is chance.
pub(super) fn is_same(one: How, other: How) -> bool {
    one == other || one.is_limit() && other.is_limit()
}

/// Takes what a process did over into a row.
fn settle(row: &mut Row, mutant: usize, tried: &Tried, detail: Detail) {
    let Some(at) = row.exposed.iter().position(|difference| difference.mutant == mutant) else {
        return;
    };
    match tried.fault.clone() {
        None => drop(row.exposed.remove(at)),
        Some(Fault { how, why }) => {
            let outcome = (detail == Detail::Outcomes).then(|| tried.outcome.clone());
            let why = why.filter(|_| outcome.is_some());
            row.exposed[at] = Difference { mutant, how, why, outcome };
        }
    }
}
