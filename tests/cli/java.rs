//! A course in Java, whose mutants are programs of their own.

use super::course::Course;
use super::{repository, skip};
use std::fs;
use std::process::Command;

const COURSE: &str = "\
course: Java
assignments:
  sum:
    domain: text
    program: { java: Sum.java }
    mutants: mutants
    tests: { files: 5, flags: [] }
    scoring: { start: 1, full: 2 }
";

const SUM: &str = "\
import java.util.Scanner;

public class Sum {
    public static void main(String[] args) {
        Scanner scanner = new Scanner(System.in);
        long sum = 0;
        while (scanner.hasNextLong()) {
            sum += scanner.nextLong();
        }
        System.out.println(sum);
    }
}
";

fn description(input: &str, stdout: &str) -> String {
    format!(
        "summary: It is wrong.\nkind: implementation\ntopic: sum\nspec: sum\nhint: Try more numbers.\npoints: 1\n\
         witness: {{ flags: \"\", input: \"{input}\", expected: {{ exit: 0, stdout: \"{stdout}\\n\" }} }}\n"
    )
}

#[test]
#[ignore = "it takes long; .ci/run runs it"]
fn a_file_and_a_folder_are_mutants_of_a_java_program() {
    if Command::new("javac").arg("-version").output().is_err() {
        return skip("there is no `javac` on this machine");
    }
    let narrow = SUM.replace("long sum", "int sum").replace("sum += ", "sum += (int) ");
    let [main, helper] = [
        SUM.replace("sum += scanner.nextLong()", "sum = Adder.add(sum, scanner.nextLong())"),
        "class Adder { static long add(long a, long b) { return a | b; } }\n".to_owned(),
    ];
    let course = Course::from_yaml(COURSE)
        .file("Sum.java", SUM)
        .file("mutants/keeps-the-sum-in-an-int.java", narrow)
        .file("mutants/keeps-the-sum-in-an-int.yaml", description("3000000000", "3000000000"))
        .file("mutants/adds-without-carrying/Sum.java", main)
        .file("mutants/adds-without-carrying/Adder.java", helper)
        .file("mutants/adds-without-carrying.yaml", description("1 1", "2"))
        .file("tests/test-1.txt", "3000000000\n")
        .file("tests/test-2.txt", "2 3\n");
    let report = course.score("tests", &["--format", "json"]).exits(0).report();
    let exposed = &report.assignments[0].suites[0].exposed_by;
    let by =
        |id: &str| exposed[id].iter().map(|exposure| exposure.file.clone()).collect::<Vec<_>>();
    assert_eq!(by("keeps-the-sum-in-an-int"), ["test-1.txt"]);
    assert_eq!(by("adds-without-carrying"), ["test-2.txt"]);
    course.mutants(&["verify"]).exits(0);
}

#[test]
#[ignore = "it takes long; .ci/run runs it"]
fn a_bug_in_the_source_is_a_mutant_of_a_java_program() {
    if Command::new("javac").arg("-version").output().is_err() {
        return skip("there is no `javac` on this machine");
    }
    let bug = "sum += Bug.on(\"adds-no-negative-number\") ? Math.max(0, scanner.nextLong()) : scanner.nextLong()";
    let course = Course::from_yaml(&COURSE.replace("Sum.java", "[Sum.java, Bug.java]"))
        .file("Sum.java", SUM.replace("sum += scanner.nextLong()", bug))
        .file("Bug.java", include_str!("../../crates/subject/java/Bug.java"))
        .file("mutants/adds-no-negative-number.yaml", description("-2", "-2"))
        .file("tests/test-1.txt", "2 3\n")
        .file("tests/test-2.txt", "3 -1\n");
    let report = course.score("tests", &["--format", "json"]).exits(0).report();
    let exposed = &report.assignments[0].suites[0].exposed_by["adds-no-negative-number"];
    assert_eq!(exposed.iter().map(|it| it.file.as_str()).collect::<Vec<_>>(), ["test-2.txt"]);
    course.mutants(&["verify"]).exits(0);
    let solved = course.word("solved");
    course.harness(&["solution", "sum", "--out", &solved]).exits(0);
    assert_eq!(course.read("solved/Sum.java"), SUM);
}

#[test]
#[ignore = "it takes long; .ci/run runs it"]
fn a_new_course_in_java_scores_and_verifies() {
    if Command::new("javac").arg("-version").output().is_err() {
        return skip("there is no `javac` on this machine");
    }
    let course = Course::tally_in("java");
    let report = course.score("student_tests", &["--format", "json"]).exits(0).report();
    let suite = &report.assignments[0].suites[0];
    let exposed: Vec<_> = suite.exposed_by.keys().map(String::as_str).collect();
    assert_eq!(exposed, ["skips-the-first-number", "stops-at-a-blank-line"]);
    assert_eq!(suite.score.as_ref().map(|score| score.mutants), Some(3));
    course.mutants(&["verify", "--fast"]).exits(0);
    let out = course.word("more");
    let suite = course.word("student_tests/tally");
    let found = course.harness(&["generate", &suite, "--out", &out]).exits(0);
    assert!(found.stdout.starts_with("tally: 1 of 1 mutants exposed"), "{}", found.stdout);
    let solved = course.word("solved");
    course.harness(&["solution", "tally", "--out", &solved]).exits(0);
    let solution = course.read("solved/Tally.java");
    assert!(solution.contains("class Tally") && !solution.contains("Bug.on"), "{solution}");
    let readme = course.read("README.md");
    assert!(readme.contains("(`Bug.on`)") && !readme.contains("cannot mark"), "{readme}");
    course.mutants(&["new", "tally", "sums-only-two", "--program"]).exits(0);
    assert!(course.read("mutants/tally/sums-only-two.java").contains("class Tally"));
}

#[test]
fn the_text_of_the_class_that_marks_bugs_is_in_the_documents() {
    let read = |path: &str| fs::read_to_string(repository().join(path)).unwrap();
    let source = read("crates/subject/java/Bug.java");
    let is_code = |line: &&str| !line.trim_start().starts_with(['/', '*']);
    let code: String = source.split_inclusive('\n').filter(is_code).collect();
    let document = read("docs/adding-an-assignment.md");
    assert!(document.contains(&format!("```java\n{code}```\n")), "{code}");
}
