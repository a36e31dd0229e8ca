//! What staff and graders see and change.

use super::support::results::{fail_all, graded, handed_in, work_off};
use super::support::site::Site;
use super::support::site_on_both;
use server::courses;
use server::people::{Person, Role};
use server::queue::{self, Class};
use server::submissions::results;

const SERVE: &str = "assignments: { sum: { late: { days: 2, percent: 10 }, due: 2040-01-01 } }\n";

/// Ann of section a and Bob of section b, each with two submissions.
fn class(site: &Site) -> (Person, Person) {
    let (ann, bob) =
        (site.person("ann", Role::Student, "a"), site.person("bob", Role::Student, "b"));
    let (one, other) = (ann.clone(), bob.clone());
    site.write(move |connection| {
        for (student, right) in [(&one, 5), (&one, 9), (&other, 7), (&other, 2)] {
            graded(connection, student, "sum", right)?;
        }
        Ok(())
    });
    (ann, bob)
}

fn grader_of_a(site: &Site) -> Person {
    site.person("gil", Role::Grader, "");
    site.write(|connection| {
        connection.execute("update person set sees = 'a' where login = 'gil'", &[])?;
        Ok(Person::by_login(connection, "gil")?.unwrap())
    })
}

#[test]
fn the_list_has_the_points_that_count_and_finds_by_name_and_section() {
    site_on_both(SERVE, |site| {
        class(site);
        site.person("cy_", Role::Student, "a");
        let staff = site.signed_in(&site.person("staff", Role::Staff, ""));
        let all = staff.get("/students").body;
        assert!(all.contains("3 students"), "{all}");
        assert!(all.contains(">72</td>") && all.contains(">56</td>"), "the best counts: {all}");
        let some = |query: &str| staff.get(&format!("/students?{query}")).body;
        assert!(some("q=AN").contains("1 student found"));
        assert!(some("q=_").contains("/students/cy_"), "an underscore is a letter");
        assert!(some("q=%25").contains("Nobody is found"));
        assert!(
            some("section=b").contains("/students/bob")
                && !some("section=b").contains("/students/ann")
        );
        assert!(some("page=2").contains("Nobody is found"));
    });
}

#[test]
fn a_grader_reads_nothing_of_other_sections_on_any_page_or_export() {
    site_on_both(SERVE, |site| {
        let (_, bob) = class(site);
        let id = bob.id;
        site.write(move |connection| {
            let bob = Person::find(connection, id)?.unwrap();
            let submission = handed_in(connection, &bob, "sum")?;
            let course = courses::in_force(connection)?.unwrap();
            queue::put(connection, submission, bob.id, &course, Class::Live, None)?;
            fail_all(connection, "no disk")
        });
        let gil = site.signed_in(&grader_of_a(site));
        for path in [
            "/students",
            "/students?q=bob",
            "/students?section=b",
            "/queue",
            "/assignments/sum/class",
            "/assignments/sum/gradebook.csv",
            "/assignments/sum/gradebook.json",
            "/assignments/sum/submissions.csv",
            "/assignments/sum/submissions.json",
            "/assignments/sum/records.json",
            "/gradebook.csv",
        ] {
            let answer = gil.get(path);
            assert_eq!(answer.status, 200, "{path}");
            let names_bob = answer.body.contains("/students/bob")
                || answer.body.contains("bob,")
                || (answer.body.contains("\"bob\"") && !path.contains("q="))
                || answer.body.contains(">bob<");
            assert!(!names_bob, "{path}: {}", answer.body);
            let is_about_ann = answer.body.contains("ann")
                || path.contains("q=")
                || path == "/queue"
                || path.contains("section=b");
            assert!(is_about_ann, "{path}: {}", answer.body);
        }
        assert_eq!((gil.get("/students/ann").status, gil.get("/students/bob").status), (200, 404));
        assert_eq!(gil.get("/course").status, 404);
        assert_eq!(
            gil.post("/students/ann/exceptions", &[]).status,
            404,
            "a grader grants nothing"
        );
        let staff = site.signed_in(&site.person("staff", Role::Staff, ""));
        assert!(staff.get("/queue").body.contains("no disk"));
    });
}

#[test]
fn exceptions_have_a_reason_and_are_in_the_log_with_what_was_before() {
    site_on_both(SERVE, |site| {
        class(site);
        let staff = site.signed_in(&site.person("staff", Role::Staff, ""));
        let grant = |fields: &[(&str, &str)]| staff.post("/students/ann/exceptions", fields);
        let extension = [("assignment", "sum"), ("kind", "extension"), ("amount", "2d")];
        assert_eq!(grant(&extension).status, 422, "without a reason");
        let with_reason: Vec<_> = extension.into_iter().chain([("reason", "<b>ill</b>")]).collect();
        assert_eq!(grant(&with_reason).status, 303);
        let more = [("assignment", "sum"), ("kind", "more"), ("amount", "2"), ("reason", "sorry")];
        assert_eq!(grant(&more).status, 303);
        for (name, value) in [("amount", "0"), ("amount", "101"), ("day", "24.11.2026")] {
            let mut wrong = more.to_vec();
            wrong.retain(|(it, _)| *it != name);
            wrong.push((name, value));
            assert_eq!(grant(&wrong).status, 422, "{name} {value}");
        }
        let page = staff.get("/students/ann").body;
        assert!(page.contains("due 2 days later") && page.contains("2 more each day"), "{page}");
        assert!(page.contains("Tue 3 Jan 2040"), "the due date is later: {page}");
        assert!(page.contains("of 5 left today"), "{page}");
        assert!(!page.contains("<b>ill</b>"));
        assert!(!staff.get("/students/bob").body.contains("due 2 days later"));
        let id = site.write(|connection| {
            Ok(connection.query("select id from exception where kind = 'extension'", &[])?[0]
                .int(0))
        });
        let remove = |who: &str, reason: &str| {
            staff.post(&format!("/students/{who}/exceptions/{id}"), &[("reason", reason)]).status
        };
        assert_eq!(remove("bob", "no"), 404, "it is not Bob's");
        assert_eq!(remove("ann", ""), 422);
        assert_eq!((remove("ann", "by mistake"), remove("ann", "again")), (303, 404));
        let log = site.write(|connection| {
            let sql = "select action, object, reason, before, after from audit order by id";
            let rows = connection.query(sql, &[])?;
            let row =
                |row: &server::database::Row| (0..5).map(|at| row.text(at)).collect::<Vec<_>>();
            Ok(rows.iter().map(|it| row(it).join(" | ")).collect::<Vec<_>>())
        });
        assert_eq!(
            log,
            [
                "grant extension | student ann, sum | <b>ill</b> | {\"minutes\":0} | {\"minutes\":2880}",
                "grant submissions | student ann, sum | sorry | {\"day\":null,\"submissions\":0} | {\"day\":null,\"submissions\":2}",
                "remove extension | student ann, sum | by mistake | {\"minutes\":2880} | {\"minutes\":0}",
            ]
        );
        assert!(staff.get("/students/ann").body.contains("by mistake"), "the page has the log");
    });
}

#[test]
fn what_is_granted_to_all_holds_for_each_student() {
    site_on_both(SERVE, |site| {
        class(site);
        let staff = site.signed_in(&site.person("staff", Role::Staff, ""));
        let path = "/assignments/sum/exceptions";
        let fields = [("kind", "extension"), ("amount", "90"), ("reason", "power failure")];
        assert_eq!(staff.post(path, &fields).status, 303);
        for page in [path, "/students/ann", "/students/bob"] {
            let page = staff.get(page).body;
            assert!(
                page.contains("due 1 hour 30 minutes later") && page.contains("all students"),
                "{page}"
            );
        }
        let id = site
            .write(|connection| Ok(connection.query("select id from exception", &[])?[0].int(0)));
        let from_student =
            staff.post(&format!("/students/ann/exceptions/{id}"), &[("reason", "x")]);
        assert_eq!(from_student.status, 404, "one student's page does not take it from all");
        assert_eq!(staff.post(&format!("{path}/{id}"), &[("reason", "x")]).status, 303);
        assert!(staff.get(path).body.contains("There are none"));
        assert_eq!(staff.get("/assignments/none/exceptions").status, 404);
    });
}

#[test]
fn a_refund_gives_an_attempt_back_once() {
    site_on_both(SERVE, |site| {
        class(site);
        let staff = site.signed_in(&site.person("staff", Role::Staff, ""));
        let id = site.write(|connection| {
            Ok(connection.query("select min(id) from submission", &[])?[0].int(0))
        });
        let refund =
            |reason| staff.post(&format!("/submissions/{id}/refund"), &[("reason", reason)]).status;
        assert_eq!((refund(""), refund("the network"), refund("again")), (422, 303, 422));
        let slots = site.write(|connection| {
            Ok(connection.query("select count(*) from submission where slot is null", &[])?[0]
                .int(0))
        });
        assert_eq!(slots, 1);
        let page = staff.get("/students/ann").body;
        assert!(page.contains("used no attempt") && page.contains("the network"), "{page}");
    });
}

#[test]
fn a_submission_is_graded_once_more_and_its_earlier_record_stays() {
    site_on_both(SERVE, |site| {
        class(site);
        let staff = site.signed_in(&site.person("staff", Role::Staff, ""));
        let id = site.write(|connection| {
            Ok(connection.query("select min(id) from submission", &[])?[0].int(0))
        });
        let page = staff.get(&format!("/submissions/{id}")).body;
        assert!(page.contains("Grade it once more"), "{page}");
        let rerun = || {
            staff.post(&format!("/submissions/{id}/rerun"), &[("reason", "a slow machine")]).status
        };
        assert_eq!((rerun(), rerun()), (303, 422), "it is in the queue once");
        let class = site.write(|connection| {
            let row = connection.query("select class from job where state = 'queued'", &[])?;
            let class = row[0].int(0);
            work_off(connection, 10)?;
            Ok(class)
        });
        assert_eq!(class, Class::ByHand as i64);
        assert!(staff.get("/students").body.contains(">80</td>"), "the new result stands");
        let results = site.write(move |connection| {
            let sql = "select count(*) from result where submission = $1";
            Ok(connection.query(sql, &[id.into()])?[0].int(0))
        });
        assert_eq!(results, 2);
    });
}

#[test]
fn the_queue_shows_what_waits_runs_and_failed_and_what_failed_is_tried_again() {
    site_on_both(SERVE, |site| {
        let (ann, _) = class(site);
        let staff = site.signed_in(&site.person("staff", Role::Staff, ""));
        assert!(staff.get("/queue").body.contains("<strong>4</strong> graded"));
        let for_jobs = ann.clone();
        site.write(move |connection| {
            let course = courses::in_force(connection)?.unwrap();
            let one = handed_in(connection, &for_jobs, "sum")?;
            queue::put(connection, one, for_jobs.id, &course, Class::Live, None)?;
            fail_all(connection, "<i>no disk</i>")?;
            for class in [Class::Live, Class::ByHand] {
                let one = handed_in(connection, &for_jobs, "sum")?;
                queue::put(connection, one, for_jobs.id, &course, class, None)?;
            }
            let claim = queue::claim(connection, "w1")?.unwrap();
            queue::note_progress(connection, &claim, "cases", "{}")?;
            let now = connection.now()?;
            let sql = "insert into worker (name, seen, state) values ('w1', $1, 'grading')";
            connection.execute(sql, &[now.into()])
        });
        let page = staff.get("/queue").body;
        assert!(page.contains("&#60;i&#62;no disk") || page.contains("&lt;i&gt;no disk"), "{page}");
        for part in ["<td>cases</td>", "w1", "<strong>1</strong> running", "Next", ">there<"] {
            assert!(page.contains(part), "{part}: {page}");
        }
        let failed = site.write(|connection| {
            Ok(connection.query("select id from job where state = 'failed'", &[])?[0].int(0))
        });
        let retry = || staff.post(&format!("/queue/{failed}/retry"), &[]).status;
        assert_eq!((retry(), retry()), (303, 422), "it is tried again once");
        assert!(!staff.get("/queue").body.contains("no disk"));
        let done = site.write(|connection| {
            connection.execute("update job set until = 0", &[])?;
            work_off(connection, 3)
        });
        assert_eq!(
            done, 3,
            "a worker of long ago had the first attempts, and a new one has the next"
        );
    });
}

#[test]
fn the_gradebooks_have_each_student_and_what_late_days_cost() {
    site_on_both(SERVE, |site| {
        class(site);
        site.person("cy", Role::Student, "");
        site.write(|connection| {
            let bob = Person::by_login(connection, "bob")?.unwrap().id;
            let sql = "update submission set late_days = 1 where person = $1";
            connection.execute(sql, &[bob.into()])?;
            results::renew(connection, "sum", bob)?;
            connection.execute("update person set name = '=cmd()' where login = 'ann'", &[])
        });
        let staff = site.signed_in(&site.person("staff", Role::Staff, ""));
        let csv = staff.get("/assignments/sum/gradebook.csv");
        assert!(csv.headers["content-disposition"].starts_with("attachment"));
        let lines: Vec<_> = csv.body.lines().collect();
        assert_eq!(lines.len(), 4, "{}", csv.body);
        assert!(lines[0].starts_with("student,assignment,graded,points,max_points,cases,tests"));
        assert!(
            lines[0]
                .ends_with("name,section,group,submission,handed_in,counts,late_days,late_days_of_budget,late_cost,points_that_count")
        );
        assert!(
            lines[1].starts_with("ann,sum,yes,72,90,72,") && lines[1].contains(",'=cmd(),a,"),
            "{}",
            lines[1]
        );
        assert!(
            lines[2].starts_with("bob,sum,yes,56,90,") && lines[2].ends_with(",best,1,0,5.6,50.4"),
            "{}",
            lines[2]
        );
        assert!(lines[3].starts_with("cy,sum,no,,,"), "{}", lines[3]);
        let json: serde_json::Value =
            serde_json::from_str(&staff.get("/assignments/sum/gradebook.json").body).unwrap();
        assert_eq!(json["schema"], "harness-serve-gradebook/1");
        assert_eq!(json["students"][1]["submission"]["points"], 50.4);
        assert!(json["students"][2]["submission"].is_null());
        let all = staff.get("/gradebook.csv").body;
        assert_eq!(all, "login,name,section,sum\nann,'=cmd(),a,72\nbob,bob,b,50.4\ncy,cy,,\n");
        let canvas = staff.get("/gradebook.csv?for=canvas").body;
        let lines: Vec<_> = canvas.lines().collect();
        assert_eq!(lines[0], "Student,ID,SIS User ID,SIS Login ID,Section,Sum", "{canvas}");
        assert_eq!(lines[1..3], ["Points Possible,,,,,90", "'=cmd(),,,ann,a,72"], "{canvas}");
        let blackboard = staff.get("/gradebook.csv?for=blackboard").body;
        assert_eq!(blackboard, "Username,Sum\nann,72\nbob,50.4\ncy,\n");
        let page = staff.get("/assignments/sum/class");
        assert!(
            page.body.contains("Cases by difficulty") && page.body.contains("href=\"/submissions/")
        );
        assert!(page.body.contains("Students see their scores"));
        for path in ["class", "gradebook.csv", "submissions.json"] {
            assert_eq!(staff.get(&format!("/assignments/none/{path}")).status, 404);
        }
    });
}

#[test]
fn exports_have_all_submissions_and_their_records() {
    site_on_both(SERVE, |site| {
        class(site);
        let staff = site.signed_in(&site.person("staff", Role::Staff, ""));
        let csv = staff.get("/assignments/sum/submissions.csv").body;
        assert_eq!(csv.lines().count(), 5, "{csv}");
        assert!(csv.starts_with("submission,login,name,section,handed_in,day,"));
        let json = |path: &str| -> Vec<serde_json::Value> {
            serde_json::from_str(&staff.get(path).body).unwrap()
        };
        let all = json("/assignments/sum/submissions.json");
        assert_eq!((all.len(), &all[1]["points"]), (4, &serde_json::json!(72.0)));
        assert!(all[0].get("record").is_none());
        let records = json("/assignments/sum/records.json");
        assert_eq!(records[3]["record"]["schema"], "harness-record/1");
        site.write(|connection| {
            let row = connection.query("select id from person where login = 'ann'", &[])?;
            let ann = Person::find(connection, row[0].int(0))?.unwrap();
            connection.execute("update submission set slot = null", &[])?;
            for _ in 0..120 {
                let id = handed_in(connection, &ann, "sum")?;
                connection
                    .execute("update submission set slot = null where id = $1", &[id.into()])?;
            }
            Ok(())
        });
        assert_eq!(
            json("/assignments/sum/records.json").len(),
            124,
            "several parts follow one another"
        );
    });
}
