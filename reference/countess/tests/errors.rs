//! Castles that are rejected, and the position of the error.

mod run;

use run::rejects;

#[test]
fn the_header_is_checked() {
    for (input, message) in [
        ("", "line 1: the input mode is missing"),
        ("X\n1\n2\n", "line 1: the input mode must be M or L"),
        (" M\n1\n2\n", "line 1: the input mode must be M or L"),
        ("M\n", "line 2: the number of rooms is missing"),
        ("M\n0\n2\n", "line 2: the number of rooms must be from 1 to 10"),
        ("M\n11\n2\n", "line 2: the number of rooms must be from 1 to 10"),
        ("M\n-1\n2\n", "line 2: the number of rooms must be from 1 to 10"),
        ("M\n//\n2\n", "line 2: the number of rooms must be from 1 to 10"),
        ("M\n1\n", "line 3: the size of the rooms is missing"),
        ("M\n1\n0\n", "line 3: the size of the rooms must be a whole number from 1 up"),
        ("L\n1\n+2\n", "line 3: the size of the rooms must be a whole number from 1 up"),
        ("L\n1\n4294967296\n", "line 3: the size of the rooms must be a whole number from 1 up"),
        ("L\n1\n\n", "line 3: the size of the rooms must be a whole number from 1 up"),
        (
            "M\n10\n4294967295\n",
            "line 3: 10 rooms of 4294967295×4294967295 are more than fits into memory",
        ),
    ] {
        rejects("-q", input, message);
    }
}

#[test]
fn a_map_must_have_its_rows_and_no_others() {
    for (input, message) in [
        ("M\n1\n2\n", "line 3: the castle ends here, but room 0 has 0 of its 2 rows"),
        ("M\n2\n2\nS.\nC.\n..\n", "line 6: the castle ends here, but room 1 has 1 of its 2 rows"),
        ("M\n1\n2\nSC\n\n..\n", "line 5: the castle ends here, but room 0 has 1 of its 2 rows"),
        ("M\n1\n2\nSC\n.\n", "line 5, column 2: the row ends after 1 of its 2 tiles"),
        ("M\n1\n2\nSC.\n..\n", "line 4, column 3: the row goes on after its 2 tiles"),
        ("M\n1\n2\nSC \n..\n", "line 4, column 3: the row goes on after its 2 tiles"),
        ("M\n1\n2\nSC//\n..\n", "line 4, column 3: the row goes on after its 2 tiles"),
        ("M\n1\n2\nSC\n..\n..\n", "line 6: a row is left over after the last room"),
        ("M\n1\n2\nSC\n..\n\n..\n", "line 7: a row is left over after the last room"),
    ] {
        rejects("-s", input, message);
    }
}

#[test]
fn map_characters_are_checked_in_both_input_modes() {
    for (input, message) in [
        ("M\n1\n2\n//\nS.\nFC\n", "line 6, column 1: 'F' is not a map character"),
        ("M\n1\n2\nSx.\n..\n", "line 4, column 2: 'x' is not a map character"),
        ("M\n1\n2\nS.\r.\n", "line 4, column 3: the row goes on after its 2 tiles"),
        ("M\n1\n2\n /\n", "line 4, column 1: ' ' is not a map character"),
        ("L\n1\n2\n(0,0,1,F)\n", "line 4, column 8: 'F' is not a map character"),
        ("L\n1\n2\n(0,0,1,)\n", "line 4, column 8: ')' is not a map character"),
    ] {
        rejects("-s", input, message);
    }
    rejects("-q", b"M\n1\n2\nS\xe9\n.C\n", "line 4, column 2: '\\xe9' is not a map character");
}

#[test]
fn coordinates_must_exist() {
    for (line, message) in [
        ("(2,1,2,#)", "line 4, column 2: the room does not exist; the last is 1"),
        ("(1,4,2,.)", "line 4, column 4: the row does not exist; the last is 3"),
        ("(0,1,5,!)", "line 4, column 6: the column does not exist; the last is 3"),
        (
            "(0,99999999999999999999999999,5,!)",
            "line 4, column 4: the row does not exist; the last is 3",
        ),
    ] {
        rejects("-q", format!("L\n2\n4\n{line}\n(0,0,0,S)\n(0,0,1,C)\n"), message);
    }
}

#[test]
fn coordinates_must_be_well_formed() {
    for (line, message) in [
        ("0,1,2,#", "line 4, column 1: '(' is missing here"),
        (" (0,1,2,#)", "line 4, column 1: '(' is missing here"),
        ("(,1,2,#)", "line 4, column 2: the room must be a whole number"),
        ("(0,-1,2,#)", "line 4, column 4: the row must be a whole number"),
        ("(0, 1,2,#)", "line 4, column 4: the row must be a whole number"),
        ("(0,1,2#)", "line 4, column 7: ',' is missing here"),
        ("(0,1,2,", "line 4, column 8: the map character is missing"),
        ("(0,1,2,#", "line 4, column 9: ')' is missing here"),
        ("(0,1,2,##)", "line 4, column 9: ')' is missing here"),
        ("(0,1,2,#) ", "line 4, column 10: the line goes on after the coordinate"),
        ("(0,1,2,#)(0,1,3,#)", "line 4, column 10: the line goes on after the coordinate"),
    ] {
        rejects("-q", format!("L\n2\n4\n{line}\n(0,0,0,S)\n(0,0,1,C)\n"), message);
    }
}

#[test]
fn nothing_but_comments_may_follow_a_blank_line_of_a_list() {
    let message = "line 6: text after a blank line, which ends the castle";
    rejects("-q", "L\n1\n2\n(0,0,0,S)\n\n(0,0,1,C)\n", message);
}

#[test]
fn a_coordinate_listed_with_two_characters_is_rejected() {
    let message = "line 5, column 8: the same coordinate was given before, with '.'";
    rejects("-q", "L\n1\n2\n(0,0,0,.)\n(0,0,0,S)\n(0,0,1,C)\n", message);
}

#[test]
fn there_is_one_start_and_one_countess() {
    for (input, message) in [
        ("M\n1\n2\nC.\n..\n\n", "line 5: the castle has no start ('S')"),
        ("M\n1\n2\nS.\n..\n", "line 5: the castle has no Countess ('C')"),
        ("L\n1\n2\n", "line 3: the castle has no start ('S')"),
        ("L\n1\n2\n(0,0,0,S)\n//\n", "line 5: the castle has no Countess ('C')"),
        ("M\n1\n2\nSC\n.S\n", "line 5, column 2: a second 'S'; the first is in line 4"),
        ("M\n1\n2\nSC\nCC\n", "line 5, column 1: a second 'C'; the first is in line 4"),
        (
            "L\n1\n2\n(0,0,0,S)\n(0,0,1,C)\n(0,1,0,S)\n",
            "line 6, column 8: a second 'S'; the first is in line 4",
        ),
    ] {
        rejects("-q", input, message);
    }
}
