//! Unit tests in Python that draw their values with Hypothesis, on a machine with a plugin of pytest that shuffles test cases.

use super::course::Course;
use super::run::has_a_sandbox;
use super::skip;
use std::process::Command;

/// Tests of two functions that each framework runs. The first one always takes longer than Hypothesis allows, unless told otherwise.
const TESTS: &str = "
import time
import unittest
from hypothesis import given, settings, strategies
from twice import twice

class TestTwice(unittest.TestCase):
    @given(strategies.just(4))
    def test_one(self, n):
        time.sleep(0.25)
        self.assertEqual(twice(n), 8)

    @given(strategies.integers(0, 9999))
    def test_two(self, n):
        self.assertEqual(twice(n), 2 * n)

    @given(strategies.integers())
    def test_wrong(self, n):
        self.assertLess(twice(n), 2000)
";

/// The same as functions, one that tells what was drawn, and others that the plugin would take in another order.
const FUNCTIONS: &str = "
@given(strategies.integers(0, 9999))
def test_three(n):
    assert twice(n) == 2 * n

def test_drawn():
    drawn = []
    @settings(max_examples=9)
    @given(strategies.integers(0, 9999))
    def draw(n):
        drawn.append(n)
    draw()
    assert sum(drawn) == -1

def test_e(): pass
def test_a(): pass
def test_d(): pass
def test_c(): pass
def test_b(): pass
";

fn course(framework: &str) -> Course {
    let course = Course::from_yaml(&format!(
        "course: T\nassignments:\n  twice:\n    program: {{ python: twice.py }}\n    mutants: mutants\n    \
         tests: {{ unit: {framework}, files: [test_it.py] }}\n    scoring: {{ start: 0, full: 1 }}\n"
    ));
    let course = course.file(
        "twice.py",
        "from subject import bug\n\ndef twice(n):\n    return n if n > 2000 and bug(\"large\") else 2 * n\n",
    );
    course.mutant("large", &[])
}

#[test]
#[ignore = "it takes long; .ci/run runs it"]
fn what_hypothesis_draws_is_the_same_each_time_and_no_case_is_accused_of_its_doings() {
    let import =
        Command::new("python3").args(["-c", "import hypothesis, pytest_randomly"]).output();
    if !import.is_ok_and(|output| output.status.success()) {
        return skip("`python3` has no Hypothesis, or no pytest-randomly");
    }
    if !has_a_sandbox() {
        return;
    }
    for (framework, tests, case, fails) in [
        ("unittest", TESTS.to_owned(), "TestTwice.test_two", "2001 != 4002"),
        ("pytest", format!("{TESTS}{FUNCTIONS}"), "test_three", "assert 2001 == (2 * 2001)"),
    ] {
        let course = course(framework);
        course.write("ann/test_it.py", &tests);
        let score = || course.score("ann", &[]).exits(0).stdout;
        let report = score();
        let wrong = "test_wrong  line 19: it fails on a right program: ";
        assert!(report.contains(wrong) && report.contains("2000 not less than 2000;"), "{report}");
        assert!(report.contains("test_one  exposes nothing"), "{report}");
        if framework == "pytest" {
            let at = ["e", "a", "d", "c", "b"].map(|it| report.find(&format!(":test_{it} ")));
            assert!(at[0].is_some() && at.is_sorted(), "{report}");
            assert!(report.contains("== -1"), "{report}");
            assert_eq!(score(), report);
        }
        let file = course.word("ann/test_it.py");
        let explain = ["explain", &format!("{file}:{case}"), "large"];
        let why = course.harness(&explain).exits(0).stdout;
        assert!(why.contains(fails), "{why}");
    }
}
