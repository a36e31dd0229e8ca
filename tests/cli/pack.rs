//! `harness pack`: what it writes grades in a clean folder laid out as the platform does.

use super::course::Course as CourseFolder;
use super::run::{Run, command, has_a_sandbox, output};
use super::sums::{MAKEFILE, SUM, course, has_no_compiler};
use super::unit_header::has_doctest;
use super::unit_tests::FEW;
use super::{folder, repository, skip};
use base64::Engine;
use base64::prelude::BASE64_STANDARD;
use harness::command::pack;
use harness::course::Course;
use harness::files;
use serde_json::Value;
use std::fs;
use std::os::unix::fs::symlink;
use std::path::Path;
use std::process::Command;
use tempfile::TempDir;

/// A course with a submission that earns 90 points, unless this machine cannot grade it.
fn course_and_submission() -> Option<TempDir> {
    if has_no_compiler() {
        return None;
    }
    if files::on_path(&["bwrap"]).is_none() {
        skip("there is no bubblewrap on this machine");
        return None;
    }
    Some(course(&[("sum.cpp", SUM), ("Makefile", MAKEFILE), ("test-1.txt", "1 2\n")]))
}

/// Packs the course for a platform. The program in the package has no debug information, if this machine can leave it out: compressing
/// that takes longer than all else.
fn pack_for(course: &Path, platform: &str, to: &Path) {
    let place = folder(&[]);
    let small = place.path().join("harness");
    let strip = Command::new("strip").arg(crate::PROGRAM).arg("-o").arg(&small).status();
    let is_small = strip.is_ok_and(|status| status.success());
    let mut pack = Command::new(if is_small { &small } else { Path::new(crate::PROGRAM) });
    pack.args(["pack", platform, "--course"]).arg(course).arg("--out").arg(to);
    Run::from(output(pack.current_dir(repository()))).exits(0);
}

fn unzip(archive: &Path, to: &Path) {
    zip::ZipArchive::new(fs::File::open(archive).unwrap()).unwrap().extract(to).unwrap();
}

fn json(file: &Path) -> Value {
    serde_json::from_slice(&fs::read(file).unwrap()).unwrap()
}

#[test]
#[ignore = "it builds a reference in a new place; .ci/run runs it"]
fn a_course_of_crates_scores_where_its_archive_is_unpacked() {
    let course = Course::read(repository()).unwrap_or_else(|it| panic!("{:?}", it.problems));
    let packed = pack::course(&course).unwrap_or_else(|it| panic!("{:?}", it.problems));
    let new = folder(&[]);
    files::unarchive(&packed, new.path()).unwrap_or_else(|it| panic!("{:?}", it.problems));
    let score = |course: &Path| {
        let mut score = command();
        score.args(["score", "student_tests/countess", "--course"]).arg(course);
        Run::from(output(&mut score)).exits(0).stdout
    };
    assert_eq!(score(new.path()), score(repository()));
}

#[test]
#[ignore = "it packs and unpacks the program; .ci/run runs it"]
fn gradescope_grades_a_folder_of_files() {
    let Some(course) = course_and_submission() else { return };
    let root = folder(&[]);
    let at = |name: &str| root.path().join(name);
    pack_for(course.path(), "gradescope", &at("autograder.zip"));
    unzip(&at("autograder.zip"), &at("source"));
    fs::rename(course.path().join("mine"), at("submission")).unwrap();
    assert!(at("source/setup.sh").exists());
    let run = Command::new(at("source/run_autograder")).env("AUTOGRADER", root.path()).status();
    assert!(run.unwrap().success());
    let results = json(&at("results/results.json"));
    let errors = fs::read_to_string(at("results/errors.txt")).unwrap();
    assert_eq!(results["score"], 90.0, "{results}\n{errors}");
    assert_eq!(results["leaderboard"][0]["name"], "seconds");
}

#[test]
#[ignore = "it packs and unpacks the program; .ci/run runs it"]
fn prairielearn_grades_an_uploaded_archive() {
    let Some(course) = course_and_submission() else { return };
    let root = folder(&[]);
    let at = |name: &str| root.path().join(name);
    pack_for(course.path(), "prairielearn", &at("question.zip"));
    unzip(&at("question.zip"), root.path());
    let info = json(&at("info.json"));
    assert_eq!(info["externalGradingOptions"]["entrypoint"], "/grade/tests/run.sh");
    let page = fs::read_to_string(at("question.html")).unwrap();
    assert!(page.contains("file-names=\"submit.tar.gz\""), "{page}");
    fs::create_dir(at("student")).unwrap();
    let tar = Command::new("tar")
        .arg("czf")
        .arg(at("student/submit.tar.gz"))
        .args(["-C", "mine", "sum.cpp", "Makefile", "test-1.txt"])
        .current_dir(course.path())
        .status();
    assert!(tar.unwrap().success());
    let run = Command::new(at("tests/run.sh")).env("GRADE", root.path()).status();
    assert!(run.unwrap().success());
    let results = json(&at("results/results.json"));
    let errors = fs::read_to_string(at("results/errors.txt")).unwrap();
    assert_eq!((&results["gradable"], &results["score"]), (&true.into(), &1.0.into()), "{errors}");

    fs::remove_file(at("tests/course/harness.yaml")).unwrap();
    let run = Command::new(at("tests/run.sh")).env("GRADE", root.path()).output().unwrap();
    let results = json(&at("results/results.json"));
    assert_eq!(results["gradable"], false, "a student is not charged for a broken course");
    assert!(String::from_utf8_lossy(&run.stderr).contains("harness ended with status"));
}

#[test]
#[ignore = "it takes long; .ci/run runs it"]
fn a_workflow_reports_to_github_classroom() {
    let Some(course) = course_and_submission() else { return };
    let root = folder(&[("submission/.git/config", b""), ("course/harness", b"")]);
    let at = |name: &str| root.path().join(name);
    pack_for(course.path(), "github", &at("grade.yml"));
    let workflow: Value = serde_yaml::from_slice(&fs::read(at("grade.yml")).unwrap()).unwrap();
    for entry in fs::read_dir(course.path().join("mine")).unwrap() {
        let entry = entry.unwrap();
        fs::rename(entry.path(), at("submission").join(entry.file_name())).unwrap();
    }
    fs::remove_dir_all(at("course")).unwrap();
    fs::rename(course.path(), at("course")).unwrap();
    symlink(command().get_program(), at("course/harness")).unwrap();
    let steps = workflow["jobs"]["grade"]["steps"].as_array().unwrap();
    let step = |name: &str| {
        let step = steps.iter().find(|step| step["name"] == name).unwrap();
        // As the runner does it.
        let mut bash = Command::new("bash");
        bash.args([
            "--noprofile",
            "--norc",
            "-eo",
            "pipefail",
            "-c",
            step["run"].as_str().unwrap(),
        ]);
        let output = bash.current_dir(root.path()).env("GITHUB_OUTPUT", at("output")).output();
        let output = output.unwrap();
        assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr));
    };
    step("Get harness");
    step("Grade");
    let said = fs::read_to_string(at("output")).unwrap();
    let result = said.strip_prefix("result=").unwrap().trim();
    let result: Value = serde_json::from_slice(&BASE64_STANDARD.decode(result).unwrap()).unwrap();
    let points: f64 = result["tests"]
        .as_array()
        .unwrap()
        .iter()
        .map(|test| test["score"].as_f64().unwrap())
        .sum();
    assert_eq!(points.to_string(), "90", "{result}");
}

#[test]
#[ignore = "it packs and unpacks the program; .ci/run runs it"]
fn a_package_for_unit_tests_grades_them_and_installs_their_framework() {
    if !has_a_sandbox() || !has_doctest() {
        return;
    }
    let course = CourseFolder::copy_of("examples/matrix-cpp");
    course.keep_mutants(&FEW);
    let root = folder(&[]);
    let at = |name: &str| root.path().join(name);
    let archive = at("autograder.zip");
    pack_for(&course.path(""), "gradescope", &archive);
    unzip(&archive, &at("source"));
    let setup = fs::read_to_string(at("source/setup.sh")).unwrap();
    assert!(setup.contains(" doctest-dev "), "{setup}");
    fs::rename(course.word("student_tests/bob"), at("submission")).unwrap();
    let run = Command::new(at("source/run_autograder")).env("AUTOGRADER", root.path()).status();
    assert!(run.unwrap().success());
    let results = json(&at("results/results.json"));
    let errors = fs::read_to_string(at("results/errors.txt")).unwrap();
    let output = results["tests"][0]["output"].as_str().unwrap_or_else(|| panic!("{errors}"));
    assert!(output.contains("Tests: 2 valid tests, 1 rejected"), "{output}");
}

#[test]
fn a_package_installs_what_its_languages_and_framework_need() {
    for (example, expected) in
        [("library-python", " python3 python3-pytest "), ("bank-java", " default-jdk-headless ")]
    {
        let course = CourseFolder::copy_of(&format!("examples/{example}"));
        if !course.read("harness.yaml").contains("submission:") {
            let points = "    submission: { points: { tests: 10 } }\n";
            let yaml = course.read("harness.yaml");
            course.write("harness.yaml", &(yaml + points));
        }
        let file = course.word("grade.yml");
        course.harness(&["pack", "github", "--out", &file]).exits(0);
        let text = course.read("grade.yml");
        assert!(text.contains(expected), "{text}");
    }
}
