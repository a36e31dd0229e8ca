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
    let run = run.exits(2);
    assert!(run.stdout.contains("│░░░│"), "{}", run.stdout);
    let errors: Vec<_> = run.stderr.lines().filter(|line| line.starts_with("error: ")).collect();
    assert_eq!(
        errors,
        [
            "error: `x` is not a hexadecimal digit",
            "error: room (2, 1) is open to the east, but the maze ends there"
        ]
    );
    assert!(run.stderr.contains("maze.txt:2:3"), "{}", run.stderr);
}

#[test]
fn a_broken_solution_is_not_drawn_and_each_flaw_has_its_line() {
    let (run, _folder) = view(&[("maze.txt", MAZE), ("path.txt", b"0, 0\n1, 1\nx\n2, 0\n")], &[]);
    let run = run.exits(2);
    assert_eq!(run.stdout, "");
    for fault in [
        "the route jumps from (0, 0) to (1, 1)",
        "expected a room `x, y`, found `x`",
        "the route jumps from (1, 1) to (2, 0)",
    ] {
        assert!(run.stderr.contains(&format!("error: {fault}\n")), "{}", run.stderr);
    }
    assert!(run.stderr.contains("path.txt:4"), "{}", run.stderr);
}

#[test]
fn the_start_and_the_end_of_a_solution_come_from_the_tests_name() {
    let walk = ("walk.txt", b"0, 0\n0, 1\n1, 1\n".as_slice());
    let (run, _folder) =
        view(&[("test-1-p-0-0-1-1.txt", MAZE), walk], &["--assignment", "maze-solver"]);
    run.exits(0);
    let (run, folder) =
        view(&[("test-1-p-0-0-2-1.txt", MAZE), walk], &["--assignment", "maze-solver"]);
    let expected = format!(
        "error: the route ends at (1, 1), not at the goal (2, 1)\n --> {}/walk.txt:3\n  |\n3 | 1, 1\n",
        path(&folder)
    );
    assert_eq!(run.exits(2).stderr, expected);
}

#[test]
fn an_unreachable_room_is_a_flaw_only_in_a_generated_maze() {
    let (run, _folder) = view(&[("maze.txt", b"f\nf\n")], &[]);
    run.exits(0);
    let (run, _folder) = view(&[("maze.txt", b"f\nf\n")], &["--assignment", "maze-generator"]);
    assert!(run.exits(2).stderr.starts_with("error: room (0, 1) can't be reached from (0, 0)\n"));
}

#[test]
fn a_picture_does_not_overwrite_a_file() {
    let (run, folder) = view(&[("maze.txt", MAZE)], &["--svg", "DIR/maze.svg"]);
    assert_eq!(run.exits(0).stdout, "");
    let svg = std::fs::read_to_string(folder.path().join("maze.svg")).unwrap();
    assert!(svg.starts_with("<svg ") && svg.ends_with("</svg>\n"));
    let (run, _folder) = view(&[("maze.txt", MAZE)], &["--svg", "DIR/maze.txt"]);
    run.exits(5);
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
    assert!(
        run.exits(2)
            .stderr
            .starts_with("error: the list enters the closed door A at row 0, column 2\n")
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
    assert!(
        run.exits(2)
            .stderr
            .starts_with("error: the path enters the wall at room 0, row 1, column 0\n")
    );
}

#[test]
fn the_error_for_an_input_that_cannot_be_drawn_says_what_to_do() {
    let (run, folder) = view(&[("notes.txt", b"hello, world\n")], &[]);
    let expected = format!(
        "error: cannot tell which assignment {}/notes.txt belongs to\nhint: choose one with --assignment\n",
        path(&folder)
    );
    assert_eq!(run.exits(2).stderr, expected);
    assert!(
        harness(&["view", "no-such-file"])
            .exits(2)
            .stderr
            .starts_with("error: there is no file no-such-file\nhint: ")
    );
}
