//! How a path looks on the maps.

use crate::run::check;

#[test]
fn there_is_one_map_for_each_legal_color_and_the_start_is_on_the_first_only() {
    check("-q", "2 1 3\n@.?\n", "// color ^\n@+?\n// color a\n..?\n// color b\n..?\n");
}

#[test]
fn a_path_may_cross_the_start_in_another_color() {
    check("-q", "1 1 4\na@A?\n", "// color ^\n%@A?\n// color a\n@++?\n");
}

#[test]
fn the_press_of_a_trap_is_drawn_like_any_other() {
    check("-q", "1 1 4\n@a^?\n", "// color ^\n@%@?\n// color a\n.@%?\n");
}

#[test]
fn an_inactive_button_on_the_path_is_drawn_as_floor() {
    check("-q", "1 1 5\n@^aa?\n", "// color ^\n@+%a?\n// color a\n.^@+?\n");
}

#[test]
fn off_the_path_only_what_is_open_and_inactive_becomes_floor() {
    check(
        "-q",
        "2 2 5\n@?#AB\n#^ab^\n",
        "// color ^\n@?#AB\n#.ab.\n// color a\n.?#.B\n#^.b^\n// color b\n.?#A.\n#^a.^\n",
    );
}

#[test]
fn without_a_solution_a_place_counts_if_it_was_discovered_in_any_color() {
    check("-so list", "2 2 5\nb@B#?\n.A#B#\n", "No solution.\nDiscovered:\nb@B##\n.####\n");
}
