//! What the generator writes.

use crate::check::{SAMPLE, generate, is_a_maze, run};

#[test]
fn the_sample_maze_passes_the_check() {
    is_a_maze(SAMPLE, 25, 10);
}

#[test]
fn a_maze_has_25_by_10_rooms_and_differs_each_time() {
    let mazes: Vec<_> = (0..3)
        .map(|_| run(maze::generator, &["new.txt"], b"").files.remove("new.txt").unwrap())
        .collect();
    for maze in &mazes {
        is_a_maze(str::from_utf8(maze).unwrap(), 25, 10);
    }
    assert!(mazes[0] != mazes[1] && mazes[1] != mazes[2] && mazes[0] != mazes[2]);
}

#[test]
fn the_maze_of_a_seed_is_the_same_everywhere() {
    assert_eq!(generate(7, 8, 4), SEED_7);
    assert_ne!(generate(8, 8, 4), SEED_7);
}

const SEED_7: &str = "\
7395139d
53aecdcc
6339cccc
7332a62a
";

#[test]
fn mazes_of_any_size_are_right() {
    for (width, height) in
        [(1, 1), (1, 2), (2, 1), (1, 40), (40, 1), (2, 2), (7, 3), (300, 3), (3, 300), (120, 90)]
    {
        for seed in 0..5 {
            is_a_maze(&generate(seed, width, height), width, height);
        }
    }
}

#[test]
fn the_walk_leaves_the_corner_in_both_directions() {
    let mut mazes: Vec<_> = (0..100).map(|seed| generate(seed, 2, 2)).collect();
    mazes.sort();
    mazes.dedup();
    assert_eq!(mazes, ["79\n7a\n", "dd\n6a\n"]);
}

#[test]
fn the_largest_and_smallest_seeds_are_seeds() {
    for seed in [0, u64::MAX] {
        is_a_maze(&generate(seed, 25, 10), 25, 10);
    }
}
