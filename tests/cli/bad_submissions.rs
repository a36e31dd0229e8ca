//! `harness grade`, when what was handed in, or the machine, is not as it should be.

use super::run::{Run, command, output};
use super::sums::{
    MAKEFILE, SUM, course, grade_with, graded, has_no_compiler, messages, set, submit,
};
use super::{path, skip};
use harness::files;
use harness::result::graded::{Graded, Verdict};
use std::ffi::OsStr;
use std::fs::{self, File};
use std::io;
use std::os::unix::ffi::OsStrExt;
use std::os::unix::fs::symlink;
use std::path::Path;
use std::process::Command;
use tempfile::TempDir;

/// A course whose builds and runs are stopped soon.
fn hasty(files: &[(&str, &str)]) -> TempDir {
    let course = course(files);
    set(&course, "build: { seconds: 0.5 }");
    set(&course, "time: { seconds: 1, runs: 1 }");
    course
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
    // A file beside the archives can make it a folder with one submission.
    let run = grade_with(&course, "class", &["--format", "json"]);
    assert!(run.status == 2 && run.stderr.contains("say which with --as one"), "{}", run.stderr);
    let run = grade_with(&course, "class", &["--format", "json", "--as", "one"]);
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

/// A zip archive of these files, with another number at the same place of each entry's two headers.
fn zip_with(files: &[(&str, &str)], change: Option<(usize, u16)>) -> Vec<u8> {
    let mut bytes = io::Cursor::new(Vec::new());
    let mut zip = zip::ZipWriter::new(&mut bytes);
    let stored =
        zip::write::SimpleFileOptions::default().compression_method(zip::CompressionMethod::Stored);
    for (name, text) in files {
        zip.start_file(*name, stored).unwrap();
        io::Write::write_all(&mut zip, text.as_bytes()).unwrap();
    }
    zip.finish().unwrap();
    let mut bytes = bytes.into_inner();
    let Some((at, number)) = change else { return bytes };
    for (magic, at) in [(b"PK\x03\x04", at), (b"PK\x01\x02", at + 2)] {
        let starts: Vec<_> =
            (0..bytes.len() - 4).filter(|start| bytes[*start..].starts_with(magic)).collect();
        for start in starts {
            bytes[start + at..start + at + 2].copy_from_slice(&number.to_le_bytes());
        }
    }
    bytes
}

#[test]
fn an_archive_of_an_unusual_kind_says_what_is_unusual() {
    if has_no_compiler() {
        return;
    }
    let course = course(&[("sum.cpp", SUM), ("Makefile", MAKEFILE)]);
    let class = course.path().join("class");
    fs::create_dir(&class).unwrap();
    let (sum, makefile) = (("sum.cpp", SUM), ("Makefile", MAKEFILE));
    let put = |name: &str, bytes: &[u8]| fs::write(class.join(name), bytes).unwrap();
    let tar = |name: &str, files: &[(&str, &str)], more: &[u8]| {
        let mut tar = tar::Builder::new(Vec::new());
        for (name, text) in files {
            let mut header = tar::Header::new_gnu();
            header.set_size(text.len() as u64);
            header.set_mode(0o644);
            tar.append_data(&mut header, name, text.as_bytes()).unwrap();
        }
        put(name, &[&tar.into_inner().unwrap(), more].concat());
    };
    put("password.zip", &zip_with(&[sum, makefile], Some((6, 1))));
    put("lzma.zip", &zip_with(&[sum, makefile], Some((8, 14))));
    let mut twice = zip_with(&[sum, makefile, ("sun.cpp", "")], None);
    for at in
        (0..twice.len() - 7).filter(|at| twice[*at..].starts_with(b"sun.cpp")).collect::<Vec<_>>()
    {
        twice[at + 2] = b'm';
    }
    put("twice.zip", &twice);
    put("login.zip", b"<html>Please log in</html>");
    put("other.tar.gz", b"\xfd7zXZ\0");
    tar("again.tar", &[sum, makefile, ("./sum.cpp", "")], b"");
    let long = format!("{}.h", "n".repeat(150));
    tar("tar.zip", &[sum, makefile, ("SUM.cpp", ""), (&long, "")], b"garbage");
    let apple = [("mine/sum.cpp", SUM), ("mine/Makefile", MAKEFILE), ("mine/._sum.cpp", "\0")];
    put("apple.zip", &zip_with(&[&apple[..], &[("__MACOSX/mine/._sum.cpp", "\0")]].concat(), None));
    let all = grade_with(&course, "class", &["--format", "json"]).exits(0);
    let all = all.json::<Graded>().submissions;
    let of = |name: &str| {
        let report = all.iter().find(|report| report.name == name).unwrap();
        (report.refused, messages(report)[0])
    };
    assert_eq!(of("password"), (true, "the archive has a password"));
    assert_eq!(of("lzma"), (true, "the archive is compressed in an unusual way"));
    assert_eq!(of("twice"), (true, "the archive holds several files with the same name"));
    assert_eq!(of("login"), (true, "this is no archive, or a damaged one"));
    assert_eq!(of("other"), (true, "the archive is of another kind: xz"));
    assert_eq!(of("again"), (true, "the archive holds sum.cpp twice"));
    assert_eq!(of("tar"), (false, "SUM.cpp and sum.cpp differ only in case"));
    let apple = all.iter().find(|report| report.name == "apple").unwrap();
    assert_eq!(messages(apple), ["all files are in the folder mine"]);
    assert_eq!(apple.groups[0].passed, 2);
}

#[test]
fn a_build_that_closes_or_removes_its_folder_ends_no_class() {
    if has_no_compiler() {
        return;
    }
    let course = hasty(&[]);
    for (name, command) in
        [("closed", "mkdir inner && chmod 0 inner . sum.cpp"), ("gone", "rm -rf ../box *")]
    {
        let makefile = format!("sum:\n\t{command}\n");
        submit(&course, name, &[("sum.cpp", SUM), ("Makefile", &makefile)]);
    }
    let all = grade_with(&course, "class", &["--format", "json"]).exits(0);
    for report in all.json::<Graded>().submissions {
        assert!(!report.build.unwrap().built, "{}", report.name);
    }
}

#[test]
fn a_program_that_says_too_much_is_warned() {
    if has_no_compiler() {
        return;
    }
    let loud = SUM.replace(
        "    std::printf(",
        "    for (int i = 0; i < 7000; ++i)\n        std::fputs(\"ten bytes\\n\", stderr);\n    std::printf(",
    );
    let course = course(&[("sum.cpp", &loud), ("Makefile", MAKEFILE)]);
    let report = graded(&grade_with(&course, "mine", &["--format", "json"]));
    let expected = "the program writes 69 kilobytes to standard error, more than 64";
    assert_eq!(messages(&report), [expected]);
    assert_eq!((report.findings[0].points, report.groups[0].passed), (None, 2));
    set(&course, "stderr_kb: 100");
    let report = graded(&grade_with(&course, "mine", &["--format", "json"]));
    assert!(report.findings.is_empty(), "{:?}", report.findings);
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
    assert_eq!(report.name, "st\\xfcdent");
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
    set(&course, "build: { command: [no-such-make] }");
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
