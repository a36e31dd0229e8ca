//! What choices give: inputs can be turned into choices, listed, shrunk and changed.

use fastrand::Rng;
use harness_shape::choice::{Choose, Role, Simplest};
use harness_shape::random::Random;
use harness_shape::{Inputs, Most, Options, Shape, ctd, yaml};
use proptest::strategy::ValueTree;
use std::collections::HashSet;
use std::fs;
use std::path::Path;
use std::sync::Arc;

fn text(bytes: &[u8]) -> String {
    String::from_utf8_lossy(bytes).into_owned()
}

fn ctd(script: &str) -> Shape {
    ctd::parse(script.as_bytes()).unwrap()
}

/// The scripts of the conformance files that make data.
fn scripts() -> Vec<(String, Arc<Shape>)> {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/ctd");
    let mut scripts = Vec::new();
    for entry in fs::read_dir(folder).unwrap() {
        let path = entry.unwrap().path();
        let name = path.file_name().unwrap().to_str().unwrap().to_owned();
        let source = fs::read(&path).unwrap();
        let is_script = name.starts_with("test_") && name.ends_with("_prog.in");
        // Its data has tens of thousands of numbers.
        if is_script
            && name != "test_08_prog.in"
            && !text(&source).contains("IGNORE GENERATE TESTING")
        {
            scripts.push((name, Arc::new(ctd::parse(&source).unwrap())));
        }
    }
    scripts.sort_by(|a, b| a.0.cmp(&b.0));
    scripts
}

#[test]
fn an_input_that_was_made_is_read_as_choices_that_make_it_again() {
    let options = Options::default();
    let (mut same, mut all, mut differing) = (0, 0, Vec::new());
    for (name, shape) in scripts() {
        let inputs = Inputs::new(shape.clone());
        for seed in 0..20 {
            let input = inputs.tree(&mut Random::new(seed, 3)).unwrap().current();
            let choices = shape.choices(&input.bytes, &options).unwrap();
            let again = shape.make(&choices, &mut Simplest, Most::ANY, &options);
            all += 1;
            let is_same = again.is_ok_and(|again| again.bytes == input.bytes);
            same += usize::from(is_same);
            differing.extend((!is_same).then(|| (name.clone(), text(&input.bytes))));
        }
    }
    // A number can be written in several ways, and a few expressions are too ambiguous to be read back.
    assert!(same * 100 >= all * 97, "{same} of {all}: {differing:?}");
}

#[test]
fn what_is_smaller_or_near_is_valid() {
    let options = Options::default();
    for (name, shape) in scripts() {
        let (inputs, mut random) = (Inputs::new(shape.clone()), Random::new(7, 3));
        for _ in 0..3 {
            let input = inputs.tree(&mut random).unwrap().current();
            let choices = shape.choices(&input.bytes, &options).unwrap();
            for smaller in shape.smaller(&choices, &options) {
                assert!(shape.check(&smaller.bytes, &options).is_ok(), "{name}");
            }
            for _ in 0..10 {
                let Ok(near) = shape.neighbour(&choices, &mut random, &options) else {
                    continue;
                };
                assert!(shape.check(&near.bytes, &options).is_ok(), "{name}");
            }
        }
    }
}

#[test]
fn every_small_input_is_listed_once_and_in_order() {
    let shape = ctd("INT(1,9,n) NEWLINE REP(n, SPACE) REGEX(\"[ab]\") END NEWLINE");
    let options = Options::default();
    let inputs = |size| {
        let listed = shape.list(size, 1000, &options);
        assert!(listed.is_whole);
        listed.inputs.iter().map(|input| text(&input.bytes)).collect::<Vec<_>>()
    };
    assert_eq!(inputs(1), ["1\na\n", "1\nb\n"]);
    assert_eq!(inputs(2), ["2\na a\n", "2\na b\n", "2\nb a\n", "2\nb b\n"]);
    let all = inputs(5);
    assert_eq!(all.iter().collect::<HashSet<_>>().len(), 32);
    assert!(!shape.list(9, 10, &options).is_whole);
}

#[test]
fn a_list_says_that_it_leaves_out_graphs_with_more_nodes() {
    let leaves_nothing_out = |source: &str| {
        let shape = yaml::parse(source.as_bytes()).unwrap();
        shape.list(2, 100_000, &Options::default()).leaves_nothing_out
    };
    let graph = |nodes| {
        format!("input:\n- line: [{{ n: {nodes} }}, {{ m: 1 .. 9 }}]\n- graph: n\n  edges: m\n")
    };
    assert!(leaves_nothing_out(&graph("2 .. 4")));
    assert!(!leaves_nothing_out(&graph("2 .. 9")), "four nodes have few edges, but so do nine");
    assert!(leaves_nothing_out("input:\n- line: [{ n: 2 .. 9 }]\n- tree: n\n"));
}

#[test]
fn a_mistaken_input_is_not_valid_and_its_mistake_is_told() {
    let shape = ctd("INT(1,9,n) NEWLINE REP(n, SPACE) INT(1,n) END NEWLINE EOF");
    let options = Options::default();
    let mut told = HashSet::new();
    for seed in 0..200 {
        let (input, mistake) = shape.draw_mistaken(&mut Random::new(seed, 3), &options).unwrap();
        assert!(shape.check(&input, &options).is_err(), "{}", text(&input));
        told.insert(mistake.what);
    }
    assert!(told.contains("10 instead of a whole number from 1 to 9"), "{told:?}");
    assert!(told.contains("two spaces instead of a space"), "{told:?}");
    assert!(told.contains("another line instead of the end of the input"), "{told:?}");
}

#[test]
fn random_sizes_are_small_and_numbers_also_take_their_ends() {
    let mut random = Random::new(1, 5);
    assert!((0..1000).all(|_| random.choose(u64::MAX, Role::Size) <= 5));
    // Few inputs have large numbers, but those have several.
    let is_last = |seed| Random::new(seed, 5).choose(1 << 40, Role::Number) == (1 << 40) - 1;
    assert!((1..100).contains(&(0..1000).filter(|&seed| is_last(seed)).count()));
}

#[test]
fn a_large_input_is_drawn_although_a_test_of_what_was_counted_seldom_holds() {
    // One cell is marked in the first row that has any, and in the last one.
    let shape = Arc::new(ctd("INT(2,25,h) SPACE INT(1,25,w) NEWLINE
SET(first = 0, last = 0)
REP(h)
  SET(count = 0)
  REP(w) REGEX(\"[.1-9]\", cell) IF(cell != \".\") SET(count = count + 1) END END
  NEWLINE
  IF(count > 0)
    IF(first == 0) SET(first = count) END
    SET(last = count)
  END
END
ASSERT(first == 1) ASSERT(last == 1)
"));
    let inputs = Inputs::new(shape);
    let (mut large, mut sparse) = (0, 0);
    for seed in 0..500 {
        let input = inputs.tree(&mut Random::new(seed, 3).large(2000)).unwrap().current();
        let free = input.bytes.iter().filter(|&&byte| byte == b'.').count();
        large += usize::from(input.bytes.len() > 300);
        sparse += usize::from(input.bytes.len() > 100 && free * 2 > input.bytes.len());
    }
    assert!(large > 9 && sparse > 7, "{large} are large, and {sparse} have few marks");
}

#[test]
fn an_input_with_changed_text_is_valid_and_differs_in_little() {
    let shape = harness_shape::yaml::parse(
        b"- line: [{ rows: 1 .. 9 }, { columns: 1 .. 9 }]
- lines: 1 .. 9
  line:
    - row: { range: 0 .. rows, usual: 1 .. rows }
    - column: 1 .. columns
    - kind: { letter: a-z, usual: ab }
  usually apart: { row: 1, column: 1 }
",
    )
    .unwrap();
    let (options, input) = (Options::default(), b"3 4\n1 1 a\n2 3 b\n3 4 a\n");
    let mut random = Random::new(1, 4);
    let mut found: HashSet<Vec<u8>> = HashSet::new();
    found.extend((0..3000).filter_map(|_| shape.with_text_changed(input, &mut random, &options)));
    for near in &found {
        assert_ne!(near, input);
        assert!(shape.is_usual(near, &options), "{}", text(near));
    }
    for near in [
        // One number, which other choices would not change alone: there would be less room for the places after it.
        "3 4\n1 2 a\n2 3 b\n3 4 a\n",
        "4 4\n1 1 a\n2 3 b\n3 4 a\n",
        "3 4\n1 1 b\n2 3 b\n3 4 a\n",
        "3 4\n1 1 a\n3 4 a\n",
        "3 4\n2 3 b\n1 1 a\n3 4 a\n",
        "3 4\n1 1 a\n3 2 b\n3 4 a\n",
    ] {
        assert!(found.contains(near.as_bytes()), "{near}");
    }
    let odd = b"3 4\n0 1 a\n2 3 b\n";
    assert!(!shape.is_usual(odd, &options) && shape.check(odd, &options).is_ok());
    assert!(shape.with_text_changed(b"3 4\n4 1 a\n", &mut random, &options).is_none());
}

#[test]
fn every_input_with_a_mistake_near_another_is_listed() {
    let shape = harness_shape::yaml::parse(
        b"- line: [{ n: { range: 2 .. 1000, usual: 5 .. 9 } }, { kind: { one of: [a, b] } }]\n",
    )
    .unwrap();
    let options = Options::default();
    let all: Vec<_> = shape.mistaken(b"7 a\n", &options).iter().map(|input| text(input)).collect();
    for mistaken in ["1001 a\n", "1 a\n", "x a\n", "7a\n", "7 ?\n", "7 a x\n", "7 a\nx\n"] {
        assert!(all.iter().any(|input| input == mistaken), "{mistaken:?}: {all:?}");
    }
    assert!(all.iter().all(|input| shape.check(input.as_bytes(), &options).is_err()));
    let mut rng = Rng::with_seed(0);
    let mut draw = || shape.draw_mistaken_like(b"7 a\n", &mut Random::any(&mut rng), &options);
    let drawn: Vec<_> = (0..100).filter_map(|_| draw()).collect();
    assert!(drawn.len() > 80 && drawn.iter().all(|input| all.contains(&text(input))));
    assert!(shape.mistaken(b"1001 a\n", &options).is_empty());
}

#[test]
fn plain_inputs_have_each_form_once() {
    let shape = harness_shape::yaml::parse(
        b"- lines: 1 .. 3
  line:
    - kind: { one of: [open, put] }
    - name: { text: \"[a-c]{1,3}\" }
    - choose: kind
      cases: { open: [], put: [{ x: { range: 1 .. 1000, usual: 1 .. 9 } }] }
",
    )
    .unwrap();
    let plain = |size| {
        let inputs = shape.list_plain(size, 100, &Options::default()).inputs;
        inputs.iter().map(|input| text(&input.bytes)).collect::<Vec<_>>()
    };
    assert_eq!(plain(2), ["open a\n"]);
    assert_eq!(plain(3), ["open aa\n", "put a 1\n"]);
    assert!(plain(5).contains(&"open a\nput a 1\n".to_owned()));
}

#[test]
fn a_mistake_may_be_to_leave_out_a_blank() {
    let shape = harness_shape::yaml::parse(
        b"- line: [{ n: 1 .. 9 }, { kind: { one of: [a, b] } }]\n  blanks: any\n",
    )
    .unwrap();
    assert!(shape.mistaken(b"7 a\n", &Options::default()).contains(&b"7a\n".to_vec()));
}
