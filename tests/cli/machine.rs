//! Machines on which something is missing: room, rights, memory, a reader of the output.

use super::builds::by_commands;
use super::course::Course;
use super::engines::has;
use super::letters::letters;
use super::run::{command, has_a_compiler, has_a_sandbox, has_pytest, output};
use super::{Run, folder, harness, path, repository, skip, unit_python};
use harness::report::doctor::{Diagnosis, Health};
use harness::report::generated::Generated;
use harness::result::graded::Graded;
use harness::result::{Report, Status};
use std::fs;
use std::os::unix::fs::PermissionsExt;
use std::path::{Path, PathBuf};
use std::process::Command;

/// Runs a shell script that `start` starts, in the repository. In it, `"$0" "$@"` runs `harness`.
fn script(start: &[&str], script: &str, args: &[&str]) -> Run {
    let mut command = Command::new(start[0]);
    command.args(&start[1..]).args(["sh", "-c", script]);
    command.arg(env!("CARGO_BIN_EXE_harness")).args(args).current_dir(repository());
    output(&mut command).into()
}

/// Runs `harness` on other disks, which `mount` mounts for this run only, and then the command `list`. `None` if that is not allowed
/// here.
pub(super) fn on_other_disks(mount: &str, args: &[&str], list: &[&str]) -> Option<Run> {
    let can_mount =
        Command::new("unshare").args(["-m", "mount", "-t", "tmpfs", "disk", "/mnt"]).output();
    if !can_mount.is_ok_and(|output| output.status.success()) {
        skip("mounting is not allowed here");
        return None;
    }
    let list = list.join(" ");
    let run =
        format!("{mount} && {{ \"$0\" \"$@\"; status=$?; echo list:; {list}; exit $status; }}");
    Some(script(&["unshare", "-m"], &run, args))
}

/// The hint of what cannot be written.
const UNWRITABLE: &str = "hint: name a place where you may write, or make this one writable\n";

/// A script that makes a folder read-only.
fn read_only(folder: &Path) -> String {
    let folder = folder.display();
    format!("mount --bind {folder} {folder} && mount -o remount,bind,ro {folder}")
}

/// A script that mounts an empty disk in memory.
pub(super) fn tmpfs(options: &str, folder: &str) -> String {
    format!("mount -t tmpfs -o {options} disk {folder}")
}

/// The course of `harness init`.
fn new_course() -> (tempfile::TempDir, PathBuf, String) {
    let around = folder(&[]);
    let course = around.path().join("course");
    let word = course.to_str().unwrap().to_owned();
    harness(&["init", &word]).exits(0);
    (around, course, word)
}

fn score(course: &str) -> Vec<String> {
    ["score", "--course", course, &format!("{course}/student_tests")].map(str::to_owned).to_vec()
}

fn words(line: &[String]) -> Vec<&str> {
    line.iter().map(String::as_str).collect()
}

fn diagnosis(run: &Run) -> Diagnosis {
    serde_json::from_str(&run.stdout).unwrap_or_else(|error| panic!("{error}\n{}", run.stdout))
}

#[test]
#[ignore = "it takes long; .ci/run runs it"]
fn a_memory_limit_of_the_shell_is_named_by_score_and_doctor() {
    let course = letters("{ }");
    course.write("suite/test-1-l.txt", "abc\n");
    let (suite, course) = (course.word("suite"), course.word(""));
    harness(&["score", "student_tests/puzzle"]).exits(0);
    // Root may raise any limit, unless it has lost its capabilities.
    let is_root = rustix::process::geteuid().is_root();
    let start: &[&str] =
        if is_root { &["setpriv", "--inh-caps=-all", "--bounding-set=-all"] } else { &["env"] };
    let limited = |args: &[&str]| script(start, "ulimit -v 1000000; exec \"$0\" \"$@\"", args);
    let expected = "programs need a limit of 1048576 KB of memory, but `ulimit -v` limits this shell to 1000000 KB\n\
                    hint: start `harness` from a shell without that limit, or lower `memory_mb` under `run:` in the course file\n";
    for run in [
        limited(&["score", &suite, "--course", &course]),
        limited(&["score", "student_tests/puzzle"]),
    ] {
        assert_eq!((run.status, run.stderr), (5, format!("error: {expected}")));
    }
    let run = limited(&["doctor", "--course", &course, "--format", "json"]);
    let found = diagnosis(&run);
    let reference =
        found.findings.iter().find(|finding| finding.what == "reference of letters").unwrap();
    assert_eq!((run.status, reference.health), (5, Health::Missing), "{reference:?}");
    assert!(reference.found.contains(expected.trim_end()), "{reference:?}");
}

#[test]
fn a_missing_folder_for_temporary_files_is_named_by_score_and_doctor() {
    let course = letters("{ }");
    course.write("suite/test-1-l.txt", "abc\n");
    let (suite, course) = (course.word("suite"), course.word(""));
    let nowhere = folder(&[]).path().join("nowhere");
    harness(&["score", "student_tests/puzzle"]).exits(0);
    let run =
        |args: &[&str]| -> Run { output(command().args(args).env("TMPDIR", &nowhere)).into() };
    let expected = format!(
        "error: cannot write temporary files into {}: No such file or directory (os error 2)\n\
         hint: set TMPDIR to a folder that exists, can be written and has room\n",
        nowhere.display()
    );
    for args in [&["score", &suite, "--course", &course][..], &["score", "student_tests/puzzle"]] {
        let run = run(args);
        assert_eq!((run.status, run.stderr), (5, expected.clone()), "{args:?}");
    }
    let run = run(&["doctor", "--course", &course, "--format", "json"]);
    let found = diagnosis(&run);
    assert!(!nowhere.exists(), "doctor makes no folder");
    let missing: Vec<_> = found
        .findings
        .iter()
        .filter(|finding| finding.health == Health::Missing)
        .map(|finding| finding.what.as_str())
        .collect();
    assert_eq!((run.status, missing), (5, vec!["temporary files"]), "{found:?}");
}

#[test]
#[ignore = "it takes long; .ci/run runs it"]
fn a_built_course_works_on_a_read_only_disk() {
    let (_around, course, word) = new_course();
    let line = score(&word);
    let before = harness(&words(&line)).exits(0).stdout;
    let Some(run) = on_other_disks(&read_only(&course), &words(&line), &["true"]) else { return };
    assert_eq!((run.status, run.stderr.as_str(), run.stdout), (0, "", before + "list:\n"));
    let run =
        on_other_disks(&read_only(&course), &["doctor", "--course", &word], &["true"]).unwrap();
    assert_eq!(run.status, 0, "{}{}", run.stdout, run.stderr);
    assert!(run.stdout.contains("optional  target folder"), "{}", run.stdout);

    let main = course.join("reference/tally/src/main.rs");
    fs::write(&main, fs::read_to_string(&main).unwrap() + "// changed\n").unwrap();
    let run = on_other_disks(&read_only(&course), &words(&line), &["true"]).unwrap();
    assert_eq!((run.status, run.stderr), (5, cannot_build(&course)));
    fs::remove_dir_all(course.join("target")).unwrap();
    let run = on_other_disks(&read_only(&course), &words(&line), &["true"]).unwrap();
    assert_eq!((run.status, run.stderr), (5, cannot_build(&course)));
}

#[test]
#[ignore = "it takes long; .ci/run runs it"]
fn programs_built_by_commands_work_on_a_read_only_disk() {
    if !has_a_compiler() {
        return;
    }
    let course = by_commands("-O1", "", "part.h");
    let (suite, place) = (course.word("student_tests"), course.path(""));
    let args = ["score", &suite, "--course", place.to_str().unwrap()];
    let before = harness(&args).exits(0).stdout;
    let Some(run) = on_other_disks(&read_only(&place), &args, &["true"]) else { return };
    assert_eq!((run.status, run.stderr.as_str(), run.stdout), (0, "", before + "list:\n"));
}

/// What `score` prints if the course `tally` cannot be built because it is on a read-only disk.
fn cannot_build(course: &Path) -> String {
    format!(
        "error: cannot build the reference of `tally`: cannot write into {}: Read-only file system (os error 30)\n\
         hint: make that folder writable, or copy the course to one that is; `harness doctor` checks it\n",
        course.canonicalize().unwrap().join("target/harness-cargo/reference-0").display()
    )
}

#[test]
fn a_course_without_builds_works_on_a_read_only_disk() {
    let course = letters("{ }");
    course.write("suite/test-1-l.txt", "abc\n");
    let (suite, place) = (course.word("suite"), course.path(""));
    let args = ["score", &suite, "--course", place.to_str().unwrap()];
    let Some(run) = on_other_disks(&read_only(&place), &args, &["true"]) else { return };
    assert_eq!((run.status, run.stderr.as_str()), (0, ""), "{}", run.stdout);
}

/// Where a course lies that every program would see, because every program sees what is below `/usr`.
const BELOW_USR: &str = "/usr/local/share/course";

/// What `harness` prints as JSON for a copy of a course there, which is on a disk for this run only.
fn below_usr(course: &Course, args: &[&str]) -> Option<String> {
    let copy = format!("cp -r {} {BELOW_USR}", course.path("").display());
    let mount = format!("{} && {copy}", tmpfs("size=64m", "/usr/local/share"));
    let args = [args, &["--course", BELOW_USR, "--format", "json"]].concat();
    let run = on_other_disks(&mount, &args, &["true"])?;
    let printed = run.stdout.strip_suffix("list:\n").filter(|printed| !printed.is_empty());
    Some(printed.unwrap_or_else(|| panic!("{}", run.stderr)).to_owned())
}

#[test]
fn a_course_below_usr_is_hidden_but_its_programs_run() {
    if !has(&["python3"]) || !has_a_sandbox() {
        return;
    }
    let course = Course::tally_in("python");
    let looks = format!(
        "import os\ntry:\n    print(os.listdir('{BELOW_USR}'))\nexcept OSError:\n    print('hidden')\n"
    );
    course.write("looks/tally.py", &looks);
    let graded = |submission: &str| {
        let printed = below_usr(&course, &["grade", &format!("{BELOW_USR}/{submission}")])?;
        let graded: Graded = serde_json::from_str(&printed).unwrap();
        graded.submissions.into_iter().next()
    };
    let Some(right) = graded("submissions/tally/right") else { return };
    assert_eq!(right.points.earned.to_string(), right.points.max.to_string());
    let cases = graded("looks").unwrap().groups.into_iter().flat_map(|group| group.cases);
    let shown: Vec<_> = cases.filter_map(|case| case.shown).collect();
    assert!(shown.iter().any(|it| format!("{it:?}").contains("\"hidden\"")), "{shown:?}");
}

#[test]
fn a_compared_program_sees_nothing_of_a_course_below_usr() {
    if !has(&["python3"]) || !has_a_sandbox() {
        return;
    }
    let says = "import os\nfrom subject import bug\n\nprint(int(input()) + bug('adds'))\n";
    let looks = format!("print(int(input()) + os.path.exists('{BELOW_USR}/harness.yaml'))\n");
    let course = Course::new("number", "{ python: number.py }")
        .with("domain", "shape")
        .with("input", "{ input: [{ line: [{ n: 0 .. 3 }] }] }")
        .mutant("adds", &[])
        .file("number.py", says)
        .file("looks.py", format!("import os\n{looks}"));
    let subject = fs::read(repository().join("crates/subject/python/subject.py")).unwrap();
    let course = course.file("subject.py", subject);
    let out = folder(&[]);
    let out = out.path().join("found").to_str().unwrap().to_owned();
    let source = format!("{BELOW_USR}/looks.py");
    for program in [&[source.as_str()][..], &["python3", &source]] {
        let args = [&["generate", "--out", &out, "--against"], program].concat();
        let Some(printed) = below_usr(&course, &args) else { return };
        let generated: Generated = serde_json::from_str(&printed).unwrap();
        let against = generated.against.unwrap();
        assert!(against.differences.is_empty() && against.small_cases > 0, "{against:?}");
    }
}

#[test]
fn unit_tests_see_nothing_of_a_course_below_usr() {
    if !has_pytest() || !has_a_sandbox() {
        return;
    }
    let tests = format!(
        "import os\nfrom loans import fee\n\n\ndef test_fee():\n    assert fee(11, False) == 250\n\n\n\
         def test_looks():\n    assert os.path.exists('{BELOW_USR}/harness.yaml')\n"
    );
    let suite = folder(&[("test_loans.py", tests.as_bytes())]);
    let course = unit_python::example();
    let Some(printed) = below_usr(&course, &["score", path(&suite)]) else { return };
    let report: Report = serde_json::from_str(&printed).unwrap();
    let tests = &report.assignments[0].suites[0].tests;
    let is_valid = |name: &str| {
        let test = tests.iter().find(|test| test.file.ends_with(name)).unwrap();
        test.status == Status::Valid
    };
    assert!(is_valid("test_fee") && !is_valid("test_looks"), "{tests:?}");
}

#[test]
fn a_umask_that_keeps_files_from_the_user_of_programs_is_named_by_grade_and_doctor() {
    if !has(&["python3"]) || !has_a_sandbox() {
        return;
    }
    if !rustix::process::geteuid().is_root() {
        return skip("only root runs programs as another user");
    }
    let course = Course::tally_in("python");
    let (right, course) = (course.word("submissions/tally/right"), course.word(""));
    let run = |umask: &str, args: &[&str]| {
        script(&["env"], &format!("umask {umask}; exec \"$0\" \"$@\""), args)
    };
    let grade = ["grade", &right, "--course", &course];
    assert_eq!(run("022", &grade).status, 0);
    let refused = run("027", &grade);
    let expected = "because the umask is 0027\nhint: run `umask 022` first";
    assert!(refused.status == 5 && refused.stderr.contains(expected), "{}", refused.stderr);
    let doctor = run("077", &["doctor", "--course", &course]);
    assert!(doctor.stdout.contains("the umask is 0077"), "{}", doctor.stdout);
}

#[test]
fn a_full_disk_under_the_target_folder_does_not_break_the_course() {
    let (_around, course, word) = new_course();
    let target = course.join("target");
    fs::create_dir(&target).unwrap();
    let mount = tmpfs("size=64k", target.to_str().unwrap());
    let Some(run) = on_other_disks(&mount, &words(&score(&word)), &["true"]) else { return };
    let place = course.canonicalize().unwrap().join("target/harness-cargo/reference-0");
    let expected = format!(
        "error: cannot build the reference of `tally`: cannot write into {}: No space left on device (os error 28)\n\
         hint: make room on that disk; `harness doctor` shows how much there is\n",
        place.display()
    );
    assert_eq!((run.status, run.stderr), (5, expected));
}

#[test]
fn a_linker_that_crashes_on_a_full_disk_does_not_break_the_course() {
    if !has_a_compiler() {
        return;
    }
    let course = Course::tally_in("c");
    // A linker writes through a mapping, and a full disk ends it so.
    course.write(
        "crash",
        "#!/bin/sh\ncase \"$*\" in *\" -c \"*) exec cc \"$@\";; esac\necho 'collect2: fatal error: ld terminated with signal 7 [Bus error]' >&2\nexit 1\n",
    );
    fs::set_permissions(course.path("crash"), fs::Permissions::from_mode(0o755)).unwrap();
    let target = course.path("target");
    fs::create_dir(&target).unwrap();
    let target = target.canonicalize().unwrap();
    let mount = format!(
        "export CC={} && {}",
        course.path("crash").display(),
        tmpfs("size=1m", target.to_str().unwrap())
    );
    let expected = format!(
        "error: cannot build the reference of `tally`: cannot write into {}: No space left on device (os error 28)\n\
         hint: make room on that disk; `harness doctor` shows how much there is\n",
        target.join("harness/tally").display()
    );
    let word = course.word("");
    for args in [words(&score(&word)), vec!["mutants", "verify", "--course", &word]] {
        let Some(run) = on_other_disks(&mount, &args, &["true"]) else { return };
        assert_eq!((run.status, run.stderr.as_str()), (5, expected.as_str()), "{args:?}");
    }
    let mount = format!("{} && export TMPDIR=/nowhere", read_only(&course.path("")));
    let verify = ["mutants", "verify", "--course", &word];
    let run = on_other_disks(&mount, &verify, &["true"]).unwrap();
    assert_eq!(run.status, 5, "{}", run.stderr);
}

#[test]
fn a_missing_folder_for_temporary_files_is_named_by_generate_against_a_program() {
    let nowhere = folder(&[]).path().join("nowhere");
    let mut command = command();
    command.args(["generate", "--assignment", "puzzle", "--against", "cat"]);
    let run: Run = output(command.env("TMPDIR", &nowhere)).into();
    let expected = format!("error: cannot write temporary files into {}", nowhere.display());
    assert!(run.status == 5 && run.stderr.starts_with(&expected), "{} {}", run.status, run.stderr);
}

#[test]
fn a_report_that_does_not_fit_on_its_disk_is_not_written_at_all() {
    let run = harness(&["score", "student_tests/puzzle", "--format", "json=/dev/full"]);
    let expected = "error: cannot write /dev/full: No space left on device (os error 28)\n";
    assert_eq!((run.status, run.stderr.as_str()), (5, expected));

    let out = folder(&[]);
    let (format, mount) = (format!("json={}/all.json", path(&out)), tmpfs("size=16k", path(&out)));
    let args = ["score", "student_tests/puzzle", "--format", &format];
    let Some(run) = on_other_disks(&mount, &args, &["ls", "-A", path(&out)]) else { return };
    let expected = format!(
        "error: cannot write {}/all.json: No space left on device (os error 28)\n",
        path(&out)
    );
    assert_eq!((run.status, run.stderr), (5, expected));
    assert!(run.stdout.ends_with("\nlist:\n"), "nothing is left behind: {}", run.stdout);
}

#[test]
#[ignore = "it takes long; .ci/run runs it"]
fn generated_tests_that_cannot_be_written_leave_no_folder_behind() {
    let out = folder(&[]);
    let new = format!("{}/new/deep", path(&out));
    let args = [
        "generate",
        "--assignment",
        "puzzle",
        "--mutants",
        "discovers-west-before-east",
        "--out",
        &new,
    ];
    // There is room for the two folders, and for no file.
    let mount = tmpfs("nr_inodes=3", path(&out));
    let Some(run) = on_other_disks(&mount, &args, &["ls", "-A", path(&out)]) else { return };
    assert_eq!((run.status, run.stdout.as_str()), (5, "list:\n"), "{}", run.stderr);
    assert!(
        run.stderr.starts_with(&format!("error: cannot write {new}/test-1-"))
            && run.stderr.ends_with(
                ".txt: No space left on device (os error 28)\nhint: make room on that disk, or name another place\n"
            ),
        "{}",
        run.stderr
    );

    let run = on_other_disks(&read_only(out.path()), &args, &["true"]).unwrap();
    let expected = format!(
        "error: cannot write into {new}: Read-only file system (os error 30)\n{UNWRITABLE}"
    );
    assert_eq!((run.status, run.stderr), (5, expected));
}

#[test]
fn a_new_mutant_that_cannot_be_written_is_named_and_leaves_nothing_behind() {
    let (_around, course, word) = new_course();
    let args = ["mutants", "new", "tally", "counts-from-one", "--course", &word];
    let file = course.join("mutants/tally/counts-from-one.yaml");
    let manifest = course.join("reference/tally/Cargo.toml");
    let whole = fs::read(&manifest).unwrap();
    for (folder, named) in [("mutants/tally", &file), ("reference/tally", &manifest)] {
        let read_only = read_only(&course.join(folder));
        let Some(run) = on_other_disks(&read_only, &args, &["true"]) else { return };
        let named = named.display();
        let expected = format!(
            "error: cannot write {named}: Read-only file system (os error 30)\n{UNWRITABLE}"
        );
        assert_eq!((run.status, run.stderr), (5, expected));
        assert!(!file.exists() && fs::read(&manifest).unwrap() == whole);
    }
}

#[test]
#[ignore = "it takes long; .ci/run runs it"]
fn a_closed_pipe_ends_the_program_as_it_ends_others() {
    let ends = |line: &str| {
        let line = line.replace("harness", env!("CARGO_BIN_EXE_harness"));
        let mut command = Command::new("bash");
        let output = command.args(["-c", &line]).current_dir(repository()).output().unwrap();
        (output.status.code(), String::from_utf8(output.stderr).unwrap())
    };
    // `true` has ended before `harness` writes.
    let closed =
        |line: &str| ends(&format!("{{ sleep 0.5; {line}; }} | true; exit ${{PIPESTATUS[0]}}"));
    for command in ["score student_tests/puzzle", "mutants list", "completions bash"] {
        assert_eq!(closed(&format!("harness {command}")), (Some(141), String::new()), "{command}");
    }
    assert_eq!(closed("harness score nowhere 2>&1"), (Some(2), String::new()));
}
