//! Runs an inspector: a program of the course that inspects outputs or inputs. One that fails is an error of the course.

use crate::course::{self, Assignment, Course, Role};
use crate::diagnostic::{Failure, Problem, printable};
use crate::domain::shortened;
use crate::files;
use crate::run::build::{self, Runnable};
use crate::run::process::{self, ProcessLimits};
use crate::run::work::Work;
use rustix::io::Errno;
use std::path::PathBuf;
use std::time::Duration;
use subject::{Case, End, Outcome};

/// The most bytes that an inspector may print.
pub(super) const OUTPUT: u64 = 1 << 20;
pub(super) const PROCESSES: u64 = 32;

/// An inspector that can be run.
pub(super) struct Inspector {
    /// What it runs for.
    pub(super) work: Work,
    settings: course::Inspector,
    /// The folder of the course, in which it runs.
    folder: PathBuf,
    pub(super) runnable: Runnable,
    /// Whether it was built from sources of the course.
    is_built: bool,
}

impl Inspector {
    /// Builds the inspector if its program is a source, or a folder of sources.
    ///
    /// # Errors
    /// If the build fails.
    pub(super) fn new(
        work: &Work,
        course: &Course,
        assignment: &Assignment,
        settings: &course::Inspector,
    ) -> Result<Self, Failure> {
        let (runnable, is_built) = runnable(course, assignment, settings)?;
        let (work, settings) = (work.clone(), settings.clone());
        Ok(Self { work, settings, folder: course.folder.clone(), runnable, is_built })
    }

    /// The words after those of the protocol.
    pub(super) fn args(&self) -> &[String] {
        &self.settings.args
    }

    /// Its program, or the source of it.
    ///
    /// # Errors
    /// If there is no such program, or it cannot be executed.
    pub(super) fn program(&self) -> Result<PathBuf, Problem> {
        let word = &self.settings.command[0];
        let is_path = word.contains('/');
        let in_course = self.folder.join(word.strip_prefix("./").unwrap_or(word));
        let found = if is_path { Some(in_course.clone()) } else { files::on_path(&[word]) };
        let (message, hint) = match found {
            _ if self.is_built => return Ok(in_course),
            Some(path) if files::is_executable(&path) => return Ok(path),
            Some(path) if path.is_file() => (
                "cannot be executed",
                format!("make it executable with `chmod +x {}`", path.display()),
            ),
            Some(_) => {
                ("does not exist", "paths are relative to the folder of the course".to_owned())
            }
            None if in_course.is_file() => {
                ("is not on the PATH", format!("for the file in the course, write `./{word}`"))
            }
            None => {
                ("is not on the PATH", "install it, or name a file, such as `./check`".to_owned())
            }
        };
        Err(self.problem(&format!("`{word}`"), message).hint(hint))
    }

    /// The limits on one run.
    pub(super) fn limits(&self) -> ProcessLimits {
        ProcessLimits {
            time: self.settings.time,
            wall: Duration::MAX,
            memory: self.settings.memory,
            output: OUTPUT,
            processes: PROCESSES,
        }
    }

    /// What a process of it does.
    ///
    /// # Errors
    /// If it cannot be started.
    pub(super) fn run(&self, case: &Case) -> Result<Outcome, Failure> {
        let ran = process::run_in_place(&self.work, &self.runnable, case, &self.limits());
        ran.map_err(|error| {
            let is_the_courses = matches!(
                error.raw_os_error().map(Errno::from_raw_os_error),
                Some(Errno::NOENT | Errno::ACCESS | Errno::NOEXEC)
            );
            if is_the_courses {
                self.failure(&format!("cannot be started: {error}"), None)
            } else {
                process::failure(format!("run {}", self.name()), &error)
            }
        })
    }

    /// The failure of a run that did not exit.
    pub(super) fn no_verdict(&self, end: &End, said: Option<String>) -> Failure {
        match end {
            End::Exit(status) => self.failure(&format!("exits with status {status}"), said),
            End::Crash(how) => self.failure(&format!("crashes ({how})"), said),
            End::Timeout => {
                self.failure(&format!("takes more than {:?}", self.settings.time), said)
            }
            End::Memory => self.failure("runs out of memory", said),
            End::OutputLimit => self.failure("prints too much", None),
        }
    }

    /// The failure of the inspector, which is the course's fault. `said` is what it printed.
    pub(super) fn failure(&self, what: &str, said: Option<String>) -> Failure {
        let said = said.map(|said| format!(": {}", printable(&said))).unwrap_or_default();
        let problem = self.problem(&self.name(), &format!("{what}{said}"));
        let hint = match self.settings.role {
            Role::Checker => "this exposes no bug: correct the checker, or its command",
            Role::Interactor => "this exposes no bug: correct the interactor, or its command",
            Role::Validator => {
                "this says nothing of the input: correct the validator, or its command"
            }
        };
        Failure::broken_course(problem.hint(hint))
    }

    pub(super) fn name(&self) -> String {
        format!("`{}`", self.settings.command.join(" "))
    }

    fn problem(&self, name: &str, what: &str) -> Problem {
        let role = self.settings.role.word();
        Problem::new(format!("the {role} {name} {what}")).at(self.settings.place.clone())
    }
}

/// What starts an inspector, and whether it was built for that.
pub(super) fn runnable(
    course: &Course,
    assignment: &Assignment,
    settings: &course::Inspector,
) -> Result<(Runnable, bool), Failure> {
    let path = course.folder.join(&settings.command[0]);
    let name = format!("the {} `{}`", settings.role.word(), settings.command[0]);
    let is_program = files::is_executable(&path);
    let built = if is_program {
        None
    } else {
        build::inspector(course, assignment, &path, &name).map_err(|mut failure| {
            failure.problems.iter_mut().for_each(|problem| {
                problem.place.get_or_insert_with(|| settings.place.clone());
            });
            failure
        })?
    };
    let is_built = built.is_some();
    let mut runnable = built
        .unwrap_or_else(|| Runnable::new(settings.command[..1].to_vec(), course.folder.clone()));
    runnable.words.extend_from_slice(&settings.command[1..]);
    Ok((runnable, is_built))
}

/// The beginning of what an inspector says, on one line; `None` if it says nothing.
pub(super) fn message(said: &str) -> Option<String> {
    const MOST: usize = 300;
    let lines = said.lines().map(str::trim).filter(|line| !line.is_empty());
    let line = shortened(&lines.collect::<Vec<_>>().join("; "), MOST);
    (!line.is_empty()).then_some(line)
}
