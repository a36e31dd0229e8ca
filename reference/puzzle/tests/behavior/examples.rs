//! The examples of the specification, byte for byte.

use crate::run::check;

const SIMPLE: &str = "\
2 4 7
// A simple example puzzle
// 2 colors (A, B)
// 4x7 grid
@..A..b
.a.#B##
####...
?..B.^^
";

#[test]
fn the_queue_lists_its_path() {
    let states = [
        "(^, (0, 0))",
        "(^, (0, 1))",
        "(^, (1, 1))",
        "(a, (1, 1))",
        "(a, (0, 1))",
        "(a, (0, 2))",
        "(a, (0, 3))",
        "(a, (0, 4))",
        "(a, (0, 5))",
        "(a, (0, 6))",
        "(b, (0, 6))",
        "(b, (0, 5))",
        "(b, (0, 4))",
        "(b, (1, 4))",
        "(b, (2, 4))",
        "(b, (3, 4))",
        "(b, (3, 3))",
        "(b, (3, 2))",
        "(b, (3, 1))",
        "(b, (3, 0))",
    ];
    check("--queue --output list", SIMPLE, &(states.join("\n") + "\n"));
}

#[test]
fn the_queue_draws_its_path() {
    check(
        "-qo map",
        SIMPLE,
        "\
// color ^
@+.A..b
.%.#B##
####...
?..B...
// color a
.+++++%
.@.#B##
####...
?..B.^^
// color b
...A++@
.a.#+##
####+..
?++++^^
",
    );
}

#[test]
fn the_stack_draws_its_path() {
    check(
        "--stack",
        SIMPLE,
        "\
// color ^
@..A..b
+%.#B##
####...
?..B...
// color a
..++++%
.@+#B##
####...
?..B.^^
// color b
...A++@
.a.#+##
####+..
?++++^^
",
    );
}

#[test]
fn without_a_path_every_mode_prints_the_discovered_tiles() {
    let discovered = "\
No solution.
Discovered:
@..A..b
.a.#B##
####...
####.^^
";
    for tile in ["#", "A"] {
        let map = SIMPLE.replace("?..B", &format!("?..{tile}"));
        for args in ["-q", "-s", "-qo list", "-so map"] {
            check(args, &map, discovered);
        }
    }
}
