//! What a platform says at a launch: LTI 1.3, section 5, and Deep Linking 2.0, section 4.4.

use super::VERSION;
use crate::rules::{Claim, Platform, is_safe};
use crate::sso::Trouble;
use crate::sso::token::within;
use serde::Deserialize;
use serde_json::{Map, Value};

/// The roles of who teaches the course from which the launch comes. Those that somebody has elsewhere on the platform say nothing here.
const TEACHERS: [&str; 4] = [
    "http://purl.imsglobal.org/vocab/lis/v2/membership#Instructor",
    "http://purl.imsglobal.org/vocab/lis/v2/membership#Administrator",
    "http://purl.imsglobal.org/vocab/lis/v2/membership/Instructor#TeachingAssistant",
    "Instructor",
];

/// What a platform says.
#[derive(Clone, Debug)]
pub struct Launch {
    pub deployment: String,
    pub subject: String,
    /// What the settings call the login. None if the platform does not say it.
    pub login: Option<String>,
    /// Whether somebody teaches the course there.
    pub teaches: bool,
    pub context: Context,
    pub what: What,
    /// Until when the token holds, in seconds.
    pub until: i64,
    /// The addresses of grades there.
    pub grades: Grades,
    /// Where the members are listed.
    pub memberships: Option<String>,
}

/// What the launch is for.
#[derive(Clone, Debug)]
pub enum What {
    /// Somebody follows a link, which may name its assignment.
    Link { id: String, title: String, assignment: Option<String> },
    /// Somebody chooses what to link to.
    Choice(Settings),
}

/// A course on the platform.
#[derive(Clone, Debug, Default, Deserialize)]
pub struct Context {
    pub id: String,
    #[serde(default)]
    pub label: String,
    #[serde(default)]
    pub title: String,
}

/// The addresses of grades.
#[derive(Clone, Debug, Default, Deserialize)]
pub struct Grades {
    pub lineitem: Option<String>,
    pub lineitems: Option<String>,
    #[serde(default)]
    pub scope: Vec<String>,
}

/// Where the choice goes.
#[derive(Clone, Debug, Default, Deserialize)]
pub struct Settings {
    pub deep_link_return_url: String,
    #[serde(default)]
    pub accept_multiple: bool,
    pub data: Option<String>,
    #[serde(default)]
    pub accept_types: Vec<String>,
}

/// The claims as they are.
#[derive(Deserialize)]
struct Claims {
    sub: String,
    exp: f64,
    email: Option<String>,
    email_verified: Option<bool>,
    #[serde(rename = "https://purl.imsglobal.org/spec/lti/claim/message_type")]
    kind: String,
    #[serde(rename = "https://purl.imsglobal.org/spec/lti/claim/version")]
    version: String,
    #[serde(rename = "https://purl.imsglobal.org/spec/lti/claim/deployment_id")]
    deployment: String,
    #[serde(rename = "https://purl.imsglobal.org/spec/lti/claim/roles", default)]
    roles: Vec<String>,
    #[serde(rename = "https://purl.imsglobal.org/spec/lti/claim/context")]
    context: Context,
    #[serde(rename = "https://purl.imsglobal.org/spec/lti/claim/resource_link")]
    link: Option<Context>,
    #[serde(rename = "https://purl.imsglobal.org/spec/lti/claim/custom", default)]
    custom: Map<String, Value>,
    #[serde(rename = "https://purl.imsglobal.org/spec/lti/claim/lis", default)]
    lis: Map<String, Value>,
    #[serde(rename = "https://purl.imsglobal.org/spec/lti/claim/ext", default)]
    ext: Map<String, Value>,
    #[serde(rename = "https://purl.imsglobal.org/spec/lti-ags/claim/endpoint", default)]
    grades: Grades,
    #[serde(rename = "https://purl.imsglobal.org/spec/lti-nrps/claim/namesroleservice", default)]
    members: Map<String, Value>,
    #[serde(rename = "https://purl.imsglobal.org/spec/lti-dl/claim/deep_linking_settings")]
    choice: Option<Settings>,
}

impl Launch {
    /// What the claims of a token say, if they are a message of this version from a known place.
    pub(super) fn of(claims: Map<String, Value>, platform: &Platform) -> Result<Self, Trouble> {
        let wrong = |what: String| Trouble::Refused(format!("the launch: {what}"));
        let claims = without_nulls(Value::Object(claims));
        let claims: Claims = serde_json::from_value(claims).map_err(|it| wrong(it.to_string()))?;
        if claims.version != VERSION {
            return Err(wrong(format!("version {}", claims.version)));
        }
        if !platform.deployments.contains(&claims.deployment) {
            return Err(wrong(format!("the deployment `{}` is not known", claims.deployment)));
        }
        let what = what(&claims).map_err(wrong)?;
        Ok(Self {
            login: login(&claims, platform),
            teaches: teaches(&claims.roles),
            deployment: claims.deployment,
            subject: claims.sub,
            context: claims.context,
            what,
            until: claims.exp as i64,
            memberships: text(&claims.members, "context_memberships_url"),
            grades: claims.grades,
        })
    }
}

/// The same without what is null, which Canvas writes for what it does not know.
pub(super) fn without_nulls(value: Value) -> Value {
    match value {
        Value::Object(all) => {
            let known = all.into_iter().filter(|(_, it)| !it.is_null());
            Value::Object(known.map(|(name, it)| (name, without_nulls(it))).collect())
        }
        Value::Array(all) => Value::Array(all.into_iter().map(without_nulls).collect()),
        other => other,
    }
}

/// Whether one of the roles is of who teaches.
pub(super) fn teaches(roles: &[String]) -> bool {
    roles.iter().any(|role| TEACHERS.contains(&role.as_str()))
}

fn what(claims: &Claims) -> Result<What, String> {
    match (claims.kind.as_str(), &claims.link, &claims.choice) {
        ("LtiResourceLinkRequest", Some(link), _) => Ok(What::Link {
            id: link.id.clone(),
            title: link.title.clone(),
            assignment: text(&claims.custom, "assignment"),
        }),
        ("LtiDeepLinkingRequest", _, Some(choice)) => {
            if !is_safe(&choice.deep_link_return_url) {
                return Err("the choice would go back unencrypted".to_owned());
            }
            if !choice.accept_types.iter().any(|it| it == "ltiResourceLink") {
                return Err("it takes no links".to_owned());
            }
            Ok(What::Choice(choice.clone()))
        }
        (kind, ..) => Err(format!("the message `{kind}` is not whole, or not known")),
    }
}

fn text(of: &Map<String, Value>, name: &str) -> Option<String> {
    of.get(name).and_then(Value::as_str).map(str::to_owned)
}

/// What the settings call the login.
fn login(claims: &Claims, platform: &Platform) -> Option<String> {
    let named = match platform.claim {
        // Whoever may type any address there could be anybody.
        Claim::Email if claims.email_verified == Some(false) => None,
        Claim::Email => claims.email.clone(),
        Claim::Sourcedid => text(&claims.lis, "person_sourcedid"),
        Claim::Username => text(&claims.ext, "user_username"),
    };
    within(&named?, platform.domain.as_deref()).filter(|it| !it.is_empty())
}
