//! The scoreboard of a class.

use super::support::records::report;
use super::support::site_on_both;
use server::people::Role;
use std::thread;
use std::time::Duration;

#[test]
fn the_scoreboard_shows_what_counts_with_oneself_marked() {
    site_on_both("{}", |site| {
        let students = ["ann", "bob", "eve"].map(|login| site.person(login, Role::Student, ""));
        let browsers = students.each_ref().map(|student| site.signed_in(student));
        for (browser, student) in browsers.iter().zip(&students) {
            browser.hands_in("key");
            let earned = if student.login == "eve" { 40.0 } else { 80.0 };
            site.grades(&report(&student.login, earned, false));
        }
        let board = |at: usize| browsers[at].get("/assignments/sum/scoreboard").body;
        let page = board(0);
        assert!(page.contains(">ann <b class=\"tag open\">you</b>"), "{page}");
        assert!(page.contains(">bob<") && !page.contains(">eve"), "only who is right: {page}");
        assert!(board(1).contains(">bob <b class=\"tag open\">you</b>"));
        // A later one counts, and is worse.
        browsers[0].hands_in("worse");
        site.grades(&report("ann", 40.0, false));
        browsers[0].post("/assignments/sum/counts", &[("counts", "last")]);
        thread::sleep(Duration::from_secs(2));
        assert!(!board(0).contains(">ann <b"), "{}", board(0));
    });
}
