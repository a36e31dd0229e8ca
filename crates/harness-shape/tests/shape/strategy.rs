//! A shape as a strategy: property tests draw its inputs, and shrink those that fail.

use harness_shape::random::Random;
use harness_shape::{Inputs, Options, Sample, inputs, parse};
use proptest::prelude::*;
use proptest::strategy::ValueTree;
use proptest::test_runner::{RngAlgorithm, TestError, TestRng, TestRunner};
use std::fs;
use std::path::Path;

fn shape(text: &str) -> Inputs {
    Inputs::new(parse(Path::new("shape.yaml"), text.as_bytes()).unwrap())
}

fn runner(seed: u8) -> TestRunner {
    let config = ProptestConfig { cases: 20_000, failure_persistence: None, ..Default::default() };
    TestRunner::new_with_rng(config, TestRng::from_seed(RngAlgorithm::ChaCha, &[seed; 32]))
}

/// What the first input with this property shrinks to, for several seeds.
fn smallest(inputs: &Inputs, is_wanted: impl Fn(&Sample) -> bool) -> Vec<Sample> {
    let smallest = |seed| {
        let found = runner(seed).run(inputs, |input| {
            prop_assert!(!is_wanted(&input));
            Ok(())
        });
        match found {
            Err(TestError::Fail(_, input)) => input,
            other => panic!("{other:?}"),
        }
    };
    (0..5).map(smallest).collect()
}

#[track_caller]
fn all_are(inputs: &[Sample], expected: &str, parameters: &[i64]) {
    for input in inputs {
        assert_eq!((&*input.text(), input.parameters.as_slice()), (expected, parameters));
    }
}

#[test]
fn numbers_shrink_to_the_smallest_that_fail() {
    let sums = "- line: [{ n: 1 .. 100 }]\n- line: [{ x: { list: -1000 .. 1000, count: n } }]\n";
    let found = smallest(&shape(sums), |input| {
        let text = input.text();
        let numbers: Vec<i64> =
            text.split_whitespace().skip(1).map(|word| word.parse().unwrap()).collect();
        numbers.windows(2).any(|pair| pair[0] > 20 && pair[1] < -10)
    });
    all_are(&found, "2\n21 -11\n", &[]);
}

#[test]
fn what_no_property_needs_becomes_the_simplest() {
    let sums = "- line: [{ n: 1 .. 5 }]\n- lines: n\n  line: [{ x: -9 .. 9 }]\n";
    let found =
        smallest(&shape(sums), |input| input.text().lines().nth(5).is_some_and(|x| x != "0"));
    all_are(&found, "5\n0\n0\n0\n0\n1\n", &[]);
}

#[test]
fn a_map_shrinks_to_the_cells_that_fail() {
    let found = smallest(&inputs("docs/shapes/puzzle.yaml"), |map| {
        map.text().lines().any(|row| row.contains("c#"))
    });
    // A map has a start and a target, and the third colour needs two others.
    for map in found {
        let text = map.text();
        let (header, rows) = text.split_once('\n').unwrap();
        assert!(["3 2 2", "3 1 4"].contains(&header), "{map:?}");
        assert!(rows.contains("c#") && rows.contains('@') && rows.contains('?'), "{map:?}");
    }
}

#[test]
fn numbers_in_the_name_of_a_test_shrink_with_its_input() {
    let maze = "input:
  - grid: maze
    rows: { rows: 1 .. 9 }
    columns: { columns: 1 .. 9 }
    cells: \".#\"
parameters: [{ x: 0 .. columns - 1 }, { y: 0 .. rows - 1 }]
";
    let found = smallest(&shape(maze), |input| input.parameters[0] > 1);
    all_are(&found, "...\n", &[2, 0]);
}

#[test]
fn a_seed_gives_the_same_inputs_which_are_valid() {
    for file in ["puzzle", "countess", "maze-solver", "maze-generator", "sliding"] {
        let file = format!("docs/shapes/{file}.yaml");
        let drawn = |seed| {
            let (inputs, mut runner) = (inputs(&file), runner(seed));
            (0..20).map(|_| inputs.new_tree(&mut runner).unwrap().current()).collect::<Vec<_>>()
        };
        let all = drawn(1);
        assert!(all == drawn(1) && all != drawn(2));
        let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("../..").join(&file);
        let shape = parse(&path, &fs::read(&path).unwrap()).unwrap();
        for input in all {
            let options = Options { parameters: input.parameters.clone(), ..Options::default() };
            assert_eq!(shape.check(&input.bytes, &options), Ok(()), "{input:?}");
        }
    }
}

#[test]
fn a_tree_that_gives_up_has_the_last_input_that_fails() {
    let lines = shape("- lines: 0 .. 9\n  line: [{ x: 0 .. 9 }]\n");
    let mut random = Random::new(1, 9);
    let mut tree = lines.tree(&mut random).unwrap();
    let whole = tree.current();
    assert!(whole.bytes.len() > 2 && tree.simplify());
    while tree.complicate() {}
    assert_eq!(tree.current(), whole);
    assert!(!tree.complicate());
}

#[test]
fn numbers_have_at_most_what_a_test_wants() {
    let maps = inputs("docs/shapes/puzzle.yaml").at_most("rows", 2).at_most("columns", 3);
    let mut runner = runner(1);
    for _ in 0..200 {
        let map = maps.new_tree(&mut runner).unwrap().current();
        let numbers: Vec<_> =
            map.text().lines().next().unwrap().split(' ').map(str::to_owned).collect();
        assert!(numbers[1].parse::<u8>().unwrap() <= 2 && numbers[2].parse::<u8>().unwrap() <= 3);
    }
}

#[test]
#[should_panic(
    expected = "the shape has no number `row`, only [\"colors\", \"rows\", \"columns\"]"
)]
fn a_number_that_the_shape_lacks_is_named() {
    let _ = inputs("docs/shapes/puzzle.yaml").at_most("row", 2);
}

#[test]
fn what_is_wrong_with_a_file_is_told_with_its_place() {
    let file = Path::new(env!("CARGO_TARGET_TMPDIR")).join("wrong.yaml");
    fs::write(&file, "input:\n  - line: [{ n: 1 .. m }]\n").unwrap();
    let told = |file: &Path| {
        let panic = std::panic::catch_unwind(|| inputs(file)).unwrap_err();
        panic.downcast_ref::<String>().unwrap().clone()
    };
    let message = told(&file);
    let expected = format!("{}:2:22: there is no field `m` before this", file.display());
    assert!(message.starts_with(&expected), "{message}");
    assert!(told(Path::new("no/such.yaml")).starts_with("cannot read no/such.yaml: "));
}

#[test]
fn a_shape_without_inputs_aborts_the_test() {
    let empty = shape("- line: [{ n: 1 .. 9 }, { x: 10 .. n }]\n");
    let reason = empty.new_tree(&mut runner(1)).err().unwrap();
    assert!(
        reason.message().starts_with("the shape makes no input: `x`: there is no number"),
        "{reason}"
    );
}

#[test]
fn an_input_is_shown_as_text() {
    let input = Sample { bytes: b"1 2\n".to_vec(), parameters: vec![3, 4] };
    assert_eq!(format!("{input:?}"), r#""1 2\n" [3, 4]"#);
}

#[test]
fn pairs_that_may_be_the_edges_of_a_tree_mostly_are() {
    let is_tree = |input: &Sample| {
        let text = input.text().into_owned();
        let numbers: Vec<usize> =
            text.split_whitespace().map(|word| word.parse().unwrap()).collect();
        let mut parts: Vec<_> = (0..=numbers[0]).collect();
        for edge in numbers[1..].chunks(2) {
            let [from, to] = [edge[0], edge[1]].map(|node| parts[node]);
            parts.iter_mut().filter(|part| **part == from).for_each(|part| *part = to);
        }
        parts[1..].iter().all(|part| *part == parts[1])
    };
    let ctd = b"INT(1,500,n) NEWLINE REP(n-1) INT(1,n) SPACE INT(1,n) NEWLINE END EOF";
    let ctd = Inputs::new(parse(Path::new("shape.ctd"), ctd).unwrap());
    let yaml =
        "- line: [{ n: 1 .. 500 }]\n- lines: n - 1\n  line: [{ a: 1 .. n }, { b: 1 .. n }]\n";
    for inputs in [ctd, shape(yaml)] {
        let drawn = (0..400).map(|seed| inputs.tree(&mut Random::new(seed, 20)).unwrap().current());
        let large: Vec<_> = drawn.filter(|it| it.text().lines().count() > 8).collect();
        let trees = large.iter().filter(|it| is_tree(it)).count();
        assert!(trees > large.len() / 2, "{trees} of {}", large.len());
    }
}
