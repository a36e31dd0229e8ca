//! The program that unit tests of a new course test, in each language.

use crate::command::init::language::rust::SUBJECT;

/// A language. In the texts for the course file, a line ends where the next one begins.
pub(super) struct Language {
    /// The files of the program, in parts.
    pub(super) files: &'static [&'static [(&'static str, &'static str)]],
    /// `program` of the assignment, and the lines `references` and `compile`, if it has them.
    pub(super) program: &'static str,
    pub(super) references: &'static str,
    pub(super) compile: &'static str,
    /// What the README calls the program, what marks a bug in it, and what it says of the files beside it.
    pub(super) reference: &'static str,
    pub(super) mark: &'static str,
    pub(super) beside: &'static str,
}

pub(super) const CPP: Language = Language {
    files: &[&[
        (".gitignore", "/target\n"),
        ("measures.h", include_str!("measures.h")),
        ("measures.cpp", include_str!("measures.cpp")),
        ("also-right/measures.cpp", include_str!("also_right.cpp")),
    ]],
    program: "{ cpp: measures.cpp }",
    references: "    references: [also-right/measures.cpp]  # a test must pass on this program as well\n",
    compile: "      compile: { flags: [-std=c++17], with: [measures.h] }  # what the tests may include\n",
    reference: "`measures.cpp`",
    mark: "`BUG`",
    beside: "Students get `measures.h`.",
};

pub(super) const PYTHON: Language = Language {
    files: &[&[
        (".gitignore", "/target\n__pycache__/\n"),
        ("measures.py", include_str!("measures.py")),
        ("subject.py", include_str!("../../../../crates/subject/python/subject.py")),
        ("also-right/measures.py", include_str!("also_right.py")),
    ]],
    program: "{ python: measures.py }",
    references: "    references: [also-right/measures.py]  # a test must pass on this program as well\n",
    compile: "",
    reference: "`measures.py`",
    mark: "`bug`",
    beside: "`subject.py` defines `bug`.",
};

pub(super) const JAVA: Language = Language {
    files: &[&[
        (".gitignore", "/target\n*.class\n"),
        ("Measures.java", include_str!("Measures.java")),
        ("Bug.java", include_str!("../../../../crates/subject/java/Bug.java")),
        ("also-right/Measures.java", include_str!("AlsoRight.java")),
    ]],
    program: "{ java: Measures.java }",
    references: "    references: [also-right/Measures.java]  # a test must pass on this program as well\n",
    compile: "",
    reference: "`Measures.java`",
    mark: "`Bug.on`",
    beside: "`Bug.java` defines `Bug.on`.",
};

pub(super) const RUST: Language = Language {
    files: &[
        &SUBJECT,
        &[
            ("reference/measures/Cargo.toml", include_str!("Cargo.toml.in")),
            ("reference/measures/src/lib.rs", include_str!("measures.rs")),
        ],
    ],
    program: "{ cargo: reference/measures }",
    references: "",
    compile: "",
    reference: "`reference/measures`",
    mark: "`bug!`",
    beside: "`subject` is the library with `bug!`.",
};
