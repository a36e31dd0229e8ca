//! Regrade requests: a student asks at a place of the report, staff answer there, and points that are changed by hand stay.

use super::support::records::report;
use super::support::site::{Browser, Site};
use super::support::site_on_both;
use server::people::{Person, Role};

/// Ann of section a, with a submission that is graded with 50 of 80 points for its cases.
fn graded(site: &Site) -> (Browser, i64) {
    let ann = site.signed_in(&site.person("ann", Role::Student, "a"));
    let submission = ann.hands_in("first");
    site.grades(&report("ann", 50.0, false));
    (ann, submission)
}

fn asks(browser: &Browser, submission: i64, place: &str, text: &str) -> u16 {
    let fields = [("place", place), ("text", text)];
    browser.post(&format!("/submissions/{submission}/requests"), &fields).status
}

fn grader(site: &Site, login: &'static str, sees: &'static str) -> Browser {
    site.person(login, Role::Grader, "");
    let grader = site.write(move |connection| {
        let sql = "update person set sees = $1 where login = $2";
        connection.execute(sql, &[sees.into(), login.into()])?;
        Ok(Person::by_login(connection, login)?.unwrap())
    });
    site.signed_in(&grader)
}

#[test]
fn a_student_asks_at_a_place_and_reads_the_answer_there() {
    site_on_both("{}", |site| {
        let (ann, submission) = graded(site);
        let page = format!("/submissions/{submission}");
        assert!(ann.get(&page).body.contains("<option value=\"case sample/Large\">"));
        assert_eq!(asks(&ann, submission, "case sample/Large", "Is <b>42</b> not right?"), 303);
        let body = ann.get(&page).body;
        let (case, note) =
            (body.find("id=\"a0-g0\"").unwrap(), body.find("id=\"request-1\"").unwrap());
        assert!(case < note && !body[case..note].contains("<h2"), "{body}");
        assert!(body.contains("Is &#60;b&#62;42&#60;/b&#62; not right?"), "{body}");
        let staff = site.signed_in(&site.person("staff", Role::Staff, ""));
        let all = staff.get("/requests").body;
        assert!(
            all.contains("<span class=\"count\">1</span>") && all.contains("#request-1"),
            "{all}"
        );
        let answer = [("answer", "It <i>is</i>."), ("points", "2.5")];
        assert_eq!(staff.post(&format!("{page}/requests/1/answer"), &answer).status, 303);
        assert_eq!(staff.post(&format!("{page}/requests/1/answer"), &answer).status, 422, "once");
        let body = ann.get(&page).body;
        assert!(body.contains("It &#60;i&#62;is&#60;/i&#62;."), "{body}");
        assert!(body.contains("Staff changed its points by hand: +2.5."), "{body}");
        assert!(body.contains("<strong>52.5</strong> of 90 points"), "{body}");
        assert!(!staff.get("/requests").body.contains("class=\"count\""));
        let log = staff.get("/audit").body;
        for action in ["open request", "answer request", "change points"] {
            assert!(log.contains(action), "{action}: {log}");
        }
    });
}

#[test]
fn points_that_were_changed_by_hand_count_and_stay_when_it_is_graded_again() {
    site_on_both("{}", |site| {
        let (ann, submission) = graded(site);
        let staff = site.signed_in(&site.person("staff", Role::Staff, ""));
        let change = |points, reason| {
            let fields = [("points", points), ("reason", reason)];
            staff.post(&format!("/submissions/{submission}/points"), &fields).status
        };
        assert_eq!((change("3", ""), change("lots", "why"), change("NaN", "why")), (422, 422, 422));
        assert_eq!(change("-1.25", "a comment is missing"), 303);
        let counts = |points: &str| {
            let book = staff.get("/gradebook.csv").body;
            assert!(book.ends_with(&format!(",{points}\n")), "{book}");
            assert!(ann.get("/").body.contains(&format!("<strong>{points}</strong>")));
        };
        counts("48.75");
        let again = [("version", "in-force"), ("reason", "once more")];
        assert_eq!(staff.post(&format!("/submissions/{submission}/rerun"), &again).status, 303);
        site.grades(&report("ann", 60.0, false));
        counts("58.75");
        assert_eq!(change("-500", "copied"), 303);
        counts("0");
    });
}

#[test]
fn the_limits_hold_and_what_is_taken_back_does_not_count() {
    site_on_both("requests: { open: 2, each: 3, days: 7 }\n", |site| {
        let (ann, submission) = graded(site);
        assert_eq!(asks(&ann, submission, "nowhere", "why?"), 422);
        assert_eq!(asks(&ann, submission, "build", "  "), 422);
        assert_eq!(
            (asks(&ann, submission, "build", "1"), asks(&ann, submission, "tests", "2")),
            (303, 303)
        );
        assert_eq!(asks(&ann, submission, "build", "the same again"), 303);
        assert_eq!(site.number("select count(*) from request"), 2, "a double click asks once");
        assert_eq!(asks(&ann, submission, "whole", "3"), 422, "two are open");
        let page = format!("/submissions/{submission}");
        assert_eq!(ann.post(&format!("{page}/requests/1/withdraw"), &[]).status, 303);
        assert_eq!(ann.post(&format!("{page}/requests/1/withdraw"), &[]).status, 422);
        let staff = site.signed_in(&site.person("staff", Role::Staff, ""));
        for number in 3..5 {
            assert_eq!(asks(&ann, submission, "whole", "more"), 303);
            let path = format!("{page}/requests/{number}/answer");
            assert_eq!(staff.post(&path, &[("answer", "No.")]).status, 303);
        }
        assert_eq!(asks(&ann, submission, "whole", "a fourth"), 422, "three for the assignment");
        let broken = site.runtime.block_on(site.app.database.write(|connection| {
            let sql = "update request set open_number = 1, number = 1";
            connection.execute(sql, &[])
        }));
        assert!(broken.is_err(), "the database cannot hold a number twice");
        site.write(|connection| {
            connection.execute("update request set number = null", &[])?;
            connection.execute("update result set applied = applied - 8 * 86400000", &[])
        });
        assert_eq!(asks(&ann, submission, "whole", "late"), 422, "a week is over");
        assert!(!ann.get(&page).body.contains("Ask for a regrade"));
    });
}

#[test]
fn nobody_asks_answers_or_reads_for_another() {
    site_on_both("{}", |site| {
        let (ann, submission) = graded(site);
        assert_eq!(asks(&ann, submission, "whole", "a secret of ann"), 303);
        let bob = site.signed_in(&site.person("bob", Role::Student, "a"));
        let other = bob.hands_in("of bob");
        let path = format!("/submissions/{submission}/requests");
        assert_eq!(asks(&bob, submission, "whole", "me too"), 404);
        assert_eq!(bob.get("/requests").status, 404);
        assert_eq!(bob.post(&format!("{path}/1/withdraw"), &[]).status, 404);
        let crossed = format!("/submissions/{other}/requests/1/withdraw");
        assert_eq!(bob.post(&crossed, &[]).status, 422, "it is of another submission");
        let of_b = grader(site, "gus", "b");
        assert!(!of_b.get("/requests").body.contains("a secret of ann"));
        assert!(!of_b.get("/requests").body.contains("class=\"count\""));
        let of_a = grader(site, "gil", "a");
        assert!(of_a.get("/requests").body.contains("a secret of ann"));
        let with_points = [("answer", "Yes."), ("points", "5")];
        assert_eq!(of_a.post(&format!("{path}/1/answer"), &with_points).status, 422);
        assert_eq!(of_a.post(&format!("{path}/1/answer"), &[("answer", "Yes.")]).status, 303);
        assert_eq!(site.number("select max(adjusted) from submission"), 0);
        assert_eq!(asks(&of_a, submission, "whole", "as a grader"), 422);
    });
}
