//! What a student may hand in: how tests are named, how many count, and how large they may be.

use super::InputLimits;
use harness_shape::Literals;
use std::sync::Arc;

/// The rules for a student's tests.
#[derive(Clone, Debug)]
#[expect(clippy::struct_excessive_bools, reason = "each is a key of the course file")]
pub struct TestRules {
    /// The number of tests that count; the number in a test's name is from 1 to this.
    pub files: u32,
    /// The maximum size of one file in bytes.
    pub bytes: u64,
    /// Whether CRLF is converted to LF before a program reads the file.
    pub convert_crlf: bool,
    /// The domain's limits on what a file may describe.
    pub limits: InputLimits,
    /// The groups of flags in the order of the course file.
    pub groups: Vec<FlagGroup>,
    /// Whether a name's letters must be in the order of their groups.
    pub ordered: bool,
    /// The names of the numbers that follow the flags in a test's name, each after a `-`.
    pub parameters: Vec<String>,
    /// Whether an empty file may be a test.
    pub accepts_empty: bool,
    /// Whether links to students' folders in a class are followed. Links in a student's folder never are.
    pub follows_links: bool,
    /// What is drawn more often than other values of inputs.
    pub literals: Arc<Literals>,
    /// Whether options may be joined, as `getopt_long` accepts them: `-qm`, `-olist`, `--output=list`.
    pub joined_options: bool,
}

/// A group of letters, at most one of which may be in a name.
#[derive(Clone, Debug)]
pub struct FlagGroup {
    /// What the letters choose between.
    pub name: String,
    /// Whether a name must contain one of the letters.
    pub required: bool,
    pub letters: Vec<Flag>,
}

/// One letter in a test's name.
#[derive(Clone, Debug)]
pub struct Flag {
    pub letter: char,
    /// The long form of its option: a name, and an argument if there is one.
    pub long: Vec<String>,
    /// The short form of its option.
    pub short: Vec<String>,
}

impl TestRules {
    /// Every valid combination of letters, in the order of the groups.
    pub fn flag_combinations(&self) -> Vec<String> {
        let mut all = vec![String::new()];
        for group in &self.groups {
            let mut longer = Vec::new();
            for start in &all {
                longer.extend(group.letters.iter().map(|flag| format!("{start}{}", flag.letter)));
                if !group.required {
                    longer.push(start.clone());
                }
            }
            all = longer;
        }
        all
    }
}
