//! `score --coverage`: which lines of the reference the valid unit tests reach.

use super::course::Course;
use super::run::{harness, has_a_sandbox, has_pytest};
use super::unit_header::has_doctest;
use super::unit_java;
use super::unit_rust;
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

/// A library in Rust with much of the language. What no test reaches says so.
const MUCH: &str = r#"//! Lists.
#![forbid(unsafe_code)]
#![deny(missing_docs)]

mod more;

use std::fmt;
use subject::bug;

const SIZE: usize = { let half = 2; half + half };

macro_rules! plus {
    ($a:expr, $b:expr) => {{
        let sum = $a + $b;
        sum
    }};
}

/// A number.
pub struct Number(pub i64);

impl fmt::Display for Number {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Number(number) = self;
        write!(f, "{number}")
    }
}

/// What has a value.
pub trait Value {
    /// The value.
    fn value(&self) -> i64 {
        0 // missed
    }
    /// Twice the value.
    fn twice(&self) -> i64 {
        2 * self.value()
    }
}

impl Value for Number {
    fn value(&self) -> i64 {
        self.0
    }
}

/// The last so many of the items, or all if there are fewer.
pub fn last<T: Clone>(items: &[T], many: usize) -> Vec<T> {
    if bug!("takes-the-first") {
        return items.iter().take(many).cloned().collect();
    } else if many > items.len() + [0; SIZE].len() {
        return items.to_vec(); // missed
    }
    let many = if bug!("panics-if-there-are-fewer") { many } else { many.min(items.len()) };
    items[items.len() - many..].to_vec()
}

/// The middle of two numbers, rounded.
pub fn middle(a: i64, b: i64) -> i64 {
    let Some(sum) = a.checked_add(b) else {
        return 0; // missed
    };
    let name = match Number(sum).to_string().as_str() {
        _ if bug!("adds-only") =>
            return sum,
        "0" =>
            "zero".to_owned(), // missed
        other =>
            format!("{other}!"),
    };
    let count = |text: &str| {
        text.chars()
            .filter(|letter|
                letter.is_numeric())
            .map(|_|
                1)
            .sum::<i64>()
    };
    let _other = |text: &str|
        text.len(); // missed
    println!("\u{1e}{}\u{1f} a test may print what it likes", count(&name));
    'all: loop {
        for at in 0.. {
            if at > 3 { break 'all; }
            continue;
        }
    }
    #[cfg(windows)]
    return 3;
    plus!(sum, 0) / 2 * Number(1).value()
}

#[cfg(test)]
mod tests {
    #[test]
    fn is_no_line() {
        assert!(true);
    }
}
"#;

const MORE: &str = "pub(crate) const TEXT: &str = include_str!(\"../text.txt\");

impl crate::Number {
    /// A number of letters.
    pub fn letters() -> Self {
        Self(TEXT.len() as i64)
    }

    /// None.
    pub fn none() -> Self {
        Self(0) // missed
    }
}
";

#[test]
#[ignore = "it takes long; .ci/run runs it"]
fn lines_of_a_program_in_rust_are_told_by_its_statements() {
    if !has_a_sandbox() {
        return;
    }
    let course = unit_rust::course()
        .file("reference/src/lib.rs", MUCH)
        .file("reference/src/more.rs", MORE)
        .file("reference/text.txt", "abc");
    let tests = "use my_lists::{Number, Value, last, middle};
#[test]
fn takes_all() {
    assert_eq!(last(&[1, 2], 3), [1, 2]);
}
#[test]
fn is_between() {
    assert_eq!(middle(Number::letters().0, 5), 4);
    assert_eq!(Number(3).twice(), 6);
}
#[test]
fn is_wrong() {
    assert_eq!(Number::none().0, 1);
}
";
    course.replace("harness.yaml", "    references: [also-right]\n", "");
    let seen = coverage(&course, "lists_tests.rs", tests, "staff");
    for (file, text) in [("reference/src/lib.rs", MUCH), ("reference/src/more.rs", MORE)] {
        let expected: Vec<_> = text.lines().filter(|line| line.contains("missed")).collect();
        assert_eq!(missed(&course, &seen, file), expected.join("\n"), "{seen:?}");
    }
    // The library is built again if its source changes: the statements after this one have other numbers.
    let line = "        let Number(number) = self;\n";
    course.replace("reference/src/lib.rs", line, &format!("{line}        let _ = number;\n"));
    let again = coverage(&course, "lists_tests.rs", tests, "staff");
    assert_eq!(again.lines, seen.lines.map(|lines| lines + 1));
    assert_eq!(missed(&course, &again, "reference/src/more.rs"), "        Self(0) // missed");
}

#[test]
#[ignore = "it takes long; .ci/run runs it"]
fn a_reference_that_cannot_tell_its_lines_is_only_warned_of() {
    if !has_a_sandbox() {
        return;
    }
    // What is not in the folder of the crate is not found from its copy.
    let course = unit_rust::course()
        .file(
            "reference/src/lib.rs",
            format!("#[path = \"../../outer.rs\"]\nmod outer;\n{}", unit_rust::LISTS),
        )
        .file("outer.rs", "")
        .file(
            "mine/lists_tests.rs",
            "#[test]\nfn is_between() {\n    assert_eq!(my_lists::middle(2, 4), 3);\n}\n",
        );
    let without = course.score("mine", &[]).exits(0);
    let with = course.score("mine", &["--coverage"]);
    assert_eq!(with.stdout, without.stdout);
    let warning = "warning: the lines that tests of `lists` reach cannot be told: cannot build what tells the lines of `lists`";
    assert!(with.stderr.starts_with(warning), "{}", with.stderr);
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
    let page = course.read("results/class.html");
    let row = format!("<td>{} %</td><td>rejected: Matrix_tests.cpp:", seen.percent);
    assert!(page.contains(&row), "{page}");
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
hint: --coverage is for unit tests
",
    );
}
