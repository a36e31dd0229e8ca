//! Launches from a learning platform that may be hostile.

mod services;

use super::support::http::KEY;
use super::support::platform::{CLIENT, LEARNER, Platform, TEACHER, claim};
use super::support::site::{Answer, Browser, Site};
use super::support::site_on_both;
use base64::Engine;
use base64::engine::general_purpose::URL_SAFE_NO_PAD;
use jsonwebtoken::{Algorithm, EncodingKey, Header, encode};
use serde_json::{Value, json};
use server::people::Role;
use std::collections::HashMap;

const SETTINGS: &str = ", domain: example.edu";

/// A browser that was sent to the platform: what was asked there, and its cookie.
struct Sent {
    asked: HashMap<String, String>,
    cookie: String,
}

fn begin(platform: &Platform, client: &str, target: &str) -> String {
    let issuer = &platform.issuer;
    format!(
        "/lti/login?iss={issuer}&login_hint=7&client_id={client}&lti_message_hint=m&target_link_uri={target}"
    )
}

fn sent(site: &Site, platform: &Platform) -> Sent {
    let address = begin(platform, CLIENT, &format!("{}/lti/launch", site.url));
    let answer = site.nobody().get(&address);
    assert_eq!(answer.status, 303, "{}", answer.body);
    let cookie = &answer.headers["set-cookie"];
    assert!(cookie.contains("SameSite=None") && cookie.contains("Secure"), "{cookie}");
    let cookie = cookie.split(';').next().unwrap().to_owned();
    let (to, query) = answer.headers["location"].split_once('?').unwrap();
    assert_eq!(to, format!("{}/login", platform.issuer));
    let asked = form_urlencoded::parse(query.as_bytes()).into_owned().collect();
    Sent { asked, cookie }
}

/// A browser sends this form, with this cookie, from a page of the platform.
fn send(site: &Site, platform: &Platform, cookie: &str, form: &[(&str, &str)]) -> Answer {
    let headers =
        [("cookie", cookie), ("origin", &platform.issuer), ("sec-fetch-site", "cross-site")];
    site.nobody().post_with("/lti/launch", form, &headers)
}

impl Sent {
    /// It comes back with a token.
    fn back(&self, site: &Site, platform: &Platform, token: &str) -> Answer {
        let form = [("state", self.asked["state"].as_str()), ("id_token", token)];
        send(site, platform, &self.cookie, &form)
    }
}

/// What a browser is answered that comes with these claims.
fn with(
    site: &Site,
    platform: &Platform,
    who: &str,
    role: &str,
    change: impl Fn(&mut Value),
) -> Answer {
    let sent = sent(site, platform);
    let mut claims = platform.claims(&sent.asked, who, role);
    change(&mut claims);
    sent.back(site, platform, &platform.signed(&claims))
}

/// Whether an answer begins a session, and whose.
fn signed_in(site: &Site, answer: &Answer) -> Option<String> {
    let all = answer.headers.get("set-cookie")?;
    if !all.contains("__Host-session=") {
        return None;
    }
    let home: Browser = site.nobody().with_session_of(answer);
    let account = home.get("/account");
    ["ann", "bob", "sam"].into_iter().find(|it| account.body.contains(*it)).map(str::to_owned)
}

/// The course with ann and bob as students and sam as staff, who connected the course of the platform.
fn connected(site: &Site, platform: &Platform) -> Browser {
    platform.knows(&site.url);
    site.person("ann", Role::Student, "");
    site.person("bob", Role::Student, "");
    let sam = site.signed_in(&site.person("sam", Role::Staff, ""));
    let answer = with(site, platform, "sam", TEACHER, |_| {});
    assert_eq!((answer.status, signed_in(site, &answer)), (422, None), "{}", answer.body);
    assert!(answer.body.contains("not connected"), "{}", answer.body);
    let page = sam.get("/platforms");
    assert!(page.body.contains("Sums there"), "{}", page.body);
    assert_eq!(sam.post("/platforms/courses/1/connect", &[]).status, 303);
    sam
}

fn in_course(more: &str, test: impl Fn(&Site, &Platform, &Browser)) {
    let platform = Platform::start();
    site_on_both(&platform.settings(more), |site| {
        let sam = connected(site, &platform);
        test(site, &platform, &sam);
    });
}

#[test]
fn a_link_leads_who_is_in_the_course_to_its_assignment() {
    in_course(SETTINGS, |site, platform, sam| {
        let answer = with(site, platform, "ann", LEARNER, |_| {});
        assert_eq!(answer.status, 303, "{}", answer.body);
        assert_eq!(answer.headers["location"], "/assignments/sum");
        assert_eq!(signed_in(site, &answer).as_deref(), Some("ann"));
        let kept = site.write(|connection| {
            let sql = "select lti_link.assignment, lti_link.line_item, lti_context.line_items, lti_context.scopes \
                from lti_link join lti_context on lti_context.id = lti_link.context";
            let row = connection.first(sql, &[])?.unwrap();
            Ok([row.text(0), row.text(1), row.text(2), row.text(3)])
        });
        let at = |path: &str| format!("{}{path}", platform.issuer);
        let scope = "https://purl.imsglobal.org/spec/lti-ags/scope/score".to_owned();
        assert_eq!(kept, ["sum".to_owned(), at("/items/1"), at("/items"), scope]);
        let staff = with(site, platform, "sam", TEACHER, |_| {});
        assert_eq!(signed_in(site, &staff).as_deref(), Some("sam"));
        // A link that names no assignment leads where staff say.
        let bare = |claims: &mut Value| claims[claim("custom")] = json!({});
        let other = |claims: &mut Value| {
            bare(claims);
            claims[claim("resource_link")] = json!({ "id": "l2", "title": "Another" });
        };
        assert_eq!(
            with(site, platform, "ann", LEARNER, bare).headers["location"],
            "/assignments/sum"
        );
        assert_eq!(with(site, platform, "ann", LEARNER, other).headers["location"], "/");
        let lead = [("assignment", "sum")];
        assert_eq!(sam.post("/platforms/links/999", &lead).status, 422, "there is no such link");
        let id = site.write(|connection| {
            Ok(connection.first("select max(id) from lti_link", &[])?.unwrap().int(0))
        });
        assert_eq!(sam.post(&format!("/platforms/links/{id}"), &lead).status, 303);
        assert_eq!(
            with(site, platform, "ann", LEARNER, other).headers["location"],
            "/assignments/sum"
        );
    });
}

#[test]
fn a_launch_that_is_not_of_the_platform_for_this_server_lets_nobody_in() {
    in_course(SETTINGS, |site, platform, _| {
        let changed =
            |name: String, value: Value| move |claims: &mut Value| claims[&name] = value.clone();
        let plain = |name: &str, value: Value| changed(name.to_owned(), value);
        let lti = |name: &str, value: Value| changed(claim(name), value);
        let wrong: Vec<(&str, Box<dyn Fn(&mut Value)>)> = vec![
            ("another issuer", Box::new(plain("iss", json!("https://evil.example")))),
            ("another audience", Box::new(plain("aud", json!("other")))),
            ("several audiences", Box::new(plain("aud", json!([CLIENT, "other"])))),
            ("another party", Box::new(plain("azp", json!("other")))),
            ("another nonce", Box::new(plain("nonce", json!("other")))),
            ("no nonce", Box::new(plain("nonce", Value::Null))),
            ("expired", Box::new(plain("exp", json!(1_000_000_000)))),
            ("no subject", Box::new(plain("sub", Value::Null))),
            ("another deployment", Box::new(lti("deployment_id", json!("two")))),
            ("no deployment", Box::new(lti("deployment_id", Value::Null))),
            ("another version", Box::new(lti("version", json!("1.1")))),
            ("another message", Box::new(lti("message_type", json!("LtiStartProctoring")))),
            ("no link", Box::new(lti("resource_link", Value::Null))),
            ("no course", Box::new(lti("context", Value::Null))),
            ("another course", Box::new(lti("context", json!({ "id": "c2", "title": "Other" })))),
            ("an address that is not verified", Box::new(plain("email_verified", json!(false)))),
            ("an address of another domain", Box::new(plain("email", json!("ann@evil.example")))),
        ];
        for (what, change) in wrong {
            let answer = with(site, platform, "ann", LEARNER, &change);
            assert_eq!((answer.status, signed_in(site, &answer)), (422, None), "{what}");
            let answer = with(site, platform, "sam", TEACHER, &change);
            assert_eq!((answer.status, signed_in(site, &answer)), (422, None), "{what}, of staff");
        }
    });
}

#[test]
fn a_launch_that_the_platform_did_not_sign_lets_nobody_in() {
    in_course(SETTINGS, |site, platform, _| {
        let part = |value: &Value| URL_SAFE_NO_PAD.encode(value.to_string());
        let sent = sent(site, platform);
        let claims = platform.claims(&sent.asked, "ann", LEARNER);
        let right = platform.signed(&claims);
        let parts: Vec<_> = right.split('.').collect();
        let key = ureq::get(format!("{}/keys", platform.issuer)).call().unwrap();
        let key = key.into_body().read_to_string().unwrap();
        let header = Header { kid: Some("first".to_owned()), ..Header::new(Algorithm::HS256) };
        let secret = encode(&header, &claims, &EncodingKey::from_secret(key.as_bytes())).unwrap();
        let pem = encode(&header, &claims, &EncodingKey::from_secret(KEY)).unwrap();
        let other = platform.claims(&sent.asked, "bob", LEARNER);
        for (what, token) in [
            ("no algorithm", format!("{}.{}.", part(&json!({ "alg": "none" })), part(&claims))),
            ("the public key as a secret", secret),
            ("the key as a secret", pem),
            ("other claims", format!("{}.{}.{}", parts[0], part(&other), parts[2])),
            (
                "a key of its own",
                format!(
                    "{}.{}.{}",
                    part(&json!({ "alg": "RS256", "kid": "mine" })),
                    parts[1],
                    parts[2]
                ),
            ),
            ("no token", "a.b.c".to_owned()),
        ] {
            let answer = sent.back(site, platform, &token);
            assert_eq!((answer.status, signed_in(site, &answer)), (422, None), "{what}");
        }
        let answer = sent.back(site, platform, &right);
        assert_eq!(signed_in(site, &answer).as_deref(), Some("ann"));
        let again = sent.back(site, platform, &right);
        assert_eq!((again.status, signed_in(site, &again)), (422, None), "a launch serves once");
        assert!(again.body.contains("used before"), "{}", again.body);
    });
}

#[test]
fn only_the_browser_that_began_can_come_back() {
    in_course(SETTINGS, |site, platform, _| {
        let (one, other) = (sent(site, platform), sent(site, platform));
        let token = platform.signed(&platform.claims(&one.asked, "ann", LEARNER));
        let state = one.asked["state"].as_str();
        let forms: [(&str, &str, Vec<(&str, &str)>); 5] = [
            ("another browser", &other.cookie, vec![("state", state), ("id_token", &token)]),
            ("no cookie", "a=b", vec![("state", state), ("id_token", &token)]),
            ("no state", &one.cookie, vec![("id_token", &token)]),
            (
                "another state",
                &other.cookie,
                vec![("state", &other.asked["state"]), ("id_token", &token)],
            ),
            ("no token", &one.cookie, vec![("state", state), ("error", "login_required")]),
        ];
        for (what, cookie, form) in forms {
            let answer = send(site, platform, cookie, &form);
            assert_eq!((answer.status, signed_in(site, &answer)), (422, None), "{what}");
        }
        let right = one.back(site, platform, &token);
        assert_eq!(signed_in(site, &right).as_deref(), Some("ann"));
    });
}

#[test]
fn two_windows_of_a_browser_may_be_at_the_platform_at_once() {
    in_course(SETTINGS, |site, platform, _| {
        let first = sent(site, platform);
        let address = begin(platform, CLIENT, "");
        let answer = site.nobody().get_with(&address, "cookie", &first.cookie);
        let (_, query) = answer.headers["location"].split_once('?').unwrap();
        let asked = form_urlencoded::parse(query.as_bytes()).into_owned().collect();
        let cookie = answer.headers["set-cookie"].split(';').next().unwrap().to_owned();
        for sent in [Sent { asked, cookie }, first] {
            let token = platform.signed(&platform.claims(&sent.asked, "ann", LEARNER));
            let answer = sent.back(site, platform, &token);
            assert_eq!(signed_in(site, &answer).as_deref(), Some("ann"));
        }
    });
}

#[test]
fn no_role_there_makes_anybody_more_than_the_roster_does() {
    in_course(SETTINGS, |site, platform, sam| {
        let who = |it: &str, role: &str| with(site, platform, it, role, |_| {});
        let stranger = who("eve", TEACHER);
        assert_eq!((stranger.status, signed_in(site, &stranger)), (422, None));
        assert!(stranger.body.contains("`eve` is not in this course"), "{}", stranger.body);
        let elsewhere = "http://purl.imsglobal.org/vocab/lis/v2/institution/person#Instructor";
        for role in [LEARNER, elsewhere, "http://purl.imsglobal.org/vocab/lis/v2/membership#Mentor"]
        {
            let answer = who("sam", role);
            assert_eq!((answer.status, signed_in(site, &answer)), (422, None), "{role}");
        }
        let ann = who("ann", TEACHER);
        assert_eq!(signed_in(site, &ann).as_deref(), Some("ann"));
        assert_eq!(site.nobody().with_session_of(&ann).get("/platforms").status, 404);
        // An account stays with its person, and a person with the account.
        let as_bob = |claims: &mut Value| claims["email"] = json!("bob@example.edu");
        let answer = with(site, platform, "ann", LEARNER, as_bob);
        assert_eq!(signed_in(site, &answer).as_deref(), Some("ann"));
        let as_ann = |claims: &mut Value| claims["email"] = json!("ann@example.edu");
        let answer = with(site, platform, "mallory", LEARNER, as_ann);
        assert_eq!((answer.status, signed_in(site, &answer)), (422, None));
        assert_eq!(sam.post("/platforms/accounts/forget", &[("login", "ann")]).status, 303);
        let answer = with(site, platform, "mallory", LEARNER, as_ann);
        assert_eq!(signed_in(site, &answer).as_deref(), Some("ann"));
    });
}

#[test]
fn a_course_that_is_disconnected_lets_nobody_in() {
    in_course(SETTINGS, |site, platform, sam| {
        assert_eq!(sam.post("/platforms/courses/1/disconnect", &[]).status, 303);
        let answer = with(site, platform, "ann", LEARNER, |_| {});
        assert_eq!((answer.status, signed_in(site, &answer)), (422, None));
    });
}

#[test]
fn a_frame_leads_to_a_window_of_its_own_before_the_platform_is_asked() {
    in_course(SETTINGS, |site, platform, _| {
        let address = begin(platform, CLIENT, "x");
        let page = site.nobody().get_with(&address, "sec-fetch-dest", "iframe");
        assert_eq!(page.status, 200);
        let link = format!(
            "href=\"/lti/login?iss={}",
            form_urlencoded::byte_serialize(platform.issuer.as_bytes()).collect::<String>()
        );
        assert!(page.body.contains(&link) && page.body.contains("_blank"), "{}", page.body);
        assert!(page.headers["content-security-policy"].ends_with("frame-ancestors *"));
        let unknown = site.nobody().get(&begin(platform, "other", "x"));
        assert_eq!((unknown.status, unknown.headers.contains_key("set-cookie")), (422, false));
        let form = [("iss", platform.issuer.as_str()), ("login_hint", "7")];
        let headers = [("origin", platform.issuer.as_str())];
        let posted = site.nobody().post_with("/lti/login", &form, &headers);
        assert_eq!(posted.status, 303, "by a form, and without a client");
    });
}

#[test]
fn a_platform_may_change_its_keys() {
    in_course(SETTINGS, |site, platform, _| {
        platform.change_key("second");
        let answer = with(site, platform, "ann", LEARNER, |_| {});
        assert_eq!(signed_in(site, &answer).as_deref(), Some("ann"));
        // They are not read again for each token that names an unknown one.
        platform.change_key("third");
        let answer = with(site, platform, "ann", LEARNER, |_| {});
        assert_eq!((answer.status, signed_in(site, &answer)), (422, None));
        platform.change_key("first");
    });
}
