//! Learning platforms: Canvas, Moodle, Blackboard and others that speak LTI 1.3. A platform says who somebody is, which of its links
//! somebody followed and who is in its course, and takes grades.
//!
//! Nothing is shown to or sent to a course of a platform that staff did not connect: whoever teaches any course there can make links to
//! this server.

mod access;
mod attempt;
pub mod choosing;
pub mod contexts;
pub mod key;
pub mod launch;
pub mod members;
pub mod subjects;

pub use attempt::{Attempt, COOKIE};
pub use contexts::Context;
pub use launch::Launch;

use crate::database::Fault;
use crate::rules::Platform;
use crate::sso::outside::{agent, answered};
use crate::sso::{Kept, Trouble};
use jsonwebtoken::jwk::JwkSet;
use std::collections::BTreeMap;
use std::sync::{Arc, Mutex, PoisonError};

/// The version that is spoken.
const VERSION: &str = "1.3.0";

/// What is known of the platforms: their keys, and what they gave to get in.
#[derive(Debug, Default)]
pub struct Outside {
    /// The keys of platforms, by their address.
    keys: Mutex<BTreeMap<String, Arc<Kept<JwkSet>>>>,
    tokens: access::Tokens,
}

impl Outside {
    /// What a platform says, if it says so for this attempt.
    ///
    /// # Errors
    /// If the platform does not answer, or did not sign what came.
    pub async fn launch(
        &self,
        platform: &Platform,
        attempt: &Attempt,
        id_token: &str,
    ) -> Result<Launch, Trouble> {
        use crate::sso::token::{Expected, claims, key, newer_key};
        let kept = {
            let mut all = self.keys.lock().unwrap_or_else(PoisonError::into_inner);
            all.entry(platform.keys.clone()).or_default().clone()
        };
        let read = |address: String| move || answered(agent().get(address).call());
        let known = kept.get(read(platform.keys.clone())).await?;
        let by = match key(id_token, &known)? {
            Some(key) => key.clone(),
            None => {
                newer_key(id_token, kept.get_again(read(platform.keys.clone())).await?.as_ref())?
            }
        };
        let nonce = attempt.nonce();
        let expected =
            Expected { issuer: &platform.issuer, client: &platform.client, nonce: &nonce };
        Launch::of(claims(id_token, &by, &expected)?, platform)
    }
}

impl From<Fault> for Trouble {
    fn from(fault: Fault) -> Self {
        Self::Away(fault.to_string())
    }
}
