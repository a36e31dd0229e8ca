//! `harness init DIR`: writes a course that builds, scores and grades at once.

mod language;
mod samples;

use super::companion;
use crate::cli::Init;
use crate::diagnostic::Failure;
use crate::exit::Exit;
use crate::files;
use language::Language;
use std::io::{self, Write};
use std::path::Path;

/// The files of every new course: the mutants, the shape, the sample suite, and the cases of what students hand in.
const SHARED: &[(&str, &str)] = &[
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
    ("cases/tally/cases.yaml", include_str!("init/course/cases.yaml")),
    ("shapes/tally.yaml", include_str!("init/course/shape.yaml")),
    ("student_tests/tally/test-1-m.txt", include_str!("init/course/tests/test-1-m.txt")),
    ("student_tests/tally/test-2-m.txt", include_str!("init/course/tests/test-2-m.txt")),
    ("student_tests/tally/test-3-s.txt", include_str!("init/course/tests/test-3-s.txt")),
];

pub(super) fn run(options: &Init) -> Result<Exit, Failure> {
    let folder = &options.folder;
    if options.from.is_some() {
        return Err(companion::AUTHOR.start());
    }
    let language = Language::of(options.language);
    let written = language.written();
    let fixed =
        SHARED.iter().chain(language.files).map(|&(name, contents)| (Path::new(name), contents));
    let written = written.iter().map(|(name, text)| (Path::new(*name), text.as_str()));
    let samples = samples::files(&language.sample);
    let samples = samples.iter().map(|(name, text)| (Path::new(name), text.as_str()));
    files::write_tree(folder, fixed.chain(written).chain(samples))?;
    let folder = folder.display();
    writeln!(
        io::stdout(),
        "Wrote a new course to {folder}. Score its sample suite, and grade its sample submissions:\n\n    harness score --course {folder} {folder}/student_tests\n    \
         harness grade --course {folder} {folder}/submissions/tally"
    )
    .map_err(|error| Failure::unwritten("the next step", &error))?;
    Ok(Exit::Done)
}
