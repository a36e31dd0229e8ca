//! `harness init DIR`: writes a course that builds and scores at once.

use crate::cli::Init;
use crate::files;
use crate::problem::{Exit, Failure};
use std::io::{self, Write};
use std::path::Path;

/// Every file of a new course: its path and its contents. The course includes `subject`, so that it needs nothing else.
const FILES: &[(&str, &str)] = &[
    ("README.md", include_str!("init/course/README.md.in")),
    ("harness.yaml", include_str!("init/course/harness.yaml")),
    ("Cargo.toml", include_str!("init/course/Cargo.toml.in")),
    (".gitignore", "/target\n"),
    ("reference/tally/Cargo.toml", include_str!("init/course/reference/tally/Cargo.toml.in")),
    ("reference/tally/src/main.rs", include_str!("init/course/reference/tally/main.rs")),
    (
        "mutants/tally/max-starts-at-zero.yaml",
        include_str!("init/course/mutants/max-starts-at-zero.yaml"),
    ),
    (
        "mutants/tally/skips-the-first-number.yaml",
        include_str!("init/course/mutants/skips-the-first-number.yaml"),
    ),
    (
        "mutants/tally/stops-at-a-blank-line.yaml",
        include_str!("init/course/mutants/stops-at-a-blank-line.yaml"),
    ),
    ("student_tests/tally/test-1-m.txt", include_str!("init/course/tests/test-1-m.txt")),
    ("student_tests/tally/test-2-m.txt", include_str!("init/course/tests/test-2-m.txt")),
    ("student_tests/tally/test-3-s.txt", include_str!("init/course/tests/test-3-s.txt")),
    ("subject/Cargo.toml", include_str!("init/course/subject.toml.in")),
    ("subject/src/lib.rs", include_str!("../../subject/src/lib.rs")),
    ("subject/src/case.rs", include_str!("../../subject/src/case.rs")),
    ("subject/src/direct.rs", include_str!("../../subject/src/direct.rs")),
    ("subject/src/env.rs", include_str!("../../subject/src/env.rs")),
    ("subject/src/index_set.rs", include_str!("../../subject/src/index_set.rs")),
    ("subject/src/select.rs", include_str!("../../subject/src/select.rs")),
    ("subject/src/wire.rs", include_str!("../../subject/src/wire.rs")),
    ("subject/src/wire/codec.rs", include_str!("../../subject/src/wire/codec.rs")),
    ("subject/src/worker.rs", include_str!("../../subject/src/worker.rs")),
];

pub(super) fn run(options: &Init) -> Result<Exit, Failure> {
    let folder = &options.folder;
    files::write_tree(folder, FILES.iter().map(|(name, contents)| (Path::new(name), *contents)))?;
    let folder = folder.display();
    writeln!(
        io::stdout(),
        "Wrote a new course to {folder}. Score its sample suite:\n\n    harness score --course {folder} {folder}/student_tests"
    )
    .map_err(|error| Failure::unwritten("the next step", &error))?;
    Ok(Exit::Done)
}
