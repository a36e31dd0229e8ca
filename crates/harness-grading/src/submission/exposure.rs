//! Runs the mutants on the instructor's cases: which case exposes which.
//!
//! All mutants run on a case that could be a student's test, by the fastest engine. The others cost more: large ones take long, and those
//! that the reference rejects need a process for each run. So only the mutants run on them that no case before has exposed.

use super::case::{Accepts, MadeCase, Maker};
use super::trial;
use crate::course::cases::{Input, RightAnswer};
use crate::course::{Assignment, Submission};
use crate::diagnostic::Failure;
use crate::domain::Reason;
use crate::result::cases::CaseKind;
use crate::run::process::ProcessLimits;
use crate::run::programs::Programs;
use crate::suite::{self, validity};
use std::slice;
use std::time::Duration;
use subject::wire::MutantSet;
use subject::{Case, End};

/// A case, and the mutants that it exposes.
pub struct Exposure {
    /// The number of its group.
    group: usize,
    /// The number of the case in its group.
    at: usize,
    pub made: MadeCase,
    pub kind: CaseKind,
    /// How many mutants ran on it.
    pub tried: usize,
    pub exposes: MutantSet,
}

impl Exposure {
    /// The name of its group.
    pub fn group<'a>(&self, submission: &'a Submission) -> &'a str {
        &submission.cases[self.group].name
    }
}

/// On which cases the mutants run.
#[derive(Clone, Copy, PartialEq, Eq)]
pub enum Effort {
    /// On no large ones, and on none that a command makes once each mutant is exposed.
    Little,
    /// On all of them.
    Full,
}

/// The cases of `submission` in the order of their file, each with those of the selected mutants of `programs` that it exposes.
///
/// # Errors
/// If a case cannot be made, or the machine or the course fails.
pub fn of_cases(
    maker: &Maker<'_>,
    submission: &Submission,
    programs: &mut Programs,
    effort: Effort,
) -> Result<Vec<Exposure>, Failure> {
    let mut runner = Runner { maker, submission, missing: programs.selected().clone(), programs };
    let mut held = Vec::new();
    // Commands take long to make a case.
    for by_command in [false, true] {
        if effort == Effort::Full || !runner.missing.is_empty() {
            held.extend(runner.made(by_command)?);
        }
    }
    for one in held.iter_mut().filter(|one| one.kind != CaseKind::Test) {
        if effort == Effort::Full || one.kind != CaseKind::Large {
            runner.outside(one)?;
        }
    }
    held.sort_by_key(|one| (one.group, one.at));
    Ok(held)
}

struct Runner<'a> {
    maker: &'a Maker<'a>,
    submission: &'a Submission,
    /// The mutants that no case has exposed until now.
    missing: MutantSet,
    programs: &'a mut Programs,
}

impl Runner<'_> {
    /// Makes the cases that commands make, or the others, and runs those that could be tests.
    fn made(&mut self, by_command: bool) -> Result<Vec<Exposure>, Failure> {
        let mut held = Vec::new();
        for (group, of_group) in self.submission.cases.iter().enumerate() {
            for (at, spec) in of_group.cases.iter().enumerate() {
                if matches!(spec.input, Input::Command(_)) != by_command {
                    continue;
                }
                let programs = &mut *self.programs;
                let accepts = &mut |case: &Case| {
                    Ok(programs.references(slice::from_ref(case))?[0].is_valid())
                };
                let made = self.maker.case(spec, accepts)?;
                let kind = kind(self.maker.assignment, &made, accepts)?;
                held.push(Exposure {
                    group,
                    at,
                    made,
                    kind,
                    tried: 0,
                    exposes: MutantSet::default(),
                });
            }
        }
        self.run(&mut held)?;
        Ok(held)
    }

    /// Runs all mutants on the cases that could be tests.
    fn run(&mut self, held: &mut [Exposure]) -> Result<(), Failure> {
        let mut tests: Vec<_> = held.iter_mut().filter(|it| it.kind == CaseKind::Test).collect();
        let cases: Vec<_> = tests.iter().map(|it| it.made.case.clone()).collect();
        for (test, row) in tests.iter_mut().zip(self.programs.rows(&cases)?) {
            let (flags, file) = (&test.made.flags, test.made.file());
            let assignment = self.maker.assignment;
            test.kind = match row.reference.end {
                _ if row.is_test(assignment, flags, file) => CaseKind::Test,
                End::Exit(0) if validity::is_undescribed(assignment, file) => CaseKind::OtherForm,
                // Its flags say that the reference refuses it.
                End::Exit(0) => CaseKind::OtherFlags,
                End::Timeout | End::Memory | End::OutputLimit => CaseKind::Large,
                End::Exit(_) | End::Crash(_) => CaseKind::Rejected,
            };
            if test.kind == CaseKind::Test {
                test.tried = self.programs.selected().len();
                test.exposes = row.exposed_mutants();
                self.missing = self.missing.without(&test.exposes);
            }
        }
        Ok(())
    }

    /// Runs the missing mutants on a case that could not be a test, within the limits of `grade`.
    fn outside(&mut self, held: &mut Exposure) -> Result<(), Failure> {
        if self.missing.is_empty() {
            return Ok(());
        }
        let limits = trial::limits(self.submission);
        let limits = ProcessLimits {
            time: limits.time,
            wall: Duration::MAX,
            memory: limits.memory,
            output: limits.output,
            processes: self.maker.assignment.run.processes,
        };
        let made = &held.made;
        let faults = self.programs.faults_outside_matrix(
            &made.name,
            &made.case,
            &self.missing,
            &limits,
            |answer, outcome| made.expected(answer.clone(), outcome),
        )?;
        held.tried = self.missing.len();
        held.exposes = faults.into_iter().map(|(mutant, _)| mutant).collect();
        self.missing = self.missing.without(&held.exposes);
        Ok(())
    }
}

/// The kind of a case, as far as its input tells, or `accepts`, whether the reference does.
fn kind(
    assignment: &Assignment,
    made: &MadeCase,
    accepts: Accepts<'_>,
) -> Result<CaseKind, Failure> {
    if made.answer == RightAnswer::Any {
        return Ok(CaseKind::AnyAnswer);
    }
    let input = made.file();
    let is_short = input.len() as u64 <= assignment.tests.bytes;
    Ok(match suite::program_input(input.to_vec(), assignment) {
        Ok(_) if is_short => CaseKind::Test,
        Err(_) if is_short && !accepts(&made.case)? => CaseKind::Rejected,
        Err(_) if is_short && !exceeds_limits(assignment, input) => CaseKind::OtherForm,
        _ => CaseKind::Large,
    })
}

/// Whether an input has the form of a test, and only a limit of tests excludes it.
fn exceeds_limits(assignment: &Assignment, input: &[u8]) -> bool {
    let checked = assignment.domain.check(input, &assignment.tests.limits);
    checked.is_err_and(|exceeded| exceeded.reason == Reason::Limit)
}
