//! Grading by hand in a browser: by keys, with comments at lines, and also without scripts.

use super::axe::Axe;
use super::in_browser;
use super::look::Album;
use super::pages::{Found, look};
use crate::support::records::report;
use crate::support::site::Site;
use crate::support::sqlite;
use server::people::Role;

const RUBRICS: &str = "assignments:\n  sum:\n    rubrics:\n      style:\n        most: 10\n        from: full\n        items:\n          names: { text: Names say nothing, points: -2.5 }\n          long: { text: Functions are long, points: -4 }\n      write-up:\n        most: 5\n        items:\n          argument: { text: The argument, levels: { missing: 0, weak: 2, good: 5 } }\n";

/// The points of the style, as the page adds them up.
const STYLE: &str = "document.querySelector('.rubric output').textContent";

#[test]
fn a_grader_goes_through_a_class_by_keys_and_comments_at_lines_also_without_scripts() {
    in_browser(|browser| {
        let folder = tempfile::tempdir().unwrap();
        let site = Site::new(&sqlite(&folder), RUBRICS);
        let submissions = ["ann", "bob"].map(|login| {
            let student = site.signed_in(&site.person(login, Role::Student, "a"));
            let submission = student.hands_in("first");
            site.grades(&report(login, 50.0, false));
            submission
        });
        let gil = site.person("gil", Role::Grader, "");
        browser.is_of(&site, &gil);
        let list = format!("{}/assignments/sum/by-hand", site.url);
        let is_at = |submission: i64| {
            format!(
                "location.pathname === '/submissions/{submission}/by-hand' && document.readyState === 'complete'"
            )
        };
        browser.visit(&list);
        browser.press(&["n"]);
        browser.waits_for(&is_at(submissions[0]));
        browser.press(&["1", "2"]);
        browser.waits_for(&format!("{STYLE} === '3.5'"));
        browser.press(&["2"]);
        browser.waits_for(&format!("{STYLE} === '7.5'"));
        browser.click(".line button[value='0:3']");
        assert_eq!(
            browser.text("document.querySelector('#comment').previousElementSibling.textContent"),
            "3int main() {"
        );
        browser.fills("#comment [name=text]", "Say n and 1 here");
        browser.click("#comment button[value=comment]");
        browser.waits_for(
            "document.querySelector('.remark .letter')?.textContent === 'Say n and 1 here'",
        );
        assert_eq!(browser.text(STYLE), "7.5", "what was ticked is saved with the comment");
        browser.click("input[type=radio][value=weak]");
        browser.press(&["n"]);
        browser.waits_for(&is_at(submissions[1]));
        assert_eq!(site.number("select sum(points) from hand_grade"), 950);

        browser.runs_scripts(false);
        browser.visit(&format!("{}/submissions/{}/by-hand", site.url, submissions[1]));
        browser.click(".line button[value='0:5']");
        browser.waits_for("location.search === '?file=0&line=5'");
        assert_eq!(
            browser.text("document.querySelector('#comment').closest('.source').getAttribute('aria-label') + document.querySelector('#comment [name=line]').value"),
            "sum.cpp5"
        );
        browser.runs_scripts(true);

        let Some(axe) = Axe::installed(browser) else { return };
        let (album, mut found) = (Album::new(), Found::default());
        browser.visit(&format!("{}/submissions/{}/by-hand", site.url, submissions[0]));
        look(browser, &axe, &album, "by-hand-one", &mut found);
        let staff = site.person("sam", Role::Staff, "");
        browser.is_of(&site, &staff);
        browser.visit(&list);
        look(browser, &axe, &album, "by-hand-list", &mut found);
        let sam = site.signed_in(&staff);
        let parts = [("part", "style"), ("part", "write-up")];
        assert_eq!(sam.post("/assignments/sum/by-hand/release", &parts).status, 303);
        browser.visit(&format!("{}/submissions/{}?as=student", site.url, submissions[0]));
        browser.waits_to_read("style: 7.5 of 10 points");
        look(browser, &axe, &album, "by-hand-report", &mut found);
        assert_eq!(found.told(), "");
    });
}
