//! Watches a program until it ends or must be stopped.

use super::ProcessLimits;
use super::folder::CaseFolder;
use super::running::Running;
use super::streams::{read_some, ready};
use super::usage::{Charge, threads_of_the_system, usage_of_run};
use crate::run::search::Search;
use rustix::process::Signal;
use std::fs::File;
use std::io;
use std::os::unix::process::ExitStatusExt;
use std::process::ExitStatus;
use std::time::{Duration, Instant};
use subject::{Case, End, Outcome};

/// A run that has ended.
pub(super) struct Ended {
    pub(super) outcome: Outcome,
    /// The time that it is charged with.
    pub(super) time: Duration,
    /// Whether the outcome does not depend on what else runs on the machine.
    pub(super) is_certain: bool,
}

/// Starts a program and watches it to its end.
pub(super) fn watched(
    search: &Search,
    limits: &ProcessLimits,
    case: &Case,
    folder: &CaseFolder,
    start: impl FnOnce() -> io::Result<Running>,
) -> io::Result<Ended> {
    let threads_before = threads_of_the_system();
    let (start, running) = (Instant::now(), start()?);
    let charge = Charge::new(Duration::ZERO);
    let mut run = Run { running, start, charge, threads_before, counted: start, limits, search };
    let (cut, streams) = run.watch()?;
    // It has not been reaped.
    let used = usage_of_run(run.running.child.id());
    let is_certain =
        cut != Some(End::Timeout) || used.is_some_and(|used| used.processor >= limits.time);
    let time = run.charge.charged(used);
    let status = run.running.end()?;
    let [stdout, stderr] = streams;
    let end = cut.unwrap_or_else(|| end_of(status, &stderr));
    let outcome = Outcome { end, stdout, stderr, files: folder.written(case)? };
    Ok(Ended { outcome, time, is_certain })
}

/// A program that is running.
struct Run<'a> {
    running: Running,
    start: Instant,
    charge: Charge,
    threads_before: u64,
    /// When its processes were counted last.
    counted: Instant,
    limits: &'a ProcessLimits,
    search: &'a Search,
}

impl Run<'_> {
    /// The time until the first check of a run, and the longest time between two checks.
    const FIRST_LOOK: Duration = Duration::from_millis(1);
    const LOOK: Duration = Duration::from_millis(20);
    /// The longest time between two counts of the processes.
    const COUNT: Duration = Duration::from_millis(250);
    /// How long processes that a program started may keep its streams open after its end.
    const GRACE: Duration = Duration::from_millis(200);

    /// Reads both streams until the program ends or must be stopped. Gives the reason if it is stopped.
    fn watch(&mut self) -> io::Result<(Option<End>, [Vec<u8>; 2])> {
        let mut pipes: [Option<File>; 2] = [
            self.running
                .child
                .stdout
                .take()
                .map(|pipe| File::from(std::os::fd::OwnedFd::from(pipe))),
            self.running
                .child
                .stderr
                .take()
                .map(|pipe| File::from(std::os::fd::OwnedFd::from(pipe))),
        ];
        let mut streams = [Vec::new(), Vec::new()];
        let mut ended_at = None;
        let mut look = Self::FIRST_LOOK;
        while pipes.iter().any(Option::is_some) {
            for at in ready(&pipes, look)? {
                if let Some(pipe) = &mut pipes[at]
                    && read_some(pipe, &mut streams[at])? == 0
                {
                    pipes[at] = None;
                }
            }
            // A run with a short limit must not go on for much longer.
            look = (look * 2).min(Self::LOOK).min(self.limits.time / 4);
            if streams.iter().any(|stream| stream.len() as u64 > self.limits.output) {
                return Ok((Some(End::OutputLimit), streams));
            }
            if let Some(cut) = self.overdue() {
                return Ok((Some(cut), streams));
            }
            if ended_at.is_none() && self.running.has_ended()? {
                ended_at = Some(Instant::now());
            }
            if ended_at.is_some_and(|at: Instant| at.elapsed() > Self::GRACE) {
                break;
            }
        }
        Ok((self.wait_for_end()?, streams))
    }

    /// Waits for a program that has closed its streams.
    fn wait_for_end(&mut self) -> io::Result<Option<End>> {
        let mut pause = Duration::from_micros(50);
        while !self.running.has_ended()? {
            if let Some(cut) = self.overdue() {
                return Ok(Some(cut));
            }
            std::thread::sleep(pause);
            pause = (pause * 2).min(Self::LOOK);
        }
        Ok(None)
    }

    fn overdue(&mut self) -> Option<End> {
        let used = || usage_of_run(self.running.child.id());
        let is_late = self.start.elapsed() > self.limits.wall || self.search.has_ended();
        if is_late || self.charge.is_over(self.limits.time, used) {
            return Some(End::Timeout);
        }
        self.has_too_many_processes().then(|| {
            End::Crash(format!("it started more than {} processes", self.limits.processes))
        })
    }

    /// Counts the processes if the system has many more threads than when the run began, and now and then in any case: threads of others
    /// may have ended meanwhile.
    fn has_too_many_processes(&mut self) -> bool {
        let most = self.limits.processes;
        let now = Instant::now();
        let is_due = now - self.counted > Self::COUNT;
        if !is_due && threads_of_the_system() <= self.threads_before + most {
            return false;
        }
        self.counted = now;
        self.running.has_more_processes_than(most)
    }
}

/// How a run ended, from the exit status and from messages about memory.
pub fn end_of(status: ExitStatus, stderr: &[u8]) -> End {
    const OUT_OF_MEMORY: [&str; 5] = [
        "memory allocation of",
        "std::bad_alloc",
        "MemoryError",
        "OutOfMemoryError",
        "Cannot allocate memory",
    ];
    if !status.success()
        && OUT_OF_MEMORY.iter().any(|text| String::from_utf8_lossy(stderr).contains(text))
    {
        return End::Memory;
    }
    match (status.code(), status.signal()) {
        (Some(code), _) => End::Exit(code.try_into().unwrap_or(u8::MAX)),
        (None, Some(signal)) if signal == Signal::XFSZ.as_raw() => End::OutputLimit,
        (None, signal) => End::Crash(format!("signal {}", signal.unwrap_or_default())),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::run::build::Runnable;
    use crate::run::process::run_among_others;
    use crate::run::work::Work;
    use std::thread;

    #[test]
    fn a_program_that_multiplies_is_stopped_while_threads_of_others_end() {
        let folder = tempfile::tempdir().unwrap();
        let time = Duration::from_secs(60);
        let started = folder.path().join("started");
        let begin = Instant::now();
        let wait = || {
            while !started.exists() && begin.elapsed() < time {
                thread::sleep(Duration::from_millis(5));
            }
        };
        let script = "touch $0; for one in 1 2 3 4 5 6 7 8; do sleep 300 & done; wait";
        let words = ["sh", "-c", script, started.to_str().unwrap()].map(str::to_owned).to_vec();
        let runnable = Runnable::new(words, folder.path().to_owned());
        let limits =
            ProcessLimits { time, wall: time, memory: 64 << 20, output: 64 << 10, processes: 4 };
        let outcome = thread::scope(|scope| {
            for _ in 0..200 {
                scope.spawn(wait);
            }
            run_among_others(&Work::default(), &runnable, &Case::default(), &limits)
        });
        let end = outcome.unwrap().0.end;
        assert_eq!(end, End::Crash("it started more than 4 processes".to_owned()));
    }
}
