//! The page of `--html`. The same command continues an earlier run, so it replaces the page of that run, unless somebody changed it.

use harness::command::write_new;
use harness::diagnostic::{Failure, Problem};
use harness::files;
use harness::hash::Digest;
use std::fs;
use std::path::Path;

/// What begins the last line of a page. A digest of all that stands before it follows, by which a page that nobody changed is known.
const MARK: &str = "<!-- written by harness mutants mine: ";
const END: &str = " -->\n";

/// Fails if `file` exists and is no page that this command wrote.
pub(super) fn check(file: &Path) -> Result<(), Failure> {
    if !file.exists() || is_unchanged(file) {
        return Ok(());
    }
    let message = format!("{} already exists", file.display());
    let hint = "name a new file; only a page of an earlier run that nobody changed is replaced";
    Err(Failure::usage(Problem::new(message).hint(hint).printable()))
}

/// Writes the page, in place of that of an earlier run.
pub(super) fn write(file: &Path, page: &str) -> Result<(), Failure> {
    let page = format!("{page}{MARK}{}{END}", digest(page));
    if !is_unchanged(file) {
        return write_new(file, page);
    }
    files::replace(file, page.as_bytes())
        .map_err(|error| Failure::machine(format!("write {}", file.display()), error))
}

/// Whether `file` is a page as this command wrote it.
fn is_unchanged(file: &Path) -> bool {
    let Ok(text) = fs::read_to_string(file) else { return false };
    let marked = text.rsplit_once(MARK);
    marked.is_some_and(|(page, mark)| mark.strip_suffix(END) == Some(&digest(page)))
}

fn digest(page: &str) -> String {
    Digest::default().with(page).hex()
}
