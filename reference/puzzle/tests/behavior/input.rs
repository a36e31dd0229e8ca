//! Valid inputs.

use crate::run::check;

const LIST: &str = "(^, (0, 0))\n(^, (0, 1))\n(^, (1, 1))\n";

#[test]
fn both_line_endings_and_extra_blanks_are_accepted() {
    for input in [
        "0 2 2\n@.\n#?\n",
        "0 2 2\r\n// crlf\r\n@.\r\n#?\r\n",
        "0 2 2\n@.\n#?",
        "0 2 2\n@.\n#?\r",
        "0 2 2 \n@.\n#?\n",
        " 0  2\t2\n@.\n#?\n",
        "0 2 2\n@.\n#?\n\n\r\n \n",
        "00 02 02\n@.\n#?\n",
    ] {
        check("-q -o list", input, LIST);
    }
}

#[test]
fn comments_may_contain_anything_and_are_not_printed() {
    check(
        "-q -o list",
        "0 2 2\n//\n//x + @ ? z\n// a comment much longer than the map is wide\n@.\n#?\n",
        LIST,
    );
    check("-q", "0 1 2\n// @?\n@?\n", "// color ^\n@?\n");
}
