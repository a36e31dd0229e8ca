//! What the tests of `harness` and those of `harness-author` need: running the program, courses in temporary folders, languages, and
//! the examples in documents.
//! Each names its program `PROGRAM`.

pub(crate) mod course;
pub(crate) mod engines;
pub(crate) mod example;
pub(crate) mod language;
pub(crate) mod run;
pub(crate) mod skip;

use std::path::Path;

pub(crate) fn repository() -> &'static Path {
    let package = Path::new(env!("CARGO_MANIFEST_DIR"));
    let is_course = |folder: &&Path| folder.join("harness.yaml").is_file();
    package.ancestors().find(is_course).expect("the package is in the repository")
}

/// A temporary folder with these files.
pub(crate) fn folder(files: &[(&str, &[u8])]) -> tempfile::TempDir {
    let folder = tempfile::tempdir().expect("there is room for a test");
    for (name, contents) in files {
        let path = folder.path().join(name);
        std::fs::create_dir_all(path.parent().expect("it is in the folder"))
            .expect("a folder can be made");
        std::fs::write(path, contents).expect("a file can be written");
    }
    folder
}

pub(crate) fn path(folder: &tempfile::TempDir) -> &str {
    folder.path().to_str().expect("temporary folders have plain names")
}
