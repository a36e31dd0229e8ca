//! Late work: the page says before what it costs, the budget is a constraint, and an extension gives days back.

use super::support::records::{HAND_IN, report};
use super::support::site::{Browser, Site};
use super::support::{site_on_both, sums};
use server::people::{Person, Role};

/// Rules by which the assignment was due so many hours ago.
fn due(site: &Site, hours: i64, budget: i64, more: &str) {
    let now = site.runtime.block_on(site.app.now()).unwrap().0;
    let due = jiff::Timestamp::from_millisecond(now - hours * 3_600_000).unwrap();
    let later = jiff::Timestamp::from_millisecond(now + 7_200_000).unwrap();
    site.rules(&format!(
        "time_zone: UTC\nlate_days: {budget}\nassignments: {{ sum: {{ due: \"{due}\", {more}, \
         sections: {{ b: {{ due: \"{later}\" }} }} }} }}\n"
    ));
}

fn ann(site: &Site) -> (Person, Browser) {
    let ann = site.person("ann", Role::Student, "a");
    let browser = site.signed_in(&ann);
    (ann, browser)
}

/// The late days of the budget that are spent.
fn spent(site: &Site) -> i64 {
    site.number("select count(*) from late_day")
}

#[test]
fn the_page_says_what_handing_in_costs_and_that_is_what_it_costs() {
    site_on_both("{}", |site| {
        due(site, 30, 1, "late: { days: 5, percent: 10 }");
        let (_, ann) = ann(site);
        let page = ann.get("/assignments/sum").body;
        assert!(
            page.contains("It is late day 2. Handing in now costs 10 % of its points until"),
            "{page}"
        );
        assert!(
            page.contains(
                "It spends 1 late day of the course, whether or not this submission counts"
            ),
            "{page}"
        );
        assert!(page.contains("You have 1 of 1 late day left for the whole course."), "{page}");
        let first = ann.hands_in("first");
        assert_eq!(spent(site), 1);
        let page = ann.get("/assignments/sum").body;
        assert!(page.contains("You have 0 of 1 late day left"), "{page}");
        assert!(page.contains("The late days that you spent here cover it."), "{page}");
        ann.hands_in("second");
        assert_eq!(spent(site), 1, "a day covers all submissions of its assignment");
        site.grades(&report("ann", 80.0, true));
        let page = ann.get(&format!("/submissions/{first}")).body;
        assert!(page.contains("It was late: 2 late days, 1 of your late days of the course. That costs 10 % of its points, which leaves 81 points."), "{page}");
        let staff = site.signed_in(&site.person("staff", Role::Staff, ""));
        let gradebook = staff.get("/assignments/sum/gradebook.csv").body;
        assert!(gradebook.lines().nth(1).unwrap().ends_with(",best,2,1,9,81"), "{gradebook}");
        let student = staff.get("/students/ann").body;
        assert!(
            student.contains("<strong>0</strong> of 1 late day of the course left"),
            "{student}"
        );
        assert!(
            student.contains("2 days late (1 of the budget), which costs 10 % of its points"),
            "{student}"
        );
    });
}

#[test]
fn hours_and_points_are_counted_and_grace_is_not_late() {
    site_on_both("{}", |site| {
        due(site, 3, 0, "late: { days: 1, points: 2, per: hour, most: 7 }");
        let (_, ann) = ann(site);
        let page = ann.get("/assignments/sum").body;
        assert!(
            page.contains("Handing in now costs 7 points until"),
            "four hours have begun: {page}"
        );
        due(site, 3, 0, "late: { days: 1, points: 2, per: hour, grace: 240 }");
        let page = ann.get("/assignments/sum").body;
        assert!(page.contains("It is in time until"), "{page}");
        assert!(page.contains("What comes within 240 minutes after"), "{page}");
        ann.hands_in("in time");
        assert_eq!(site.number("select late_hours from submission"), 0);
    });
}

#[test]
fn a_section_has_its_own_due_date() {
    site_on_both("{}", |site| {
        due(site, 30, 0, "late: { days: 5, percent: 10 }");
        let bob = site.signed_in(&site.person("bob", Role::Student, "b"));
        assert!(bob.get("/assignments/sum").body.contains("It is in time until"));
        bob.hands_in("in time");
        assert_eq!(site.number("select late_days from submission"), 0);
        let (_, ann) = ann(site);
        assert!(ann.get("/assignments/sum").body.contains("It is late day 2."));
    });
}

#[test]
fn days_that_nothing_else_covers_are_not_taken() {
    site_on_both("{}", |site| {
        due(site, 30, 1, "late: { days: 5 }");
        let (_, ann) = ann(site);
        let page = ann.get("/assignments/sum").body;
        assert!(page.contains("The assignment is closed"), "{page}");
        due(site, 30, 2, "late: { days: 5 }");
        ann.hands_in("first");
        assert_eq!(spent(site), 2);
        due(site, 50, 2, "late: { days: 5 }");
        assert!(ann.get("/assignments/sum").body.contains("The assignment is closed"));
    });
}

#[test]
fn an_extension_is_also_for_what_was_handed_in_and_gives_days_back() {
    site_on_both("{}", |site| {
        due(site, 30, 3, "late: { days: 5, percent: 10 }");
        let (_, ann) = ann(site);
        ann.hands_in("first");
        assert_eq!(spent(site), 2);
        let staff = site.signed_in(&site.person("staff", Role::Staff, ""));
        for (amount, left) in [("10h", 1), ("1d", 0)] {
            let fields = [
                ("assignment", "sum"),
                ("kind", "extension"),
                ("amount", amount),
                ("reason", "ill"),
            ];
            assert_eq!(staff.post("/students/ann/exceptions", &fields).status, 303);
            assert_eq!(spent(site), left);
            let sql = "select late_days * 100 + covered_days from submission";
            assert_eq!(site.number(sql), left * 101);
        }
    });
}

#[test]
fn no_day_of_a_budget_is_spent_twice_at_the_same_moment() {
    site_on_both("{}", |site| {
        due(site, 30, 3, "limit: 20, late: { days: 5, percent: 10 }");
        let (_, ann) = ann(site);
        std::thread::scope(|scope| {
            for number in 0..8 {
                let ann = &ann;
                scope.spawn(move || {
                    let (key, archive) = (format!("at once {number}"), sums::right());
                    let files: [(&str, &[u8]); 1] = [("submit.tar.gz", &archive)];
                    // A person sends few files at the same time.
                    while ann.upload(HAND_IN, &key, &files).status == 429 {
                        std::thread::sleep(std::time::Duration::from_millis(100));
                    }
                });
            }
        });
        assert_eq!((spent(site), site.number("select count(*) from submission")), (2, 8));
        assert_eq!(site.number("select cast(sum(covered_days) as bigint) from submission"), 16);
        let twice = site.runtime.block_on(site.app.database.write(|connection| {
            connection.execute(
                "insert into late_day select person, number, submission from late_day",
                &[],
            )
        }));
        assert!(twice.is_err(), "the database cannot hold a day twice");
    });
}

#[test]
fn a_submission_that_is_refused_spends_no_day() {
    site_on_both("{}", |site| {
        due(site, 30, 3, "late: { days: 5, percent: 10 }");
        let (_, ann) = ann(site);
        ann.hands_in("first");
        assert_eq!(spent(site), 2);
        let mut refused = report("ann", 0.0, false);
        refused["refused"] = true.into();
        site.grades(&refused);
        assert_eq!(spent(site), 0);
    });
}
