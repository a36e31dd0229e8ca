//! `harness init --from PACKAGE DIR`.

use super::course::Course;
use super::run::has_a_sandbox;
use super::{Run, folder, harness, path, repository, skip};
use harness::domain::How;
use harness::report::generated::Generated;
use harness_author::report::imported::{Imported, Verdict};
use std::fs;
use std::os::unix::fs::symlink;
use std::process::Command;

/// What `init` prints as JSON about a package, and the course that it writes.
fn imported(package: &str) -> (Imported, Course) {
    let course = Course::empty();
    let args = ["init", "--from", package, &course.word(""), "--format", "json"];
    (harness(&args).exits(0).json(), course)
}

/// A package in this repository.
fn fixture(name: &str) -> String {
    repository().join("tests/packages").join(name).display().to_string()
}

fn has_compiler() -> bool {
    let has = Command::new("c++").arg("--version").output().is_ok();
    if !has {
        skip("there is no C++ compiler `c++` on this machine");
    }
    has
}

/// The mutants that the tests of the package expose.
fn exposed(course: &Course) -> Vec<String> {
    let run = course.score("tests", &["--format", "json"]);
    let suite = run.report().assignments.remove(0).suites.remove(0);
    suite.exposed_by.into_keys().collect()
}

#[test]
#[ignore = "it takes long; .ci/run runs it"]
fn a_legacy_package_becomes_a_course_whose_smallest_tests_generate_finds() {
    if !has_compiler() {
        return;
    }
    let (imported, course) = imported(&fixture("runs"));
    assert_eq!(imported.format, "legacy");
    assert_eq!(imported.reference, "submissions/accepted/one_pass.cpp");
    let accepted: Vec<_> = imported.accepted.iter().map(|it| it.differs.is_none()).collect();
    assert_eq!(accepted, [true]);
    assert_eq!(imported.left_out[0].part, "submissions/accepted/words.rb");
    let mutants = imported.mutants.iter().map(|mutant| {
        let by = mutant.exposed.as_ref().map(|by| (by.input.as_str(), by.how));
        (mutant.id.as_str(), mutant.expected, by)
    });
    let long = "data/secret/group/02-long.in";
    assert_eq!(
        mutants.collect::<Vec<_>>(),
        [
            ("counts-all", Verdict::WrongAnswer, None),
            ("last-run", Verdict::WrongAnswer, Some(("data/sample/1.in", How::Output))),
            ("one-digit", Verdict::RunTimeError, Some((long, How::Exit))),
        ]
    );
    assert_eq!(exposed(&course), ["last-run", "one-digit"]);

    let out = course.word("found");
    let args = ["generate", "--out", &out, "--budget", "60", "--format", "json"];
    let generated: Generated = course.harness(&args).exits(0).json();
    let smallest =
        |id: &str| generated.smallest.iter().find(|it| it.mutant == id).map(|it| it.input.clone());
    assert!(generated.missed.is_empty(), "{:?}", generated.missed);
    assert_eq!(smallest("last-run").unwrap(), "2\n0 0\n");
    assert_eq!(smallest("counts-all").unwrap(), "3\n0 1 0\n");
}

#[test]
#[ignore = "it takes long; .ci/run runs it"]
fn a_package_of_2023_07_keeps_its_checker_its_validator_and_its_limits() {
    if !has_compiler() {
        return;
    }
    let (imported, course) = imported(&fixture("split"));
    assert_eq!(imported.format, "2023-07");
    assert_eq!((imported.validators, imported.shape), (1, None));
    assert!(imported.accepted.iter().all(|accepted| accepted.differs.is_none()));
    let late = imported.mutants.iter().find(|mutant| mutant.id == "counts-up").unwrap();
    assert_eq!(late.expected, Verdict::TimeLimitExceeded);
    assert_eq!(late.exposed.as_ref().unwrap().how, How::Timeout);
    let text = course.read("harness.yaml");
    for part in ["title: \"Split Sum\"", "seconds: 1,", "memory_mb: 512", "args: [\"even\"]"] {
        assert!(text.contains(part), "{text}");
    }
    // The checker accepts any two parts.
    assert_eq!(exposed(&course), ["counts-up", "zero"]);
    course.write("mine/test-1.txt", "7\n");
    let reason = course.score("mine", &["--format", "json"]).report().assignments.remove(0).suites
        [0]
    .tests[0]
        .reason
        .clone();
    assert_eq!(reason.as_deref(), Some("the number is odd"));
}

/// A package that needs Python only.
fn package() -> tempfile::TempDir {
    folder(&[
        ("problem.yaml", b"name: Double\n"),
        ("data/secret/1.in", b"2\n"),
        ("data/secret/1.ans", b"4.0\n"),
        ("data/secret/2.in", b"0\n"),
        ("data/secret/2.ans", b"0.0\n"),
        ("submissions/accepted/a.py", b"print(2.0 * int(input()))\n"),
        ("submissions/wrong_answer/1.py", b"print(2.0 + int(input()))\n"),
        ("submissions/wrong_answer/2.py", b"print(2.0001 * int(input()))\n"),
        ("submissions/run_time_error/a.py", b"print(4.0 / int(input()))\n"),
    ])
}

#[test]
#[ignore = "it takes long; .ci/run runs it"]
fn the_flags_of_the_default_validator_become_those_of_tokens() {
    let package = package();
    let yaml = "name: 2\nvalidator_flags: float_tolerance 1 case_sensitive float_tolerance 1e-3\n";
    fs::write(package.path().join("problem.yaml"), yaml).unwrap();
    let (imported, course) = imported(path(&package));
    assert_eq!(imported.judge, "{ tokens: { case_sensitive: true, float_tolerance: 1e-3 } }");
    assert!(course.read("harness.yaml").starts_with("course: \"2\"\n"));
    // The second is right within the tolerance. Names that are taken or begin with a digit are changed.
    assert_eq!(exposed(&course), ["a-python", "program-1"]);
    let ids: Vec<_> = imported.mutants.iter().map(|mutant| mutant.id.as_str()).collect();
    assert_eq!(ids, ["a-python", "program-1", "program-2"]);
}

#[test]
#[ignore = "it takes long; .ci/run runs it"]
fn an_accepted_submission_that_is_wrong_is_reported_and_not_chosen() {
    let package = package();
    let wrong = package.path().join("submissions/accepted/0.py");
    fs::write(&wrong, "print(4.0)\n").unwrap();
    let broken = package.path().join("submissions/wrong_answer/broken.py");
    fs::write(broken, "print 4.0\n").unwrap();
    let course = Course::empty();
    let run = harness(&["init", "--from", path(&package), &course.word("")]).exits(0);
    let says = |text: &str| assert!(run.stdout.contains(text), "{text}\n{}", run.stdout);
    says("Reference: submissions/accepted/a.py\n  submissions/accepted/0.py  differs: ");
    says(" on data/secret/2.in\n");
    says("  submissions/wrong_answer/broken.py: does not compile: ");
    fs::remove_file(package.path().join("submissions/accepted/a.py")).unwrap();
    let other = folder(&[]);
    harness(&["init", "--from", path(&package), path(&other)]).fails(
        2,
        "\
error: no submission in [..]/submissions/accepted is right on all data
  submissions/accepted/0.py: [..] on data/secret/2.in
hint: the reference decides what is right; correct a submission, or the data
",
    );
    assert_eq!(fs::read_dir(other.path()).unwrap().count(), 0);
}

#[test]
#[ignore = "it takes long; .ci/run runs it"]
fn a_program_is_compared_with_a_package_that_has_no_wrong_submission() {
    let package = package();
    for kind in ["wrong_answer", "run_time_error"] {
        fs::remove_dir_all(package.path().join("submissions").join(kind)).unwrap();
    }
    fs::create_dir(package.path().join("input_format_validators")).unwrap();
    let shape = package.path().join("input_format_validators/double.ctd");
    fs::write(shape, "INT(0,100) NEWLINE EOF\n").unwrap();
    let course = Course::empty();
    let run = harness(&["init", "--from", path(&package), &course.word("")]).exits(0);
    assert!(run.stdout.contains("harness mutants propose --course"), "{}", run.stdout);
    assert!(!run.stdout.contains("harness score"), "{}", run.stdout);
    course.write("program.py", "print(2.0 + int(input()))\n");
    let (out, program) = (course.word("found"), course.word("program.py"));
    let args = ["generate", "--out", &out, "--format", "json", "--against", &program];
    let generated: Generated = course.harness(&args).exits(0).json();
    assert_eq!(generated.against.unwrap().differences[0].outcomes.input, "0\n");
}

/// That a package is refused with this error, and nothing is written.
#[track_caller]
fn refused(package: &tempfile::TempDir, error: &str) {
    let around = folder(&[]);
    let course = around.path().join("course");
    let run: Run = harness(&["init", "--from", path(package), course.to_str().unwrap()]);
    assert_eq!(run.status, 2, "{}", run.stderr);
    let stderr = run.stderr.replace(path(package), "PACKAGE");
    assert!(stderr.starts_with(&format!("error: {error}\n")), "{stderr}");
    assert_eq!(fs::read_dir(around.path()).unwrap().count(), 0);
}

#[test]
fn a_part_that_is_missing_is_named() {
    for (part, error) in [
        ("problem.yaml", "PACKAGE/problem.yaml does not exist"),
        ("data", "PACKAGE/data has no input: no file in `sample` or `secret` ends in `.in`"),
        (
            "submissions/accepted",
            "PACKAGE/submissions/accepted has no program in C, C++, Python or Java",
        ),
    ] {
        let package = package();
        let part = package.path().join(part);
        if part.is_dir() {
            fs::remove_dir_all(part).unwrap();
        } else {
            fs::remove_file(part).unwrap();
        }
        refused(&package, error);
    }
}

#[test]
#[ignore = "it takes long; .ci/run runs it"]
fn the_programs_of_an_interactive_package_talk_with_its_interactor() {
    if !has_compiler() || !has_a_sandbox() {
        return;
    }
    let (imported, course) = imported(&fixture("guess"));
    assert_eq!(imported.reference, "submissions/accepted/halves.cpp");
    assert!(imported.accepted.iter().all(|it| it.differs.is_none()));
    let mutants = imported.mutants.iter().map(|mutant| {
        let by = mutant.exposed.as_ref().map(|by| (by.input.as_str(), by.how));
        (mutant.id.as_str(), by)
    });
    assert_eq!(
        mutants.collect::<Vec<_>>(),
        [
            ("counts-up", Some(("data/secret/1.in", How::Output))),
            ("forgets-100", Some(("data/sample/1.in", How::Output))),
            ("no-three", None),
            ("waits", Some(("data/sample/1.in", How::Timeout))),
        ]
    );
    assert_eq!(exposed(&course), ["counts-up", "forgets-100", "waits"]);
    // A student whose program makes the interactor fail is wrong alone.
    let by_line = "import sys\nn = int(open(sys.argv[1]).read())\nfor line in sys.stdin:\n    guess = int(line)\n    if guess == n:\n        \
                   print('correct', flush=True)\n        sys.exit(42)\n    print('lower' if n < guess else 'higher', flush=True)\nsys.exit(43)\n";
    course.write("output_validators/guess/guess.py", by_line);
    let yaml = course.read("harness.yaml");
    let submission = "    submission: { program: { python: guess.py }, cases: cases.yaml, points: { cases: 10 } }\n";
    course.write("harness.yaml", yaml.clone() + submission);
    course.write("cases.yaml", "all:\n  weight: 1\n  cases:\n    A: { text: \"30\\n\" }\n");
    course.write("class/honest/guess.py", course.read("accepted/bits.py"));
    course.write("class/rogue/guess.py", "print('abc', flush=True)\n");
    let graded = course.harness(&["grade", &course.word("class")]);
    assert_eq!(graded.status, 0, "{}", graded.stderr);
    assert!(graded.stdout.contains("  honest          10 "), "{}", graded.stdout);
    assert!(graded.stdout.contains("A: wrong output"), "{}", graded.stdout);
    course.write("harness.yaml", yaml);
    // An interactor that fails is an error of the course, and exposes nothing.
    let interactor = course.path("output_validators/guess/guess.py");
    fs::write(&interactor, "import sys\nsys.exit(1)\n").unwrap();
    course.score("tests", &[]).fails(
        4,
        "error: the reference of `guess` rejects every witness: the interactor `python3 -B [..]` exits with status 1, but 42 is right and 43 is wrong\n...\n",
    );
}

#[test]
fn what_a_course_cannot_have_is_named() {
    for (yaml, error) in [
        ("type: interactive", "PACKAGE/output_validators has no program"),
        ("type: [pass-fail, multi-pass]", "the problem is multi-pass, which is not supported"),
        ("type: pvp", "the problem is pvp, which is not supported"),
        ("validation: custom multi-pass", "the problem is multi-pass, which is not supported"),
        ("validation: custom", "PACKAGE/output_validators has no program"),
        (
            "validator_flags: float_tolerance",
            "PACKAGE/problem.yaml gives the default validator the flag `float_tolerance`, which is unknown or has no number",
        ),
        ("name: [a]", "expected a name, or a name in each language"),
        ("type: 5", "expected the kind of the problem, or a list of kinds"),
    ] {
        let package = package();
        fs::write(package.path().join("problem.yaml"), format!("{yaml}\n")).unwrap();
        refused(&package, error);
    }
    let shape = package();
    fs::create_dir(shape.path().join("input_validators")).unwrap();
    fs::write(shape.path().join("input_validators/a.ctd"), "INT(1, 2\n").unwrap();
    let course = folder(&[]);
    let run = harness(&["init", "--from", path(&shape), path(&course)]);
    assert!(run.stderr.contains("/input_validators/a.ctd:2:1\n"), "{}", run.stderr);
}

#[test]
fn flags_that_the_judge_does_not_know_are_shown_in_their_file() {
    let package = package();
    let file = package.path().join("data/testdata.yaml");
    fs::write(file, "output_validator_flags: [colour]\n").unwrap();
    let error = "PACKAGE/data/testdata.yaml gives the default validator the flag `colour`, which is unknown or has no number";
    refused(&package, error);
}

#[test]
#[ignore = "it takes long; .ci/run runs it"]
fn each_validator_may_have_flags_of_its_own() {
    let package = package();
    fs::write(
        package.path().join("data/test_group.yaml"),
        "input_validator_args: { size: [--most, 5] }\n",
    )
    .unwrap();
    is_valid_with_5(&package);
}

#[test]
#[ignore = "it takes long; .ci/run runs it"]
fn where_only_groups_have_flags_those_of_the_last_count() {
    let package = package();
    for (group, most) in [("10-all", 5), ("09-small", 4)] {
        let group = package.path().join("data/secret").join(group);
        fs::create_dir(&group).unwrap();
        let flags = format!("input_validator_flags: --most {most}\n");
        fs::write(group.join("testdata.yaml"), flags).unwrap();
    }
    is_valid_with_5(&package);
}

/// That the data of a package is valid for a validator that wants the flags `--most 5`.
#[track_caller]
fn is_valid_with_5(package: &tempfile::TempDir) {
    let validator = "import sys\nsys.exit(42 if sys.argv[1:] == ['--most', '5'] else 43)\n";
    fs::create_dir(package.path().join("input_validators")).unwrap();
    fs::write(package.path().join("input_validators/size.py"), validator).unwrap();
    let (imported, _course) = imported(path(package));
    assert_eq!((imported.validators, imported.data_problems), (1, vec![]));
}

#[test]
#[ignore = "it takes long; .ci/run runs it"]
fn a_part_that_fails_is_named_in_the_package() {
    if !has_compiler() {
        return;
    }
    let broken = b"int main( {\n";
    let make = |part: &str, text: &[u8]| {
        let package = package();
        fs::create_dir_all(package.path().join(part).parent().unwrap()).unwrap();
        fs::write(package.path().join(part), text).unwrap();
        package
    };
    let fails = |package: &tempfile::TempDir| {
        let course = folder(&[]);
        let run = harness(&["init", "--from", path(package), path(&course)]);
        assert_eq!(fs::read_dir(course.path()).unwrap().count(), 0);
        assert!(!run.stderr.contains(path(&course)), "{}", run.stderr);
        (run.status, run.stderr.replace(path(package), "PACKAGE"))
    };
    let package = make("output_validator/v.cpp", broken);
    fs::write(package.path().join("problem.yaml"), "problem_format_version: 2023-07\n").unwrap();
    let (status, stderr) = fails(&package);
    assert_eq!(status, 4, "{stderr}");
    assert!(stderr.starts_with("error: cannot build the checker `"), "{stderr}");
    assert!(stderr.contains("PACKAGE/output_validator/v.cpp:1:"), "{stderr}");
    let package = make("submissions/accepted/b.cpp", broken);
    fs::remove_file(package.path().join("submissions/accepted/a.py")).unwrap();
    let (status, stderr) = fails(&package);
    assert_eq!(status, 2, "{stderr}");
    let error = "error: no submission in PACKAGE/submissions/accepted can be built\n  submissions/accepted/b.cpp: does not compile: ";
    assert!(stderr.starts_with(error) && !stderr.contains("/b.cpp:1:"), "{stderr}");
}

#[test]
#[ignore = "it takes long; .ci/run runs it"]
fn files_beside_the_checker_do_not_matter() {
    let package = package();
    let checker = "import sys\nsys.exit(42 if sys.stdin.read().strip() else 43)\n";
    fs::create_dir(package.path().join("output_validators")).unwrap();
    for (name, text) in
        [("problem.yaml", "validation: custom\n"), ("output_validators/check.py", checker)]
    {
        fs::write(package.path().join(name), text).unwrap();
    }
    fs::write(package.path().join("output_validators/README.md"), "It accepts all.\n").unwrap();
    let (imported, course) = imported(path(&package));
    assert!(imported.judge.starts_with("{ kattis: \"output_validators/check.py\""));
    assert_eq!(exposed(&course), ["a-python"]);
}

#[test]
fn a_link_that_leads_out_of_a_package_is_refused() {
    let secret = folder(&[("secret.py", b"print(1)\n"), ("1.in", b"2\n")]);
    for (link, target, error) in [
        ("submissions/accepted/b.py", "secret.py", "leads out of the package"),
        ("submissions/accepted/c", "", "leads out of the package"),
        ("data/secret/3.in", "1.in", "leads out of the package"),
        ("input_validators", "", "leads out of the package"),
        ("output_validator", "", "leads out of the package"),
        ("submissions/accepted/d.py", "nothing", "is a link that leads nowhere"),
    ] {
        let package = package();
        symlink(secret.path().join(target), package.path().join(link)).unwrap();
        refused(&package, &format!("PACKAGE/{link} {error}"));
    }
    let package = package();
    symlink("../..", package.path().join("data/sample")).unwrap();
    refused(&package, "PACKAGE/data/sample leads out of the package");
}

#[test]
#[ignore = "it takes long; .ci/run runs it"]
fn a_link_inside_of_a_package_is_followed_to_a_file() {
    let package = package();
    symlink("a.py", package.path().join("submissions/accepted/b.py")).unwrap();
    let (imported, _course) = imported(path(&package));
    // Which of the two is faster depends on the machine.
    let mut accepted = vec![imported.reference];
    accepted.extend(imported.accepted.into_iter().map(|accepted| accepted.submission));
    accepted.sort();
    assert_eq!(accepted, ["submissions/accepted/a.py", "submissions/accepted/b.py"]);
    symlink("secret", package.path().join("data/sample")).unwrap();
    refused(&package, "PACKAGE/data/sample is a link to a folder, which is not followed");
}

#[test]
fn a_package_must_be_a_folder_and_the_course_a_new_one() {
    let file = folder(&[("package.zip", b"PK")]);
    let zip = file.path().join("package.zip");
    let run = harness(&["init", "--from", zip.to_str().unwrap(), "new"]);
    run.fails(2, "error: [..]/package.zip is a file\nhint: unpack it, and name its folder\n");
    let package = package();
    harness(&["init", "--from", path(&package), path(&file)]).fails(
        2,
        "\
error: [..] already exists and is not an empty folder
hint: name a new folder; existing files are never overwritten
",
    );
    assert_eq!(fs::read_dir(file.path()).unwrap().count(), 1);
}

#[test]
#[ignore = "it takes long; .ci/run runs it"]
fn programs_with_scripts_are_built_and_what_cannot_be_built_is_left_out_and_named() {
    let package = package();
    let write = |name: &str, text: &str| {
        let file = package.path().join(name);
        fs::create_dir_all(file.parent().unwrap()).unwrap();
        fs::write(file, text).unwrap();
    };
    let odd = "#!/bin/sh\nread number\n[ $((number % 2)) = 0 ] && exit 42\necho odd\nexit 43\n";
    write("input_validators/even/check.sh", odd);
    write("input_validators/even/build", "#!/bin/sh\nset -e\ncp check.sh run\nchmod +x run\n");
    write("input_validators/small.py3", "import sys\nsys.exit(42 if int(input()) < 99 else 43)\n");
    write("input_validators/broken/build", "#!/bin/sh\necho there is no tool >&2\nexit 1\n");
    write("input_validators/silent/build", "#!/bin/sh\n");
    write("input_validators/wrong/a.cpp", "#include \"missing.h\"\nint main() {}\n");
    write(
        "output_validators/same/run",
        "#!/bin/sh\nread right < $2\nread given\nawk \"BEGIN { exit ($right == $given) ? 42 : 43 }\"\n",
    );
    write("submissions/accepted/b.py3", "print(2.00 * int(input()))\n");
    write("problem.yaml", "name: Double\nvalidation: custom\n");
    let (imported, course) = imported(path(&package));
    assert_eq!((imported.validators, imported.accepted.len()), (2, 1));
    let left_out = imported.left_out.iter().map(|it| format!("{}: {}", it.part, it.reason));
    let left_out: Vec<_> = left_out.collect();
    assert_eq!(
        left_out[..2],
        [
            "input_validators/broken: its script `build` fails: there is no tool",
            "input_validators/silent: its script `build` makes no program `run`",
        ]
    );
    if has_compiler() {
        let wrong = &left_out[2];
        let start = "input_validators/wrong: it does not compile: input_validators/wrong/a.cpp:1:";
        assert!(wrong.starts_with(start) && wrong.contains("missing.h"), "{wrong}");
        assert_eq!(left_out.len(), 3, "{left_out:?}");
    }
    let text = course.read("harness.yaml");
    assert!(text.contains("{ kattis: \"input_validators/even/run\" }"), "{text}");
    assert!(text.contains("{ kattis: \"output_validators/same/run\""), "{text}");
    course.write("mine/test-1.txt", "7\n");
    course.write("mine/test-2.txt", "8\n");
    course.write("mine/test-3.txt", "100\n");
    let suite =
        course.score("mine", &["--format", "json"]).report().assignments.remove(0).suites.remove(0);
    let valid: Vec<_> = suite.tests.iter().map(|test| test.reason.is_none()).collect();
    assert_eq!(valid, [false, true, false]);
}
