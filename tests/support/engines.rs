//! What is loaded beside programs in C, C++ and Java. Each course compiles it once. The courses of tests hand it on, since there are many.

use super::course::Course;
use std::fs;
use std::io;
use std::path::{Path, PathBuf};

/// How a file and a folder of it are called, and the file of the folder that is made last. The rest of a name is a digest of what it is
/// made from.
const FILE: &str = "libhost-";
const FOLDER: (&str, &str) = ("java-", "SubjectWorker.class");

/// Where tests keep it, also from one run of the tests to the next.
fn kept() -> PathBuf {
    Path::new(env!("CARGO_TARGET_TMPDIR")).join("engines")
}

/// Gives it to a course that needs it and in which nothing was built.
pub(crate) fn lend(course: &Course) {
    let needs_it =
        |yaml: &str| ["c", "cpp", "java"].iter().any(|it| yaml.contains(&format!(" {it}: ")));
    let yaml = fs::read_to_string(course.path("harness.yaml")).unwrap_or_default();
    if needs_it(&yaml) && course.path("target").symlink_metadata().is_err() {
        for (name, path) in all(&kept()) {
            hand_on(&path, &course.path("target/harness").join(name)).unwrap();
        }
    }
}

/// Keeps what a course has compiled.
pub(crate) fn keep(course: &Course) {
    for (name, path) in all(&course.path("target/harness")) {
        let copy = kept().join(name);
        if !copy.exists() {
            hand_on(&path, &copy).unwrap();
        }
    }
}

/// What lies in `folder`, with its name.
fn all(folder: &Path) -> Vec<(String, PathBuf)> {
    let entries = fs::read_dir(folder).into_iter().flatten().flatten();
    let entries = entries.map(|entry| (entry.file_name().into_string().unwrap(), entry.path()));
    let is_whole = |(name, path): &(String, PathBuf)| {
        name.starts_with(FILE) || name.starts_with(FOLDER.0) && path.join(FOLDER.1).is_file()
    };
    entries.filter(is_whole).collect()
}

/// Copies a file, or a folder of files. Nobody sees half of it.
fn hand_on(from: &Path, to: &Path) -> io::Result<()> {
    let parent = to.parent().unwrap();
    fs::create_dir_all(parent)?;
    let place = tempfile::tempdir_in(parent)?;
    let copy = place.path().join("copy");
    if from.is_dir() {
        fs::create_dir(&copy)?;
        for entry in fs::read_dir(from)? {
            let entry = entry?;
            fs::copy(entry.path(), copy.join(entry.file_name()))?;
        }
    } else {
        fs::copy(from, &copy)?;
    }
    match fs::rename(&copy, to) {
        // Another test was faster.
        Err(_) if to.exists() => Ok(()),
        done => done,
    }
}
