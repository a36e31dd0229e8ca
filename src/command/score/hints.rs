//! Gives hints, and stores in a file which ones were given. The file is locked while it is read, changed and written.

use super::request::{HintsRequest, Request};
use crate::catalogue::{Mutant, behaviours};
use crate::cli::Day;
use crate::course::{Assignment, Audience, Level};
use crate::diagnostic::{Failure, Place, Problem};
use crate::files;
use crate::result::hints::{HintsFile, SCHEMA};
use crate::result::{HintReport, SuiteReport};
use std::fs::{self, File};
use std::io::{self, Write};
use std::path::{Path, PathBuf};

/// Gives hints to one reader on one day.
pub(super) struct Hints {
    file: PathBuf,
    day: String,
    audience: Audience,
}

impl Hints {
    /// Prepares to give hints, if `--hints` is given. Fails now if the file is not valid, and not after the run.
    pub(super) fn open<'a>(
        request: &Request,
        mut assignments: impl Iterator<Item = &'a Assignment>,
    ) -> Result<Option<Self>, Failure> {
        let Some(HintsRequest { path, today, audience }) = &request.hints else { return Ok(None) };
        if assignments.all(|assignment| assignment.feedback.hints.is_none()) {
            let hint = "say how many under `feedback:`, for example `hints: { per_day: 3 }`";
            return Err(Failure::usage(Problem::new("the course file gives no hints").hint(hint)));
        }
        let day = today.clone().unwrap_or_else(Day::today).to_string();
        // A link is followed: its target is replaced.
        let file = path.canonicalize().unwrap_or_else(|_| path.clone());
        read(&file)?;
        drop(lock(&file)?);
        Ok(Some(Self { file, day, audience: *audience }))
    }

    /// Adds hints to each suite, and stores them before anybody sees them.
    pub(super) fn give(
        &self,
        assignment: &Assignment,
        mutants: &[Mutant],
        suites: &mut [SuiteReport],
    ) -> Result<(), Failure> {
        let Some(ration) = assignment.feedback.hints else { return Ok(()) };
        // A reader who may see nothing of the mutants gets no hints.
        if assignment.feedback.level(self.audience) == Level::None {
            return Ok(());
        }
        let _lock = lock(&self.file)?;
        let before = read(&self.file)?;
        let mut given = before.clone();
        for suite in suites {
            let is_exposed = |mutant: &Mutant| suite.exposed_by.contains_key(&mutant.id);
            let missed = behaviours::missed(mutants, is_exposed, assignment.scoring.by);
            let hints = given.give(&assignment.id, &suite.name, &self.day, ration.per_day, &missed);
            suite.hints =
                hints.into_iter().map(|(day, mutant)| HintReport::new(day, mutant)).collect();
        }
        if given == before {
            return Ok(());
        }
        write(&self.file, &given)
            .map_err(|error| Failure::unwritten(&self.file.display().to_string(), &error))
    }
}

/// The hints given so far: none if there is no file yet. An invalid file is never overwritten.
fn read(file: &Path) -> Result<HintsFile, Failure> {
    let fail = |problem: Problem| {
        Failure::usage(
            problem
                .hint("correct the file, or name a new one, which starts without any hints given"),
        )
    };
    match fs::metadata(file) {
        Err(error) if error.kind() == io::ErrorKind::NotFound => return Ok(HintsFile::default()),
        Ok(there) if !there.is_file() => {
            let message = format!("{} is not a file", file.display());
            return Err(Failure::usage(Problem::new(message).hint("name a regular file")));
        }
        Ok(_) | Err(_) => {}
    }
    let text = fs::read_to_string(file)
        .map_err(|error| fail(Problem::new(format!("cannot read {}: {error}", file.display()))))?;
    let given: HintsFile = serde_json::from_str(&text).map_err(|error| {
        let message = error.to_string();
        let message = message.split(" at line ").next().unwrap_or_default();
        let column = Some(error.column()).filter(|&column| column > 0);
        fail(Problem::new(format!("not a valid hints file: {message}")).at(Place::new(
            file,
            &text,
            error.line(),
            column,
        )))
    })?;
    if given.schema != SCHEMA {
        let at =
            text.lines().position(|line| line.contains("\"schema\"")).map_or(1, |line| line + 1);
        let problem = Problem::new(format!("expected a hints file of the version `{SCHEMA}`"))
            .at(Place::new(file, &text, at, None));
        return Err(fail(problem));
    }
    Ok(given)
}

/// Locks the hints against other processes. The lock is a file of its own, because the hints file is replaced.
fn lock(file: &Path) -> Result<File, Failure> {
    let mut name = file.as_os_str().to_owned();
    name.push(".lock");
    let lock = File::options()
        .create(true)
        .truncate(false)
        .write(true)
        .open(name)
        .and_then(|lock| lock.lock().map(|()| lock));
    lock.map_err(|error| Failure::machine(format!("lock {}", file.display()), error))
}

fn write(file: &Path, given: &HintsFile) -> io::Result<()> {
    let mut whole = files::begin(file)?;
    writeln!(whole, "{}", serde_json::to_string_pretty(given)?)?;
    whole.as_file().sync_all()?;
    whole.persist(file)?;
    Ok(())
}
