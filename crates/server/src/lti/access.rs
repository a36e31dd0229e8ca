//! Tokens for the services of a platform: RFC 6749, section 4.4, with a signed request (RFC 7523), as the IMS Security Framework 1.0,
//! section 4.1, asks for.

use super::{Outside, key};
use crate::database::Database;
use crate::rules::Platform;
use crate::secret;
use crate::sso::Trouble;
use crate::sso::outside::{agent, answered, blocking};
use serde::Deserialize;
use serde_json::json;
use std::collections::BTreeMap;
use std::sync::{Mutex, PoisonError};
use std::time::{Duration, Instant};

/// How long before its end a token is not used any more.
const SPARE: Duration = Duration::from_mins(1);

/// How long a request for a token holds, in seconds.
const HOLDS: i64 = 300;

/// A token with the moment at which another one is asked for.
type Token = (String, Instant);

/// The tokens, by the address that gave them, the name of this server there, and what they are for.
pub(super) type Tokens = Mutex<BTreeMap<[String; 3], Token>>;

/// What a platform answers.
#[derive(Deserialize)]
struct Given {
    access_token: String,
    /// In seconds.
    #[serde(default)]
    expires_in: u64,
}

impl Outside {
    /// A token for a platform's services. `scope` says which, separated by spaces.
    ///
    /// # Errors
    /// If the platform does not answer, or gives none.
    pub async fn token(
        &self,
        database: &Database,
        platform: &Platform,
        scope: &str,
    ) -> Result<String, Trouble> {
        let place = [&platform.token, &platform.client, scope].map(ToString::to_string);
        let known = self.tokens.lock().unwrap_or_else(PoisonError::into_inner).get(&place).cloned();
        if let Some((token, _)) = known.filter(|(_, until)| Instant::now() < *until) {
            return Ok(token);
        }
        let assertion = assertion(database, platform).await?;
        let (address, form) = (platform.token.clone(), form(&assertion, scope));
        let asked = Instant::now();
        let given: Given =
            blocking(move || answered(agent().post(&address).send_form(form))).await?;
        let until = asked + Duration::from_secs(given.expires_in).saturating_sub(SPARE);
        let mut tokens = self.tokens.lock().unwrap_or_else(PoisonError::into_inner);
        tokens.insert(place, (given.access_token.clone(), until));
        Ok(given.access_token)
    }

    /// Forgets the tokens of a platform, because it refused one before its end.
    pub fn forget_tokens(&self, platform: &Platform) {
        let mut tokens = self.tokens.lock().unwrap_or_else(PoisonError::into_inner);
        tokens.retain(|[address, client, _], _| {
            *address != platform.token || *client != platform.client
        });
    }
}

/// What shows the platform who asks.
async fn assertion(database: &Database, platform: &Platform) -> Result<String, Trouble> {
    let signer = key::current(database).await?;
    let now = database.read(|connection| Ok(connection.now()? / 1_000)).await?;
    let claims = json!({
        "iss": platform.client, "sub": platform.client, "aud": platform.audience(),
        "iat": now, "exp": now + HOLDS, "jti": secret::random(),
    });
    Ok(signer.signed(&claims)?)
}

fn form(assertion: &str, scope: &str) -> [(&'static str, String); 4] {
    let kind = "urn:ietf:params:oauth:client-assertion-type:jwt-bearer";
    [
        ("grant_type", "client_credentials".to_owned()),
        ("client_assertion_type", kind.to_owned()),
        ("client_assertion", assertion.to_owned()),
        ("scope", scope.to_owned()),
    ]
}
