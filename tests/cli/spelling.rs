//! How options are spelled on the command line of a program.

use super::{folder, harness, path};

/// A program that knows four whole arguments, and copies its input.
const PROGRAM: &[u8] = br#"for word in "$@"; do
    case $word in
    -w | --words | -l | --lines) ;;
    *) echo "unknown argument: $word" >&2; exit 1 ;;
    esac
done
cat
"#;

/// The messages for which the tests of a course with this line in `tests:` are rejected.
fn rejections(options: &str) -> Vec<String> {
    let yaml = format!(
        "course: c\nassignments:\n  a:\n    domain: text\n    program:\n      reference: {{ run: [sh, copy.sh] }}\n      \
         mutant: {{ run: ['true'] }}\n    mutants: mutants\n    tests:\n      files: 40\n      {options}\n      flags:\n        \
         - {{ group: words, letters: {{ w: {{ long: --words, short: -w }} }} }}\n        \
         - {{ group: lines, letters: {{ l: {{ long: --lines, short: -l }} }} }}\n    scoring: {{ start: 1, full: 1 }}\n"
    );
    let mutant = b"summary: s\nkind: misreading\ntopic: a\nspec: s\nhint: h\npoints: 1\n\
                   witness: { flags: wl, input: \"x\\n\" }\n";
    let course = folder(&[
        ("harness.yaml", yaml.as_bytes()),
        ("copy.sh", PROGRAM),
        ("mutants/m.yaml", mutant),
    ]);
    for number in 1..=40 {
        let file = course.path().join(format!("suite/test-{number}-wl.txt"));
        std::fs::create_dir_all(file.parent().unwrap()).unwrap();
        std::fs::write(file, "x\n").unwrap();
    }
    let suite = format!("{}/suite", path(&course));
    let run = harness(&["score", &suite, "--course", path(&course), "--format", "json"]).exits(0);
    let report = run.report();
    report.assignments[0].suites[0].rejected().filter_map(|test| test.reason.clone()).collect()
}

#[test]
fn options_are_joined_only_if_the_course_says_that_the_program_supports_it() {
    assert_eq!(rejections("crlf: convert"), Vec::<String>::new());
    assert_eq!(rejections("options: separate"), Vec::<String>::new());
    let joined = rejections("options: getopt");
    assert!(!joined.is_empty());
    for reason in joined {
        assert!(
            reason.contains("unknown argument: -wl") || reason.contains("unknown argument: -lw"),
            "{reason}"
        );
    }
}
