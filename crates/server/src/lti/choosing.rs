//! Choosing assignments to link to: Deep Linking 2.0. The platform shows the choice in a frame, where a browser may hold no cookie. So the
//! page carries who chooses and where the choice goes, signed by this server.

use super::{Context, VERSION, key, launch::Settings};
use crate::database::Database;
use crate::people::Person;
use crate::rules::Platform;
use crate::sso::Trouble;
use crate::sso::token::{Expected, claims, key as key_of};
use serde::{Deserialize, Serialize};
use serde_json::{Value, json};

/// How long somebody may choose, in seconds.
const PATIENCE: i64 = 3_600;

/// A choice that is being made.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub struct Choosing {
    pub platform: String,
    deployment: String,
    /// Where it goes.
    pub address: String,
    pub many: bool,
    data: Option<String>,
    /// Who chooses.
    pub person: i64,
}

/// An assignment that was chosen.
#[derive(Clone, Debug)]
pub struct Chosen {
    pub id: String,
    pub title: String,
    /// When it opens and is due, as RFC 3339 says.
    pub opens: Option<String>,
    pub due: Option<String>,
    pub max_points: f64,
}

#[derive(Serialize, Deserialize)]
struct Page {
    iss: String,
    aud: String,
    sub: String,
    nonce: String,
    exp: i64,
    choosing: Choosing,
}

/// What makes these tokens differ from all others.
const NONCE: &str = "a choice of assignments";

impl Choosing {
    pub fn new(context: &Context, settings: Settings, person: &Person) -> Self {
        Self {
            platform: context.platform.clone(),
            deployment: context.deployment.clone(),
            address: settings.deep_link_return_url,
            many: settings.accept_multiple,
            data: settings.data,
            person: person.id,
        }
    }

    /// What the page carries. `url` is what browsers call this server.
    ///
    /// # Errors
    /// If the database fails.
    pub async fn carried(&self, database: &Database, url: &str) -> Result<String, Trouble> {
        let signer = key::current(database).await?;
        let exp = now(database).await? + PATIENCE;
        let (iss, aud) = (url.to_owned(), url.to_owned());
        let sub = self.person.to_string();
        let page = Page { iss, aud, sub, nonce: NONCE.to_owned(), exp, choosing: self.clone() };
        Ok(signer.signed(&page)?)
    }

    /// What a page carried.
    ///
    /// # Errors
    /// If this server did not sign it, or it was long ago.
    pub async fn read(database: &Database, url: &str, carried: &str) -> Result<Self, Trouble> {
        let keys = database.read(key::all).await?;
        let by = key_of(carried, &keys)?.ok_or_else(|| Trouble::refused("an unknown key"))?;
        let expected = Expected { issuer: url, client: url, nonce: NONCE };
        let claims = claims(carried, by, &expected)?;
        let page: Page = serde_json::from_value(Value::Object(claims))
            .map_err(|it| Trouble::Refused(it.to_string()))?;
        Ok(page.choosing)
    }

    /// The answer for the platform.
    ///
    /// # Errors
    /// If the database fails.
    pub async fn answer(
        &self,
        database: &Database,
        platform: &Platform,
        url: &str,
        chosen: &[Chosen],
    ) -> Result<String, Trouble> {
        let signer = key::current(database).await?;
        let now = now(database).await?;
        let items: Vec<_> = chosen.iter().map(|it| it.item(url)).collect();
        let mut answer = json!({
            "iss": platform.client, "aud": platform.issuer, "azp": platform.issuer,
            "iat": now, "exp": now + 300, "nonce": crate::secret::random(),
            "https://purl.imsglobal.org/spec/lti/claim/message_type": "LtiDeepLinkingResponse",
            "https://purl.imsglobal.org/spec/lti/claim/version": VERSION,
            "https://purl.imsglobal.org/spec/lti/claim/deployment_id": self.deployment,
            "https://purl.imsglobal.org/spec/lti-dl/claim/content_items": items,
        });
        if let Some(data) = &self.data {
            answer["https://purl.imsglobal.org/spec/lti-dl/claim/data"] = json!(data);
        }
        Ok(signer.signed(&answer)?)
    }
}

impl Chosen {
    /// A link with a column of grades.
    fn item(&self, url: &str) -> Value {
        let mut item = json!({
            "type": "ltiResourceLink", "title": self.title, "url": format!("{url}/lti/launch"),
            "custom": { "assignment": self.id }, "window": { "targetName": "_blank" },
            "lineItem": { "label": self.title, "scoreMaximum": self.max_points, "resourceId": self.id },
        });
        if let Some(opens) = &self.opens {
            item["available"] = json!({ "startDateTime": opens });
        }
        if let Some(due) = &self.due {
            item["submission"] = json!({ "endDateTime": due });
        }
        item
    }
}

async fn now(database: &Database) -> Result<i64, Trouble> {
    Ok(database.read(|connection| Ok(connection.now()? / 1_000)).await?)
}
