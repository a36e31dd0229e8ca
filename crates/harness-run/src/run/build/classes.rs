//! The classes of sources in Java that belong to no program of their own, compiled once for the course.

use super::surroundings::Surroundings;
use super::{failed, run, target_folder, unwritable};
use crate::course::{Assignment, Course};
use crate::diagnostic::Failure;
use crate::hash::Digest;
use std::fs;
use std::io;
use std::path::{Path, PathBuf};
use std::process::Command;

/// The options of `javac` that change only how fast it runs: it ends before better code and more threads would gain anything.
pub(in crate::run) const QUICK: [&str; 2] = ["-J-XX:+UseSerialGC", "-J-XX:TieredStopAtLevel=1"];
/// Its messages are in English, and it looks for no processor of annotations.
const PLAIN: [&str; 2] = ["-J-Duser.language=en", "-proc:none"];

/// The folder of the classes of `files`, which have paths and contents. What is no source lies beside the classes. `what` is what is done.
pub(super) fn classes(
    course: &Course,
    assignment: &Assignment,
    files: &[(PathBuf, Vec<u8>)],
    options: &[String],
    what: &str,
) -> Result<PathBuf, Failure> {
    // It runs in a folder of its own, so it makes no difference which course these are the classes of.
    let surroundings = Surroundings::of_commands(Path::new("/"), ["javac"]);
    let start = Digest::default().with(format!("{surroundings:?} {options:?}"));
    let name = |path: &Path| path.to_string_lossy().into_owned();
    let digest = files.iter().fold(start, |it, (path, text)| it.with(name(path)).with(text)).hex();
    let all = target_folder(course, assignment).join("classes");
    let folder = all.join(&digest[..32]);
    if folder.is_dir() {
        return Ok(folder);
    }
    let unwritten = |error| unwritable(what, &all, &error);
    fs::create_dir_all(&all).map_err(unwritten)?;
    let place = tempfile::Builder::new().tempdir_in(&all).map_err(unwritten)?;
    let [sources, made] = ["sources", "classes"].map(|name| place.path().join(name));
    let mut command = Command::new("javac");
    command.args(QUICK).args(PLAIN).args(["-encoding", "UTF-8", "-d"]).arg(&made).args(options);
    for (path, text) in files {
        let is_source = path.extension().is_some_and(|extension| extension == "java");
        put(&if is_source { &sources } else { &made }.join(path), text).map_err(unwritten)?;
        command.args(Some(path).filter(|_| is_source));
    }
    let output = run(command.current_dir(&sources), "javac")?;
    if !output.status.success() {
        return Err(failed(what, &all, &output.stderr));
    }
    match fs::rename(&made, &folder) {
        // Another process was faster.
        Err(_) if folder.is_dir() => Ok(folder),
        done => done.map(|()| folder).map_err(unwritten),
    }
}

fn put(path: &Path, contents: &[u8]) -> io::Result<()> {
    fs::create_dir_all(path.parent().unwrap_or(path))?;
    fs::write(path, contents)
}
