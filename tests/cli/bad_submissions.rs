//! `harness grade`, when what was handed in, or the machine, is not as it should be.

use super::grade::{MAKEFILE, SUM, course, grade_with, graded, has_no_compiler};
use super::run::{Run, command, output};
use super::{path, skip};
use harness::files;
use harness::result::graded::{Graded, SubmissionReport, Verdict};
use std::ffi::OsStr;
use std::fs::{self, File};
use std::os::unix::ffi::OsStrExt;
use std::os::unix::fs::symlink;
use std::path::Path;
use std::process::Command;
use tempfile::TempDir;

/// A course whose builds and runs are stopped soon.
fn hasty(files: &[(&str, &str)]) -> TempDir {
    let course = course(files);
    let file = course.path().join("harness.yaml");
    let text = fs::read_to_string(&file).unwrap();
    let limits = "      build: { seconds: 0.5 }\n      time: { seconds: 1, runs: 1 }\n";
    fs::write(&file, text + limits).unwrap();
    course
}

fn submit(course: &TempDir, name: &str, files: &[(&str, &str)]) {
    let folder = course.path().join("class").join(name);
    fs::create_dir_all(&folder).unwrap();
    for (name, text) in files {
        fs::write(folder.join(name), text).unwrap();
    }
}

fn messages(report: &SubmissionReport) -> Vec<&str> {
    report.findings.iter().map(|finding| finding.message.as_str()).collect()
}

/// A `PATH` with only these programs.
fn only(programs: &[&str]) -> TempDir {
    let folder = tempfile::tempdir().unwrap();
    for name in programs {
        symlink(files::on_path(&[name]).unwrap(), folder.path().join(name)).unwrap();
    }
    folder
}

#[test]
fn a_makefile_that_misbehaves_fails_with_a_reason_and_the_tests_still_count() {
    if has_no_compiler() {
        return;
    }
    let course = hasty(&[]);
    let makefiles = [
        ("endless", "sum:\n\twhile :; do :; done\n", "the build was stopped after 0.5 seconds"),
        ("flood", "sum:\n\tyes\n", "the build wrote too much"),
        (
            "gone",
            "sum:\n\trm Makefile\n\t$(MAKE) again\n",
            "No rule to make target 'again'.  Stop.",
        ),
        ("nothing", "sum:\n\ttrue\n", "the build made no program `sum`"),
    ];
    for (name, makefile, _) in makefiles {
        submit(&course, name, &[("sum.cpp", SUM), ("Makefile", makefile), ("test-1.txt", "1 2\n")]);
    }
    let run = grade_with(&course, "class", &["--format", "json"]).exits(0);
    let all = run.json::<Graded>().submissions;
    assert_eq!(all.len(), makefiles.len());
    for (report, (name, _, message)) in all.iter().zip(makefiles) {
        let build = report.build.as_ref().unwrap();
        assert_eq!(build.error.as_ref().unwrap().message, message, "{name}");
        assert_eq!(report.groups[0].cases[0].verdict, Verdict::NotRun, "{name}");
        assert_eq!(report.points.earned.to_string(), "10", "{name}: the tests count");
    }
}

#[test]
fn a_bad_archive_is_refused_with_a_reason_and_the_others_are_graded() {
    if has_no_compiler() {
        return;
    }
    let course = course(&[("sum.cpp", SUM), ("Makefile", MAKEFILE)]);
    let class = course.path().join("class");
    fs::create_dir(&class).unwrap();
    let tar = |args: &[&str]| {
        let tar = Command::new("tar").args(args).current_dir(course.path()).status();
        assert!(tar.unwrap().success());
    };
    tar(&["czf", "class/whole.tar.gz", "-C", "mine", "sum.cpp", "Makefile"]);
    tar(&["czf", "class/nested.tgz", "class/whole.tar.gz"]);
    tar(&["cf", "class/none.tar", "-T", "/dev/null"]);
    let whole = fs::read(class.join("whole.tar.gz")).unwrap();
    fs::write(class.join("cut.tar.gz"), &whole[..whole.len() / 2]).unwrap();
    fs::write(class.join("bare.zip"), b"PK\x05\x06\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0").unwrap();
    fs::write(class.join("sum.cpp"), SUM).unwrap();
    fs::write(class.join("zero.zip"), b"").unwrap();
    let run = grade_with(&course, "class", &["--format", "json"]);
    // A file beside the archives makes it a folder with one submission.
    assert!(messages(&graded(&run)).contains(&"cut.tar.gz does not belong here"), "{}", run.stdout);
    fs::remove_file(class.join("sum.cpp")).unwrap();
    let all = grade_with(&course, "class", &["--format", "json"]).exits(0);
    let all = all.json::<Graded>().submissions;
    let of = |name: &str| {
        let report = all.iter().find(|report| report.name == name).unwrap();
        (report.refused, messages(report))
    };
    assert_eq!(of("bare"), (true, vec!["the archive holds no files", "there is no file Makefile"]));
    assert_eq!(of("none"), of("bare"));
    assert_eq!(of("zero"), (true, vec!["the archive is empty", "there is no file Makefile"]));
    let (is_refused, said) = of("cut");
    assert!(is_refused && said[0].starts_with("cannot read sum.cpp: "), "{said:?}");
    let (is_refused, said) = of("nested");
    assert!(!is_refused && said.contains(&"whole.tar.gz does not belong here"), "{said:?}");
    assert_eq!(of("whole"), (false, vec![]));
}

#[test]
fn a_file_that_is_no_archive_is_refused_at_once() {
    let course = course(&[("sum.cpp", SUM)]);
    let run = grade_with(&course, "mine/sum.cpp", &["--format", "json"]);
    assert_eq!(run.status, 3, "{}", run.stderr);
    let report = graded(&run);
    assert_eq!(messages(&report)[0], "sum.cpp is neither a folder nor an archive");
}

#[test]
fn names_that_are_not_utf8_and_nul_bytes_are_reported() {
    if has_no_compiler() {
        return;
    }
    let source = SUM.replace("int main", "\0int main");
    let course = course(&[("sum.cpp", &source), ("Makefile", MAKEFILE)]);
    let mine = course.path().join("mine");
    fs::write(mine.join(OsStr::from_bytes(b"\xff.h")), "").unwrap();
    let class = course.path().join("class");
    fs::create_dir(&class).unwrap();
    fs::rename(mine, class.join(OsStr::from_bytes(b"st\xfcdent"))).unwrap();
    let out = course.path().join("results");
    let run = grade_with(&course, "class", &["--format", "json", "--out", out.to_str().unwrap()]);
    let report = graded(&run.exits(0));
    assert_eq!(report.name, "st\u{fffd}dent");
    assert_eq!(messages(&report), ["the name \\xff.h is not UTF-8 text"]);
    let build = report.build.as_ref().unwrap();
    assert!(build.warnings[0].message.starts_with("null character"), "{build:?}");
    assert_eq!(report.groups[0].passed, 2);
    assert_eq!(fs::read_dir(out.join("submissions")).unwrap().count(), 1);
}

#[test]
fn without_a_compiler_or_a_tool_of_the_build_nobody_is_graded() {
    if has_no_compiler() {
        return;
    }
    let course = course(&[("sum.cpp", SUM), ("Makefile", MAKEFILE)]);
    let grade = |path: &Path| -> Run {
        let mut command = command();
        command.arg("grade").arg(course.path().join("mine")).arg("--course").arg(course.path());
        output(command.arg("--unsafe-no-sandbox").env("PATH", path)).into()
    };
    grade(only(&["sh"]).path()).fails(
        5,
        "error: there is no compiler: neither `gcc` nor `g++` works\n\
         hint: install g++ and make; `harness doctor` checks it\n",
    );
    let file = course.path().join("harness.yaml");
    let text = fs::read_to_string(&file).unwrap();
    fs::write(&file, text + "      build: { command: [no-such-make] }\n").unwrap();
    let run = grade(only(&["sh", "g++", "gcc"]).path());
    assert_eq!(run.status, 5, "{}", run.stderr);
    assert!(run.stderr.starts_with("error: cannot start `no-such-make`, which builds: "));
}

#[test]
fn without_valgrind_leaks_are_not_graded() {
    if has_no_compiler() {
        return;
    }
    let course = course(&[("sum.cpp", SUM), ("Makefile", MAKEFILE), ("test-1.txt", "1 2\n")]);
    let file = course.path().join("harness.yaml");
    let text = fs::read_to_string(&file).unwrap();
    fs::write(&file, text.replace("leaks: 0", "leaks: 10")).unwrap();
    let tools = only(&["sh", "g++", "gcc"]);
    let mut command = command();
    command.arg("grade").arg(course.path().join("mine")).args(["--course", path(&course)]);
    command.args(["--unsafe-no-sandbox", "--format", "json"]).env("PATH", tools.path());
    let report = graded(&Run::from(output(&mut command)).exits(0));
    let leaks = report.leaks.as_ref().unwrap();
    assert_eq!(leaks.unchecked.as_deref(), Some("valgrind is not installed on this machine"));
    let leaks = report.points.parts.iter().find(|part| part.name == "leaks").unwrap();
    assert_eq!((leaks.earned, report.points.max.to_string()), (None, "90".to_owned()));
}

#[test]
#[ignore = "it takes long; .ci/run runs it"]
fn a_full_disk_loses_no_result_and_the_next_run_continues() {
    if has_no_compiler() {
        return;
    }
    let mounts = Command::new("unshare").args(["-m", "mount", "-t", "tmpfs", "t", "/mnt"]).output();
    if !mounts.is_ok_and(|output| output.status.success()) {
        return skip("a small disk can be made only by root");
    }
    let course = course(&[]);
    for name in ["ann", "bob"] {
        submit(&course, name, &[("sum.cpp", SUM), ("Makefile", MAKEFILE)]);
    }
    fs::create_dir(course.path().join("disk")).unwrap();
    let script = r#"
        mount -t tmpfs -o size=1m disk disk || exit 9
        grade() { "$HARNESS" grade class/$1 --course . --assignment sum --unsafe-no-sandbox --jobs 1 --out disk > /dev/null; }
        grade ann || exit 8
        cat /dev/zero > disk/filler 2> /dev/null
        grade "" 2> said; echo $? >> said
        cp disk/submissions/ann.json before; ls -A disk/submissions > there
        rm disk/filler
        grade "" || exit 7
        cp -r disk/submissions after"#;
    let mut unshare = Command::new("unshare");
    unshare.args(["-m", "sh", "-c", script]).current_dir(course.path());
    let status = unshare.env("HARNESS", command().get_program()).status().unwrap();
    assert!(status.success(), "{status}");
    let read = |name: &str| fs::read_to_string(course.path().join(name)).unwrap();
    let said = read("said");
    assert!(said.contains("No space left on device") && said.ends_with("5\n"), "{said}");
    assert_eq!(read("there"), "ann.json\n", "no part of a result is left");
    assert_eq!(read("before"), read("after/ann.json"));
    assert!(File::open(course.path().join("after/bob.json")).is_ok());
}
