//! The input and the outcome of a run.

use std::collections::BTreeMap;

/// The input of a run: arguments, standard input, and the files that the program can open by name.
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
    /// It panicked, aborted or was killed by a signal. The text says which.
    Crash(String),
    /// It exceeded its limit of steps or time.
    Timeout,
    /// It exceeded its memory limit.
    Memory,
    /// It exceeded its output limit.
    OutputLimit,
}

/// What a program did in a run.
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

impl Outcome {
    /// The number of bytes that the program wrote, to standard output and to files.
    pub fn written(&self) -> u64 {
        let files: usize = self.files.values().map(Vec::len).sum();
        (self.stdout.len() + files) as u64
    }
}

/// How a mutant's outcome differs from the reference's.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum How {
    /// Standard output, or a file, differs.
    Output,
    /// The exit status differs.
    Exit,
    /// The mutant crashed.
    Crash,
    /// The mutant did not finish in its limit of steps or time.
    Timeout,
    /// The mutant ran out of memory.
    Memory,
    /// The mutant exceeded its output limit.
    OutputLimit,
    /// The mutant accepts what the reference refuses. [`How::between`] does not tell this from another exit status.
    Accepts,
    /// Standard error differs where it is compared.
    Message,
}

impl How {
    /// Whether the mutant was stopped because it used too much of something.
    pub fn is_limit(self) -> bool {
        matches!(self, Self::Timeout | Self::Memory | Self::OutputLimit)
    }

    /// How `mutant` differs from `reference`, or `None` if it does not. Standard error is for people and is not compared.
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

    /// As [`between`](Self::between). But if the reference refuses the case, what the course compares of standard error is not known
    /// here, so that any difference counts.
    pub fn between_refusals(reference: &Outcome, mutant: &Outcome) -> Option<Self> {
        Self::between(reference, mutant).or_else(|| {
            let is_other = reference.end != End::Exit(0) && reference.stderr != mutant.stderr;
            is_other.then_some(Self::Message)
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn standard_error_is_not_compared_but_everything_else_is() {
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
