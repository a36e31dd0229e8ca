//! What a program of the harness's own makes of a text, made once for the course.

use super::surroundings::Surroundings;
use super::{root, target_folder};
use crate::course::{Assignment, Course};
use crate::diagnostic::Failure;
use crate::files;
use crate::hash::Digest;

/// The bytes that `make` makes of these words by the program `tool`, unless they are kept from an earlier time.
pub(super) fn kept(
    course: &Course,
    assignment: &Assignment,
    tool: &str,
    words: &[&str],
    make: impl FnOnce() -> Result<Vec<u8>, Failure>,
) -> Result<Vec<u8>, Failure> {
    let surroundings = Surroundings::of_commands(&root(course), [tool]);
    let start = Digest::default().with(format!("{surroundings:?}"));
    let digest = words.iter().fold(start, Digest::with).hex();
    let folder = target_folder(course, assignment).join("made");
    let file = folder.join(&digest[..32]);
    if let Ok(bytes) = files::read_kept(&file) {
        return Ok(bytes);
    }
    let bytes = make()?;
    // What cannot be kept is made again.
    let _ = std::fs::create_dir_all(&folder).and_then(|()| files::replace(&file, &bytes));
    files::prune(&folder);
    Ok(bytes)
}
