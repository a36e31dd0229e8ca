//! The order of discovery, and the effects of a press.

use crate::run::check;
use std::fmt::Write;

#[track_caller]
fn check_path(args: &str, map: &str, path: &[&str]) {
    let mut list = String::new();
    for state in path {
        writeln!(list, "({}, ({}, {}))", &state[..1], &state[1..2], &state[2..]).unwrap();
    }
    check(args, map, &list);
}

#[test]
fn of_two_paths_the_queue_takes_the_one_that_was_tried_first() {
    check_path("-qo list", "0 2 2\n@.\n.?\n", &["^00", "^01", "^11"]);
    check_path("-qo list", "0 2 2\n.@\n?.\n", &["^01", "^11", "^10"]);
}

#[test]
fn the_stack_takes_the_last_step_that_was_tried() {
    check_path("-so list", "0 2 2\n@.\n.?\n", &["^00", "^10", "^11"]);
}

#[test]
fn the_target_ends_the_search_when_it_is_discovered() {
    check_path("-so list", "2 2 2\n.?\nb@\n", &["^11", "^01"]);
}

#[test]
fn traps_begin_inactive_and_close_every_door_once_they_are_active() {
    check_path("-qo list", "1 1 4\n@^.?\n", &["^00", "^01", "^02", "^03"]);
    check("-q", "1 1 5\n@a^A?\n", "No solution.\nDiscovered:\n@a^##\n");
    check_path("-qo list", "1 1 4\n@a^?\n", &["^00", "^01", "a01", "a02", "^02", "^03"]);
}

#[test]
fn a_button_must_be_pressed_even_if_no_door_matches_it() {
    check_path("-qo list", "3 1 3\n@b?\n", &["^00", "^01", "b01", "b02"]);
    check("-q", "2 1 5\naA@?b\n", "// color ^\naA@?b\n// color a\n...?b\n// color b\naA.?.\n");
}

#[test]
fn another_button_of_the_color_is_floor() {
    check_path("-qo list", "1 1 4\n@aa?\n", &["^00", "^01", "a01", "a02", "a03"]);
}

#[test]
fn a_door_opens_for_its_own_color_only() {
    check("-q", "2 1 4\n@aB?\n", "No solution.\nDiscovered:\n@a##\n");
    check_path("-qo list", "2 1 4\n@aA?\n", &["^00", "^01", "a01", "a02", "a03"]);
}

#[test]
fn the_edges_of_the_map_are_walls() {
    check("-q", "0 3 3\n..#\n@#.\n#.?\n", "No solution.\nDiscovered:\n..#\n@##\n###\n");
    check("-s", "0 3 3\n@.#\n.#.\n#.?\n", "No solution.\nDiscovered:\n@.#\n.##\n###\n");
}

#[test]
fn one_row_and_one_column_are_enough() {
    check_path("-so list", "0 3 1\n?\n.\n@\n", &["^20", "^10", "^00"]);
    check_path("-so list", "0 1 3\n?.@\n", &["^02", "^01", "^00"]);
}

#[test]
fn all_26_colors_and_none_work() {
    check_path("-qo list", "26 1 4\n@zZ?\n", &["^00", "^01", "z01", "z02", "z03"]);
    check_path("-qo list", "0 1 3\n@^?\n", &["^00", "^01", "^02"]);
}
