//! A course without builds: the reference prints a test's letters, and each mutant drops one letter.

use super::course::Course;

const PROGRAM: &str = r#"input=$(cat)
case $input in
*!*)
    before=${input%%!*}
    echo "line 1, column $((${#before} + 1)): '!' is no letter" >&2
    echo "hint: leave it out" >&2
    exit 1;;
esac
printf %s "$input" | tr -d "${1#drops-}"
"#;

/// The ids of the mutants, in order.
pub(crate) const MUTANTS: [&str; 5] = ["drops-a", "drops-b", "drops-c", "drops-d", "drops-e"];

/// What each mutant's hint asks for.
const PLACES: [&str; 5] = ["first", "second", "third", "fourth", "fifth"];

/// The course with this value of `feedback:`.
pub(crate) fn letters(feedback: &str) -> Course {
    let course = Course::of_commands("letters", "sh letters.sh drops-0", "sh letters.sh {mutant}")
        .with("tests", "{ files: 15, flags: [{ group: form, letters: { l: { }, m: { } } }] }")
        .with("scoring", "{ start: 1, full: 5, points: 5 }")
        .with("feedback", feedback)
        .file("letters.sh", PROGRAM);
    MUTANTS.iter().zip(PLACES).zip(["1", "1", "2", "2", "3"]).fold(
        course,
        |course, ((id, place), points)| {
            let summary = format!("Loses the letter {}.", id.trim_start_matches("drops-"));
            let hint = format!("Which letter comes {place}?");
            course.mutant(id, &[("summary", &summary), ("hint", &hint), ("points", points)])
        },
    )
}
