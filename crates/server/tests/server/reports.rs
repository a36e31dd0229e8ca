//! The page of a submission: what it shows to whom, and when.

use super::support::records::{HINT, report};
use super::support::{site_on_both, sums};
use serde_json::json;
use server::courses::{self, upload};
use server::people::Role;
use server::queue::{self, Class};
use std::fs;

#[test]
fn others_do_not_find_a_submission_and_staff_read_it_both_ways() {
    site_on_both("{}", |site| {
        let ann = site.signed_in(&site.person("ann", Role::Student, "a"));
        let bob = site.signed_in(&site.person("bob", Role::Student, "a"));
        let staff = site.signed_in(&site.person("tess", Role::Staff, ""));
        let id = ann.hands_in("key");
        site.grades(&report("ann", 40.0, true));
        for page in ["", "/events", "/archive"] {
            let path = format!("/submissions/{id}{page}");
            assert_eq!(bob.get(&path).status, 404, "{path}");
            assert_eq!(site.nobody().get(&path).status, 303, "{path}");
            assert_eq!(staff.get(&path).status, 200, "{path}");
        }
        let own = ann.get(&format!("/submissions/{id}")).body;
        assert!(
            own.contains("This is the submission that counts") && !own.contains("adds-one"),
            "{own}"
        );
        let full = staff.get(&format!("/submissions/{id}")).body;
        assert!(full.contains("adds-one") && full.contains("You read it as staff"), "{full}");
        let theirs = staff.get(&format!("/submissions/{id}?as=student")).body;
        assert!(!theirs.contains("adds-one") && theirs.contains("as the student does"), "{theirs}");
        let forged = ann.get(&format!("/submissions/{id}?as=staff")).body;
        assert!(!forged.contains("adds-one"), "{forged}");
    });
}

#[test]
fn nothing_that_a_student_wrote_is_a_part_of_a_page() {
    const EVIL: &str = "<script>alert(1)</script>\"'><img src=x onerror=alert(1)>";
    site_on_both("assignments: { sum: { beyond: grade } }", |site| {
        let person = site.person("ann", Role::Student, "");
        let ann = site.signed_in(&person);
        let staff = site.signed_in(&site.person("tess", Role::Staff, ""));
        let name = "<script>alert(1)</script><img src=x onerror=alert(1)>.tar.gz";
        let first = super::support::records::submission(&ann.upload(
            super::support::records::HAND_IN,
            "key",
            &[(name, &sums::right())],
        ));
        let mut evil = report("ann", 40.0, true);
        evil["findings"] = json!([{ "rule": "files", "severity": "warning", "file": EVIL, "message": EVIL, "hint": EVIL }]);
        evil["build"]["error"] =
            json!({ "file": EVIL, "line": 1, "column": 1, "message": EVIL, "hint": EVIL });
        evil["build"]["warnings"] =
            json!([{ "file": EVIL, "line": 1, "column": 1, "message": EVIL }]);
        evil["groups"][0]["cases"][1]["says"] = json!(EVIL);
        evil["groups"][0]["cases"][1]["verdict"] = json!("rejected");
        evil["groups"][0]["cases"][1]["shown"] =
            json!({ "input": EVIL, "is_cut": false, "difference": null });
        evil["own"] = json!({ "file": EVIL, "verdict": "wrong", "command": [EVIL],
            "shown": { "input": EVIL, "is_cut": true, "difference": null } });
        evil["tests"]["tests"] = json!([{ "file": EVIL, "status": "rejected", "reason": EVIL, "hint": EVIL, "exposes": [] }]);
        evil["tests"]["exposed_by"] = json!({ "adds-one": [{ "file": EVIL, "how": "output" }] });
        evil["leaks"] = json!({ "checked": 1, "clean": 0, "leaks": [{ "kind": "definite", "counts": true,
            "bytes": 1, "place": [EVIL], "case": EVIL }], "errors": [], "unchecked": EVIL, "evaded": EVIL });
        let claim = site.claims(Some(("leaks", evil.clone())));
        let clean = |what: &str, body: &str| {
            for part in ["<script>alert", "<img src=x"] {
                assert!(!body.contains(part), "{what}: {body}");
            }
        };
        for (who, browser) in [("ann", &ann), ("tess", &staff)] {
            clean(who, &browser.get(&format!("/submissions/{first}")).body);
        }
        site.finishes(&claim, &evil);
        let second = ann.hands_in("other");
        site.grades(&evil);
        for browser in [&ann, &staff] {
            for path in [
                "/".to_owned(),
                "/assignments/sum".to_owned(),
                "/assignments/sum/scoreboard".to_owned(),
                format!("/submissions/{first}"),
                format!("/submissions/{second}"),
                format!("/submissions/{second}?as=student"),
            ] {
                let answer = browser.get(&path);
                assert_eq!(answer.status, 200, "{path}");
                clean(&path, &answer.body);
            }
        }
        let listed = ann.get("/assignments/sum").body;
        assert!(
            listed.contains("&#62;&#60;img src=x onerror=alert(1)"),
            "the name is shown: {listed}"
        );
        let names: [(&str, &[u8]); 2] =
            [("<img src=x onerror=alert(1)>.cpp", b"<script>alert(1)</script>"), ("Makefile", b"")];
        for path in ["/assignments/sum/check", super::support::records::HAND_IN] {
            clean(path, &ann.upload(path, "third", &names).body);
        }
        let check = ann.upload_for("/assignments/sum/check", "", &names, "application/json");
        let check: serde_json::Value = serde_json::from_str(&check.body).unwrap();
        clean("the check", check["html"].as_str().unwrap());
    });
}

#[test]
fn points_and_verdicts_come_when_the_course_shows_them() {
    site_on_both("assignments: { sum: { scores: 2099-01-01 } }", |site| {
        let ann = site.signed_in(&site.person("ann", Role::Student, ""));
        let staff = site.signed_in(&site.person("tess", Role::Staff, ""));
        let id = ann.hands_in("key");
        let mut graded = report("ann", 40.0, true);
        graded["findings"] = json!([{ "rule": "files", "severity": "warning", "message": "notes.doc does not belong here" }]);
        let claim = site.claims(Some(("cases", graded.clone())));
        let secrets = ["50 of 90", "40 of 80", "Large", "1 of 2", "1 bug", HINT];
        let hides = |path: &str| {
            let body = ann.get(path).body;
            for secret in secrets {
                assert!(!body.contains(secret), "{path} {secret}: {body}");
            }
            body
        };
        let path = format!("/submissions/{id}");
        hides(&path);
        site.finishes(&claim, &graded);
        let body = hides(&path);
        assert!(body.contains("Points are shown from Thu 1 Jan 2099"), "{body}");
        assert!(body.contains("notes.doc does not belong here"), "messages come first: {body}");
        hides("/");
        hides("/assignments/sum");
        let board = hides("/assignments/sum/scoreboard");
        assert!(board.contains("The scoreboard is shown from"), "{board}");
        assert!(staff.get(&path).body.contains("50"), "staff see all");
        hides_from_clients(site, id);
        site.rules("{}");
        assert!(ann.get(&path).body.contains("<strong>50</strong> of 90 points"));
    });
}

/// The JSON of a submission has no points either.
fn hides_from_clients(site: &super::support::site::Site, id: i64) {
    let token = site.write(|connection| {
        let ann = server::people::Person::by_login(connection, "ann")?.unwrap();
        server::tokens::make(connection, ann.id, "test")
    });
    let request = ureq::get(format!("{}/submissions/{id}?text=true", site.url));
    let request = request.header("accept", "application/json");
    let mut answer = request.header("authorization", format!("Bearer {token}")).call().unwrap();
    let json: serde_json::Value =
        serde_json::from_str(&answer.body_mut().read_to_string().unwrap()).unwrap();
    assert!(json["points"].is_null() && json["exposed"].is_null(), "{json}");
    assert_eq!(json["graded"]["submissions"][0]["points"]["earned"], 0.0);
    assert!(json["graded"]["submissions"][0]["groups"].as_array().unwrap().is_empty());
}

#[test]
fn hints_are_given_once_for_each_day_and_only_to_their_student() {
    site_on_both("{}", |site| {
        let ann = site.signed_in(&site.person("ann", Role::Student, ""));
        let staff = site.signed_in(&site.person("tess", Role::Staff, ""));
        let id = ann.hands_in("key");
        site.grades(&report("ann", 40.0, false));
        let path = format!("/submissions/{id}");
        staff.get(&format!("{path}?as=student"));
        assert_eq!(
            site.number("select count(*) from hint"),
            0,
            "who looks over a shoulder takes no hint"
        );
        for _ in 0..2 {
            assert!(ann.get(&path).body.contains(HINT));
        }
        assert_eq!(site.number("select count(*) from hint"), 1);
        assert!(staff.get(&format!("{path}?as=student")).body.contains(HINT));
        // What is exposed needs no hint.
        let better = ann.hands_in("other");
        site.grades(&report("ann", 40.0, true));
        assert!(!ann.get(&format!("/submissions/{better}")).body.contains(HINT));
    });
}

#[test]
fn what_changed_since_the_last_attempt_is_shown_and_an_earlier_result_is_linked() {
    site_on_both("{}", |site| {
        let ann = site.signed_in(&site.person("ann", Role::Student, ""));
        ann.hands_in("a");
        site.grades(&report("ann", 40.0, false));
        let id = ann.hands_in("b");
        site.grades(&report("ann", 80.0, true));
        let path = format!("/submissions/{id}");
        let page = ann.get(&path).body;
        assert!(page.contains("+50") && page.contains("sample/Large"), "{page}");
        let job = site.number("select max(job) from result");
        let (student, course) = site.write(move |connection| {
            let row =
                connection.first("select course from job where id = $1", &[job.into()])?.unwrap();
            let person = server::people::Person::by_login(connection, "ann")?.unwrap();
            Ok((person.id, row.text(0)))
        });
        site.write(move |connection| {
            queue::put(connection, id, student, &course, Class::ByHand, None)
        });
        assert!(ann.get(&path).body.contains("It is being graded again"));
        site.grades(&report("ann", 60.0, true));
        let page = ann.get(&path).body;
        assert!(page.contains("<strong>70</strong> of 90 points"), "{page}");
        assert!(page.contains(&format!("{path}?result={job}")), "{page}");
        let earlier = ann.get(&format!("{path}?result={job}")).body;
        assert!(earlier.contains("<strong>90</strong> of 90 points"), "{earlier}");
        assert!(earlier.contains("This is not the result that stands"), "{earlier}");
        assert_eq!(ann.get(&format!("{path}?result=9999")).status, 404);
        let first = site.number("select min(job) from result");
        assert_eq!(ann.get(&format!("{path}?result={first}")).status, 404, "of another submission");
    });
}

#[test]
fn after_the_end_the_submission_that_counts_is_read_as_the_final_one() {
    site_on_both("{}", |site| {
        let file = site.course.path().join("harness.yaml");
        let course = fs::read_to_string(&file).unwrap();
        let levels = "feedback: { normal: none, final: exposed";
        fs::write(&file, course.replace("feedback: {", &format!("{levels},"))).unwrap();
        let packed = upload::from_folder(site.course.path()).unwrap();
        site.write(move |connection| {
            let digest = courses::add(connection, &packed.bytes, &packed.title, None)?;
            courses::put_in_force(connection, &digest, None)
        });
        let ann = site.signed_in(&site.person("ann", Role::Student, ""));
        let all = [("best", 80.0), ("worse", 40.0)].map(|(key, earned)| {
            let id = ann.hands_in(key);
            site.grades(&report("ann", earned, true));
            id
        });
        let page = |id: i64| ann.get(&format!("/submissions/{id}")).body;
        let list = || ann.get("/assignments/sum").body.matches("<td>1</td>").count();
        for id in all {
            assert!(!page(id).contains("adds-one") && !page(id).contains("Your tests expose"));
        }
        assert_eq!(list(), 0, "the list has no bugs");
        site.rules("assignments: { sum: { due: 2026-01-01 } }");
        assert!(page(all[0]).contains("adds-one"), "{}", page(all[0]));
        assert!(!page(all[1]).contains("adds-one"), "{}", page(all[1]));
        assert_eq!(list(), 1, "only the final one shows its bugs");
    });
}

#[test]
fn a_fault_of_the_machine_costs_no_attempt_and_is_no_secret() {
    site_on_both("{}", |site| {
        let ann = site.signed_in(&site.person("ann", Role::Student, ""));
        let id = ann.hands_in("key");
        for _ in 0..queue::MOST_ATTEMPTS {
            site.write(|connection| {
                connection.execute("update job set until = 0", &[])?;
                let claim = queue::claim(connection, "w")?.unwrap();
                queue::fail(connection, &claim, "secret of the machine")
            });
        }
        let page = ann.get(&format!("/submissions/{id}")).body;
        assert!(page.contains("This is not your fault, and costs no attempt"), "{page}");
        assert!(!page.contains("secret of the machine"), "{page}");
        let staff = site.signed_in(&site.person("staff", Role::Staff, ""));
        let page = staff.get(&format!("/submissions/{id}")).body;
        for words in ["<pre", "secret of the machine</pre>", "#staff-tools", "/queue#failed"] {
            assert!(page.contains(words), "{words}: {page}");
        }
        assert!(!page.contains("not your fault"), "{page}");
        let as_student = staff.get(&format!("/submissions/{id}?as=student")).body;
        assert!(!as_student.contains("secret of the machine"), "{as_student}");
        let grader = site.signed_in(&site.person("gil", Role::Grader, ""));
        let page = grader.get(&format!("/submissions/{id}")).body;
        assert!(page.contains("secret of the machine") && !page.contains("#staff-tools"), "{page}");
        assert!(ann.get("/assignments/sum").body.contains("3 of 3 submissions left today"));
    });
}
