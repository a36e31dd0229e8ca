//! What a student's program writes is text in every format of `harness grade`, whatever it looks like.

use super::sums::{MAKEFILE, course, grade_with, graded, has_no_compiler};
use harness::files;
use harness::result::graded::Verdict;
use serde_json::Value;
use std::fs;

/// Its output and its messages look like a terminal's commands, markup, a result, and a command of a workflow.
const HOSTILE: &str = r#"// Project Identifier: ABCDEF0123456789
#include <cstdio>
int main() {
    int a = 0, b = 0;
    const char *text = "\x1b[2J\x07</pre><script>alert(1)</script>\r{\"score\": 100}\n::error::x\n";
    fputs(text, stderr);
    if (scanf("%d %d", &a, &b) < 2 || a == 20)
        return 1;
    fputs(text, stdout);
    putchar(0);
    putchar(255);
}
"#;

#[test]
#[ignore = "it takes long; .ci/run runs it"]
fn nothing_that_a_program_writes_is_taken_for_anything_else() {
    if has_no_compiler() {
        return;
    }
    let course = course(&[("sum.cpp", HOSTILE), ("Makefile", MAKEFILE), ("test-1.txt", "1 2\n")]);
    let run = |args: &[&str]| grade_with(&course, "mine", args).exits(0).stdout;
    let is_plain = |text: &str| text.chars().all(|c| c == '\n' || !c.is_control());

    let text = run(&["--format", "text"]);
    assert!(is_plain(&text) && text.contains("<script>"), "{text:?}");
    let page = run(&["--format", "html"]);
    // Without times, there is no empty column for them.
    let timed = run(&["--times", "--format", "html"]);
    assert!(!page.contains("Time and memory") && timed.contains("Time and memory"));
    for inline in ["style=\"", "onclick=", "onerror=\""] {
        assert!(!page.contains(inline), "the policy forbids {inline}");
    }
    assert!(!page.contains("<script>alert") && page.contains("&#60;script&#62;alert"), "{page}");

    let json: Value = serde_json::from_str(&run(&["--format", "gradescope"])).unwrap();
    assert_eq!(json["score"], 50.0, "the tests and the invalid case");
    assert_eq!(
        (&json["output_format"], &json["test_output_format"]),
        (&"text".into(), &"text".into())
    );
    let said = |test: &Value| test["output"].as_str().unwrap().to_owned();
    assert!(json["tests"].as_array().unwrap().iter().all(|test| is_plain(&said(test))), "{json}");
}

#[test]
fn a_platform_gets_a_file_for_each_student_of_a_class() {
    if has_no_compiler() {
        return;
    }
    let course = course(&[("sum.cpp", HOSTILE), ("Makefile", "sum:\n\tfalse\n")]);
    let class = course.path().join("class");
    for name in ["ann", "bob"] {
        fs::create_dir_all(class.join(name)).unwrap();
        fs::copy(course.path().join("mine/Makefile"), class.join(name).join("Makefile")).unwrap();
    }
    fs::write(class.join("ann/test-1.txt"), "1 2\n").unwrap();
    fs::write(class.join("eve.zip"), "PK").unwrap();
    let folder = course.path().join("for-students");
    let grade = |more: &[&str]| {
        let format = format!("gradescope={}/", folder.display());
        let args = [&["--format", format.as_str()][..], more].concat();
        grade_with(&course, "class", &args)
    };
    let all = grade(&[]).exits(0).stdout;
    let names = || {
        let entries = fs::read_dir(&folder).unwrap();
        let mut names: Vec<_> = entries.map(|it| it.unwrap().file_name()).collect();
        names.sort();
        names
    };
    assert_eq!(names(), ["ann.json", "bob.json", "eve.json"]);
    assert!(all.contains("ann") && all.contains("eve"), "staff read the report: {all}");
    let score = |name: &str| -> Value {
        let text = fs::read_to_string(folder.join(name)).unwrap();
        serde_json::from_str::<Value>(&text).unwrap()["score"].clone()
    };
    assert_eq!([score("ann.json"), score("bob.json"), score("eve.json")], [10.0, 0.0, 0.0]);
    fs::write(folder.join("bob.json"), "precious").unwrap();
    fs::remove_file(folder.join("ann.json")).unwrap();
    let run = grade(&[]);
    assert_eq!(run.status, 2, "{}", run.stderr);
    assert!(run.stderr.contains("bob.json already exists"), "{}", run.stderr);
    assert_eq!(names(), ["bob.json", "eve.json"], "nothing was written");
    grade(&["--overwrite"]).exits(0);
    assert_eq!(score("bob.json"), 0.0);
    let run = grade_with(&course, "class", &["--format", "gradescope"]);
    assert!(run.stderr.ends_with("name a folder: gradescope=DIR/\n"), "{}", run.stderr);
}

#[test]
fn links_and_huge_files_of_a_build_are_not_kept() {
    if has_no_compiler() || files::on_path(&["bwrap"]).is_none() {
        return;
    }
    let makefile = "# Project Identifier: ABCDEF0123456789\nsum: sum.cpp\n\tln -s /etc/passwd sum\n\tln -s / all\n\ttruncate -s 10G large\nclean:\n\trm -f sum\n";
    let course = course(&[("sum.cpp", HOSTILE), ("Makefile", makefile)]);
    let before = fs::read("/etc/passwd").unwrap();
    let report = graded(&grade_with(&course, "mine", &["--format", "json"]));
    assert_eq!(report.groups[0].cases[0].verdict, Verdict::NotRun);
    assert_eq!(report.points.earned.to_string(), "0");
    assert_eq!(fs::read("/etc/passwd").unwrap(), before);
}
