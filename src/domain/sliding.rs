//! The inputs of `sliding`: boards: a grid, and pieces that slide on it.

use super::{Domain, Limit, Limits, Oversize};

pub(super) struct Sliding;

impl Domain for Sliding {
    fn name(&self) -> &'static str {
        "sliding"
    }

    fn limits(&self) -> &'static [Limit] {
        &[Limit { name: "rows", default: 8 }, Limit { name: "columns", default: 8 }, Limit { name: "pieces", default: 20 }]
    }

    fn check(&self, _input: &[u8], _limits: &Limits) -> Result<(), Oversize> {
        Ok(())
    }
}
