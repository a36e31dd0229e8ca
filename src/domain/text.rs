//! The domain of programs that the harness knows nothing about: any bytes are an input.

use super::{Domain, Limit, Limits, Oversize};

pub(super) struct Text;

impl Domain for Text {
    fn name(&self) -> &'static str {
        "text"
    }

    fn limits(&self) -> &'static [Limit] {
        &[]
    }

    fn check(&self, _input: &[u8], _limits: &Limits) -> Result<(), Oversize> {
        Ok(())
    }
}
