//! The compiler of tests in Java.

use super::archives::class_path;
use super::classes::{SUBJECT, TESTS};
use crate::diagnostic::{Failure, Problem, printable};
use crate::run::build::Runnable;
use crate::run::process::{self, ProcessLimits};
use crate::run::work::Work;
use crate::suite::TestProgram;
use crate::variant::Variant;
use std::fs;
use std::io;
use std::path::{Path, PathBuf};
use std::time::Duration;
use subject::{Case, End, Outcome};

/// What compiling one file may use.
const LIMITS: ProcessLimits = ProcessLimits {
    time: Duration::from_secs(60),
    wall: Duration::from_secs(240),
    memory: 4 << 30,
    output: 64 << 20,
    processes: 64,
};

/// The compiler, and the options that are always the same.
const JAVAC: [&str; 14] = [
    "javac",
    "-J-Xmx1g",
    "-J-XX:CompressedClassSpaceSize=64m",
    "-J-XX:+UseSerialGC",
    "-J-XX:TieredStopAtLevel=1",
    "-J-XX:-UsePerfData",
    "-J-Duser.language=en",
    "-proc:none",
    "-nowarn",
    "-g",
    "-encoding",
    "UTF-8",
    "-d",
    TESTS,
];

#[derive(Clone)]
pub(super) struct Javac {
    /// What the tests are compiled with, as archives and as sources.
    pub(super) archives: Vec<PathBuf>,
    pub(super) shared: Vec<PathBuf>,
    /// Options of the course.
    pub(super) flags: Vec<String>,
}

impl Javac {
    /// Compiles the tests in a folder, in which the classes of the reference are.
    pub(super) fn compile(
        &self,
        work: &Work,
        tests: &TestProgram,
        folder: &Path,
    ) -> Result<Result<(), Problem>, Failure> {
        let mut words: Vec<_> = JAVAC.map(str::to_owned).into();
        words.extend(["-cp".to_owned(), format!("{SUBJECT}:{}", class_path(&self.archives))]);
        words.extend(self.flags.iter().cloned());
        let shared = self.shared.iter().filter_map(|path| path.file_name());
        words.extend(shared.map(|name| name.to_string_lossy().into_owned()));
        words.push(tests.file.clone());
        let compiler = Runnable::new(words, folder.to_owned());
        let compiler = Runnable { hostile: Some(self.archives.clone()), ..compiler };
        let outcome = process::run_in_place(work, &compiler, &Case::default(), &LIMITS)
            .map_err(|error| process::failure(format!("compile {}", tests.file), &error))?;
        Ok(if outcome.end == End::Exit(0) { Ok(()) } else { Err(rejected(tests, &outcome)) })
    }

    /// Puts the tests, what they need, and the classes of the reference into a folder.
    pub(super) fn lay(
        &self,
        tests: &TestProgram,
        reference: &Variant,
        folder: &Path,
    ) -> io::Result<()> {
        fs::create_dir_all(folder.join(TESTS))?;
        for shared in &self.shared {
            fs::copy(shared, folder.join(shared.file_name().unwrap_or_default()))?;
        }
        for (name, bytes) in &reference.files {
            let path = folder.join(SUBJECT).join(name);
            fs::create_dir_all(path.parent().unwrap_or(folder))?;
            fs::write(path, bytes)?;
        }
        fs::write(folder.join(&tests.file), &tests.source)
    }
}

/// Why a file does not compile: the compiler's first error, at its line and column.
fn rejected(file: &TestProgram, outcome: &Outcome) -> Problem {
    if !matches!(outcome.end, End::Exit(_)) {
        return super::stopped();
    }
    let text = String::from_utf8_lossy(&outcome.stderr);
    let mut lines = text.lines().skip_while(|line| !line.contains(": error: "));
    let Some((place, message)) = lines.next().and_then(|line| line.split_once(": error: ")) else {
        return match text.lines().find_map(|line| line.strip_prefix("error: ")) {
            Some(message) => Problem::new(printable(message)),
            None => Problem::new("the file does not compile"),
        };
    };
    let more: Vec<_> = lines.take_while(|line| !line.contains(": error: ")).collect();
    let symbol = more.iter().find_map(|line| line.trim().strip_prefix("symbol:"));
    let symbol = symbol.map(|symbol| format!(": {}", symbol.trim())).unwrap_or_default();
    let problem = Problem::new(printable(&format!("{message}{symbol}")));
    let column = more.iter().find(|line| line.trim() == "^").and_then(|line| line.find('^'));
    match place.strip_prefix(&*file.file).and_then(|it| it.strip_prefix(':')?.parse().ok()) {
        Some(line) => problem.at(crate::rejection::at(file, line, column.map(|column| column + 1))),
        None => problem,
    }
}
