//! Answers requests with one program on one core, by the engine that the program is at.

use super::processes;
use super::program::BuiltProgram;
use crate::diagnostic::Failure;
use crate::run::engine::Engine;
use crate::run::worker::{self, Stop};
use std::collections::VecDeque;
use std::sync::Arc;
use std::time::Duration;
use subject::Case;
use subject::wire::{Answer, Detail, MutantSet, Request};

/// Runs one program, one batch of requests after the other. A batch that the program's engine cannot run is run again by the next one.
pub(super) struct Runner {
    program: Arc<BuiltProgram>,
    /// The engine of the batches in flight, and its worker.
    engine: Engine,
    worker: Option<worker::RestartingWorker>,
    in_flight: VecDeque<Batch>,
}

struct Batch {
    requests: Arc<[Request]>,
    /// The time that a process may take beyond its limit.
    time: Duration,
}

/// The answers to a batch.
pub(super) struct Answers {
    pub(super) answers: Vec<Answer>,
    /// The longest time that the reference took in a process, or 0.
    pub(super) time: Duration,
}

impl Runner {
    /// A runner whose worker starts when it is first needed.
    pub(super) fn new(program: Arc<BuiltProgram>) -> Self {
        let engine = program.engine();
        Self { program, engine, worker: None, in_flight: VecDeque::new() }
    }

    /// The program that it runs.
    pub(super) fn program(&self) -> &BuiltProgram {
        &self.program
    }

    /// Takes a batch. With two at a time, a worker is busy while the answers to the first are read. A process may take as long as
    /// `time`, even if that is more than its limit.
    ///
    /// # Errors
    /// If a worker cannot be started.
    pub(super) fn submit(
        &mut self,
        requests: Arc<[Request]>,
        time: Duration,
    ) -> Result<(), Failure> {
        if self.in_flight.is_empty() {
            self.follow();
        }
        self.pass(&requests)?;
        self.in_flight.push_back(Batch { requests, time });
        Ok(())
    }

    /// The answers to the oldest batch that was submitted, in order. `None` if there is no batch.
    ///
    /// # Errors
    /// If the machine fails.
    pub(super) fn collect(&mut self) -> Result<Option<Answers>, Failure> {
        loop {
            let Some(batch) = self.in_flight.front() else { return Ok(None) };
            let answers = match &mut self.worker {
                None => processes::answers(&self.program, &batch.requests, batch.time)?,
                Some(worker) => match worker.collect() {
                    Ok(answers) => {
                        Answers { answers: answers.unwrap_or_default(), time: Duration::ZERO }
                    }
                    Err(Stop::Failure(failure)) => return Err(failure),
                    Err(Stop::Unfit(reason)) => {
                        self.step_down(&reason)?;
                        continue;
                    }
                },
            };
            self.in_flight.pop_front();
            return Ok(Some(answers));
        }
    }

    /// What a process of the program does. `None` if its engine is a process.
    ///
    /// # Errors
    /// If the machine fails.
    pub(super) fn by_process(
        &self,
        case: &Case,
        time: Duration,
    ) -> Result<Option<Answer>, Failure> {
        if self.engine == Engine::Process {
            return Ok(None);
        }
        let request = Request {
            case: case.clone(),
            mutants: MutantSet::default(),
            detail: Detail::Reference,
            steps: None,
        };
        Ok(processes::answers(&self.program, &[request], time)?.answers.pop())
    }

    /// Goes to the next engine, and gives it the batches in flight.
    fn step_down(&mut self, reason: &str) -> Result<(), Failure> {
        self.program.step_down(self.engine, reason);
        self.follow();
        let batches = std::mem::take(&mut self.in_flight);
        batches.iter().try_for_each(|batch| self.pass(&batch.requests))?;
        self.in_flight = batches;
        Ok(())
    }

    /// Takes the engine that the program is at now. Another core may have found out that the last one cannot run it.
    fn follow(&mut self) {
        let engine = self.program.engine();
        if engine != self.engine {
            (self.engine, self.worker) = (engine, None);
        }
    }

    /// Passes requests on to the worker, if the engine has one.
    fn pass(&mut self, requests: &Arc<[Request]>) -> Result<(), Failure> {
        while self.worker.is_none() && self.engine != Engine::Process {
            match self.program.settings(self.engine) {
                Ok(settings) => self.worker = Some(worker::RestartingWorker::new(settings)),
                Err(reason) => {
                    self.program.move_on(self.engine, &reason);
                    self.follow();
                }
            }
        }
        match &mut self.worker {
            Some(worker) => worker.submit(requests.clone()),
            None => Ok(()),
        }
    }
}
