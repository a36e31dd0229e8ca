//! The domain of programs whose inputs the harness does not know. It accepts any bytes.

use super::{Domain, InputLimits, Limit, LimitExceeded};

pub(super) struct Text;

impl Domain for Text {
    fn name(&self) -> &'static str {
        "text"
    }

    fn limits(&self) -> Vec<Limit<'_>> {
        vec![]
    }

    fn check(&self, _input: &[u8], _limits: &InputLimits) -> Result<(), LimitExceeded> {
        Ok(())
    }
}
