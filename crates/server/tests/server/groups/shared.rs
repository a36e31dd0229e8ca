//! What the members of a group share: the limit, the submissions, the grade, late days and extensions.

use super::{Browser, Role, Site, rules, student, together};
use crate::support::records::{HAND_IN, report};
use crate::support::{site_on_both, sums};

/// Ann of section a and bob of section b, who hand in together.
fn ann_and_bob(site: &Site) -> (Browser, Browser) {
    let (ann, bob) = (student(site, "ann", "a"), student(site, "bob", "b"));
    together(site, &ann, ("bob", &bob), "ann");
    (ann, bob)
}

#[test]
fn a_group_has_one_limit_one_set_of_submissions_and_one_grade() {
    site_on_both(&rules(2, "bonus: 1"), |site| {
        let (ann, bob) = ann_and_bob(site);
        let cat = student(site, "cat", "b");
        let (first, second) = (ann.hands_in("first"), bob.hands_in("second"));
        for browser in [&ann, &bob] {
            let page = browser.get("/assignments/sum").body;
            assert!(page.contains("1 of 3 submissions left today"), "{page}");
            assert!(page.contains("by ann") && page.contains("by bob"), "{page}");
            for id in [first, second] {
                assert_eq!(browser.get(&format!("/submissions/{id}")).status, 200);
                assert_eq!(browser.get(&format!("/submissions/{id}/archive")).status, 200);
                assert_eq!(cat.get(&format!("/submissions/{id}")).status, 404);
            }
        }
        site.grades(&report("ann", 50.0, false));
        site.grades(&report("ann", 70.0, true));
        // Bugs that one exposed earn a submission for all.
        assert!(ann.get("/assignments/sum").body.contains("2 of 4 submissions left today"));
        let staff = site.signed_in(&site.person("sam", Role::Staff, ""));
        for browser in [&ann, &bob] {
            assert!(browser.get("/").body.contains("<strong>80</strong>"));
        }
        assert_eq!(
            staff.get("/gradebook.csv").body,
            "login,name,section,sum\nann,ann,a,80\nbob,bob,b,80\ncat,cat,b,\n"
        );
        let book = staff.get("/assignments/sum/gradebook.csv").body;
        let rows: Vec<_> = book.lines().filter(|it| it.contains(",ann bob,")).collect();
        assert_eq!(rows.len(), 2, "{book}");
        assert!(rows[1].starts_with("bob,") && rows[1].ends_with(",80"), "{book}");
        let class = staff.get("/assignments/sum/class").body;
        assert!(class.contains("<summary>1 student</summary>"), "only cat has nothing: {class}");
        assert!(staff.get("/students/bob").body.contains("<strong>80</strong> of 90 points"));
        let exported = staff.get("/assignments/sum/submissions.csv").body;
        assert!(exported.lines().nth(2).unwrap().ends_with(",bob,ann bob"), "{exported}");
        // What one chooses holds for both, and so does the page of one submission.
        assert_eq!(bob.post("/assignments/sum/counts", &[("counts", "last")]).status, 303);
        assert!(ann.get("/assignments/sum").body.contains("Count my best instead of my last"));
        let receipt = bob.get(&format!("/submissions/{second}/receipt"));
        assert_eq!(receipt.status, 200, "{}", receipt.body);
        let asked = [("place", "whole"), ("text", "Why?")];
        assert_eq!(bob.post(&format!("/submissions/{second}/requests"), &asked).status, 303);
        assert!(ann.get(&format!("/submissions/{second}")).body.contains("Why?"));
    });
}

#[test]
fn a_grader_who_sees_one_of_a_group_sees_what_it_handed_in() {
    site_on_both(&rules(2, ""), |site| {
        let (ann, _) = ann_and_bob(site);
        let submission = ann.hands_in("first");
        for (login, sees, status) in [("gil", "a", 200), ("gus", "b", 200), ("gwen", "c", 404)] {
            let grader = site.person(login, Role::Grader, "");
            let (id, browser) = (grader.id, site.signed_in(&grader));
            site.write(move |connection| {
                let sql = "update person set sees = $1 where id = $2";
                connection.execute(sql, &[sees.into(), id.into()])
            });
            let page = browser.get(&format!("/submissions/{submission}"));
            assert_eq!(page.status, status, "{login}");
            assert!(
                status == 404 || page.body.contains("Of ann (ann), bob (bob)."),
                "{}",
                page.body
            );
            let rows = browser.get("/assignments/sum/submissions.csv").body.lines().count();
            assert_eq!(rows, if status == 200 { 2 } else { 1 }, "{login}");
        }
    });
}

#[test]
fn the_most_time_and_submissions_of_a_member_are_for_all_and_late_days_are_of_each() {
    site_on_both("{}", |site| {
        let now = site.runtime.block_on(site.app.now()).unwrap().0;
        let due = jiff::Timestamp::from_millisecond(now - 30 * 3_600_000).unwrap();
        let more = format!("due: \"{due}\", late: {{ days: 5, percent: 10 }}");
        let rules = |budget: i64| {
            format!(
                "time_zone: UTC\nlate_days: {budget}\nassignments: {{ sum: {{ {more}, \
                 groups: {{ until: 2100-01-01 }} }} }}\n"
            )
        };
        site.rules(&rules(3));
        let (ann, bob) = ann_and_bob(site);
        // One of bob's days is spent for another assignment.
        site.write(|connection| {
            connection.execute("insert into archive (digest, bytes) values ('x', '')", &[])?;
            let sql = "insert into submission (person, assignment, at, day, feedback, archive, \
                file_name, request) values (2, 'other', 0, '1970-01-01', 'normal', 'x', 'x', 'x')";
            let id = connection.insert(sql, &[])?;
            let sql = "insert into late_day (person, number, submission) values (2, 1, $1)";
            connection.execute(sql, &[id.into()])
        });
        let page = ann.get("/assignments/sum").body;
        assert!(page.contains("of 3 late days, 2 are left to the one who has fewest"), "{page}");
        ann.hands_in("first");
        let spent = "select count(*) * 10 + count(case when person = 1 then 1 end) from late_day";
        assert_eq!(site.number(spent), 52, "two of each, and one before");
        bob.hands_in("second");
        assert_eq!(site.number(spent), 52, "a day covers all submissions of the group");
        let staff = site.signed_in(&site.person("sam", Role::Staff, ""));
        let grants = |login: &str, kind: &str, amount: &str| {
            let fields =
                [("assignment", "sum"), ("kind", kind), ("amount", amount), ("reason", "ill")];
            assert_eq!(staff.post(&format!("/students/{login}/exceptions"), &fields).status, 303);
        };
        grants("bob", "extension", "10h");
        assert_eq!(site.number("select max(late_days) from submission"), 1);
        assert_eq!(site.number(spent), 31, "a day of each is given back");
        grants("ann", "extension", "1h");
        assert_eq!(site.number("select max(late_days) from submission"), 1, "the longest holds");
        grants("bob", "more", "2");
        grants("ann", "more", "1");
        assert!(ann.get("/assignments/sum").body.contains("3 of 5 submissions left today"));
    });
}

#[test]
fn members_of_a_group_are_not_similar_to_each_other() {
    site_on_both(&rules(2, ""), |site| {
        let (ann, bob) = (student(site, "ann", "a"), student(site, "bob", "b"));
        let eve = student(site, "eve", "a");
        let archive = sums::right();
        let files: [(&str, &[u8]); 1] = [("submit.tar.gz", &archive)];
        for browser in [&ann, &bob, &eve] {
            assert_eq!(browser.upload(HAND_IN, "same", &files).status, 303);
        }
        let staff = site.signed_in(&site.person("sam", Role::Staff, ""));
        let puts = [("logins", "ann bob"), ("reason", "they asked")];
        assert_eq!(staff.post("/assignments/sum/groups", &puts).status, 303);
        let page = staff.get("/assignments/sum/similar").body;
        assert!(page.contains("ann, bob") && page.contains("eve"), "{page}");
        assert!(!page.contains("\"/submissions/2\""), "what bob handed in alone: {page}");
    });
}
