//! A learning platform, right or hostile. It is another party than the server: it checks what the server sends.

use super::http::{self, Answer, Request};
use jsonwebtoken::jwk::JwkSet;
use jsonwebtoken::{Algorithm, DecodingKey, Validation, decode};
use serde_json::{Map, Value, json};
use std::collections::{BTreeMap, HashMap, HashSet};
use std::sync::{Arc, Mutex};

/// The name that it gave the server.
pub(crate) const CLIENT: &str = "10000000000042";

pub(crate) const LEARNER: &str = "http://purl.imsglobal.org/vocab/lis/v2/membership#Learner";
pub(crate) const TEACHER: &str = "http://purl.imsglobal.org/vocab/lis/v2/membership#Instructor";

/// The full name of a claim.
pub(crate) fn claim(name: &str) -> String {
    format!("https://purl.imsglobal.org/spec/lti/claim/{name}")
}

#[derive(Clone)]
pub(crate) struct Platform {
    pub(crate) issuer: String,
    state: Arc<Mutex<State>>,
}

#[derive(Default)]
struct State {
    /// Where the server publishes its keys.
    tool: String,
    /// The ids of the requests for tokens that came.
    requests: HashSet<String>,
    /// The scopes of the tokens that it gave.
    tokens: BTreeMap<String, String>,
    /// How many seconds a token holds.
    holds: u64,
    /// The name of the key that it publishes.
    key: String,
    /// Who is in its course, page by page.
    members: Vec<Vec<Value>>,
    /// Where a page of members says that the next one is, instead of where it is.
    next: Option<String>,
}

impl Platform {
    pub(crate) fn start() -> Self {
        let state = State { holds: 3_600, key: "first".to_owned(), ..State::default() };
        let make = |issuer| Self { issuer, state: Arc::new(Mutex::new(state)) };
        http::serve(make, |platform, request| Some(platform.answer(request)))
    }

    /// The `serve.yaml` of a server that knows it, with more settings of the platform.
    pub(crate) fn settings(&self, more: &str) -> String {
        let issuer = &self.issuer;
        format!(
            "platforms:\n  lms: {{ issuer: \"{issuer}\", client: \"{CLIENT}\", deployments: [one], login: \"{issuer}/login\", \
            token: \"{issuer}/token\", keys: \"{issuer}/keys\"{more} }}\n"
        )
    }

    /// It learns where the server is.
    pub(crate) fn knows(&self, url: &str) {
        self.state.lock().unwrap().tool = format!("{url}/lti/keys");
    }

    pub(crate) fn give_tokens_for(&self, seconds: u64) {
        self.state.lock().unwrap().holds = seconds;
    }

    pub(crate) fn change_key(&self, name: &str) {
        name.clone_into(&mut self.state.lock().unwrap().key);
    }

    /// How many tokens it gave.
    pub(crate) fn tokens(&self) -> usize {
        self.state.lock().unwrap().tokens.len()
    }

    pub(crate) fn has_members(&self, pages: Vec<Vec<Value>>, next: Option<&str>) {
        let mut state = self.state.lock().unwrap();
        (state.members, state.next) = (pages, next.map(str::to_owned));
    }

    /// What a right launch of a link says. `asked` is what the server asked for when it sent the browser.
    pub(crate) fn claims(&self, asked: &HashMap<String, String>, who: &str, role: &str) -> Value {
        let now = std::time::SystemTime::now().duration_since(std::time::UNIX_EPOCH).unwrap();
        let (now, issuer) = (now.as_secs(), &self.issuer);
        json!({ "iss": issuer, "aud": asked["client_id"], "sub": format!("id of {who}"), "iat": now, "exp": now + 300,
            "nonce": asked["nonce"], "email": format!("{who}@example.edu"),
            claim("message_type"): "LtiResourceLinkRequest", claim("version"): "1.3.0", claim("deployment_id"): "one",
            claim("roles"): [role], claim("context"): { "id": "c1", "title": "Sums there" },
            claim("resource_link"): { "id": "l1", "title": "A link", "description": null }, claim("custom"): { "assignment": "sum" },
            "https://purl.imsglobal.org/spec/lti-ags/claim/endpoint": { "lineitems": format!("{issuer}/items"),
                "lineitem": format!("{issuer}/items/1"), "scope": ["https://purl.imsglobal.org/spec/lti-ags/scope/score"] },
            "https://purl.imsglobal.org/spec/lti-nrps/claim/namesroleservice": {
                "context_memberships_url": format!("{issuer}/members/0") } })
    }

    /// What a right launch says in which somebody chooses assignments.
    pub(crate) fn choice(&self, asked: &HashMap<String, String>, who: &str, role: &str) -> Value {
        let mut claims = self.claims(asked, who, role);
        claims.as_object_mut().unwrap().remove(&claim("resource_link"));
        claims[claim("message_type")] = json!("LtiDeepLinkingRequest");
        claims["https://purl.imsglobal.org/spec/lti-dl/claim/deep_linking_settings"] = json!({
            "deep_link_return_url": format!("{}/return?to=1", self.issuer), "accept_multiple": true,
            "accept_types": ["ltiResourceLink"], "data": "of the platform" });
        claims
    }

    /// A token with these claims, signed with its key.
    pub(crate) fn signed(&self, claims: &Value) -> String {
        let key = self.state.lock().unwrap().key.clone();
        http::signed(claims, key)
    }

    fn answer(&self, request: &Request) -> Answer {
        match request.target.as_str() {
            "/keys" => http::published(self.state.lock().unwrap().key.clone()),
            "/token" => self.token(&request.form()),
            path if path.starts_with("/members/") => self.members(path, request),
            _ => Answer::new(404, json!({})),
        }
    }

    fn members(&self, path: &str, request: &Request) -> Answer {
        let state = self.state.lock().unwrap();
        let token = request.header("authorization").strip_prefix("Bearer ").unwrap_or_default();
        let scope = "https://purl.imsglobal.org/spec/lti-nrps/scope/contextmembership.readonly";
        if state.tokens.get(token).is_none_or(|it| it != scope) {
            return Answer::new(401, json!({}));
        }
        let at: usize = path.rsplit('/').next().unwrap().parse().unwrap();
        let own = format!("{}/members/{}", self.issuer, at + 1);
        let next = state.next.as_ref().unwrap_or(&own);
        let mut link = format!("<{}/members/0>; rel=\"first\"", self.issuer);
        if at + 1 < state.members.len() {
            link.extend([", <", next, ">; rel=\"next\""]);
        }
        let body =
            json!({ "id": "members", "context": { "id": "c1" }, "members": state.members[at] });
        Answer::new(200, body).with("link", &link)
    }

    fn token(&self, form: &HashMap<String, String>) -> Answer {
        let refused = |why: &str| Answer::new(400, json!({ "error": why }));
        let kind = "urn:ietf:params:oauth:client-assertion-type:jwt-bearer";
        if form["grant_type"] != "client_credentials" || form["client_assertion_type"] != kind {
            return refused("unsupported_grant_type");
        }
        let tool = self.state.lock().unwrap().tool.clone();
        let keys = ureq::get(tool).call().unwrap().into_body().read_to_string().unwrap();
        assert!(!keys.contains("\"d\""), "a private key is public");
        let keys: JwkSet = serde_json::from_str(&keys).unwrap();
        let assertion = &form["client_assertion"];
        let kid = jsonwebtoken::decode_header(assertion).unwrap().kid.unwrap();
        let mut rules = Validation::new(Algorithm::RS256);
        rules.set_audience(&[format!("{}/token", self.issuer)]);
        rules.set_issuer(&[CLIENT]);
        rules.set_required_spec_claims(&["exp", "iss", "aud", "sub"]);
        let key = DecodingKey::from_jwk(keys.find(&kid).unwrap()).unwrap();
        let Ok(read) = decode::<Map<String, Value>>(assertion, &key, &rules) else {
            return refused("invalid_client");
        };
        let mut state = self.state.lock().unwrap();
        if !state.requests.insert(read.claims["jti"].to_string()) {
            return refused("invalid_client");
        }
        let token = server::secret::random();
        state.tokens.insert(token.clone(), form["scope"].clone());
        let holds = state.holds;
        let given = json!({ "access_token": token, "token_type": "Bearer", "expires_in": holds });
        Answer::new(200, given)
    }
}
