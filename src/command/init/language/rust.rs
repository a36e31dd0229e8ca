//! A new course in Rust. It includes `subject`, so that it needs nothing else.

use super::{Language, Sample};

/// The library, in a workspace with what links it.
pub(in crate::command::init) const SUBJECT: [(&str, &str); 13] = [
    ("Cargo.toml", include_str!("../course/Cargo.toml.in")),
    (".gitignore", "/target\n"),
    ("subject/Cargo.toml", include_str!("../course/subject.toml.in")),
    ("subject/src/lib.rs", include_str!("../../../../crates/subject/src/lib.rs")),
    ("subject/src/case.rs", include_str!("../../../../crates/subject/src/case.rs")),
    ("subject/src/cycles.rs", include_str!("../../../../crates/subject/src/cycles.rs")),
    ("subject/src/direct.rs", include_str!("../../../../crates/subject/src/direct.rs")),
    ("subject/src/env.rs", include_str!("../../../../crates/subject/src/env.rs")),
    ("subject/src/index_set.rs", include_str!("../../../../crates/subject/src/index_set.rs")),
    ("subject/src/select.rs", include_str!("../../../../crates/subject/src/select.rs")),
    ("subject/src/wire.rs", include_str!("../../../../crates/subject/src/wire.rs")),
    ("subject/src/wire/codec.rs", include_str!("../../../../crates/subject/src/wire/codec.rs")),
    ("subject/src/worker.rs", include_str!("../../../../crates/subject/src/worker.rs")),
];

pub(super) const RUST: Language = Language {
    files: &[
        &SUBJECT,
        &[
            ("reference/tally/Cargo.toml", include_str!("../course/reference/tally/Cargo.toml.in")),
            ("reference/tally/src/main.rs", include_str!("../course/reference/tally/main.rs")),
        ],
    ],
    program: "cargo: reference/tally          # the crate of the reference; each mutant is one of its features",
    submission: "{ rust: tally.rs }     # what students hand in; rustc compiles it",
    reference: "`reference/tally`",
    mark: "`bug!`",
    beside: "`subject` is the library with `bug!`.",
    makefile: None,
    sample: Sample {
        file: "tally.rs",
        right: include_str!("../course/submissions/tally.rs"),
        slow: [
            "        result = result.max(numbers[at]);\n",
            "        let before = numbers[..=at].to_vec();\n        result = before.into_iter().max().unwrap_or(result);\n",
        ],
        wrong: ["let mut result = numbers[0];", "let mut result = 0;"],
        broken: ["let mut input = String::new();", "let mut input = String::new()"],
        compile: "",
    },
};
