//! Java.

use super::{Grammar, HandedIn, LanguageRules, Made, Marks, Tool, tokens};

pub(super) const RULES: LanguageRules = LanguageRules {
    key: "java",
    extensions: &["java"],
    comment: "//",
    marks: Marks {
        name: "Bug.on",
        tokens: tokens::c,
        grammar: Grammar::C,
        forms: "write it as `Bug.on(\"id\") ? wrong : right`, or as the condition of an `if` with braces, alone or with `!`, `&&` and `||`",
        example: "first = {mark} ? wrong : right;",
    },
    library: ("Bug.java", include_str!("../../../../subject/java/Bug.java")),
    truth: ["true", "false"],
    // The course file lists every class.
    uses: |_, _| Vec::new(),
    starts_by_name: true,
    keeps_file_names: true,
    takes_candidates: false,
    made: Made::Classes,
    tools: &[
        Tool {
            what: "Java compiler",
            name: "javac",
            remedy: "for example `apt-get install default-jdk-headless`",
        },
        Tool {
            what: "Java",
            name: "java",
            remedy: "for example `apt-get install default-jre-headless`",
        },
    ],
    packages: &["default-jdk-headless"],
    handed_in: HandedIn {
        ending: ".java",
        has_makefile: false,
        is_native: false,
        files: &["*.java", "test*.txt"],
    },
};
