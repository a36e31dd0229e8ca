//! Values of programs among those that are drawn.

mod described;

use described::{shape, text, wrong};
use harness_shape::random::Random;
use harness_shape::{Inputs, Literals, Options};
use proptest::strategy::ValueTree;
use std::sync::Arc;

/// Inputs that are drawn with these literals. All are valid.
fn drawn(description: &str, numbers: &[i64], texts: &[&str]) -> Vec<String> {
    let shape = shape(description);
    let texts = texts.iter().map(|text| text.as_bytes().to_vec()).collect();
    let literals = Arc::new(Literals { numbers: numbers.to_vec(), texts });
    let inputs = Inputs::new(shape.clone()).with(Options { literals, ..Options::default() });
    let draw = |seed| {
        let input = text(&inputs.tree(&mut Random::new(seed, 5)).unwrap().current().bytes);
        assert_eq!(wrong(&shape, &input), None);
        input
    };
    (0..500).map(draw).collect()
}

#[test]
fn numbers_of_a_program_are_drawn_with_those_next_to_them_if_they_are_in_the_range() {
    let one = "input:\n  - line: [{ x: -1000000 .. 1000000 }]\n";
    let all = drawn(one, &[-77777, 2_000_000], &[]);
    for near in ["-77778\n", "-77777\n", "-77776\n"] {
        assert!(all.iter().any(|input| input == near), "{near}");
    }
}

#[test]
fn texts_of_a_program_are_drawn_alone_and_inside_others_where_they_match() {
    let one = "input:\n  - line: [{ word: { text: \"[a-z]{3,12}\" } }]\n";
    let all = drawn(one, &[], &["xyzzy", "No"]);
    assert!(all.iter().any(|input| input == "xyzzy\n"));
    assert!(all.iter().any(|input| input.contains("xyzzy") && input.len() > 8));
    let of_length = "input:\n  - line: [{ word: { text: \"[a-z]+\", length: 8 } }]\n";
    let all = drawn(of_length, &[], &["xyzzy"]);
    assert!(all.iter().any(|input| input.contains("xyzzy")));
}
