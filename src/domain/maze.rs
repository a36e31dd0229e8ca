//! The inputs of the two maze assignments: a maze to solve, and what a maze is to be made from.

use super::{Domain, Limit, Limits, Oversize};

pub(super) struct Solver;
pub(super) struct Generator;

impl Domain for Solver {
    fn name(&self) -> &'static str {
        "maze-solver"
    }

    fn limits(&self) -> &'static [Limit] {
        &[Limit { name: "rows", default: 300 }, Limit { name: "columns", default: 300 }]
    }

    fn check(&self, _input: &[u8], _limits: &Limits) -> Result<(), Oversize> {
        Ok(())
    }
}

impl Domain for Generator {
    fn name(&self) -> &'static str {
        "maze-generator"
    }

    fn limits(&self) -> &'static [Limit] {
        &[Limit { name: "rooms", default: 70_000 }]
    }

    fn check(&self, _input: &[u8], _limits: &Limits) -> Result<(), Oversize> {
        Ok(())
    }
}
