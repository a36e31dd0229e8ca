//! The forms in which a test can be written: those that the documents promise, others, and other sizes.

use super::options::{SMALL, executable, found_of, reference};
use crate::repository;
use harness::course::{Assignment, Course};
use harness::domain::{Draft, Generator};
use proptest::test_runner::TestRunner;

fn course() -> Course {
    Course::read(repository()).unwrap_or_else(|failure| panic!("{:?}", failure.problems))
}

/// Random tests of an assignment, each written plainly.
fn plain_tests(assignment: &Assignment) -> (&dyn Generator, Vec<Draft>) {
    let generator = assignment.domain.generator().expect("it makes tests");
    let mut runner = TestRunner::deterministic();
    let tests = std::iter::repeat_with(|| generator.sample(&assignment.tests, &mut runner));
    (generator, tests.take(200).map(|draft| generator.plain(&draft)).collect())
}

#[test]
fn a_lenient_form_of_a_plain_test_is_the_same_test() {
    for assignment in &course().assignments {
        let (generator, tests) = plain_tests(assignment);
        for draft in tests {
            assert_eq!(generator.plain(&draft), draft, "a plain test stays as it is");
            for (form, lenient) in generator.lenient(&draft, &assignment.tests) {
                assert_eq!(generator.plain(&lenient), draft, "{}: {form}", assignment.id);
            }
        }
    }
}

#[test]
fn what_the_documents_promise_is_plain() {
    for (id, file) in [
        ("puzzle", "1 1 3\n// a +@? comment\n//\n@a?\n"),
        ("countess", "L\n1\n2\n//a\n(0,0,0,S)\n//b\n(0,1,1,C)\n\n\n"),
        ("sliding", "1  2\n1  1  1  1  h\n"),
    ] {
        let course = course();
        let assignment = course.assignment(id).unwrap_or_else(|_| panic!("there is {id}"));
        let generator = assignment.domain.generator().unwrap();
        let draft = Draft { flags: String::new(), input: file.as_bytes().to_vec() };
        assert_eq!(String::from_utf8(generator.plain(&draft).input).unwrap(), file);
    }
}

#[test]
fn what_the_documents_do_not_promise_is_not_plain() {
    for (id, flags, file) in [
        ("puzzle", "q", "0 1 2 \n@?\n"),
        ("puzzle", "q", "0 1 2\n@?\n\n"),
        ("puzzle", "q", "0 1 2\n@?"),
        ("countess", "q", "M\n1\n2\nSC\n.."),
        ("sliding", "", "1 2\n\n1 1 1 1 h\n"),
        ("maze-solver", "p-0-0-1-0", "7B\n"),
        ("maze-solver", "p-0-0-1-0", "7b\r\n"),
    ] {
        let course = course();
        let assignment = course.assignment(id).unwrap_or_else(|_| panic!("there is {id}"));
        let generator = assignment.domain.generator().unwrap();
        let draft = Draft { flags: flags.to_owned(), input: file.as_bytes().to_vec() };
        assert_ne!(generator.plain(&draft), draft, "{id}: {file:?}");
    }
}

#[test]
#[ignore = "it takes long; .ci/run runs it"]
fn forms_that_the_document_does_not_promise_come_last_and_are_not_written() {
    // A right program that rejects a blank line at the end.
    let (_place, program) = executable(&format!(
        "while IFS= read -r line; do [ -n \"$line\" ] || exit 1; done <\"$1\"\nexec '{}' \"$@\"",
        reference("maze-solver").display()
    ));
    let options = [&SMALL[..], &["--without", "f", "--budget", "90"]].concat();
    let (against, out) = found_of("maze-solver", &program, &options);
    assert_eq!(against.differing_cases, 0, "{against:?}");
    assert!(against.differences.is_empty() && !out.path().join("out").exists(), "{against:?}");
    let forms: Vec<_> = against.formatting.iter().map(|form| form.form.as_str()).collect();
    assert_eq!(forms, ["a blank line at the end"]);
    assert!(against.formatting[0].outcomes.input.ends_with("\n\n"), "{against:?}");
}

#[test]
#[ignore = "it takes long; .ci/run runs it"]
fn a_maze_in_another_size_is_still_a_maze() {
    let course = course();
    let assignment = course.assignment("maze-solver").unwrap_or_else(|_| panic!("there is one"));
    let (generator, tests) = plain_tests(assignment);
    for draft in tests {
        let larger = generator.resized(&draft, 300, 300).expect("it fits");
        assert_eq!((larger.flags.as_str(), generator.size(&larger.input)), (&*draft.flags, 90_000));
        let check = assignment.domain.check(&larger.input, &assignment.tests.limits);
        assert!(check.is_ok(), "{}", String::from_utf8_lossy(&draft.input));
        let is_larger = generator.size(&draft.input) > 1;
        assert_eq!(generator.resized(&draft, 1, 1).is_none(), is_larger);
    }
}

/// Sliding is left out: its document separates values by white space, and blank lines and line ends of any kind are white space.
#[test]
fn nothing_is_made_in_a_form_that_the_document_does_not_promise() {
    for assignment in course().assignments.iter().filter(|it| it.id != "sliding") {
        let (generator, plain) = plain_tests(assignment);
        let rules = &assignment.tests;
        let mut runner = TestRunner::deterministic();
        let mut made: Vec<_> = (0..200).map(|_| generator.sample(rules, &mut runner)).collect();
        for size in 1..=4 {
            for family in generator.families(size, rules) {
                made.extend((0..family.count.min(500)).filter_map(&family.make));
            }
        }
        let mut rng = fastrand::Rng::with_seed(0);
        for draft in &plain {
            for near in
                generator.lenient(draft, rules).iter().map(|(_, lenient)| lenient).chain([draft])
            {
                made.push(generator.neighbour(near, rules, &mut rng));
                made.push(generator.with_text_changed(near, rules, &mut rng));
            }
        }
        for draft in made {
            assert_eq!(generator.plain(&draft), draft, "{}", assignment.id);
            let text = String::from_utf8_lossy(&draft.input);
            assert!(!text.lines().next().unwrap_or_default().contains("  "), "{text:?}");
        }
    }
}
