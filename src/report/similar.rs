//! The result of `similar`, as text and as JSON.

use super::screen::{FAINT, STRONG, Screen, WriteText};
use super::table::Table;
use super::words::counted;
use crate::diagnostic::visible;
use crate::similarity;
use serde::{Deserialize, Serialize};
use std::fmt::{self, Write};

/// The version of the document that `similar --format json` writes.
pub const SCHEMA: &str = "harness-similar/1";

/// The most regions of a pair that the text names.
const MOST_REGIONS: usize = 3;

/// Which works of a class are alike.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct SimilarWork {
    /// `harness-similar/1`.
    pub schema: String,
    /// How many works were compared with each other.
    pub works: usize,
    /// How many works of earlier terms these were compared with.
    pub earlier: usize,
    /// The names of works whose files are equal, byte by byte.
    pub equal: Vec<Vec<String>>,
    /// Works that are alike, the highest share first. Of equal works, only the first one is in it.
    pub pairs: Vec<Alike>,
    /// Works that have nothing but what was given, or what many others have.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub nothing: Vec<String>,
    /// Works that could not be read.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub unread: Vec<Unread>,
}

/// Two works that are alike.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Alike {
    pub one: Share,
    pub other: Share,
    /// How many symbols they have in common.
    pub symbols: usize,
    /// What is alike, the longest first.
    pub regions: Vec<Region>,
}

/// How much of a work is found in another.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Share {
    pub name: String,
    /// In percent of what counts, with one digit.
    pub percent: f64,
}

/// A part of each of two works that is alike.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Region {
    pub one: Lines,
    pub other: Lines,
    /// How many symbols it has.
    pub symbols: usize,
}

/// Lines of a file, from 1.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Lines {
    pub file: String,
    pub first: u32,
    pub last: u32,
}

/// A work that could not be read.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Unread {
    pub name: String,
    pub why: String,
}

impl Share {
    /// A share from 0 to 1.
    pub fn new(name: String, share: f64) -> Self {
        Self { name, percent: (share * 1000.0).floor() / 10.0 }
    }

    fn text(&self) -> String {
        format!("{:.0} % of {}", self.percent.floor(), visible(&self.name))
    }
}

impl From<&similarity::Region> for Region {
    fn from(region: &similarity::Region) -> Self {
        let lines = |lines: &similarity::Lines| Lines {
            file: lines.file.clone(),
            first: lines.first,
            last: lines.last,
        };
        Self { one: lines(&region.one), other: lines(&region.other), symbols: region.symbols }
    }
}

impl fmt::Display for Lines {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}:{}-{}", visible(&self.file), self.first, self.last)
    }
}

impl WriteText for SimilarWork {
    fn write_text(&self, out: &mut String, screen: Screen) -> fmt::Result {
        let earlier = match self.earlier {
            0 => String::new(),
            number => format!(", and {number} of earlier terms"),
        };
        writeln!(out, "Similar work: {}{earlier}", counted(self.works, "work"))?;
        if !self.equal.is_empty() {
            writeln!(out, "\n{}", screen.styled(STRONG, "Equal files"))?;
        }
        for names in &self.equal {
            let names: Vec<_> = names.iter().map(|name| visible(name)).collect();
            screen.prose(out, &format!("  {}", names.join(", ")))?;
        }
        if self.pairs.is_empty() {
            writeln!(out, "\n{}", screen.styled(STRONG, "No works are alike"))?;
        } else {
            writeln!(out, "\n{}", screen.styled(STRONG, "Alike"))?;
            self.write_pairs(out, screen)?;
        }
        self.write_rest(out, screen)?;
        writeln!(out)?;
        screen.prose(
            out,
            "Nothing is decided by this: there may be good reasons. Look at both works.",
        )
    }
}

impl SimilarWork {
    fn write_pairs(&self, out: &mut String, screen: Screen) -> fmt::Result {
        for Alike { one, other, symbols, regions } in &self.pairs {
            let symbols = screen.styled(FAINT, &counted(*symbols, "symbol"));
            screen.prose(out, &format!("  {}, {}  {symbols}", one.text(), other.text()))?;
            let mut table = Table::new(6);
            for region in regions.iter().take(MOST_REGIONS) {
                table.row([region.one.to_string(), region.other.to_string()]);
            }
            table.write(out, screen)?;
            if let Some(more) = regions.len().checked_sub(MOST_REGIONS).filter(|&more| more > 0) {
                writeln!(out, "      and {more} more")?;
            }
        }
        Ok(())
    }

    /// What was not compared.
    fn write_rest(&self, out: &mut String, screen: Screen) -> fmt::Result {
        if !self.nothing.is_empty() {
            let names: Vec<_> = self.nothing.iter().map(|name| visible(name)).collect();
            writeln!(out, "\n{}", screen.styled(STRONG, "Nothing of their own"))?;
            screen.prose(out, &format!("  {}", names.join(", ")))?;
        }
        if !self.unread.is_empty() {
            writeln!(out, "\n{}", screen.styled(STRONG, "Not read"))?;
        }
        self.unread.iter().try_for_each(|Unread { name, why }| {
            screen.prose(out, &format!("  {}: {}", visible(name), visible(why)))
        })
    }
}
