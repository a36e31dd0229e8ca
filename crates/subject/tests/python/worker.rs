//! Starts the Python worker and ordinary processes of one program.

use std::collections::BTreeMap;
use std::ffi::OsString;
use std::fs::{self, File};
use std::io::{BufReader, Read, Seek, SeekFrom, Write};
use std::os::unix::process::ExitStatusExt;
use std::path::{Path, PathBuf};
use std::process::{Child, ChildStdin, ChildStdout, Command, Stdio};
use subject::wire::{self, Answer, Detail, Hello, MutantSet, Request, WorkerLimits};
use subject::{Case, End, Outcome, WORKER_VARIABLE};
use tempfile::TempDir;

const WORKER: &str = concat!(env!("CARGO_MANIFEST_DIR"), "/python/worker/__main__.py");
const LIBRARY: &str = concat!(env!("CARGO_MANIFEST_DIR"), "/python/subject.py");
pub(crate) const LIMITS: WorkerLimits = WorkerLimits {
    reference_steps: 200_000,
    step_floor: 1000,
    step_factor: 10,
    output: 1 << 16,
    memory: 1 << 29,
    time: 600,
    processes: 100,
};

/// Whether there is a `python3`. In CI there must be one.
pub(crate) fn has_python() -> bool {
    let found = Command::new("python3").arg("--version").output().is_ok();
    assert!(found || std::env::var_os("CI").is_none(), "CI needs python3");
    if !found {
        eprintln!("skipped: there is no python3");
    }
    found
}

#[derive(Clone, Copy, Debug)]
pub(crate) enum Engine {
    Memory,
    Fork,
}

pub(crate) fn case(args: &[&str], input: &str) -> Case {
    let args = args.iter().map(|&arg| arg.to_owned()).collect();
    Case { args, input: input.into(), files: BTreeMap::new() }
}

/// A folder with a Python program and `subject.py`.
pub(crate) struct Course {
    folder: TempDir,
    /// The value of `PYTHONUNBUFFERED`.
    pub(crate) unbuffered: Option<&'static str>,
    /// Where a worker is started.
    start: TempDir,
    temporary: TempDir,
}

impl Course {
    pub(crate) fn new(source: &str) -> Self {
        let [folder, start, temporary] = [(); 3].map(|()| tempfile::tempdir().unwrap());
        let course = Self { folder, unbuffered: None, start, temporary };
        course.add("program.py", source);
        fs::copy(LIBRARY, course.path("subject.py")).unwrap();
        course
    }

    pub(crate) fn add(&self, name: &str, contents: &str) {
        let path = self.path(name);
        fs::create_dir_all(path.parent().unwrap()).unwrap();
        fs::write(path, contents).unwrap();
    }

    pub(crate) fn path(&self, name: &str) -> PathBuf {
        fs::canonicalize(self.folder.path()).unwrap().join(name)
    }

    pub(crate) fn process(&self, case: &Case) -> Outcome {
        self.process_of(case, None)
    }

    /// What an ordinary process does on a case, with one mutant selected or none.
    pub(crate) fn process_of(&self, case: &Case, mutant: Option<&str>) -> Outcome {
        let own = tempfile::tempdir().unwrap();
        for (name, contents) in &case.files {
            fs::write(own.path().join(name), contents).unwrap();
        }
        let mut stdin = tempfile::tempfile().unwrap();
        stdin.write_all(&case.input).unwrap();
        stdin.rewind().unwrap();
        let mut command = self.python(own.path());
        command.arg(self.path("program.py")).args(&case.args).stdin(stdin);
        command.envs(mutant.map(|id| ("SUBJECT_MUTANT", id)));
        let output = command.output().unwrap();
        let said = String::from_utf8_lossy(&output.stderr);
        let end = match output.status.code() {
            Some(1..) if said.contains("MemoryError") => End::Memory,
            Some(code) => End::Exit(code as u8),
            None => End::Crash(format!("signal {}", output.status.signal().unwrap())),
        };
        let mut files = written(own.path());
        files.retain(|name, contents| {
            !case.files.is_empty() && case.files.get(name) != Some(contents)
        });
        Outcome { end, stdout: output.stdout, stderr: Vec::new(), files }
    }

    /// The names of what lies in the folder for temporary files.
    pub(crate) fn temporary_files(&self) -> Vec<OsString> {
        let entries = fs::read_dir(self.temporary.path()).unwrap();
        entries.map(|entry| entry.unwrap().file_name()).collect()
    }

    fn python(&self, folder: &Path) -> Command {
        let mut command = Command::new("python3");
        command.current_dir(folder).env_remove("PYTHONUNBUFFERED");
        command.envs(self.unbuffered.map(|value| ("PYTHONUNBUFFERED", value)));
        // Both must agree without the variables of whoever starts the tests.
        command.env("PYTHONDONTWRITEBYTECODE", "1").env("LC_ALL", "C.UTF-8");
        command.env("TMPDIR", self.temporary.path());
        command
    }

    pub(crate) fn worker(&self, ids: &[&str], engine: Engine) -> Worker {
        self.worker_within(LIMITS, ids, engine)
    }

    pub(crate) fn worker_within(
        &self,
        limits: WorkerLimits,
        ids: &[&str],
        engine: Engine,
    ) -> Worker {
        self.worker_of_version(wire::VERSION, limits, ids, engine)
    }

    pub(crate) fn worker_of_version(
        &self,
        version: &str,
        limits: WorkerLimits,
        ids: &[&str],
        engine: Engine,
    ) -> Worker {
        let stderr = tempfile::tempfile().unwrap();
        let mut command = self.python(self.start.path());
        command.arg(WORKER).arg(self.path("program.py")).env(WORKER_VARIABLE, version);
        if matches!(engine, Engine::Fork) {
            command.env("SUBJECT_ENGINE", "fork");
        }
        command.stdin(Stdio::piped()).stdout(Stdio::piped()).stderr(stderr.try_clone().unwrap());
        let mut child = command.spawn().unwrap();
        let (stdin, stdout) = (child.stdin.take(), child.stdout.take().unwrap());
        let mut worker = Worker { child, stdin, stdout: BufReader::new(stdout), stderr };
        let ids = ids.iter().map(|&id| id.to_owned()).collect();
        let hello = Hello { ids, limits, runs_refused: false };
        // A worker of another version reads nothing.
        let _ = wire::write_frame(worker.stdin.as_mut().unwrap(), &hello);
        worker
    }
}

fn written(folder: &Path) -> BTreeMap<String, Vec<u8>> {
    let entries = fs::read_dir(folder).unwrap().map(Result::unwrap);
    let files = entries.filter(|entry| entry.file_type().unwrap().is_file());
    files
        .map(|file| (file.file_name().into_string().unwrap(), fs::read(file.path()).unwrap()))
        .collect()
}

/// A worker that is asked one request at a time.
pub(crate) struct Worker {
    child: Child,
    stdin: Option<ChildStdin>,
    stdout: BufReader<ChildStdout>,
    stderr: File,
}

impl Worker {
    pub(crate) fn ask(&mut self, case: &Case, mutants: &[usize], detail: Detail) -> Option<Answer> {
        self.ask_within(case, mutants, detail, None)
    }

    /// The answer to a request, without what it says on standard error, or `None` if the worker ends instead.
    pub(crate) fn ask_within(
        &mut self,
        case: &Case,
        mutants: &[usize],
        detail: Detail,
        steps: Option<u64>,
    ) -> Option<Answer> {
        let mutants = mutants.iter().copied().collect::<MutantSet>();
        let request = Request { case: case.clone(), mutants, detail, steps };
        wire::write_frame(self.stdin.as_mut().unwrap(), &request).ok()?;
        let mut answer: Answer = wire::read_frame(&mut self.stdout, &mut Vec::new()).unwrap()?;
        answer.reference.stderr.clear();
        Some(answer)
    }

    pub(crate) fn kill(mut self) {
        self.child.kill().unwrap();
        self.child.wait().unwrap();
    }

    /// The exit status of a worker that has nothing more to do, and what it wrote to standard error.
    pub(crate) fn last_words(&mut self) -> (Option<i32>, String) {
        self.stdin = None;
        let status = self.child.wait().unwrap();
        let mut said = String::new();
        self.stderr.seek(SeekFrom::Start(0)).unwrap();
        self.stderr.read_to_string(&mut said).unwrap();
        (status.code(), said)
    }
}

impl Drop for Worker {
    fn drop(&mut self) {
        self.stdin = None;
        let _ = self.child.wait();
    }
}
