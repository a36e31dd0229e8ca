//! `harness autograder-io grade BUG TEST…`: exits with 1 if a test exposes the bug, and with 0 in every other case.
//!
//! A separate process reaches the verdict, so that a crash or a lack of memory or time is not taken for an exposed bug. Only the explicit
//! answer of that process exposes the bug.

use crate::cli::autograder_io::{Grade, Handed};
use crate::exit::Exit;
use std::io::{self, Write};
use std::process::{Child, Command, ExitStatus};
use std::time::{Duration, Instant};

/// The time between two checks for the verdict.
const GLANCE: Duration = Duration::from_millis(2);
/// The time for a verdict if the command line gives no valid time.
const PATIENCE: Duration = Duration::from_secs(8);

pub(super) fn run(options: &Grade) -> Exit {
    let patience = Duration::try_from_secs_f64(options.seconds).unwrap_or(PATIENCE);
    match verdict(judge(options).and_then(|mut judge| wait(judge.spawn()?, patience))) {
        Ok(true) => Exit::UnderThreshold,
        Ok(false) => Exit::Done,
        Err(why) => {
            not_graded(&why);
            Exit::Done
        }
    }
}

/// Whether the bug is exposed, from the exit status of the judging process. Otherwise, why there is no verdict.
fn verdict(end: io::Result<Option<ExitStatus>>) -> Result<bool, String> {
    match end {
        Ok(Some(status)) if status.code() == Some(Exit::Exposed as i32) => Ok(true),
        Ok(Some(status)) if status.success() => Ok(false),
        Ok(Some(status)) => Err(format!("judging ended with {status}")),
        Ok(None) => Err("judging took too long".to_owned()),
        Err(error) => Err(format!("cannot start judging: {error}")),
    }
}

/// Reports that there is no verdict. A failure to print it must not change the exit status.
pub(in crate::command) fn not_graded(why: &str) {
    let message =
        "THIS BUG WAS NOT GRADED, and counts as not exposed. Please tell the course's staff";
    let _ = writeln!(io::stderr(), "error: {message}: {why}");
}

/// The command that reaches the verdict.
fn judge(options: &Grade) -> io::Result<Command> {
    let Handed { suite, course, assignment } = &options.judge.handed;
    let mut command = Command::new(std::env::current_exe()?);
    command.args(["autograder-io", "judge", "--suite"]).arg(suite).arg("--course").arg(course);
    if let Some(assignment) = assignment {
        command.args(["--assignment", assignment]);
    }
    // Words after `--` are never options.
    command.arg("--").arg(&options.judge.bug).args(&options.judge.tests);
    Ok(command)
}

/// The exit status of the process, if it ends in time.
fn wait(mut judge: Child, patience: Duration) -> io::Result<Option<ExitStatus>> {
    let start = Instant::now();
    while start.elapsed() < patience {
        if let Some(status) = judge.try_wait()? {
            return Ok(Some(status));
        }
        std::thread::sleep(GLANCE);
    }
    judge.kill()?;
    judge.wait()?;
    Ok(None)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn ends(script: &str) -> Result<bool, String> {
        verdict(
            Command::new("sh")
                .args(["-c", script])
                .spawn()
                .and_then(|judge| wait(judge, Duration::from_secs(1))),
        )
    }

    #[test]
    fn only_the_explicit_answer_of_the_judge_exposes_a_bug() {
        assert_eq!(ends("exit 86"), Ok(true));
        assert_eq!(ends("exit 0"), Ok(false));
        // A panic, a mistaken command line, an abort, no memory, a program that is not there.
        for accident in
            ["exit 101", "exit 2", "exit 1", "kill -ABRT $$", "kill -KILL $$", "exit 127"]
        {
            assert!(ends(accident).is_err(), "{accident}");
        }
    }

    #[test]
    fn a_judge_that_does_not_end_is_ended() {
        assert_eq!(ends("exec sleep 60"), Err("judging took too long".to_owned()));
        assert!(verdict(Command::new("/no/such/program").spawn().map(|_| None)).is_err());
    }
}
