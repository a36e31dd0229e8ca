//! What the program prints for a castle that it accepts. Rejected castles are in `errors.rs`, the command line in `options.rs`.

mod run;

use run::{accepts, castle, run, run_on};
use std::io::BufReader;

const FIRST: &str = "\
M
2
4
//sample M mode input file with two 4x4 rooms
//castle room 0
.C..
....
...S
#.1#
//castle room 1
....
#...
.!..
#...
";

const FIRST_AS_A_LIST: &str = "\
L
2
4
//sample L mode input file, two 4x4 rooms
//castle room 0
(0,0,1,C)
(0,1,0,.)
(0,2,3,S)
(0,3,0,#)
(0,3,2,1)
(0,3,3,#)
//castle room 1
(1,1,0,#)
(1,2,1,!)
(1,3,0,#)
(1,3,3,.)
";

const APPENDIX: &str = "\
M
2
4
//sample where using warp pipe is required
//castle room 0
.S..
#...
..!.
#.1.
//castle room 1
.C..
.0..
.!..
#..#
";

const APPENDIX_AS_A_LIST: &str = "\
L
2
4
//sample where using warp pipe is required
//castle room 0
(0,0,1,S)
(0,1,0,#)
(0,2,2,!)
(0,3,0,#)
(0,3,2,1)
//castle room 1
(1,0,1,C)
(1,1,1,0)
(1,2,1,!)
(1,3,0,#)
(1,3,3,#)
";

#[test]
fn the_first_example_is_solved_with_a_queue() {
    for input in [FIRST, FIRST_AS_A_LIST] {
        let map = "\
Start in room 0, row 2, column 3
//castle room 0
.Cww
...n
...n
#.1#
//castle room 1
....
#...
.!..
#...
";
        accepts("-qoM", input, map);
        accepts("-qoL", input, "Path taken:\n(0,2,3,n)\n(0,1,3,n)\n(0,0,3,w)\n(0,0,2,w)\n");
    }
}

#[test]
fn the_first_example_is_solved_with_a_stack() {
    for input in [FIRST, FIRST_AS_A_LIST] {
        let map = "\
Start in room 0, row 2, column 3
//castle room 0
eC..
n...
nwww
#.1#
//castle room 1
....
#...
.!..
#...
";
        accepts("-soM", input, map);
        let list =
            "Path taken:\n(0,2,3,w)\n(0,2,2,w)\n(0,2,1,w)\n(0,2,0,n)\n(0,1,0,n)\n(0,0,0,e)\n";
        accepts("-soL", input, list);
    }
}

#[test]
fn the_example_of_the_appendix_is_solved_with_a_queue() {
    for input in [APPENDIX, APPENDIX_AS_A_LIST] {
        let map = "\
Start in room 0, row 0, column 1
//castle room 0
.s..
#s..
.s!.
#ep.
//castle room 1
.Cw.
.0n.
.!n.
#.n#
";
        accepts("-qoM", input, map);
        let list = "\
Path taken:
(0,0,1,s)
(0,1,1,s)
(0,2,1,s)
(0,3,1,e)
(0,3,2,p)
(1,3,2,n)
(1,2,2,n)
(1,1,2,n)
(1,0,2,w)
";
        accepts("-qoL", input, list);
    }
}

#[test]
fn the_example_of_the_appendix_is_solved_with_a_stack() {
    for input in [APPENDIX, APPENDIX_AS_A_LIST] {
        let map = "\
Start in room 0, row 0, column 1
//castle room 0
.s..
#s..
.s!.
#ep.
//castle room 1
.Cww
.0.n
.!en
#.n#
";
        accepts("-soM", input, map);
        let list = "\
Path taken:
(0,0,1,s)
(0,1,1,s)
(0,2,1,s)
(0,3,1,e)
(0,3,2,p)
(1,3,2,n)
(1,2,2,e)
(1,2,3,n)
(1,1,3,n)
(1,0,3,w)
(1,0,2,w)
";
        accepts("-soL", input, list);
    }
}

#[test]
fn a_castle_without_a_path_prints_only_the_number_of_discovered_tiles() {
    let input = "M\n1\n3\n// A map with no solution\n//castle room 0\nS#C\n.#!\n...\n";
    for options in ["-qoM", "-qoL", "-soM", "-soL"] {
        accepts(options, input, "No solution, 5 tiles discovered.\n");
    }
}

#[test]
fn a_start_that_is_walled_in_discovers_itself() {
    accepts("-q", &castle(2, &["S##C"]), "No solution, 1 tiles discovered.\n");
    accepts("-s", "M\n2\n1\nS\nC\n", "No solution, 1 tiles discovered.\n");
}

#[test]
fn a_pipe_to_a_missing_room_is_discovered_but_leads_nowhere() {
    accepts("-q", &castle(2, &["S1#C"]), "No solution, 2 tiles discovered.\n");
    accepts("-s", &castle(2, &["S9#C"]), "No solution, 2 tiles discovered.\n");
}

#[test]
fn a_pipe_cannot_lead_to_a_wall_or_a_minion() {
    accepts("-q", &castle(2, &["S1#.", ".#.C"]), "No solution, 2 tiles discovered.\n");
    accepts("-q", &castle(2, &["S1#.", ".!.C"]), "No solution, 2 tiles discovered.\n");
}

#[test]
fn pipes_are_followed_from_one_to_the_next() {
    let input = castle(2, &["S2..", "...C", "91..", ".8#."]);
    accepts("-qoL", &input, "Path taken:\n(0,0,0,e)\n(0,0,1,p)\n(2,0,1,p)\n(1,0,1,s)\n");
}

#[test]
fn a_pipe_may_lead_onto_the_countess() {
    accepts("-soL", &castle(2, &["S1..", ".C.."]), "Path taken:\n(0,0,0,e)\n(0,0,1,p)\n");
}

#[test]
fn a_search_through_pipes_in_a_circle_or_to_their_own_room_ends() {
    accepts("-q", &castle(2, &["S1##", "#0#C"]), "No solution, 3 tiles discovered.\n");
    accepts("-s", &castle(2, &["S0#C"]), "No solution, 2 tiles discovered.\n");
}

#[test]
fn a_path_leaves_a_pipe_by_the_pipe_it_came_through() {
    // The pipes of rooms 0 and 1 both lead to the same tile of room 2; only that of room 1 can be reached.
    let input = castle(3, &["####2#S1#", "####2....", "C........", "........."]);
    accepts(
        "-qoL",
        &input,
        "Path taken:\n(0,2,0,e)\n(0,2,1,p)\n(1,2,1,n)\n(1,1,1,p)\n(2,1,1,n)\n(2,0,1,w)\n",
    );
}

#[test]
fn rooms_do_not_touch_and_rows_do_not_wrap() {
    accepts("-q", &castle(2, &["##S#", "C#.."]), "No solution, 1 tiles discovered.\n");
    accepts("-q", &castle(2, &["#SC#"]), "No solution, 1 tiles discovered.\n");
}

#[test]
fn comments_may_stand_anywhere_after_the_third_line() {
    let list = "Path taken:\n(0,0,0,e)\n(0,0,1,s)\n";
    accepts(
        "-qoL",
        "M\n1\n2\n//\n// S C\nS.\n// in a room\n//\n#C\n//at the end\n\n//after a blank line\n",
        list,
    );
    accepts(
        "-qoL",
        "L\n1\n2\n//(0,0,0,C)\n(0,0,0,S)\n//\n//\n(0,1,1,C)\n(0,1,0,#)\n//at the end\n\n//after a blank line\n",
        list,
    );
}

#[test]
fn blank_lines_at_the_end_are_ignored() {
    accepts("-qoL", "M\n1\n2\nS.\n#C\n\n \t\n\n", "Path taken:\n(0,0,0,e)\n(0,0,1,s)\n");
    accepts("-qoL", "L\n1\n2\n(0,0,0,S)\n(0,0,1,C)\n\n \t\n\n", "Path taken:\n(0,0,0,e)\n");
}

#[test]
fn both_line_endings_a_missing_last_one_and_blanks_in_the_header_are_accepted() {
    let map = "Start in room 0, row 0, column 0\n//castle room 0\ns.\nC#\n";
    for input in [
        "M\r\n1\r\n2\r\n//c\r\nS.\r\nC#\r\n\r\n",
        "M\n1\n2\nS.\nC#",
        "M \n1\t\n2  \nS.\nC#\n",
        "M\r\n1\r\n2\r\nS.\r\nC#\r",
    ] {
        accepts("-s", input, map);
    }
    for input in [
        "L\r\n1\r\n2\r\n(0,0,0,S)\r\n(0,1,0,C)\r\n(0,1,1,#)\r\n",
        "L\n1\n2\n(0,0,0,S)\n(0,1,1,#)\n(0,1,0,C)",
    ] {
        accepts("-s", input, map);
    }
}

#[test]
fn coordinates_come_in_any_order_and_may_state_what_is_floor() {
    let input = "L\n2\n2\n(1,1,1,!)\n(0,0,1,C)\n(0,1,0,.)\n(1,0,0,7)\n(0,0,0,S)\n(0,0,0,S)\n";
    accepts(
        "-q",
        input,
        "Start in room 0, row 0, column 0\n//castle room 0\neC\n..\n//castle room 1\n7.\n.!\n",
    );
}

#[test]
fn ten_rooms_and_rows_of_two_digits_are_printed_in_decimal() {
    let input = "L\n10\n12\n(9,11,10,S)\n(9,11,11,C)\n";
    accepts("-qoL", input, "Path taken:\n(9,11,10,e)\n");
}

#[test]
fn a_large_open_room_makes_the_container_grow() {
    let size = 300;
    let input = format!("L\n1\n{size}\n(0,150,150,S)\n(0,0,0,C)\n(0,0,1,#)\n(0,1,0,#)\n");
    for options in ["-q", "-s"] {
        accepts(options, &input, &format!("No solution, {} tiles discovered.\n", size * size - 3));
    }
}

#[test]
fn the_size_of_the_reads_does_not_matter() {
    for input in [FIRST, FIRST_AS_A_LIST, APPENDIX, APPENDIX_AS_A_LIST] {
        for size in 1..20 {
            let mut pieces = BufReader::with_capacity(size, input.as_bytes());
            assert_eq!(run_on("-soM", &mut pieces), run("-soM", input.as_bytes()));
        }
    }
}
