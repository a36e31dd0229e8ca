//! What staff change: they put students together and take them out, at any time, with a reason in the log.

use super::{Answer, Browser, Role, refused, rules, student, together};
use crate::support::records::report;
use crate::support::site_on_both;

fn puts(staff: &Browser, logins: &str, reason: &str) -> Answer {
    staff.post("/assignments/sum/groups", &[("logins", logins), ("reason", reason)])
}

fn takes_out(staff: &Browser, login: &str) -> Answer {
    let fields = [("logins", login), ("reason", "they quarrelled")];
    staff.post("/assignments/sum/groups/take-out", &fields)
}

#[test]
fn staff_put_students_together_after_they_handed_in_and_it_is_in_the_log() {
    site_on_both(&rules(2, ""), |site| {
        let all = ["ann", "bob", "cat", "dan"].map(|login| student(site, login, "a"));
        let [ann, bob, cat, dan] = &all;
        let (of_ann, of_bob) = (ann.hands_in("ann"), bob.hands_in("bob"));
        site.grades(&report("ann", 40.0, false));
        site.grades(&report("bob", 80.0, false));
        let staff = site.signed_in(&site.person("sam", Role::Staff, ""));
        refused(&puts(&staff, "ann bob", " "), "there is no reason");
        refused(&puts(&staff, "ann", "why"), "two students at least");
        refused(&puts(&staff, "ann sam", "why"), "no student has the login sam");
        assert_eq!(puts(&staff, "ann, bob cat", "three are left").status, 303, "past the most");
        refused(&puts(&staff, "dan ann", "why"), "ann is in a group already: ann bob cat");
        let page = staff.get("/assignments/sum/groups").body;
        assert!(page.contains("Take bob out"), "{page}");
        // What bob handed in alone is kept, and does not count.
        let book = staff.get("/gradebook.csv").body;
        assert!(book.contains("ann,ann,a,40\nbob,bob,a,40\ncat,cat,a,40\ndan,dan,a,\n"), "{book}");
        assert!(staff.get("/students/bob").body.contains("does not count in the group"));
        let sees = |browser: &Browser, id: i64| browser.get(&format!("/submissions/{id}")).status;
        assert_eq!((sees(bob, of_bob), sees(bob, of_ann), sees(cat, of_ann)), (200, 200, 200));
        assert_eq!((sees(ann, of_bob), sees(dan, of_ann)), (404, 404));
        let log = staff.get("/students/cat").body;
        assert!(log.contains("put into group") && log.contains("three are left"), "{log}");
        assert!(log.contains("ann bob cat"), "{log}");
        assert_eq!(site.write(server::audit::verify), Ok(2));
    });
}

#[test]
fn who_is_taken_out_works_alone_and_what_the_group_handed_in_stays_with_the_others() {
    site_on_both(&rules(3, ""), |site| {
        let all = ["ann", "bob", "cat"].map(|login| student(site, login, "a"));
        let [ann, bob, cat] = &all;
        together(site, ann, ("bob", bob), "ann");
        together(site, ann, ("cat", cat), "ann bob");
        let submission = ann.hands_in("ann");
        site.grades(&report("ann", 50.0, false));
        assert_eq!(bob.post("/assignments/sum/counts", &[("counts", "last")]).status, 303);
        let staff = site.signed_in(&site.person("sam", Role::Staff, ""));
        let grades = |expected: &str| {
            let book = staff.get("/gradebook.csv").body;
            let points = book.lines().skip(1).map(|it| it.rsplit(',').next().unwrap());
            assert_eq!(points.collect::<Vec<_>>().join(","), expected, "{book}");
        };
        grades("50,50,50");
        // The keeper leaves, and another keeps the submissions.
        assert_eq!(takes_out(&staff, "ann").status, 303);
        grades(",50,50");
        let page = format!("/submissions/{submission}");
        assert_eq!([ann, bob, cat].map(|it| it.get(&page).status), [404, 200, 200]);
        assert!(bob.get("/assignments/sum").body.contains("2 of 3 submissions left today"));
        assert!(cat.get("/assignments/sum").body.contains("by ann"));
        assert!(cat.get("/assignments/sum").body.contains("Count my best instead of my last"));
        assert!(ann.get("/assignments/sum").body.contains("3 of 3 submissions left today"));
        ann.hands_in("alone");
        site.grades(&report("ann", 70.0, false));
        grades("70,50,50");
        // The last two part: nobody is in a group.
        assert_eq!(takes_out(&staff, "cat").status, 303);
        grades("70,50,");
        assert_eq!(site.number("select count(*) from member"), 0);
        refused(&takes_out(&staff, "bob"), "in no group");
        let log = staff.get("/audit").body;
        assert!(log.contains("take out of group") && log.contains("they quarrelled"), "{log}");
    });
}

#[test]
fn what_a_group_handed_in_is_graded_by_hand_once() {
    let rubrics = "rubrics: { style: { most: 10, from: full, items: { names: { text: Names, points: -2 } } } }";
    site_on_both(&rules(2, rubrics), |site| {
        let [ann, bob] = ["ann", "bob"].map(|login| student(site, login, "a"));
        together(site, &ann, ("bob", &bob), "ann");
        let submission = bob.hands_in("first");
        site.grades(&report("ann", 50.0, false));
        let grader = site.signed_in(&site.person("gil", Role::Grader, ""));
        let list = grader.get("/assignments/sum/by-hand").body;
        assert!(list.contains("ann, bob"), "{list}");
        let page = format!("/submissions/{submission}/by-hand");
        assert_eq!(list.matches(&format!("\"{page}\"")).count(), 1, "{list}");
        assert!(grader.get(&page).body.contains("<h1>ann, bob</h1>"));
    });
}

#[test]
fn a_regrade_of_a_member_grades_what_the_group_handed_in() {
    site_on_both(&rules(2, ""), |site| {
        let (ann, bob) = (student(site, "ann", "a"), student(site, "bob", "a"));
        together(site, &ann, ("bob", &bob), "ann");
        bob.hands_in("first");
        site.grades(&report("ann", 50.0, false));
        let staff = site.signed_in(&site.person("sam", Role::Staff, ""));
        let version = site.write(server::courses::in_force).unwrap();
        for (scope, students) in [("students", "bob"), ("counting", "")] {
            let fields = [
                ("course", version.as_str()),
                ("assignment", "sum"),
                ("scope", scope),
                ("students", students),
                ("again", "yes"),
            ];
            assert_eq!(staff.post("/regrades", &fields).status, 303);
        }
        let sql = "select count(*) from job where regrade is not null";
        crate::support::grading::wait("both are queued", || site.number(sql) == 2);
    });
}
