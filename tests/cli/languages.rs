//! Courses in C, C++ and Python: new ones, bugs in the source, and programs of their own. `harness solution` for them is in
//! `solutions_by_language.rs`.

use super::course::Course;
use super::language::{C, CPP, Language, PYTHON};
use harness::report::catalogue::{Listed, Shown};

/// A catalogue file without a witness's expected output.
const DESCRIBED: &str = "\
summary: Doubles the sum.
kind: implementation
topic: sum
spec: the sum of the numbers
hint: Add two numbers.
points: 1
witness: { flags: s, input: \"7\\n\" }
";

const SCORE: &str = "\
Tally: one suite

Valid: 3 tests
  test-1-m.txt  tally --max  exposes nothing
  test-2-m.txt  tally --max  exposes  1: skips-the-first-number
  test-3-s.txt  tally --sum  exposes  1: stops-at-a-blank-line

Exposed: 2 mutants
  skips-the-first-number  by test-2-m.txt (output)
  stops-at-a-blank-line   by test-3-s.txt (output)

Missed: 1 mutant
  max-starts-at-zero      Searches for the largest number starting from 0, so that negative numbers alone give 0.

Score: 6.67 of 10 points
  mutants that exist                3
  mutants exposed                   2
  needed to start earning points    1  reached
  needed for full points            3  1 more
";

fn a_new_course_works(language: &Language) {
    let Some(course) = language.course() else { return };
    assert_eq!(course.score("student_tests", &[]).exits(0).stdout.trim_end(), SCORE.trim_end());

    let test = course.word("student_tests/tally/test-2-m.txt");
    let explained = course.harness(&["explain", &test]).exits(0).stdout;
    let (line, number, _) =
        Language::place(&course, &language.source(), &language.bug("skips-the-first-number"));
    let expected = format!(
        "\
test-2-m.txt: tally --max

    7
    1

It exposes 1 mutant.

skips-the-first-number: exposed (output)
  bug:    Ignores the first of several numbers when it searches for the largest.
  spec:   the largest of the numbers
  source: COURSE/{}:{number}  {}

    reference   mutant
    7         | 1
    ^           ^

Not reached: max-starts-at-zero, stops-at-a-blank-line
",
        language.source(),
        line.trim()
    );
    assert_eq!(explained, expected);

    let verified = course.mutants(&["verify"]).exits(0).stdout;
    assert!(verified.starts_with("tally: 3 mutants verified, "), "{verified}");
}

#[test]
#[ignore = "it takes long; .ci/run runs it"]
fn a_new_course_in_c_scores_explains_and_verifies_at_once() {
    a_new_course_works(&C);
}

#[test]
#[ignore = "it takes long; .ci/run runs it"]
fn a_new_course_in_cpp_scores_explains_and_verifies_at_once() {
    a_new_course_works(&CPP);
}

#[test]
#[ignore = "it takes long; .ci/run runs it"]
fn a_new_course_in_python_scores_explains_and_verifies_at_once() {
    a_new_course_works(&PYTHON);
}

#[test]
fn init_overwrites_no_course_in_any_language() {
    for language in ["rust", "c", "cpp", "python"] {
        let course = Course::tally_in(language);
        course.write("README.md", "mine");
        super::harness(&["init", "--language", language, &course.word("")]).fails(
            2,
            "\
error: [..] already exists and is not an empty folder
hint: name a new folder; existing files are never overwritten
",
        );
        assert_eq!(course.read("README.md"), "mine");
    }
}

#[test]
fn a_misspelled_bug_is_shown_with_its_place_in_each_language() {
    for language in [C, CPP, PYTHON] {
        let (course, source) = (Course::tally_in(language.name), language.source());
        course.replace(&source, "stops-at-a-blank-line", "stops-at-a-blank-lime");
        let bug = language.bug("stops-at-a-blank-lime");
        let (line, number, column) = Language::place(&course, &source, &bug);
        let right = language.bug("stops-at-a-blank-line");
        course.mutants(&["verify"]).fails(
            4,
            &format!(
                "\
error: there is no `{right}` in the source
 --> COURSE/mutants/tally/stops-at-a-blank-line.yaml:1
  |
1 | summary: Stops reading at a blank line.
hint: add it where the bug takes effect, or write the whole program COURSE/mutants/tally/stops-at-a-blank-line.{ending}
error: there is no mutant `stops-at-a-blank-lime` in the catalogue
  --> COURSE/{source}:{number}:{column}
   |
{number} | {line}
   | {caret:>column$}
hint: did you mean `stops-at-a-blank-line`?
",
                ending = language.ending,
                caret = '^'
            ),
        );
    }
}

#[test]
fn a_bug_without_a_literal_id_is_shown_with_its_place_in_each_language() {
    for language in [C, CPP, PYTHON] {
        let (course, source) = (Course::tally_in(language.name), language.source());
        let (bug, variable) =
            (language.bug("stops-at-a-blank-line"), format!("{}(id)", language.mark));
        course.replace(&source, &bug, &variable);
        let (line, number, column) = Language::place(&course, &source, &variable);
        let mark = language.mark;
        course.score("student_tests", &[]).fails(
            4,
            &format!(
                "\
error: the argument of this `{mark}` is not one string literal
  --> COURSE/{source}:{number}:{column}
   |
{number} | {line}
   | {caret:>column$}
hint: write the id of a mutant, as in `{bug}`
",
                caret = '^'
            ),
        );
    }
}

/// Runs the commands of `harness` in numbered steps, as a user would copy them.
#[track_caller]
fn follow(course: &Course, steps: &str) -> usize {
    let commands = steps.lines().filter_map(|line| {
        let (number, command) = line.split_once(". ")?;
        number.parse::<u8>().ok()?;
        command.strip_prefix("harness ")?.split_once(" --course ").map(|(command, _)| command)
    });
    let mut count = 0;
    for command in commands {
        course.harness(&command.split(' ').collect::<Vec<_>>()).exits(0);
        count += 1;
    }
    count
}

fn a_mutant_is_added_by_following_the_steps(language: &Language, options: &[&str]) {
    let Some(course) = language.course() else { return };
    let id = "doubles-the-sum";
    let new = course.mutants(&[&["new", "tally", id], options].concat()).exits(0).stdout;
    let (source, bug) = if options.is_empty() {
        (language.source(), language.bug(id))
    } else {
        let truth = if language.ending == "py" { "True" } else { "1" };
        (format!("mutants/tally/{id}.{}", language.ending), truth.to_owned())
    };
    let place = if options.is_empty() { format!("write `{bug}` where") } else { source.clone() };
    assert!(new.contains(&place), "{new}");
    course.replace(&source, language.line[0], &language.line[1].replace("{mark}", &bug));
    course.write(&format!("mutants/tally/{id}.yaml"), DESCRIBED);
    assert_eq!(follow(&course, &new), 2, "{new}");
    assert!(course.read(&format!("mutants/tally/{id}.yaml")).contains("expected"));
}

#[test]
#[ignore = "it takes long; .ci/run runs it"]
fn a_mutant_in_c_is_added_by_following_the_printed_steps() {
    a_mutant_is_added_by_following_the_steps(&C, &[]);
    a_mutant_is_added_by_following_the_steps(&C, &["--program"]);
}

#[test]
#[ignore = "it takes long; .ci/run runs it"]
fn a_mutant_in_cpp_is_added_by_following_the_printed_steps() {
    a_mutant_is_added_by_following_the_steps(&CPP, &[]);
    a_mutant_is_added_by_following_the_steps(&CPP, &["--program"]);
}

#[test]
#[ignore = "it takes long; .ci/run runs it"]
fn a_mutant_in_python_is_added_by_following_the_printed_steps() {
    a_mutant_is_added_by_following_the_steps(&PYTHON, &[]);
    a_mutant_is_added_by_following_the_steps(&PYTHON, &["--program"]);
}

/// A course in which the mutants of these names are whole programs: copies of the reference that double the sum.
fn with_programs(language: &Language, course: &Course, paths: &[&str]) {
    course.mutants(&["new", "tally", "copy", "--program"]).exits(0);
    let copy = format!("mutants/tally/copy.{}", language.ending);
    let truth = if language.ending == "py" { "True" } else { "1" };
    course.replace(&copy, language.line[0], &language.line[1].replace("{mark}", truth));
    let program = course.read(&copy);
    for path in paths {
        course.write(&format!("mutants/tally/{path}.{}", language.ending), &program);
    }
    std::fs::remove_file(course.path(&copy)).unwrap();
    std::fs::remove_file(course.path("mutants/tally/copy.yaml")).unwrap();
}

fn whole_programs_are_mutants(language: &Language) {
    let Some(course) = language.course() else { return };
    with_programs(
        language,
        &course,
        &["doubles-the-sum", "sums-in-a-folder/tally", "is-described"],
    );
    course.write("mutants/tally/is-described.yaml", DESCRIBED);

    let listed: Listed = course.mutants(&["list", "--format", "json"]).exits(0).json();
    let summary = |id: &str| {
        let mutant = listed.mutants.iter().find(|mutant| mutant.id == id);
        mutant.unwrap_or_else(|| panic!("`{id}` is not listed")).summary.clone()
    };
    assert_eq!(listed.mutants.len(), 6);
    assert_eq!(summary("doubles-the-sum"), "Doubles the sum.");
    assert_eq!(summary("sums-in-a-folder"), "Sums in a folder.");
    let shown: Shown =
        course.mutants(&["show", "sums-in-a-folder", "--format", "json"]).exits(0).json();
    let places: Vec<_> = shown.sites.iter().map(|site| site.file.clone()).collect();
    assert!(
        matches!(places.as_slice(), [file] if file.ends_with(&format!("/sums-in-a-folder/tally.{}", language.ending))),
        "{places:?}"
    );

    // Only a mutant with a witness counts.
    let score = course.score("student_tests", &["--format", "json"]);
    assert!(score.stderr.contains("2 mutants of `tally` do not count"), "{}", score.stderr);
    let report = score.report();
    let exposed: Vec<_> = report.assignments[0].suites[0].exposed_by.keys().cloned().collect();
    assert_eq!(exposed, ["is-described", "skips-the-first-number", "stops-at-a-blank-line"]);

    let test = course.word("student_tests/tally/test-3-s.txt");
    let explained = course.harness(&["explain", &test, "sums-in-a-folder"]).exits(0).stdout;
    let source =
        format!("source: COURSE/mutants/tally/sums-in-a-folder/tally.{}:1\n", language.ending);
    assert!(explained.contains(&source) && explained.contains("3         | 6\n"), "{explained}");
}

#[test]
#[ignore = "it takes long; .ci/run runs it"]
fn a_source_or_a_folder_in_c_is_a_mutant_with_and_without_a_catalogue_file() {
    whole_programs_are_mutants(&C);
}

#[test]
#[ignore = "it takes long; .ci/run runs it"]
fn a_source_or_a_folder_in_cpp_is_a_mutant_with_and_without_a_catalogue_file() {
    whole_programs_are_mutants(&CPP);
}

#[test]
#[ignore = "it takes long; .ci/run runs it"]
fn a_source_or_a_folder_in_python_is_a_mutant_with_and_without_a_catalogue_file() {
    whole_programs_are_mutants(&PYTHON);
}

#[test]
fn a_folder_without_the_program_and_a_second_program_are_problems() {
    let course = Course::tally_in("python");
    let program = course.read("reference/tally/tally.py");
    course.write("mutants/tally/has-no-start/other.py", &program);
    course.write("mutants/tally/is-twice.py", &program);
    course.write("mutants/tally/is-twice/tally.py", &program);
    course.write("mutants/tally/notes.txt", "mine");
    course.mutants(&["list"]).fails(
        4,
        "\
error: the program of the mutant `has-no-start` has no tally.py in COURSE/mutants/tally/has-no-start
hint: give the file that starts the program the name of the reference's
error: the mutant `is-twice` has two programs: COURSE/mutants/tally/is-twice and COURSE/mutants/tally/is-twice.py
hint: remove one of them, or give it another id
error: the file COURSE/mutants/tally/notes.txt belongs to no mutant
hint: a catalogue contains <id>.yaml, <id>.py, <id>.py3 or a folder <id>; move other files elsewhere
",
    );
}
