//! C.

use super::tokens::{self, TokenKind};
use super::{Compiler, Grammar, HandedIn, LanguageRules, Made, Marks, Tool};
use std::path::{Path, PathBuf};

pub(super) const RULES: LanguageRules = LanguageRules {
    key: "c",
    extensions: &["c"],
    comment: "//",
    marks: Marks {
        name: "BUG",
        tokens: tokens::c,
        grammar: Grammar::C,
        forms: "write it as `BUG(\"id\") ? wrong : right`, or as the condition of an `if` with braces, alone or with `!`, `&&` and `||`",
        example: "first = {mark} ? wrong : right;",
    },
    library: ("subject.h", include_str!("../../../../subject/c/subject.h")),
    truth: ["1", "0"],
    uses: included,
    starts_by_name: false,
    keeps_file_names: false,
    takes_candidates: true,
    made: Made::Linked(Compiler {
        name: "cc",
        variable: "CC",
        standard: &[],
        libraries: &["-lm"],
        common: None,
    }),
    tools: &[Tool {
        what: "C compiler",
        name: "cc",
        remedy: "for example `apt-get install gcc libc6-dev`",
    }],
    packages: &[],
    handed_in: HandedIn {
        ending: ".c",
        has_makefile: true,
        is_native: true,
        files: &["*.c", "*.h", "Makefile", "test*.txt"],
    },
};

/// The headers that a file in C or C++ includes in quotes.
fn included(file: &Path, text: &str) -> Vec<PathBuf> {
    let tokens = tokens::c(text);
    let tokens: Vec<_> = tokens.iter().filter(|token| token.counts()).collect();
    let words = tokens.windows(3).filter(|words| {
        words[0].text(text) == "#"
            && words[1].text(text) == "include"
            && words[2].kind == TokenKind::Text
    });
    words.map(|words| file.with_file_name(words[2].text(text).trim_matches('"'))).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_headers_in_quotes_are_part_of_a_program() {
        let text =
            "#include <map>\n#include \"a.h\"\n// #include \"b.h\"\n#  include /* */ \"in/c.h\"\n";
        let found = included(Path::new("src/main.cpp"), text);
        assert_eq!(found, ["src/a.h", "src/in/c.h"].map(PathBuf::from));
    }
}
