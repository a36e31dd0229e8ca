//! `harness plug grade BUG TEST…`: exits with 1 if a test exposes the bug, and with 0 whatever else happens.
//!
//! The verdict is reached in a process of its own, so that a crash, a lack of memory or of time is not taken for one. Only that process's
//! word for it counts.

use crate::cli::plug::{Grade, Handed};
use crate::problem::Exit;
use std::io::{self, Write};
use std::process::{Child, Command, ExitStatus};
use std::time::{Duration, Instant};

/// How often it is looked whether the verdict is there.
const GLANCE: Duration = Duration::from_millis(2);
/// How long a verdict may take where the command line says nothing sensible.
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

/// Whether the bug is exposed, by how the process ended that judges; or why that can't be told.
fn verdict(end: io::Result<Option<ExitStatus>>) -> Result<bool, String> {
    match end {
        Ok(Some(status)) if status.code() == Some(Exit::Exposed as i32) => Ok(true),
        Ok(Some(status)) if status.success() => Ok(false),
        Ok(Some(status)) => Err(format!("judging ended with {status}")),
        Ok(None) => Err("judging took too long".to_owned()),
        Err(error) => Err(format!("judging can't be started: {error}")),
    }
}

/// Says loudly that there is no verdict. That nobody hears it must not become a status either.
pub(in crate::command) fn not_graded(why: &str) {
    let message =
        "THIS BUG WAS NOT GRADED, and counts as not exposed. Please tell the course's staff";
    let _ = writeln!(io::stderr(), "error: {message}: {why}");
}

/// The command that reaches the verdict.
fn judge(options: &Grade) -> io::Result<Command> {
    let Handed { suite, course, assignment } = &options.judge.handed;
    let mut command = Command::new(std::env::current_exe()?);
    command.args(["plug", "judge", "--suite"]).arg(suite).arg("--course").arg(course);
    if let Some(assignment) = assignment {
        command.args(["--assignment", assignment]);
    }
    // What follows `--` is no option, whatever it looks like.
    command.arg("--").arg(&options.judge.bug).args(&options.judge.tests);
    Ok(command)
}

/// How the process ended, if it did in time.
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
    fn only_the_word_of_the_judge_exposes_a_bug() {
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
