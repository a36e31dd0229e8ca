//! Lists whose repetitions do not overlap.

use crate::described::{drawn, mistake, shape, text, wrong};
use harness_shape::random::Random;
use harness_shape::{Options, Shape};

/// The rectangles of an input, each as its row, column, width and height.
fn rectangles(input: &str) -> Vec<[i64; 4]> {
    let line = |line: &str| {
        let numbers: Vec<i64> = line.split(' ').map(|word| word.parse().unwrap()).collect();
        numbers.try_into().unwrap()
    };
    input.lines().map(line).collect()
}

fn overlap([row, column, width, height]: [i64; 4], other: [i64; 4]) -> bool {
    let [other_row, other_column, other_width, other_height] = other;
    row < other_row + other_height
        && other_row < row + height
        && column < other_column + other_width
        && other_column < column + width
}

/// How many rectangles overlap one before.
fn overlapping(rectangles: &[[i64; 4]]) -> usize {
    let overlaps = |at: &usize| rectangles[..*at].iter().any(|&one| overlap(one, rectangles[*at]));
    (0..rectangles.len()).filter(overlaps).count()
}

const BOARD: &str = "input:
  - lines: 0 .. 30
    line: [{ row: 1 .. 4 }, { column: 1 .. 4 }, { width: 1 .. 5 - column }, { height: 1 .. 5 - row }]
    apart: { row: height, column: width }
";

#[test]
fn rectangles_that_are_apart_never_overlap_and_fill_a_board() {
    let shape = shape(BOARD);
    let boards: Vec<_> = drawn(&shape, 300).iter().map(|input| rectangles(input)).collect();
    assert!(boards.iter().all(|board| overlapping(board) == 0));
    let covered = |board: &Vec<[i64; 4]>| {
        board.iter().map(|[_, _, width, height]| width * height).sum::<i64>()
    };
    assert!(boards.iter().any(|board| covered(board) == 16 && board.len() > 3));
    assert!(boards.iter().any(|board| (12..16).contains(&covered(board)) && board.len() > 5));
    let options = Options::default();
    let board = "1 1 2 2\n3 1 1 1\n4 4 1 1\n";
    assert_eq!(wrong(&shape, board), None);
    let choices = shape.choices(board.as_bytes(), &options).unwrap();
    let mut random = Random::new(1, 5);
    for _ in 0..300 {
        let near = shape.neighbour(&choices, &mut random, &options).unwrap();
        assert_eq!(overlapping(&rectangles(&text(&near.bytes))), 0, "{}", text(&near.bytes));
    }
    for smaller in shape.smaller(&choices, &options) {
        assert_eq!(overlapping(&rectangles(&text(&smaller.bytes))), 0);
    }
    assert_eq!(
        wrong(&shape, "1 1 2 2\n1 3 1 1\n2 2 1 1\n"),
        Some((
            3,
            4,
            "expected `column`, a number with which this overlaps none of those before it"
                .to_owned()
        ))
    );
}

#[test]
fn a_mistake_may_be_to_overlap_another() {
    let what = "one that overlaps another before it instead of one that does not";
    let options = Options::default();
    let mistaken = |shape: &Shape| -> Vec<_> {
        let draw = |seed| shape.draw_mistaken(&mut Random::new(seed, 5), &options).unwrap();
        let drawn = (0..300).map(draw);
        drawn.filter(|(_, mistake)| mistake.what == what).map(|(input, _)| text(&input)).collect()
    };
    let shape = shape(BOARD);
    let boards = mistaken(&shape);
    assert!(boards.len() > 3);
    for board in boards {
        // All else is right.
        assert_eq!(overlapping(&rectangles(&board)), 1, "{board}");
        let (_, _, message) = wrong(&shape, &board).unwrap();
        assert!(message.contains("overlaps none of those before it"), "{message}");
    }
    assert!(mistaken(&self::shape(&BOARD.replace("apart", "usually apart"))).is_empty());
}

#[test]
fn what_is_not_a_usual_number_ends_where_there_is_no_room() {
    let shape = shape(
        "input:
  - lines: 0 .. 9
    line:
      - row: { range: -1 .. 3, usual: 1 .. 3 }
      - column: { range: -1 .. 3, usual: 1 .. 2 }
    usually apart: { row: 1, column: 1 }
",
    );
    let options = Options::default();
    // There is no other usual column.
    let choices = shape.choices(b"-1 1\n-1 2\n", &options).unwrap();
    let mut random = Random::new(1, 5);
    for _ in 0..2000 {
        shape.neighbour(&choices, &mut random, &options).unwrap();
    }
}

#[test]
fn what_is_usually_apart_may_overlap_and_rarely_does() {
    let shape = shape(&BOARD.replace("apart", "usually apart"));
    assert_eq!(wrong(&shape, "1 1 2 2\n2 2 1 1\n"), None);
    let boards: Vec<_> = drawn(&shape, 300).iter().map(|input| rectangles(input)).collect();
    let count = boards.iter().filter(|board| overlapping(board) > 0).count();
    assert!((3..100).contains(&count), "{count} of 300");
}

#[test]
fn a_list_of_what_is_apart_has_each_input_once() {
    let shape = shape(
        "input:
  - lines: 0 .. 9
    line: [{ at: 1 .. 4 }]
    apart: { at: 2 }
",
    );
    let pairs = shape.list(2, 100, &Options::default());
    let pairs: Vec<_> = pairs.inputs.iter().map(|input| text(&input.bytes)).collect();
    assert_eq!(pairs, ["1\n3\n", "1\n4\n", "2\n4\n", "3\n1\n", "4\n1\n", "4\n2\n"]);
    assert!(shape.list(3, 100, &Options::default()).inputs.is_empty());
}

#[test]
fn fields_that_say_what_is_covered_are_numbers_of_the_list() {
    let with = |apart: &str| BOARD.replace("apart: { row: height, column: width }", apart);
    assert_eq!(
        mistake(&with("apart: { row: depth }")),
        (4, 19, "there is no field `depth` before this".to_owned())
    );
    assert_eq!(
        mistake(&with("apart: { row: height }\n    usually apart: { column: width }")),
        (5, 22, "use either `apart` or `usually apart`".to_owned())
    );
    let outside = "input:\n  - line: [{ n: 1 .. 2 }]\n  - lines: 1 .. 2\n    line: [{ x: 1 .. 2 }]\n    apart: { n: 1 }\n";
    assert_eq!(mistake(outside), (5, 14, "`n` is not a `range` in a line of this list".to_owned()));
}
