//! Reads modules in Python, by a process that reads those of all variants. It does not see what a student wrote.

use crate::diagnostic::{Failure, FailureKind, Problem};
use crate::run::build;
use crate::run::interpreter;
use crate::variant::Given;
use serde::de::DeserializeOwned;
use std::io::{self, BufRead, BufReader, Write};
use std::path::PathBuf;
use std::process::{Child, ChildStdin, ChildStdout, Command, Stdio};
use std::sync::{Mutex, PoisonError};

const PROGRAM: &str = concat!(include_str!("disguise.py"), "\n\n", include_str!("reader.py"));

/// Modules with their names.
type Modules = [(PathBuf, Vec<u8>)];

/// The process, once it was needed.
#[derive(Default)]
pub(super) struct Reader(Mutex<Option<Running>>);

struct Running {
    process: Child,
    requests: ChildStdin,
    answers: BufReader<ChildStdout>,
}

impl Reader {
    /// What the process makes of modules: `compiled`, or their `lines`. What it said before is kept with the course.
    pub(super) fn read<T: DeserializeOwned>(
        &self,
        given: Given<'_>,
        what: &str,
        modules: &Modules,
    ) -> Result<T, Failure> {
        let request = request(what, modules);
        let words = [PROGRAM, &request];
        let said = build::kept(given.course, given.assignment, "python3", &words, || {
            self.answer(&request).map(String::into_bytes)
        })?;
        Ok(serde_json::from_slice(&said).expect("`reader.py` writes so"))
    }

    /// The modules compiled in a disguise, another one each time.
    pub(super) fn disguised(&self, modules: &Modules) -> Result<Vec<Vec<u8>>, Failure> {
        let said = self.answer(&request("disguised", modules))?;
        Ok(serde_json::from_str(&said).expect("`reader.py` writes so"))
    }

    fn answer(&self, request: &str) -> Result<String, Failure> {
        let said = self.ask(request).map_err(|error| {
            let problem = Problem::new(format!("cannot run `python3`: {error}"));
            Failure::new(FailureKind::Machine, problem.hint("is it installed and on the PATH?"))
        })?;
        // An answer is JSON, and a mistake is told after a mark.
        match said.strip_prefix('!') {
            None => Ok(said),
            Some(mistake) => {
                let problem = format!("cannot read the program: {}", mistake.trim());
                Err(Failure::broken_course(Problem::new(problem)))
            }
        }
    }

    fn ask(&self, request: &str) -> io::Result<String> {
        let mut running = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        let asked = match &mut *running {
            Some(running) => running,
            none => none.insert(Running::start()?),
        };
        let answer = asked.answer(request);
        // The next request gets a new process.
        if answer.is_err() {
            *running = None;
        }
        answer
    }
}

fn request(what: &str, modules: &Modules) -> String {
    let texts = modules.iter().map(|(name, text)| (name, String::from_utf8_lossy(text)));
    serde_json::to_string(&(what, texts.collect::<Vec<_>>())).expect("text can be written")
}

impl Running {
    fn start() -> io::Result<Self> {
        let mut command = Command::new(interpreter::resolved("python3"));
        command.args(["-I", "-c", PROGRAM]).stdin(Stdio::piped()).stdout(Stdio::piped());
        let mut process = command.stderr(Stdio::null()).spawn()?;
        let requests = process.stdin.take().expect("it is a pipe");
        let answers = BufReader::new(process.stdout.take().expect("it is a pipe"));
        Ok(Self { process, requests, answers })
    }

    fn answer(&mut self, request: &str) -> io::Result<String> {
        writeln!(self.requests, "{request}")?;
        let mut answer = String::new();
        match self.answers.read_line(&mut answer)? {
            0 => Err(io::Error::other("it ended without an answer")),
            _ => Ok(answer),
        }
    }
}

impl Drop for Running {
    fn drop(&mut self) {
        // It waits for nothing, and may have ended.
        let _ = self.process.kill();
        let _ = self.process.wait();
    }
}
