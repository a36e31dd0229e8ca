//! Which values are drawn: usual structures of lists and texts, and literals of programs.

use crate::described::{drawn, mistake, shape, text, wrong};
use harness_shape::random::Random;
use harness_shape::{Inputs, Literals, Options, Shape};
use proptest::strategy::ValueTree;
use std::collections::HashSet;
use std::path::Path;
use std::sync::Arc;

/// Draws inputs of a description in which `usual` names structures, and gives the lines after the first with their numbers.
fn lists(description: &str) -> Vec<Vec<Vec<i64>>> {
    lists_of(&shape(description))
}

fn lists_of(shape: &Arc<Shape>) -> Vec<Vec<Vec<i64>>> {
    let numbers = |line: &str| line.split(' ').map(|word| word.parse().unwrap()).collect();
    let rows = |input: &String| input.lines().skip(1).map(numbers).collect();
    drawn(shape, 200).iter().map(rows).collect()
}

/// That most of the lists with at least three rows are so.
fn most(lists: &[Vec<Vec<i64>>], is_so: impl Fn(&[Vec<i64>]) -> bool) {
    let long: Vec<_> = lists.iter().filter(|rows| rows.len() > 2).collect();
    let count = long.iter().filter(|rows| is_so(rows)).count();
    assert!(long.len() > 50 && count * 4 > long.len() * 3, "{count} of {}", long.len());
}

fn pairs(least: i64, usual: &str) -> Vec<Vec<Vec<i64>>> {
    lists(&format!(
        "input:
  - line: [{{ points: 0 .. 99 }}]
  - lines: points
    line: [{{ x: {least} .. 99 }}, {{ y: {least} .. 99 }}]
usual: {{ points: {usual} }}
"
    ))
}

fn is_flat(rows: &[Vec<i64>]) -> bool {
    rows.windows(3).all(|it| {
        let side = |at: usize| (it[at][0] - it[0][0], it[at][1] - it[0][1]);
        let ((a, b), (c, d)) = (side(1), side(2));
        a * d == b * c
    })
}

#[test]
fn most_points_are_on_one_line_where_the_shape_says_so() {
    for least in [-99, 0] {
        most(&pairs(least, "collinear"), is_flat);
    }
    let both = pairs(0, "collinear circle");
    let long = both.iter().filter(|rows| rows.len() > 2);
    let (flat, round): (Vec<_>, Vec<_>) = long.partition(|rows| is_flat(rows));
    assert!(flat.len() > 30 && round.len() > 30, "{} and {}", flat.len(), round.len());
}

#[test]
fn lists_are_sorted_by_the_number_that_the_shape_names() {
    for (least, most_number, name, order) in [
        (0, 99, "sorted", 1),
        (-99, 99, "sorted", 1),
        (-99, -1, "sorted", 1),
        (i64::from(i32::MIN), i64::from(i32::MAX), "sorted", 1),
        (-9, 3, "sorted", 1),
        (0, 99, "reversed", -1),
        (-99, 99, "reversed", -1),
        (i64::from(i32::MIN), i64::from(i32::MAX), "reversed", -1),
    ] {
        let lists = lists(&format!(
            "input:
  - line: [{{ n: 0 .. 9 }}]
  - lines: n
    line: [{{ label: 1 .. 9 }}, {{ x: {least} .. {most_number} }}]
usual: {{ x: {name} }}
"
        ));
        most(&lists, |rows| rows.is_sorted_by_key(|row| order * row[1]));
    }
    let permutation = lists(
        "input:
  - line: [{ n: 1 .. 9 }]
  - lines: n
    line: [{ x: { range: 1 .. n, distinct: true } }]
usual: { x: reversed }
",
    );
    most(&permutation, |rows| rows.is_sorted_by_key(|row| -row[0]));
}

#[test]
fn graphs_are_paths_stars_and_cycles_where_the_shape_says_so() {
    let tree = |usual: &str| {
        lists(&format!(
            "input:\n  - line: [{{ n: 4 .. 9 }}]\n  - tree: n\nusual: {{ n: {usual} }}\n"
        ))
    };
    let degrees = |rows: &[Vec<i64>]| {
        let mut degrees = [0; 10];
        rows.iter().flatten().for_each(|&node| degrees[node as usize] += 1);
        degrees
    };
    most(&tree("path"), |rows| degrees(rows).iter().all(|&degree| degree <= 2));
    most(&tree("star"), |rows| degrees(rows).contains(&rows.len()));
    let cycles = lists(
        "input:\n  - line: [{ n: 3 .. 9 }]\n  - graph: n\n    edges: n\nusual: { n: cycle }\n",
    );
    most(&cycles, |rows| degrees(rows)[1..].iter().all(|&degree| degree == 2 || degree == 0));
}

#[test]
fn texts_are_palindromes_or_have_a_border_or_one_letter_where_the_shape_says_so() {
    let texts = |usual: &str| {
        let shape = shape(&format!(
            "input:\n  - line: [{{ word: {{ text: \"[a-z]{{5,9}}\" }} }}]\nusual: {{ word: {usual} }}\n"
        ));
        drawn(&shape, 100)
    };
    let count = |usual: &str, is_so: &dyn Fn(&[u8]) -> bool| {
        texts(usual).iter().filter(|text| is_so(text.trim_end().as_bytes())).count()
    };
    assert!(count("palindrome", &|text| text.iter().eq(text.iter().rev())) > 70);
    assert!(
        count("border", &|text| text[0] == text[text.len() - 1]
            || text[..2] == text[text.len() - 2..])
            > 50
    );
    assert!(count("equal", &|text| text.iter().collect::<HashSet<_>>().len() == 1) > 70);
}

#[test]
fn sums_end_where_types_do_where_the_shape_says_so() {
    let sums = pairs(0, "overflow");
    assert!(sums.iter().flatten().all(|row| row[0] <= 99), "small numbers stay in their range");
    let lists = lists(
        "input:
  - line: [{ n: 1 .. 1 }]
  - lines: n
    line: [{ a: 0 .. 9999999999 }, { b: 0 .. 9999999999 }]
usual: { n: overflow }
",
    );
    let ends = |sum: i128| [16, 31, 32, 33].iter().any(|end| (sum - (1 << end)).abs() < 4);
    let is_near = |rows: &&Vec<Vec<i64>>| {
        let (a, b) = (i128::from(rows[0][0]), i128::from(rows[0][1]));
        ends(a + b)
    };
    assert!(lists.iter().filter(is_near).count() > 20);
}

#[test]
fn a_named_structure_changes_nothing_about_which_inputs_are_valid() {
    let shape =
        shape("input:\n  - line: [{ d: { list: 1 .. 9, count: 3 } }]\nusual: { d: sorted }\n");
    assert_eq!(wrong(&shape, "9 1 5\n"), None);
}

#[test]
fn a_structure_that_is_unknown_or_does_not_fit_has_its_place() {
    let described = |usual: &str| {
        mistake(&format!(
            "input:
  - line: [{{ n: 1 .. 5 }}, {{ word: {{ text: \"[a-z]+\" }} }}, {{ x: 0 .. 9 }}]
  - lines: n
    line: [{{ a: 0 .. 9 }}]
usual: {{ {usual} }}
"
        ))
    };
    let unknown = "there is no structure `sorte`".to_owned();
    assert_eq!(described("a: sorte"), (5, 13, unknown));
    let pairs = "`path` is for two numbers that follow each other in each repetition".to_owned();
    assert_eq!(described("n: path"), (5, 13, pairs));
    let texts = "`overflow` is for numbers, not for texts".to_owned();
    assert_eq!(described("word: equal overflow"), (5, 16, texts));
    let none = "`x` names no list of numbers and no text".to_owned();
    assert_eq!(described("x: equal"), (5, 10, none));
    assert_eq!(described("y: equal").2, "there is no field `y` before this");
}

/// Inputs that are drawn with these literals. All are valid.
fn with_literals(description: &str, numbers: &[i64], texts: &[&str]) -> Vec<String> {
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
    let all = with_literals(one, &[-77777, 2_000_000], &[]);
    for near in ["-77778\n", "-77777\n", "-77776\n"] {
        assert!(all.iter().any(|input| input == near), "{near}");
    }
}

#[test]
fn texts_of_a_program_are_drawn_alone_and_inside_others_where_they_match() {
    let one = "input:\n  - line: [{ word: { text: \"[a-z]{3,12}\" } }]\n";
    let all = with_literals(one, &[], &["xyzzy", "No"]);
    assert!(all.iter().any(|input| input == "xyzzy\n"));
    assert!(all.iter().any(|input| input.contains("xyzzy") && input.len() > 8));
    let of_length = "input:\n  - line: [{ word: { text: \"[a-z]+\", length: 8 } }]\n";
    let all = with_literals(of_length, &[], &["xyzzy"]);
    assert!(all.iter().any(|input| input.contains("xyzzy")));
}

const SCRIPT: &str = "INT(0,9,n) NEWLINE\nREP(n) INT(0,99,x) SPACE INT(0,99,y) NEWLINE END EOF\n";

#[test]
fn a_comment_of_a_script_names_structures() {
    let parse = |comment: &str| {
        let script = format!("{SCRIPT}  # usual: {comment}\n");
        harness_shape::parse(Path::new("points.ctd"), script.as_bytes())
    };
    let shape = Arc::new(parse("{ n: collinear }").unwrap());
    most(&lists_of(&shape), is_flat);

    let problem = parse("{ m: collinear }").unwrap_err();
    assert_eq!(problem.at, SCRIPT.len() + "  # usual: { ".len());
    assert_eq!(problem.message, "there is no field `m` before this");
    assert!(parse("{ n: colinear }").unwrap_err().hint.unwrap().contains("`collinear`"));
    assert!(parse("collinear").is_err());
}
