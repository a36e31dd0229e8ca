//! One run in the sandbox, from its start to its end.

use super::bubblewrap::{self, Guarded};
use super::disk::Disk;
use super::groups::Group;
use super::layers::{Layers, User};
use super::spawner::{Spawner, Spawners};
use super::supervisor::{ARRIVED, LimitKind, Orders, Report};
use super::{BOX, Ending, FOLDERS, Job, Ran, SandboxLimits};
use crate::diagnostic::{Failure, FailureKind, Problem};
use crate::run::cancellation::Cancellation;
use crate::run::process::{self, Charge, Usage};
use rustix::event::{PollFd, PollFlags, Timespec, poll};
use rustix::process::Signal;
use std::fs::File;
use std::io::{self, Read, Write};
use std::os::fd::{AsFd, AsRawFd, OwnedFd};
use std::os::unix::process::ExitStatusExt;
use std::path::PathBuf;
use std::process::ExitStatus;
use std::thread;
use std::time::{Duration, Instant};

/// Runs a program.
pub(super) fn run(layers: &Layers, spawners: &Spawners, job: &Job) -> Result<Ran, Failure> {
    let failed = |what: &str, error: &io::Error| {
        let problem = Problem::new(format!("cannot {what}: {error}"));
        let problem = problem.hint("`harness doctor` shows what is missing");
        Failure::new(FailureKind::Machine, problem)
    };
    let spawner =
        spawners.take(layers, &job.limits).map_err(|error| failed("make a sandbox", &error))?;
    // A spawner whose run fails is not used again.
    let ran = run_on(layers, &spawner, job, failed)?;
    spawners.give_back(spawner);
    Ok(ran)
}

fn run_on(
    layers: &Layers,
    spawner: &Spawner,
    job: &Job,
    failed: impl Fn(&str, &io::Error) -> Failure,
) -> Result<Ran, Failure> {
    let group = spawner.group.as_ref();
    let disk =
        disk(layers, spawner, job).map_err(|error| failed("make the disk of a run", &error))?;
    let pipes = || Ok((pipe()?, pipe()?));
    let ((report, reports), (goes, go)) =
        pipes().map_err(|error: io::Error| failed("make a pipe", &error))?;
    let orders = Orders {
        report: reports.as_raw_fd(),
        go: Some(goes.as_raw_fd()),
        folder: if layers.isolates() { BOX.into() } else { disk.folder() },
        variables: variables(layers, job, &disk),
        user: match layers.user {
            User::Other(id) => Some(id),
            User::Same => None,
        },
        limits: limits(&job.limits, layers.user, group.is_some()),
        is_alone: job.is_alone,
    };
    let guarded = bubblewrap::start(layers, spawner, job, &disk, &orders);
    let guarded = guarded.map_err(|error| failed("start a sandbox", &error))?;
    // The supervisor has its own.
    drop((reports, goes));
    let mut run = Run::new(guarded, job, group, report, go);
    let cut = run.watch().map_err(|error| failed("watch a run", &error))?;
    job.cancellation.map_or(Ok(()), Cancellation::check)?;
    let wall = run.start.elapsed();
    let ending = run.ending(cut).map_err(|it| Failure::new(FailureKind::Machine, it))?;
    let not_kept = job.keep.map_or(Ok(Vec::new()), |to| disk.keep(to, &job.limits));
    let not_kept = not_kept.map_err(|error| failed("keep what a run left", &error))?;
    let (cpu, peak_memory) = run.used();
    let [stdout, stderr, _] = std::mem::take(&mut run.read);
    let disk_is_full = disk.is_full();
    Ok(Ran { ending, stdout, stderr, cpu, wall, peak_memory, disk_is_full, not_kept })
}

fn disk<'a>(layers: &Layers, spawner: &'a Spawner, job: &Job) -> io::Result<Disk<'a>> {
    let (user, limits) = (layers.user, &job.limits);
    let disk = match &layers.isolation {
        Some(isolation) => Disk::in_memory(spawner, isolation.place.path(), user, limits)?,
        None => Disk::in_folder(user)?,
    };
    job.folder.map_or(Ok(()), |folder| disk.fill(folder))?;
    job.files.map_or(Ok(()), |files| disk.add(files))?;
    Ok(disk)
}

/// The environment of the program.
fn variables(layers: &Layers, job: &Job, disk: &Disk) -> Vec<(String, String)> {
    let (home, temporary) = if layers.isolates() {
        (BOX.into(), "/tmp".into())
    } else {
        (disk.folder(), disk.temporary())
    };
    let mut variables = variables_of(home, temporary);
    variables.extend(job.variables.iter().cloned());
    variables
}

/// The environment of every program.
pub(super) fn variables_of(home: PathBuf, temporary: PathBuf) -> Vec<(String, String)> {
    let text = |path: PathBuf| path.to_string_lossy().into_owned();
    let mut variables = vec![
        ("PATH".to_owned(), FOLDERS.join(":")),
        ("HOME".to_owned(), text(home)),
        ("LANG".to_owned(), "C.UTF-8".to_owned()),
        ("TMPDIR".to_owned(), text(temporary)),
    ];
    variables.extend(process::STEADY.map(|(name, value)| (name.to_owned(), value.to_owned())));
    variables
}

/// The limits on each process. Where there are control groups, these limit the memory and the number of all processes more exactly.
fn limits(limits: &SandboxLimits, user: User, has_groups: bool) -> Vec<(LimitKind, u64)> {
    let mut list = vec![
        (LimitKind::Time, seconds_of_each(limits.time)),
        (LimitKind::Stack, limits.stack),
        (LimitKind::File, limits.file),
        (LimitKind::OpenFiles, 256),
    ];
    if !has_groups {
        // The system counts the processes of a user, who may run several programs at the same time.
        let runs = match user {
            User::Other(_) => thread::available_parallelism().map_or(1, |cores| cores.get() as u64),
            User::Same => 1,
        };
        list.push((LimitKind::AddressSpace, limits.memory));
        list.push((LimitKind::Processes, limits.processes.saturating_mul(runs)));
    }
    list
}

/// The seconds after which the system itself ends a process, if nothing has stopped the run before. It counts ticks of its clock, and by
/// these a process can have used some per cent more than it has.
fn seconds_of_each(time: Duration) -> u64 {
    let seconds = time.as_secs();
    seconds + seconds / 4 + 2
}

/// A pipe: where it is read, and where it is written.
pub(super) fn pipe() -> io::Result<(OwnedFd, OwnedFd)> {
    Ok(rustix::pipe::pipe_with(rustix::pipe::PipeFlags::CLOEXEC)?)
}

/// The limit of its groups that a run has exceeded.
fn exceeded(group: &Group) -> Option<Ending> {
    if group.has_run_out_of_memory() {
        return Some(Ending::MemoryLimit);
    }
    group.has_run_out_of_processes().then_some(Ending::ProcessLimit)
}

fn usage_of_group(group: &Group) -> Option<Usage> {
    let processes = group.processes();
    Some(Usage { processor: group.cpu()?, is_runnable: process::is_any_runnable(&processes) })
}

/// A program that is running.
struct Run<'a> {
    guarded: Guarded<'a>,
    limits: SandboxLimits,
    cancellation: Option<&'a Cancellation>,
    group: Option<&'a Group>,
    /// Where the supervisor is told to start the program, until it has been told.
    go: Option<File>,
    /// When that was, or until then, when the supervisor was started.
    start: Instant,
    charge: Charge,
    /// Standard output, standard error, and the supervisor's report.
    pipes: [Option<File>; 3],
    read: [Vec<u8>; 3],
    /// The processor time at the last look.
    seen: Duration,
}

impl<'a> Run<'a> {
    /// The time until the first look at a run, and the longest time between two.
    const FIRST_LOOK: Duration = Duration::from_millis(1);
    const LOOK: Duration = Duration::from_millis(20);
    const REPORT: usize = 2;

    fn new(
        mut guarded: Guarded<'a>,
        job: &Job<'a>,
        group: Option<&'a Group>,
        report: OwnedFd,
        go: OwnedFd,
    ) -> Self {
        let [stdout, stderr] = guarded.streams();
        let pipes = [stdout, stderr, Some(report.into())];
        let charge = Charge::new(Duration::ZERO);
        let read = [const { Vec::new() }; 3];
        let (go, start, seen) = (Some(go.into()), Instant::now(), Duration::ZERO);
        let (limits, cancellation) = (job.limits, job.cancellation);
        Self { guarded, limits, cancellation, group, go, start, charge, pipes, read, seen }
    }

    /// Reads what the program writes until it ends or must be stopped, and ends it. Gives the reason if it is stopped.
    fn watch(&mut self) -> io::Result<Option<Ending>> {
        let mut look = Self::FIRST_LOOK;
        let cut = loop {
            let has_ended = self.pipes[Self::REPORT].is_none();
            let ready = self.ready(if has_ended { Duration::ZERO } else { look })?;
            let mut is_flooded = false;
            for &at in &ready {
                is_flooded |= self.read_some(at)?;
            }
            if self.read[Self::REPORT].first() == Some(&ARRIVED) {
                self.go()?;
            }
            look = (look * 2).min(Self::LOOK);
            if self.read.iter().any(|read| read.len() as u64 > self.limits.output) {
                break Some(Ending::OutputLimit);
            }
            // What is left in the pipes was written before the end.
            if has_ended && ready.is_empty() {
                break None;
            }
            if let Some(cut) = self.overdue(is_flooded) {
                break Some(cut);
            }
        };
        for read in &mut self.read {
            read.truncate(usize::try_from(self.limits.output).unwrap_or(usize::MAX));
        }
        self.guarded.end()?;
        Ok(cut)
    }

    /// Lets the supervisor start the program, if it waits for that. What was used so far is not the program's.
    fn go(&mut self) -> io::Result<()> {
        let Some(mut go) = self.go.take() else { return Ok(()) };
        self.group.inspect(|group| group.start_counting());
        (self.start, self.charge) = (Instant::now(), Charge::new(Duration::ZERO));
        match go.write_all(&[0]) {
            // The supervisor has ended, which the end of the run will show.
            Err(error) if error.kind() == io::ErrorKind::BrokenPipe => Ok(()),
            written => written,
        }
    }

    /// The pipes that can be read or are closed, waiting at most for `most`.
    fn ready(&self, most: Duration) -> io::Result<Vec<usize>> {
        let open: Vec<_> =
            (0..).zip(&self.pipes).filter_map(|(at, pipe)| Some((at, pipe.as_ref()?))).collect();
        let mut polled: Vec<_> = open
            .iter()
            .map(|(_, pipe)| PollFd::from_borrowed_fd(pipe.as_fd(), PollFlags::IN))
            .collect();
        let most = Timespec { tv_sec: 0, tv_nsec: i64::from(most.subsec_nanos()) };
        match poll(&mut polled, Some(&most)) {
            Ok(_) => {
                let ready = open.iter().zip(&polled).filter(|(_, fd)| !fd.revents().is_empty());
                Ok(ready.map(|((at, _), _)| *at).collect())
            }
            Err(rustix::io::Errno::INTR) => Ok(Vec::new()),
            Err(error) => Err(error.into()),
        }
    }

    /// Reads from a pipe, and tells whether there was more than one read takes.
    fn read_some(&mut self, at: usize) -> io::Result<bool> {
        let mut buffer = [0; 1 << 14];
        let Some(pipe) = &mut self.pipes[at] else { return Ok(false) };
        let count = pipe.read(&mut buffer)?;
        if count == 0 {
            self.pipes[at] = None;
        }
        self.read[at].extend_from_slice(&buffer[..count]);
        Ok(count == buffer.len())
    }

    /// A program that sleeps because nobody reads what it writes, `is_flooded`, is not charged for that.
    fn overdue(&mut self, is_flooded: bool) -> Option<Ending> {
        if let Some(ending) = self.group.and_then(exceeded) {
            return Some(ending);
        }
        let is_cancelled = self.cancellation.is_some_and(Cancellation::is_cancelled);
        if is_cancelled || self.start.elapsed() > self.limits.wall {
            return Some(Ending::WallLimit);
        }
        let (id, group, seen) = (self.guarded.id(), self.group, &mut self.seen);
        let used = || {
            let usage = match group {
                Some(group) => usage_of_group(group)?,
                None => process::usage_of_tree(id)?,
            };
            *seen = usage.processor;
            Some(Usage { is_runnable: usage.is_runnable || is_flooded, ..usage })
        };
        let is_over = self.charge.is_over(self.limits.time, used);
        // Little of the time of a program that works is sleep.
        let has_worked = self.seen >= self.limits.time / 2;
        is_over.then_some(if has_worked { Ending::TimeLimit } else { Ending::WallLimit })
    }

    /// How the run ended, if it was not stopped for the reason `cut`.
    fn ending(&self, cut: Option<Ending>) -> Result<Ending, Problem> {
        // A program that is stopped for its time may have used up its memory first.
        if let Some(ending) = self.group.and_then(exceeded).or(cut) {
            return Ok(ending);
        }
        match self.report() {
            Some(Report::NotStarted(reason)) => Ok(Ending::NotStarted(reason)),
            Some(Report::Ended { status, .. }) => Ok(self.ending_of(ExitStatus::from_raw(status))),
            // The program found a way to end its supervisor.
            None if self.go.is_none() => Ok(Ending::Signal(Signal::KILL.as_raw())),
            None => {
                let said = String::from_utf8_lossy(&self.read[1]).trim().to_owned();
                Err(Problem::new(format!("the sandbox does not start: {said}"))
                    .hint("`harness doctor` shows what is missing"))
            }
        }
    }

    fn ending_of(&self, status: ExitStatus) -> Ending {
        // Without a control group, a program that gets no more memory ends by itself.
        if self.group.is_none() && process::end_of(status, &self.read[1]) == subject::End::Memory {
            return Ending::MemoryLimit;
        }
        match status.signal() {
            Some(signal) if signal == Signal::XFSZ.as_raw() => Ending::OutputLimit,
            Some(signal) if signal == Signal::XCPU.as_raw() => Ending::TimeLimit,
            Some(signal) => Ending::Signal(signal),
            None => Ending::Exited(status.code().unwrap_or_default()),
        }
    }

    fn report(&self) -> Option<Report> {
        serde_json::from_slice(self.read[Self::REPORT].get(1..)?).ok()
    }

    /// The processor time, and the peak memory.
    fn used(&self) -> (Duration, u64) {
        let (reported, peak) = match self.report() {
            Some(Report::Ended { cpu, peak_memory, .. }) => (cpu, peak_memory),
            // It was stopped.
            _ => (Duration::ZERO, self.group.and_then(Group::peak_memory).unwrap_or(0)),
        };
        let counted = self.group.and_then(Group::cpu).unwrap_or(self.seen);
        (reported.max(counted), peak)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_run_is_stopped_before_the_system_ends_its_processes() {
        let seconds = |time| seconds_of_each(Duration::from_secs(time));
        assert_eq!([0, 1, 120].map(seconds), [2, 3, 152]);
    }
}
