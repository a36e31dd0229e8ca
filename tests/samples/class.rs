//! The sample class of an assignment: its folder in `submissions`, and what patches make of these samples.
//!
//! `tests/samples/ASSIGNMENT/SAMPLE/NAME.patch` makes the submission `NAME` of a copy of `SAMPLE`.

use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;

/// Writes the class into the new folder `class`. Without the program `patch`, it panics.
pub(crate) fn write(assignment: &str, class: &Path) {
    let root = Path::new(env!("CARGO_MANIFEST_DIR"));
    let samples = root.join("submissions").join(assignment);
    let patches = root.join("tests/samples").join(assignment);
    for sample in entries(&samples) {
        let name = sample.file_name().expect("a sample has a name");
        copy(&sample, &class.join(name));
        let patches = patches.join(name);
        let patches = if patches.is_dir() { entries(&patches) } else { Vec::new() };
        for patch in patches {
            let folder = class.join(patch.file_stem().expect("a patch has a name"));
            copy(&sample, &folder);
            apply(&patch, &folder);
        }
    }
}

fn apply(patch: &Path, folder: &Path) {
    let mut command = Command::new("patch");
    command.args(["--silent", "--directory"]).arg(folder).arg("--input").arg(patch);
    assert!(command.status().expect("`patch` starts").success(), "{}", patch.display());
}

/// Copies a folder of files.
fn copy(from: &Path, to: &Path) {
    fs::create_dir_all(to).expect("a folder can be made");
    for file in entries(from) {
        fs::copy(&file, to.join(file.file_name().expect("a file has a name")))
            .expect("a file can be copied");
    }
}

/// What is in a folder, in the order of the names.
pub(crate) fn entries(folder: &Path) -> Vec<PathBuf> {
    let entries =
        fs::read_dir(folder).unwrap_or_else(|error| panic!("{}: {error}", folder.display()));
    let mut paths: Vec<_> = entries.map(|entry| entry.expect("it can be read").path()).collect();
    paths.sort();
    paths
}
