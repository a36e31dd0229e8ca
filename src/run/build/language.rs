//! Building programs from source files, without commands in the course file.

use super::{Runnable, Variant, describe, failed, run, target_folder, unwritable};
use crate::course::{Assignment, Course, Language, Sources};
use crate::files;
use crate::problem::{Failure, Problem};
use std::fs;
use std::path::Path;
use std::process::Command;
use std::sync::Mutex;

/// What programs include.
const SUBJECT_H: &str = include_str!("../../../subject/c/subject.h");

/// One build at a time: several variants may be the same file.
static BUILDING: Mutex<()> = Mutex::new(());

pub(super) fn build(
    course: &Course,
    assignment: &Assignment,
    sources: &Sources,
    variant: Variant<'_>,
) -> Result<Runnable, Failure> {
    let _alone = BUILDING.lock().unwrap_or_else(std::sync::PoisonError::into_inner);
    let folder = target_folder(course, assignment);
    let what = format!("build the {} of `{}`", describe(variant), assignment.id);
    let own = match variant {
        Variant::Mutant(id) | Variant::Unoptimized(id, _) | Variant::Selected(id) => {
            assignment.own_program(id)
        }
        Variant::Reference | Variant::Combined => None,
    };
    let own_files = own.as_ref().map(|path| assignment.own_files(path));
    let files = own_files.as_ref().unwrap_or(&sources.files);
    let mut runnable = Runnable::new(Vec::new(), course.folder.clone());
    match sources.language {
        Language::Python => {
            runnable.words = vec!["python3".to_owned()];
            runnable.words.extend(sources.flags.iter().cloned());
            runnable.words.push(text(&files[0])?);
            runnable.mutant = match variant {
                Variant::Mutant(id) | Variant::Unoptimized(id, _) if own.is_none() => {
                    Some(id.to_owned())
                }
                _ => variant.selected(),
            };
        }
        Language::Java => {
            let classes = folder.join(name(variant, own.is_some()));
            fs::create_dir_all(&classes).map_err(|error| unwritable(&what, &classes, &error))?;
            let mut command = Command::new("javac");
            command.arg("-d").arg(&classes).args(&sources.flags).args(files);
            compile(&what, &folder, &mut command, "javac")?;
            let main = files[0].file_stem().unwrap_or_default().to_string_lossy().into_owned();
            runnable.words = vec!["java".to_owned(), "-cp".to_owned(), text(&classes)?, main];
        }
        Language::C | Language::Cpp => {
            let include = folder.join("include");
            put(&what, &include, "subject.h", SUBJECT_H)?;
            let program = folder.join(name(variant, own.is_some()));
            let compiler = if sources.language == Language::C { "cc" } else { "c++" };
            let mut command = Command::new(compiler);
            command.args(&sources.flags).arg("-I").arg(&include).args(files);
            command.arg("-o").arg(&program);
            match variant {
                Variant::Combined | Variant::Selected(_) => {
                    command.arg("-DSUBJECT_SELECT");
                }
                Variant::Mutant(id) | Variant::Unoptimized(id, _) => {
                    command.arg(format!("-DSUBJECT_MUTANT=\"{id}\""));
                }
                Variant::Reference => {}
            }
            compile(&what, &folder, &mut command, compiler)?;
            runnable.words = vec![text(&program)?];
            runnable.mutant = variant.selected();
        }
    }
    Ok(runnable)
}

/// The name of the file or folder of a variant.
fn name(variant: Variant<'_>, is_own: bool) -> &str {
    match variant {
        Variant::Reference => "reference",
        Variant::Combined => "combined",
        Variant::Selected(_) if !is_own => "combined",
        Variant::Mutant(id) | Variant::Unoptimized(id, _) | Variant::Selected(id) => id,
    }
}

fn compile(what: &str, folder: &Path, command: &mut Command, name: &str) -> Result<(), Failure> {
    let output = run(command, name)?;
    if output.status.success() { Ok(()) } else { Err(failed(what, folder, &output.stderr)) }
}

fn put(what: &str, folder: &Path, name: &str, contents: &str) -> Result<(), Failure> {
    fs::create_dir_all(folder)
        .and_then(|()| files::replace(&folder.join(name), contents.as_bytes()))
        .map_err(|error| unwritable(what, folder, &error))
}

fn text(path: &Path) -> Result<String, Failure> {
    path.to_str().map(str::to_owned).ok_or_else(|| {
        Failure::broken_course(Problem::new(format!("{} is not UTF-8", path.display())))
    })
}
