//! Pages that change while somebody looks at them.

use super::support::records::report;
use super::support::results::work_off;
use super::support::site::{Browser, Site};
use super::support::site_on_both;
use serde_json::json;
use server::people::{Role, session};
use std::io::{BufRead, BufReader, Write};
use std::net::TcpStream;

/// What a page is told.
struct Events(BufReader<TcpStream>);

impl Events {
    fn of(browser: &Browser, path: &str) -> Self {
        let host = browser.url.trim_start_matches("http://");
        let mut stream = TcpStream::connect(host).unwrap();
        let (name, secret) = (session::COOKIE, browser.session.as_deref().unwrap());
        write!(
            stream,
            "GET {path} HTTP/1.1\r\nhost: {host}\r\nconnection: close\r\ncookie: {name}={secret}\r\n\r\n"
        )
        .unwrap();
        Self(BufReader::new(stream))
    }

    /// The next one, and whether it is the last.
    fn next(&mut self) -> Option<(String, bool)> {
        let mut lines = (&mut self.0).lines().map_while(Result::ok);
        let line = lines.find(|line| line.starts_with("data: "))?;
        let data: serde_json::Value = serde_json::from_str(line.strip_prefix("data: ")?).unwrap();
        Some((data["html"].as_str()?.to_owned(), data["isOver"].as_bool()?))
    }

    /// Reads on until one has these words, and tells whether it is the last.
    fn until(&mut self, words: &str) -> bool {
        let mut last = String::new();
        while let Some((html, is_over)) = self.next() {
            if html.contains(words) {
                return is_over;
            }
            last = html;
        }
        panic!("never: {words}: {last}");
    }
}

/// Whether a page follows its events, and loads itself again without scripts.
fn is_live(page: &str) -> bool {
    let (listens, reloads) =
        (page.contains("data-events"), page.contains("<noscript><meta http-equiv=\"refresh\""));
    assert_eq!(listens, reloads, "{page}");
    listens
}

#[test]
fn the_page_follows_the_grading_by_events_in_order() {
    site_on_both("{}", |site| {
        let person = site.person("ann", Role::Student, "");
        let ann = site.signed_in(&person);
        let id = ann.hands_in("key");
        let waiting = ann.get(&format!("/submissions/{id}")).body;
        assert!(waiting.contains("No grader is running at the moment"), "{waiting}");
        assert!(waiting.contains("http-equiv=\"refresh\""), "without scripts, it reloads");
        let mut events = Events::of(&ann, &format!("/submissions/{id}/events"));
        let mut next = || events.next();
        assert!(next().unwrap().0.contains("waits to be graded"));
        let mut known = report("ann", 40.0, true);
        let whole = known.clone();
        (known["build"], known["groups"]) = (json!(null), json!([]));
        let claim = site.claims(Some(("tests", known.clone())));
        let (html, is_over) = next().unwrap();
        assert!(
            html.contains("Your tests expose 1 bug, which earns you 1 more submission a day"),
            "{html}"
        );
        assert!(html.contains("10 of 10") && !is_over, "{html}");
        known["build"] = whole["build"].clone();
        site.notes(&claim, "build", known);
        assert!(next().unwrap().0.contains("Now the cases are run"));
        site.finishes(&claim, &whole);
        let (html, is_over) = next().unwrap();
        assert!(html.contains("Graded: 50 of 90 points") && is_over, "{html}");
        assert!(next().is_none(), "it ends");
        let done = ann.get(&format!("/submissions/{id}")).body;
        assert!(
            !done.contains("data-events") && !done.contains("http-equiv=\"refresh\""),
            "{done}"
        );
    });
}

#[test]
fn a_person_has_a_bounded_number_of_pages_that_wait() {
    site_on_both("{}", |site| {
        let person = site.person("ann", Role::Student, "");
        let ann = site.signed_in(&person);
        let id = ann.hands_in("key");
        let held: Vec<_> = std::iter::from_fn(|| site.app.live_pages.hold(person.id)).collect();
        assert_eq!(ann.get(&format!("/submissions/{id}/events")).status, 429);
        assert_eq!(ann.get(&format!("/submissions/{id}")).status, 200, "it works by reloading");
        drop(held);
    });
}

#[test]
fn the_queue_and_the_scoreboard_tell_what_changed_without_a_reload() {
    site_on_both("{}", |site| {
        let ann = site.signed_in(&site.person("ann", Role::Student, ""));
        let staff = site.signed_in(&site.person("staff", Role::Staff, ""));
        for (browser, path) in [(&staff, "/queue"), (&ann, "/assignments/sum/scoreboard")] {
            assert!(is_live(&browser.get(path).body), "{path}");
        }
        let mut queue = Events::of(&staff, "/queue/events");
        assert!(!queue.until("Nothing is being graded"));
        let mut board = Events::of(&ann, "/assignments/sum/scoreboard/events");
        assert!(!board.until("Nothing is graded yet"));
        ann.hands_in("key");
        queue.until("<strong>1</strong> waiting");
        let claim = site.claims(None);
        queue.until("<strong>1</strong> running");
        site.finishes(&claim, &report("ann", 80.0, true));
        queue.until("<strong>1</strong> graded");
        board.until(">ann <b class=\"tag open\">you</b>");
        assert_eq!(ann.get("/assignments/none/scoreboard/events").status, 404);
    });
}

#[test]
fn a_regrade_tells_how_far_it_is_until_it_can_be_applied() {
    site_on_both("{}", |site| {
        let ann = site.signed_in(&site.person("ann", Role::Student, ""));
        let staff = site.signed_in(&site.person("staff", Role::Staff, ""));
        ann.hands_in("key");
        site.grades(&report("ann", 40.0, false));
        let page = begun(site, &staff);
        assert!(is_live(&staff.get(&page).body));
        let mut events = Events::of(&staff, &format!("{page}/events"));
        assert!(!events.until("it cannot be applied yet"));
        site.write(|connection| work_off(connection, 10));
        site.app.changed.notify_waiters();
        assert!(events.until("<strong>1</strong> of 1 graded"), "it is over");
        assert!(events.next().is_none());
        assert!(!is_live(&staff.get(&page).body));
        assert_eq!(staff.get("/regrades/999/events").status, 404);
    });
}

/// Begins a regrade of all with the version that is in force, and gives its page.
fn begun(site: &Site, staff: &Browser) -> String {
    let course = site.write(|connection| Ok(server::courses::in_force(connection)?.unwrap()));
    let fields = [("course", &*course), ("assignment", "sum"), ("scope", "all"), ("again", "yes")];
    staff.post("/regrades", &fields).headers["location"].clone()
}
