//! `score --coverage`: which lines of the reference the valid unit tests reach.

use super::course::Course;
use super::run::{harness, has_a_sandbox, has_pytest};
use super::unit_header::has_doctest;
use super::unit_java;
use harness::result::coverage::CoverageReport;
use harness::result::graded::Graded;

/// What is reported of a suite `mine` with one file, for a reader.
#[track_caller]
fn coverage(course: &Course, file: &str, tests: &str, audience: &str) -> CoverageReport {
    course.write(&format!("mine/{file}"), tests);
    let args = ["--coverage", "--format", "json", "--audience", audience];
    let mut report = course.score("mine", &args).report();
    let suite = report.assignments.remove(0).suites.remove(0);
    suite.coverage.expect("it was asked for")
}

/// The lines of a file that no test reached.
fn missed(course: &Course, coverage: &CoverageReport, file: &str) -> String {
    let text = course.read(file);
    let lines: Vec<_> = text.lines().collect();
    let ranges = coverage.missed.get(file).into_iter().flatten();
    ranges.flat_map(|[first, last]| lines[first - 1..*last].to_vec()).collect::<Vec<_>>().join("\n")
}

#[test]
#[ignore = "it compiles each variant; .ci/run runs it"]
fn staff_see_the_lines_that_no_valid_case_reaches_and_students_how_many() {
    if !has_doctest() {
        return;
    }
    let course = Course::copy_of("examples/matrix-cpp");
    course.without_line("harness.yaml", "witnesses:");
    let tests = "#include \"Matrix.h\"
#include <doctest/doctest.h>
TEST_CASE(\"a new matrix is empty\") {
    Matrix matrix;
    Matrix_init(&matrix, 2, 3);
    CHECK(*Matrix_at(&matrix, 2, 1) == 0);
}
TEST_CASE(\"this is wrong\") {
    Matrix matrix;
    Matrix_init(&matrix, 2, 3);
    CHECK(Matrix_max(&matrix) == 7);
}
";
    let seen = coverage(&course, "Matrix_tests.cpp", tests, "staff");
    let missed = missed(&course, &seen, "Matrix.cpp");
    // A case that is rejected reaches nothing.
    assert!(missed.contains("most = std::max(most,"), "{missed}");
    assert!(missed.contains("bool top = row == 0;"), "{missed}");
    assert!(!missed.contains("std::fill(matrix->data"), "{missed}");
    // What only a bug does is no line of a right program.
    assert!(!missed.contains("count -= 1;"), "{missed}");
    assert!((20..60).contains(&seen.percent), "{seen:?}");
    let student = coverage(&course, "Matrix_tests.cpp", tests, "student");
    assert_eq!(student, seen.clone().brief());
    assert!(seen.lines.is_some() && student.lines.is_none());

    let text = course.score("mine", &["--coverage"]).stdout;
    assert!(text.contains(&format!("Coverage: {} % of the ", seen.percent)), "{text}");
    assert!(text.contains("Matrix.cpp, not reached: "), "{text}");
    let page = course
        .score("mine", &["--coverage", "--html", course.path("page.html").to_str().unwrap()])
        .exits(0);
    assert!(page.stdout.contains("Coverage: "));
    let without = course.score("mine", &[]).stdout;
    assert!(!without.contains("Coverage"), "{without}");
    assert_eq!(without, text.split_once("\nCoverage").unwrap().0.to_owned() + "\n");
}

#[test]
#[ignore = "it compiles tests with each variant; .ci/run runs it"]
fn a_member_of_a_template_that_no_test_uses_is_not_reached() {
    if !has_doctest() {
        return;
    }
    let course = Course::copy_of("examples/list-cpp");
    let tests = "#include \"List.h\"
#include <doctest/doctest.h>
TEST_CASE(\"a new list is empty\") {
    List<int> list;
    CHECK(list.empty());
}
";
    let seen = coverage(&course, "List_tests.cpp", tests, "staff");
    let missed = missed(&course, &seen, "List.h");
    assert!(missed.contains("void push_front(const T &value) {"), "{missed}");
    assert!(!missed.contains("bool empty()"), "{missed}");
    assert!(seen.percent < 30, "{seen:?}");
}

#[test]
#[ignore = "it takes long; .ci/run runs it"]
fn lines_of_a_program_in_python_are_told_by_the_frameworks() {
    if !has_a_sandbox() || !has_pytest() {
        return;
    }
    let course = Course::copy_of("examples/library-python");
    course.without_line("harness.yaml", "witnesses:");
    let tests = "import unittest
from loans import is_leap
class Years(unittest.TestCase):
    def test_leap(self):
        assert is_leap(2000)
";
    let seen = coverage(&course, "test_loans.py", tests, "staff");
    let missed = missed(&course, &seen, "loans.py");
    assert!(missed.contains("day += DAYS") && !missed.contains("% 400 == 0"), "{missed}");
    assert!(!missed.contains("DAYS = 14") && !missed.contains("def due"), "{missed}");
    course.replace("harness.yaml", "unit: pytest ", "unit: unittest ");
    assert_eq!(coverage(&course, "test_loans.py", tests, "staff"), seen);
}

#[test]
#[ignore = "it compiles each variant; .ci/run runs it"]
fn lines_of_a_program_in_java_are_told_by_its_classes() {
    let Some(course) = unit_java::course() else { return };
    let tests = "import static org.junit.jupiter.api.Assertions.*;
import org.junit.jupiter.api.Test;
class BankTest {
    @Test void anAccountHoldsNothing() {
        Bank bank = new Bank();
        bank.open(\"ann\");
        assertEquals(0, bank.balance(\"ann\"));
    }
    @Test void isWrong() {
        Bank bank = new Bank();
        bank.open(\"ann\");
        bank.deposit(\"ann\", 3);
        assertEquals(4, bank.balance(\"ann\"));
    }
    @Test void aThreadGoesOn() {
        new Thread(() -> { while (true) { Thread.onSpinWait(); } }).start();
        assertThrows(IllegalArgumentException.class, () -> new Bank().open(\" \"));
    }
}
";
    let seen = coverage(&course, "BankTest.java", tests, "staff");
    let missed = missed(&course, &seen, "Bank.java");
    assert!(missed.contains("move(name, balance, cents);"), "{missed}");
    assert!(missed.contains("throw new NoSuchElementException(name);"), "{missed}");
    assert!(!missed.contains("movements.put(name, new ArrayList<>());"), "{missed}");
    assert!(!missed.contains("throw new IllegalArgumentException(\"the name"), "{missed}");
    // What only a bug does is no line of a right program.
    assert!(!missed.contains("hundredths = balance * percent;"), "{missed}");
    assert!((20..60).contains(&seen.percent), "{seen:?}");
    let student = coverage(&course, "BankTest.java", tests, "student");
    assert_eq!(student, seen.clone().brief());
}

/// A program in Java with much of the language. What no test reaches says so.
const ODD: &str = r#"package odd;

import java.util.function.IntUnaryOperator;

public class Odd {
    public record Pair(int a, int b) {
        public Pair {
            if (a > b) {
                throw new IllegalArgumentException("missed");
            }
        }
    }

    enum Kind { ONE, MANY }

    private final Pair pair;
    private final IntUnaryOperator twice = x ->
        2 * x;

    public Odd(int a, boolean isLong) {
        this(new Pair(a, isLong
            ? a + 10
            : missed(a)));
    }

    private Odd(Pair pair) {
        this.pair = pair;
    }

    private static int missed(int a) {
        return a + 1 /* missed */;
    }

    public static class More extends Odd {
        public More(int a) {
            super(a, true);
        }
    }

    public long sum(Object what) throws Exception {
        long sum = 0;
        outer:
        for (int at = pair.a(); ; at++)
            while (true) {
                sum += twice.applyAsInt(at);
                if (sum > 100) break outer;
                else if (sum < 0)
                    return -1; // missed
                continue outer;
            }
        switch (what.toString()) {
            case "one":
                sum += 1; // missed
                break; // missed
            case "two":
                sum += 2;
            default:
                sum += 4;
        }
        synchronized (this) {
            try {
                sum += switch (Kind.valueOf("MANY")) {
                    case ONE -> 1; // missed
                    case MANY -> {
                        double half = sum * 0.5;
                        yield (int) half;
                    }
                };
            } catch (IllegalStateException error) { // missed
                sum = 0; // missed
            } finally {
                sum++;
            }
        }
        if (what instanceof String text && text.length() > 5)
            sum = 0; // missed
        Object inner = new Object() {
            @Override
            public String toString() {
                return "inner";
            }
        };
        switch ((int) sum) {
            case -1000000:
                return 0; // missed
            case 1:
                return 1; // missed
            case 1000000:
                return 2; // missed
        }
        return inner.toString().length() + sum;
    }
}
"#;

#[test]
#[ignore = "it takes long; .ci/run runs it"]
fn the_lines_of_any_program_in_java_can_be_told() {
    if !unit_java::has_junit() || !has_a_sandbox() {
        return;
    }
    let course = "course: Java
assignments:
  odd:
    program: { java: Odd.java }
    mutants: mutants
    tests: { unit: junit, files: [\"*Test.java\"] }
    scoring: { start: 0, full: 1 }
";
    let mutant = "summary: It is wrong.\nkind: implementation\ntopic: odd\nspec: odd\nhint: Try more.\npoints: 1\n";
    let course = Course::from_yaml(course)
        .file("Odd.java", ODD)
        .file("mutants/wrong/Odd.java", ODD.replace("sum += 4", "sum += 3"))
        .file("mutants/wrong.yaml", mutant);
    let tests = "import static org.junit.jupiter.api.Assertions.*;
import odd.Odd;
class OddTest {
    @org.junit.jupiter.api.Test void sums() throws Exception {
        assertEquals(171, new Odd(3, true).sum(\"two\"));
        assertEquals(180, new Odd.More(5).sum(\"three\"));
    }
}
";
    let seen = coverage(&course, "OddTest.java", tests, "staff");
    let missed = missed(&course, &seen, "Odd.java");
    let expected = ODD.lines().filter(|line| line.contains("missed"));
    let expected = expected.filter(|line| !line.contains("private static")).collect::<Vec<_>>();
    assert_eq!(missed, expected.join("\n"), "{seen:?}");
}

#[test]
#[ignore = "it compiles each variant; .ci/run runs it"]
fn a_course_that_asks_for_coverage_has_it_in_every_report() {
    if !has_doctest() || !has_a_sandbox() {
        return;
    }
    let course = Course::copy_of("examples/matrix-cpp");
    course.replace(
        "harness.yaml",
        "      unit: doctest",
        "      coverage: true\n      unit: doctest",
    );
    let seen = course.score("student_tests/bob", &["--format", "json"]).report();
    let seen = seen.assignments[0].suites[0].coverage.clone().unwrap();
    assert!(seen.lines.is_some() && !seen.missed.is_empty(), "{seen:?}");

    let bob = course.word("student_tests/bob");
    let graded = |args: &[&str]| course.harness(&[&["grade", &bob], args].concat()).exits(0).stdout;
    let coverage = |json: &str| {
        let mut graded: Graded = serde_json::from_str(json).unwrap();
        graded.submissions.remove(0).tests.unwrap().coverage.unwrap()
    };
    let json = format!("json={}", course.word("bob.json"));
    let page = course.word("bob.html");
    let text =
        graded(&["--audience", "staff", "--format", "text", "--format", &json, "--html", &page]);
    assert!(text.contains(&format!("  coverage: {} % of the ", seen.percent)), "{text}");
    assert!(text.contains("    Matrix.cpp, not reached: "), "{text}");
    assert!(course.read("bob.html").contains("<p>Coverage: "));
    assert_eq!(coverage(&course.read("bob.json")), seen);
    let of_student = graded(&["--audience", "student", "--format", "json"]);
    assert_eq!(coverage(&of_student), seen.clone().brief());

    let results = course.word("results");
    let class = course.word("student_tests");
    course.harness(&["grade", &class, "--out", &results]).exits(0);
    let gradebook = course.read("results/gradebook.csv");
    let (first, rest) = gradebook.split_once('\n').unwrap();
    assert!(first.ends_with(",coverage_percent"), "{gradebook}");
    assert!(
        rest.lines()
            .any(|line| line.starts_with("bob,") && line.ends_with(&format!(",{}", seen.percent))),
        "{gradebook}"
    );
}

#[test]
fn tests_that_are_inputs_reach_no_lines_that_are_told() {
    harness(&["score", "student_tests/puzzle", "--coverage"]).fails(
        2,
        "error: the lines that tests of `puzzle` reach cannot be told
hint: --coverage is for unit tests in C, C++, Java and Python
",
    );
}
