//! `harness mutants survey`.

use super::{folder, harness};
use harness::course::Points;
use harness::report::surveyed::Surveyed;
use std::collections::BTreeSet;

fn survey(cases: &str, options: &[&str]) -> super::Run {
    let mut args = vec!["mutants", "survey", "--assignment", "puzzle", "--cases", cases];
    args.extend(options);
    harness(&args)
}

fn document(cases: &str, options: &[&str]) -> Surveyed {
    let run = survey(cases, &[options, &["--format", "json"]].concat()).exits(0);
    serde_json::from_str(&run.stdout).unwrap_or_else(|error| panic!("{error}\n{}", run.stdout))
}

#[test]
fn the_survey_measures_each_mutant_and_lists_the_hardest_first() {
    let survey = document("600", &[]);
    assert_eq!(survey.schema, "harness-survey/1");
    assert_eq!(survey.tests.values().sum::<usize>(), 600, "every sampled map is valid");
    let known = std::fs::read_dir(super::repository().join("mutants/puzzle")).unwrap().count();
    assert_eq!(survey.mutants.len(), known);
    assert!(survey.mutants.is_sorted_by(|a, b| a.chance <= b.chance));
    for mutant in &survey.mutants {
        assert!(
            Some(mutant.chance) <= mutant.reached,
            "{} is exposed where it is not reached",
            mutant.id
        );
        assert!((1..=3).contains(&mutant.suggested_points));
    }
    assert_eq!(survey.topics.iter().map(|topic| topic.mutants).sum::<usize>(), known);
    let not_implied: usize = survey.topics.iter().map(|topic| topic.not_implied).sum();
    assert_eq!(not_implied, survey.dominators.len());
    assert!(survey.topics.is_sorted_by_key(|topic| topic.not_implied));
    assert!(
        survey.unexposed.is_empty(),
        "each mutant's witness is among the cases: {:?}",
        survey.unexposed
    );
}

#[test]
fn a_mutant_has_a_chance_for_each_kind_of_random_test() {
    let args = ["mutants", "survey", "--assignment", "countess", "--cases", "140"];
    let run = harness(&[&args[..], &["--format", "json"]].concat()).exits(0);
    let survey: Surveyed = serde_json::from_str(&run.stdout).unwrap();
    let kinds = ["chained", "corridors", "crowded", "mazes", "open", "striped", "wide"];
    assert_eq!(survey.tests.keys().collect::<Vec<_>>(), kinds);
    assert!(survey.mutants.iter().all(|mutant| mutant.chances.keys().eq(kinds)));
}

#[test]
fn exposing_the_dominators_exposes_every_mutant() {
    let survey = document("600", &[]);
    let mut exposed: BTreeSet<&String> = survey.dominators.iter().flatten().collect();
    loop {
        let before = exposed.len();
        for implication in &survey.implications {
            if exposed.contains(&implication.exposed[0]) {
                exposed.extend(&implication.along);
            }
        }
        if exposed.len() == before {
            break;
        }
    }
    assert_eq!(exposed.len(), survey.mutants.len());
    // A map of one row and one column would have no room for both start and target.
    let implies = |a: &str, b: &str| {
        survey
            .implications
            .iter()
            .any(|implication| implication.exposed[0] == a && implication.along[0] == b)
    };
    assert!(implies("refuses-maps-of-one-row", "swaps-height-and-width"));
    assert!(!implies("swaps-height-and-width", "refuses-maps-of-one-row"));
}

#[test]
#[ignore = "it takes long; .ci/run runs it"]
fn the_same_seed_gives_the_same_bytes_whatever_the_jobs() {
    let one = survey("100", &["--jobs", "1"]).exits(0).stdout;
    assert_eq!(one, survey("100", &["--jobs", "3"]).exits(0).stdout);
    assert_ne!(one, survey("100", &["--seed", "1"]).exits(0).stdout);
    assert!(one.starts_with("puzzle: "), "{one}");
}

#[test]
fn the_graph_is_written_to_a_new_file() {
    let target = folder(&[("taken.dot", b"mine")]);
    let (new, taken) = (target.path().join("graph.dot"), target.path().join("taken.dot"));
    let survey_report = document("100", &["--dot", new.to_str().unwrap()]);
    let dot = std::fs::read_to_string(new).unwrap();
    assert!(dot.contains("digraph \"puzzle\" {") && dot.ends_with("}\n"));
    let nodes: Vec<_> = dot.lines().filter(|line| line.contains("label=")).collect();
    for mutant in &survey_report.mutants {
        let is_in = |node: &&&str| {
            let label = node.split("label=\"").nth(1).unwrap_or_default();
            label.split("\\n").any(|line| line.trim_end_matches("\"]") == mutant.id)
        };
        assert_eq!(nodes.iter().filter(is_in).count(), 1, "{}", mutant.id);
    }
    assert_eq!(dot.matches(" -> ").count(), survey_report.implications.len());
    survey("1", &["--dot", taken.to_str().unwrap()]).fails(
        2,
        "\
error: [..]/taken.dot already exists
hint: name a new file; existing files are never overwritten
",
    );
    assert_eq!(std::fs::read(taken).unwrap(), b"mine");
}

#[test]
fn a_course_without_a_generator_cannot_be_surveyed() {
    harness(&["mutants", "survey", "--course", "tests/courses/rogue"]).fails(
        2,
        "\
error: the domain `text` of `rogue` cannot make inputs
hint: describe the inputs in a shape, such as `inputs.yaml`, and set `domain: shape` and `input: inputs.yaml`: see docs/shapes.md
",
    );
}

#[test]
#[ignore = "it takes long; .ci/run runs it"]
fn thresholds_follow_from_the_suites_of_a_class() {
    let witness = |id: &str| {
        let shown = harness(&["mutants", "show", id, "--format", "json"]).exits(0);
        let shown: harness::report::catalogue::Shown = serde_json::from_str(&shown.stdout).unwrap();
        shown.mutant.witness.unwrap()
    };
    let (one, two) = (witness("traps-begin-active"), witness("doors-begin-open"));
    let name = |number: u8, flags: &str| format!("test-{number}-{flags}.txt");
    let class = folder(&[
        (&format!("weak/{}", name(1, &one.flags)), one.input.as_bytes()),
        (&format!("strong/{}", name(1, &one.flags)), one.input.as_bytes()),
        (&format!("strong/{}", name(2, &two.flags)), two.input.as_bytes()),
        ("invalid/test-1-q.txt", b"no map\n"),
    ]);
    let options = ["--suites", super::path(&class)];
    let suites = document("100", &options).suites.unwrap();
    let names: Vec<_> = suites.suites.iter().map(|suite| suite.name.as_str()).collect();
    assert_eq!(names, ["weak", "strong"], "a suite without a valid test does not count");
    let exposed: Vec<_> = suites.suites.iter().map(|suite| suite.exposed).collect();
    assert!(0 < exposed[0] && exposed[0] < exposed[1], "{exposed:?}");
    assert_eq!(
        [suites.start, suites.extra_submission, suites.full],
        [exposed[0].div_ceil(2), exposed[0], exposed[1]].map(|bugs| Points::whole(bugs as u64))
    );
    let text = survey("100", &options).exits(0).stdout;
    assert!(
        text.contains(&format!("\n  full: {:<3}               the 90th percentile\n", exposed[1])),
        "{text}"
    );

    let none = folder(&[("invalid/test-1-q.txt", b"no map\n")]);
    survey("100", &["--suites", super::path(&none)]).fails(2, "error: no suite in [..]\n...\n");
}
