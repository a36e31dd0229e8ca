//! `harness mutants propose`.

use super::course::Course;
use super::course::MAIN;
use super::language::{C, CPP, Language, PYTHON};
use super::run::{command, output};
use harness_author::candidates::Operator;
use harness_author::report::proposed::{Other, Proposal, Proposed};
use std::fs;
use std::os::unix::fs::PermissionsExt;

impl Course {
    #[track_caller]
    fn propose(&self, options: &[&str]) -> super::Run {
        self.mutants(&[&["propose"], options].concat())
    }

    /// Leaves the folder of the catalogue empty.
    fn remove_all_mutants(&self) {
        let folder = self.path("mutants/tally");
        fs::remove_dir_all(&folder).and_then(|()| fs::create_dir(&folder)).unwrap();
    }
}

#[test]
#[ignore = "it takes long; .ci/run runs it"]
fn the_first_mutant_of_a_course_can_be_a_proposal() {
    let course = Course::tally();
    course.harness(&["solution", "tally", "--out", &course.word("clean")]).exits(0);
    course.write(MAIN, course.read("clean/src/main.rs"));
    let manifest = "reference/tally/Cargo.toml";
    let is_kept = |line: &&str| !line.ends_with(" = []") || line.starts_with("select-at-run-time");
    let lines: Vec<_> = course.read(manifest).lines().filter(is_kept).map(str::to_owned).collect();
    course.write(manifest, lines.join("\n"));
    course.remove_all_mutants();
    let proposed: Proposed =
        course.propose(&["--cases", "100", "--format", "json"]).exits(0).json();
    assert!(proposed.proposals.len() > 3, "{proposed:?}");
    assert!(proposed.proposals.iter().all(|proposal| proposal.nearest.is_none()));
    course.propose(&["--accept", "1", "--id", "is-the-first"]).exits(0);
    let file = "mutants/tally/is-the-first.yaml";
    for key in ["summary", "topic", "spec", "hint"] {
        course.replace(file, &format!("\n{key}: \"\""), &format!("\n{key}: Some words."));
    }
    course.mutants(&["verify", "is-the-first"]).exits(0);
}

#[test]
#[ignore = "it takes long; .ci/run runs it"]
fn proposals_differ_from_the_reference_and_the_catalogue_and_the_rest_is_labelled() {
    let course = Course::tally();
    let source = course.read(MAIN);
    let proposed: Proposed = course.propose(&["--limit", "50", "--format", "json"]).exits(0).json();
    assert_eq!(proposed.schema, "harness-proposed/1");
    assert!(!proposed.out_of_time);
    assert_eq!(proposed.proposals.len(), proposed.found);
    let with = |after: &str| {
        let is_it = |line: &String| line.trim() == after;
        proposed.proposals.iter().find(|proposal| proposal.change.after.iter().any(is_it))
    };
    let blank = with("if false {").expect("the condition for blank lines can be removed");
    assert_eq!(blank.change.operator, Operator::RemovedCondition);
    assert_eq!((blank.witness.flags.as_str(), blank.witness.input.as_str()), ("s", "0\n\n"));
    assert!(blank.certified);
    assert_eq!(blank.difference.mutant_end, "exits with status 1");
    assert_eq!(blank.implied_by, Some(Other::Mutant("stops-at-a-blank-line".to_owned())));
    let equivalent: Vec<_> = proposed.equivalent.iter().flat_map(|it| &it.after).collect();
    // A test that the reference rejects exposes nothing, so its exit status does not matter.
    assert!(equivalent.iter().any(|line| line.trim() == "2"), "{equivalent:?}");
    let twins = proposed.twins.iter().flat_map(|twin| &twin.change.after);
    let twins: Vec<_> = twins.filter(|line| line.contains(r#"option != "-s" => true"#)).collect();
    assert_eq!(twins.len(), 1, "accepting every option but --max does the same as accepting any");
    assert_eq!(course.read(MAIN), source, "nothing changes without --accept");
    let again = course.propose(&["--limit", "50", "--format", "json"]).exits(0);
    assert_eq!(again.json::<Proposed>(), proposed);
}

#[test]
#[ignore = "it takes long; .ci/run runs it"]
fn an_accepted_proposal_is_a_mutant_that_verifies_once_it_is_described() {
    let course = Course::tally();
    let proposed: Proposed = course.propose(&["--format", "json"]).exits(0).json();
    let first = &proposed.proposals[0];
    course.propose(&["--accept", "1"]).exits(0);
    let last = proposed.proposals.last().expect("there are several").number.to_string();
    course.propose(&["--accept", &last, "--id", "does-something-else"]).exits(0);
    for id in [first.id.as_str(), "does-something-else"] {
        assert!(course.read(MAIN).contains(&format!("bug!(\"{id}\")")));
        let file = format!("mutants/tally/{id}.yaml");
        for key in ["summary", "spec", "hint"] {
            course.replace(&file, &format!("\n{key}: \"\""), &format!("\n{key}: Some words."));
        }
    }
    course.mutants(&["verify", &first.id, "does-something-else"]).exits(0);
    course.propose(&["--accept", "1"]).fails(
        2,
        "error: there is no proposal 1 any more\nhint: run `harness mutants propose` again\n",
    );
}

#[test]
#[ignore = "it takes long; .ci/run runs it"]
fn proposals_in_other_languages_become_mutants_that_verify() {
    [C, CPP, PYTHON].iter().for_each(proposals_become_mutants_that_verify);
}

fn proposals_become_mutants_that_verify(language: &Language) {
    let Some(course) = language.course() else { return };
    // It takes a tenth of this time, but not on a machine that does much else.
    let search = ["--limit", "20", "--cases", "100", "--budget", "200", "--format", "json"];
    let proposed: Proposed = course.propose(&search).exits(0).json();
    assert!(proposed.found > 3, "{}: {}", language.name, proposed.found);
    let operators: Vec<_> = proposed.proposals.iter().map(|it| it.change.operator).collect();
    assert!(operators.contains(&Operator::RemovedCondition), "{operators:?}");
    let source = course.read(&language.source());
    // What nearly every test exposes does not verify, and what is inside an accepted change is gone.
    let mut fair = proposed.proposals.iter().filter(|proposal| proposal.chance < 0.5);
    let first = fair.next().expect("there are several");
    let last = fair.rfind(|it| it.change.line != first.change.line).expect("there are several");
    course.propose(&["--accept", &first.number.to_string()]).exits(0);
    course.propose(&["--accept", &last.number.to_string(), "--id", "is-the-last"]).exits(0);
    assert_ne!(course.read(&language.source()), source);
    for id in [first.id.as_str(), "is-the-last"] {
        let file = format!("mutants/tally/{id}.yaml");
        for key in ["summary", "spec", "hint"] {
            course.replace(&file, &format!("\n{key}: \"\""), &format!("\n{key}: Some words."));
        }
    }
    course.mutants(&["verify", "--fast", &first.id, "is-the-last"]).exits(0);
}

#[test]
#[ignore = "it takes long; .ci/run runs it"]
fn the_first_mark_in_a_program_comes_with_what_defines_it() {
    let Some(course) = PYTHON.course() else { return };
    let (source, library) = (PYTHON.source(), "reference/tally/subject.py");
    let clean = course.harness(&["solution", "tally", "--out", &course.word("clean")]);
    clean.exits(0);
    let (clean, subject) = (course.read("clean/tally.py"), course.read(library));
    assert!(!clean.contains("subject"), "{clean}");
    course.write(&source, clean);
    course.remove_all_mutants();
    fs::remove_file(course.path(library)).unwrap();
    course.propose(&["--cases", "100"]).exits(0);
    assert!(!course.path(library).exists(), "nothing changes without --accept");
    let accepted = course.propose(&["--accept", "1", "--id", "is-the-first"]).exits(0);
    assert!(accepted.stdout.contains("subject.py, which defines its mark"), "{}", accepted.stdout);
    assert_eq!(course.read(library), subject);
    for key in ["summary", "topic", "spec", "hint"] {
        let file = "mutants/tally/is-the-first.yaml";
        course.replace(file, &format!("\n{key}: \"\""), &format!("\n{key}: Some words."));
    }
    course.mutants(&["verify", "--fast", "is-the-first"]).exits(0);
    course.write(
        library,
        "# Changed.\nfrom os import environ\nbug = environ.get(\"SUBJECT_MUTANT\").__eq__\n",
    );
    course.propose(&["--cases", "100"]).exits(0);
    course.propose(&["--accept", "1", "--id", "is-the-second"]).exits(0);
    assert!(course.read(library).starts_with("# Changed."), "what is there stays");
}

#[test]
fn a_proposal_is_only_accepted_if_there_is_one() {
    let course = Course::tally();
    course.propose(&["--accept", "1"]).fails(
        2,
        "error: nothing has been proposed for `tally` yet\nhint: run `harness mutants propose` first without `--accept`\n",
    );
}

#[test]
fn a_program_of_commands_has_no_candidates() {
    let course = Course::of_commands("echo", "cat", "sed s/{mutant}//").mutant("a", &[]);
    course.propose(&[]).fails(
        2,
        "error: the program of `echo` has no candidates\nhint: `mutants propose` reads references in Rust, C, C++ and Python\n",
    );
}

#[test]
#[ignore = "it takes long; .ci/run runs it"]
fn what_the_sanitizers_report_is_labelled_and_the_last() {
    let Some(course) = C.course() else { return };
    let options = ["--cases", "50", "--budget", "120", "--limit", "99", "--format", "json"];
    let proposed: Proposed = course.propose(&options).exits(0).json();
    let is_labelled: Vec<_> = proposed.proposals.iter().map(|it| it.undefined.is_some()).collect();
    assert_eq!(proposed.sanitizers.as_ref().map(|it| (it.ran, &it.reference)), Some((true, &None)));
    assert!(is_labelled.is_sorted() && is_labelled.contains(&false), "{is_labelled:?}");
    let after = |proposal: &Proposal| proposal.change.after.join("").trim().to_owned();
    let labelled = proposed.proposals.iter().filter(|it| it.undefined.is_some()).map(after);
    assert!(labelled.clone().any(|after| after == "char *end = strlen(line);"), "{proposed:?}");

    // Without sanitizers, the report says so.
    let refuses = "#!/bin/sh\ncase \"$*\" in *-fsanitize=address*) exit 1;; esac\nexec cc \"$@\"\n";
    course.write("cc-without", refuses);
    fs::set_permissions(course.path("cc-without"), fs::Permissions::from_mode(0o755)).unwrap();
    let mut command = command();
    command.args(["mutants", "propose", "--limit", "1", "--cases", "50", "--budget", "120"]);
    command.args(["--course", &course.word("")]).env("CC", course.path("cc-without"));
    let text = String::from_utf8(output(&mut command).stdout).unwrap();
    assert!(text.contains("\nNot checked for undefined behaviour"), "{text}");
}
