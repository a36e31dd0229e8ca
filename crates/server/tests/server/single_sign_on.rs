//! Single sign-on, at a provider that may be hostile, and by a proxy.

use super::support::program::{run, serve};
use super::support::provider::{Asked, Provider};
use super::support::site::{Answer, Browser, Site, status_of};
use super::support::{site_on_both, sums};
use base64::Engine;
use base64::engine::general_purpose::URL_SAFE_NO_PAD;
use jsonwebtoken::{Algorithm, EncodingKey, Header, encode};
use serde_json::{Value, json};
use server::people::Role;

fn rules(provider: &Provider, more: &str) -> String {
    let issuer = &provider.issuer;
    format!(
        "sign_in:\n  oidc: {{ issuer: \"{issuer}\", client: harness, secret_file: secret{more} }}\n"
    )
}

/// A browser that was sent to the provider: what was asked there, and its cookie.
struct Sent {
    asked: Asked,
    cookie: String,
}

fn sent(site: &Site) -> Sent {
    let answer = site.nobody().get("/sign-in/sso");
    assert_eq!(answer.status, 303, "{}", answer.body);
    let cookie = answer.headers["set-cookie"].split(';').next().unwrap().to_owned();
    Sent { asked: Asked::of(&answer.headers["location"]), cookie }
}

impl Sent {
    /// It comes back.
    fn back(&self, site: &Site, query: &str) -> Answer {
        site.nobody().get_with(&format!("/sign-in/sso/return?{query}"), "cookie", &self.cookie)
    }

    fn back_with(&self, site: &Site, code: &str) -> Answer {
        self.back(site, &format!("code={code}&state={}", self.asked.0["state"]))
    }
}

/// What a browser is answered that comes back with this token.
fn with_token(site: &Site, provider: &Provider, token: impl Fn(&Asked) -> String) -> Answer {
    let sent = sent(site);
    let code = provider.code(&sent.asked, token(&sent.asked));
    sent.back_with(site, &code)
}

/// Whether an answer begins a session, and whose.
fn signed_in(site: &Site, answer: &Answer) -> Option<String> {
    let all = answer.headers.get("set-cookie")?;
    if !all.contains("__Host-session=") {
        return None;
    }
    let home: Browser = site.nobody().with_session_of(answer);
    let account = home.get("/account");
    ["ann", "bob"].into_iter().find(|it| account.body.contains(*it)).map(str::to_owned)
}

#[test]
fn who_is_in_the_course_signs_in_at_the_provider() {
    let provider = Provider::start();
    site_on_both(&rules(&provider, ", name: The University"), |site| {
        site.person("ann", Role::Student, "");
        let page = site.nobody().get("/sign-in");
        assert!(page.body.contains("Sign in at The University"), "{}", page.body);
        let sent = sent(site);
        let asked = &sent.asked.0;
        assert_eq!(asked["redirect_uri"], format!("{}/sign-in/sso/return", site.url));
        assert_eq!(
            (asked["code_challenge_method"].as_str(), asked["tenant"].as_str()),
            ("S256", "1")
        );
        let token = provider.signed(&provider.claims(&sent.asked, "ann"));
        let code = provider.code(&sent.asked, token);
        let answer = sent.back_with(site, &code);
        assert_eq!(signed_in(site, &answer).as_deref(), Some("ann"), "{answer:?}");
        let again = sent.back_with(site, &code);
        assert_eq!((again.status, signed_in(site, &again)), (422, None), "a code serves once");
        let answer =
            with_token(site, &provider, |asked| provider.signed(&provider.claims(asked, "eve")));
        assert_eq!(answer.status, 422);
        assert!(answer.body.contains("`eve` is not in this course"), "{}", answer.body);
    });
}

#[test]
fn a_token_that_is_not_for_this_sign_in_lets_nobody_in() {
    let provider = Provider::start();
    site_on_both(&rules(&provider, ""), |site| {
        site.person("ann", Role::Student, "");
        let changed = |name: &'static str, value: Value| {
            move |claims: &mut Value| claims[name] = value.clone()
        };
        let wrong: Vec<(&str, Box<dyn Fn(&mut Value)>)> = vec![
            ("another issuer", Box::new(changed("iss", json!("https://evil.example")))),
            ("another audience", Box::new(changed("aud", json!("other")))),
            ("several audiences", Box::new(changed("aud", json!(["harness", "other"])))),
            ("another party", Box::new(changed("azp", json!("other")))),
            ("another nonce", Box::new(changed("nonce", json!("other")))),
            ("no nonce", Box::new(changed("nonce", Value::Null))),
            ("expired", Box::new(changed("exp", json!(1_000_000_000)))),
            ("not yet", Box::new(changed("nbf", json!(99_999_999_999_u64)))),
            ("no login", Box::new(changed("preferred_username", Value::Null))),
            ("a number as login", Box::new(changed("preferred_username", json!(1)))),
        ];
        for (what, change) in wrong {
            let answer = with_token(site, &provider, |asked| {
                let mut claims = provider.claims(asked, "ann");
                change(&mut claims);
                provider.signed(&claims)
            });
            assert_eq!((answer.status, signed_in(site, &answer)), (422, None), "{what}");
        }
    });
}

#[test]
fn a_token_that_the_provider_did_not_sign_lets_nobody_in() {
    let provider = Provider::start();
    site_on_both(&rules(&provider, ""), |site| {
        site.person("ann", Role::Student, "");
        let part = |value: &Value| URL_SAFE_NO_PAD.encode(value.to_string());
        let parts = |token: &str| token.split('.').map(str::to_owned).collect::<Vec<_>>();
        let forged: Vec<(&str, Box<dyn Fn(&Asked) -> String>)> = vec![
            (
                "no algorithm",
                Box::new(|asked| {
                    let claims = provider.claims(asked, "ann");
                    format!("{}.{}.", part(&json!({ "alg": "none" })), part(&claims))
                }),
            ),
            (
                "the public key as a secret",
                Box::new(|asked| {
                    let header =
                        Header { kid: Some("first".to_owned()), ..Header::new(Algorithm::HS256) };
                    let key = ureq::get(format!("{}/keys", provider.issuer)).call().unwrap();
                    let key = key.into_body().read_to_string().unwrap();
                    encode(
                        &header,
                        &provider.claims(asked, "ann"),
                        &EncodingKey::from_secret(key.as_bytes()),
                    )
                    .unwrap()
                }),
            ),
            (
                "other claims",
                Box::new(|asked| {
                    let mut token = parts(&provider.signed(&provider.claims(asked, "bob")));
                    token[1] = part(&provider.claims(asked, "ann"));
                    token.join(".")
                }),
            ),
            (
                "a key of its own",
                Box::new(|asked| {
                    let mut token = parts(&provider.signed(&provider.claims(asked, "ann")));
                    token[0] = part(&json!({ "alg": "RS256", "kid": "mine" }));
                    token.join(".")
                }),
            ),
            ("no token", Box::new(|_| "a.b.c".to_owned())),
        ];
        for (what, token) in forged {
            let answer = with_token(site, &provider, token);
            assert_eq!((answer.status, signed_in(site, &answer)), (422, None), "{what}");
        }
    });
}

#[test]
fn only_the_browser_that_began_can_come_back() {
    let provider = Provider::start();
    site_on_both(&rules(&provider, ""), |site| {
        site.person("ann", Role::Student, "");
        let (one, other) = (sent(site), sent(site));
        let code = |sent: &Sent| {
            provider.code(&sent.asked, provider.signed(&provider.claims(&sent.asked, "ann")))
        };
        let state = &one.asked.0["state"];
        for (what, answer) in [
            (
                "the state of another browser",
                other.back(site, &format!("code={}&state={state}", code(&one))),
            ),
            ("the code of another browser", other.back_with(site, &code(&one))),
            ("no state", one.back(site, &format!("code={}", code(&one)))),
            (
                "no cookie",
                site.nobody()
                    .get(&format!("/sign-in/sso/return?code={}&state={state}", code(&one))),
            ),
            (
                "another issuer",
                one.back(
                    site,
                    &format!("code={}&state={state}&iss=https://evil.example", code(&one)),
                ),
            ),
            ("no code", one.back(site, &format!("error=access_denied&state={state}"))),
        ] {
            assert_eq!((answer.status, signed_in(site, &answer)), (422, None), "{what}");
        }
        let right = one.back_with(site, &code(&one));
        assert_eq!(signed_in(site, &right).as_deref(), Some("ann"));
    });
}

#[test]
fn a_provider_may_change_its_keys_and_be_away() {
    let provider = Provider::start();
    site_on_both(&rules(&provider, ""), |site| {
        site.person("ann", Role::Student, "");
        provider.change_key("first");
        provider.go_away(true);
        let answer = site.nobody().get("/sign-in/sso");
        assert_eq!((answer.status, answer.headers.contains_key("retry-after")), (503, true));
        provider.go_away(false);
        let right = |asked: &Asked| provider.signed(&provider.claims(asked, "ann"));
        assert_eq!(signed_in(site, &with_token(site, &provider, right)).as_deref(), Some("ann"));
        provider.change_key("second");
        assert_eq!(signed_in(site, &with_token(site, &provider, right)).as_deref(), Some("ann"));
        // They are not read again for each token that names an unknown one.
        provider.change_key("third");
        assert_eq!(signed_in(site, &with_token(site, &provider, right)), None);
    });
}

#[test]
fn a_domain_is_cut_and_others_are_nobody() {
    let provider = Provider::start();
    site_on_both(&rules(&provider, ", claim: email, domain: example.edu"), |site| {
        site.person("ann", Role::Student, "");
        let who = |email: &'static str, is_verified: bool| {
            let answer = with_token(site, &provider, |asked| {
                let mut claims = provider.claims(asked, "x");
                (claims["email"], claims["email_verified"]) = (json!(email), json!(is_verified));
                provider.signed(&claims)
            });
            signed_in(site, &answer)
        };
        assert_eq!(who("ann@Example.edu", true).as_deref(), Some("ann"));
        assert_eq!(who("ann@example.edu", false), None);
        assert_eq!(who("ann@evil.example", true), None);
        assert_eq!(who("ann", true), None);
    });
}

#[test]
fn a_proxy_names_who_signed_in() {
    site_on_both("proxy: true\nsign_in: { header: X-Login }", |site| {
        site.person("ann", Role::Student, "");
        let by = |login: &str| site.nobody().get_with("/sign-in/proxy", "x-login", login);
        assert_eq!(signed_in(site, &by("ann")).as_deref(), Some("ann"));
        assert_eq!(by("eve").status, 422);
        assert_eq!(site.nobody().get("/sign-in/proxy").status, 422);
        let twice = [("x-login", "ann".to_owned()), ("x-login", "bob".to_owned())];
        assert_eq!(status_of(site, "GET", "/sign-in/proxy", &twice), 422);
    });
}

#[test]
fn settings_that_would_let_anybody_be_anybody_are_refused() {
    for (rules, says) in [
        ("sign_in: { header: X-Login }", "needs `proxy: true`"),
        (
            "sign_in: { oidc: { issuer: \"http://login.example\", client: a, secret_file: s } }",
            "is not encrypted",
        ),
        (
            "sign_in: { oidc: { issuer: \"https://login.example\", client: a, secret_file: s } }",
            "cannot read",
        ),
    ] {
        let course = sums::course(rules);
        let done = run(serve(course.path(), &["--address", "127.0.0.1:0"]));
        assert_eq!(done.status, 2, "{rules}: {}", done.error);
        assert!(done.error.contains(says) && done.error.contains("hint:"), "{}", done.error);
    }
}
