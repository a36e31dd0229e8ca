//! The choice of assignments in a platform, and who is in a course there.

use super::{SETTINGS, begin, in_course, send, signed_in, with};
use crate::support::platform::{CLIENT, LEARNER, Platform, TEACHER, claim};
use crate::support::site::{Answer, Site};
use base64::Engine;
use base64::engine::general_purpose::URL_SAFE_NO_PAD;
use jsonwebtoken::{Algorithm, Validation, decode};
use serde_json::{Map, Value, json};
use std::collections::HashMap;

/// What the page of a choice carries.
fn carried(page: &Answer) -> String {
    let (_, rest) = page.body.split_once("name=\"carried\" value=\"").unwrap();
    rest.split('"').next().unwrap().to_owned()
}

fn choose(
    site: &Site,
    platform: &Platform,
    who: &str,
    role: &str,
    change: impl Fn(&mut Value),
) -> Answer {
    let address = begin(platform, CLIENT, &format!("{}/lti/choose", site.url));
    let answer = site.nobody().get_with(&address, "sec-fetch-dest", "iframe");
    let (_, query) = answer.headers["location"].split_once('?').unwrap();
    let asked: HashMap<_, _> = form_urlencoded::parse(query.as_bytes()).into_owned().collect();
    let mut claims = platform.choice(&asked, who, role);
    change(&mut claims);
    let token = platform.signed(&claims);
    // In the frame, no cookie comes back.
    send(site, platform, "a=b", &[("state", &asked["state"]), ("id_token", &token)])
}

#[test]
fn staff_choose_assignments_in_a_frame_without_cookies() {
    in_course(&format!("{SETTINGS}, title: The Platform"), |site, platform, _| {
        let page = choose(site, platform, "sam", TEACHER, |_| {});
        assert_eq!(page.status, 200, "{}", page.body);
        assert_eq!(signed_in(site, &page), None, "a choice begins no session");
        let policy = &page.headers["content-security-policy"];
        assert!(policy.contains(&format!("frame-ancestors {}", platform.issuer)), "{policy}");
        let carried = carried(&page);
        let form = [("carried", carried.as_str()), ("assignment", "sum"), ("assignment", "none")];
        let answer = site.nobody().post_to("/lti/choose", &form);
        assert_eq!(answer.status, 200, "{}", answer.body);
        assert!(answer.body.contains(&format!("action=\"{}/return?to=1\"", platform.issuer)));
        let policy = &answer.headers["content-security-policy"];
        assert!(policy.contains(&format!("form-action 'self' {};", platform.issuer)), "{policy}");
        let (_, rest) = answer.body.split_once("name=\"JWT\" value=\"").unwrap();
        let jwt = rest.split('"').next().unwrap();
        let keys = site.nobody().get("/lti/keys").body;
        let keys: jsonwebtoken::jwk::JwkSet = serde_json::from_str(&keys).unwrap();
        let mut rules = Validation::new(Algorithm::RS256);
        rules.set_audience(&[&platform.issuer]);
        rules.set_issuer(&[CLIENT]);
        let key = jsonwebtoken::DecodingKey::from_jwk(&keys.keys[0]).unwrap();
        let said = decode::<Map<String, Value>>(jwt, &key, &rules).unwrap().claims;
        assert_eq!(said[&claim("message_type")], "LtiDeepLinkingResponse");
        assert_eq!(said[&claim("deployment_id")], "one");
        assert_eq!(said["https://purl.imsglobal.org/spec/lti-dl/claim/data"], "of the platform");
        let items = &said["https://purl.imsglobal.org/spec/lti-dl/claim/content_items"];
        assert_eq!(items.as_array().unwrap().len(), 1);
        assert_eq!(items[0]["custom"]["assignment"], "sum");
        assert_eq!(items[0]["url"], format!("{}/lti/launch", site.url));
        assert_eq!(items[0]["lineItem"]["resourceId"], "sum");
    });
}

#[test]
fn nobody_else_chooses_and_no_choice_goes_elsewhere() {
    in_course(SETTINGS, |site, platform, _| {
        let settings = "https://purl.imsglobal.org/spec/lti-dl/claim/deep_linking_settings";
        let back = |to: &'static str| {
            move |claims: &mut Value| claims[settings]["deep_link_return_url"] = json!(to)
        };
        let mut refused = vec![
            ("a student", choose(site, platform, "ann", TEACHER, |_| {})),
            ("staff who do not teach there", choose(site, platform, "sam", LEARNER, |_| {})),
            ("a stranger", choose(site, platform, "eve", TEACHER, |_| {})),
            ("a script", choose(site, platform, "sam", TEACHER, back("javascript:alert(1)"))),
            ("unencrypted", choose(site, platform, "sam", TEACHER, back("http://evil.example/"))),
            (
                "no links",
                choose(site, platform, "sam", TEACHER, |it| {
                    it[settings]["accept_types"] = json!(["html"]);
                }),
            ),
        ];
        let page = choose(site, platform, "sam", TEACHER, |_| {});
        let right = carried(&page);
        // Another return address in what the page carries, and a token of the platform instead.
        let mut parts: Vec<_> = right.split('.').map(str::to_owned).collect();
        let mut claims: Value =
            serde_json::from_slice(&URL_SAFE_NO_PAD.decode(&parts[1]).unwrap()).unwrap();
        claims["choosing"]["address"] = json!("https://evil.example/");
        let own = platform.signed(&claims);
        parts[1] = URL_SAFE_NO_PAD.encode(claims.to_string());
        for (what, carried) in
            [("changed", parts.join(".")), ("of the platform", own), ("nothing", String::new())]
        {
            let form = [("carried", carried.as_str()), ("assignment", "sum")];
            refused.push((what, site.nobody().post_to("/lti/choose", &form)));
        }
        for (what, answer) in refused {
            assert_eq!((answer.status, answer.body.contains("evil")), (422, false), "{what}");
        }
    });
}

#[test]
fn staff_read_the_roster_from_the_platform_page_by_page() {
    in_course(SETTINGS, |site, platform, sam| {
        let member = |who: &str, role: &str| {
            json!({ "user_id": format!("id of {who}"), "name": format!("The {who}"), "roles": [role], "status": "Active",
                "email": format!("{who}@example.edu") })
        };
        let mut gone = member("gus", LEARNER);
        gone["status"] = json!("Inactive");
        let mut unnamed = member("una", LEARNER);
        unnamed["email"] = Value::Null;
        with(site, platform, "ann", LEARNER, |_| {});
        platform.has_members(
            vec![
                vec![member("ann", LEARNER), member("sam", TEACHER)],
                vec![member("cat", "Learner"), gone, unnamed],
            ],
            None,
        );
        let page = sam.post("/platforms/courses/1/members", &[]);
        assert_eq!(page.status, 200, "{}", page.body);
        for text in ["Nothing is changed yet", "cat", "The ann", "The una", "The sam", "bob"] {
            assert!(page.body.contains(text), "{text}: {}", page.body);
        }
        assert!(!page.body.contains("gus"), "{}", page.body);
        let (_, rest) = page.body.split_once("<textarea name=\"text\" hidden>\n").unwrap();
        let table = rest.split("</textarea>").next().unwrap().to_owned();
        assert_eq!(table, "login,name\nann,The ann\ncat,The cat\n");
        let linked = |site: &Site| {
            site.write(|connection| {
                let sql = "select subject from lti_subject order by subject";
                Ok(connection.query(sql, &[])?.iter().map(|it| it.text(0)).collect::<Vec<_>>())
            })
        };
        assert_eq!(linked(site), ["id of ann"]);
        let done = sam.post("/students", &[("text", &table), ("apply", "yes")]);
        assert_eq!(done.status, 200, "{}", done.body);
        assert_eq!(linked(site), ["id of ann", "id of cat"], "known before the first launch");
        // A next page elsewhere gets no token, and changes nothing.
        platform.has_members(
            vec![vec![member("eve", LEARNER)], vec![]],
            Some("http://localhost:1/members/1"),
        );
        let answer = sam.post("/platforms/courses/1/members", &[]);
        assert_eq!(answer.status, 422, "{}", answer.body);
    });
}
