//! Tells whether a course has changed since it was prepared, without reading its files again.

use crate::course::cases::Input;
use crate::course::{Assignment, Course, Submission};
use crate::hash::Digest;
use crate::run::build;
use std::collections::BTreeSet;
use std::fs::{self, Metadata};
use std::os::unix::fs::MetadataExt;
use std::path::PathBuf;
use walkdir::WalkDir;

/// What builds write below the folder of a crate.
const BUILT: &str = "target";

/// The files that grading an assignment depends on, as far as they are known, and how they were when this was made.
pub struct Watch {
    /// Files, and folders with all that is in them.
    paths: Vec<PathBuf>,
    state: String,
}

impl Watch {
    /// The files of an assignment. More of them are known once its programs are built.
    pub fn new(course: &Course, assignment: &Assignment) -> Self {
        let paths = paths(course, assignment);
        let state = state(&paths);
        Self { paths, state }
    }

    /// Whether one of the files has changed since.
    pub fn has_changed(&self) -> bool {
        state(&self.paths) != self.state
    }
}

fn paths(course: &Course, assignment: &Assignment) -> Vec<PathBuf> {
    let Assignment { program, judge, validators, submission, .. } = assignment;
    let mut paths = vec![course.file.clone(), assignment.mutants.clone()];
    paths.extend(assignment.shape.clone());
    paths.extend(submission.iter().flat_map(|submission| of_cases(course, submission)));
    if program.needs_cargo() {
        paths.extend(program.source().map(Into::into));
    }
    // Any file may appear in a folder that holds the whole course.
    paths.extend(build::sources(course, assignment).into_iter().filter(|path| path.is_file()));
    let root = course.folder.canonicalize().unwrap_or_else(|_| course.folder.clone());
    let inspectors = judge.inspector().into_iter().chain(validators.iter().map(|it| &it.inspector));
    paths.extend(inspectors.flat_map(|inspector| inspector.files(&root)));
    paths
}

/// The file of the cases, and the files that it names.
fn of_cases(course: &Course, submission: &Submission) -> Vec<PathBuf> {
    let inputs = submission.cases.iter().flat_map(|group| &group.cases).map(|case| &case.input);
    let named = inputs.flat_map(|input| match input {
        Input::Text(_) | Input::Domain(_) => Vec::new(),
        Input::File(path) | Input::Shape(path, _) => vec![path.clone()],
        Input::Command(words) => words.iter().map(|word| course.folder.join(word)).collect(),
    });
    let named = named.filter(|path| path.is_file()).collect::<BTreeSet<_>>();
    let cases = submission.cases_file.iter().map(|file| course.folder.join(file));
    named.into_iter().chain(cases).collect()
}

/// The digest of sizes, times and numbers of all files. The time of a folder says that a file in it is new, or gone.
fn state(paths: &[PathBuf]) -> String {
    let mut digest = Digest::default();
    for path in paths {
        let below = WalkDir::new(path).sort_by_file_name().into_iter();
        let below = below.filter_entry(|entry| entry.file_name() != BUILT);
        for entry in below.filter_map(Result::ok) {
            let state = fs::metadata(entry.path()).as_ref().map_or_else(|_| String::new(), of);
            digest = digest.with(entry.path().as_os_str().as_encoded_bytes()).with(state);
        }
    }
    digest.hex()
}

/// The last change of a file (ctime) counts, so that setting its time back hides nothing.
fn of(metadata: &Metadata) -> String {
    let changed = (metadata.ctime(), metadata.ctime_nsec());
    // Builds make files in a folder that is left out, which changes the size of the folder that holds it.
    let size = if metadata.is_file() { metadata.len() } else { 0 };
    format!("{} {size} {changed:?}", metadata.ino())
}
