//! `harness init DIR`: writes a course that builds, scores and grades at once.

mod language;
mod samples;
mod unit;

use super::companion;
use crate::cli::{Init, NewLanguage};
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
    let files = options.unit.map_or_else(|| files_of(options.language), unit::files);
    let written = files.iter().map(|(name, text)| (Path::new(name), text.as_str()));
    files::write_tree(folder, written)?;
    let folder = folder.display();
    let [then, next] = match options.unit {
        None => [
            "grade its sample submissions",
            &format!("grade --course {folder} {folder}/submissions/tally"),
        ],
        Some(_) => ["verify its mutants", &format!("mutants verify --course {folder}")],
    };
    writeln!(
        io::stdout(),
        "Wrote a new course to {folder}. Score its sample suite, and {then}:\n\n    harness score --course {folder} {folder}/student_tests\n    harness {next}"
    )
    .map_err(|error| Failure::unwritten("the next step", &error))?;
    Ok(Exit::Done)
}

/// The files of a course with a program in this language.
fn files_of(language: NewLanguage) -> Vec<(String, String)> {
    let language = Language::of(language);
    let fixed = SHARED.iter().chain(language.files.iter().copied().flatten());
    let fixed = fixed.map(|&(name, text)| (name.to_owned(), text.to_owned()));
    let written = language.written().into_iter().map(|(name, text)| (name.to_owned(), text));
    fixed.chain(written).chain(samples::files(&language.sample)).collect()
}
