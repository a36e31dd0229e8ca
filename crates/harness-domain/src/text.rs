//! The domain of programs whose inputs the harness does not know. It accepts any bytes, but no broken command line.

use super::{CaseRules, Domain, InputLimits, Limit, LimitExceeded};
use std::collections::BTreeMap;
use subject::{Case, Outcome};

#[derive(Default)]
pub(super) struct Text {
    pub(super) case: CaseRules,
}

impl Domain for Text {
    fn name(&self) -> &'static str {
        "text"
    }

    fn limits(&self) -> Vec<Limit<'_>> {
        vec![]
    }

    fn check(&self, input: &[u8], _limits: &InputLimits) -> Result<(), LimitExceeded> {
        self.case.flaw(input).map_or(Ok(()), Err)
    }

    fn case(&self, options: Vec<String>, parameters: &[u32], input: Vec<u8>) -> Case {
        self.case.case(&options, parameters, &BTreeMap::new(), input)
    }

    fn case_with(&self, args: Vec<String>, input: Vec<u8>) -> Case {
        self.case.case_with(args, input)
    }

    fn answer<'a>(&self, outcome: &'a Outcome) -> &'a [u8] {
        self.case.in_outcome(outcome)
    }

    fn outcome(&self, reference: &Outcome, answer: Vec<u8>) -> Outcome {
        self.case.outcome(reference, answer)
    }
}
