//! Single sign-on: who somebody is, as a provider of OpenID Connect says.
//!
//! The authorization code flow of OpenID Connect Core 1.0, section 3.1, with PKCE (RFC 7636), and the issuer in the answer (RFC 9207).

mod flow;
mod kept;
pub mod outside;
mod provider;
pub mod token;

pub use flow::{COOKIE, Flow};
pub use kept::Kept;
pub use provider::Provider;

/// Why nobody is signed in.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Trouble {
    /// The provider does not answer, or not as it should. Trying again may help.
    Away(String),
    /// What came is not what a right provider sends for this browser.
    Refused(String),
}

impl Trouble {
    pub(crate) fn refused(why: impl Into<String>) -> Self {
        Self::Refused(why.into())
    }
}
