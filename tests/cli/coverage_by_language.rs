//! `score --coverage` in Java and Rust, where each line of the reference tells by itself that it is reached.

use super::course::Course;
use super::coverage::{coverage, missed};
use super::run::has_a_sandbox;
use super::unit_java;
use super::unit_rust;

#[test]
#[ignore = "it compiles each variant; .ci/run runs it"]
fn lines_of_a_program_in_java_are_told_by_its_classes() {
    let Some(course) = unit_java::course() else { return };
    course.keep_mutants(&["computes-interest-in-ints"]);
    let tests = "import static org.junit.jupiter.api.Assertions.*;
import java.util.concurrent.locks.LockSupport;
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
        new Thread(() -> { while (true) { LockSupport.park(); } }).start();
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
