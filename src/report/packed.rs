//! What `pack` has written: the parts of the package, and how large they are.

use super::screen::{STRONG, Screen, WriteText};
use super::table::Table;
use super::words::counted;
use serde::{Deserialize, Serialize};
use std::fmt::{self, Write};

/// The version of the document that `pack --format json` writes.
pub const SCHEMA: &str = "harness-packed/1";

/// A package.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Packed {
    /// `harness-packed/1`.
    pub schema: String,
    /// The assignment's id.
    pub assignment: String,
    /// The file that was written.
    pub file: String,
    /// Its size.
    pub bytes: u64,
    /// What is in it. Empty if it is no archive.
    pub parts: Vec<Part>,
}

/// A file in a package, or a folder.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Part {
    /// Its path in the package.
    pub path: String,
    /// The number of its files.
    pub files: usize,
    /// Their size, before they are compressed.
    pub bytes: u64,
}

impl WriteText for Packed {
    fn write_text(&self, out: &mut String, screen: Screen) -> fmt::Result {
        let Self { assignment, file, bytes, parts, .. } = self;
        let title = format!("Packed {assignment} into {file}, {}", size(*bytes));
        writeln!(out, "{}", screen.fit(&screen.styled(STRONG, &title)))?;
        let mut table = Table::new(2).right_aligned(&[1, 2]);
        for Part { path, files, bytes } in parts {
            table.row([path.clone(), counted(*files, "file"), size(*bytes)]);
        }
        table.write(out, screen)
    }
}

/// `12 kB`, `1.5 MB`.
fn size(bytes: u64) -> String {
    match bytes {
        0..1000 => counted(bytes as usize, "byte"),
        1000..1_000_000 => format!("{} kB", bytes.div_ceil(1000)),
        _ => format!("{:.1} MB", bytes as f64 / 1e6),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_size_has_a_unit_that_fits() {
        assert_eq!([1, 999, 1001, 1_500_000].map(size), ["1 byte", "999 bytes", "2 kB", "1.5 MB"]);
    }
}
