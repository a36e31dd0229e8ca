//! Submissions of unit tests, from handing in to the page.

use super::support::grading::{cannot_grade, options};
use super::support::records::report;
use super::support::site::Site;
use super::support::sums::{archive, write};
use super::support::{on_each, sums};
use serde_json::{Value, json};
use server::database::Address;
use server::people::Role;

const COURSE: &str = r#"course: Sums
assignments:
  sum:
    title: Sum
    program: { python: sums.py }
    mutants: mutants
    tests: { unit: unittest, files: ["test_*.py"], coverage: true }
    scoring: { start: 0, full: 1, points: 10 }
    submission: { points: { tests: 10 } }
"#;

const MUTANT: &str =
    "summary: Adds one.\nkind: implementation\ntopic: sum\nspec: the sum\nhint: Add.\npoints: 1\n";

const TESTS: &str = "import unittest
from sums import add
class Sums(unittest.TestCase):
    def test_right(self): self.assertEqual(add(1, 2), 3)
    def test_wrong(self): self.assertEqual(add(1, 2), 4)
";

/// A site with a course of unit tests.
fn site(address: &Address, course: &str) -> Site {
    let folder = sums::course("");
    let add = |more: &str| {
        format!("def add(a, b):\n    return a + b{more}\ndef double(a):\n    return 2 * a\n")
    };
    for (name, text) in [
        ("harness.yaml", course),
        ("sums.py", &add("")),
        ("mutants/adds-one.py", &add(" + 1")),
        ("mutants/adds-one.yaml", MUTANT),
    ] {
        write(folder.path(), name, text);
    }
    Site::of(folder, address)
}

#[test]
fn the_tests_of_a_submission_of_unit_tests_are_graded_case_by_case() {
    if cannot_grade() {
        return;
    }
    on_each(|address| {
        let site = site(address, COURSE);
        let _working = site.workers(&options());
        let student = site.student();
        let submission = site.hand_in(&student, archive(&[("test_sums.py", TESTS)]));
        let report = site.record(submission).report;
        let tests = report.tests.unwrap();
        assert_eq!(tests.exposed_by["adds-one"][0].file, "test_sums.py:Sums.test_right");
        let rejected = tests.tests.iter().find(|test| test.reason.is_some()).unwrap();
        assert_eq!(rejected.file, "test_sums.py:Sums.test_wrong");
        assert_eq!(site.number("select points from result"), 1000);
        assert_eq!(site.number("select exposed from result"), 1);
        let path = format!("/submissions/{submission}");
        let page = site.signed_in(&student).get(&path);
        assert!(page.status == 200 && page.body.contains("3 != 4"), "{}", page.body);
        let valid = "<li><strong>test_sums.py:Sums.test_right</strong></li>";
        assert!(page.body.contains(valid), "no command runs a unit test: {}", page.body);
        // A student sees how much of the right program the tests reach, and staff also which lines they miss.
        let covered = "Coverage: 75 % of the lines of the right program";
        assert!(page.body.contains(covered), "{}", page.body);
        assert!(!page.body.contains("Not reached") && !page.body.contains("sums.py</code>"));
        let page = site.signed_in(&site.person("staff", Role::Staff, "")).get(&path);
        let covered = "Coverage: 75 % of the 4 lines of the right program";
        assert!(page.body.contains(covered), "{}", page.body);
        assert!(page.body.contains("Not reached: <code>sums.py</code> 4"), "{}", page.body);
    });
}

#[test]
fn a_file_that_is_all_that_is_taken_is_named_once() {
    on_each(|address| {
        let course = COURSE.replace("test_*.py", "test_sums.py");
        let site = site(address, &course);
        let page = site.signed_in(&site.student()).get("/assignments/sum").body;
        let named = "Required: <code>test_sums.py</code>; ";
        assert!(page.contains(named) && !page.contains("Accepted: "), "{page}");
    });
}

#[test]
fn the_steps_of_unit_tests_have_no_program() {
    on_each(|address| {
        let site = site(address, COURSE);
        let student = site.student();
        let submission = site.hand_in(&student, archive(&[("test_sums.py", TESTS)]));
        let browser = site.signed_in(&student);
        let page = || browser.get(&format!("/submissions/{submission}")).body;
        let steps = |page: &str| {
            let (_, list) = page.split_once("<ol class=\"steps\"").expect("it is under way");
            let (list, _) = list.split_once("</ol>").unwrap();
            let names = ["Queue", "Tests", "Build", "Cases", "Leaks", "Points"];
            names.into_iter().filter(|name| list.contains(name)).collect::<Vec<_>>()
        };
        assert_eq!(steps(&page()), ["Queue", "Tests", "Points"]);
        let mut scored = report("student", 0.0, true);
        (scored["build"], scored["groups"]) = (Value::Null, json!([]));
        site.claims(Some(("tests", scored)));
        let page = page();
        assert_eq!(steps(&page), ["Queue", "Tests", "Points"]);
        assert!(page.contains("aria-current=\"step\">Points"), "{page}");
        assert!(page.contains("Your tests are scored. The points come next."), "{page}");
    });
}
