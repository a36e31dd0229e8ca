//! `harness explain FILE:CASE [MUTANT]`: shows which assertion of a test case fails on a mutant.

use super::{Explanation, find};
use crate::catalogue;
use crate::cli::Explain;
use crate::command::terminal;
use crate::course::{Assignment, Course, UnitTests};
use crate::diagnostic::progress::Progress;
use crate::diagnostic::similar_path;
use crate::diagnostic::{Failure, Problem};
use crate::exit::Exit;
use crate::files;
use crate::grading::test_case::TestCase;
use crate::run::prepare;
use crate::run::work::Work;
use crate::suite::layout;
use std::fs;
use std::path::{Path, PathBuf};

/// The file and the test case that `FILE:CASE` names. `None` if it is the path of a file itself, or names none.
pub(super) fn named(test: &Path) -> Option<(PathBuf, String)> {
    let text = test.to_str().filter(|_| !test.exists())?;
    let parts = text.match_indices(':').map(|(at, _)| (Path::new(&text[..at]), &text[at + 1..]));
    let (file, case) = parts.into_iter().find(|(file, _)| file.is_file())?;
    Some((file.to_owned(), case.to_owned()))
}

/// What to do about `FILE:CASE` if there is no such file: `score` prints no folder before it.
pub(super) fn hint_of_path(test: &Path, course: &Path) -> Option<String> {
    let (file, _) = test.to_str()?.split_once(':')?;
    let file = Path::new(file);
    let name = file.file_name()?.to_string_lossy();
    let course = Course::read(course).ok()?;
    if !course.assignments.iter().any(|it| it.unit.as_ref().is_some_and(|unit| unit.has(&name))) {
        return similar_path::hint(file);
    }
    let example = Path::new("student_tests").join(&*name);
    let example = if example.is_file() { example } else { Path::new("FOLDER").join(&*name) };
    Some(format!("the path of the file comes first, as in `{}:CASE`", example.display()))
}

/// The assignment whose own test cases are in this file.
pub(super) fn witnessed<'a>(course: &'a Course, file: &Path) -> Option<&'a Assignment> {
    let has = |it: &&Assignment| it.unit.as_ref().is_some_and(|unit| are_witnesses(unit, file));
    course.assignments.iter().find(has)
}

fn are_witnesses(unit: &UnitTests, file: &Path) -> bool {
    let whole = |path: &Path| path.canonicalize().ok();
    unit.witnesses.as_deref().and_then(whole).is_some_and(|it| Some(it) == whole(file))
}

pub(super) fn run(
    work: &Work,
    options: &Explain,
    file: &Path,
    case: &str,
) -> Result<Exit, Failure> {
    let course = Course::read(&options.course)?;
    let assignment = match witnessed(&course, file) {
        Some(assignment) => assignment,
        None => layout::assignment(files::folder_of(file), &course, options.assignment.as_deref())?,
    };
    let name = file.file_name().unwrap_or_default().to_string_lossy();
    let is_test = |unit: &&UnitTests| unit.has(&name) || are_witnesses(unit, file);
    let Some(unit) = assignment.unit.as_ref().filter(is_test) else {
        let message = format!("{} is no file of unit tests of `{}`", file.display(), assignment.id);
        let hint = "the key `tests` in harness.yaml says how such files are named";
        return Err(Failure::usage(Problem::new(message).hint(hint)));
    };
    terminal::warn_of_differences(&course, assignment)?;
    let mutants = prepare::written(&course, assignment, catalogue::read(assignment)?)?;
    let asked = options.mutant.as_ref().map(|id| find(id, &mutants)).transpose()?;
    let source = fs::read(file)
        .map_err(|error| Failure::machine(format!("read {}", file.display()), error))?;
    let progress = Progress::new("running the test case", None);
    let case = TestCase { file: &name, source: &source, name: case };
    let of = (&course, assignment);
    let run_on = match asked {
        Some(at) => (&mutants[at..=at], options.mutant.as_deref()),
        None => (&mutants[..], None),
    };
    let explained = case.explain(work, of, unit, run_on, prepare::jobs(None))?;
    drop(progress);
    let (name, engines) = (case.title(), Vec::new());
    let explanation =
        Explanation { options, file, name, assignment, mutants: &mutants, asked, engines };
    match explained {
        Ok(explained) => explanation.show(&explained),
        Err(rejected) => explanation.reject(rejected.problem, Vec::new(), rejected.code.as_bytes()),
    }
}
