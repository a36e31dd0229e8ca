//! One worker process that is kept busy, and restarted when it dies.

use super::Settings;
use super::pipes::Worker;
use crate::diagnostic::{self, Failure, Problem};
use crate::run::process;
use std::collections::VecDeque;
use std::sync::Arc;
use std::time::{Duration, Instant};
use subject::wire::{self, Answer, Detail, Difference, MutantSet, Request};
use subject::{End, How, Outcome};

/// Why a worker gives no more answers.
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
                let message = format!("{}{}", wire::UNFIT, diagnostic::printable(&reason));
                Self::broken_course(Problem::new(message))
            }
            Stop::Failure(failure) => failure,
        }
    }
}

/// A worker process that is kept busy, and restarted when it dies.
pub struct RestartingWorker {
    settings: Settings,
    worker: Option<Worker>,
    /// A worker for single runs, while the other one goes on.
    single: Option<Worker>,
    /// Batches that were submitted and not yet collected.
    in_flight: VecDeque<Batch>,
}

struct Batch {
    requests: Arc<[Request]>,
    /// The mutants that were left out, because they have stalled. They run one at a time.
    apart: MutantSet,
    /// Whether the search was over before it was answered.
    is_dropped: bool,
}

impl RestartingWorker {
    /// A worker that starts when it is first needed.
    pub fn new(settings: Settings) -> Self {
        Self { settings, worker: None, single: None, in_flight: VecDeque::new() }
    }

    /// Sends a batch to the worker. With two at a time, it is busy while the answers to the first are read.
    ///
    /// # Errors
    /// If the worker cannot be started.
    pub fn submit(&mut self, requests: Arc<[Request]>) -> Result<(), Failure> {
        let is_dropped = self.is_over();
        let mut batch = Batch { requests, apart: MutantSet::default(), is_dropped };
        if !batch.is_dropped {
            self.send(&mut batch, 0)?;
        }
        self.in_flight.push_back(batch);
        Ok(())
    }

    /// The answers to the oldest batch that was submitted, in order. `None` if there is no batch.
    ///
    /// # Errors
    /// If a worker cannot be started, or cannot run the program.
    pub fn collect(&mut self) -> Result<Option<Vec<Answer>>, Stop> {
        let Some(mut batch) = self.in_flight.pop_front() else { return Ok(None) };
        let mut answers = Vec::with_capacity(batch.requests.len());
        while let Some(request) = batch.requests.get(answers.len()).filter(|_| !batch.is_dropped) {
            let patience = self.patience(request);
            match self.worker()?.receive(patience) {
                Ok(mut answer) => {
                    let apart = request.mutants.both(&batch.apart);
                    self.run_apart(request, &apart, &mut answer)?;
                    answers.push(answer);
                }
                Err(_) if self.is_over() => {
                    (self.worker, self.single) = (None, None);
                    batch.is_dropped = true;
                    self.in_flight.iter_mut().for_each(|batch| batch.is_dropped = true);
                }
                // The worker died or stalled on this request, and has not read the later ones.
                Err(silence) => {
                    let worker = self.worker.take().expect("it was just asked");
                    let end = worker.end(silence, &self.settings.runnable.words)?;
                    let is_all = end == End::Timeout && request.mutants.is_empty();
                    answers.push(if is_all { rejected(end) } else { self.dissect(request)? });
                    self.send_again(&mut batch, answers.len())?;
                }
            }
        }
        answers.resize_with(batch.requests.len(), || rejected(End::Timeout));
        Ok(Some(answers))
    }

    /// The time for a row in a batch.
    fn patience(&self, request: &Request) -> Duration {
        if request.mutants.is_empty() { self.settings.patience } else { self.bulk_patience() }
    }

    /// The time for a row with mutants in a batch. If it takes longer, each of its runs may still finish in time on its own.
    fn bulk_patience(&self) -> Duration {
        const PART: u32 = 4;
        self.settings.patience / PART
    }

    /// Sends the requests of a batch from number `first` on, without the mutants that have stalled.
    fn send(&mut self, batch: &mut Batch, first: usize) -> Result<(), Failure> {
        batch.apart = self.settings.stalls.among(&self.settings.hello.ids);
        let requests = &batch.requests[first..];
        if batch.apart.is_empty() {
            self.worker()?.send(requests);
        } else {
            let without = |request: &Request| Request {
                mutants: request.mutants.without(&batch.apart),
                ..request.clone()
            };
            let requests: Vec<_> = requests.iter().map(without).collect();
            self.worker()?.send(&requests);
        }
        Ok(())
    }

    /// Sends the rest of a batch, and those after it, to a new worker.
    fn send_again(&mut self, batch: &mut Batch, first: usize) -> Result<(), Failure> {
        self.send(batch, first)?;
        let mut later = std::mem::take(&mut self.in_flight);
        let mut wanted = later.iter_mut().filter(|batch| !batch.is_dropped);
        let sent = wanted.try_for_each(|batch| self.send(batch, 0));
        self.in_flight = later;
        sent
    }

    /// Answers a request that ended a worker. It starts each run separately, so that each is charged only with its own failure.
    fn dissect(&mut self, request: &Request) -> Result<Answer, Stop> {
        let alone = Request { mutants: MutantSet::default(), ..request.clone() };
        let mut answer = match self.try_row(&alone, self.settings.patience)? {
            Ok(answer) => answer,
            Err(end) => return Ok(rejected(end)),
        };
        self.run_apart(request, &request.mutants, &mut answer)?;
        Ok(answer)
    }

    /// Runs each of `mutants` alone, as far as the reference accepted the case and reached it, and adds what it did to the row.
    fn run_apart(
        &mut self,
        request: &Request,
        mutants: &MutantSet,
        answer: &mut Answer,
    ) -> Result<(), Stop> {
        let mutants = mutants.both(&answer.reached);
        if !self.settings.hello.runs_mutants_after(&answer.reference.end) || mutants.is_empty() {
            return Ok(());
        }
        let alone = |mutants: MutantSet| Request { mutants, ..request.clone() };
        let mut reference = Duration::ZERO;
        // The reference has just accepted the case, so only its time matters. A new worker takes longer.
        for _ in 0..if self.single.is_some() { 1 } else { 2 } {
            let start = Instant::now();
            let _ = self.try_row(&alone(MutantSet::default()), self.settings.patience)?;
            reference = start.elapsed();
        }
        for mutant in mutants.iter() {
            let id = self.settings.hello.ids[mutant].clone();
            if self.has_given_up(&id) || self.is_over() {
                continue;
            }
            let time = self.settings.stalls.time(&id, reference, self.settings.patience);
            let start = Instant::now();
            match self.try_row(&alone(MutantSet::from_iter([mutant])), time)? {
                Ok(row) => {
                    // Some workers stop a run by the clock themselves.
                    if row.differing.iter().any(|difference| difference.how == How::Timeout)
                        && start.elapsed() > self.bulk_patience()
                    {
                        self.settings.stalls.add(&id);
                    }
                    answer.differing.extend(row.differing);
                    answer.near.add_all(&row.near);
                    answer.endless.add_all(&row.endless);
                }
                // The mutant might have finished.
                Err(End::Timeout) if self.is_over() => {}
                Err(end) => {
                    if end == End::Timeout {
                        self.settings.stalls.add(&id);
                    }
                    let outcome = ended(end);
                    let how = How::between(&answer.reference, &outcome).unwrap_or(How::Crash);
                    let outcome = (request.detail == Detail::Outcomes).then_some(outcome);
                    answer.differing.push(Difference { mutant, how, outcome });
                }
            }
        }
        answer.differing.sort_by_key(|difference| difference.mutant);
        Ok(())
    }

    /// The answer to one request, or how the request ended the worker.
    fn try_row(
        &mut self,
        request: &Request,
        patience: Duration,
    ) -> Result<Result<Answer, End>, Stop> {
        let mut worker = match self.single.take() {
            Some(worker) => worker,
            None => self.start()?,
        };
        worker.send(std::slice::from_ref(request));
        match worker.receive(patience) {
            Ok(answer) => {
                self.single = Some(worker);
                Ok(Ok(answer))
            }
            Err(silence) => worker.end(silence, &self.settings.runnable.words).map(Err),
        }
    }

    /// Whether the search is over.
    fn is_over(&self) -> bool {
        self.settings.work.search.is_over()
    }

    /// Whether the present search has given up a mutant.
    fn has_given_up(&self, id: &str) -> bool {
        self.settings.work.search.is_on() && self.settings.stalls.are_too_many(id)
    }

    fn worker(&mut self) -> Result<&mut Worker, Failure> {
        let worker = match self.worker.take() {
            Some(worker) => worker,
            None => self.start()?,
        };
        Ok(self.worker.insert(worker))
    }

    fn start(&self) -> Result<Worker, Failure> {
        Worker::start(&self.settings).map_err(|error| {
            let command_line = self.settings.runnable.words.join(" ");
            process::failure(format!("start {command_line}"), &error)
        })
    }
}

/// The row of a case on which the reference ended in this way.
fn rejected(end: End) -> Answer {
    Answer::of(ended(end))
}

fn ended(end: End) -> Outcome {
    Outcome {
        end,
        stdout: Vec::new(),
        stderr: Vec::new(),
        files: std::collections::BTreeMap::new(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::run::build::Runnable;
    use crate::run::work::Work;
    use subject::Case;
    use subject::wire::{Hello, WorkerLimits};

    #[test]
    fn a_worker_that_cannot_run_its_program_gives_the_reason() {
        let script = format!("echo warming up >&2; echo '{}it starts threads' >&2", wire::UNFIT);
        let limits = WorkerLimits {
            reference_steps: 1,
            step_floor: 1,
            step_factor: 1,
            output: 1,
            memory: 1,
            time: 1,
            processes: 1,
        };
        let mut worker = RestartingWorker::new(Settings {
            work: Work::default(),
            stalls: Arc::default(),
            runnable: Runnable::new(["sh", "-c", &script].map(str::to_owned).to_vec(), ".".into()),
            hello: Hello { ids: Vec::new(), limits, runs_refused: false },
            environment: Vec::new(),
            memory: 1 << 30,
            file_size: 1 << 20,
            patience: Duration::from_secs(10),
            processes: 4,
        });
        let mutants = MutantSet::default();
        let request =
            Request { case: Case::default(), mutants, detail: Detail::Verdicts, steps: None };
        worker.submit([request].into()).unwrap();
        let stop = worker.collect().unwrap_err();
        assert!(matches!(&stop, Stop::Unfit(reason) if reason == "it starts threads"), "{stop:?}");
    }
}
