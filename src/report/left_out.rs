//! What lies in the folder of a class and is not graded, and the files of students whose name is not that of their file, as text.

use super::screen::Screen;
use super::words::counted;
use crate::result::LeftOut;
use std::collections::BTreeMap;
use std::fmt::{self, Write};

/// The most entries that are named as text. The other formats name all.
const MOST: usize = 10;

impl Screen {
    /// Writes what is left out, because it is none of `nouns`.
    pub(super) fn left_out(self, out: &mut String, nouns: &str, all: &[LeftOut]) -> fmt::Result {
        if all.is_empty() {
            return Ok(());
        }
        writeln!(out, "No {nouns}, left out:")?;
        for LeftOut { name, what } in all.iter().take(MOST) {
            self.field(out, &format!("  {name}: "), what)?;
        }
        match all.len().saturating_sub(MOST) {
            0 => Ok(()),
            more => writeln!(out, "  and {more} more"),
        }
    }

    /// Writes the files whose names do not tell the student.
    pub(super) fn files(self, out: &mut String, files: &BTreeMap<String, String>) -> fmt::Result {
        if files.is_empty() {
            return Ok(());
        }
        writeln!(out, "{} with another name than the student:", counted(files.len(), "file"))?;
        files.iter().try_for_each(|(name, file)| self.field(out, &format!("  {file}: "), name))
    }
}
