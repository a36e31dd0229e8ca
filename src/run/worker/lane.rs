//! One worker process that is kept busy, and restarted when it dies.

use super::Settings;
use crate::files;
use crate::problem::{self, Failure, Problem};
use crate::run::process::{self, Usage};
use rustix::event::{PollFd, PollFlags, Timespec, poll};
use std::collections::VecDeque;
use std::fs::File;
use std::io::{self, BufReader, Read, Seek, SeekFrom, Write};
use std::os::fd::AsFd;
use std::process::{ChildStdout, Command, ExitStatus, Stdio};
use std::sync::mpsc::{Sender, channel};
use std::thread::JoinHandle;
use std::time::{Duration, Instant};
use subject::wire::{self, Answer, Detail, Difference, MutantSet, Request};
use subject::{End, How, Outcome};

/// Why a lane gives no more answers.
#[derive(Debug)]
pub enum Stop {
    /// The worker's engine cannot run the program, for this reason. The requests without an answer must go to another engine.
    Unfit(String),
    Failure(Failure),
}

impl From<Failure> for Stop {
    fn from(failure: Failure) -> Self {
        Self::Failure(failure)
    }
}

impl From<Stop> for Failure {
    fn from(stop: Stop) -> Self {
        match stop {
            Stop::Unfit(reason) => {
                let message = format!("{}{}", wire::UNFIT, problem::printable(&reason));
                Self::broken_course(Problem::new(message))
            }
            Stop::Failure(failure) => failure,
        }
    }
}

/// A worker process that is kept busy, and restarted when it dies.
pub struct Lane {
    settings: Settings,
    worker: Option<Worker>,
    /// Batches that were submitted and not yet collected.
    in_flight: VecDeque<Vec<Request>>,
}

impl Lane {
    /// A lane whose worker starts when it is first needed.
    pub fn new(settings: Settings) -> Self {
        Self { settings, worker: None, in_flight: VecDeque::new() }
    }

    /// Sends a batch to the worker. With two at a time, it is busy while the answers to the first are read.
    ///
    /// # Errors
    /// If the worker cannot be started.
    pub fn submit(&mut self, batch: Vec<Request>) -> Result<(), Failure> {
        self.worker()?.send(&batch);
        self.in_flight.push_back(batch);
        Ok(())
    }

    /// The answers to the oldest batch that was submitted, in order. `None` if there is no batch.
    ///
    /// # Errors
    /// If a worker cannot be started, or cannot run the program.
    pub fn collect(&mut self) -> Result<Option<Vec<Answer>>, Stop> {
        let Some(batch) = self.in_flight.pop_front() else { return Ok(None) };
        let mut answers = Vec::with_capacity(batch.len());
        loop {
            while answers.len() < batch.len() {
                match self.worker()?.receive() {
                    Ok(answer) => answers.push(answer),
                    // The worker died or stalled on this request, and has not read the later ones.
                    Err(silence) => {
                        self.end_worker(silence)?;
                        break;
                    }
                }
            }
            let Some(request) = batch.get(answers.len()) else { return Ok(Some(answers)) };
            answers.push(self.dissect(request)?);
            let later = std::mem::take(&mut self.in_flight);
            let worker = self.worker()?;
            worker.send(&batch[answers.len()..]);
            later.iter().for_each(|batch| worker.send(batch));
            self.in_flight = later;
        }
    }

    /// Answers a request that ended a worker. It starts each run separately, so that each is charged only with its own failure.
    fn dissect(&mut self, request: &Request) -> Result<Answer, Stop> {
        let alone = |mutants: MutantSet| Request { mutants, ..request.clone() };
        let mut answer = match self.try_row(&alone(MutantSet::default()))? {
            Ok(answer) => answer,
            Err(end) => {
                let none = MutantSet::default;
                return Ok(Answer {
                    reference: ended(end),
                    steps: 0,
                    reached: none(),
                    differing: Vec::new(),
                    near: none(),
                });
            }
        };
        if answer.reference.end != End::Exit(0) {
            return Ok(answer);
        }
        for mutant in answer.reached.iter().filter(|&mutant| request.mutants.contains(mutant)) {
            match self.try_row(&alone(MutantSet::from_iter([mutant])))? {
                Ok(row) => answer.differing.extend(row.differing),
                Err(end) => {
                    let outcome = ended(end);
                    let how = How::between(&answer.reference, &outcome).unwrap_or(How::Crash);
                    let outcome = (request.detail == Detail::Outcomes).then_some(outcome);
                    answer.differing.push(Difference { mutant, how, outcome });
                }
            }
        }
        Ok(answer)
    }

    /// The answer to one request, or how the request ended the worker.
    fn try_row(&mut self, request: &Request) -> Result<Result<Answer, End>, Stop> {
        let worker = self.worker()?;
        worker.send(std::slice::from_ref(request));
        match worker.receive() {
            Ok(answer) => Ok(Ok(answer)),
            Err(silence) => self.end_worker(silence).map(Err),
        }
    }

    /// Ends a worker that gave no answer. Gives the end of the run that it was busy with.
    fn end_worker(&mut self, silence: Silence) -> Result<End, Stop> {
        let worker = self.worker.take().expect("it was just asked");
        worker.end(silence, &self.settings.runnable.words)
    }

    fn worker(&mut self) -> Result<&mut Worker, Failure> {
        let worker = match self.worker.take() {
            Some(worker) => worker,
            None => Worker::start(&self.settings).map_err(|error| {
                let command_line = self.settings.runnable.words.join(" ");
                process::failure(format!("start {command_line}"), &error)
            })?,
        };
        Ok(self.worker.insert(worker))
    }
}

fn ended(end: End) -> Outcome {
    Outcome {
        end,
        stdout: Vec::new(),
        stderr: Vec::new(),
        files: std::collections::BTreeMap::new(),
    }
}

/// Why a worker gave no answer.
#[derive(Clone, Copy)]
enum Silence {
    /// The worker's output ended.
    Ended,
    /// The worker's output is not an answer: the program wrote into it.
    Garbled,
    /// There was no answer in time.
    Stalled,
}

/// A process that serves cases. Ended when dropped.
struct Worker {
    to_writer: Option<Sender<Vec<u8>>>,
    writer: Option<JoinHandle<()>>,
    answers: BufReader<Answers>,
    stderr: File,
    buffer: Vec<u8>,
}

impl Worker {
    fn start(settings: &Settings) -> io::Result<Self> {
        let stderr = files::temporary().map_err(|error| process::no_temporary_files(&error))?;
        let mut command = Command::new(&settings.runnable.words[0]);
        command.args(&settings.runnable.words[1..]).current_dir(&settings.runnable.folder);
        command.env(subject::WORKER_VARIABLE, wire::VERSION).env_remove("RUST_BACKTRACE");
        command.env_remove(subject::MUTANT_VARIABLE);
        command.envs(settings.environment.iter().map(|(name, value)| (name, value)));
        command.stdin(Stdio::piped()).stdout(Stdio::piped()).stderr(stderr.try_clone()?);
        process::limit(&mut command, settings.memory, settings.file_size, settings.processes);
        let mut running = process::Running::start_for_long(command)
            .map_err(|error| process::refused(error, settings.memory, settings.file_size))?;
        let mut stdin = running.child.stdin.take().expect("it is piped");
        let stdout = running.child.stdout.take().expect("it is piped");
        let answers = Answers { stdout, running, patience: settings.patience };
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
        })
    }

    fn send(&mut self, requests: &[Request]) {
        let mut bytes = Vec::new();
        requests.iter().for_each(|request| wire::put_frame(&mut bytes, request));
        if let Some(to_writer) = &self.to_writer {
            // The reader of the answers notices that a worker has died.
            let _ = to_writer.send(bytes);
        }
    }

    fn receive(&mut self) -> Result<Answer, Silence> {
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
    fn end(mut self, silence: Silence, words: &[String]) -> Result<End, Stop> {
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

/// The output of a worker. Reading it fails with [`io::ErrorKind::TimedOut`] if nothing arrives within the worker's time.
struct Answers {
    stdout: ChildStdout,
    running: process::Running,
    patience: Duration,
}

impl Read for Answers {
    fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
        /// What a process that the worker has left behind writes is no answer.
        const LOOK: Timespec = Timespec { tv_sec: 0, tv_nsec: 20_000_000 };
        let (mut since, mut has_ended) = (None, false);
        while !self.is_ready(&LOOK)? {
            if has_ended {
                return Ok(0);
            }
            has_ended = self.running.has_ended()?;
            // Most answers arrive during the first wait, so the system is asked only after it.
            let used = || process::usage(self.running.child.id());
            let (start, before) = *since.get_or_insert_with(|| (Instant::now(), used()));
            if process::is_over(start.elapsed(), self.patience, || {
                let (now, before) = (used()?, before?);
                Some(Usage { processor: now.processor.saturating_sub(before.processor), ..now })
            }) {
                return Err(io::ErrorKind::TimedOut.into());
            }
        }
        self.stdout.read(buffer)
    }
}

impl Answers {
    /// Waits until there is something to read, at most for `most`.
    fn is_ready(&self, most: &Timespec) -> io::Result<bool> {
        let mut fds = [PollFd::from_borrowed_fd(self.stdout.as_fd(), PollFlags::IN)];
        match poll(&mut fds, Some(most)) {
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

#[cfg(test)]
mod tests {
    use super::*;
    use crate::run::build::Runnable;
    use subject::Case;
    use subject::wire::{Hello, Limits};

    #[test]
    fn a_worker_that_cannot_run_its_program_gives_the_reason() {
        let script = format!("echo warming up >&2; echo '{}it starts threads' >&2", wire::UNFIT);
        let limits = Limits {
            reference_steps: 1,
            step_floor: 1,
            step_factor: 1,
            output: 1,
            memory: 1,
            time: 1,
        };
        let mut lane = Lane::new(Settings {
            runnable: Runnable::new(["sh", "-c", &script].map(str::to_owned).to_vec(), ".".into()),
            hello: Hello { ids: Vec::new(), limits },
            environment: Vec::new(),
            memory: 1 << 30,
            file_size: 1 << 20,
            patience: Duration::from_secs(10),
            processes: 4,
        });
        let mutants = MutantSet::default();
        let request =
            Request { case: Case::default(), mutants, detail: Detail::Verdicts, steps: None };
        lane.submit(vec![request]).unwrap();
        let stop = lane.collect().unwrap_err();
        assert!(matches!(&stop, Stop::Unfit(reason) if reason == "it starts threads"), "{stop:?}");
    }
}
