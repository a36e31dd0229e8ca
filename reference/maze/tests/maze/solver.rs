//! What the solver writes.

use crate::check::{Room, SAMPLE, generate, is_a_path, is_a_walk, rooms, solve};

/// Two rows of three rooms. East of the start is a dead end of two rooms, and south of it the goal.
const FORK: &str = "53b\n63b\n";

/// Four rooms without inner walls, so there are two paths between opposite rooms.
const LOOP: &str = "59\n6a\n";

#[test]
fn the_path_of_a_small_maze_is_written_from_start_to_goal() {
    assert_eq!(solve(maze::solver, FORK.as_bytes(), (0, 0), (2, 1)), "0, 0\n0, 1\n1, 1\n2, 1\n");
    assert_eq!(solve(maze::solver, FORK.as_bytes(), (2, 1), (0, 0)), "2, 1\n1, 1\n0, 1\n0, 0\n");
}

#[test]
fn the_walk_of_a_small_maze_has_the_dead_end_and_the_way_back_out_of_it() {
    let walk = "0, 0\n1, 0\n2, 0\n1, 0\n0, 0\n0, 1\n1, 1\n2, 1\n";
    assert_eq!(solve(maze::solver_full, FORK.as_bytes(), (0, 0), (2, 1)), walk);
}

#[test]
fn a_start_that_is_the_goal_is_one_line() {
    for program in [maze::solver, maze::solver_full] {
        assert_eq!(solve(program, b"f", (0, 0), (0, 0)), "0, 0\n");
        assert_eq!(solve(program, SAMPLE.as_bytes(), (24, 9), (24, 9)), "24, 9\n");
    }
}

#[test]
fn every_goal_of_the_sample_maze_is_reached_from_every_corner() {
    let goals = || (0..25).flat_map(|x| (0..10).map(move |y| (x, y)));
    for start in [(0, 0), (24, 0), (0, 9), (24, 9), (12, 5)] {
        for goal in goals() {
            both_are_right(SAMPLE, start, goal);
        }
    }
}

#[test]
fn a_maze_with_loops_is_solved() {
    for maze in [LOOP, "519\n40c\n62a\n", "5119\n400c\n400c\n622a\n"] {
        let (width, height) = (maze.find('\n').unwrap(), maze.lines().count());
        both_are_right(maze, (0, 0), (width - 1, height - 1));
        both_are_right(maze, (width - 1, 0), (0, height - 1));
        both_are_right(maze, (1, 1), (0, 0));
    }
}

#[test]
fn mazes_of_any_size_are_solved() {
    for (seed, (width, height)) in
        [(1, 1), (1, 9), (9, 1), (2, 2), (3, 8), (300, 2), (2, 300), (60, 70)]
            .into_iter()
            .enumerate()
    {
        let maze = generate(seed as u64, width, height);
        both_are_right(&maze, (0, 0), (width - 1, height - 1));
        both_are_right(&maze, (width / 2, height / 2), (0, height - 1));
    }
}

#[test]
fn a_path_of_half_a_million_rooms_overflows_nothing() {
    let maze = format!("7{}b\n", "3".repeat(500_000 - 2));
    assert_eq!(rooms(&solve(maze::solver, maze.as_bytes(), (0, 0), (499_999, 0))).len(), 500_000);
    assert_eq!(
        rooms(&solve(maze::solver_full, maze.as_bytes(), (0, 0), (499_999, 0))).len(),
        500_000
    );
}

#[track_caller]
fn both_are_right(maze: &str, start: Room, goal: Room) {
    is_a_path(&rooms(&solve(maze::solver, maze.as_bytes(), start, goal)), maze, start, goal);
    is_a_walk(&rooms(&solve(maze::solver_full, maze.as_bytes(), start, goal)), maze, start, goal);
}
