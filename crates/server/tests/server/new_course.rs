//! A course that `harness init` writes can be served after a few lines of it are uncommented.

use super::support::grading::{SERVER, cannot_grade};
use super::support::{program, sums};
use std::fs;
use std::path::Path;
use std::process::Command;

/// What a student hands in: the sum, or the largest, of the numbers.
const TALLY: &str = "#include <algorithm>
#include <iostream>
#include <string>
int main(int, char** argv) {
    const std::string option = argv[1];
    long long number = 0, sum = 0, largest = -1000;
    bool any = false;
    while (std::cin >> number) {
        sum += number;
        largest = std::max(largest, number);
        any = true;
    }
    const bool wantsSum = option == \"-s\" || option == \"--sum\";
    if (!wantsSum && !any) {
        return 1;
    }
    std::cout << (wantsSum ? sum : largest) << '\\n';
}
";

const MAKEFILE: &str = "tally: tally.cpp\n\tg++ -O3 -o tally tally.cpp\nclean:\n\trm -f tally\n";

fn uncomment(course: &Path) {
    let file = course.join("harness.yaml");
    let text = fs::read_to_string(&file).unwrap();
    let (before, commented) = text.split_once("    # submission:").expect("it has the lines");
    let commented = format!("    # submission:{commented}").replace("# ", "");
    fs::write(file, before.to_owned() + &commented).unwrap();
    sums::write(course, "serve.yaml", "workers: 0\n");
}

fn doctor(course: &Path) -> String {
    program::run(program::serve(course, &["doctor"])).out
}

#[test]
fn a_new_course_takes_submissions_when_a_few_lines_are_uncommented() {
    if cannot_grade() {
        return;
    }
    let folder = tempfile::tempdir().unwrap();
    let course = folder.path().join("course");
    let mut init = Command::new(SERVER);
    init.args(["init", "--language", "cpp"]).arg(&course);
    assert_eq!(program::run(init).status, 0);
    assert!(doctor(&course).contains("no assignment has a `submission:`"));
    uncomment(&course);
    let said = doctor(&course);
    assert!(!said.contains("no assignment has a `submission:`"), "{said}");
    sums::write(folder.path(), "ann/tally.cpp", TALLY);
    sums::write(folder.path(), "ann/Makefile", MAKEFILE);
    let mut grade = Command::new(SERVER);
    grade.arg("grade").arg(folder.path().join("ann")).arg("--course").arg(&course);
    grade.args(["--format", "json"]).stdin(std::process::Stdio::null());
    let done = program::run(grade);
    let report: serde_json::Value = serde_json::from_str(&done.out).expect(&done.error);
    let groups = report["submissions"][0]["groups"].as_array().expect(&done.out);
    assert_eq!(groups.len(), 2, "{}", done.out);
    let cases = groups.iter().flat_map(|group| group["cases"].as_array().unwrap());
    let outcomes: Vec<_> = cases.map(|case| case["verdict"].clone()).collect();
    assert!(outcomes.len() == 4 && outcomes.iter().all(|it| it == "passed"), "{}", done.out);
}
