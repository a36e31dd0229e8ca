//! Suggests an existing path for one that does not exist. Reads the names of files, never their contents.

use crate::{nearest, printable};
use std::fs;
use std::path::{Component, Path, PathBuf};

/// The most names that are compared in one folder.
const MOST_NAMES: usize = 10_000;

/// The hint "did you mean …?" with the existing path nearest to `path`, if one is near.
pub fn hint(path: &Path) -> Option<String> {
    find(path).map(|near| question(&near))
}

/// The same for a path relative to `folder`.
pub fn hint_in(folder: &Path, path: &Path) -> Option<String> {
    find(&folder.join(path)).map(|near| question(near.strip_prefix(folder).unwrap_or(&near)))
}

fn question(near: &Path) -> String {
    format!("did you mean `{}`?", printable(&near.display().to_string()))
}

/// `path` with its first missing part replaced by the nearest name that exists. The remaining parts follow if that path exists
/// too.
fn find(path: &Path) -> Option<PathBuf> {
    let mut found = PathBuf::new();
    let mut parts = path.components();
    let misspelled = parts.by_ref().find_map(|part| match part {
        Component::Normal(name) if found.join(name).symlink_metadata().is_err() => {
            Some(name.to_string_lossy())
        }
        other => {
            found.push(other);
            None
        }
    })?;
    let folder = if found.as_os_str().is_empty() { Path::new(".") } else { &found };
    let names = fs::read_dir(folder)
        .ok()?
        .take(MOST_NAMES)
        .flatten()
        .filter_map(|entry| entry.file_name().into_string().ok());
    let mut names: Vec<_> = names.filter(|name| !name.starts_with('.')).collect();
    // Among equally near names, always suggest the same one.
    names.sort();
    found.push(nearest(&misspelled, names.iter().map(String::as_str))?);
    let whole = found.join(parts.as_path());
    Some(if whole.exists() && parts.as_path() != Path::new("") { whole } else { found })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_first_missing_part_is_replaced_by_the_nearest_name() {
        let folder = tempfile::tempdir().unwrap();
        let at = |path: &str| folder.path().join(path);
        fs::create_dir_all(at("student_tests/puzzle")).unwrap();
        fs::write(at("student_tests/puzzle/test-1-ql.txt"), "").unwrap();
        for (path, expected) in [
            ("student_test", Some("student_tests")),
            ("student_test/puzzle", Some("student_tests/puzzle")),
            ("student_test/nothing", Some("student_tests")),
            ("student_tests/puzle", Some("student_tests/puzzle")),
            ("student_tests/puzzle/test-1-q1.txt", Some("student_tests/puzzle/test-1-ql.txt")),
            ("student_tests/puzzle", None),
            ("elsewhere/puzzle", None),
        ] {
            assert_eq!(find(&at(path)), expected.map(at), "{path}");
        }
    }
}
