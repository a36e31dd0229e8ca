//! A worker process and its pipes.

use super::Settings;
use super::restarting::Stop;
use crate::diagnostic::{Failure, Problem};
use crate::files;
use crate::run::process::{self, Charge};
use crate::run::search::Search;
use rustix::event::{PollFd, PollFlags, Timespec, poll};
use std::ffi::OsString;
use std::fs::File;
use std::io::{self, BufReader, Read, Seek, SeekFrom, Write};
use std::os::fd::AsFd;
use std::path::{Path, PathBuf};
use std::process::{ChildStdout, Command, ExitStatus, Stdio};
use std::sync::mpsc::{Sender, channel};
use std::thread::JoinHandle;
use std::time::{Duration, Instant};
use subject::End;
use subject::wire::{self, Answer, Request};
use tempfile::TempDir;

/// Why a worker gave no answer.
#[derive(Clone, Copy)]
pub(super) enum Silence {
    /// The worker's output ended.
    Ended,
    /// The worker's output is not an answer: the program wrote into it.
    Garbled,
    /// There was no answer in time.
    Stalled,
}

/// A process that serves cases. Ended when dropped.
pub(super) struct Worker {
    to_writer: Option<Sender<Vec<u8>>>,
    writer: Option<JoinHandle<()>>,
    answers: BufReader<Answers>,
    stderr: File,
    buffer: Vec<u8>,
    /// The worker's own. No run writes there.
    _folder: TempDir,
}

impl Worker {
    pub(super) fn start(settings: &Settings) -> io::Result<Self> {
        let stderr = files::temporary().map_err(|error| process::no_temporary_files(&error))?;
        let folder = files::folder_of_run().map_err(|error| process::no_temporary_files(&error))?;
        let mut running = started(settings, folder.path(), &stderr)?;
        let mut stdin = running.child.stdin.take().expect("it is piped");
        let stdout = running.child.stdout.take().expect("it is piped");
        let search = settings.work.search.clone();
        let answers = Answers { stdout, running, search, patience: settings.patience };
        // A separate thread writes, so that neither side waits for the other to read.
        let (to_writer, frames) = channel::<Vec<u8>>();
        let writer = std::thread::spawn(move || {
            // The reader of the answers notices that a worker has died.
            while let Ok(bytes) = frames.recv()
                && stdin.write_all(&bytes).is_ok()
            {}
        });
        let mut hello = Vec::new();
        wire::put_frame(&mut hello, &settings.hello);
        // The channel is open as long as the thread runs.
        let _ = to_writer.send(hello);
        Ok(Self {
            to_writer: Some(to_writer),
            writer: Some(writer),
            answers: BufReader::with_capacity(1 << 16, answers),
            stderr,
            buffer: Vec::new(),
            _folder: folder,
        })
    }

    pub(super) fn send(&mut self, requests: &[Request]) {
        let mut bytes = Vec::new();
        requests.iter().for_each(|request| wire::put_frame(&mut bytes, request));
        if let Some(to_writer) = &self.to_writer {
            // The reader of the answers notices that a worker has died.
            let _ = to_writer.send(bytes);
        }
    }

    /// The next answer, which must arrive within `patience`.
    pub(super) fn receive(&mut self, patience: Duration) -> Result<Answer, Silence> {
        self.answers.get_mut().patience = patience;
        match wire::read_frame(&mut self.answers, &mut self.buffer) {
            Ok(Some(answer)) => Ok(answer),
            Err(error) => Err(match error.kind() {
                io::ErrorKind::InvalidData => Silence::Garbled,
                io::ErrorKind::TimedOut => Silence::Stalled,
                _ => Silence::Ended,
            }),
            Ok(None) => Err(Silence::Ended),
        }
    }

    /// The exit status of a worker whose output has ended. A worker that does not exit is killed.
    fn wait_for_end(&mut self) -> io::Result<ExitStatus> {
        const LOOK: Duration = Duration::from_millis(1);
        const LOOKS: usize = 1000;
        for _ in 0..LOOKS {
            if self.answers.get_ref().running.has_ended()? {
                break;
            }
            std::thread::sleep(LOOK);
        }
        self.answers.get_mut().running.end()
    }

    /// Ends the process, and gives the end of the run that it was busy with.
    pub(super) fn end(mut self, silence: Silence, words: &[String]) -> Result<End, Stop> {
        match silence {
            Silence::Stalled => return Ok(End::Timeout),
            Silence::Garbled => {
                return Ok(End::Crash(
                    "it wrote to the real standard output, not to its environment's".to_owned(),
                ));
            }
            Silence::Ended => {}
        }
        let (status, said) =
            self.last_words().map_err(|error| Failure::machine("wait for a worker", error))?;
        if let Some(versions) = said.strip_prefix(wire::OTHER_VERSION) {
            return Err(other_version(words, versions.trim_end()).into());
        }
        if let Some(reason) = said.lines().find_map(|line| line.strip_prefix(wire::UNFIT)) {
            return Err(Stop::Unfit(reason.trim_end().to_owned()));
        }
        Ok(match process::end_of(status, said.as_bytes()) {
            // The program made the worker exit without an answer. That is a crash, whatever the status.
            End::Exit(status) => End::Crash(format!("the process ended with status {status}")),
            End::Crash(signal) => match said.lines().find(|line| !line.trim().is_empty()) {
                Some(line) => End::Crash(format!("{signal}: {}", line.trim())),
                None => End::Crash(signal),
            },
            end => end,
        })
    }

    /// The exit status of a worker whose output has ended, and what it wrote to standard error.
    fn last_words(&mut self) -> io::Result<(ExitStatus, String)> {
        let status = self.wait_for_end()?;
        let mut said = Vec::new();
        self.stderr.seek(SeekFrom::Start(0))?;
        self.stderr.read_to_end(&mut said)?;
        Ok((status, String::from_utf8_lossy(&said).into_owned()))
    }
}

/// The process of a worker, which writes its standard error to this file.
fn started(settings: &Settings, folder: &Path, stderr: &File) -> io::Result<process::Running> {
    let Settings { runnable, memory, file_size, processes, .. } = settings;
    if let (Some(shown), Some(porters)) = (&runnable.hostile, &settings.work.porters) {
        let mut words: Vec<_> = runnable.words.iter().map(OsString::from).collect();
        words[0] = process::absolute(&runnable.words[0], &runnable.folder).into_os_string();
        let mut shown = shown.clone();
        shown.extend(process::shown_by(&mut words));
        let preloaded = settings.environment.iter().map(|(_, value)| PathBuf::from(value));
        shown.extend(preloaded.filter(|path| path.is_absolute()));
        let version = (subject::WORKER_VARIABLE.to_owned(), wire::VERSION.into());
        let variables = settings.environment.iter().cloned().chain([version]).collect();
        let mut launched = porters.launcher.launch(&process::Launch {
            words,
            variables,
            shown,
            work: None,
            memory: *memory,
            file_size: *file_size,
            processes: process::with_others(*processes),
        })?;
        launched.command.stdin(Stdio::piped()).stdout(Stdio::piped()).stderr(stderr.try_clone()?);
        return process::Running::start_launched(launched, true);
    }
    let mut command = Command::new(process::absolute(&runnable.words[0], &runnable.folder));
    command.args(&runnable.words[1..]).current_dir(folder);
    command.env(subject::WORKER_VARIABLE, wire::VERSION);
    process::steady(&mut command);
    command.env_remove(subject::MUTANT_VARIABLE);
    command.envs(settings.environment.iter().map(|(name, value)| (name, value)));
    command.stdin(Stdio::piped()).stdout(Stdio::piped()).stderr(stderr.try_clone()?);
    process::limit(&mut command, *memory, *file_size, *processes);
    process::Running::start_for_long(command)
        .map_err(|error| process::refused(error, *memory, *file_size))
}

/// The output of a worker. Reading it fails with [`io::ErrorKind::TimedOut`] if nothing arrives within the worker's time.
struct Answers {
    stdout: ChildStdout,
    running: process::Running,
    search: Search,
    patience: Duration,
}

impl Read for Answers {
    fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
        /// The longest time between two looks at the worker.
        const LOOK: Duration = Duration::from_millis(20);
        /// The system is asked only after this time, because looking at all its processes takes long.
        const CALM: Duration = Duration::from_millis(100);
        let look = (self.patience / 3).min(LOOK);
        let (start, calm) = (Instant::now(), (self.patience / 20).min(CALM));
        let (mut charge, mut has_ended) = (None, false);
        while !self.is_ready(look)? {
            // What a process that the worker has left behind writes is no answer.
            if has_ended {
                return Ok(0);
            }
            has_ended = self.running.has_ended()?;
            if self.search.is_over() {
                return Err(io::ErrorKind::TimedOut.into());
            }
            // Most answers arrive soon.
            if start.elapsed() < calm {
                continue;
            }
            let used = || process::usage_of_tree(self.running.child.id());
            let charge = charge.get_or_insert_with(|| {
                Charge::new(used().map_or(Duration::ZERO, |used| used.processor))
            });
            if charge.is_over(self.patience, used) {
                return Err(io::ErrorKind::TimedOut.into());
            }
        }
        self.stdout.read(buffer)
    }
}

impl Answers {
    /// Waits until there is something to read, at most for `most`.
    fn is_ready(&self, most: Duration) -> io::Result<bool> {
        let most = Timespec { tv_sec: 0, tv_nsec: i64::from(most.subsec_nanos()) };
        let mut fds = [PollFd::from_borrowed_fd(self.stdout.as_fd(), PollFlags::IN)];
        match poll(&mut fds, Some(&most)) {
            Ok(count) => Ok(count > 0),
            Err(rustix::io::Errno::INTR) => Ok(false),
            Err(error) => Err(error.into()),
        }
    }
}

/// The failure of a program that links a `subject` with another protocol.
fn other_version(words: &[String], versions: &str) -> Failure {
    let message = format!(
        "{} links another version of `subject`: its version of the worker protocol is {versions}",
        words.join(" ")
    );
    let hint = "let the crate depend on the `subject` that comes with this version of `harness`";
    Failure::broken_course(Problem::new(message).hint(hint))
}

impl Drop for Worker {
    fn drop(&mut self) {
        // Ending the worker frees a writer that waits for it to read.
        let _ = self.answers.get_mut().running.end();
        self.to_writer = None;
        if let Some(writer) = self.writer.take() {
            let _ = writer.join();
        }
    }
}
