//! `harness mutants mine --suites`, in what the course counts.

use super::course::Course;
use harness::course::ScoredBy;
use harness_author::report::mined::Mined;

#[test]
#[ignore = "it takes long; .ci/run runs it"]
fn suites_beside_programs_of_a_class_are_measured_in_what_the_course_counts() {
    let course = Course::tally_in("python");
    let source = course.word("reference/tally/tally.py");
    let suites = course.word("student_tests");
    let mine = || {
        let words = ["mine", &source, "--suites", &suites, "--format", "json"];
        course.mutants(&words).exits(0).json::<Mined>().suites.expect("there are suites")
    };
    let mutants = mine();
    course.count_behaviours();
    let behaviours = mine();
    assert_eq!((mutants.by, behaviours.by), (ScoredBy::Mutants, ScoredBy::Behaviours));
    assert_eq!((mutants.suites[0].mutants, behaviours.suites[0].mutants), (2, 1));
}
