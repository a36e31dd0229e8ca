//! `harness grade` of submissions that are right but unusual: what the course's documents do not ask for costs nothing.

use super::grading_a_class::{class as students, records, run};
use super::sums::{
    MAKEFILE, SUM, course, grade_with, graded, has_no_compiler, messages, set, submit,
};
use harness::result::graded::{Graded, Severity, SubmissionReport};
use harness::result::scoreboard::Scoreboard;
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

#[test]
fn results_on_another_scale_are_marked_and_in_no_mean() {
    if has_no_compiler() {
        return;
    }
    let wrong = TINY.replace("a + b", "a - b");
    let course = students(&[("ann", TINY), ("bob", TINY)]);
    set(&course, "scoreboard: names");
    run(&course, &[]).exits(0);
    let file = course.path().join("harness.yaml");
    let text = fs::read_to_string(&file).unwrap();
    fs::write(&file, text.replace("cases: 80, tests: 10", "cases: 40, tests: 10")).unwrap();
    let class = course.path().join("class");
    fs::create_dir(class.join("cem")).unwrap();
    for (name, text) in [("sum.cpp", wrong.as_str()), ("Makefile", MAKEFILE)] {
        fs::write(class.join("cem").join(name), text).unwrap();
    }
    let reports = course.path().join("graded.json");
    let json = format!("json={}", reports.display());
    let run_again = run(&course, &["--format", "text", "--format", &json]);
    assert!(run_again.stderr.contains("hint: `--regrade` shows whose points change now"));
    let text = run_again.stdout;
    assert!(text.contains(" 90/90 ") && text.contains("\nMean: 20 points\n"), "{text}");
    assert!(text.contains("2 on another scale: ") && text.contains("--regrade"), "{text}");
    let graded: Graded = serde_json::from_slice(&fs::read(&reports).unwrap()).unwrap();
    let marked = graded.submissions.iter().map(|report| report.other_scale);
    assert_eq!(marked.collect::<Vec<_>>(), [true, true, false]);
    let read = |name: &str| fs::read_to_string(course.path().join("results").join(name)).unwrap();
    let book = read("gradebook.csv");
    let last = |name: &str| {
        let row = book.lines().find(|line| line.starts_with(&format!("{name},"))).unwrap();
        row.rsplit(',').next().unwrap().to_owned()
    };
    assert_eq!(["student", "ann", "cem"].map(last), ["other_scale", "yes", "no"]);
    let page = read("class.html");
    assert!(page.contains("<td>90/90</td>") && page.contains("<strong>20</strong> mean"));
    assert!(page.contains("2 on another scale"));
    let board: Scoreboard = serde_json::from_str(&read("scoreboard.json")).unwrap();
    assert_eq!((board.other_scale, board.groups[0].fastest.len()), (2, 0));
    assert!(read("scoreboard.html").contains("2 more were graded on another scale"));
    assert!(!records(&course, "results")["ann"].report.other_scale, "the result itself stays");

    run(&course, &["--regrade", "--apply"]).exits(0);
    let text = run(&course, &[]).exits(0).stdout;
    assert!(text.contains("\nMean: 40 points\n") && !text.contains("another scale"), "{text}");
}

#[test]
fn a_build_that_lacks_files_in_a_folder_names_the_rule_on_folders() {
    if has_no_compiler() {
        return;
    }
    let course = course(&[]);
    let everything = "sum: $(wildcard *.cpp)\n\tg++ -O3 -o sum $^\n";
    submit(&course, "inner", &[("src/sum.cpp", TINY), ("Makefile", everything)]);
    submit(&course, "makefile", &[("build/Makefile", MAKEFILE), ("sum.cpp", TINY)]);
    submit(&course, "lower", &[("makefile", MAKEFILE), ("sum.cpp", TINY)]);
    let broken = TINY.replace("int a", "int");
    let backup = [("sum.cpp", broken.as_str()), ("Makefile", MAKEFILE), ("old/it.cpp", TINY)];
    submit(&course, "backup", &backup);
    submit(&course, "mac", &[("mine/sum.cpp", TINY), ("mine/Makefile", MAKEFILE), ("._mine", "")]);
    let deep =
        [("home/ann/sum.cpp", TINY), ("home/ann/Makefile", MAKEFILE), ("home/.DS_Store", "")];
    submit(&course, "deep", &deep);
    let reports = class(&course);
    let error = |name: &str| reports[name].build.as_ref().unwrap().error.clone().unwrap();
    let rule = "a submission has no folders, so put its files beside each other";
    assert!(error("inner").message.contains("no input files"));
    assert_eq!(error("inner").hint.unwrap(), format!("src/sum.cpp is in a folder: {rule}"));
    let needed = &reports["makefile"].findings;
    let needed = needed.iter().find(|it| it.message == "there is no file Makefile").unwrap();
    let hint = format!("build/Makefile is in a folder: {rule}");
    assert_eq!(needed.hint.as_ref(), Some(&hint));
    assert_eq!(error("makefile").hint, Some(hint));
    let lower = "rename makefile to Makefile: upper and lower case differ";
    assert_eq!(error("lower").hint.as_deref(), Some(lower));
    assert_eq!(error("backup").hint, None, "the build lacks no file");
    assert_eq!(reports["mac"].groups[0].passed, 2, "{:?}", messages(&reports["mac"]));
    assert_eq!(reports["deep"].groups[0].passed, 2, "{:?}", messages(&reports["deep"]));
    assert_eq!(messages(&reports["deep"])[0], "all files are in the folder home/ann");
}

#[test]
fn the_page_shows_what_the_text_shows_of_tests_and_of_a_wrong_case() {
    if has_no_compiler() {
        return;
    }
    let wrong = TINY.replace(
        "    printf",
        "    fprintf(stderr, \"lost my way\\n\");\n    return 3;\n    printf",
    );
    let files = [
        ("sum.cpp", wrong.as_str()),
        ("Makefile", MAKEFILE),
        ("test-1.txt", "1 2\n"),
        ("test-2.txt", "1\n"),
    ];
    let course = course(&files);
    let page = course.path().join("page.html");
    let text = grade_with(&course, "mine", &["--html", page.to_str().unwrap()]).exits(0).stdout;
    let page = fs::read_to_string(page).unwrap();
    assert!(text.contains("Tests: 1 valid test, 1 rejected\n") && text.contains("test-2.txt: "));
    assert!(page.contains("Tests: 1 valid, 1 rejected</h2>"), "{page}");
    let reason = "the reference rejects this test";
    assert!(text.contains(reason) && page.contains(reason), "{text}");
    for sentence in ["the program exits with status 3", "lost my way"] {
        assert!(text.contains(sentence) && page.contains(sentence), "{sentence}: {text}");
    }
    assert!(page.contains("<th scope=\"row\">adds-one</th>"), "the matrix names it");
}

#[test]
fn what_floods_is_cut_in_every_format() {
    if has_no_compiler() {
        return;
    }
    let flood = TINY.replace("    printf", "    for (int i = 0; i < 100000; ++i)\n        printf(\"%d: a line of a flood \\033[1m of lines\\n\", i);\n    printf");
    let deep = format!("{}sum.h", format!("{}/", "n".repeat(250)).repeat(14));
    let course = course(&[("sum.cpp", &flood), ("Makefile", MAKEFILE), (&deep, "")]);
    let run = grade_with(&course, "mine", &["--format", "json"]);
    assert!(run.stdout.len() < 100_000, "{} bytes", run.stdout.len());
    let report = graded(&run);
    let [said] = messages(&report)[..] else { panic!("{:?}", messages(&report)) };
    assert!(said.len() < 500 && said.ends_with("sum.h is in a folder"), "{said}");
    let shown = report.groups[0].cases[0].shown.as_ref().unwrap();
    let diff = &shown.difference.as_ref().unwrap().outputs[0].diff;
    assert!(diff.rows.len() > 20 && diff.more_lines > 99_000, "{}", diff.rows.len());
}

#[test]
fn the_columns_of_all_groups_begin_at_the_same_place() {
    if has_no_compiler() {
        return;
    }
    let course = course(&[("sum.cpp", TINY), ("Makefile", MAKEFILE)]);
    let text = grade_with(&course, "mine", &["--times"]).exits(0).stdout;
    let of = |name: &str| {
        let line = text.lines().find(|line| line.starts_with(&format!("  {name} "))).unwrap();
        (line.find("passed").unwrap(), line.find(" MB").unwrap())
    };
    assert!(of("Two") == of("Large") && of("Large") == of("INV1"), "{text}");
}
