//! Compiles small programs, and runs them by the host and as ordinary processes.

use std::collections::BTreeMap;
use std::fs::{self, File};
use std::io::{Seek, Write};
use std::os::unix::process::ExitStatusExt;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};
use std::sync::OnceLock;
use subject::wire::{self, Answer, Detail, Hello, MutantSet, Request, WorkerLimits};
use subject::{Case, End, Outcome};
use tempfile::TempDir;

/// How the host runs a program.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Engine {
    Snapshot,
    Fork,
}

pub(crate) const ENGINES: [Engine; 2] = [Engine::Snapshot, Engine::Fork];

pub(crate) const LIMITS: WorkerLimits = WorkerLimits {
    reference_steps: 1_000_000,
    step_floor: 1_000,
    step_factor: 10,
    output: 1 << 16,
    memory: 128 << 20,
    time: 1000,
    processes: 100,
};

/// The folder with the sources of the host.
fn sources() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("c")
}

/// Whether there are compilers. A test without them is skipped, but fails in continuous integration.
pub(crate) fn has_compilers() -> bool {
    let is_there = |name: &str| {
        let found = Command::new(name).arg("--version").stdout(Stdio::null()).status();
        found.is_ok_and(|status| status.success())
    };
    let has = cfg!(target_os = "linux") && is_there("cc") && is_there("c++");
    assert!(has || std::env::var("CI").as_deref() != Ok("true"), "`cc` or `c++` is missing");
    if !has {
        eprintln!("skipped: this test needs Linux, `cc` and `c++`");
    }
    has
}

fn compile(compiler: &str, arguments: &[&str], source: &Path, output: &Path) {
    let mut command = Command::new(compiler);
    command.args(["-Wall", "-Wextra", "-Wpedantic", "-Werror", "-I"]).arg(sources());
    command.arg(source).args(arguments).arg("-o").arg(output);
    let done = command.output().unwrap();
    assert!(done.status.success(), "{}", String::from_utf8_lossy(&done.stderr));
}

/// The host, which is compiled once for all tests.
fn host() -> &'static Path {
    static HOST: OnceLock<(TempDir, PathBuf)> = OnceLock::new();
    let (_, path) = HOST.get_or_init(|| {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("libhost.so");
        let mut command = Command::new("cc");
        command.args(["-shared", "-fPIC", "-O2", "-Wall", "-Wextra", "-Werror"]);
        command.arg(sources().join("host.c")).arg("-o").arg(&path);
        assert!(command.status().unwrap().success());
        (folder, path)
    });
    path
}

/// A compiled program.
pub(crate) struct HostProgram {
    folder: TempDir,
}

impl HostProgram {
    pub(crate) fn c(source: &str) -> Self {
        Self::compiled("cc", "main.c", source, &["-std=gnu11", "-O1", "-pthread"])
    }

    pub(crate) fn cpp(source: &str) -> Self {
        Self::compiled("c++", "main.cpp", source, &["-std=c++17", "-O1", "-pthread"])
    }

    /// A program that holds its mutants and counts its steps.
    pub(crate) fn combined(compiler: &str, name: &str, source: &str) -> Self {
        let folder = tempfile::tempdir().unwrap();
        let steps = folder.path().join("steps.o");
        compile("cc", &["-c", "-O2"], &sources().join("steps.c"), &steps);
        let options =
            ["-O1", "-fsanitize-coverage=trace-pc", "-DSUBJECT_SELECT", steps.to_str().unwrap()];
        let program = Self::compiled(compiler, name, source, &options);
        drop(folder);
        program
    }

    pub(crate) fn compiled(compiler: &str, name: &str, source: &str, options: &[&str]) -> Self {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join(name);
        fs::write(&path, source).unwrap();
        compile(compiler, options, &path, &folder.path().join("program"));
        fs::remove_file(&path).unwrap();
        Self { folder }
    }

    pub(crate) fn path(&self) -> PathBuf {
        self.folder.path().join("program")
    }

    /// Answers requests by the host. Gives what it wrote to standard error too.
    pub(crate) fn serve(
        &self,
        engine: Engine,
        hello: &Hello,
        requests: &[Request],
    ) -> (Vec<Answer>, String) {
        let mut bytes = Vec::new();
        wire::put_frame(&mut bytes, hello);
        requests.iter().for_each(|request| wire::put_frame(&mut bytes, request));
        let mut command = Command::new(self.path());
        command.current_dir(self.folder.path()).env_remove("SUBJECT_ENGINE");
        command
            .env("LD_PRELOAD", host())
            .env("LD_BIND_NOW", "1")
            .env("SUBJECT_WORKER", wire::VERSION);
        if engine == Engine::Fork {
            command.env("SUBJECT_ENGINE", "fork");
        }
        command.stdin(Stdio::piped()).stdout(Stdio::piped()).stderr(Stdio::piped());
        let mut child = command.spawn().unwrap();
        let mut stdin = child.stdin.take().unwrap();
        // A worker that finds its program unfit reads no more.
        let writer = std::thread::spawn(move || drop(stdin.write_all(&bytes)));
        let output = child.wait_with_output().unwrap();
        writer.join().unwrap();
        let (mut stdout, mut buffer, mut answers) =
            (output.stdout.as_slice(), Vec::new(), Vec::new());
        while let Some(answer) = wire::read_frame(&mut stdout, &mut buffer).unwrap() {
            answers.push(answer);
        }
        (answers, String::from_utf8_lossy(&output.stderr).into_owned())
    }

    /// The outcomes of cases by the host, of which none may be unfit.
    pub(crate) fn outcomes(&self, engine: Engine, cases: &[Case]) -> Vec<Outcome> {
        let requests: Vec<_> =
            cases.iter().map(|case| request(case, MutantSet::default())).collect();
        let (answers, said) = self.serve(engine, &hello(&[]), &requests);
        assert_eq!(said, "", "{engine:?}");
        assert_eq!(answers.len(), cases.len(), "{engine:?}");
        answers.into_iter().map(|answer| answer.reference).collect()
    }

    /// The outcome of an ordinary process.
    pub(crate) fn process(&self, case: &Case) -> Outcome {
        let (stdin, output) = (file_with(&case.input), Stdio::piped);
        let mut command = Command::new(self.path());
        command.args(&case.args).current_dir(self.folder.path());
        command.stdin(stdin).stdout(output()).stderr(output());
        let done = command.output().unwrap();
        let end = match (done.status.code(), done.status.signal()) {
            (Some(status), _) => End::Exit(u8::try_from(status).unwrap()),
            (None, signal) => End::Crash(format!("signal {}", signal.unwrap())),
        };
        Outcome { end, stdout: done.stdout, stderr: done.stderr, files: BTreeMap::new() }
    }

    /// Checks that both engines do on each case what a process does, in one session.
    #[track_caller]
    pub(crate) fn check(&self, cases: &[Case]) {
        let expected: Vec<_> = cases.iter().map(|case| self.process(case)).collect();
        for engine in ENGINES {
            for (at, outcome) in self.outcomes(engine, cases).iter().enumerate() {
                assert_same(
                    outcome,
                    &expected[at],
                    &format!("{engine:?}, case {at}: {:?}", cases[at]),
                );
            }
        }
    }
}

/// Compares outcomes. Messages on standard error may contain addresses.
#[track_caller]
fn assert_same(outcome: &Outcome, expected: &Outcome, what: &str) {
    let text = |bytes: &[u8]| String::from_utf8_lossy(bytes).into_owned();
    assert_eq!(
        outcome.end,
        expected.end,
        "{what}: {} {}",
        text(&outcome.stdout),
        text(&outcome.stderr)
    );
    assert_eq!(text(&outcome.stdout), text(&expected.stdout), "{what}");
    assert_eq!(text(&outcome.stderr), text(&expected.stderr), "{what}");
}

fn file_with(input: &[u8]) -> File {
    let mut file = tempfile::tempfile().unwrap();
    file.write_all(input).unwrap();
    file.rewind().unwrap();
    file
}

pub(crate) fn hello(ids: &[&str]) -> Hello {
    Hello {
        ids: ids.iter().map(|&id| id.to_owned()).collect(),
        limits: LIMITS,
        runs_refused: false,
    }
}

pub(crate) fn request(case: &Case, mutants: MutantSet) -> Request {
    Request { case: case.clone(), mutants, detail: Detail::Outcomes, steps: None }
}

/// A case with arguments, separated by blanks, and input.
pub(crate) fn case(args: &str, input: &str) -> Case {
    let args = args.split_whitespace().map(str::to_owned).collect();
    Case { args, input: input.as_bytes().to_vec(), files: BTreeMap::new() }
}
