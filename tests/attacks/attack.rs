//! An attack: a program to run, or a folder to build.

use harness::sandbox::{Ending, Job, SandboxLimits};
use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;
use std::time::Duration;

pub(crate) struct Attack {
    pub(crate) name: String,
    /// The verdicts that are right. Most attacks have one.
    pub(crate) verdicts: Vec<String>,
    /// Whether it happens while `make` runs.
    is_build: bool,
    /// The folder in which it runs.
    folder: PathBuf,
    /// The only files that it may leave, if it says so.
    keeps: Option<Vec<String>>,
}

/// What an attack may use.
pub(crate) fn limits() -> SandboxLimits {
    SandboxLimits {
        time: Duration::from_millis(600),
        wall: Duration::from_secs(60),
        memory: 64 << 20,
        processes: 16,
        output: 1 << 20,
        file: 4 << 20,
        disk: 16 << 20,
        files: 400,
        ..SandboxLimits::default()
    }
}

/// A build may use more, because a compiler does.
fn limits_of_build() -> SandboxLimits {
    SandboxLimits { time: Duration::from_secs(3), memory: 256 << 20, processes: 40, ..limits() }
}

/// All attacks, with the programs compiled into `around`.
pub(crate) fn all(sources: &Path, around: &Path, has_groups: bool) -> Result<Vec<Attack>, String> {
    let mut attacks = Vec::new();
    for source in entries(&sources.join("run")) {
        let name = name(&source);
        let folder = around.join(&name);
        fs::create_dir(&folder).map_err(|error| error.to_string())?;
        compile(&source, &folder.join("program"))?;
        attacks.push(Attack::new(name, &source, folder, false, has_groups));
    }
    for folder in entries(&sources.join("build")) {
        let name = format!("make {}", name(&folder));
        attacks.push(Attack::new(name, &folder.join("Makefile"), folder.clone(), true, has_groups));
    }
    Ok(attacks)
}

impl Attack {
    fn new(name: String, about: &Path, folder: PathBuf, is_build: bool, has_groups: bool) -> Self {
        let text = fs::read_to_string(about).expect("it is there");
        let said = |key: &str| {
            let line = text.lines().find_map(|line| line.split_once(key));
            line.map(|(_, list)| list.split(',').map(|it| it.trim().to_owned()).collect::<Vec<_>>())
        };
        let others = said("Without control groups:").filter(|_| !has_groups);
        let verdicts = others.or_else(|| said("Verdict:")).expect("it says which verdict is right");
        Self { name, verdicts, is_build, folder, keeps: said("Keeps:") }
    }

    pub(crate) fn job<'a>(&'a self, variables: Vec<(String, String)>, kept: &'a Path) -> Job<'a> {
        let (words, limits) = if self.is_build {
            (vec!["make", "-R", "-r"], limits_of_build())
        } else {
            (vec!["./program"], limits())
        };
        let command = words.into_iter().map(Into::into).collect();
        Job {
            command,
            folder: Some(&self.folder),
            keep: Some(kept),
            variables,
            stdin: b"input\n",
            limits,
            ..Job::default()
        }
    }

    /// What is wrong with the files that were kept from it.
    pub(crate) fn mistakes_in(&self, kept: &Path) -> Vec<String> {
        let paths = entries(kept);
        let mut mistakes = Vec::new();
        for path in
            paths.iter().filter(|path| !path.is_file() && !path.is_dir() || path.is_symlink())
        {
            mistakes.push(format!("{}: kept {}, which is no file", self.name, path.display()));
        }
        let names: Vec<_> = paths.iter().map(|path| name_of(path)).collect();
        match &self.keeps {
            Some(keeps) if *keeps != names && !(names.is_empty() && keeps == &["nothing"]) => {
                mistakes.push(format!("{}: kept {names:?}, not {keeps:?}", self.name));
            }
            _ => {}
        }
        mistakes
    }
}

/// The verdict in words.
pub(crate) fn verdict(ending: &Ending) -> String {
    match ending {
        Ending::Exited(status) => format!("exit {status}"),
        Ending::Signal(signal) => format!("signal {signal}"),
        Ending::TimeLimit => "time".to_owned(),
        Ending::WallLimit => "wall".to_owned(),
        Ending::MemoryLimit => "memory".to_owned(),
        Ending::OutputLimit => "output".to_owned(),
        Ending::ProcessLimit => "processes".to_owned(),
        Ending::NotStarted(reason) => format!("not started: {reason}"),
    }
}

fn compile(source: &Path, program: &Path) -> Result<(), String> {
    let compiler = if source.extension().is_some_and(|it| it == "cpp") { "g++" } else { "gcc" };
    let mut command = Command::new(compiler);
    let output = command.args(["-w", "-pthread", "-o"]).arg(program).arg(source).output();
    let output = output.map_err(|error| format!("there is no {compiler}: {error}"))?;
    if output.status.success() {
        return Ok(());
    }
    panic!("{}: {}", source.display(), String::from_utf8_lossy(&output.stderr));
}

/// What is in a folder, in the order of the names.
fn entries(folder: &Path) -> Vec<PathBuf> {
    let mut paths: Vec<_> = fs::read_dir(folder)
        .expect("it is there")
        .map(|entry| entry.expect("it can be read").path())
        .collect();
    paths.sort();
    paths
}

fn name(path: &Path) -> String {
    name_of(path).replace('.', "-")
}

fn name_of(path: &Path) -> String {
    path.file_name().expect("it has a name").to_string_lossy().into_owned()
}
