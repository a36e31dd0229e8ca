//! Programs whose runs tell which lines they reach.

use super::language::{self, Build, builder};
use super::{Runnable, Variant, compiler, with_ending};
use crate::course::{Assignment, Course, Language};
use crate::diagnostic::Failure;
use crate::run::work::Work;
use std::path::{Path, PathBuf};

/// The program of the source `file`, if it is in C, C++ or Python, and the folder of what the compiler wrote about it, if there is one.
///
/// # Errors
/// If it does not compile.
pub(in crate::run) fn source(
    work: &Work,
    course: &Course,
    assignment: &Assignment,
    file: &Path,
) -> Result<Option<(Runnable, Option<PathBuf>)>, Failure> {
    let Some(given) = language::given(assignment, file) else { return Ok(None) };
    let build = Build::of_source(work, course, assignment, &given, Variant::Reference).traced();
    let notes = given.language.compiler().map(|_| build.objects());
    Ok(Some((build.program()?.hostile(), notes)))
}

/// The library of the reference, for unit tests, and the folder of what the compiler wrote about it.
///
/// # Errors
/// If it does not compile.
pub fn library(course: &Course, assignment: &Assignment) -> Result<(PathBuf, PathBuf), Failure> {
    let given = language::sources_of(assignment)?;
    let build = Build::new(course, assignment, given, Variant::Reference).traced();
    builder(build.language).build(&build)?;
    let notes = build.objects();
    Ok((build.output, notes))
}

/// The object with which any such program in C or C++ is linked.
///
/// # Errors
/// If it does not compile.
pub fn object(course: &Course, assignment: &Assignment) -> Result<PathBuf, Failure> {
    let words = ["cc", "-O2", "-fPIC"].map(str::to_owned);
    super::text::object(course, assignment, Language::C, &words, compiler::LINES_C)
}

impl Build<'_> {
    /// The same program, whose runs tell which lines they reach.
    fn traced(self) -> Self {
        Self { output: with_ending(&self.output, "-traced"), tells_lines: true, ..self }
    }
}
