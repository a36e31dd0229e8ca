//! Compiles text that belongs to no file of the course, once.

use super::{failed, run, target_folder, unwritable, with_ending};
use crate::course::{Assignment, Course, Language};
use crate::diagnostic::Failure;
use crate::files;
use crate::hash::Digest;
use std::fs;
use std::path::PathBuf;
use std::process::Command;

/// The object of a source, which the words of `compiler` compile.
///
/// # Errors
/// If it does not compile.
pub fn object(
    course: &Course,
    assignment: &Assignment,
    language: Language,
    compiler: &[String],
    source: &str,
) -> Result<PathBuf, Failure> {
    compiled(course, assignment, compiler, source, language.extensions()[0], ".o")
}

/// A header in C++, beside which lies what the words of `compiler` make of it. If they also compile what includes it first, they need not
/// read it again.
///
/// # Errors
/// If it does not compile.
pub fn header(
    course: &Course,
    assignment: &Assignment,
    compiler: &[String],
    text: &str,
) -> Result<PathBuf, Failure> {
    let compiled = compiled(course, assignment, compiler, text, "hpp", ".hpp.gch")?;
    Ok(compiled.with_extension(""))
}

/// What the text of a file with an extension is compiled to, which has another ending. The compiler knows by the extension what it is.
fn compiled(
    course: &Course,
    assignment: &Assignment,
    compiler: &[String],
    text: &str,
    extension: &str,
    ending: &str,
) -> Result<PathBuf, Failure> {
    let folder = target_folder(course, assignment).join("unit");
    let path = folder.join(Digest::default().with(format!("{compiler:?}")).with(text).hex());
    let (source, made) = (path.with_extension(extension), with_ending(&path, ending));
    if made.is_file() {
        return Ok(made);
    }
    let what = format!("build the tests of `{}`", assignment.id);
    fs::create_dir_all(&folder)
        .and_then(|()| files::replace(&source, text.as_bytes()))
        .map_err(|error| unwritable(&what, &folder, &error))?;
    // Others may make the same.
    let place = tempfile::tempdir_in(&folder);
    let place = place.map_err(|error| unwritable(&what, &folder, &error))?;
    let unfinished = place.path().join("unfinished");
    let mut command = Command::new(&compiler[0]);
    command.args(&compiler[1..]).arg("-c").arg(&source).arg("-o").arg(&unfinished);
    let output = run(&mut command, &compiler[0])?;
    if !output.status.success() {
        return Err(failed(&what, &folder, &output.stderr));
    }
    fs::rename(unfinished, &made).map_err(|error| unwritable(&what, &folder, &error))?;
    Ok(made)
}
