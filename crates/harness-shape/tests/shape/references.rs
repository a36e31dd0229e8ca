//! Smaller inputs in which numbers and letters name things that are left out.

use harness_shape::{Options, Shape, yaml};

fn shape(source: &str) -> Shape {
    yaml::parse(source.as_bytes()).unwrap_or_else(|problem| panic!("{problem:?}"))
}

/// All inputs one step smaller than this.
fn smaller(shape: &Shape, input: &str, options: &Options) -> Vec<(String, Vec<i64>)> {
    let choices = shape.choices(input.as_bytes(), options).unwrap();
    let inputs = shape.smaller(&choices, options).into_iter();
    inputs.map(|input| (String::from_utf8(input.bytes).unwrap(), input.made.parameters)).collect()
}

#[track_caller]
fn has(shape: &Shape, input: &str, wanted: &[&str]) {
    let all = smaller(shape, input, &Options::default());
    for wanted in wanted {
        assert!(all.iter().any(|(input, _)| input == wanted), "{wanted:?} is none of {all:?}");
    }
}

#[test]
fn lines_that_name_what_is_left_out_leave_with_it_and_later_numbers_are_lowered() {
    let roads = shape(
        "input:\n- line: [{ towns: 1 .. 9 }]\n- lines: 1 .. 9\n  line: [{ from: 1 .. towns }, { to: 1 .. towns }]\n",
    );
    has(&roads, "5\n3 5\n2 4\n1 1\n", &["4\n2 4\n1 1\n", "4\n2 3\n1 1\n", "5\n3 5\n1 1\n"]);
}

#[test]
fn numbers_that_name_lines_of_a_list_are_lowered_with_it() {
    let chain = shape("input:\n- line: [{ n: 1 .. 9 }]\n- lines: n\n  line: [{ next: 1 .. n }]\n");
    has(&chain, "3\n2\n3\n1\n", &["2\n2\n1\n"]);
}

#[test]
fn counted_letters_stay_in_their_lines_when_another_leaves() {
    let list = shape(
        "input:\n- lines: 2 .. 9\n  line: [{ x: 0 .. 9 }, { tile: { letter: \".#\", exactly: { S: 1 } } }]\n",
    );
    has(&list, "1 .\n2 #\n3 S\n4 #\n", &["1 .\n3 S\n4 #\n", "2 #\n3 S\n4 #\n", "1 S\n2 #\n4 #\n"]);
}

#[test]
fn digits_that_name_layers_are_lowered_when_a_layer_leaves() {
    let castle = shape(
        "input:\n- line: [{ rooms: 1 .. 9 }]\n- grid: castle\n  layers: rooms\n  rows: 1\n  columns: 2\n  cells: \".#0-9\"\n",
    );
    let without_the_second = ["2\n1.\n#8\n", "2\n1#\n#8\n", "2\n11\n#8\n"];
    has(&castle, "3\n21\n..\n#9\n", &without_the_second);
}

#[test]
fn letters_of_a_colour_that_is_left_out_become_the_simplest() {
    let map = shape(
        "input:\n- line: [{ colors: 0 .. 9 }]\n- grid: map\n  rows: 1\n  columns: 4\n  cells: \".#\"\n  letters: { a: colors, A: colors }\n",
    );
    has(&map, "3\naBcC\n", &["2\n.AbB\n", "2\na.bB\n"]);
}

#[test]
fn places_in_a_grid_move_with_its_columns() {
    let maze = shape(
        "input:\n- grid: maze\n  rows: { rows: 1 .. 9 }\n  columns: { columns: 1 .. 9 }\n  cells: \".#\"\nparameters: [{ x: 0 .. columns - 1 }]\n",
    );
    let options = Options { parameters: vec![2], ..Options::default() };
    let all = smaller(&maze, "#..#\n", &options);
    assert!(all.contains(&("..#\n".to_owned(), vec![1])), "{all:?}");
}

#[test]
fn another_letter_with_the_same_walls_means_nothing() {
    let maze = shape(
        "input:\n- grid: maze\n  rows: { rows: 1 .. 9 }\n  columns: { columns: 1 .. 9 }\n  cells: \"0-9a-fA-F\"\n  walls: { north: 1, south: 2, west: 4, east: 8 }\n",
    );
    let options = Options::default();
    let listed = maze.list(2, 1000, &options);
    let inputs = listed.inputs.iter().map(|input| String::from_utf8_lossy(&input.bytes));
    let inputs: Vec<_> = inputs.map(|input| input.replace('\n', "/")).collect();
    assert_eq!(inputs[..4], ["7b/", "ff/", "d/e/", "f/f/"]);
    assert!(inputs[4..].contains(&"fF/".to_owned()) && inputs[4..].contains(&"D/E/".to_owned()));
    for input in ["7B\n", "Ff\n", "F\nF\n"] {
        let choices = maze.choices(input.as_bytes(), &options).unwrap();
        let most = harness_shape::Most::ANY;
        let made =
            maze.make(&choices, &mut harness_shape::choice::Simplest, most, &options).unwrap();
        assert_eq!(made.bytes, input.as_bytes());
        assert!(made.made.noise > 0);
    }
}

/// A directed graph whose edges have a weight, and a node that is named before it.
const ROADS: &str = "input:
- line: [{ n: 1 .. 9 }, { m: 0 .. n * (n - 1) }, { start: 1 .. n }]
- graph: n
  edges: m
  directed: true
  fields: [{ w: 0 .. 9 }]
";

#[test]
fn each_edge_of_a_graph_is_left_out_and_the_others_stay() {
    let graph = "3 4 1\n1 2 5\n1 3 6\n2 1 7\n2 3 8\n";
    let without_one = [
        "3 3 1\n1 3 6\n2 1 7\n2 3 8\n",
        "3 3 1\n1 2 5\n2 1 7\n2 3 8\n",
        "3 3 1\n1 2 5\n1 3 6\n2 3 8\n",
        "3 3 1\n1 2 5\n1 3 6\n2 1 7\n",
    ];
    has(&shape(ROADS), graph, &without_one);
    has(&shape(ROADS), graph, &["3 2 1\n2 1 7\n2 3 8\n", "3 2 1\n1 2 5\n1 3 6\n"]);
    has(&shape(ROADS), "3 1 1\n2 3 8\n", &["3 0 1\n"]);
}

#[test]
fn each_node_of_a_graph_is_left_out_with_its_edges_and_later_nodes_are_lowered() {
    let graph = "3 4 3\n1 2 5\n1 3 6\n2 1 7\n2 3 8\n";
    has(&shape(ROADS), graph, &["2 1 2\n1 2 8\n", "2 1 2\n1 2 6\n", "2 2 2\n1 2 5\n2 1 7\n"]);
}

#[test]
fn a_leaf_of_a_tree_is_left_out() {
    let tree = shape("input:\n- line: [{ n: 1 .. 9 }]\n- tree: n\n");
    has(&tree, "4\n1 2\n3 1\n1 4\n", &["3\n2 1\n1 3\n", "3\n1 2\n1 3\n", "3\n1 2\n3 1\n"]);
}

#[test]
fn a_node_of_a_connected_graph_is_left_out_if_the_others_stay_connected() {
    let graph = shape(
        "input:\n- line: [{ n: 2 .. 9 }, { m: n - 1 .. n * (n - 1) / 2 }]\n- graph: n\n  edges: m\n  connected: true\n",
    );
    has(&graph, "4 5\n1 2\n2 3\n3 1\n3 4\n4 1\n", &["3 3\n1 2\n2 3\n3 1\n", "3 2\n1 2\n2 3\n"]);
    let triangle = "input:\n- line: [{ n: 3 .. 9 }]\n- graph: n\n  edges: n * (n - 1) / 2\n";
    has(&shape(triangle), "4\n1 2\n1 3\n2 3\n1 4\n2 4\n3 4\n", &["3\n1 2\n1 3\n2 3\n"]);
}

#[test]
fn lists_and_texts_of_one_length_lose_the_same_places() {
    let lists = shape(
        "input:\n- line: [{ n: 1 .. 9 }]\n- line: [{ s: { text: \"[a-z]+\", length: n } }]\n- line: [{ a: { list: 1 .. 9, count: n } }]\n\
         - line: [{ b: { list: 1 .. 9, count: n } }]\n- line: [{ c: 1 .. 9 }]\n",
    );
    let smaller = ["2\nyz\n7 8\n7 6\n4\n", "3\nuxz\n5 6 8\n9 8 6\n4\n"];
    has(&lists, "4\nuxyz\n5 6 7 8\n9 8 7 6\n4\n", &smaller);
}

#[test]
fn a_square_of_numbers_loses_a_row_and_a_column() {
    let square = shape(
        "input:\n- line: [{ n: 1 .. 9 }]\n- lines: n\n  line: [{ a: { list: 1 .. 9, count: n } }]\n",
    );
    has(&square, "3\n1 2 3\n4 5 6\n7 8 9\n", &["2\n5 6\n8 9\n", "2\n1 3\n7 9\n", "2\n1 2\n4 5\n"]);
}

/// The smallest input of numbers that a search ends with, from 40 times this one, if their sum must be beyond a limit.
fn smallest_beyond(number: i64, limit: i64) -> String {
    let list = shape(
        "input:\n- line: [{ n: 0 .. 60 }]\n- lines: n\n  line: [{ x: -1000000000 .. 1000000000 }]\n",
    );
    let is_beyond = |input: &str| {
        let sum: i64 = input.split_whitespace().skip(1).map(|it| it.parse::<i64>().unwrap()).sum();
        sum.signum() == limit.signum() && sum.abs() > limit.abs()
    };
    let mut smallest = format!("40\n{}\n", [number.to_string().as_str(); 40].join("\n"));
    while let Some((input, _)) = smaller(&list, &smallest, &Options::default())
        .into_iter()
        .find(|(input, _)| is_beyond(input))
    {
        smallest = input;
    }
    smallest
}

#[test]
fn numbers_of_a_sum_that_must_be_large_become_few() {
    for (number, limit) in [(100_000_000, 1 << 31), (-100_000_000, -(1 << 31))] {
        let smallest = smallest_beyond(number, limit);
        assert_eq!(smallest.split_whitespace().next(), Some("3"), "{smallest}");
    }
}
