//! What a program is run on, and what it did.

use std::collections::BTreeMap;

/// What a program is run on: its arguments, its standard input, and the files that it finds by name.
#[derive(Clone, Debug, Default, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct Case {
    /// The arguments after the program's name.
    pub args: Vec<String>,
    /// Standard input.
    pub input: Vec<u8>,
    /// Files by name.
    pub files: BTreeMap<String, Vec<u8>>,
}

/// How a run ended.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum End {
    /// It exited, with this status.
    Exit(u8),
    /// It panicked, aborted or was killed by a signal; the text says which.
    Crash(String),
    /// It took more steps or time than it had.
    Timeout,
    /// It asked for more memory than it had.
    Memory,
    /// It wrote more than it may.
    OutputLimit,
}

/// What a program did on a case.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Outcome {
    /// How the run ended.
    pub end: End,
    /// Standard output.
    pub stdout: Vec<u8>,
    /// Standard error.
    pub stderr: Vec<u8>,
    /// The files that it wrote.
    pub files: BTreeMap<String, Vec<u8>>,
}

/// In what way a mutant's outcome differs from the reference's.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum How {
    /// Standard output, or a file, differs.
    Output,
    /// The exit status differs.
    Exit,
    /// The mutant crashed.
    Crash,
    /// The mutant did not end.
    Timeout,
    /// The mutant ran out of memory.
    Memory,
    /// The mutant wrote without end.
    OutputLimit,
}

impl How {
    /// How `mutant` differs from `reference` in what a user would see; standard error is for people and does not count.
    pub fn between(reference: &Outcome, mutant: &Outcome) -> Option<Self> {
        match (&mutant.end, &reference.end) {
            (End::Exit(status), End::Exit(expected)) if status == expected => {
                (mutant.stdout != reference.stdout || mutant.files != reference.files)
                    .then_some(Self::Output)
            }
            (End::Exit(_), _) => Some(Self::Exit),
            (End::Crash(_), _) => Some(Self::Crash),
            (End::Timeout, _) => Some(Self::Timeout),
            (End::Memory, _) => Some(Self::Memory),
            (End::OutputLimit, _) => Some(Self::OutputLimit),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_what_a_user_sees_tells_two_outcomes_apart() {
        let reference = exits(0);
        let noisy = Outcome { stderr: b"note".to_vec(), ..reference.clone() };
        assert_eq!(How::between(&reference, &noisy), None);
        let silent = Outcome { stdout: Vec::new(), ..reference.clone() };
        assert_eq!(How::between(&reference, &silent), Some(How::Output));
        let no_file = Outcome { files: BTreeMap::new(), ..reference.clone() };
        assert_eq!(How::between(&reference, &no_file), Some(How::Output));
        assert_eq!(How::between(&reference, &exits(1)), Some(How::Exit));
        assert_eq!(
            How::between(&reference, &Outcome { end: End::Memory, ..reference.clone() }),
            Some(How::Memory)
        );
    }

    fn exits(status: u8) -> Outcome {
        let files = BTreeMap::from([("f".to_owned(), vec![1])]);
        Outcome { end: End::Exit(status), stdout: b"out".to_vec(), stderr: Vec::new(), files }
    }
}
