//! Handing in: what counts once, what costs nothing, limits and dates.

use super::support::records::{HAND_IN, report, submission};
use super::support::{site_on_both, sums};
use server::people::Role;
use server::rules::Moment;
use std::time::{SystemTime, UNIX_EPOCH};

/// A moment so many hours from now, as the rules take it.
fn hours(from_now: i64) -> String {
    let now = SystemTime::now().duration_since(UNIX_EPOCH).unwrap().as_millis() as i64;
    Moment(now + from_now * 3_600_000).rfc3339()
}

#[test]
fn a_form_counts_once_however_often_it_is_sent_and_other_files_are_another_submission() {
    site_on_both("{}", |site| {
        let ann = site.signed_in(&site.person("ann", Role::Student, ""));
        let first = ann.hands_in("key");
        assert_eq!(ann.hands_in("key"), first);
        let json = ann.upload_for(
            HAND_IN,
            "key",
            &[("submit.tar.gz", &sums::right())],
            "application/json",
        );
        let json: serde_json::Value = serde_json::from_str(&json.body).unwrap();
        assert_eq!(
            (json["submission"].as_i64(), json["is_new"].as_bool()),
            (Some(first), Some(false))
        );
        // A browser that goes back sends other files with the key of the old page.
        let files: [(&str, &[u8]); 2] =
            [("sum.cpp", sums::SUM.as_bytes()), ("Makefile", sums::MAKEFILE.as_bytes())];
        assert_ne!(submission(&ann.upload(HAND_IN, "key", &files)), first);
        assert_eq!(site.number("select count(*) from submission"), 2);
        let page = ann.get("/assignments/sum");
        assert!(page.body.contains("1 of 3 submissions left today"), "{}", page.body);
        assert_eq!(ann.upload(HAND_IN, "", &files).status, 422, "without a key");
    });
}

#[test]
fn loose_files_are_packed_and_come_back_as_a_download_that_no_browser_shows() {
    site_on_both("{}", |site| {
        let ann = site.signed_in(&site.person("ann", Role::Student, ""));
        let files: [(&str, &[u8]); 2] =
            [("sum.cpp", sums::SUM.as_bytes()), ("Makefile", sums::MAKEFILE.as_bytes())];
        let id = submission(&ann.upload(HAND_IN, "key", &files));
        let mut other_way = files;
        other_way.reverse();
        submission(&ann.upload(HAND_IN, "other", &other_way));
        assert_eq!(
            site.number("select count(*) from archive"),
            1,
            "the same files, the same archive"
        );
        let archive = ann.get(&format!("/submissions/{id}/archive"));
        assert_eq!(archive.status, 200);
        let header = |name: &str| archive.headers[name].as_str();
        assert_eq!(
            header("content-disposition"),
            format!("attachment; filename=\"submission-{id}.tar.gz\"")
        );
        assert_eq!(header("x-content-type-options"), "nosniff");
        assert!(header("content-security-policy").contains("sandbox"));
        assert_eq!(header("content-type"), "application/octet-stream");
    });
}

#[test]
fn what_the_checks_refuse_costs_nothing_and_says_what_is_wrong() {
    site_on_both("{}", |site| {
        let ann = site.signed_in(&site.person("ann", Role::Student, ""));
        let bad: [(&str, &[u8]); 1] = [("submit.tar.gz", b"\x1f\x8bnonsense")];
        let answer = ann.upload(HAND_IN, "key", &bad);
        assert_eq!(answer.status, 422);
        assert!(answer.body.contains("this is no archive, or a damaged one"), "{}", answer.body);
        assert!(answer.body.contains("Refused, which cost no attempt"), "{}", answer.body);
        let json = ann.upload_for("/assignments/sum/check", "", &bad, "application/json");
        let json: serde_json::Value = serde_json::from_str(&json.body).unwrap();
        assert_eq!(json["refused"], true);
        let said = json["html"].as_str().unwrap();
        assert!(said.contains("Nothing was handed in, so it cost nothing"), "{said}");
        assert!(said.contains("check again") && !said.contains("hand in again"), "{said}");
        assert!(json["text"].as_str().unwrap().starts_with("ann: not graded"), "{json}");
        let right: [(&str, &[u8]); 1] = [("submit.tar.gz", &sums::right())];
        let fine = ann.upload("/assignments/sum/check", "", &right);
        assert_eq!(fine.status, 200);
        assert!(fine.body.contains("These files would be taken."), "{}", fine.body);
        let paths: [(&str, &[u8]); 2] = [("../sum.cpp", b""), ("Makefile", b"")];
        assert_eq!(ann.upload(HAND_IN, "key", &paths).status, 422);
        for table in ["select count(*) from submission", "select count(*) from archive"] {
            assert_eq!(site.number(table), 0, "{table}");
        }
        assert!(ann.get("/assignments/sum").body.contains("3 of 3 submissions left today"));
    });
}

#[test]
fn more_than_the_course_takes_is_refused_with_a_page() {
    site_on_both("{}", |site| {
        let ann = site.signed_in(&site.person("ann", Role::Student, ""));
        let large = vec![b'x'; 6 << 20];
        let answer = ann.upload(HAND_IN, "key", &[("sum.cpp", &large)]);
        assert_eq!(answer.status, 413);
        assert!(answer.body.contains("The files take more than 2048 kilobytes"), "{}", answer.body);
        assert!(answer.body.contains("the Makefile and the tests"), "{}", answer.body);
        let none = ann.upload(HAND_IN, "key", &[]);
        assert!(none.status == 422 && none.body.contains("No file was chosen"), "{}", none.body);
        assert_eq!(ann.post(HAND_IN, &[("request", "key")]).status, 422, "no form with files");
    });
}

#[test]
fn the_limit_holds_until_the_day_of_the_course_ends() {
    site_on_both("time_zone: <BBB>12", |site| {
        let ann = site.signed_in(&site.person("ann", Role::Student, ""));
        for key in ["a", "b", "c"] {
            ann.hands_in(key);
        }
        let full = ann.upload(HAND_IN, "d", &[("submit.tar.gz", &sums::right())]);
        assert_eq!(full.status, 422);
        assert!(full.body.contains("No submission is left for today, of 3"), "{}", full.body);
        assert!(full.body.contains(" BBB"), "the zone is named: {}", full.body);
        assert!(ann.get("/").body.contains("<b>0</b> of 3 submissions left"));
        let page = ann.get("/assignments/sum");
        assert!(page.body.contains("type=\"submit\" disabled"), "{}", page.body);
        // What was sent before is known, also when the day is full.
        ann.hands_in("c");
        // Between these zones lies always a midnight.
        site.rules("time_zone: <AAA>-14");
        assert!(ann.get("/").body.contains("<b>3</b> of 3 submissions left"));
        ann.hands_in("e");
    });
}

#[test]
fn the_page_says_what_late_costs_and_closed_takes_nothing() {
    let serve = format!(
        "assignments: {{ sum: {{ due: \"{}\", late: {{ days: 3, percent: 10 }} }} }}",
        hours(-25)
    );
    site_on_both(&serve, |site| {
        let student = site.person("ann", Role::Student, "");
        let ann = site.signed_in(&student);
        let page = ann.get("/assignments/sum");
        let late = "It is late day 2. Handing in now costs 20 % of its points until";
        assert!(page.body.contains(late), "{}", page.body);
        let form = "<form class=\"hand-in\"";
        assert!(page.body.contains(form), "late ones are taken: {}", page.body);
        let id = ann.hands_in("key");
        site.grades(&report("ann", 80.0, true));
        let page = ann.get(&format!("/submissions/{id}"));
        assert!(
            page.body
                .contains("2 late days. That costs 20 % of its points, which leaves 72 points"),
            "{}",
            page.body
        );
        let page = ann.get("/assignments/sum");
        assert!(
            page.body.contains("with 72 of 90 points (90 before the cost of 2 late days)"),
            "{}",
            page.body
        );
        // An extension of two days: not late any more.
        let person = student.id;
        site.write(move |connection| {
            connection.execute(
                "insert into exception (person, assignment, kind, amount, reason, at, granted_by) \
                 values ($1, 'sum', 'extension', 2880, 'ill', 0, $1)",
                &[person.into()],
            )
        });
        assert!(!ann.get("/assignments/sum").body.contains(late));
        site.rules(&format!("assignments: {{ sum: {{ due: \"{}\" }} }}", hours(-100)));
        let closed = ann.upload(HAND_IN, "late", &[("submit.tar.gz", &sums::right())]);
        assert!(closed.status == 422 && closed.body.contains("The assignment is closed since"));
        let page = ann.get("/assignments/sum").body;
        assert!(page.contains("Submissions are not taken any more"), "{page}");
        assert!(!page.contains(form) && !page.contains("submissions left today"), "{page}");
        let staff = site.signed_in(&site.person("tess", Role::Staff, ""));
        assert!(staff.get("/assignments/sum").body.contains(form), "staff try it out");
        assert!(ann.get("/").body.contains("closed"));
    });
}

#[test]
fn students_do_not_see_what_is_not_open_yet_and_staff_do() {
    let serve = format!("assignments: {{ sum: {{ opens: \"{}\" }} }}", hours(5));
    site_on_both(&serve, |site| {
        let ann = site.signed_in(&site.person("ann", Role::Student, ""));
        let staff = site.signed_in(&site.person("tess", Role::Staff, ""));
        assert!(!ann.get("/").body.contains("/assignments/sum"));
        let right = sums::right();
        let upload = |path| ann.upload(path, "key", &[("submit.tar.gz", &right)]).status;
        for status in [
            ann.get("/assignments/sum").status,
            ann.get("/assignments/sum/scoreboard").status,
            ann.post("/assignments/sum/counts", &[("counts", "last")]).status,
            upload(HAND_IN),
            upload("/assignments/sum/check"),
            ann.get("/assignments/none").status,
        ] {
            assert_eq!(status, 404);
        }
        assert!(staff.get("/").body.contains("not yet open"));
        staff.hands_in("key");
        assert_eq!(site.number("select count(*) from submission where slot is null"), 1);
    });
}

#[test]
fn the_last_counts_for_who_asks_for_it_and_that_is_logged() {
    site_on_both("{}", |site| {
        let ann = site.signed_in(&site.person("ann", Role::Student, ""));
        let best = ann.hands_in("a");
        site.grades(&report("ann", 80.0, true));
        let last = ann.hands_in("b");
        site.grades(&report("ann", 40.0, false));
        let says = |text: &str| {
            let page = ann.get("/assignments/sum");
            assert!(page.body.contains(text), "{text}: {}", page.body);
        };
        says(&format!("Submission {best} counts, with 90 of 90 points"));
        assert_eq!(ann.post_to("/assignments/sum/counts", &[("counts", "last")]).status, 403);
        assert_eq!(ann.post("/assignments/sum/counts", &[("counts", "none")]).status, 422);
        for _ in 0..2 {
            assert_eq!(ann.post("/assignments/sum/counts", &[("counts", "last")]).status, 303);
        }
        says(&format!("Submission {last} counts, with 40 of 90 points: it is the last one"));
        let sql = "select count(*) from audit where action = 'choose what counts' and before = '\"best\"' and after = '\"last\"'";
        assert_eq!(site.number(sql), 1);
    });
}

#[test]
fn past_the_limit_there_is_less_feedback_and_one_at_a_time() {
    site_on_both("assignments: { sum: { limit: 1, bonus: 0, beyond: grade } }", |site| {
        let ann = site.signed_in(&site.person("ann", Role::Student, ""));
        ann.hands_in("a");
        site.grades(&report("ann", 40.0, false));
        let page = ann.get("/assignments/sum");
        assert!(
            page.body.contains("is graded with less feedback, and does not count"),
            "{}",
            page.body
        );
        let past = ann.hands_in("b");
        let flood = ann.upload(HAND_IN, "c", &[("submit.tar.gz", &sums::right())]);
        assert!(
            flood.status == 422 && flood.body.contains("is still being graded"),
            "{}",
            flood.body
        );
        site.grades(&report("ann", 80.0, true));
        let page = ann.get(&format!("/submissions/{past}"));
        assert!(page.body.contains("It was past the limit of its day"), "{}", page.body);
        assert!(
            !page.body.contains("Your tests expose") && !page.body.contains("bugs exposed"),
            "{}",
            page.body
        );
        let page = ann.get("/assignments/sum");
        assert!(
            page.body.contains("with 40 of 90 points"),
            "what is past the limit does not count"
        );
    });
}

#[test]
fn what_is_past_the_limit_earns_no_more_submissions() {
    site_on_both("assignments: { sum: { limit: 1, bonus: 1, beyond: grade } }", |site| {
        let ann = site.signed_in(&site.person("ann", Role::Student, ""));
        ann.hands_in("a");
        site.grades(&report("ann", 40.0, false));
        for key in ["b", "c"] {
            ann.hands_in(key);
            site.grades(&report("ann", 80.0, true));
            for path in ["/", "/assignments/sum"] {
                let page = ann.get(path).body;
                assert!(page.contains("of 1 submissions left"), "{path}: {page}");
                assert!(!page.contains("Your tests earned"), "{path}: {page}");
            }
        }
        let past = "select count(*) from submission where feedback = 'past_limit'";
        assert_eq!(site.number(past), 2);
        // Those of another day count, and earn it.
        site.write(|connection| {
            connection.execute("update submission set day = '2001-01-01'", &[])
        });
        ann.hands_in("d");
        site.grades(&report("ann", 40.0, true));
        let page = ann.get("/assignments/sum").body;
        assert!(page.contains("1 of 2 submissions left today"), "{page}");
        assert!(page.contains("Your tests earned 1 more submission a day."), "{page}");
    });
}
