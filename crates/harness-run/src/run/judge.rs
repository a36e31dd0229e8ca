//! From outcomes to verdicts. This is the one place where the judge of an assignment is selected.
//!
//! Workers compare bytes, and a mutant whose bytes are equal is never judged. With any other judge than `bytes`, workers also answer
//! with the outcomes that differ, and `Programs::sweep` removes those that are right. So every command gets the same verdicts, and a
//! failing checker is a `Failure` like any other. A checker runs under limits like any program (`run/judge/checker.rs`). Its verdicts
//! are kept for one run only: what else it depends on, such as the modules that it imports, is not known, so verdicts from an earlier
//! run could be wrong.

mod checker;

use super::interactor;
use super::search::Search;
use super::work::Work;
use crate::course::{self, Assignment, Course};
use crate::diagnostic::{Failure, FailureKind, Problem, command_line, printable};
use crate::domain::{Domain, Fault, Flaw, Refusals, TestKind, Tokens, lines, shortened};
use checker::Checker;
pub(in crate::run) use checker::Files;
use std::mem;
use std::path::PathBuf;
use std::sync::Arc;
use subject::wire::{Answer, Detail, Difference};
use subject::{Case, End, How, Outcome};

/// Decides which outcomes are right. All judges agree on outcomes that equal the reference's, and on those that end in another way.
pub struct Judge {
    domain: Arc<dyn Domain>,
    /// What decides if the reference refuses a case.
    refusals: Refusals,
    by: By,
}

/// What decides about an outcome with another output.
enum By {
    /// Every difference counts.
    Bytes,
    Domain(Arc<dyn Domain>),
    Tokens(Tokens),
    Lines,
    Checker(Box<Checker>),
    /// The interactor has decided while the program ran.
    Interactor,
}

impl Judge {
    /// The judge that the course file selects. A checker whose program is a source is built first.
    ///
    /// # Errors
    /// If a checker cannot be built.
    pub fn new(work: &Work, course: &Course, assignment: &Assignment) -> Result<Self, Failure> {
        let by = match &assignment.judge {
            course::Judge::Own if assignment.domain.has_many_answers() => {
                By::Domain(assignment.domain.clone())
            }
            course::Judge::Own | course::Judge::Bytes => By::Bytes,
            course::Judge::Domain(domain) => By::Domain(domain.clone()),
            course::Judge::Tokens(tokens) => By::Tokens(*tokens),
            course::Judge::Lines => By::Lines,
            course::Judge::Checker(checker) => {
                By::Checker(Box::new(Checker::new(work, course, assignment, checker)?))
            }
            course::Judge::Interactor(_) => By::Interactor,
        };
        Ok(Self { domain: assignment.domain.clone(), refusals: assignment.refusals.clone(), by })
    }

    /// Whether a program of the course decides.
    pub fn is_a_checker(&self) -> bool {
        matches!(self.by, By::Checker(_))
    }

    /// Whether an interactor decides.
    pub fn is_interactive(&self) -> bool {
        matches!(self.by, By::Interactor)
    }

    /// The checker's program, if there is a checker.
    ///
    /// # Errors
    /// If there is no such program, or it cannot be executed.
    pub fn program(&self) -> Result<Option<PathBuf>, Problem> {
        match &self.by {
            By::Checker(checker) => checker.program().map(Some),
            _ => Ok(None),
        }
    }

    /// How `outcome` is wrong on `case`; `None` if it is right. `reference` is right.
    ///
    /// # Errors
    /// If a checker fails.
    pub fn fault(
        &self,
        case: &Case,
        reference: &Outcome,
        outcome: &Outcome,
    ) -> Result<Option<Fault>, Failure> {
        if self.refusals.kind(reference) == Some(TestKind::Refused) {
            return Ok(self.refusals.fault(reference, outcome));
        }
        let Some(how) = How::between(reference, outcome) else { return Ok(None) };
        if matches!(self.by, By::Interactor) && outcome.end == End::Exit(interactor::WRONG) {
            let why = Flaw::whole(String::from_utf8_lossy(&outcome.stderr).into_owned());
            return Ok(Some(Fault { how: How::Output, why: Some(why) }));
        }
        if how != How::Output || reference.end != End::Exit(0) {
            return Ok(Some(how.into()));
        }
        let why = match &self.by {
            By::Bytes | By::Interactor => return Ok(Some(how.into())),
            By::Domain(domain) => return Ok(domain.judge(case, reference, outcome)),
            By::Tokens(tokens) => {
                in_any_output(reference, outcome, |right, output| tokens.flaw(right, output))
            }
            By::Lines => in_any_output(reference, outcome, lines::flaw),
            By::Checker(checker) => {
                let answer = self.domain.answer(outcome);
                let same_but_for_answer = self.domain.outcome(reference, answer.to_vec());
                if let Some(how) = How::between(&same_but_for_answer, outcome) {
                    return Ok(Some(how.into()));
                }
                let flaw = checker.flaw(input(case), self.domain.answer(reference), answer);
                flaw.map_err(|failure| on(case, failure))?
            }
        };
        Ok(why.map(|why| Fault { how, why: Some(why) }))
    }

    /// The same for a program at which nobody has looked: it is wrong if a checker fails on what it did, and not on what the reference did.
    ///
    /// # Errors
    /// If a checker fails for another reason.
    pub fn fault_of_stranger(
        &self,
        case: &Case,
        reference: &Outcome,
        outcome: &Outcome,
    ) -> Result<Option<Fault>, Failure> {
        match self.fault(case, reference, outcome) {
            Err(failure) if self.is_a_checker() && failure.kind == FailureKind::Course => {
                self.trial(case, reference)?;
                let said = failure.problems.into_iter().next().map(|problem| problem.message);
                let why = Flaw::whole(said.unwrap_or_default());
                Ok(Some(Fault { how: How::Output, why: Some(why) }))
            }
            judged => judged,
        }
    }

    /// Tries a checker itself on a case that the reference accepts.
    ///
    /// # Errors
    /// If it fails, or is wrong.
    pub fn trial(&self, case: &Case, reference: &Outcome) -> Result<(), Failure> {
        match &self.by {
            By::Checker(checker) => {
                let trial = checker.trial(input(case), self.domain.answer(reference));
                trial.map_err(|failure| on(case, failure))
            }
            _ => Ok(()),
        }
    }

    /// How much a worker must answer so that its answer can be judged.
    pub(super) fn detail(&self, wanted: Detail) -> Detail {
        if self.sees_outcomes() { Detail::Outcomes } else { wanted }
    }

    /// Whether an outcome that differs can be right.
    fn sees_outcomes(&self) -> bool {
        !matches!(self.by, By::Bytes) || self.refusals.are_tests()
    }

    /// Removes the mutants from `answer` whose outcome differs but is right. A checker may take as long as all programs together, so a
    /// search that is over does not wait for it.
    pub(super) fn judge(&self, case: &Case, answer: &mut Answer) -> Result<(), Failure> {
        if !self.sees_outcomes() {
            return Ok(());
        }
        if self.refusals.are_tests() && answer.reference.end != End::Exit(0) {
            self.judge_refused(answer);
            return Ok(());
        }
        if let By::Domain(domain) = &self.by {
            judge_by(domain.as_ref(), case, answer);
            return Ok(());
        }
        let search = match &self.by {
            By::Checker(checker) => Some(checker.search()),
            _ => None,
        };
        let mut wrong = Vec::new();
        for mut difference in mem::take(&mut answer.differing) {
            if search.is_some_and(Search::is_over) {
                answer.reference.end = End::Timeout;
                wrong.clear();
                break;
            }
            if let Some(outcome) = &difference.outcome {
                let fault = self.fault(case, &answer.reference, outcome);
                // A checker that was stopped has not failed.
                if search.is_some_and(Search::has_ended) {
                    answer.reference.end = End::Timeout;
                    wrong.clear();
                    break;
                }
                let Some(fault) = fault? else { continue };
                difference.how = fault.how;
            }
            wrong.push(difference);
        }
        answer.differing = wrong;
        Ok(())
    }

    /// Removes the mutants from `answer` that refuse a case as the reference does, or all if that is no deliberate refusal.
    fn judge_refused(&self, answer: &mut Answer) {
        let is_test = self.refusals.kind(&answer.reference).is_some();
        answer.differing.retain_mut(|difference| {
            let Some(outcome) = difference.outcome.as_ref().filter(|_| is_test) else {
                return is_test;
            };
            let fault = self.refusals.fault(&answer.reference, outcome);
            fault.map(|fault| difference.how = fault.how).is_some()
        });
    }
}

/// Removes the mutants from `answer` whose outcome is right in the domain's judgement.
fn judge_by(domain: &dyn Domain, case: &Case, answer: &mut Answer) {
    if answer.reference.end != End::Exit(0) {
        return;
    }
    let has_other_output =
        |difference: &&Difference| difference.how == How::Output && difference.outcome.is_some();
    let outcomes = answer.differing.iter().filter(has_other_output);
    let outcomes: Vec<_> = outcomes.filter_map(|difference| difference.outcome.as_ref()).collect();
    let mut faults = domain.judge_all(case, &answer.reference, &outcomes).into_iter();
    answer.differing.retain_mut(|difference| {
        if !has_other_output(&&*difference) {
            return true;
        }
        let fault = faults.next().expect("each outcome is judged");
        if let Some(fault) = &fault {
            difference.how = fault.how;
        }
        fault.is_some()
    });
}

/// The failure of a checker, with the case on which it failed.
fn on(case: &Case, mut failure: Failure) -> Failure {
    const MOST: usize = 300;
    if failure.kind == FailureKind::Course {
        let input = shortened(&String::from_utf8_lossy(input(case)), MOST);
        let lines: Vec<_> = input.lines().map(printable).collect();
        let args = format!(" {}", command_line(&case.args));
        for problem in &mut failure.problems {
            problem.message.extend(["\non this case:", args.trim_end(), "\n", &lines.join("\n")]);
        }
    }
    failure
}

/// The test's file, which a program reads from standard input or by name.
pub(super) fn input(case: &Case) -> &[u8] {
    case.files.values().next().unwrap_or(&case.input)
}

/// The first flaw in the standard output or in a file. A file that only one of both has is compared with an empty one.
fn in_any_output(
    reference: &Outcome,
    outcome: &Outcome,
    flaw: impl Fn(&[u8], &[u8]) -> Option<Flaw>,
) -> Option<Flaw> {
    flaw(&reference.stdout, &outcome.stdout).or_else(|| {
        let names = reference.files.keys().chain(outcome.files.keys());
        names.into_iter().find_map(|name| {
            let file = |of: &Outcome| of.files.get(name).cloned().unwrap_or_default();
            let found = flaw(&file(reference), &file(outcome))?;
            Some(Flaw { message: format!("{} in the file {name}", found.message), ..found })
        })
    })
}
