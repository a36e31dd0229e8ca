//! Searches on programs that are slow on some inputs, and on several right programs.

use super::engines::has;
use super::run::harness;
use super::{folder, path};
use harness::report::generated::Generated;
use harness::report::witnessed::Witnessed;

const COURSE: &str = "course: Slow
assignments:
  sum:
    title: Sum
    domain: shape
    input: lists.yaml
    program: { python: [sum.py] }
    mutants: mutants
    tests: { files: 5, flags: [] }
    run: { seconds: 1 }
    scoring: { start: 1, full: 1 }
";
const LISTS: &str = "input:
  - lines: { count: 1 .. 2 }
    line: [{ x: 0 .. 9 }]
";
/// Reads numbers, prints what an expression says of them, and takes many steps first if a condition holds.
fn program(says: &str, is_slow: &str, steps: &str) -> String {
    format!(
        "import sys
xs = [int(x) for x in sys.stdin.read().split()]
steps = {steps} if {is_slow} else 0
while steps != 0:
    steps -= 1
print({says})
"
    )
}

/// A course of a program and its mutants, and the file with its key `references`.
fn course(right: &str, others: &[(&str, String)], references: &str) -> tempfile::TempDir {
    let course = COURSE.replace("    mutants:", &format!("{references}    mutants:"));
    let mut files = vec![
        ("harness.yaml", course.as_bytes()),
        ("lists.yaml", LISTS.as_bytes()),
        ("sum.py", right.as_bytes()),
    ];
    files.extend(others.iter().map(|(name, source)| (*name, source.as_bytes())));
    folder(&files)
}

/// Replaces what the course file says.
fn set(course: &tempfile::TempDir, old: &str, new: &str) {
    let file = course.path().join("harness.yaml");
    let text = std::fs::read_to_string(&file).unwrap();
    std::fs::write(&file, text.replace(old, new)).unwrap();
}

fn generated(course: &tempfile::TempDir) -> Generated {
    let out = course.path().join("found").display().to_string();
    let args = ["generate", "--course", path(course), "--out", &out, "--format", "json"];
    harness(&[args.as_slice(), &["--budget", "600"]].concat()).exits(0).json()
}

fn smallest<'a>(generated: &'a Generated, mutant: &str) -> (&'a str, bool) {
    let found = generated.smallest.iter().find(|it| it.mutant == mutant);
    let found = found.unwrap_or_else(|| panic!("{mutant} was not found: {generated:?}"));
    (&found.input, found.certified)
}

/// Two numbers are fast, and were tried first.
#[test]
fn a_case_on_which_the_reference_is_slow_is_the_smallest_all_the_same() {
    if !has(&["python3"]) {
        return;
    }
    let right = program("sum(xs)", "xs == [3]", "100_000");
    let wrong = program("sum(xs) + (xs == [3] or len(xs) == 2)", "xs == [3]", "100_000");
    let course = course(&right, &[("mutants/wrong.py", wrong)], "");
    assert_eq!(smallest(&generated(&course), "wrong"), ("3\n", true));
}

/// The reference takes an empty file for no numbers, which have a sum, and the shape has no such input.
#[test]
fn a_witness_that_is_no_test_is_not_written_as_one() {
    if !has(&["python3"]) {
        return;
    }
    let right = program("sum(xs)", "False", "0");
    let wrong = program("sum(xs) + (len(xs) == 0)", "False", "0");
    let text = "summary: s\nkind: misreading\ntopic: a\nspec: s\nhint: h\npoints: 1\n\
        witness: { flags: \"\", input: \"\" }\n";
    let wrong = [("mutants/wrong.py", wrong), ("mutants/wrong.yaml", text.to_owned())];
    let course = course(&right, &wrong, "");
    set(&course, "files: 5", "files: 5, empty: accept");
    let generated = generated(&course);
    assert!(generated.files.is_empty() && generated.smallest.is_empty(), "{generated:?}");
    assert_eq!(generated.missed, ["wrong"]);
}

#[test]
fn no_test_tells_right_programs_apart() {
    if !has(&["python3"]) {
        return;
    }
    let right = program("max(xs) - xs[0]", "False", "0");
    // The description does not say what to do with equal numbers, and this one is slow besides.
    let other = "-1 if len(xs) == 2 and xs[0] == xs[1] else max(xs) - xs[0]";
    let other = program(other, "xs == [5]", "20_000");
    let wrong = program("9 if len(xs) == 2 else 0", "False", "0");
    let lost = program("7 if len(xs) == 2 and xs[0] == xs[1] else max(xs) - xs[0]", "False", "0");
    let others = [("other.py", other), ("mutants/wrong.py", wrong), ("mutants/lost.py", lost)];
    let course = course(&right, &others, "    references: [other.py]\n");
    let generated = generated(&course);
    // The right programs differ on two zeros, which would be smaller.
    assert_eq!(smallest(&generated, "wrong").0, "0\n1\n");
    // Only where they differ does this one show, so it is not called equivalent.
    assert_eq!(
        (&generated.missed, &generated.only_disputed),
        (&vec!["lost".to_owned()], &generated.missed)
    );
    let [disputed] = generated.disputed.as_slice() else { panic!("{:?}", generated.disputed) };
    assert_eq!((disputed.program.as_str(), disputed.input.as_str()), ("other.py", "0\n0\n"));
    assert_eq!([&*disputed.reference, &*disputed.other], ["prints `0`", "prints `-1`"]);
    let described = "summary: It is wrong.\nkind: implementation\ntopic: sums\nspec: sums\nhint: Try two.\npoints: 1\n";
    std::fs::write(course.path().join("mutants/wrong.yaml"), described).unwrap();
    let witness = ["mutants", "witness", "wrong", "--course", path(&course), "--format", "json"];
    let witnessed: Witnessed = harness(&witness).exits(0).json();
    let found = witnessed.assignments[0].mutants[0].found.as_ref().expect("it is found");
    assert_eq!(found.witness.input, "0\n1\n");
    std::fs::write(course.path().join("mutants/lost.yaml"), described).unwrap();
    let witness = harness(&["mutants", "witness", "lost", "--course", path(&course)]).exits(0);
    let says = "only cases on which right programs differ exposed it";
    assert!(witness.stdout.contains(says), "{}", witness.stdout);
    let verified = harness(&["mutants", "verify", "--course", path(&course)]);
    let says = "error: the right program other.py differs from the reference on ";
    assert!(verified.stderr.contains(says), "{}", verified.stderr);
    assert!(verified.stderr.contains("prints `0`; the right program: "), "{}", verified.stderr);
}

#[test]
fn a_right_program_that_often_does_not_end_takes_no_test_away() {
    if !has(&["python3"]) {
        return;
    }
    let right = program("max(xs) - xs[0]", "False", "0");
    // It would need hours where the first number is not the largest.
    let other = program("max(xs) - xs[0]", "max(xs) > xs[0]", "20_000_000_000");
    let wrong = program("9 if len(xs) == 2 else max(xs) - xs[0]", "False", "0");
    let others = [("other.py", other), ("mutants/wrong.py", wrong)];
    let course = course(&right, &others, "    references: [other.py]\n");
    let generated = generated(&course);
    assert_eq!(smallest(&generated, "wrong").0, "0\n0\n");
    assert!(!generated.files.is_empty());
}

/// The largest number is one more than fits.
#[test]
fn undefined_behaviour_of_the_reference_is_reported_with_what_right_programs_dispute() {
    if !has(&["python3", "g++"]) {
        return;
    }
    let other = program("sum(xs) + 2147483639", "False", "0");
    let wrong = program("len(xs)", "False", "0");
    let course = course("", &[("other.py", other), ("mutants/wrong.py", wrong)], "");
    let right = "#include <iostream>
int main() {
    int sum = 2147483639, x;
    while (std::cin >> x) sum += x;
    std::cout << sum << std::endl;
}
";
    std::fs::write(course.path().join("sum.cpp"), right).unwrap();
    set(&course, "python: [sum.py] }", "cpp: [sum.cpp] }\n    references: [other.py]");
    let generated = generated(&course);
    let [disputed] = generated.disputed.as_slice() else { panic!("{:?}", generated.disputed) };
    assert_eq!(disputed.input, "9\n");
    let undefined = disputed.undefined.as_deref().unwrap_or_default();
    assert!(undefined.starts_with("signed integer overflow"), "{undefined}");
}

#[test]
fn other_right_programs_need_sources() {
    let course = course("print(1)\n", &[("mutants/wrong.py", "print(2)\n".to_owned())], "");
    let file = course.path().join("harness.yaml");
    let text = std::fs::read_to_string(&file).unwrap();
    let text = text.replace("    mutants:", "    references: [lists.yaml]\n    mutants:");
    std::fs::write(&file, text).unwrap();
    let run = harness(&["generate", "--course", path(&course)]);
    assert_eq!(run.status, 2, "{}", run.stderr);
    assert!(run.stderr.contains("there is no source in"), "{}", run.stderr);
    assert!(run.stderr.contains("hint: name a source in C, C++, Python or Java"), "{}", run.stderr);
}

/// It takes more steps than a quick search gives a program, whatever it reads, as one does that fills a table first.
#[test]
fn a_mutant_of_a_program_that_always_takes_long_is_found_on_a_rare_case() {
    if !has(&["python3"]) {
        return;
    }
    let right = program("sum(xs)", "True", "6_000");
    // Too large to be listed, and drawn seldom.
    let wrong = program("sum(xs) + (len(xs) > 4 and xs[1] > xs[2] > xs[3])", "True", "6_000");
    let course = course(&right, &[("mutants/wrong.py", wrong)], "");
    let lists = LISTS.replace("1 .. 2", "1 .. 9");
    std::fs::write(course.path().join("lists.yaml"), lists).unwrap();
    let generated = generated(&course);
    assert_eq!(smallest(&generated, "wrong").0, "0\n2\n1\n0\n0\n");
}

/// Cases that are this small come first, so that slow programs run on them as well.
#[test]
fn a_slow_mutant_beside_a_slow_right_program_is_found_on_a_small_case() {
    if !has(&["python3"]) {
        return;
    }
    let right = program("sum(xs)", "False", "0");
    let other = program("sum(xs)", "True", "20_000");
    let wrong = program("sum(xs) + (xs == [7, 7])", "True", "20_000");
    let others = [("other.py", other), ("mutants/wrong.py", wrong)];
    let course = course(&right, &others, "    references: [other.py]\n");
    let lists = LISTS.replace("1 .. 2", "1 .. 4");
    std::fs::write(course.path().join("lists.yaml"), lists).unwrap();
    assert_eq!(smallest(&generated(&course), "wrong").0, "7\n7\n");
}

/// Each case is cut at first, and the smallest size has so many cases that no time would be left after all of them.
#[test]
fn a_mutant_of_a_program_that_fills_a_table_first_is_found_on_the_smallest_case() {
    if !has(&["python3"]) {
        return;
    }
    // The first line takes long, but it is one step.
    let right = format!("sum(range(500_000))\n{}", program("sum(xs)", "True", "10_000"));
    let course = course(&right, &[("mutants/wrong.py", program("-1", "True", "10_000"))], "");
    let shape = "input: [{ line: [{ a: 0 .. 1000 }, { b: 1 .. 1000 }] }]\n";
    std::fs::write(course.path().join("lists.yaml"), shape).unwrap();
    let out = course.path().join("found").display().to_string();
    let args = ["generate", "--course", path(&course), "--out", &out, "--format", "json"];
    let found = harness(&[args.as_slice(), &["--budget", "30", "--jobs", "1"]].concat());
    assert_eq!(smallest(&found.exits(0).json(), "wrong"), ("0 1\n", true));
}

/// Its limit of steps is more than a search waits for in any other program.
#[test]
fn an_endless_mutant_is_exposed_whatever_the_limit_of_steps_is() {
    if !has(&["g++"]) {
        return;
    }
    let endless = "#include <iostream>
int main() {
    int x;
    std::cin >> x;
    for (volatile int i = 1; i != 0; i = 1) {}
    std::cout << x << std::endl;
}
";
    let course = course("", &[("mutants/endless.cpp", endless.to_owned())], "");
    std::fs::write(course.path().join("sum.cpp"), endless.replace("i = 1)", "i = 0)")).unwrap();
    let shape = "input: [{ line: [{ x: 0 .. 9 }] }]\n";
    std::fs::write(course.path().join("lists.yaml"), shape).unwrap();
    set(&course, "python: [sum.py]", "cpp: [sum.cpp]");
    set(&course, "seconds: 1", "seconds: 1, steps: 600000000");
    assert_eq!(smallest(&generated(&course), "endless").0, "0\n");
}

/// It ends, but takes too long to wait for it on each case.
#[test]
fn a_mutant_that_did_not_run_to_the_end_on_every_case_is_not_called_equivalent() {
    if !has(&["python3"]) {
        return;
    }
    let right = program("sum(xs)", "False", "0");
    let slow = program("sum(xs)", "True", "20_000");
    let course = course(&right, &[("mutants/slow.py", slow)], "");
    set(&course, "seconds: 1", "seconds: 9, steps: 600000000");
    let out = course.path().join("found").display().to_string();
    let args = ["generate", "--course", path(&course), "--out", &out, "--budget", "8"];
    let found: Generated =
        harness(&[args.as_slice(), &["--format", "json"]].concat()).exits(0).json();
    assert_eq!((found.missed, found.unsettled), (vec!["slow".to_owned()], vec!["slow".to_owned()]));
    let text = harness(&args).exits(0).stdout;
    assert!(text.contains("\n  slow\n") && !text.contains("equivalent"), "{text}");
}

#[test]
fn tests_become_data_of_a_package_with_the_answers_of_the_reference() {
    if !has(&["python3"]) {
        return;
    }
    let right = program("sum(xs)", "False", "0");
    let wrong = program("xs[0]", "False", "0");
    let course = course(&right, &[("mutants/wrong.py", wrong)], "");
    let package = course.path().join("package");
    let out = package.display().to_string();
    let args = ["generate", "--course", path(&course), "--out", &out, "--as", "package"];
    let generate = || harness(&[args.as_slice(), &["--max-files", "1"]].concat());
    generate().exits(0);
    let read =
        |file: &str| std::fs::read_to_string(package.join("data/secret").join(file)).unwrap();
    let input = read("generated-01.in");
    let sum: u32 = input.split_whitespace().map(|number| number.parse::<u32>().unwrap()).sum();
    assert_eq!(read("generated-01.ans"), format!("{sum}\n"));
    // What is there is kept, also an answer without an input.
    std::fs::write(package.join("data/secret/generated-02.ans"), "mine").unwrap();
    for _ in 0..3 {
        generate().exits(0);
    }
    assert_eq!((read("generated-01.in"), read("generated-02.ans")), (input, "mine".to_owned()));
    assert!(package.join("data/secret/generated-05.ans").exists());
    let run = generate();
    assert_eq!(run.status, 2, "{}", run.stderr);
    assert!(run.stderr.contains("already has all of the 5 tests"), "{}", run.stderr);
}

#[test]
fn tests_with_options_are_no_data_of_a_package() {
    let args = ["generate", "--assignment", "puzzle", "--as", "package"];
    let run = harness(&args);
    assert_eq!(run.status, 2, "{}", run.stderr);
    assert!(run.stderr.contains("tests of `puzzle` are more than inputs"), "{}", run.stderr);
}

/// No small input shows that a buffer is too small.
#[test]
#[ignore = "it takes long; .ci/run runs it"]
fn a_bug_that_only_large_inputs_show_is_found() {
    if !has(&["python3"]) {
        return;
    }
    let program = |says: &str| format!("text = input()\nprint({says})\n");
    let wrong = program("len(text[:9999])");
    let course = course(&program("len(text)"), &[("mutants/buffer.py", wrong)], "");
    let words = "input:\n- line: [{ word: { text: a+ } }]\n";
    std::fs::write(course.path().join("lists.yaml"), words).unwrap();
    set(&course, "files: 5", "files: 5, bytes: 65536");
    let generated = generated(&course);
    let (input, _) = smallest(&generated, "buffer");
    assert!((10_000..=65_536).contains(&input.len()), "{}", input.len());
}

/// A process that confirms that a mutant does not end takes more time than is left, because the search for another one took it.
#[test]
#[ignore = "it takes long; .ci/run runs it"]
fn a_mutant_that_does_not_end_takes_no_time_to_confirm_the_others() {
    if !has(&["cc"]) {
        return;
    }
    let quick = |digit: usize| format!("    if (x == {digit} && BUG(\"is-{digit}\")) x = -1;\n");
    let bugs: String = (1..10).map(quick).collect();
    let right = format!(
        "#include \"subject.h\"
#include <stdio.h>
int main(void) {{
    int x, y;
    scanf(\"%d %d\", &x, &y);
    while (x == 0 && BUG(\"endless\")) {{}}
    if (y == 12345 * 54321 + 7 && BUG(\"rare\")) x = -2;
{bugs}    printf(\"%d\\n\", x);
    return 0;
}}
"
    );
    let ids = (1..10).map(|digit| format!("is-{digit}"));
    let ids: Vec<_> = ids.chain(["endless".to_owned(), "rare".to_owned()]).collect();
    let names: Vec<_> = ids.iter().map(|id| format!("mutants/{id}.yaml")).collect();
    let text = "summary: s\nkind: misreading\ntopic: a\nspec: s\nhint: h\npoints: 1\n";
    let files: Vec<_> = names.iter().map(|name| (name.as_str(), text.to_owned())).collect();
    let course = course("", &files, "");
    std::fs::write(course.path().join("sum.c"), right).unwrap();
    let shape = "input: [{ line: [{ x: 0 .. 9 }, { y: 0 .. 999999999 }] }]\n";
    std::fs::write(course.path().join("lists.yaml"), shape).unwrap();
    set(&course, "python: [sum.py]", "c: sum.c");
    set(&course, "files: 5", "files: 15");
    set(&course, "seconds: 1", "seconds: 9");
    let out = course.path().join("found").display().to_string();
    let args = ["generate", "--course", path(&course), "--out", &out, "--format", "json"];
    let found: Generated =
        harness(&[args.as_slice(), &["--budget", "12"]].concat()).exits(0).json();
    assert_eq!(found.unconfirmed, ["endless"], "{found:?}");
    assert_eq!(found.smallest.len(), 9, "{found:?}");
}
