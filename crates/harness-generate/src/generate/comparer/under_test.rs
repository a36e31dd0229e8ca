//! A program that is compared with the reference, and what it gets of a draft.

use super::Comparer;
use crate::domain::{Draft, Generator, Steps, TestRules};
use crate::run::build::Runnable;
use crate::run::process;
use crate::suite::decode;
use std::collections::HashSet;
use subject::Case;

/// A program to compare with the reference, and how to run it.
pub struct UnderTest {
    /// The words that name it on the command line.
    pub words: Vec<String>,
    pub program: Runnable,
    /// The rules for its tests: those of the course, or narrower ones.
    pub tests: TestRules,
    /// The only columns and rows of its tests.
    pub fixed_size: Option<(usize, usize)>,
    pub limits: process::ProcessLimits,
    /// Whether it gets only the arguments that the assignment's document defines.
    pub document_args: bool,
}

impl UnderTest {
    /// `draft` in the size of the program's tests; `None` if it is larger.
    pub fn fit(&self, generator: &dyn Generator, draft: &Draft) -> Option<Draft> {
        match self.fixed_size {
            None => Some(draft.clone()),
            Some((columns, rows)) => generator.resized(draft, columns, rows),
        }
    }
}

impl Comparer<'_> {
    /// The tests of the program that are one step smaller or simpler than `draft`. Only the first of them, if they need much memory or
    /// time runs out.
    pub fn smaller(&self, draft: &Draft) -> Vec<Draft> {
        const MOST_BYTES: usize = 1 << 24;
        let steps = self.generator.steps(draft);
        let most = MOST_BYTES / draft.input.len().max(1);
        let mut seen = HashSet::new();
        // A step of a large draft takes long.
        let numbers = (0..steps.count).take_while(|_| !self.out_of_time());
        let all = numbers.filter_map(|at| self.step(&steps, at));
        all.take(most.max(1)).filter(|step| seen.insert(step.clone())).collect()
    }

    /// The step with this number; `None` if it leads to no test of the program.
    pub fn step(&self, steps: &Steps<'_>, at: usize) -> Option<Draft> {
        let fits = |step: &Draft| {
            let fit = self.under_test.fit(self.generator, step);
            fit.as_ref() == Some(step)
        };
        (steps.make)(at).filter(fits)
    }

    /// The case of `draft` as the program gets it.
    pub fn given_case(&self, draft: &Draft) -> Case {
        self.given(&self.case(draft))
    }

    pub(super) fn case(&self, draft: &Draft) -> Case {
        decode::case_of_draft(self.assignment, draft)
    }

    /// The arguments that the program gets on `draft`.
    pub fn args(&self, draft: &Draft) -> Vec<String> {
        self.args_of(&self.case(draft))
    }

    pub(super) fn args_of(&self, case: &Case) -> Vec<String> {
        if self.under_test.document_args {
            self.assignment.domain.document_args(case)
        } else {
            case.args.clone()
        }
    }

    /// The case as the program gets it.
    pub(super) fn given(&self, case: &Case) -> Case {
        Case { args: self.args_of(case), ..case.clone() }
    }
}
