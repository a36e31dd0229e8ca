//! Classes: folders that cannot be read, links, inner folders, one platform file for each student, and the search for the course.

use super::course::Course;
use super::formats::zoo;
use super::run::NO_VALID_TEST;
use super::{Run, folder, harness, path};
use harness::result::{Report, Status};
use std::fs::{self, Permissions};
use std::os::unix::fs::{PermissionsExt, symlink};
use std::os::unix::process::CommandExt;
use std::path::Path;
use std::process::Command;

/// Runs `harness` in the folder of the course.
fn in_course(zoo: &Course, args: &[&str]) -> Run {
    in_folder(&zoo.path(""), args)
}

fn in_folder(folder: &Path, args: &[&str]) -> Run {
    let mut command = Command::new(env!("CARGO_BIN_EXE_harness"));
    Run::from(command.args(args).current_dir(folder).output().expect("harness starts"))
}

/// The names of the suites, each with its numbers of valid and of rejected tests.
pub(super) fn counts(report: &Report) -> Vec<(&str, usize, usize)> {
    let suites = report.assignments.iter().flat_map(|assignment| &assignment.suites);
    suites.map(|suite| (suite.name.as_str(), suite.valid_tests(), suite.rejected_tests())).collect()
}

/// A class of Ann and Bob, in which only Ann's folder can be read without root's capabilities.
fn class_with_a_closed_folder() -> Course {
    let files: [(&str, &[u8]); 2] =
        [("class/ann/test-1.txt", b"cat\n"), ("class/bob/test-1.txt", b"dog\n")];
    let zoo = zoo("count", &files);
    let mode = |path: &str, mode| {
        fs::set_permissions(zoo.path(path), Permissions::from_mode(mode)).unwrap();
    };
    mode("", 0o777);
    mode("class/bob", 0o000);
    zoo
}

/// Runs `harness` as a user whom permissions concern.
fn without_capabilities(zoo: &Course, args: &[&str]) -> Run {
    let program = zoo.path("program");
    super::copy_program(&program);
    let mut command = Command::new(program);
    command.args(args).current_dir(zoo.path(""));
    let is_root = fs::read_dir(zoo.path("class/bob")).is_ok();
    if is_root {
        command.uid(65534).gid(65534);
    }
    let output = command.output().expect("harness starts");
    fs::set_permissions(zoo.path("class/bob"), Permissions::from_mode(0o700)).unwrap();
    Run::from(output)
}

#[test]
fn a_folder_that_cannot_be_read_rejects_one_student_and_no_other() {
    let run = without_capabilities(&class_with_a_closed_folder(), &["score", "class"]).exits(0);
    let lines: Vec<_> = run.stdout.lines().map(str::trim).collect();
    let of = |name: &str| lines.iter().position(|line| line.starts_with(name)).unwrap();
    assert!(lines[of("ann ")].split_whitespace().eq(["ann", "1", "0", "1", "5"]), "{}", run.stdout);
    assert!(lines[of("bob ")].split_whitespace().eq(["bob", "0", "1", "0", "0"]), "{}", run.stdout);
    let why = "bob/: cannot read the folder class/bob: Permission denied";
    assert!(lines[of("bob ") + 1].starts_with(why), "{}", run.stdout);
}

#[test]
fn a_folder_that_cannot_be_read_is_named_as_such_if_it_is_scored_alone() {
    let zoo = class_with_a_closed_folder();
    let run = without_capabilities(&zoo, &["score", "class/bob", "--format", "gradescope"])
        .fails(3, NO_VALID_TEST);
    assert!(run.stdout.contains("cannot read the folder class/bob"), "{}", run.stdout);
    assert!(!run.stdout.contains("there are no tests"), "{}", run.stdout);
}

#[test]
fn a_suite_without_a_test_gives_a_result_that_says_why() {
    let zoo = zoo("count", &[("suite/mytest.txt", b"cat\n")]);
    for format in ["gradescope", "prairielearn", "github-classroom"] {
        let wanted = format!("{format}=result");
        let args = ["score", "suite", "--overwrite", "--format", &wanted];
        in_course(&zoo, &args).fails(3, NO_VALID_TEST);
        let written = fs::read_to_string(zoo.path("result")).unwrap();
        let written = super::formats::decoded(format, &written);
        assert!(
            written.contains("there are no tests in the folder `suite`"),
            "{format}: {written}"
        );
        assert!(written.contains("tests have names like `test-1.txt`"), "{format}: {written}");
    }
    let run = in_course(&zoo, &["score", "suite", "--format", "csv"]).fails(3, NO_VALID_TEST);
    assert!(
        run.stdout.contains("\nsuite,zoo,0,10,0,2,,0,1,suite/: there are no tests in"),
        "{}",
        run.stdout
    );
}

#[test]
#[ignore = "it takes long; .ci/run runs it"]
fn a_platform_gets_a_result_without_blame_if_the_course_is_broken() {
    let results = folder(&[]);
    let course = "tests/courses/disagreeing";
    for format in ["gradescope", "prairielearn", "github-classroom"] {
        let file = results.path().join(format);
        let wanted = format!("{format}={}", file.display());
        let suite = "tests/courses/disagreeing/tests";
        harness(&["score", suite, "--course", course, "--format", &wanted])
            .fails(4, "...\nerror: the combined build with no mutant selected differs [..]\n...\n");
        let written = super::formats::decoded(format, &fs::read_to_string(file).unwrap());
        assert!(written.contains("This is not your fault"), "{format}: {written}");
        assert!(!written.contains("mutant"), "the error is for staff: {written}");
        let is_ungradable = written.contains("\"gradable\": false");
        assert_eq!(is_ungradable, format == "prairielearn", "{written}");
    }
}

#[test]
fn a_failed_run_does_not_replace_a_result_without_overwrite() {
    let zoo = zoo("count", &[("suite/test-1.txt", b"cat\n")]);
    fs::write(zoo.path("harness.yaml"), "course: [").unwrap();
    fs::write(zoo.path("result"), "precious").unwrap();
    let read = || fs::read_to_string(zoo.path("result")).unwrap();
    let broken = "error: expected one value, found a list\n --> ./harness.yaml:1:9\n...\n";
    in_course(&zoo, &["score", "suite", "--format", "gradescope=result"]).fails(2, broken);
    assert_eq!(read(), "precious");
    in_course(&zoo, &["score", "suite", "--format", "gradescope=result", "--overwrite"])
        .fails(2, broken);
    assert!(read().contains("This is not your fault"));
}

#[test]
fn the_course_file_is_searched_in_parent_folders_unless_it_is_named() {
    let zoo = zoo("count", &[("tests/suite/test-1.txt", b"cat\n")]);
    let tests = zoo.path("tests");
    let run = in_folder(&tests, &["score", "suite"]).exits(0);
    assert!(run.stdout.starts_with("Zoo: one suite\n"), "{}", run.stdout);
    in_folder(&tests.join("suite"), &["mutants", "list"]).exits(0);
    in_folder(&tests, &["score", "suite", "--course", "."])
        .fails(2, "error: there is no course file ./harness.yaml\nhint: [..]\n");

    fs::write(zoo.path("harness.yaml"), "course: x\ntitel: y\n").unwrap();
    in_folder(&tests.join("suite"), &["score", "."])
        .fails(2, "...\n --> ../../harness.yaml:2:[..]\n...\n");
}

/// A class of Ann and of links to the folders of Bob and Cyd.
fn class_with_links() -> Course {
    let files: [(&str, &[u8]); 3] = [
        ("class/ann/test-1.txt", b"cat\n"),
        ("repos/b/test-1.txt", b"dog\n"),
        ("class/notes", b"not a student"),
    ];
    let zoo = zoo("count", &files);
    let class = zoo.path("class");
    symlink("../repos/b", class.join("bob")).unwrap();
    symlink("../repos/nowhere", class.join("cyd")).unwrap();
    symlink("notes", class.join("more-notes")).unwrap();
    zoo
}

#[test]
fn each_link_to_a_students_folder_is_mentioned() {
    let run = in_course(&class_with_links(), &["score", "class"]).exits(0);
    assert!(run.stdout.starts_with("Zoo: a class of 3 suites\n"), "{}", run.stdout);
    let bob =
        "    bob/: this is a link to a folder, and the course does not follow links\n    hint: ";
    assert!(run.stdout.contains(bob), "{}", run.stdout);
    let cyd = "    cyd/: this link cannot be followed: No such file or directory";
    assert!(run.stdout.contains(cyd), "{}", run.stdout);
}

#[test]
fn links_to_students_folders_are_followed_if_the_course_says_so_but_never_in_them() {
    let zoo = class_with_links();
    let course = zoo.path("harness.yaml");
    let yaml = fs::read_to_string(&course).unwrap();
    fs::write(&course, yaml.replace("flags: []", "flags: [], links: follow")).unwrap();
    symlink("../../repos/b/test-1.txt", zoo.path("class/ann/test-2.txt")).unwrap();
    let report = in_course(&zoo, &["score", "class", "--format", "json"]).exits(0).report();
    assert_eq!(counts(&report), [("ann", 1, 1), ("bob", 1, 0), ("cyd", 0, 1)]);
}

#[test]
fn the_tests_of_a_class_may_be_in_a_folder_named_after_the_assignment() {
    let files: [(&str, &[u8]); 4] = [
        ("class/ann/zoo/test-1.txt", b"cat\n"),
        ("class/bob/test-1.txt", b"dog\n"),
        ("class/cyd/other/test-1.txt", b"dog\n"),
        ("secret/test-1.txt", b"cat dog\n"),
    ];
    let zoo = zoo("count", &files);
    // A student may not hand in another folder by a link.
    fs::create_dir(zoo.path("class/dan")).unwrap();
    symlink("../../secret", zoo.path("class/dan/zoo")).unwrap();
    let run = in_course(&zoo, &["score", "class"]).exits(0);
    let heading = "Zoo: a class of 4 suites\nTests are in the folder `zoo` of 1 student\n";
    assert!(run.stdout.starts_with(heading), "{}", run.stdout);
    let report = in_course(&zoo, &["score", "class", "--format", "json"]).exits(0).report();
    let expected = [("ann", 1, 0), ("bob", 1, 0), ("cyd", 1, 0), ("dan", 0, 1)];
    assert_eq!(counts(&report), expected);
}

#[test]
fn inner_folders_tell_the_assignments_of_a_class() {
    let files: [(&str, &[u8]); 3] = [
        ("class/ann/zoo/test-1.txt", b"cat\n"),
        ("class/ann/farm/test-1.txt", b"dog\n"),
        ("class/bob/farm/test-1.txt", b"cow\n"),
    ];
    let zoo = zoo("count", &files);
    let course = zoo.path("harness.yaml");
    let yaml = fs::read_to_string(&course).unwrap();
    let (_, assignment) = yaml.split_once("  zoo:\n").unwrap();
    fs::write(&course, format!("{yaml}  farm:\n{assignment}")).unwrap();
    let report = in_course(&zoo, &["score", "class", "--format", "json"]).exits(0).report();
    let ids: Vec<_> = report.assignments.iter().map(|assignment| &assignment.id).collect();
    assert_eq!(ids, ["zoo", "farm"]);
    assert_eq!(counts(&report), [("ann", 1, 0), ("bob", 0, 1), ("ann", 1, 0), ("bob", 1, 0)]);

    // The results of both assignments are in one file.
    in_course(&zoo, &["score", "class", "--format", "gradescope=results/"]).exits(0);
    let ann = fs::read_to_string(zoo.path("results/ann.json")).unwrap();
    assert!(ann.contains("\"score\": 10.0") && ann.contains("\"number\": \"2\""), "{ann}");
}

#[test]
fn a_class_gets_one_platform_file_for_each_student() {
    let files: [(&str, &[u8]); 2] =
        [("class/ann/test-1.txt", b"cat dog\n"), ("class/bob/notes.txt", b"nothing\n")];
    let zoo = zoo("count", &files);
    let at = |name: &str| zoo.path(name);
    for (format, ending) in
        [("gradescope", "json"), ("prairielearn", "json"), ("github-classroom", "txt")]
    {
        let wanted = format!("{format}={format}/");
        in_course(&zoo, &["score", "class", "--format", &wanted]).exits(0);
        let read = |student: &str| {
            let file = at(format).join(format!("{student}.{ending}"));
            fs::read_to_string(file).unwrap()
        };
        let alone = in_course(&zoo, &["score", "class/ann", "--format", format]).exits(0);
        assert_eq!(read("ann"), alone.stdout);
        let bob = super::formats::decoded(format, &read("bob"));
        assert!(bob.contains("no valid test") || bob.contains("0 valid tests"), "{format}: {bob}");
        assert_eq!(fs::read_dir(at(format)).unwrap().count(), 2, "nothing else is left behind");
    }
}

#[test]
fn no_students_file_is_overwritten_without_being_asked() {
    let files: [(&str, &[u8]); 3] = [
        ("class/ann/test-1.txt", b"cat\n"),
        ("class/bob/test-1.txt", b"dog\n"),
        ("results/bob.json", b"precious"),
    ];
    let zoo = zoo("count", &files);
    let args = ["score", "class", "--format", "gradescope=results/"];
    let run = in_course(&zoo, &args).fails(
        2,
        "error: results/bob.json already exists\nhint: name a new folder, or use --overwrite\n",
    );
    assert_eq!(run.stdout, "");
    let results = zoo.path("results");
    assert_eq!(fs::read_to_string(results.join("bob.json")).unwrap(), "precious");
    assert!(!results.join("ann.json").exists());
    in_course(&zoo, &[&args[..], &["--overwrite"]].concat()).exits(0);
    assert!(fs::read_to_string(results.join("bob.json")).unwrap().contains("\"score\": 5.0"));
}

#[test]
fn a_folder_for_results_is_only_for_a_class_and_for_platforms() {
    let zoo = zoo("count", &[("suite/test-1.txt", b"cat\n")]);
    in_course(&zoo, &["score", "suite", "--format", "gradescope=results/"])
        .fails(2, "error: [..] and suite is not a class\nhint: name a file[..]\n");
    in_course(&zoo, &["score", "suite", "--format", "json=results/"])
        .fails(2, "error: [..]results/ is a folder\nhint: name a file in it\n");
    assert!(!zoo.path("results").exists());
}

#[test]
#[ignore = "it takes long; .ci/run runs it"]
fn a_folder_full_of_other_files_makes_a_short_report() {
    let zoo = zoo("count", &[("suite/test-1.txt", b"cat\n")]);
    let suite = zoo.path("suite");
    for number in 0..2000 {
        fs::write(suite.join(format!("test-x{number}.txt")), "").unwrap();
        fs::write(suite.join(format!("stray-{number}")), "").unwrap();
    }
    let text = in_course(&zoo, &["score", "suite"]).exits(0).stdout;
    assert!(text.lines().count() < 120 && text.len() < 10_000, "{text}");
    assert!(
        text.contains("\nRejected: 2000 tests\n") && text.contains("… and 1980 more\n"),
        "{text}"
    );
    assert!(text.contains("Not tests, ignored: stray-0, ") && text.contains(", and 1990 more\n"));
    let json = in_course(&zoo, &["score", "suite", "--format", "json"]).exits(0);
    assert!(json.stdout.len() < 50_000, "{}", json.stdout.len());
    let report = json.report();
    let suite = &report.assignments[0].suites[0];
    assert_eq!((suite.valid_tests(), suite.rejected_tests()), (1, 2000));
    assert_eq!((suite.more_rejected, suite.ignored.len(), suite.more_ignored), (1900, 100, 1900));
    for format in ["md", "junit", "html", "csv"] {
        let written = in_course(&zoo, &["score", "suite", "--format", format]).exits(0).stdout;
        let rejected = ["and 1900 more", "1900 more", "and 1960 more", ",2000,\n"];
        assert!(rejected.iter().any(|count| written.contains(count)), "{format}: {written}");
    }
}

#[test]
fn a_byte_order_mark_is_named_with_the_way_to_save_without_one() {
    let suite = folder(&[("test-1-q.txt", "\u{feff}0 1 2\n@?\n".as_bytes())]);
    let run = harness(&["score", path(&suite), "--assignment", "puzzle", "--format", "json"]);
    let report = run.fails(3, NO_VALID_TEST).report();
    let test = &report.assignments[0].suites[0].tests[0];
    let reason = test.reason.as_deref().unwrap();
    assert!(reason.starts_with("the file begins with a byte order mark: "), "{reason}");
    assert!(test.hint.as_deref().unwrap().contains("without a byte order mark"), "{test:?}");
}

#[test]
fn a_number_out_of_range_is_never_corrected_to_a_test_that_exists() {
    let files: [(&str, &[u8]); 3] = [
        ("suite/test-1.txt", b"cat\n"),
        ("suite/test-3.txt", b"cat\n"),
        ("suite/test-13.txt", b"cat\n"),
    ];
    let text = in_course(&zoo("count", &files), &["score", "suite"]).exits(0).stdout;
    assert!(text.contains("hint: did you mean `test-2.txt`?"), "{text}");
}

#[test]
fn a_folder_named_after_another_assignment_is_refused_before_anything_runs() {
    let run = harness(&["score", "student_tests/puzzle", "--assignment", "countess"]).fails(
        2,
        "error: student_tests/puzzle is named after another assignment than `countess`\n\
         hint: use --assignment puzzle, or give the folder another name\n",
    );
    assert_eq!(run.stdout, "");
}

#[test]
fn an_empty_file_is_a_test_only_if_the_course_says_so() {
    let zoo = zoo("count", &[("suite/test-1.txt", b""), ("suite/test-2.txt", b"cat\n")]);
    let status = || {
        let report = in_course(&zoo, &["score", "suite", "--format", "json"]).exits(0).report();
        report.assignments[0].suites[0].tests[0].status
    };
    assert_eq!(status(), Status::Rejected);
    let course = zoo.path("harness.yaml");
    let yaml = fs::read_to_string(&course).unwrap();
    fs::write(&course, yaml.replace("flags: []", "flags: [], empty: accept")).unwrap();
    assert_eq!(status(), Status::Valid);
}
