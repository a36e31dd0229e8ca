//! One file for one cause, whatever the answers look like.

use super::{built_of, found};
use crate::course::Course;
use crate::{Run, folder, harness, repository};
use harness::report::against::{Against, Outcomes, ProgramDifference};
use harness::run::build::{self, Variant};
use std::fs;
use std::os::unix::fs::PermissionsExt;
use std::path::Path;
use std::sync::{Mutex, PoisonError};
use tempfile::TempDir;

/// What `--against` finds about a program if the catalogue knows none of these mutants.
#[track_caller]
fn found_without(assignment: &str, unknown: &[&str], program: &Path) -> Against {
    found(&run_without(assignment, unknown, program))
}

#[track_caller]
fn run_without(assignment: &str, unknown: &[&str], program: &Path) -> Run {
    let course = Course::like(".", &repository().join("target"));
    let mutants = format!("mutants/{assignment}");
    course.copy(&repository().join(&mutants), &mutants);
    let theirs = format!("mutants: {}/./mutants/{assignment}", repository().display());
    course.replace("harness.yaml", &theirs, &format!("mutants: {mutants}"));
    for id in unknown {
        fs::remove_file(course.path(&format!("{mutants}/{id}.yaml"))).unwrap();
    }
    let args = ["generate", "--assignment", assignment, "--course", &course.word("")];
    let limits = ["--budget", "600", "--format", "json", "--unsafe-no-sandbox", "--out"];
    let (out, program) = (course.word("out"), program.to_str().unwrap());
    harness(&[&args[..], &limits, &[&out, "--against", program]].concat())
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
    // What earlier runs have learned of a program is known by its contents. These are new.
    let place = folder(&[]);
    let (program, mark) = (place.path().join("solver"), place.path().as_os_str());
    let mutant = fs::read(built_of("countess", Variant::Mutant(id))).unwrap();
    fs::write(&program, [&mutant, mark.as_encoded_bytes()].concat()).unwrap();
    fs::set_permissions(&program, fs::Permissions::from_mode(0o755)).unwrap();
    let run = run_without("countess", &[id], &program);
    let against = found(&run);
    assert_eq!(against.differences.len(), 1, "{against:?}");
    // The comment that is added to a test repairs it. That says nothing against the engine.
    let engines = run.generated().engines;
    assert!(engines.iter().all(|it| it.engine != "process"), "{engines:?}");
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
fn a_bug_whose_answers_look_different_is_one_deviation() {
    // There is no way, or another one, or less is discovered. Each smallest test turns into one of the others by one step.
    let id = "never-enters-the-last-column";
    let against = found_without("puzzle", &[id], &built_of("puzzle", Variant::Mutant(id)));
    let [difference] = against.differences.as_slice() else { panic!("{against:?}") };
    assert_eq!((difference.resembles.as_deref(), difference.size), (None, 2), "{difference:?}");
    assert_eq!(difference.shows_on, against.told_apart);
}

#[test]
#[ignore = "it takes long; .ci/run runs it"]
fn a_bug_beside_one_that_shows_nearly_always_has_a_test_of_its_own() {
    // Each step from a map with the rare bug leads to one with the other bug, which is no sign of a common cause.
    let (often, seldom) =
        ("leaves-out-colors-never-had", "draws-traps-as-floor-without-a-solution");
    let solver = with_bugs("puzzle", &[often, seldom]);
    let differences =
        found_without("puzzle", &[often, seldom], &solver.path().join("solver")).differences;
    let is_of_traps = |it: &ProgramDifference| {
        let Outcomes { input, reference, program, .. } = &it.outcomes;
        input.contains('^') && reference.stdout.contains('^') && !program.stdout.contains('^')
    };
    assert!(differences.iter().any(is_of_traps), "{differences:?}");
    assert!(differences.iter().any(|it| !is_of_traps(it)), "{differences:?}");
}

/// The reference with several bugs at once, as the only file of a folder.
fn with_bugs(assignment: &str, ids: &[&str]) -> TempDir {
    /// Programs of one assignment have one place in the target folder.
    static BUILD: Mutex<()> = Mutex::new(());
    let target = Path::new(env!("CARGO_TARGET_TMPDIR")).join("bugs");
    let manifest = repository().join("reference").join(assignment).join("Cargo.toml");
    let mut cargo = build::cargo();
    cargo.args(["build", "--quiet", "--release", "--bin", assignment, "--features"]);
    cargo.arg(ids.join(",")).arg("--manifest-path").arg(manifest).arg("--target-dir").arg(&target);
    let place = folder(&[]);
    let _alone = BUILD.lock().unwrap_or_else(PoisonError::into_inner);
    assert!(cargo.status().unwrap().success());
    fs::copy(target.join("release").join(assignment), place.path().join("solver")).unwrap();
    place
}

#[test]
#[ignore = "it takes long; .ci/run runs it"]
fn two_bugs_that_each_show_in_several_ways_are_two_deviations() {
    // By its answers alone, the program has six. A small change leads from each to the others that have its cause.
    let ids = ["rows-run-together", "start-line-swaps-row-and-column"];
    let against =
        found_without("countess", &ids, &with_bugs("countess", &ids).path().join("solver"));
    assert_eq!(against.differences.len(), 2, "{against:?}");
}
