//! What a folder is taken for: what one student handed in, or a class. Nobody in a class is left out without a word.

use super::class::counts;
use super::formats::{decoded, zoo};
use super::run::{NO_VALID_TEST, Run, command, output};
use super::sums::{MAKEFILE, SUM, course, grade_with, submit};
use harness::course::Course;
use harness::result::graded::Graded;
use harness::result::{AssignmentReport, SuiteReport};
use harness::submission::Contents;
use std::ffi::OsStr;
use std::fs;
use std::os::unix::ffi::OsStrExt;
use std::path::Path;
use std::process::Command;

/// Packs a folder into the archive beside it, and removes the folder.
fn archived(folder: &Path) {
    let (parent, name) = (folder.parent().unwrap(), folder.file_name().unwrap());
    let archive = folder.with_extension("tgz");
    let tar = Command::new("tar").arg("czf").arg(archive).arg("-C").arg(parent).arg(name).status();
    assert!(tar.unwrap().success());
    fs::remove_dir_all(folder).unwrap();
}

fn suite<'a>(report: &'a AssignmentReport, name: &str) -> &'a SuiteReport {
    report.suites.iter().find(|suite| suite.name == name).unwrap()
}

#[test]
fn a_folder_for_each_assignment_is_no_class_to_grade() {
    for assignment in [None, Some("countess")] {
        let mut command = command();
        command.args(["grade", "submissions"]);
        command.args(assignment.map(|id| ["--assignment", id]).into_iter().flatten());
        let run: Run = output(&mut command).into();
        let hint = format!("submissions/{}", assignment.unwrap_or("countess"));
        run.fails(
            2,
            &format!(
                "\
error: submissions has a folder for each assignment
hint: grade one of them, as in `harness grade {hint}`
"
            ),
        );
    }
}

#[test]
fn tests_in_the_folder_of_another_course_say_which_one() {
    let zoo = zoo("all", &[("student_tests/test-1.txt", b"cat\n")]);
    let tests = zoo.word("student_tests");
    let run: Run = output(command().args(["score", &tests])).into();
    run.fails(
        2,
        "\
error: cannot tell which assignment [..]/student_tests belongs to
hint: if it belongs to the course in [..], use --course [..]; else choose one with --assignment: [..]
",
    );
}

#[test]
fn archives_and_strays_of_a_class_are_in_every_format() {
    let files: [(&str, &[u8]); 4] = [
        ("class/ann/test-1.txt", b"cat\n"),
        ("class/bob/test-1.txt", b"dog\n"),
        ("class/roster.csv", b"ann,bob\n"),
        ("class/broken.zip", b"PK\x03\x04"),
    ];
    let zoo = zoo("all", &files);
    archived(&zoo.path("class/ann"));
    let score = |format: &str| zoo.score("class", &["--format", format]).exits(0);
    let report = score("json").report().assignments.remove(0);
    assert_eq!(
        report.suites.iter().map(|it| (&*it.name, it.valid_tests())).collect::<Vec<_>>(),
        [("ann", 1), ("bob", 1), ("broken", 0)]
    );
    assert!(suite(&report, "ann").note.as_deref().unwrap().contains("the folder `ann`"));
    assert_eq!(report.left_out[0].name, "roster.csv");
    assert_eq!(report.left_out.len(), 1);
    for format in ["text", "csv", "md", "junit", "html"] {
        let written = score(format).stdout;
        for name in ["ann", "bob", "broken", "roster.csv", "the archive is damaged"] {
            assert!(written.contains(name), "{name} is not in {format}: {written}");
        }
    }
    assert!(score("csv").stdout.contains("\nroster.csv,zoo,,,,,,,,\"not a suite: a file, "));
}

#[test]
fn an_archive_is_a_suite_too() {
    let zoo = zoo("all", &[("ann/test-1.txt", b"cat\n")]);
    archived(&zoo.path("ann"));
    let report = zoo.score("ann.tgz", &["--format", "json"]).exits(0).report();
    assert_eq!(counts(&report), [("ann", 1, 0)]);

    // A platform hands over a folder with what the student uploaded.
    fs::create_dir(zoo.path("student")).unwrap();
    fs::rename(zoo.path("ann.tgz"), zoo.path("student/submit.tgz")).unwrap();
    let run = zoo.score("student", &["--as", "one", "--format", "json"]).exits(0);
    assert_eq!(counts(&run.report()), [("student", 1, 0)]);
}

#[test]
fn a_hostile_archive_rejects_one_student_and_writes_nowhere_else() {
    let files: [(&str, &[u8]); 2] =
        [("class/ann/test-1.txt", b"cat\n"), ("class/eve/test-1.txt", b"dog\n")];
    let zoo = zoo("all", &files);
    let mut archive = zip::ZipWriter::new(fs::File::create(zoo.path("class/mal.zip")).unwrap());
    let options = zip::write::SimpleFileOptions::default();
    archive.start_file("../../test-9.txt", options).unwrap();
    archive.finish().unwrap();
    let report = zoo.score("class", &["--format", "json"]).exits(0).report();
    assert_eq!(counts(&report), [("ann", 1, 0), ("eve", 1, 0), ("mal", 0, 1)]);
    let reason = report.assignments[0].suites[2].tests[0].reason.clone().unwrap();
    assert!(reason.contains("is not allowed in a submission"), "{reason}");
}

#[test]
fn tests_in_a_similar_or_deeper_folder_count_and_it_is_said() {
    let files: [(&str, &[u8]); 6] = [
        ("class/ann/test-1.txt", b"cat\n"),
        ("class/bob/Zoo/test-1.txt", b"cat\n"),
        ("class/cem/sub/zoo/test-1.txt", b"cat\n"),
        ("class/dee/one/test-1.txt", b"cat\n"),
        ("class/dee/two/test-1.txt", b"cat\n"),
        ("class/eli/notes.txt", b"nothing\n"),
    ];
    let zoo = zoo("all", &files);
    fs::create_dir(zoo.path("class/fay")).unwrap();
    let report = zoo.score("class", &["--format", "json"]).exits(0).report();
    let expected = [("ann", 1, 0), ("bob", 1, 0), ("cem", 1, 0), ("dee", 0, 1), ("eli", 0, 1)];
    assert_eq!(counts(&report)[..5], expected);
    let report = &report.assignments[0];
    let note = |name: &str| suite(report, name).note.clone();
    assert_eq!(note("ann"), None);
    assert_eq!(note("bob").unwrap(), "the tests are in the folder `Zoo`");
    assert_eq!(note("cem").unwrap(), "the tests are in the folder `sub/zoo`");
    let reason = |name: &str| suite(report, name).tests[0].reason.clone().unwrap();
    assert_eq!(reason("dee"), "there are tests in several folders: `one`, `two`");
    assert_eq!(reason("fay"), "there are no tests in the folder `fay`");
    for format in ["text", "csv", "md", "junit", "html"] {
        let written = zoo.score("class", &["--format", format]).exits(0).stdout;
        for said in ["sub/zoo", "several folders", "there are no tests in the folder"] {
            assert!(written.contains(said), "{said} is not in {format}: {written}");
        }
    }
    // The same suite alone.
    let alone = zoo.score("class/bob", &["--format", "gradescope"]).exits(0).stdout;
    assert!(alone.contains("note: the tests are in the folder `Zoo`"), "{alone}");
    let alone = zoo.score("class/fay", &[]).fails(3, NO_VALID_TEST).stdout;
    assert!(alone.contains(&reason("fay")), "{alone}");
}

#[test]
fn a_stray_test_does_not_turn_a_class_into_a_suite() {
    let files: [(&str, &[u8]); 4] = [
        ("class/ann/test-1.txt", b"cat\n"),
        ("class/bob/test-1.txt", b"dog\n"),
        ("class/test-1.txt", b"dog\n"),
        ("one/test-1.txt", b"dog\n"),
    ];
    let zoo = zoo("all", &files);
    let report = zoo.score("class", &["--format", "json"]).exits(0).report();
    assert_eq!(counts(&report), [("ann", 1, 0), ("bob", 1, 0)]);
    let stray = &report.assignments[0].left_out[0];
    assert_eq!(
        (&*stray.name, &*stray.what),
        ("test-1.txt", "a file that is in no student's folder")
    );

    // What may be both is not guessed.
    fs::create_dir(zoo.path("one/old")).unwrap();
    fs::copy(zoo.path("one/test-1.txt"), zoo.path("one/old/test-1.txt")).unwrap();
    zoo.score("one", &[]).fails(
        2,
        "error: COURSE/one may be that of one student, or a class\nhint: say which with --as [..]\n",
    );
    let one = zoo.score("one", &["--as", "one", "--format", "json"]).exits(0).report();
    assert_eq!(counts(&one), [("one", 1, 0)]);
    let class = zoo.score("one", &["--as", "class", "--format", "json"]).exits(0).report();
    assert_eq!(counts(&class), [("old", 1, 0)]);
    // A platform's file is for one student.
    let platform = zoo.score("one", &["--format", "gradescope"]).exits(0).stdout;
    assert!(platform.contains("1 valid test"), "{platform}");
}

#[test]
fn each_student_gets_a_file_of_its_own_whatever_the_names_are() {
    let zoo = zoo("all", &[("class/ann/test-1.txt", b"cat\n")]);
    let long = "n".repeat(255);
    for name in [long.as_bytes(), b"x\xff", b"x\xfe", b"zed"] {
        let folder = zoo.path("class").join(OsStr::from_bytes(name));
        fs::create_dir(&folder).unwrap();
        fs::copy(zoo.path("class/ann/test-1.txt"), folder.join("test-1.txt")).unwrap();
    }
    let folder = zoo.word("out/");
    let formats = format!("json,gradescope={folder}");
    let run = zoo.score("class", &["--format", &formats]).exits(0);
    let report = run.report().assignments.remove(0);
    let written = fs::read_dir(zoo.path("out")).unwrap();
    assert_eq!(written.count(), 5);
    assert!(zoo.path("out/zed.json").exists() && zoo.path("out/ann.json").exists());
    assert_eq!(report.files.len(), 3, "{:?}", report.files);
    for (name, file) in &report.files {
        assert!(report.suites.iter().any(|suite| suite.name == *name), "{name}");
        let text = fs::read_to_string(zoo.path("out").join(file)).unwrap();
        assert!(decoded("gradescope", &text).contains("1 valid test"), "{text}");
    }
    let text = zoo.score("class", &["--overwrite", "--format", &format!("gradescope={folder}")]);
    assert!(text.exits(0).stdout.contains("3 files with another name than the student:\n"));
}

#[test]
fn the_tests_in_an_archive_are_found_as_in_a_folder() {
    let files: [(&str, &[u8]); 7] = [
        ("class/ann/sub/zoo/test-1.txt", b"cat\n"),
        ("class/ann/sub/zoo/test-2.txt/inner", b"cat\n"),
        ("class/ann/sub/zoo/old/notes.txt", b"cat\n"),
        ("class/ann/sub/zoo/.hidden", b"cat\n"),
        ("class/bob/one/test-1.txt", b"cat\n"),
        ("class/bob/two/test-1.txt", b"cat\n"),
        ("class/cem/notes.txt", b"nothing\n"),
    ];
    let zoo = zoo("all", &files);
    let suites = || {
        let report = zoo.score("class", &["--as", "class", "--format", "json"]).report();
        serde_json::to_string_pretty(&report.assignments[0].suites).unwrap()
    };
    let folders = suites();
    for (name, said) in
        [("ann", "this is a folder, not a regular file"), ("bob", "several"), ("cem", "no tests")]
    {
        assert!(folders.contains(said), "{name}: {folders}");
        let (folder, archive) = (zoo.path("class").join(name), zoo.path(&format!("{name}.tgz")));
        let mut tar = Command::new("tar");
        let tar = tar.arg("czf").arg(&archive).arg("-C").arg(&folder).arg(".").status();
        assert!(tar.unwrap().success());
        fs::remove_dir_all(folder).unwrap();
        fs::rename(archive, zoo.path(&format!("class/{name}.tgz"))).unwrap();
    }
    assert_eq!(suites(), folders);
}

#[test]
fn a_server_may_hand_in_an_archive_that_is_in_memory() {
    let course = course(&[]);
    submit(&course, "ann", &REFUSED);
    archived(&course.path().join("class/ann"));
    let archive = course.path().join("class/ann.tgz");
    let read = Course::read(course.path()).unwrap();
    let submission = read.assignments[0].submission.as_ref().unwrap();
    let file = Contents::read(&archive, submission);
    let held = Contents::of_archive("ann.tgz", &fs::read(archive).unwrap()[..], submission);
    assert_eq!((&held.name, held.digest()), (&file.name, file.digest()));
    assert_eq!(held.name, "ann");
    let nothing = Contents::of_archive("ann.tgz", &[][..], submission);
    assert_ne!(nothing.digest(), held.digest());
}

/// A submission that is refused unbuilt, because it lacks a Makefile.
const REFUSED: [(&str, &str); 1] = [("sum.cpp", SUM)];

fn graded(run: &Run) -> (Vec<String>, Vec<String>) {
    let graded: Graded = run.json();
    let names = graded.submissions.into_iter().map(|it| it.name).collect();
    (names, graded.left_out.into_iter().map(|it| it.name).collect())
}

#[test]
fn a_class_of_submissions_with_stray_files_is_a_class() {
    let course = course(&[]);
    submit(&course, "ann", &REFUSED);
    submit(&course, "bob", &REFUSED);
    let class = course.path().join("class");
    fs::write(class.join("roster.csv"), "ann,bob\n").unwrap();
    let grade = |args: &[&str]| grade_with(&course, "class", args);
    // Folders without a Makefile may be parts of one submission.
    grade(&["--format", "json"]).fails(2, "error: [..]/class may be [..]\nhint: say which [..]\n");
    let run = grade(&["--as", "class", "--format", "json"]);
    let expected = (vec!["ann".to_owned(), "bob".to_owned()], vec!["roster.csv".to_owned()]);
    assert_eq!(graded(&run), expected);
    let out = course.path().join("out");
    let run = grade(&["--format", "json", "--out", out.to_str().unwrap()]);
    assert_eq!(graded(&run), expected);
    let page = fs::read_to_string(out.join("class.html")).unwrap();
    assert!(page.contains("roster.csv: a file") && page.contains("href=\"submissions/ann.json\""));
    let text = grade(&["--as", "class"]).stdout;
    assert!(text.contains("No submissions, left out:\n  roster.csv: a file, not"), "{text}");

    for name in ["ann", "bob"] {
        fs::write(class.join(name).join("Makefile"), MAKEFILE.replace("sum:", "all:")).unwrap();
        fs::write(class.join(name).join("sum.cpp"), "#error\n").unwrap();
    }
    fs::write(class.join("sum.cpp"), SUM).unwrap();
    let mut harness = command();
    harness.arg("grade").arg(&class).arg("--course").arg(course.path());
    let run: Run = output(harness.args(["--unsafe-no-sandbox", "--format", "json"])).into();
    assert_eq!(graded(&run).1, ["roster.csv", "sum.cpp"]);
}

#[test]
fn a_broken_course_is_said_in_every_file_and_a_refused_option_in_none() {
    let zoo = zoo("all", &[("suite/test-1.txt", b"cat\n")]);
    let formats = ["csv", "json", "junit", "md", "html", "text", "gradescope"];
    let all: Vec<_> = formats.iter().map(|it| format!("{it}={}", zoo.word(it))).collect();
    let all = all.join(",");
    let written = || formats.iter().filter(|it| zoo.path(it).exists()).count();
    for refused in [["--assignment", "zu"], ["--hints", "hints.json"], ["--as", "class"]] {
        zoo.score("suite", &[&["--format", &all][..], &refused].concat());
        assert_eq!(written(), usize::from(refused[0] == "--as") * formats.len(), "{refused:?}");
        formats.iter().for_each(|it| drop(fs::remove_file(zoo.path(it))));
    }
    zoo.replace("harness.yaml", "domain: text", "domain: next");
    zoo.score("suite", &["--format", &all]).fails(2, "error: there is no domain `next`\n...\n");
    for format in formats {
        let said = if format == "gradescope" { "not your fault" } else { "there is no domain" };
        assert!(zoo.read(format).contains(said), "{format}: {}", zoo.read(format));
    }
    assert!(
        zoo.read("csv").starts_with("student,assignment,")
            && zoo.read("junit").contains("errors=\"1\"")
    );
}
