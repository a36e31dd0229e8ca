//! `sign_in:` of `serve.yaml`: who besides this server says who somebody is.

use crate::rules::is_safe;
use harness::diagnostic::Problem;
use serde::Deserialize;
use std::path::PathBuf;

/// Who besides this server says who somebody is.
#[derive(Clone, Debug, Default, Deserialize)]
#[serde(default, deny_unknown_fields)]
pub struct SignIn {
    /// A provider of OpenID Connect.
    pub oidc: Option<Oidc>,
    /// The header in which a proxy names the login of who signed in there: for SAML, or whatever the proxy speaks.
    pub header: Option<String>,
}

/// A provider of OpenID Connect, and what it knows this server by.
#[derive(Clone, Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Oidc {
    /// Its address, as it writes it in its tokens.
    pub issuer: String,
    /// The name that it gave this server.
    pub client: String,
    /// The file with the secret that it gave this server, relative to the folder of `serve.yaml`.
    pub secret_file: PathBuf,
    /// The claim that holds the login.
    #[serde(default = "Oidc::usual_claim")]
    pub claim: String,
    /// What is cut from the end of the claim: with `example.edu`, `ann@example.edu` is `ann`, and people of other domains are nobody.
    pub domain: Option<String>,
    /// What is asked for.
    #[serde(default = "Oidc::usual_scopes")]
    pub scopes: Vec<String>,
    /// What people call it.
    #[serde(default = "Oidc::usual_name")]
    pub name: String,
}

impl Oidc {
    fn usual_claim() -> String {
        "preferred_username".to_owned()
    }

    fn usual_scopes() -> Vec<String> {
        ["openid", "profile", "email"].map(str::to_owned).to_vec()
    }

    fn usual_name() -> String {
        "your university".to_owned()
    }
}

impl SignIn {
    /// # Errors
    /// If it would let anybody be anybody.
    pub(super) fn check(&self, is_behind_proxy: bool) -> Result<(), Problem> {
        if self.header.is_some() && !is_behind_proxy {
            let problem = Problem::new("`sign_in: header:` needs `proxy: true`");
            return Err(problem.hint("without a proxy, anybody could send the header"));
        }
        let Some(oidc) = &self.oidc else { return Ok(()) };
        if !is_safe(&oidc.issuer) {
            let message = format!("the `issuer` {} is not encrypted", oidc.issuer);
            return Err(Problem::new(message).hint("write it as https://login.example.edu"));
        }
        if !oidc.scopes.iter().any(|it| it == "openid") {
            let problem =
                Problem::new("`scopes` lack `openid`, so the provider would give no token");
            return Err(problem.hint("write `scopes: [openid, profile, email]`"));
        }
        Ok(())
    }
}
