//! `harness view`.

use super::{folder, harness, path};

const MAZE: &[u8] = b"53b\n63b\n";
const WALK: &[u8] = b"0, 0\n1, 0\n2, 0\n1, 0\n0, 0\n0, 1\n1, 1\n";

fn view(files: &[(&str, &[u8])], options: &[&str]) -> (super::Run, tempfile::TempDir) {
    let folder = folder(files);
    let mut args = vec!["view".to_owned()];
    args.extend(files.iter().map(|(name, _)| format!("{}/{name}", path(&folder))));
    args.extend(options.iter().map(|&option| option.replace("DIR", path(&folder))));
    let args: Vec<_> = args.iter().map(String::as_str).collect();
    (harness(&args), folder)
}

#[test]
fn a_maze_is_drawn_with_the_whole_walk_without_a_terminal() {
    let (run, _folder) = view(&[("maze.txt", MAZE), ("walk.txt", WALK)], &[]);
    let expected = "\
┌───────────┐
│ S ◦ ◦ ◦ ◦ │
│ • ╶───────┤
│ • • G     │
└───────────┘
";
    assert_eq!(run.exits(0).stdout, expected);
}

#[test]
fn a_broken_maze_is_drawn_and_its_flaws_are_listed() {
    let (run, _folder) = view(&[("maze.txt", b"53b\n6x3\n")], &[]);
    let run = run.fails(
        2,
        "\
error: `x` is not a hexadecimal digit
 --> [..]/maze.txt:2:2
  |
2 | 6x3
  |  ^
error: room (2, 1) is open to the east, but the maze ends there
 --> [..]/maze.txt:2:3
  |
2 | 6x3
  |   ^
",
    );
    assert!(run.stdout.contains("│░░░│"), "{}", run.stdout);
}

#[test]
fn a_broken_solution_is_not_drawn_and_each_flaw_has_its_line() {
    let (run, _folder) = view(&[("maze.txt", MAZE), ("path.txt", b"0, 0\n1, 1\nx\n2, 0\n")], &[]);
    let run = run.fails(
        2,
        "\
error: the route jumps from (0, 0) to (1, 1)
 --> [..]/path.txt:2
  |
2 | 1, 1
error: expected a room `x, y`, found `x`
 --> [..]/path.txt:3
  |
3 | x
error: the route jumps from (1, 1) to (2, 0)
 --> [..]/path.txt:4
  |
4 | 2, 0
",
    );
    assert_eq!(run.stdout, "");
}

#[test]
fn the_start_and_the_end_of_a_solution_come_from_the_tests_name() {
    let walk = ("walk.txt", b"0, 0\n0, 1\n1, 1\n".as_slice());
    let (run, _folder) =
        view(&[("test-1-p-0-0-1-1.txt", MAZE), walk], &["--assignment", "maze-solver"]);
    run.exits(0);
    let (run, _folder) =
        view(&[("test-1-p-0-0-2-1.txt", MAZE), walk], &["--assignment", "maze-solver"]);
    run.fails(
        2,
        "\
error: the route ends at (1, 1), not at the goal (2, 1)
 --> [..]/walk.txt:3
  |
3 | 1, 1
",
    );
}

#[test]
fn an_unreachable_room_is_a_flaw_only_in_a_generated_maze() {
    let (run, _folder) = view(&[("maze.txt", b"f\nf\n")], &[]);
    run.exits(0);
    let (run, _folder) = view(&[("maze.txt", b"f\nf\n")], &["--assignment", "maze-generator"]);
    run.fails(
        2,
        "\
error: room (0, 1) cannot be reached from (0, 0)
 --> [..]/maze.txt:2:1
  |
2 | f
  | ^
",
    );
}

#[test]
fn a_picture_does_not_overwrite_a_file() {
    let (run, folder) = view(&[("maze.txt", MAZE)], &["--svg", "DIR/maze.svg"]);
    assert_eq!(run.exits(0).stdout, "");
    let svg = std::fs::read_to_string(folder.path().join("maze.svg")).unwrap();
    assert!(svg.starts_with("<svg ") && svg.ends_with("</svg>\n"));
    let (run, _folder) = view(&[("maze.txt", MAZE)], &["--svg", "DIR/maze.txt"]);
    run.fails(
        5,
        "\
error: cannot write [..]/maze.txt: File exists (os error 17)
hint: name a new file; existing files are never overwritten
",
    );
}

#[test]
fn a_puzzle_map_is_recognized_and_its_list_output_is_checked_and_drawn() {
    let map = ("map.txt", b"1 2 3\n@aA\n.#?\n".as_slice());
    let list = b"(^, (0, 0))\n(^, (0, 1))\n(a, (0, 1))\n(a, (0, 2))\n(a, (1, 2))\n";
    let (run, _folder) = view(&[map, ("list.txt", list)], &[]);
    assert_eq!(
        run.exits(0).stdout,
        "┌───────┐\n│ @ a A │\n│   ██? │\n└───────┘\ncolor a, state 5 of 5\n"
    );
    let (run, _folder) =
        view(&[map, ("list.txt", b"(^, (0, 0))\n(^, (0, 1))\n(^, (0, 2))\n(^, (1, 2))\n")], &[]);
    run.fails(
        2,
        "\
error: the list enters the closed door A at row 0, column 2
 --> [..]/list.txt:3
  |
3 | (^, (0, 2))
",
    );
}

#[test]
fn boards_and_castles_are_recognized_and_their_answers_drawn() {
    let board = ("board.txt", b"3 2\n2 1 1 1 h\n2 2 1 1 v\n".as_slice());
    let moves = b"****\n*  *\n*Z1*\n*  *\n****\n1. Piece 1 up 1 space\n2. Piece Z right 1 space\n****\n* 1*\n* Z*\n*  *\n****\n";
    let (run, _folder) = view(&[board, ("moves.txt", moves)], &[]);
    assert_eq!(run.exits(0).stdout, "┌─────┐\n│ · 1 │\n│ · Z │\n│ · · │\n└─────┘\n2. Z right 1\n");
    let castle = ("castle.txt", b"M\n1\n2\nS.\n#C\n".as_slice());
    let (run, _folder) = view(&[castle, ("list.txt", b"Path taken:\n(0,0,0,e)\n(0,0,1,s)\n")], &[]);
    assert_eq!(run.exits(0).stdout, "┌─0───┐\n│ S • │\n│ ██C │\n└─────┘\n");
    let (run, _folder) = view(&[castle, ("list.txt", b"Path taken:\n(0,0,0,s)\n")], &[]);
    run.fails(
        2,
        "\
error: the path enters the wall at room 0, row 1, column 0
 --> [..]/list.txt:2
  |
2 | (0,0,0,s)
error: [..]/list.txt: the path does not reach the Countess
",
    );
}

#[test]
fn the_error_for_an_input_that_cannot_be_drawn_says_what_to_do() {
    let (run, _folder) = view(&[("notes.txt", b"hello, world\n")], &[]);
    run.fails(
        2,
        "\
error: cannot tell which assignment [..]/notes.txt belongs to
hint: choose one with --assignment
",
    );
    harness(&["view", "no-such-file"]).fails(
        2,
        "error: there is no file no-such-file\nhint: give the path of a file, or `-` for standard input\n",
    );
}

#[test]
fn a_picture_has_colours_if_they_are_asked_for() {
    let map = "student_tests/puzzle/test-1-qm.txt";
    let plain = harness(&["view", map]).exits(0).stdout;
    let coloured = harness(&["view", map, "--color", "always"]).exits(0).stdout;
    assert!(!plain.contains('\u{1b}') && coloured.contains("\u{1b}["), "{coloured}");
    assert_eq!(anstream::adapter::strip_str(&coloured).to_string(), plain);
}
