//! Valid command lines, and the messages for invalid ones.

use crate::check::{SAMPLE, fails, run, solve};

const SOLVER_HINT: &str =
    "hint: usage: solver [--full] <maze file> <path file> <start x> <start y> <end x> <end y>\n";
const GENERATOR_HINT: &str =
    "hint: usage: generator [--seed <number>] [--size <width>x<height>] <maze file>\n";

#[test]
fn the_option_full_makes_the_solver_write_its_walk() {
    let args = ["--full", "maze.txt", "path.txt", "0", "0", "24", "9"];
    let walk = run(maze::solver, &args, SAMPLE.as_bytes()).files.remove("path.txt").unwrap();
    assert_eq!(walk, solve(maze::solver_full, SAMPLE.as_bytes(), (0, 0), (24, 9)).into_bytes());
    assert_ne!(walk, solve(maze::solver, SAMPLE.as_bytes(), (0, 0), (24, 9)).into_bytes());
}

#[test]
fn the_solver_takes_six_arguments() {
    solver_refuses(&[], "the solver takes six arguments, not 0");
    solver_refuses(
        &["maze.txt", "path.txt", "0", "0", "1"],
        "the solver takes six arguments, not 5",
    );
    solver_refuses(
        &["maze.txt", "path.txt", "0", "0", "1", "0", "0"],
        "the solver takes six arguments, not 7",
    );
    solver_refuses(&["--full", "maze.txt"], "the solver takes six arguments, not 1");
}

#[test]
fn positions_are_integers() {
    solver_refuses(
        &["maze.txt", "path.txt", "a", "0", "1", "0"],
        "the starting x-position 'a' is not an integer",
    );
    solver_refuses(
        &["maze.txt", "path.txt", "0", "", "1", "0"],
        "the starting y-position '' is not an integer",
    );
    solver_refuses(
        &["maze.txt", "path.txt", "0", "0", "1.0", "0"],
        "the ending x-position '1.0' is not an integer",
    );
    solver_refuses(
        &["maze.txt", "path.txt", "0", "0", "1", "0x1"],
        "the ending y-position '0x1' is not an integer",
    );
}

#[test]
fn positions_are_inside_the_maze() {
    outside(["25", "0", "0", "0"], "starting room 25, 0");
    outside(["0", "10", "0", "0"], "starting room 0, 10");
    outside(["-1", "0", "0", "0"], "starting room -1, 0");
    outside(["0", "0", "25", "9"], "ending room 25, 9");
    outside(["0", "0", "24", "10"], "ending room 24, 10");
    outside(["0", "0", "24", "-9"], "ending room 24, -9");
    outside(["0", "0", "0", "99999999999999999999"], "ending room 0, 9223372036854775807");
    outside(["-99999999999999999999", "0", "0", "0"], "starting room -9223372036854775808, 0");
}

#[test]
fn a_missing_maze_file_is_an_error() {
    fails(
        maze::solver,
        &["other.txt", "path.txt", "0", "0", "0", "0"],
        b"f",
        "cannot read 'other.txt': no such file\n",
    );
}

#[test]
fn the_generator_takes_the_name_of_a_file() {
    generator_refuses(&[], "the name of the maze file is missing");
    generator_refuses(&["a.txt", "b.txt"], "unexpected argument \"b.txt\"");
    generator_refuses(&["--walls", "a.txt"], "invalid option '--walls'");
}

#[test]
fn a_seed_is_a_number() {
    for seed in ["", "x", "-1", "1.5", "18446744073709551616"] {
        let message = format!("the seed '{seed}' is not a number from 0 to 18446744073709551615");
        generator_refuses(&["--seed", seed, "a.txt"], &message);
    }
    generator_refuses(&["a.txt", "--seed"], "missing argument for option '--seed'");
}

#[test]
fn a_size_is_two_positive_numbers() {
    for size in ["", "25", "0x10", "25x0", "-1x5", "25x10x2", "axb"] {
        let message = format!("the size '{size}' is not two positive numbers such as 25x10");
        generator_refuses(&["--size", size, "a.txt"], &message);
    }
}

#[test]
fn a_maze_too_large_for_memory_is_an_error() {
    for size in ["18446744073709551615x2", "4294967296x4294967295", "9223372036854775807x1"] {
        let message = format!("a maze of {size} rooms does not fit into memory\n");
        fails(maze::generator, &["--size", size, "a.txt"], b"", &message);
    }
}

#[test]
fn help_is_printed_and_nothing_is_written() {
    for (program, hint) in
        [(maze::solver as subject::Program, SOLVER_HINT), (maze::generator, GENERATOR_HINT)]
    {
        for option in ["--help", "-h"] {
            let run = run(program, &[option], b"");
            assert_eq!((run.status, run.stderr.as_str()), (0, ""));
            assert!(run.stdout.starts_with(hint.strip_prefix("hint: ").unwrap()), "{}", run.stdout);
            assert!(run.files.is_empty());
        }
    }
}

#[track_caller]
fn solver_refuses(args: &[&str], message: &str) {
    fails(maze::solver, args, SAMPLE.as_bytes(), &format!("{message}\n{SOLVER_HINT}"));
}

#[track_caller]
fn generator_refuses(args: &[&str], message: &str) {
    fails(maze::generator, args, b"", &format!("{message}\n{GENERATOR_HINT}"));
}

#[track_caller]
fn outside(numbers: [&str; 4], room: &str) {
    let args = [&["maze.txt", "path.txt"][..], &numbers].concat();
    fails(
        maze::solver,
        &args,
        SAMPLE.as_bytes(),
        &format!("the {room} is outside the maze of 25x10 rooms\n"),
    );
}
