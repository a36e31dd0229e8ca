//! `harness grade`: whole submissions.

use super::course::Course;
use super::sums::{
    CASES, MAKEFILE, SUM, course, grade_with, graded, has_no_compiler, messages, set,
};
use super::{path, repository, samples, skip};
use harness::result::graded::{CaseReport, Graded, Severity, SubmissionReport, Verdict};
use std::fs;
use std::process::Command;

#[track_caller]
fn grade(files: &[(&str, &str)]) -> SubmissionReport {
    graded(&grade_with(&course(files), "mine", &["--format", "json"]))
}

#[test]
fn a_right_program_with_a_good_test_earns_everything() {
    if has_no_compiler() {
        return;
    }
    let report = grade(&[("sum.cpp", SUM), ("Makefile", MAKEFILE), ("test-1.txt", "1 2\n")]);
    assert_eq!(messages(&report), [""; 0]);
    let verdicts: Vec<_> =
        report.groups.iter().flat_map(|group| &group.cases).map(|case| case.verdict).collect();
    assert_eq!(verdicts, [Verdict::Passed; 3]);
    assert_eq!(report.points.earned.to_string(), "90");
    assert!(report.groups[0].cases[0].measures.is_none(), "times are shown only if asked for");
}

#[test]
fn the_answers_of_a_reference_change_with_each_file_that_it_imports() {
    if has_no_compiler() {
        return;
    }
    let course = course(&[("sum.cpp", SUM), ("Makefile", MAKEFILE)]);
    let at = |name: &str| course.path().join(name);
    let text = fs::read_to_string(at("harness.yaml")).unwrap();
    let (start, rest) = text.split_once("      reference: {").unwrap();
    let (_, rest) = rest.split_once("    mutants: mutants\n").unwrap();
    let text = format!("{start}      python: sum.py\n    mutants: mutants\n{rest}");
    fs::write(at("harness.yaml"), text).unwrap();
    let main = "import sys\nfrom adds import add\nnumbers = sys.stdin.read().split()\nif len(numbers) < 2:\n    sys.exit(1)\nprint(add(numbers))\n";
    fs::write(at("sum.py"), main).unwrap();
    fs::write(at("mutants/adds-one.py"), "print(1)\n").unwrap();
    let passed = |adds: &str| {
        let code = format!("def add(numbers):\n    return {adds}\n");
        fs::write(at("adds.py"), code).unwrap();
        let run = grade_with(&course, "mine", &["--format", "json", "--audience", "normal"]);
        graded(&run.exits(0)).groups[0].passed
    };
    assert_eq!(passed("sum(map(int, numbers)) + 1"), 0);
    assert_eq!(passed("sum(map(int, numbers))"), 2);
}

#[test]
fn what_a_wrong_program_does_is_shown_beside_the_reference() {
    if has_no_compiler() {
        return;
    }
    let wrong = SUM.replace("a + b", "a * b");
    let report = grade(&[("sum.cpp", &wrong), ("Makefile", MAKEFILE), ("test-1.txt", "5 6\n")]);
    let sample = &report.groups[0];
    assert_eq!((sample.passed, sample.total), (0, 2));
    let shown: Vec<_> = sample.cases.iter().filter(|case| case.shown.is_some()).collect();
    assert_eq!(shown.len(), 1, "one failed case of a group is shown");
    assert_eq!(shown[0].shown.as_ref().unwrap().input, "1 2\n");
    assert_eq!(report.own.as_ref().unwrap().file, "test-1.txt");
}

#[test]
fn a_program_that_rejects_a_valid_input_is_quoted() {
    if has_no_compiler() {
        return;
    }
    let picky = SUM.replace("&b) < 2", "&b) < 2 || a > 9");
    let report = grade(&[("sum.cpp", &picky), ("Makefile", MAKEFILE)]);
    let case = &report.groups[0].cases[1];
    assert_eq!(case.verdict, Verdict::Rejected);
    assert_eq!(case.says.as_deref(), Some("two numbers, please"));
}

#[test]
fn a_build_that_fails_shows_its_first_error_and_the_rest_of_the_report() {
    if has_no_compiler() {
        return;
    }
    let broken = SUM.replace("int a = 0", "int a = ");
    let report = grade(&[("sum.cpp", &broken), ("Makefile", MAKEFILE), ("test-1.txt", "1 2\n")]);
    let build = report.build.as_ref().unwrap();
    let error = build.error.as_ref().unwrap();
    assert_eq!((error.file.as_deref(), error.line), (Some("sum.cpp"), Some(4)));
    assert!(!build.built && report.groups[0].cases[0].verdict == Verdict::NotRun);
    assert_eq!(report.points.earned.to_string(), "10", "the tests count");
}

#[test]
fn a_build_that_fails_in_the_assembler_or_the_linker_shows_what_these_say_first() {
    if has_no_compiler() {
        return;
    }
    let first = |lines: &str| {
        let source =
            SUM.replace("int main() {\n", &format!("int other();\nint main() {{\n{lines}\n"));
        let report = grade(&[("sum.cpp", &source), ("Makefile", MAKEFILE)]);
        let error = report.build.unwrap().error.unwrap();
        (error.file.unwrap_or_default(), error.message)
    };
    let (file, message) = first("__asm__(\"no-such-instruction\");");
    assert!(file == "sum.cpp" && message.contains("no-such-instruction"), "{file}: {message}");
    let (file, message) = first("other();");
    assert_eq!((&*file, &*message), ("sum.cpp", "undefined reference to `other()'"));
}

#[test]
fn the_options_of_the_compiler_are_those_that_make_really_used() {
    if has_no_compiler() {
        return;
    }
    // It prints -O3, but compiles without it, by a path of its own.
    let sly = "# Project Identifier: ABCDEF0123456789\nsum: sum.cpp\n\t@echo g++ -O3 -o sum sum.cpp\n\t@$$(command -v g++) -g -fopenmp -o sum sum.cpp\nclean:\n\trm -f sum\n";
    let course = course(&[("sum.cpp", SUM), ("Makefile", sly)]);
    set(&course, "flags: { refused: [-g, -fopenmp] }");
    let report = graded(&grade_with(&course, "mine", &["--format", "json"]));
    let found = messages(&report);
    assert!(found.contains(&"sum.cpp was compiled with -fopenmp"), "{found:?}");
    assert!(found.contains(&"sum.cpp was compiled without -O3"), "{found:?}");
    assert!(found.contains(&"sum.cpp was compiled with -g"), "{found:?}");
    let lost: f64 = report.findings.iter().filter_map(|finding| finding.points).sum();
    assert_eq!(lost.to_string(), "5", "a rule costs its points once");
}

#[test]
fn each_rule_has_a_finding_with_its_place() {
    let bad = "#include <thread>\n// std::unique_ptr\nint main() { std::shared_ptr<int> p; }\n";
    let files = [
        ("sum.cpp", bad),
        ("Makefile", "sum:\n\tfalse\n"),
        ("notes.pdf", "%PDF"),
        ("old.o", "\u{7f}ELF"),
        ("deep/a.cpp", SUM),
        ("testing.h", "// ABCDEF0123456789\n"),
    ];
    let report = grade(&files);
    let place = |message: &str| {
        let found = report.findings.iter().find(|finding| finding.message.contains(message));
        let found = found.unwrap_or_else(|| panic!("{message}: {:?}", messages(&report)));
        (found.severity, found.line)
    };
    assert_eq!(place("<thread>"), (Severity::Deduction, Some(1)));
    assert_eq!(place("`shared_ptr`"), (Severity::Deduction, Some(3)));
    assert!(messages(&report).iter().all(|text| !text.contains("unique_ptr")), "it is a comment");
    for message in [
        "notes.pdf does not",
        "old.o was built",
        "deep/a.cpp is in",
        "testing.h: a test is named",
        "sum.cpp has no project",
        "Makefile has no project",
    ] {
        assert_eq!(place(message).0, Severity::Warning);
    }
}

#[test]
#[ignore = "it takes long; .ci/run runs it"]
fn an_archive_is_graded_like_a_folder() {
    if has_no_compiler() {
        return;
    }
    let course = course(&[("sum.cpp", SUM), ("Makefile", MAKEFILE)]);
    let tar = Command::new("tar")
        .args(["czf", "mine.tar.gz", "-C", "mine", "sum.cpp", "Makefile"])
        .current_dir(course.path())
        .status();
    assert!(tar.unwrap().success());
    let archive = graded(&grade_with(&course, "mine.tar.gz", &["--format", "json"]));
    let plain = graded(&grade_with(&course, "mine", &["--format", "json"]));
    assert_eq!(archive, plain);
}

#[test]
fn a_hostile_archive_is_refused_and_writes_nothing() {
    let course = course(&[]);
    let at = |name: &str| course.path().join(name);
    let tar = |name: &str, change: &dyn Fn(&mut tar::Header)| {
        let mut header = tar::Header::new_gnu();
        header.set_size(0);
        header.set_mode(0o644);
        change(&mut header);
        header.set_cksum();
        let mut builder = tar::Builder::new(fs::File::create(at(name)).unwrap());
        builder.append(&header, std::io::empty()).unwrap();
        builder.finish().unwrap();
    };
    let named = |header: &mut tar::Header, name: &[u8]| {
        header.as_old_mut().name[..name.len()].copy_from_slice(name);
    };
    tar("up.tar", &|header| named(header, b"../outside"));
    tar("root.tar", &|header| named(header, b"/tmp/outside"));
    tar("link.tar", &|header| {
        named(header, b"link.cpp");
        header.set_entry_type(tar::EntryType::Symlink);
        header.set_link_name("/etc/passwd").unwrap();
    });
    fs::write(at("empty.tar.gz"), b"").unwrap();
    fs::write(at("broken.zip"), b"PK\x03\x04broken").unwrap();
    for name in ["up.tar", "root.tar", "link.tar", "empty.tar.gz", "broken.zip"] {
        let run = grade_with(&course, name, &["--format", "json"]);
        assert_eq!(run.status, 3, "{name}: {}", run.stderr);
        assert!(graded(&run).refused, "{name}");
    }
    assert!(!at("../outside").exists());
}

#[test]
#[ignore = "it takes long; .ci/run runs it"]
fn an_archive_that_expands_without_end_is_refused_at_once() {
    let course = course(&[]);
    let bomb = course.path().join("bomb.tar.gz");
    // Ten gigabytes of zeros take ten megabytes. A thousandth of them is over the limit as well.
    let mut header = tar::Header::new_gnu();
    header.set_path("bomb.cpp").unwrap();
    header.set_size(10 << 30);
    header.set_cksum();
    let mut encoder =
        flate2::write::GzEncoder::new(fs::File::create(bomb).unwrap(), flate2::Compression::best());
    std::io::Write::write_all(&mut encoder, header.as_bytes()).unwrap();
    std::io::copy(&mut std::io::Read::take(std::io::repeat(0), 32 << 20), &mut encoder).unwrap();
    encoder.finish().unwrap();
    let mut zip = zip::ZipWriter::new(fs::File::create(course.path().join("bomb.zip")).unwrap());
    zip.start_file("bomb.cpp", zip::write::SimpleFileOptions::default()).unwrap();
    std::io::copy(&mut std::io::Read::take(std::io::repeat(0), 32 << 20), &mut zip).unwrap();
    zip.finish().unwrap();
    // If it built the reference, or ran it, before it read the archive, this would fail.
    fs::remove_file(course.path().join("sum.sh")).unwrap();
    for name in ["bomb.tar.gz", "bomb.zip"] {
        let run = grade_with(&course, name, &["--format", "json"]);
        let expected = [
            "the files take more than four times the limit of 2048 kilobytes",
            "there is no file Makefile",
        ];
        assert_eq!(messages(&graded(&run)), expected, "{name}: {}", run.stderr);
    }
}

#[test]
#[ignore = "it takes long; .ci/run runs it"]
fn a_student_sees_what_the_course_allows() {
    if has_no_compiler() {
        return;
    }
    let wrong = SUM.replace("a + b", "a * b");
    let course = course(&[("sum.cpp", &wrong), ("Makefile", MAKEFILE)]);
    let cases = String::from_utf8(CASES.to_vec())
        .unwrap()
        .replace("sample:\n", "sample:\n  show: verdict\n");
    fs::write(course.path().join("cases.yaml"), cases).unwrap();
    let seen = |audience: &str| {
        graded(&grade_with(&course, "mine", &["--format", "json", "--audience", audience]))
    };
    let (student, past_limit, staff) = (seen("student"), seen("past-limit"), seen("staff"));
    assert!(
        student.groups[0].cases.iter().all(|case| case.shown.is_none() && case.command.len() == 1)
    );
    assert!(staff.groups[0].cases[0].shown.is_some());
    assert!(past_limit.groups[0].cases.is_empty());
}

#[test]
fn an_assignment_without_submissions_says_how_to_add_them() {
    let course = course(&[("sum.cpp", SUM)]);
    let file = course.path().join("harness.yaml");
    let text = fs::read_to_string(&file).unwrap();
    let (before, _) = text.split_once("    submission:").unwrap();
    fs::write(&file, before).unwrap();
    grade_with(&course, "mine", &[]).fails(2, "error: the course says nothing about submissions for `sum`\nhint: add a `submission:` entry to the assignment in harness.yaml\n");
}

#[test]
#[ignore = "it builds and runs eight programs; .ci/run runs it"]
fn the_sample_submissions_earn_what_their_names_say() {
    if Command::new("patch").arg("--version").output().is_err() {
        return skip("there is no `patch` on this machine");
    }
    let course = Course::like(".", &repository().join("target"));
    // One run of each case tells these programs apart, and one under valgrind. A program that is slower than full points allow need not run
    // on for long.
    for (limits, sooner) in [
        ("time: { full: 12, none: 40, ", "time: { full: 12, none: 14, runs: 1, "),
        ("time: { full: 8, none: 20, ", "time: { full: 8, none: 10, runs: 1, "),
    ] {
        let sooner = format!("leaks: {{ cases: 1 }}\n      {sooner}");
        course.replace("harness.yaml", limits, &sooner);
    }
    // Commands make the large cases, and run in the course's folder.
    course.copy(&repository().join("cases"), "cases");
    let change = |file: &str, from: &str, to: &str| {
        let text = course.read(file);
        assert!(text.contains(from), "{file} has no `{from}`");
        course.write(file, text.replace(from, to));
    };
    change("harness.yaml", &format!("cases: {}/./cases/", repository().display()), "cases: cases/");
    // A third as wide and high, they still tell a slow program from others.
    for (assignment, large, smaller) in [
        ("puzzle", "size=1050", "size=350"),
        ("countess", "size=1650", "size=550"),
        ("countess", "size=2000", "size=667"),
    ] {
        change(&format!("cases/{assignment}/cases.yaml"), large, smaller);
    }
    for assignment in ["puzzle", "countess"] {
        let class = tempfile::tempdir().unwrap();
        samples::write(assignment, class.path());
        let args = ["grade", path(&class), "--assignment", assignment, "--format", "json"];
        let all = course.harness(&args).exits(0).json::<Graded>().submissions;
        let of = |name: &str| all.iter().find(|report| report.name == name).unwrap();
        let part = |name: &str, part: &str| {
            of(name).points.parts.iter().find(|it| it.name == part).unwrap().earned.unwrap()
        };
        let is_slow = |case: &&CaseReport| case.verdict == Verdict::Slow;
        let cases = |name: &str| of(name).groups.iter().flat_map(|group| &group.cases);
        for name in ["correct", "leaking"] {
            let slow: Vec<_> = cases(name).filter(is_slow).collect();
            assert!(slow.is_empty(), "{assignment} {name}: {slow:?}");
        }
        assert!(of("correct").points.earned >= of("correct").points.max, "{assignment}");
        assert!(part("slow", "cases") < 80.0 && part("slow", "leaks") >= 10.0);
        assert!(part("leaking", "cases") >= 80.0 && part("leaking", "leaks") <= 0.0);
        assert!(part("wrong", "cases") < 80.0 && of("wrong").own.is_some());
    }
}
