//! Tests that are programs: students' unit tests in Java, with JUnit 5.

use super::course::Course;
use super::run::has_a_sandbox;
use super::skip;
use harness::result::{Report, SuiteReport};
use std::fs;
use std::os::unix::fs::symlink;
use std::path::Path;
use std::process::Command;

/// Whether this machine has a JDK and JUnit 5. If not, the test is skipped.
pub(super) fn has_junit() -> bool {
    if Command::new("javac").arg("-version").output().is_err() {
        skip("there is no `javac` on this machine");
        return false;
    }
    let is_there = Path::new("/usr/share/java/junit-jupiter-api.jar").is_file();
    if !is_there {
        skip("there is no JUnit 5 on this machine");
    }
    is_there
}

/// The example, if this machine can run it.
pub(super) fn course() -> Option<Course> {
    if !has_junit() || !has_a_sandbox() {
        return None;
    }
    let course = Course::copy_of("examples/bank-java");
    // Its programs have the digests of their sources as names, so all tests can share them.
    let target = Path::new(env!("CARGO_TARGET_TMPDIR")).join("bank-java");
    fs::create_dir_all(&target).unwrap();
    symlink(target, course.path("target")).unwrap();
    Some(course)
}

fn score(course: &Course, folder: &str) -> SuiteReport {
    let mut report: Report = course.score(folder, &["--format", "json"]).report();
    report.assignments.remove(0).suites.remove(0)
}

/// Why a test is rejected, with its line. Nothing if it is valid.
fn problem(suite: &SuiteReport, name: &str) -> Option<String> {
    let test = suite.tests.iter().find(|test| test.file.ends_with(name)).expect("it is listed");
    let line = test.line.map(|line| format!("line {line}: ")).unwrap_or_default();
    test.reason.as_ref().map(|reason| line + reason)
}

#[test]
#[ignore = "it takes long; .ci/run runs it"]
fn each_method_and_each_call_of_one_with_parameters_is_a_test() {
    let Some(course) = course() else { return };
    let suite = score(&course, "student_tests/ann");
    assert_eq!((suite.valid_tests(), suite.tests.len()), (18, 18));
    assert_eq!(suite.exposed_by.len(), 15);
    let by = |id: &str| {
        let files = suite.exposed_by[id].iter().map(|exposure| exposure.file.as_str());
        files.collect::<Vec<_>>()
    };
    assert_eq!(by("rounds-interest-down"), ["BankTest.java:interestIsRounded[2]"]);
    let nested = "BankTest.java:Transfers.toOneselfChangeNothing";
    assert_eq!(by("makes-money-of-a-transfer-to-oneself"), [nested]);
    assert!(!suite.exposed_by.contains_key("lists-interest-of-nothing"));
}

#[test]
#[ignore = "it takes long; .ci/run runs it"]
fn a_wrong_test_is_rejected_alone_with_its_assertion() {
    let Some(course) = course() else { return };
    course.keep_mutants(&[
        "gives-no-credit",
        "lists-the-last-movement-first",
        "takes-a-name-of-blanks",
    ]);
    let suite = score(&course, "student_tests/bob");
    let problem = |name| problem(&suite, name);
    let interest = "line 33: it fails on a right program: expected: <-1100> but was: <-1000>";
    assert_eq!(problem(":testInterest").as_deref(), Some(interest));
    let message = "line 23: it fails on the right program also-right/Bank.java: expected: <bob holds only 0 cents> but was: <too much>";
    assert_eq!(problem(":testMessage").as_deref(), Some(message));
    assert!(problem(":testRandomDeposits").is_some());
    let uncompiled = "line 11: cannot find symbol: method addInterst(int)";
    assert_eq!(problem("InterestTest.java").as_deref(), Some(uncompiled));
    assert_eq!(suite.valid_tests(), 2);
    assert_eq!(suite.exposed_by.len(), 2);
}

#[test]
#[ignore = "it takes long; .ci/run runs it"]
fn a_program_may_have_bugs_in_several_packages() {
    let Some(course) = course() else { return };
    let program = "java: [shop/Price.java, shop/tax/Tax.java, shop/tax/Rate.java]";
    course.replace("harness.yaml", "java: Bank.java", program);
    course.without_line("harness.yaml", "references:");
    fs::remove_dir_all(course.path("mutants")).unwrap();
    let price = "package shop;\n\npublic class Price {\n    public static int of(int a) { return Bug.on(\"doubles\") ? 2 * a : a + shop.tax.Tax.of(a); }\n}\n";
    let tax = "package shop.tax;\n\npublic class Tax {\n    public static int of(int a) { return Bug.on(\"forgets-the-tax\") ? 0 : Rate.of(a); }\n}\n";
    let rate = "package shop.tax;\n\nimport shop.Bug;\n\nclass Rate {\n    static int of(int a) { return Bug.on(\"rounds-up\") ? (a + 9) / 10 : a / 10; }\n}\n";
    for (path, text) in [("Price", price), ("tax/Tax", tax), ("tax/Rate", rate)] {
        course.write(&format!("shop/{path}.java"), text);
    }
    for id in ["doubles", "forgets-the-tax", "rounds-up"] {
        let text = "summary: It is wrong.\nkind: implementation\ntopic: prices\nspec: prices\nhint: Try more.\npoints: 1\n";
        course.write(&format!("mutants/{id}.yaml"), text);
    }
    let tests = "class PriceTest {\n    @org.junit.jupiter.api.Test void adds() { org.junit.jupiter.api.Assertions.assertEquals(16, shop.Price.of(15)); }\n}\n";
    course.write("mine/PriceTest.java", tests);
    let run = course.score("mine", &["--format", "json", "--coverage"]);
    let suite = run.report().assignments.remove(0).suites.remove(0);
    assert_eq!(suite.exposed_by.len(), 3, "{suite:?}");
    let coverage = suite.coverage.expect("it was asked for");
    assert!(coverage.percent > 0 && coverage.lines >= Some(3), "{coverage:?}");
}

/// A file of tests with these methods.
fn file(methods: &str) -> String {
    format!(
        "import static org.junit.jupiter.api.Assertions.*;
import java.io.*;
import org.junit.jupiter.api.Test;

class BankTest {{
    private final Bank bank = new Bank();
{methods}}}
"
    )
}

#[test]
#[ignore = "it takes long; .ci/run runs it"]
fn a_test_that_ends_or_never_ends_the_program_is_rejected_alone() {
    let Some(course) = course() else { return };
    let methods = r#"
    @Test void right() { assertThrows(RuntimeException.class, () -> bank.balance("eve")); }
    @Test void exits() { System.exit(0); }
    @Test void halts() { Runtime.getRuntime().halt(0); }
    @Test void neverEnds() { while (true) {} }
    @Test void prints() throws IOException {
        new FileOutputStream(FileDescriptor.out).write("{\"case\": \"prints\", \"passed\": true}\n".getBytes());
        fail("it is wrong");
    }
    @Test void usesUpTheStack() { usesUpTheStack(); }
    @Test void usesUpTheMemory() { for (long[][] all = new long[9999][];;) { all[(int) (System.nanoTime() % 9999)] = new long[1 << 20]; } }
"#;
    course.keep_mutants(&["says-zero-where-no-account-is", "gives-no-credit"]);
    course.write("mine/BankTest.java", file(methods));
    let suite = score(&course, "mine");
    let problem = |name| problem(&suite, name);
    assert_eq!(problem(":right"), None);
    let exits = "line 9: it fails on a right program: it ends the program, as System.exit does";
    assert_eq!(problem(":exits").as_deref(), Some(exits));
    let halts = "line 10: it fails on a right program: it ends the program, as `exit` does";
    assert_eq!(problem(":halts").as_deref(), Some(halts));
    let endless = "line 11: it does not end on a right program";
    assert_eq!(problem(":neverEnds").as_deref(), Some(endless));
    let prints = "line 14: it fails on a right program: it is wrong";
    assert_eq!(problem(":prints").as_deref(), Some(prints));
    let stack = "line 16: it fails on a right program: StackOverflowError";
    assert_eq!(problem(":usesUpTheStack").as_deref(), Some(stack));
    let memory = "line 17: it runs out of memory on a right program";
    assert_eq!(problem(":usesUpTheMemory").as_deref(), Some(memory));
    assert_eq!(suite.exposed_by.keys().collect::<Vec<_>>(), ["says-zero-where-no-account-is"]);
}

#[test]
#[ignore = "it takes long; .ci/run runs it"]
fn a_class_or_method_that_cannot_start_is_rejected_with_its_reason() {
    let Some(course) = course() else { return };
    course.keep_mutants(&["gives-no-credit"]);
    let classes = "class SetUp {
    @org.junit.jupiter.api.BeforeAll static void all() { assertEquals(1, 2); }
    @Test void first() { }
    @Test void second() { }
}
class Source {
    @org.junit.jupiter.params.ParameterizedTest
    @org.junit.jupiter.params.provider.MethodSource(\"none\")
    void drawn(int x) { }
}
";
    let methods =
        "    @Test void right() { }\n    @Test void asserts() { assert 1 == 2 : \"plain\"; }\n";
    course.write("mine/BankTest.java", file(methods) + classes);
    let suite = score(&course, "mine");
    assert_eq!(suite.valid_tests(), 1);
    let fails = |name| problem(&suite, name).unwrap();
    for name in ["SetUp.first", "SetUp.second"] {
        assert_eq!(fails(name), "line 11: it fails on a right program: expected: <1> but was: <2>");
    }
    assert!(fails("Source.drawn").contains("Could not find factory method [none]"));
    assert_eq!(fails(":asserts"), "line 8: it fails on a right program: plain");
}

#[test]
#[ignore = "it takes long; .ci/run runs it"]
fn a_case_that_is_skipped_is_not_valid_and_the_first_in_the_file_count() {
    let Some(course) = course() else { return };
    course.keep_mutants(&["gives-no-credit"]);
    course.replace("harness.yaml", "      files:", "      cases: 6\n      files:");
    let methods = "    @Test void right() { }
    @org.junit.jupiter.api.Disabled(\"later\") @Test void disabled() { fail(); }
    @Test void assumes() { org.junit.jupiter.api.Assumptions.assumeTrue(bank == null, \"a bank\"); }
    @org.junit.jupiter.api.Disabled @org.junit.jupiter.api.Nested class Later {
        @Test void inner() { fail(); }
    }
    @org.junit.jupiter.params.ParameterizedTest
    @org.junit.jupiter.params.provider.ValueSource(ints = {1, 2})
    void drawn(int x) { assertEquals(1, x); }
    @Test void alsoRight() { }
";
    course.write("mine/BankTest.java", file(methods));
    let suite = score(&course, "mine");
    let problem = |name| problem(&suite, name);
    assert_eq!((problem(":right"), problem("drawn[1]")), (None, None));
    assert_eq!(problem(":disabled").as_deref(), Some("line 8: it is skipped: later"));
    let assumed = problem(":assumes").unwrap();
    assert!(assumed.contains(": it is skipped: Assumption failed"), "{assumed}");
    let nested = problem("Later.inner").unwrap();
    assert!(nested.contains(": it is skipped: ") && nested.contains("@Disabled"), "{nested}");
    assert!(problem("drawn[2]").unwrap().contains("it fails on a right program"));
    assert_eq!(problem(":alsoRight").as_deref(), Some("only the first 6 test cases count"));
}

#[test]
#[ignore = "it takes long; .ci/run runs it"]
fn a_method_that_junit_leaves_out_is_rejected_with_the_reason() {
    let Some(course) = course() else { return };
    course.keep_mutants(&["gives-no-credit"]);
    let methods = "    @Test void right() { }
    @Test private void hidden() { }
    @Test static void shared() { }
    @Test int counts() { return 1; }
    class Inner { @Test void forgotten() { } }
    abstract static class Base { @Test void inherited() { } }
    static class Derived extends Base { }
";
    course.write("mine/BankTest.java", file(methods));
    let suite = score(&course, "mine");
    let problem = |name| problem(&suite, name);
    assert_eq!((problem(":right"), problem("Derived.inherited")), (None, None));
    for (name, reason) in [
        (":hidden", "the method is private"),
        (":shared", "the method is static"),
        (":counts", "the method returns a value"),
        ("Inner.forgotten", "the class Inner lacks @Nested"),
    ] {
        let problem = problem(name).unwrap();
        assert!(
            problem.ends_with(&format!("JUnit does not run it, because {reason}")),
            "{problem}"
        );
    }
}

/// Ways to find out on what a test runs, or how often. Each condition is to be true on some programs or in some runs only.
const ATTACKS: [(&str, &str); 9] = [
    ("methods", "Bank.class.getDeclaredMethods().length % 2 == 0"),
    ("place", "line() % 2 == 0"),
    ("bytes", "sum() % 2 == 0"),
    ("environment", "(\"\" + System.getenv()).length() % 2 == 0"),
    ("clock", "System.nanoTime() % 2 == 0"),
    ("address", "System.identityHashCode(bank) % 2 == 0"),
    ("process", "ProcessHandle.current().pid() % 2 == 0"),
    ("property", "System.setProperty(\"seen\", \"\") == null"),
    ("file", "new File(\"/tmp/seen\").exists() || !new File(\"/tmp/seen\").mkdir()"),
];

/// The line where the program throws, and the sum of the file of its classes.
const TOOLS: &str = r#"
    int line() {
        try { bank.balance("eve"); } catch (RuntimeException error) { return error.getStackTrace()[0].getLineNumber(); }
        return 0;
    }
    int sum() throws IOException {
        String[] words = new String(new FileInputStream("/proc/self/cmdline").readAllBytes()).split("\0");
        int sum = 0;
        for (String word : words) {
            if (word.endsWith("/subject")) { for (byte it : new FileInputStream(word).readAllBytes()) { sum += it; } }
        }
        return sum;
    }
"#;

#[test]
#[ignore = "it takes long; .ci/run runs it"]
fn a_test_in_java_that_looks_at_what_it_runs_on_exposes_no_mutant() {
    let Some(course) = course() else { return };
    course.keep_mutants(&["gives-no-credit", "rounds-interest-down", "takes-a-name-of-blanks"]);
    // In each pair, one of both fails on the reference.
    let pair = |(name, condition): &(&str, &str)| {
        format!(
            "    @Test void {name}() throws Exception {{ assertTrue({condition}); }}\n    @Test void not_{name}() throws Exception {{ assertFalse({condition}); }}\n"
        )
    };
    let methods: String = ATTACKS.iter().map(pair).collect();
    course.write("mine/BankTest.java", file(&(TOOLS.to_owned() + &methods)));
    let suite = score(&course, "mine");
    assert!(suite.exposed_by.is_empty(), "{:?}", suite.exposed_by);
    assert_eq!(suite.tests.len(), 2 * ATTACKS.len());
}
