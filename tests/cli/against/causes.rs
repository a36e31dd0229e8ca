//! One file for one cause, whatever the answers look like.

use super::{built_of, found};
use crate::course::Course;
use crate::{folder, harness, path, repository};
use harness::report::against::Against;
use harness::run::build::Variant;
use std::os::unix::fs::PermissionsExt;
use std::{fs, path::Path};

/// What `--against` finds about a program if the catalogue knows none of these mutants.
#[track_caller]
fn found_without(assignment: &str, unknown: &[&str], program: &Path) -> Against {
    let course = Course::like(".", &repository().join("target"));
    let mutants = format!("mutants/{assignment}");
    course.copy(&repository().join(&mutants), &mutants);
    let theirs = format!("mutants: {}/./mutants/{assignment}", repository().display());
    course.replace("harness.yaml", &theirs, &format!("mutants: {mutants}"));
    for id in unknown {
        fs::remove_file(course.path(&format!("{mutants}/{id}.yaml"))).unwrap();
    }
    let args = ["generate", "--assignment", assignment, "--course", &course.word("")];
    let limits = ["--budget", "240", "--format", "json", "--unsafe-no-sandbox", "--out"];
    let (out, program) = (course.word("out"), program.to_str().unwrap());
    found(&harness(&[&args[..], &limits, &[&out, "--against", program]].concat()))
}

#[test]
#[ignore = "it takes long; .ci/run runs it"]
fn a_comment_that_is_read_wrongly_is_one_deviation() {
    // Rooms, tiles, paths and counts are wrong after it. Without the comment, all is right.
    let id = "list-ends-at-a-later-comment";
    let against = found_without("countess", &[id], &built_of("countess", Variant::Mutant(id)));
    assert!(against.differing_cases > 100, "{against:?}");
    assert_eq!(against.differences.len(), 1, "{against:?}");
    assert_eq!(against.differences[0].all_flags, ["q", "ql", "qm", "s", "sl", "sm"]);
}

#[test]
#[ignore = "it takes long; .ci/run runs it"]
fn a_comment_that_must_be_there_is_one_deviation() {
    let id = "line-four-is-taken-for-a-comment";
    let against = found_without("countess", &[id], &built_of("countess", Variant::Mutant(id)));
    assert_eq!(against.differences.len(), 1, "{against:?}");
}

#[test]
#[ignore = "it takes long; .ci/run runs it"]
fn a_thing_that_is_drawn_wrongly_is_one_deviation() {
    // It is drawn over floor, over a path, and where no path is.
    let id = "draws-the-start-on-every-map";
    let against = found_without("puzzle", &[id], &built_of("puzzle", Variant::Mutant(id)));
    assert_eq!(against.differences.len(), 1, "{against:?}");
    assert_eq!(against.differences[0].resembles, None, "no other mutant prints the same");
}

#[test]
#[ignore = "it takes long; .ci/run runs it"]
fn two_bugs_in_reading_comments_are_two_deviations() {
    let (first, second) =
        ("capital-s-in-a-comment-moves-the-start", "list-ends-at-a-later-comment");
    let [one, other] =
        [first, second].map(|id| built_of("countess", Variant::Mutant(id)).display().to_string());
    let text = format!(
        "#!/bin/sh\ninput=$(cat; echo x)\ncase \"$input\" in *//*S*) program='{one}' ;; *) program='{other}' ;; esac\n\
         printf '%s' \"${{input%x}}\" | \"$program\" \"$@\"\n"
    );
    let place = folder(&[("solver", text.as_bytes())]);
    let solver = Path::new(path(&place)).join("solver");
    fs::set_permissions(&solver, PermissionsExt::from_mode(0o755)).unwrap();
    let against = found_without("countess", &[first, second], &solver);
    assert_eq!(against.differences.len(), 2, "{against:?}");
}
