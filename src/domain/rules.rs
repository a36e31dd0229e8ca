//! What a student may hand in: how tests are named, how many count, and how large they may be.

use super::Limits;

/// What a student may hand in.
#[derive(Clone, Debug)]
pub struct TestRules {
    /// How many files at most; the number in a name goes from 1 to this.
    pub files: u32,
    /// Bytes of one file at most.
    pub bytes: u64,
    /// Whether CRLF becomes LF before a program sees it.
    pub convert_crlf: bool,
    /// The domain's limits on what a file describes.
    pub limits: Limits,
    /// The groups of flags, in the order in which they are listed.
    pub groups: Vec<FlagGroup>,
    /// Whether the letters must stand in the order of their groups.
    pub ordered: bool,
    /// The numbers that follow the flags in a name, each behind a `-`: what each stands for.
    pub parameters: Vec<String>,
}

/// Letters of which a name holds at most one.
#[derive(Clone, Debug)]
pub struct FlagGroup {
    /// What the group chooses.
    pub name: String,
    /// Whether a name must hold one of its letters.
    pub required: bool,
    /// The letters.
    pub letters: Vec<Flag>,
}

/// One letter in a test's name.
#[derive(Clone, Debug)]
pub struct Flag {
    /// The letter.
    pub letter: char,
    /// The option that it stands for in its long form: a name, and an argument if there is one.
    pub long: Vec<String>,
    /// The same in its short form.
    pub short: Vec<String>,
}

impl TestRules {
    /// Every combination of letters that a name may hold, in the order of the groups.
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
