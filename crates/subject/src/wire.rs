//! The protocol between the harness and a worker.
//!
//! A frame is its length as a `u32`, followed by that many bytes. All numbers are little-endian. The first frame to a worker is a
//! [`Hello`]. Each later one is a [`Request`], and the worker replies with one [`Answer`] to each, in order. A worker ends when its
//! input ends.

mod codec;

pub use codec::{Message, put_frame, read_frame, write_frame};

pub use crate::MutantSet;
use crate::{Case, End, How, Outcome};

/// The version of this protocol, which is the value of [`WORKER_VARIABLE`](crate::WORKER_VARIABLE).
pub const VERSION: &str = "5";

/// What a worker writes to standard error before it ends, if it is asked for another version. Both versions follow.
pub const OTHER_VERSION: &str = "the program's version of the worker protocol is ";

/// What a worker writes to standard error before it ends, if its engine cannot run the program. The reason follows. The request that it
/// was busy with, and those that it has not answered, must go to another engine.
pub const UNFIT: &str = "the program cannot run in this engine: ";

/// The longest frame that is accepted, in bytes. A longer one means a broken stream.
const MAX_FRAME: usize = 1 << 30;

/// The first frame: the mutants' ids, whose order gives them their indices, and the limits of every run.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Hello {
    /// The ids.
    pub ids: Vec<String>,
    /// The limits.
    pub limits: WorkerLimits,
    /// Whether mutants are also run on a case that the reference refuses: it exits with another status than 0. Standard error is then
    /// compared, too.
    pub runs_refused: bool,
}

impl Hello {
    /// Whether mutants are run on a case on which the reference ends so.
    pub fn runs_mutants_after(&self, end: &End) -> bool {
        matches!(end, End::Exit(status) if *status == 0 || self.runs_refused)
    }

    /// How the outcome of a mutant differs from the reference's.
    pub fn difference(&self, reference: &Outcome, mutant: &Outcome) -> Option<How> {
        let between = if self.runs_refused { How::between_refusals } else { How::between };
        between(reference, mutant)
    }
}

/// The limits of a run. A worker that links this crate counts steps and output; the harness limits its time and memory.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct WorkerLimits {
    /// The most steps of the reference.
    pub reference_steps: u64,
    /// A mutant may always take this many steps.
    pub step_floor: u64,
    /// A mutant may take this many times the steps of the reference.
    pub step_factor: u64,
    /// The most bytes of standard output.
    pub output: u64,
    /// The most bytes of memory, for a worker that can tell a run that exceeds it from other crashes.
    pub memory: u64,
    /// The most milliseconds of processor time, for a worker that can stop a run itself.
    pub time: u64,
    /// The most processes at the same time, for a worker whose runs can start any.
    pub processes: u64,
}

/// How much an [`Answer`] contains.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Detail {
    /// Which mutants differ, and how. The reference's outcome is sent without its output.
    Verdicts,
    /// Also the whole outcome of the reference.
    Reference,
    /// Also the whole outcome of each mutant that differs.
    Outcomes,
}

/// A case, and the mutants to run on it if the reference reaches them.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Request {
    /// The case.
    pub case: Case,
    /// The mutants.
    pub mutants: MutantSet,
    /// What the answer must contain.
    pub detail: Detail,
    /// The most steps of the run with no mutant selected, if it differs from [`WorkerLimits::reference_steps`]: a mutant that is a program
    /// of its own takes the place of the reference, but has the limit of a mutant.
    pub steps: Option<u64>,
}

/// One row of the matrix.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Answer {
    /// The outcome of the program with no mutant selected.
    pub reference: Outcome,
    /// The number of steps of that run.
    pub steps: u64,
    /// The number of bytes that it wrote, to standard output and to files.
    pub written: u64,
    /// The mutants that the run reached. No other mutant can differ.
    pub reached: MutantSet,
    /// The mutants that differ, in order. If the reference rejects the case, no mutant is run unless [`Hello::runs_refused`] says so.
    pub differing: Vec<Difference>,
    /// The mutants that took another number of steps but had the same outcome as the reference.
    pub near: MutantSet,
    /// Those of the mutants that differ by a time-out whose loop came back to a state that it was in, so that they never end.
    pub endless: MutantSet,
}

impl Answer {
    /// The row of a case on which the reference did this, and no mutant was run.
    pub fn of(reference: Outcome) -> Self {
        Self {
            reference,
            steps: 0,
            written: 0,
            reached: MutantSet::default(),
            differing: Vec::new(),
            near: MutantSet::default(),
            endless: MutantSet::default(),
        }
    }
}

/// A mutant that differs from the reference.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Difference {
    /// The mutant's index.
    pub mutant: usize,
    /// How it differs.
    pub how: How,
    /// The mutant's outcome, if the request asked for it.
    pub outcome: Option<Outcome>,
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::collections::BTreeMap;

    fn check<M: Message + PartialEq + std::fmt::Debug>(message: &M) {
        let mut bytes = Vec::new();
        write_frame(&mut bytes, message).unwrap();
        assert_eq!(
            read_frame::<M>(&mut bytes.as_slice(), &mut Vec::new()).unwrap().as_ref(),
            Some(message)
        );
        for length in 4..bytes.len() {
            let mut cut = bytes[..length].to_vec();
            cut[..4].copy_from_slice(&(length as u32 - 4).to_le_bytes());
            assert!(
                read_frame::<M>(&mut cut.as_slice(), &mut Vec::new()).is_err(),
                "cut at {length}"
            );
        }
    }

    fn outcome(end: End) -> Outcome {
        Outcome {
            end,
            stdout: b"out".to_vec(),
            stderr: vec![0xff],
            files: BTreeMap::from([("f".to_owned(), vec![1])]),
        }
    }

    #[test]
    fn a_request_decodes_to_itself_and_a_truncated_one_is_rejected() {
        let case =
            Case { args: vec!["-q".into()], input: b"1 1 2\n@?".to_vec(), files: BTreeMap::new() };
        check(&Request {
            case,
            mutants: MutantSet::from_iter([0, 3, 70]),
            detail: Detail::Outcomes,
            steps: Some(7),
        });
    }

    #[test]
    fn a_hello_and_an_answer_decode_to_themselves() {
        let limits = WorkerLimits {
            reference_steps: 4,
            step_floor: 1,
            step_factor: 2,
            output: 3,
            memory: 5,
            time: 6,
            processes: 7,
        };
        check(&Hello { ids: vec!["a".into(), "b".into()], limits, runs_refused: true });
        let differing = [
            End::Crash("at line 3".into()),
            End::Timeout,
            End::Memory,
            End::OutputLimit,
            End::Exit(1),
        ]
        .into_iter()
        .enumerate()
        .map(|(mutant, end)| Difference {
            mutant,
            how: How::Output,
            outcome: (mutant > 0).then(|| outcome(end)),
        })
        .collect();
        check(&Answer {
            reference: outcome(End::Exit(0)),
            steps: 9,
            written: 4,
            reached: MutantSet::all(65),
            differing,
            near: MutantSet::all(1),
            endless: MutantSet::from_iter([2]),
        });
    }
}
