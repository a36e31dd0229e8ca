//! Servers that fork for each variant on which test cases run. Python and the framework start once for all variants, and each variant
//! still has processes of its own, in which nothing of another one is left.

use crate::diagnostic::Failure;
use crate::framework::Framework;
use crate::run::build::Runnable;
use crate::run::process::ProcessLimits;
use crate::run::work::Work;
use crate::run::worker::{RestartingWorker, Settings};
use std::collections::BTreeMap;
use std::path::PathBuf;
use std::sync::{Arc, Mutex, PoisonError};
use std::time::Duration;
use subject::wire::{Detail, Hello, MutantSet, Request, WorkerLimits};
use subject::{Case, Outcome};

/// How a worker in Python speaks.
const WIRE: &str = include_str!("../../subject/python/worker/wire.py");
const SERVER: &str = include_str!("forkserver.py");

/// The servers of one assignment. There are as many as work at the same time.
pub(crate) struct ForkServers {
    settings: Settings,
    free: Mutex<Vec<RestartingWorker>>,
}

impl ForkServers {
    /// Servers that run the program of a framework in Python. The limits are those of a case.
    pub(crate) fn new(work: &Work, framework: &dyn Framework, limits: &ProcessLimits) -> Self {
        /// A suite seldom takes longer than so many of the slowest cases. If it does, each case has a process of its own.
        const CASES: u32 = 20;
        let text = |text: &str| serde_json::Value::from(text).to_string();
        let given = format!(
            "WIRE = {}\nPROGRAM = {}\nWARM_UP = {}\nSECONDS = {}\n",
            text(WIRE),
            text(framework.program().unwrap_or_default()),
            text(framework.warm_up()),
            limits.time.as_secs_f64()
        );
        let words = ["python3", "-B", "-c", &format!("{given}{SERVER}")].map(str::to_owned);
        let none = WorkerLimits {
            reference_steps: 0,
            step_floor: 0,
            step_factor: 0,
            output: 0,
            memory: 0,
            time: 0,
            processes: 0,
        };
        let settings = Settings {
            work: work.clone(),
            runnable: Runnable {
                hostile: Some(Vec::new()),
                ..Runnable::new(words.to_vec(), PathBuf::from("."))
            },
            stalls: Arc::default(),
            environment: Vec::new(),
            hello: Hello { ids: Vec::new(), limits: none, runs_refused: false },
            memory: limits.memory,
            file_size: limits.output,
            patience: limits.time.saturating_mul(CASES),
            processes: limits.processes,
        };
        Self { settings, free: Mutex::default() }
    }

    /// How long a server may take at most until it has answered.
    pub(crate) fn patience(&self) -> Duration {
        self.settings.patience
    }

    /// What the program does with these files beside it, in a process of its own, and how long this takes. The first argument is the name of
    /// one of them.
    pub(crate) fn run(
        &self,
        args: Vec<String>,
        files: BTreeMap<String, Vec<u8>>,
    ) -> Result<(Outcome, Duration), Failure> {
        let free = || self.free.lock().unwrap_or_else(PoisonError::into_inner);
        let waiting = free().pop();
        let mut server = waiting.unwrap_or_else(|| RestartingWorker::new(self.settings.clone()));
        let case = Case { args, input: Vec::new(), files };
        let mutants = MutantSet::default();
        server
            .submit([Request { case, mutants, detail: Detail::Reference, steps: None }].into())?;
        let answers = server.collect()?.unwrap_or_default();
        free().push(server);
        let answer = answers.into_iter().next().expect("each request is answered");
        Ok((answer.reference, Duration::from_nanos(answer.steps)))
    }
}
