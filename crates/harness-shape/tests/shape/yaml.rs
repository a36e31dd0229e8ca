//! Descriptions in YAML.

use crate::described::{drawn, mistake, shape, text, wrong};
use harness_shape::random::Random;
use harness_shape::{Colour, Inputs, Options, yaml};
use proptest::strategy::ValueTree;
use std::collections::HashSet;

#[test]
fn fields_have_ranges_that_depend_on_earlier_fields() {
    let shape =
        shape("input:\n  - line: [{ n: 1 .. 9 }, { k: 1 .. n }]\n  - require: k * 2 != n\n");
    assert_eq!(wrong(&shape, "3 2\n"), None);
    let message = |line, column, message: &str| Some((line, column, message.to_owned()));
    assert_eq!(
        wrong(&shape, "3 4\n"),
        message(1, 3, "expected `k`, a whole number from 1 to 3, found `4`")
    );
    assert_eq!(
        wrong(&shape, "4 2\n"),
        message(2, 1, "expected that `k * 2 != n`; `n` is 4, `k` is 2")
    );
    assert_eq!(wrong(&shape, "4  1\n").unwrap().1, 3);
    for input in drawn(&shape, 50) {
        assert_eq!(wrong(&shape, &input), None);
    }
}

#[test]
fn a_grid_has_letters_limited_by_a_field_and_counts_by_construction() {
    let shape = shape(
        "input:
  - line: [{ colors: 0 .. 26 }, { rows: 1 .. 9 }, { columns: 1 .. 9 }]
  - comments: \"//\"
  - grid: map
    rows: rows
    columns: columns
    cells: \".#\"
    letters: { a: colors }
    exactly: { \"@\": 1, \"?\": 1 }
    at most: { \"!\": 2 }
",
    );
    assert_eq!(wrong(&shape, "1 2 3\n// @\n@.?\na!!\n"), None);
    let found = |input| wrong(&shape, input).unwrap();
    assert_eq!(
        found("1 2 3\n@.?\nab.\n"),
        (3, 2, "expected `map`, one of `!#.?@a`, found `b.`".to_owned())
    );
    assert_eq!(
        found("1 2 3\n@.?\n..\n"),
        (3, 3, "expected `map`, 3 cells, found 2 cells".to_owned())
    );
    assert_eq!(found("1 1 3\n@?@\n").2, "expected exactly 1 `@` in `map`, found 2");
    assert_eq!(found("1 1 5\n@?!!!\n").2, "expected at most 2 `!` in `map`, found 3");
    let drawn = drawn(&shape, 200);
    assert!(drawn.iter().all(|map| {
        map.lines().filter(|line| !line.starts_with("//")).collect::<String>().matches('@').count()
            == 1
    }));
    let letters: HashSet<char> = drawn.iter().flat_map(|map| map.chars()).collect();
    assert!(['a', 'b', '!', '#'].iter().all(|letter| letters.contains(letter)), "{letters:?}");
    let listed = shape.list(2, 1000, &Options::default());
    let plain: Vec<_> = listed
        .inputs
        .iter()
        .map(|input| text(&input.bytes))
        .filter(|map| map.starts_with("0 ") && !map.contains("//"))
        .collect();
    assert_eq!(plain, ["0 1 2\n@?\n", "0 1 2\n?@\n", "0 2 1\n@\n?\n", "0 2 1\n?\n@\n"]);
}

#[test]
fn lists_are_counted_or_end_by_themselves() {
    let counted =
        shape("input:\n  - line: [{ n: 0 .. 5 }]\n  - lines: n\n    line: [{ x: 1 .. 9 }]\n");
    assert_eq!(wrong(&counted, "2\n1\n2\n"), None);
    assert_eq!(wrong(&counted, "2\n1\n").unwrap().0, 3);
    assert_eq!(wrong(&counted, "1\n1\n2\n").unwrap().2, "expected the end of the input, found `2`");
    let open =
        shape("input:\n  - lines: { n: 1 .. 3 }\n    line: [{ x: 1 .. 9 }]\n  - line: [end]\n");
    assert_eq!(wrong(&open, "1\n2\nend\n"), None);
    assert_eq!(
        wrong(&open, "end\n").unwrap().2,
        "expected `x`, a whole number from 1 to 9, found `end`"
    );
    assert_eq!(wrong(&open, "1\n1\n1\n1\nend\n").unwrap().2, "expected at most 3 n, found more");
    drawn(&counted, 50);
    drawn(&open, 50);
}

#[test]
fn a_field_chooses_what_follows() {
    let shape = shape(
        "input:
  - lines: 1 .. 9
    line:
      - kind: { one of: [add, clear] }
      - choose: kind
        cases:
          add: [{ x: -5 .. 5 }]
          clear: []
",
    );
    assert_eq!(wrong(&shape, "add -5\nadd 3\n"), None);
    assert_eq!(
        wrong(&shape, "sub 1\n").unwrap().2,
        "expected `kind`, `add` or `clear`, found `sub`"
    );
    drawn(&shape, 50);
}

#[test]
fn numbers_are_distinct_or_a_permutation() {
    let shape = shape(
        "input:
  - line: [{ n: 1 .. 6 }]
  - line: [{ p: { permutation: n } }]
  - line: [{ d: { list: 1 .. 9, count: n, distinct: true } }]
  - lines: n
    line: [{ x: { range: 0 .. 9, distinct: true } }]
",
    );
    assert_eq!(wrong(&shape, "2\n2 1\n9 1\n3\n4\n"), None);
    let again = "expected `p`, a number that is not there yet, found `1`";
    assert_eq!(wrong(&shape, "2\n1 1\n9 1\n3\n4\n"), Some((2, 3, again.to_owned())));
    assert_eq!(wrong(&shape, "2\n2 1\n9 1\n3\n3\n").unwrap().0, 5);
    let orders: HashSet<_> = drawn(&shape, 300)
        .iter()
        .filter(|input| input.starts_with("3\n"))
        .map(|input| input.lines().nth(1).unwrap().to_owned())
        .collect();
    assert_eq!(orders.len(), 6, "{orders:?}");
}

#[test]
fn the_edges_of_a_tree_and_of_a_graph_hold_together() {
    let tree =
        shape("input:\n  - line: [{ n: 1 .. 9 }]\n  - tree: n\n    fields: [{ weight: 1 .. 5 }]\n");
    assert_eq!(wrong(&tree, "3\n3 1 5\n2 3 1\n"), None);
    let circle = "expected a node from 1 to 3 that no path joins with 1 yet, found `3`";
    assert_eq!(wrong(&tree, "3\n3 1 5\n1 3 1\n"), Some((3, 3, circle.to_owned())));
    drawn(&tree, 50);
    let graph = shape(
        "input:
  - line: [{ n: 2 .. 6 }, { m: n - 1 .. n * (n - 1) / 2 }]
  - graph: n
    edges: m
    connected: true
",
    );
    assert_eq!(wrong(&graph, "3 3\n1 2\n2 3\n3 1\n"), None);
    assert!(wrong(&graph, "3 3\n1 2\n2 1\n3 1\n").is_some(), "an edge twice");
    assert!(wrong(&graph, "4 3\n1 2\n2 3\n3 1\n").is_some(), "4 is alone");
    drawn(&graph, 100);
}

#[test]
fn a_graph_that_is_too_large_to_make_is_read_and_another_is_drawn() {
    let graph = shape(
        "input:
  - line: [{ n: 150000 .. 200000 }, { m: 12 .. 100 }]
  - graph: n
    edges: m
    directed: true
",
    );
    assert!(drawn(&graph, 8).iter().all(|input| input.lines().count() == 13));
    let edges: String = (2..102).map(|node| format!("{node} {node}000\n")).collect();
    assert_eq!(wrong(&graph, &format!("200000 100\n{edges}")), None);
}

#[test]
fn a_letter_of_a_list_occurs_as_often_as_it_should() {
    let shape = shape(
        "input:\n  - lines: 2 .. 9\n    line: [{ c: { letter: ab, exactly: { S: 1 }, at most: { T: 1 } } }]\n",
    );
    assert_eq!(wrong(&shape, "a\nS\n"), None);
    assert_eq!(wrong(&shape, "a\nb\n").unwrap().2, "expected exactly 1 `S` in these, found 0");
    assert_eq!(wrong(&shape, "S\nT\nT\n").unwrap().2, "expected at most 1 `T` in these, found 2");
    drawn(&shape, 100);
}

#[test]
fn a_cell_and_its_neighbours_agree_about_their_walls() {
    let shape = shape(
        "input:
  - grid: maze
    rows: { height: 1 .. 5 }
    columns: { width: 1 .. 5 }
    cells: 0-9a-f
    walls: { north: 1, south: 2, west: 4, east: 8 }
parameters: [{ x: 0 .. width - 1 }]
",
    );
    assert_eq!(wrong(&shape, "53b\n63b\n"), None);
    let open = "the cell `2` in row 1, column 2 and what is north of it disagree about their wall";
    assert_eq!(wrong(&shape, "52b\n63b\n").unwrap().2, open);
    assert!(wrong(&shape, "53b\n53b\n").is_some(), "open to the south");
    drawn(&shape, 100);
}

#[test]
fn texts_and_decimals_have_patterns_lengths_and_places() {
    let shape = shape(
        "input:
  - line: [{ n: 0 .. 9 }, { s: { text: \"[a-z]*\", length: n } }, { d: { decimal: 0 .. 1, decimals: 1 .. 2 } }]
last newline: optional
",
    );
    assert_eq!(wrong(&shape, "2 ab 0.5"), None);
    assert_eq!(
        wrong(&shape, "2 ab 0.555\n").unwrap().2,
        "expected `d`, a number with 1 to 2 decimals, found `0.555`"
    );
    let length = "expected that `the length of s is n`; `n` is 3, `s` is ab";
    assert_eq!(wrong(&shape, "3 ab 0.5\n").unwrap().2, length);
    drawn(&shape, 100);
}

#[test]
fn a_mistake_is_shown_with_its_place() {
    let one = |fields: &str| format!("input:\n  - line: {fields}\n");
    let there = |line, column, message: &str| (line, column, message.to_owned());
    assert_eq!(mistake(&one("[{ n: 5 .. 3 }]")), there(2, 17, "there is no number from 5 to 3"));
    assert_eq!(mistake(&one("[{ n: 1 .. m }]")), there(2, 22, "there is no field `m` before this"));
    assert_eq!(mistake(&one("[{ n: 1 .. }]")).2, "expected a value, found the end");
    assert_eq!(
        mistake(&one("[{ N: 1 .. 2 }]")).2,
        "`N` is not a name: use small letters and digits"
    );
    assert_eq!(mistake("input:\n  - lin: [a]\n"), there(2, 5, "unknown key `lin`"));
    assert_eq!(mistake("inputs: []\n").2, "unknown key `inputs`");
    let message = "a grid needs `rows`";
    assert_eq!(mistake("input:\n  - grid: g\n    cells: a\n"), there(2, 11, message));
    let unclear =
        "input:\n  - lines: 1 .. 3\n    line: [{ x: 1 .. 9 }]\n  - line: [{ y: 1 .. 9 }]\n";
    let (line, _, message) = mistake(unclear);
    assert_eq!(line, 2);
    assert!(message.starts_with("nothing tells where these end"), "{message}");
}

#[test]
fn the_cells_of_a_grid_have_colours_where_they_stand() {
    let text = "input:
  - line: [{ n: 1 .. 9 }]
  - grid: g
    rows: n
    columns: 1 .. 5
    cells: \".#a-d\"
    colours: { \"#\": gray, a-d: red blue }
";
    let shape = yaml::parse(text.as_bytes()).unwrap();
    let painted = shape.colours(b"2\n.#\nac\n", &Options::default());
    assert_eq!(painted, [(3, Colour::Gray), (5, Colour::Red), (6, Colour::Red)]);
    let wrong = yaml::parse(text.replace("gray", "grey").as_bytes()).unwrap_err();
    assert_eq!(wrong.message, "there is no colour `grey`");
}

#[test]
fn nearly_all_numbers_and_letters_that_are_made_are_usual() {
    let text = "input:
  - lines: 40
    line: [{ x: { range: -9 .. 99, usual: 1 .. 5 } }, { c: { letter: a-z, usual: xy } }]
";
    let inputs = Inputs::new(shape(text));
    let (mut usual, mut all) = (0, 0);
    for seed in 0..20 {
        let input = inputs.tree(&mut Random::new(seed, 5)).unwrap().current();
        for line in String::from_utf8(input.bytes).unwrap().lines() {
            let (number, letter) = line.split_once(' ').unwrap();
            let is_usual =
                (1..=5).contains(&number.parse::<i64>().unwrap()) && "xy".contains(letter);
            (usual, all) = (usual + u32::from(is_usual), all + 1);
        }
    }
    assert!(usual * 10 > all * 7 && usual < all, "{usual} of {all}");
}

#[test]
fn an_input_with_several_grids_shrinks_and_grows_by_layers_rows_and_columns() {
    let shape = shape(
        "- line: [{ rooms: 1 .. 9 }]\n- line: [{ size: 1 .. 9 }]\n- grid: castle\n  layers: rooms\n  \
         rows: size\n  columns: size\n  cells: \".#\"\n  comments: \"//\"\n- blank lines: optional\n",
    );
    let options = Options::default();
    let input = "2\n2\n..\n//x\n.#\n##\n//y\n..\n\n";
    let choices = shape.choices(input.as_bytes(), &options).unwrap();
    let smaller: Vec<_> =
        shape.smaller(&choices, &options).into_iter().map(|it| it.bytes).collect();
    for without in ["1\n2\n..\n//x\n.#\n\n", "2\n1\n//x\n#\n//y\n.\n\n", "2\n1\n.\n#\n\n"] {
        assert!(smaller.contains(&without.as_bytes().to_vec()), "{without}");
    }
    let mut random = Random::new(1, 4);
    let mut near = (0..2000).map(|_| shape.neighbour(&choices, &mut random, &options).unwrap());
    let doubled = "3\n2\n..\n//x\n.#\n..\n//x\n.#\n##\n//y\n..\n\n";
    assert!(near.any(|near| near.bytes == doubled.as_bytes()));
}

#[test]
fn what_means_nothing_makes_no_input_larger_and_is_left_out_of_smaller_ones() {
    let shape = shape(
        "input:
  - line: [{ rows: 1 .. 9 }, { columns: 1 .. 9 }]
    blanks: any
  - comments: \"//\"
  - grid: map
    rows: rows
    columns: columns
    cells: \".#\"
    blank lines: optional
last newline: optional
line ends: any
",
    );
    let options = Options::default();
    let plain = "1 2\n.#\n";
    for input in [
        plain,
        "1 2\n// a comment\n.#\n",
        "1   2 \n.#\n",
        "1 2\n\n.#\n",
        "1 2\n.#",
        "1 2\r\n.#\r\n",
    ] {
        assert_eq!(shape.size(input.as_bytes(), &options).unwrap(), 2, "{input:?}");
        if input != plain {
            let choices = shape.choices(input.as_bytes(), &options).unwrap();
            let smaller = shape.smaller(&choices, &options);
            let is_plainer = |bytes: &[u8]| bytes.len() < input.len() || input == "1 2\n.#";
            assert!(smaller.iter().any(|input| is_plainer(&input.bytes)), "{input:?}");
        }
    }
    let listed = shape.list(2, 10_000, &options);
    assert!(listed.is_whole);
    let inputs: Vec<_> = listed.inputs.iter().map(|input| text(&input.bytes)).collect();
    let is_plain = |input: &String| {
        input.ends_with('\n')
            && !["//", "  ", " \n", "\n\n", "\r"].iter().any(|noise| input.contains(noise))
    };
    let (first, others) = inputs.split_at(8);
    assert!(first.iter().all(is_plain) && !others.iter().any(is_plain), "{inputs:?}");
    assert!(
        ["//\n", " \n", "\n\n", "\r\n"]
            .iter()
            .all(|noise| { others.iter().any(|input| input.contains(noise)) })
    );
}

#[test]
fn other_letters_that_differ_in_their_case_from_usual_ones_come_first() {
    let shape =
        shape("input:\n  - lines: 1 .. 3\n    line: [{ kind: { letter: a-zA-Z, usual: hv } }]\n");
    let listed = shape.list(1, 100, &Options::default());
    let letters: Vec<_> = listed.inputs.iter().map(|input| text(&input.bytes)).collect();
    assert_eq!(letters[..4], ["h\n", "v\n", "H\n", "V\n"]);
}

#[test]
fn the_least_and_the_most_of_several_numbers_end_a_range() {
    let shape = shape(
        "input:
  - line: [{ n: 1 .. 9 }]
  - line: [{ a: \"1 .. min(3, n, 8 - n)\" }, { b: \"max(n - 1, 2) .. 9\" }]
  - require: max(a, b) == b
",
    );
    let check = |input: &str| shape.check(input.as_bytes(), &Options::default()).is_ok();
    assert!(check("5\n3 4\n") && check("1\n1 2\n") && check("6\n2 5\n"));
    assert!(!check("5\n4 4\n") && !check("6\n3 5\n") && !check("1\n1 1\n") && !check("5\n3 3\n"));
}

#[test]
fn a_field_may_have_the_name_of_a_function() {
    let shape = shape("- line: [{ min: 1 .. 3 }, { x: \"min .. max(min, 2)\" }]\n");
    let check = |input: &str| shape.check(input.as_bytes(), &Options::default()).is_ok();
    assert!(check("1 2\n") && check("3 3\n") && !check("2 3\n"));
    assert!(
        harness_shape::ctd::parse(b"INT(1, min(2, 3))").is_err(),
        "checktestdata has no functions"
    );
}

#[test]
fn what_is_only_accepted_is_read_but_never_made() {
    let shape = shape(
        "input:
  - line: [{ n: 1 .. 9 }, { k: 1 .. 9 }]
    blanks: accepted
  - comments: \"//\"
    blank lines: accepted
  - line: [{ x: 1 .. 9 }]
  - blank lines: accepted
last newline: accepted
line ends: accepted
",
    );
    let options = Options::default();
    let choices = |input: &str| shape.choices(input.as_bytes(), &options).unwrap();
    for (input, plain) in [
        (
            "1  2 
// a
3
",
            "1 2
// a
3
",
        ),
        (
            "1 2

// a
3

",
            "1 2
// a
3
",
        ),
        (
            "1 2
// a
3",
            "1 2
// a
3
",
        ),
        (
            "1 2
3
", "1 2
3
",
        ),
    ] {
        assert_eq!(wrong(&shape, input), None, "{input:?}");
        assert_eq!(choices(input), choices(plain), "{input:?}");
    }
    let listed = shape.list(3, 20_000, &options).inputs;
    let listed = listed.iter().map(|input| text(&input.bytes));
    let mut comments = 0;
    for input in drawn(&shape, 300).into_iter().chain(listed) {
        let lines: Vec<_> = input.lines().collect();
        assert!(input.ends_with('\n') && !input.contains('\r'), "{input:?}");
        assert!(lines.iter().all(|line| !line.is_empty()), "{input:?}");
        assert_eq!(lines[0].len(), 3, "{input:?}");
        comments += usize::from(lines.len() > 2);
    }
    assert!(comments > 0, "comments are promised");
    assert_eq!(
        mistake("input:\n  - line: [{ n: 1 .. 9 }]\nlast newline: maybe\n"),
        (3, 15, "expected `optional` or `accepted`".to_owned())
    );
}
