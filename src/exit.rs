//! The exit statuses of `harness`.

use crate::diagnostic::FailureKind;

/// The exit statuses of `harness`.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[repr(u8)]
pub enum Exit {
    /// The command did its work, whatever the score.
    Done = 0,
    /// A score is below `--fail-under`, `judge` found the answer wrong, `verify` found a difference, `serve audit` found a
    /// changed log, or `autograder-io grade` found a test that exposes the bug.
    UnderThreshold = 1,
    /// The command line or the course file is wrong.
    Usage = 2,
    /// There is no valid test to score.
    NoValidTest = 3,
    /// The course is broken: a build fails, or the reference and the combined build disagree.
    BrokenCourse = 4,
    /// The system failed: a file cannot be written, or a process cannot be started.
    Machine = 5,
    /// Ctrl-C ended the work. The status is that of a program that SIGINT ends, as a shell reports it.
    Interrupted = 130,
    /// The reader of the output closed its pipe. The status is that of a program that SIGPIPE ends, as a shell reports it.
    ClosedPipe = 141,
    /// `autograder-io judge` found a test that exposes the bug. A process that fails by accident never has this status.
    Exposed = 86,
}

impl From<FailureKind> for Exit {
    fn from(kind: FailureKind) -> Self {
        match kind {
            FailureKind::Request | FailureKind::CourseFile => Self::Usage,
            FailureKind::Course => Self::BrokenCourse,
            FailureKind::NothingValid => Self::NoValidTest,
            FailureKind::Machine => Self::Machine,
            FailureKind::ClosedPipe => Self::ClosedPipe,
            FailureKind::Interrupted => Self::Interrupted,
        }
    }
}
