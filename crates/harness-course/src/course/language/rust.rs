//! Rust. Programs in it are crates, which Cargo builds.

use super::{Grammar, HandedIn, Marks, tokens};

pub const MARKS: Marks = Marks {
    name: "bug!",
    tokens: tokens::rust,
    grammar: Grammar::Rust,
    forms: "write it as the condition of an `if` or of an arm, alone or with `!`, `&&` and `||`",
    example: "let first = if {mark} { wrong } else { right };",
};

pub(in crate::course) const HANDED_IN: HandedIn =
    HandedIn { ending: ".rs", has_makefile: false, is_native: true, files: &["*.rs", "test*.txt"] };
