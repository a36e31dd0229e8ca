//! `harness grade` of submissions that are right but unusual: what the course's documents do not ask for costs nothing.

use super::sums::{
    MAKEFILE, SUM, course, grade_with, graded, has_no_compiler, messages, set, submit,
};
use harness::result::graded::{Graded, Severity, SubmissionReport};
use std::collections::BTreeMap;
use std::fs;
use tempfile::TempDir;

const ID: &str = "# ABCDEF0123456789\n";
const DEBUG: &str = "debug: sum.cpp\n\tg++ -g -o sum_debug sum.cpp\n";
const RELEASE: &str = "release: sum.cpp\n\tg++ -O3 -o sum sum.cpp\n";
const CLEAN: &str = "clean:\n\trm -f sum sum_debug\n";

/// The program, without a header that takes long to compile.
const TINY: &str = "// ABCDEF0123456789\n#include <cstdio>\nint main() {\n    int a = 0, b = 0;\n    if (scanf(\"%d %d\", &a, &b) < 2) return 1;\n    printf(\"%d\\n\", a + b);\n}\n";

/// A course whose Makefiles may have a target `release`.
fn with_targets() -> TempDir {
    let course = course(&[]);
    set(&course, "build: { command: [[make, -R, -r, release], [make, -R, -r]] }");
    course
}

/// Grades the class of a course, by name.
fn class(course: &TempDir) -> BTreeMap<String, SubmissionReport> {
    let run = grade_with(course, "class", &["--format", "json"]).exits(0);
    let all = run.json::<Graded>().submissions.into_iter();
    all.map(|report| (report.name.clone(), report)).collect()
}

#[test]
fn the_first_command_counts_whose_target_the_makefile_has() {
    if has_no_compiler() {
        return;
    }
    let course = with_targets();
    let sum = "sum: sum.cpp\n\tg++ -O3 -o sum sum.cpp\n";
    let first = [
        ("included", format!("{ID}{DEBUG}include rules.h\n{CLEAN}")),
        (
            "computed",
            format!(
                "{ID}{DEBUG}NAME = rel\n$(NAME)ease: sum.cpp\n\tg++ -O3 -o sum sum.cpp\n{CLEAN}"
            ),
        ),
        ("pattern", format!("{ID}{DEBUG}%ease: sum.cpp\n\tg++ -O3 -o sum sum.cpp\n{CLEAN}")),
        (
            "variable",
            format!(
                "{ID}FLAGS = -g\nrelease: FLAGS = -O3\nrelease: sum\nsum: sum.cpp\n\tg++ $(FLAGS) -o sum sum.cpp\n{CLEAN}"
            ),
        ),
    ];
    let second = [
        ("comment", format!("{ID}# release: all\n{sum}{CLEAN}")),
        (
            "text",
            format!(
                "{ID}define NOTE\n\n# Files\n\nrelease: all\n#  recipe to execute\n\nendef\n{sum}{CLEAN}"
            ),
        ),
        ("declared", format!("{ID}.PHONY: release\nrelease: FLAGS = -O3\n{sum}{CLEAN}")),
        ("any", format!("{ID}{sum}{CLEAN}%:\n\t@echo no target $@\n")),
        ("default", format!("{ID}{sum}{CLEAN}.DEFAULT:\n\t@echo no target $@\n")),
        ("goal", format!("{ID}.DEFAULT_GOAL = sum\n{CLEAN}{sum}")),
    ];
    let all = first.iter().chain(&second);
    for (name, makefile) in all {
        let rules = format!("{ID}{RELEASE}");
        submit(&course, name, &[("sum.cpp", TINY), ("Makefile", makefile), ("rules.h", &rules)]);
    }
    let reports = class(&course);
    let command = |name: &str| reports[name].build.as_ref().unwrap().command.clone();
    for (names, expected) in [(&first[..], "make -R -r release"), (&second[..], "make -R -r")] {
        for (name, _) in names {
            assert_eq!(command(name), expected, "{name}");
            let costs = reports[*name].findings.iter().find(|finding| finding.points.is_some());
            assert_eq!(costs, None, "{name}");
            assert_eq!(reports[*name].groups[0].passed, 2, "{name}");
        }
    }
}

#[test]
fn a_build_without_the_program_names_what_it_made_and_nothing_else_is_deducted() {
    if has_no_compiler() {
        return;
    }
    let course = with_targets();
    let debug = format!("{ID}{DEBUG}{CLEAN}");
    let broken = format!("{debug}release: sum.cpp\n nonsense\n");
    for (name, makefile) in [("debug", &debug), ("syntax", &broken)] {
        let files = [("sum.cpp", TINY), ("Makefile", makefile), ("test-1.txt", "1 2\n")];
        submit(&course, name, &files);
    }
    let reports = class(&course);
    let error = |name: &str| reports[name].build.as_ref().unwrap().error.clone().unwrap();
    assert_eq!(error("debug").message, "the build made no program `sum`, but `sum_debug`");
    assert_eq!(error("syntax").message, "missing separator.  Stop.");
    let report = &reports["debug"];
    assert!(messages(report).contains(&"sum.cpp was compiled with -g"), "{:?}", messages(report));
    assert!(report.findings.iter().all(|it| it.severity == Severity::Warning), "{report:?}");
    assert_eq!(report.points.earned.to_string(), "10", "the tests count");
}

#[test]
fn commands_that_never_count_are_an_error_of_the_course() {
    let course = course(&[("sum.cpp", SUM)]);
    set(&course, "build: { command: [[make], [make, release]] }");
    let run = grade_with(&course, "mine", &[]);
    let message = "`make` always counts, so the commands after it never do";
    assert!(run.status == 2 && run.stderr.contains(message), "{}", run.stderr);
}

#[test]
fn the_rule_on_compilers_is_off_for_a_script_that_was_handed_in_alone() {
    if has_no_compiler() {
        return;
    }
    let script = "#!/bin/sh\nread a b\n[ -n \"$b\" ] || exit 1\necho $((a + b))\n";
    let makefile = format!("{ID}sum: script\n\tcp script sum && chmod +x sum\n{CLEAN}");
    let python = course(&[("script", script), ("Makefile", &makefile)]);
    set(&python, "files: [script, Makefile]");
    let keys = fs::read_to_string(python.path().join("harness.yaml")).unwrap();
    let once = keys.replacen("      files: [\"*.cpp\", \"*.h\", Makefile, \"test*.txt\"]\n", "", 1);
    fs::write(python.path().join("harness.yaml"), once).unwrap();
    let report = graded(&grade_with(&python, "mine", &["--format", "json"]));
    assert_eq!((messages(&report), report.groups[0].passed), (vec![], 2));

    // In a course for C++, a script can only hide a program that was compiled elsewhere.
    let hidden = format!("// ABCDEF0123456789\n{script}");
    let makefile = format!("{ID}sum: sum.h\n\ttail -n +2 sum.h > sum && chmod +x sum\n{CLEAN}");
    let sly = course(&[("sum.cpp", TINY), ("sum.h", &hidden), ("Makefile", &makefile)]);
    let report = graded(&grade_with(&sly, "mine", &["--format", "json"]));
    let message = "sum was made by no compilation of gcc or g++ that was seen";
    assert_eq!(messages(&report), [message]);
    assert_eq!(report.findings[0].points, Some(5.0));
}

#[test]
fn a_makefile_has_the_identifier_anywhere_and_code_in_a_comment() {
    if has_no_compiler() {
        return;
    }
    let makefile = MAKEFILE.replace("# Project Identifier: ", "IDENTIFIER = ");
    let source =
        SUM.replace("// Project Identifier: ABCDEF0123456789", "auto id = \"ABCDEF0123456789\";");
    let course = course(&[("sum.cpp", &source), ("Makefile", &makefile)]);
    let report = graded(&grade_with(&course, "mine", &["--format", "json"]));
    assert_eq!(messages(&report), ["the project identifier in sum.cpp is not in a comment"]);
}
