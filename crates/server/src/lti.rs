//! Learning platforms: Canvas, Moodle, Blackboard and others that speak LTI 1.3. A platform says who somebody is, which of its links somebody
//! followed and who is in its course, and takes grades.

mod access;
pub mod key;

use crate::database::Fault;
use crate::sso::Trouble;

/// What is known of the platforms, such as what they gave to get in.
#[derive(Debug, Default)]
pub struct Outside {
    tokens: access::Tokens,
}

impl From<Fault> for Trouble {
    fn from(fault: Fault) -> Self {
        Self::Away(fault.to_string())
    }
}
