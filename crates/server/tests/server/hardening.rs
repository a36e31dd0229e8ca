//! What holds for every answer, and what the server does with requests that no browser sends.

use super::support::site::Site;
use super::support::{site_on_both, sqlite};
use server::pages;
use server::people::{Role, session};
use std::io::{Read, Write};
use std::net::TcpStream;
use std::time::Duration;

/// Sends exactly these bytes, and gives the answer.
fn raw(site: &Site, request: &[u8]) -> String {
    let address = site.url.strip_prefix("http://").unwrap();
    let mut stream = TcpStream::connect(address).unwrap();
    stream.set_read_timeout(Some(Duration::from_secs(20))).unwrap();
    // The server may answer and close before all is sent.
    let _ = stream.write_all(request);
    let mut answer = Vec::new();
    let _ = stream.read_to_end(&mut answer);
    String::from_utf8_lossy(&answer).into_owned()
}

fn get(site: &Site, target: &str) -> String {
    raw(site, format!("GET {target} HTTP/1.1\r\nHost: x\r\nConnection: close\r\n\r\n").as_bytes())
}

#[test]
fn every_answer_has_the_headers_that_keep_a_page_to_itself() {
    site_on_both("{}", |site| {
        let ada = site.signed_in(&site.person("ada", Role::Administrator, ""));
        let style = server::web::assets::style();
        let long = format!("/{}", "x".repeat(9_000));
        let mut answers = vec![
            (303, site.nobody().get("/")),
            (404, site.nobody().get("/nothing")),
            (414, site.nobody().get(&long)),
            (405, ada.get("/sign-out")),
            (403, ada.post_to("/sign-out", &[])),
            (404, ada.get("/assets/nothing")),
        ];
        for path in ["/", "/sign-in", "/account", "/people", "/audit", "/health", &style] {
            let browser = if path == "/sign-in" { &site.nobody() } else { &ada };
            answers.push((200, browser.get(path)));
        }
        for (status, answer) in answers {
            assert_eq!(answer.status, status, "{}", answer.body);
            let policy = &answer.headers["content-security-policy"];
            assert!(policy.starts_with("default-src 'none'"), "{policy}");
            assert!(policy.contains("frame-ancestors 'none'") && !policy.contains("unsafe"));
            assert_eq!(answer.headers["x-content-type-options"], "nosniff");
            assert_eq!(answer.headers["referrer-policy"], "same-origin");
            assert_eq!(answer.headers["cross-origin-opener-policy"], "same-origin");
            assert_eq!(answer.headers["cross-origin-resource-policy"], "same-origin");
            assert!(answer.headers["strict-transport-security"].starts_with("max-age="));
            let is_kept = answer.headers["cache-control"].contains("immutable");
            assert!(
                is_kept
                    == (answer.body.len() > 3_000
                        && answer.headers["content-type"].starts_with("text/css"))
                    || answer.headers["cache-control"] == "no-store"
            );
        }
        let allowed = ada.get("/sign-out");
        assert_eq!(allowed.headers["allow"], "POST");
    });
}

#[test]
fn requests_that_are_too_long_are_refused() {
    site_on_both("{}", |site| {
        // The answer comes before the body, of which not a byte is sent.
        let large = raw(
            site,
            b"POST /sign-in HTTP/1.1\r\nHost: x\r\nConnection: close\r\nContent-Length: 300000\r\n\r\n",
        );
        assert!(large.starts_with("HTTP/1.1 413"), "{large}");
        // Without a length, the body is cut when it becomes too long.
        let mut chunked = b"POST /sign-in HTTP/1.1\r\nHost: x\r\nConnection: close\r\n\
            Content-Type: application/x-www-form-urlencoded\r\nTransfer-Encoding: chunked\r\n\r\n"
            .to_vec();
        for _ in 0..40 {
            chunked.extend(format!("2000\r\n{}\r\n", "x".repeat(0x2000)).into_bytes());
        }
        chunked.extend(b"0\r\n\r\n");
        let cut = raw(site, &chunked);
        assert!(
            cut.is_empty() || cut.starts_with("HTTP/1.1 413") || cut.starts_with("HTTP/1.1 400"),
            "{cut}"
        );
        let many: String = (0..100).map(|at| format!("X-{at}: y\r\n")).collect();
        let many = raw(site, format!("GET / HTTP/1.1\r\nHost: x\r\n{many}\r\n").as_bytes());
        assert!(many.starts_with("HTTP/1.1 431"), "{many}");
        let long = format!("GET / HTTP/1.1\r\nHost: x\r\nX: {}\r\n\r\n", "y".repeat(600 << 10));
        let long = raw(site, long.as_bytes());
        assert!(long.is_empty() || long.starts_with("HTTP/1.1 431"), "{long}");
    });
}

#[test]
fn who_is_not_signed_in_uploads_nothing() {
    site_on_both("{}", |site| {
        // The answer comes before the body, of which not a byte is sent.
        for route in pages::routes().iter().filter(|it| it.method.as_str() == "POST") {
            let target = route.path.replace(['{', '}'], "");
            let answer = raw(
                site,
                format!(
                    "POST {target} HTTP/1.1\r\nHost: x\r\nConnection: close\r\nContent-Type: multipart/form-data; \
                     boundary=x\r\nContent-Length: 60000000\r\n\r\n"
                )
                .as_bytes(),
            );
            let status = &answer[..answer.len().min(12)];
            assert!(["HTTP/1.1 303", "HTTP/1.1 413"].contains(&status), "{target}: {answer}");
        }
    });
}

#[test]
fn head_answers_without_a_body_and_unknown_methods_are_refused() {
    site_on_both("{}", |site| {
        let with = |method: &str| {
            raw(
                site,
                format!("{method} /sign-in HTTP/1.1\r\nHost: x\r\nConnection: close\r\n\r\n")
                    .as_bytes(),
            )
        };
        let head = with("HEAD");
        assert!(head.starts_with("HTTP/1.1 200") && head.ends_with("\r\n\r\n"), "{head}");
        for method in ["PUT", "DELETE", "TRACE", "OPTIONS", "BREW", "CONNECT"] {
            let answer = with(method);
            assert!(answer.starts_with("HTTP/1.1 4"), "{method}: {answer}");
        }
    });
}

/// Pieces of requests that someone may send to see what happens.
const ODD: [&str; 26] = [
    "",
    "0",
    "-1",
    "99999999999999999999",
    "9223372036854775807",
    "ann",
    "sum",
    "%00",
    "%ff",
    "%F0%9F%92%A9",
    "%2e%2e",
    "..",
    ".",
    "%2f",
    "%27--",
    "%22%3E%3Cscript%3E",
    "a%20b",
    "%25",
    "+",
    "&",
    "=",
    ";",
    "1e9",
    "NaN",
    "null",
    "%C0%80",
];

/// Numbers that look random, and are the same each time.
struct Dice(u64);

impl Dice {
    fn below(&mut self, end: usize) -> usize {
        self.0 =
            self.0.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        usize::try_from(self.0 >> 33).unwrap() % end
    }

    fn odd(&mut self) -> &'static str {
        ODD[self.below(ODD.len())]
    }
}

#[test]
fn no_odd_request_breaks_the_server() {
    site_on_both("{}", |site| {
        let ada = site.person("ada", Role::Administrator, "");
        let mut dice = Dice(25);
        let names = [
            "login",
            "password",
            "again",
            "old",
            "name",
            "role",
            "sees",
            "active",
            "reason",
            "amount",
            "day",
            "assignment",
            "kind",
            "person",
            "action",
            "before",
            "request",
            "counts",
        ];
        let routes = pages::routes();
        for round in 0..400 {
            let route = &routes[round % routes.len()];
            // A page that waits for news does not end.
            if route.path.ends_with("/events") {
                continue;
            }
            let parts: Vec<_> =
                route
                    .path
                    .split('/')
                    .map(|part| {
                        if part.starts_with('{') || dice.below(12) == 0 { dice.odd() } else { part }
                    })
                    .collect();
            let pairs = |dice: &mut Dice| {
                let one =
                    |dice: &mut Dice| format!("{}={}", names[dice.below(names.len())], dice.odd());
                (0..dice.below(6)).map(|_| one(dice)).collect::<Vec<_>>().join("&")
            };
            let id = ada.id;
            let secret = site.write(move |connection| session::begin(connection, id));
            let form = session::form_token(&secret);
            let target = format!("{}?{}&form={form}", parts.join("/"), pairs(&mut dice));
            let (method, body) = (route.method.as_str(), pairs(&mut dice));
            let kind = [
                "application/x-www-form-urlencoded",
                "multipart/form-data; boundary=x",
                "text/plain",
            ];
            let request = format!(
                "{method} {target} HTTP/1.1\r\nHost: x\r\nConnection: close\r\nCookie: {}={secret}\r\n\
                 Content-Type: {}\r\nContent-Length: {}\r\n\r\n{body}",
                session::COOKIE,
                kind[dice.below(10).min(2).saturating_sub(usize::from(dice.below(3) > 0))],
                body.len()
            );
            let answer = raw(site, request.as_bytes());
            let status = answer.get(9..12).unwrap_or_default();
            assert!(status.starts_with(['2', '3', '4']), "{request}\n\n{answer}");
        }
        for target in ["*", "//", "/%", "/?%", "/a?form=%ff", "/sign-in?form[]=1", "/\u{7f}"] {
            let answer = get(site, target);
            assert!(
                ["HTTP/1.1 4", "HTTP/1.1 2", "HTTP/1.1 3"].contains(&&answer[..10]),
                "{target}: {answer}"
            );
        }
    });
}

#[test]
fn who_asks_too_often_waits_and_nobody_else_does() {
    let folder = tempfile::tempdir().unwrap();
    let site = &Site::new(&sqlite(&folder), "{}");
    let ann = site.signed_in(&site.person("ann", Role::Student, ""));
    let bob = site.signed_in(&site.person("bob", Role::Student, ""));
    let mut asked = (0..5_000).map(|_| ann.get("/account"));
    let last = asked.find(|answer| answer.status != 200).expect("there is an end");
    assert_eq!((last.status, last.headers["retry-after"].as_str()), (429, "1"));
    assert_eq!(bob.get("/account").status, 200);
}
