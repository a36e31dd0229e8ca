//! The files that are handed in: an archive as it is, the files that are named, or what the course takes of a folder.

use crate::web::upload::is_archive;
use harness::course::pattern::fits;
use harness::diagnostic::{Failure, Problem};
use harness::files::upload::open;
use std::fs;
use std::io::Read;
use std::path::{Path, PathBuf};

/// A file that is handed in.
#[derive(Debug, PartialEq, Eq)]
pub(crate) struct Picked {
    /// Its name, without a folder.
    pub(crate) name: String,
    pub(crate) bytes: Vec<u8>,
}

/// The files of these paths. Of a folder, those directly in it that fit the patterns.
///
/// # Errors
/// If a file cannot be read, or there is none.
pub(crate) fn picked(
    paths: &[PathBuf],
    patterns: &[String],
    kilobytes: u64,
) -> Result<Vec<Picked>, Failure> {
    let here = [PathBuf::from(".")];
    let paths = if paths.is_empty() { &here[..] } else { paths };
    let mut files = Vec::new();
    for path in paths {
        if path.is_dir() {
            of_folder(path, patterns, &mut files)?;
        } else {
            files.push(read(path)?);
        }
    }
    if files.is_empty() {
        let problem = Problem::new("there is no file that the course takes");
        return Err(Failure::usage(problem.hint(format!("it takes {}", patterns.join(", ")))));
    }
    files.sort_by(|one, other| one.name.cmp(&other.name));
    let bytes: usize = files.iter().map(|file| file.bytes.len()).sum();
    let is_one_archive = files.len() == 1 && is_archive(&files[0].name);
    if !is_one_archive && bytes as u64 / 1024 > kilobytes.saturating_mul(2) {
        let problem = Problem::new(format!("the files take more than {kilobytes} kilobytes"));
        return Err(Failure::usage(problem.hint("hand in only sources, Makefile and tests")));
    }
    Ok(files)
}

fn of_folder(folder: &Path, patterns: &[String], files: &mut Vec<Picked>) -> Result<(), Failure> {
    let failed = |error| Failure::machine(format!("read {}", folder.display()), error);
    for entry in fs::read_dir(folder).map_err(failed)? {
        let entry = entry.map_err(failed)?;
        let name = entry.file_name().to_string_lossy().into_owned();
        let is_file = entry.file_type().map_err(failed)?.is_file();
        if is_file && fits(&name, patterns) {
            files.push(read(&entry.path())?);
        }
    }
    Ok(())
}

fn read(path: &Path) -> Result<Picked, Failure> {
    let name = path.file_name().map(|name| name.to_string_lossy().into_owned());
    let mut bytes = Vec::new();
    let read = open(path).and_then(|mut file| file.read_to_end(&mut bytes));
    match (read, name) {
        (Ok(_), Some(name)) => Ok(Picked { name, bytes }),
        (Err(error), _) => {
            let problem = Problem::new(format!("cannot read {}: {error}", path.display()));
            Err(Failure::usage(problem.hint("name files, a folder or an archive")))
        }
        (Ok(_), None) => {
            let problem = Problem::new(format!("{} is no file", path.display()));
            Err(Failure::usage(problem.hint("name files, a folder or an archive")))
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn of_a_folder_only_what_the_course_takes_is_picked() {
        let folder = tempfile::tempdir().unwrap();
        fs::create_dir(folder.path().join("build.cpp")).unwrap();
        for name in ["a.cpp", "a.o", ".hidden.cpp", "Makefile"] {
            fs::write(folder.path().join(name), name).unwrap();
        }
        let patterns = ["*.cpp".to_owned(), "Makefile".to_owned()];
        let names = |paths: &[PathBuf]| {
            picked(paths, &patterns, 10)
                .map(|all| all.into_iter().map(|it| it.name).collect::<Vec<_>>())
        };
        assert_eq!(names(&[folder.path().to_owned()]).unwrap(), ["Makefile", "a.cpp"]);
        let named = folder.path().join("a.o");
        assert_eq!(names(&[named]).unwrap(), ["a.o"], "the server says what is wrong with it");
        let empty = tempfile::tempdir().unwrap();
        assert!(names(&[empty.path().to_owned()]).is_err());
    }
}
