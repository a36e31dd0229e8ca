//! Learning platforms: how they and the server know each other.

use super::support::platform::Platform;
use super::support::program::{run, serve};
use super::support::site::Site;
use super::support::{site_on_both, sums};

fn token(site: &Site, scope: &str) -> String {
    let rules = site.runtime.block_on(site.app.rules()).unwrap();
    let platform = &rules.platforms["lms"];
    let token = site.app.platforms.token(&site.app.database, platform, scope);
    site.runtime.block_on(token).unwrap()
}

#[test]
fn a_platform_gives_a_token_to_who_has_the_key_that_the_server_publishes() {
    let platform = Platform::start();
    site_on_both(&platform.settings(""), |site| {
        platform.knows(&site.url);
        let before = platform.tokens();
        let (one, again, other) = (token(site, "a b"), token(site, "a b"), token(site, "c"));
        assert_eq!((one == again, one == other), (true, false));
        assert_eq!(platform.tokens() - before, 2, "a token serves until near its end");
        platform.give_tokens_for(30);
        assert_ne!(token(site, "d"), token(site, "d"), "one that ends soon serves once");
        platform.give_tokens_for(3_600);
    });
}

#[test]
fn a_server_without_platforms_has_no_key_for_them() {
    site_on_both("", |site| {
        assert_eq!(site.nobody().get("/lti/keys").body, r#"{"keys":[]}"#);
    });
}

#[test]
fn a_platform_that_is_not_described_whole_is_refused() {
    let right = [
        ("issuer", "\"https://lms.example\""),
        ("client", "\"1\""),
        ("deployments", "[\"1\"]"),
        ("login", "\"https://lms.example/login\""),
        ("token", "\"https://lms.example/token\""),
        ("keys", "\"https://lms.example/keys\""),
    ];
    for (name, value, says) in [
        ("issuer", "\"http://lms.example\"", "the `issuer` http://lms.example"),
        ("keys", "\"http://lms.example/keys\"", "the `keys` http://lms.example/keys"),
        ("deployments", "[]", "has no `deployments`"),
    ] {
        let all = right.map(|(key, it)| format!("{key}: {}", if key == name { value } else { it }));
        let course = sums::course(&format!("platforms: {{ lms: {{ {} }} }}", all.join(", ")));
        let done = run(serve(course.path(), &["--address", "127.0.0.1:0"]));
        assert_eq!(done.status, 2, "{name}: {}", done.error);
        assert!(done.error.contains(says) && done.error.contains("hint:"), "{}", done.error);
    }
}
