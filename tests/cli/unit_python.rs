//! Tests that are programs: students' unit tests in Python.

use super::course::Course;
use super::run::{harness, has_a_sandbox, has_pytest};
use super::unit_tests::{rejected, rejected_at_a_line};
use harness::result::{Report, SuiteReport};
use std::collections::BTreeSet;
use std::fs;
use std::os::unix::fs::symlink;
use std::path::Path;

const EXAMPLE: &str = "examples/library-python";

/// A copy of the example, which the test may change.
pub(super) fn example() -> Course {
    let course = Course::copy_of(EXAMPLE);
    // What is compiled has the digests of its sources as names, so all tests can share it.
    let target = Path::new(env!("CARGO_TARGET_TMPDIR")).join("library-python");
    fs::create_dir_all(&target).unwrap();
    symlink(target, course.path("target")).unwrap();
    course
}

fn suite(report: &Report) -> &SuiteReport {
    &report.assignments[0].suites[0]
}

#[test]
#[ignore = "it takes long; .ci/run runs it"]
fn the_sample_suites_have_their_scores() {
    if !has_a_sandbox() || !has_pytest() {
        return;
    }
    let args = ["score", "examples/library-python/student_tests", "--format", "json"];
    let report = harness(&[&args[..], &["--course", EXAMPLE]].concat()).exits(0).report();
    let suites = &report.assignments[0].suites;
    let of = |name: &str| suites.iter().find(|suite| suite.name == name).unwrap();
    let (ann, bob) = (of("ann"), of("bob"));
    assert_eq!((ann.valid_tests(), ann.exposed_by.len()), (24, 15));
    assert_eq!((bob.valid_tests(), bob.exposed_by.len()), (2, 1));
    assert_eq!(bob.tests.len(), 4);
}

#[test]
#[ignore = "it takes long; .ci/run runs it"]
fn a_course_may_ask_for_one_bug_at_a_time() {
    if !has_a_sandbox() || !has_pytest() {
        return;
    }
    let course = example();
    let tests = "from loans import fee, is_leap


def test_most():
    assert fee(11, False) == 250


def test_last_day():
    assert fee(0, False) == 0


def test_all():
    assert fee(11, False) == 250 and fee(3, True) == 38 and not is_leap(1900)
";
    course.write("mine/test_loans.py", tests);
    let score = |more: &[&str]| {
        let args = [&["--format", "json"], more].concat();
        course.score("mine", &args).exits(0).report()
    };
    let before = score(&[]);
    course.replace("harness.yaml", "points: 10 }\n\n", "points: 10, bugs_per_test: 1 }\n\n");
    let after = score(&[]);
    let mut alone = BTreeSet::new();
    for (before, after) in suite(&before).tests.iter().zip(&suite(&after).tests) {
        assert_eq!(before.status, after.status);
        let bugs = before.exposes.len();
        if bugs > 1 {
            assert_eq!((after.too_broad, after.exposes.len()), (Some(bugs), 0));
        } else {
            assert_eq!((after.too_broad, &after.exposes), (None, &before.exposes));
            alone.extend(before.exposes.iter().cloned());
        }
    }
    let counted: BTreeSet<_> = suite(&after).exposed_by.keys().cloned().collect();
    assert_eq!(counted, alone);
    assert!(!alone.is_empty() && alone.len() < suite(&before).exposed_by.len());
    let text = course.score("mine", &[]).exits(0).stdout;
    assert!(text.contains("bugs, more than count for one test"), "{text}");
    let seen = score(&["--audience", "student"]);
    assert!(suite(&seen).tests.iter().all(|test| test.too_broad.is_none()));
}

#[test]
fn what_is_about_inputs_is_a_mistake_where_tests_are_unit_tests() {
    let course = example();
    let against = ["generate", "--against", "cat"];
    course.harness(&against).fails(
        2,
        "error: tests of `loans` are unit tests, and no inputs for a program\nhint: leave out --against[..]\n",
    );
    course.replace(
        "harness.yaml",
        "      unit: pytest ",
        "      parameters: [rows]\n      unit: pytest ",
    );
    course.score("student_tests", &[]).fails(2, "error: unit tests have no `parameters`\n...\n");
}

#[test]
fn a_limit_of_bugs_for_a_test_is_a_mistake_where_tests_are_files() {
    let course = Course::copy_of("docs/any-program");
    let course_file = course.read("harness.yaml");
    let scoring = course_file.lines().find(|line| line.trim().starts_with("scoring:")).unwrap();
    course.replace("harness.yaml", scoring, &scoring.replace('}', ", bugs_per_test: 1 }"));
    course
        .score("student_tests", &[])
        .fails(2, "...\n[..]`bugs_per_test` is for unit tests\n...\n");
}

/// A suite of one file with these test functions.
fn report(framework: &str, tests: &str) -> Option<Report> {
    if !has_a_sandbox() || framework == "pytest" && !has_pytest() {
        return None;
    }
    let course = example();
    course.replace("harness.yaml", "unit: pytest ", &format!("unit: {framework} "));
    // The witnesses are test cases of pytest.
    course.without_line("harness.yaml", "witnesses:");
    course.keep_mutants(&["charges-without-end", "rounds-the-half-down", "takes-any-book-back"]);
    course.write("mine/test_loans.py", tests);
    Some(course.score("mine", &["--format", "json"]).report())
}

#[test]
#[ignore = "it takes long; .ci/run runs it"]
fn subtests_and_marks_of_pytest_count_as_in_pytest() {
    let tests = "import unittest, warnings
import pytest
from loans import fee

class Fees(unittest.TestCase):
    def test_parts(self):
        for days in [11, 12]:
            with self.subTest(days=days):
                self.assertEqual(fee(days, False), 7)

@pytest.mark.filterwarnings('error')
def test_warns():
    with pytest.raises(UserWarning):
        warnings.warn('late')

@pytest.mark.filterwarnings('error')
def test_is_warned():
    warnings.warn('late')

def test_records(record_property):
    assert fee(11, False) == 250
";
    let Some(report) = report("pytest", tests) else { return };
    let right = suite(&report).tests.iter().filter(|test| test.reason.is_none());
    let right: Vec<_> = right.map(|test| test.file.as_str()).collect();
    assert_eq!(right, ["test_loans.py:test_warns", "test_loans.py:test_records"]);
    let parts = "line 9: it fails on a right program: AssertionError: 250 != 7";
    assert_eq!(rejected(&report, "Fees::test_parts"), parts);
    let warned = "line 18: it fails on a right program: UserWarning: late";
    assert_eq!(rejected(&report, "test_is_warned"), warned);
}

#[test]
fn a_suite_that_takes_too_long_is_rejected_from_the_file_on_that_does() {
    if !has_a_sandbox() {
        return;
    }
    let course = example();
    course.replace("harness.yaml", "unit: pytest ", "suite_seconds: 1\n      unit: unittest ");
    course.without_line("harness.yaml", "witnesses:");
    course.keep_mutants(&["charges-without-end", "rounds-the-half-down"]);
    let case = |pause: &str| {
        format!(
            "import time, unittest\nfrom loans import fee\n\nclass Fees(unittest.TestCase):\n    \
             def test_one(self):\n        time.sleep({pause})\n        time.monotonic = lambda: 0\n        \
             self.assertEqual(fee(11, False), 250)\n"
        )
    };
    for (name, pause) in [("a", "0"), ("b", "0.4"), ("c", "0")] {
        course.write(&format!("mine/test_{name}.py"), case(pause));
    }
    let report = course.score("mine", &["--format", "json"]).report();
    let told = |name: &str| {
        let tests = &suite(&report).tests;
        let test = tests.iter().find(|test| test.file.starts_with(name)).unwrap();
        (test.file.clone(), test.reason.clone())
    };
    let why = Some("the suite takes more than one second on all programs".to_owned());
    assert_eq!(told("test_a.py"), ("test_a.py:Fees.test_one".to_owned(), None));
    assert_eq!(told("test_b.py"), ("test_b.py".to_owned(), why.clone()));
    assert_eq!(told("test_c.py"), ("test_c.py".to_owned(), why));
}

#[test]
#[ignore = "it takes long; .ci/run runs it"]
fn a_function_that_fails_on_a_right_program_is_rejected_alone_with_its_reason() {
    let tests = "import os, random, time
from loans import Library, due, fee

def test_right():
    assert fee(11, False) == 250

def test_wrong():
    assert fee(3, True) == 37

def test_sleeps():
    time.sleep(4)

def test_inside():
    assert Library(['Emma'])._free == ['Emma']

def test_crashes():
    os.abort()

def test_never_ends():
    while True:
        pass

def test_flaky():
    assert os.urandom(1)[0] < 128 and os.urandom(1)[0] < 128

def test_looks():
    assert due.__code__.co_argcount == 3

def test_ends():
    os._exit(0)

def test_ends_with_three():
    os._exit(3)

def test_leaves():
    import pytest
    pytest.exit('done', 0)

def test_leaves_while_shown():
    import pytest
    class Leaves(pytest.exit.Exception):
        def __str__(self):
            raise SystemExit
    raise Leaves('done')

def told(reached):
    import sys, types
    sys.modules['subject'] = types.SimpleNamespace(reached=reached)

def test_leaves_while_telling():
    def leaves():
        yield 'one'
        raise SystemExit
    told(leaves())

def test_tells_much():
    told(['much' * 20000])
";
    let Some(report) = report("pytest", tests) else { return };
    let wrong = rejected(&report, ":test_wrong");
    assert!(wrong.starts_with("line 8: it fails on a right program: assert 38 == 37"), "{wrong}");
    let inside = rejected(&report, ":test_inside");
    assert!(inside.contains("it fails on the right program also-right/loans.py: "), "{inside}");
    assert!(inside.contains("no attribute '_free'"), "{inside}");
    let crashes = rejected_at_a_line(&report, ":test_crashes");
    assert!(crashes.starts_with("it crashes on a right program"), "{crashes}");
    for endless in [":test_never_ends", ":test_sleeps"] {
        assert_eq!(rejected_at_a_line(&report, endless), "it does not end on a right program");
    }
    let looks =
        "line 27: it looks at the program instead of calling it: it reads the code of `due`";
    assert_eq!(rejected(&report, ":test_looks"), looks);
    let ends = "it fails on a right program: it ends the program, as `os._exit` does";
    assert_eq!(rejected_at_a_line(&report, ":test_ends"), ends);
    assert_eq!(rejected_at_a_line(&report, ":test_ends_with_three"), ends);
    let leaves = rejected_at_a_line(&report, ":test_leaves");
    assert_eq!(leaves, "it fails on a right program: Exit: done");
    let leaves = rejected_at_a_line(&report, ":test_leaves_while_shown");
    assert_eq!(leaves, "it fails on a right program: Leaves");
    let leaves = rejected_at_a_line(&report, ":test_leaves_while_telling");
    assert!(leaves.starts_with("it fails on a right program"), "{leaves}");
    let _one_of_three_reasons = rejected(&report, ":test_flaky");
    assert_eq!(suite(&report).valid_tests(), 2, "`test_right` and `test_tells_much`");
    assert_eq!(suite(&report).exposed_by.keys().collect::<Vec<_>>(), ["charges-without-end"]);
}

#[test]
#[ignore = "it takes long; .ci/run runs it"]
fn a_function_that_does_not_run_is_named() {
    let tests = "import unittest\nfrom loans import fee\n\n\nclass Fees(unittest.TestCase):\n    def test_free(self):\n        \
                 self.assertEqual(fee(0, False), 0)\n\n\ndef test_outside():\n    assert fee(0, False) == 0\n";
    let Some(report) = report("unittest", tests) else { return };
    let found = rejected(&report, "test_loans.py:test_outside");
    let why = "unittest does not run it, because it is no method of a class that extends";
    assert!(found.contains(why), "{found}");
    assert_eq!(report.assignments[0].suites[0].valid_tests(), 1);
    let tests = "from loans import fee\n\nclass TestFees:\n    def test_free(self):\n        assert fee(0, False) == 1\n\n    \
                 def test_free(self):\n        assert fee(0, False) == 0\n\ndef test_same():\n    pass\n\ntest_other = test_same\n\n\
                 class TestKept:\n    def __init__(self):\n        self.days = 0\n\n    def test_kept(self):\n        pass\n";
    let Some(report) = self::report("pytest", tests) else { return };
    let found = rejected(&report, "test_loans.py:TestFees::test_free (line 4)");
    let why = "line 4: it fails on a right program: it never runs, because `test_free` in line 7 takes its place";
    assert_eq!(found, why);
    let found = rejected(&report, "test_loans.py:TestKept::test_kept (line 19)");
    let why = "line 19: it fails on a right program: it never runs, because its class has `__init__` in line 16";
    assert_eq!(found, why);
    assert_eq!(report.assignments[0].suites[0].valid_tests(), 3);
}

#[test]
#[ignore = "it takes long; .ci/run runs it"]
fn a_file_that_cannot_be_imported_is_rejected_with_the_error_and_its_line() {
    for (framework, tests, problem) in [
        (
            "pytest",
            "from loans import due\nimport nothing\n",
            "line 2: ModuleNotFoundError: No module named 'nothing'",
        ),
        ("pytest", "import sys\nsys.exit(0)\n", "line 2: the file ends the program"),
        ("unittest", "import os\nos._exit(0)\n", "the file ends the program before its tests"),
        ("pytest", "def test_a(:\n    pass\n", "SyntaxError"),
        ("pytest", "def due():\n    pass\n", "there are no test cases in the file"),
        ("unittest", "def due():\n    pass\n", "there are no test cases in the file"),
        (
            "unittest",
            "from loans import dew\n",
            "line 1: ImportError: cannot import name 'dew' from 'loans' (loans.pyc)",
        ),
        (
            "unittest",
            "from loans import due\nTEXT = due.__code__\n",
            "line 2: it looks at the program instead of calling it",
        ),
    ] {
        let Some(report) = report(framework, tests) else { return };
        let found = rejected(&report, "test_loans.py");
        assert!(found.contains(problem), "{found}");
    }
}

#[test]
#[ignore = "it takes long; .ci/run runs it"]
fn an_honest_test_may_mock_print_a_traceback_and_import_the_program_again() {
    let tests = "import importlib, inspect, logging, traceback, warnings
from collections import namedtuple
from unittest import mock

import pytest
import loans

Case = namedtuple('Case', 'days cents')

def test_mock():
    with mock.patch('loans.days_in', return_value=30):
        assert loans.due(20, 4, 2023) == (4, 5, 2023)

def test_spied():
    with mock.patch.object(loans, 'is_leap', wraps=loans.is_leap):
        assert loans.is_leap(2024)

def test_traceback():
    try:
        loans.Library([]).borrow('ann', 'Emma')
    except KeyError:
        assert 'KeyError' in traceback.format_exc()

def test_again():
    assert importlib.reload(loans).fee(Case(1, 25).days, False) == 25

def test_warns(caplog, monkeypatch):
    logging.getLogger().warning('late')
    with pytest.warns(UserWarning):
        warnings.warn('late')
    monkeypatch.setattr(loans, 'FEE', 10)
    assert loans.fee(1, False) in (10, 25)
";
    let Some(report) = report("pytest", tests) else { return };
    let problems: Vec<_> = suite(&report).tests.iter().filter_map(|it| it.reason.clone()).collect();
    assert!(!problems.iter().any(|it| it.contains("looks at the program")), "{problems:?}");
    assert!(suite(&report).valid_tests() >= 4, "{problems:?}");
}

#[test]
#[ignore = "it takes long; .ci/run runs it"]
fn a_function_that_is_skipped_is_not_valid() {
    let tests = "import unittest
from loans import fee

class TestFee(unittest.TestCase):
    def test_right(self):
        self.assertEqual(fee(11, False), 250)

    @unittest.skip('later')
    def test_skipped(self):
        self.assertEqual(1, 2)

    def test_skips(self):
        self.skipTest('not now')

    def test_skips_a_part(self):
        for days in [11, 12]:
            with self.subTest(days=days):
                if days == 11:
                    self.skipTest('not this one')
                self.assertEqual(fee(days, False), 250)

    @unittest.expectedFailure
    def test_fails(self):
        self.assertEqual(1, 2)
";
    for framework in ["pytest", "unittest"] {
        let Some(report) = report(framework, tests) else { continue };
        let tests = &suite(&report).tests;
        let reason = |name: &str| {
            let test = tests.iter().find(|test| test.file.ends_with(name)).unwrap();
            test.reason.clone()
        };
        assert_eq!(reason("test_skipped"), Some("it is skipped: later".to_owned()), "{framework}");
        assert_eq!(reason("test_skips"), Some("it is skipped: not now".to_owned()), "{framework}");
        for name in ["test_right", "test_fails", "test_skips_a_part"] {
            assert_eq!(reason(name), None, "{framework}, {name}");
        }
    }
}

#[test]
fn a_mutant_without_a_file_gets_one_and_needs_a_test_case() {
    let course = example();
    fs::remove_file(course.path("mutants/takes-any-book-back.yaml")).unwrap();
    let says = course.mutants(&["new", "--missing"]).exits(0).stdout;
    let step = "\n2. write a test case that exposes each mutant, in ";
    assert!(says.contains(step) && !says.contains("witness --missing"), "{says}");
    assert!(!course.read("mutants/takes-any-book-back.yaml").contains("mutants witness"));
}

#[test]
#[ignore = "it takes long; .ci/run runs it"]
fn tests_import_a_program_that_is_a_package() {
    if !has_a_sandbox() || !has_pytest() {
        return;
    }
    let course = example();
    course.without_line("harness.yaml", "witnesses:");
    course.keep_mutants(&["rounds-the-half-down"]);
    course.write("library/loans.py", course.read("loans.py"));
    course.write("library/__init__.py", "from .loans import fee\n");
    // The other right program is no package.
    course.without_line("harness.yaml", "references:");
    let tests = "from library import fee\nimport library.loans\n\n\ndef test_half():\n    assert fee(1, True) == library.loans.fee(1, True)\n    assert fee(1, True) * 2 >= fee(1, False)\n";
    course.write("mine/test_library.py", tests);
    let mut before = "loans.py".to_owned();
    for files in
        ["[library/__init__.py, library/loans.py]", "[library/loans.py, library/__init__.py]"]
    {
        course.replace("harness.yaml", &format!("python: {before}"), &format!("python: {files}"));
        files.clone_into(&mut before);
        let report = course.score("mine", &["--format", "json"]).report();
        assert_eq!(suite(&report).exposed_by.len(), 1, "{report:?}");
    }
}

#[test]
#[ignore = "it takes long; .ci/run runs it"]
fn tests_use_the_fixtures_that_the_course_gives_them() {
    if !has_a_sandbox() || !has_pytest() {
        return;
    }
    let course = example();
    course.without_line("harness.yaml", "witnesses:");
    course.keep_mutants(&["rounds-the-half-down"]);
    course.replace(
        "harness.yaml",
        "files: [\"test_*.py\"]",
        "files: [\"*.py\"]\n      compile: { with: [conftest.py] }",
    );
    let fixtures = "import pytest\nfrom loans import fee\n\n\n@pytest.fixture\ndef half():\n    return fee(1, True)\n\n\n\
                    @pytest.fixture(autouse=True)\ndef always(monkeypatch):\n    monkeypatch.setenv('LATE', '1')\n";
    course.write("conftest.py", fixtures);
    let uses = "import os\nfrom loans import fee\n\n\ndef test_half(half):\n    assert os.environ['LATE'] == '1' and half * 2 >= fee(1, False)\n";
    course.write("mine/test_half.py", uses);
    let report = course.score("mine", &["--format", "json"]).report();
    assert_eq!(suite(&report).exposed_by.len(), 1, "{report:?}");
    course.write("conftest.py", "import shelves\n");
    let report = course.score("mine", &["--format", "json"]).report();
    let says = "the course's `conftest.py` cannot be imported: ModuleNotFoundError: No module named 'shelves'";
    assert!(suite(&report).tests[0].reason.as_ref().unwrap().contains(says), "{report:?}");
    // That of a student is a file of tests, and gives the others nothing.
    course.replace("harness.yaml", "\n      compile: { with: [conftest.py] }", "");
    course.write("mine/conftest.py", fixtures);
    let report = course.score("mine", &["--format", "json"]).report();
    let [of_conftest, of_tests] = suite(&report).tests.as_slice() else { panic!("{report:?}") };
    assert_eq!(of_conftest.reason.as_deref(), Some("there are no test cases in the file"));
    assert!(of_tests.reason.as_ref().unwrap().contains("fixture 'half' not found"), "{report:?}");
    course.write("mine/conftest.py", "import shelves\n");
    let report = course.score("mine", &["--format", "json"]).report();
    let says = "ModuleNotFoundError: No module named 'shelves'";
    assert_eq!(suite(&report).tests[0].reason.as_deref(), Some(says));
}
