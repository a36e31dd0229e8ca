//! The file in which it is remembered which hints were given: read, changed and written anew while nobody else does.

use super::destination;
use crate::catalogue::Mutant;
use crate::cli;
use crate::course::{Assignment, Audience, Level};
use crate::problem::{Failure, Place, Problem};
use crate::result::hints::{HintsFile, SCHEMA};
use crate::result::{HintReport, SuiteReport};
use jiff::{Timestamp, tz::TimeZone};
use std::fs::{self, File};
use std::io::{self, Write};
use std::path::{Path, PathBuf};

/// What is needed to give hints.
pub(super) struct Hints {
    file: PathBuf,
    day: String,
    audience: Audience,
}

impl Hints {
    /// What is needed, if hints were asked for. That the file is fine is found out before anything is run.
    pub(super) fn open<'a>(
        options: &cli::Score,
        mut assignments: impl Iterator<Item = &'a Assignment>,
    ) -> Result<Option<Self>, Failure> {
        let Some(file) = &options.hints else { return Ok(None) };
        let Some(audience) = options.audience.filter(|&audience| audience != Audience::Staff)
        else {
            let hint = "name the reader, for example --audience normal";
            return Err(Failure::usage(
                Problem::new("--hints is for a report that a student reads").hint(hint),
            ));
        };
        if assignments.all(|assignment| assignment.feedback.hints.is_none()) {
            let hint = "say how many under `feedback:`, for example `hints: { per_day: 3 }`";
            return Err(Failure::usage(Problem::new("the course file gives no hints").hint(hint)));
        }
        let today = || Timestamp::now().to_zoned(TimeZone::UTC).date();
        let day = options.today.unwrap_or_else(today).to_string();
        // What a link leads to is replaced, and not the link.
        let file = file.canonicalize().unwrap_or_else(|_| file.clone());
        read(&file)?;
        drop(hold(&file)?);
        Ok(Some(Self { file, day, audience }))
    }

    /// Gives each suite its hints, and remembers them before anybody sees them.
    pub(super) fn give(
        &self,
        assignment: &Assignment,
        mutants: &[Mutant],
        suites: &mut [SuiteReport],
    ) -> Result<(), Failure> {
        let Some(ration) = assignment.feedback.hints else { return Ok(()) };
        // Who is told nothing of the mutants is told no hints either.
        if assignment.feedback.level(self.audience) == Level::None {
            return Ok(());
        }
        let _lock = hold(&self.file)?;
        let before = read(&self.file)?;
        let mut given = before.clone();
        for suite in suites {
            let missed: Vec<_> = mutants
                .iter()
                .filter(|mutant| !suite.exposed_by.contains_key(&mutant.id))
                .collect();
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

/// What was given so far: nothing, where there is no file yet. One that is not understood is left as it is.
fn read(file: &Path) -> Result<HintsFile, Failure> {
    let fail = |problem: Problem| {
        Failure::usage(
            problem
                .hint("mend the file, or name a new one: which hints were given is forgotten then"),
        )
    };
    match fs::metadata(file) {
        Err(error) if error.kind() == io::ErrorKind::NotFound => return Ok(HintsFile::default()),
        Ok(there) if !there.is_file() => {
            let message = format!("{} is not a file", file.display());
            return Err(Failure::usage(
                Problem::new(message).hint("name a file that may be written"),
            ));
        }
        Ok(_) | Err(_) => {}
    }
    let text = fs::read_to_string(file)
        .map_err(|error| fail(Problem::new(format!("cannot read {}: {error}", file.display()))))?;
    let given: HintsFile = serde_json::from_str(&text).map_err(|error| {
        let message = error.to_string();
        let message = message.split(" at line ").next().unwrap_or_default();
        let column = Some(error.column()).filter(|&column| column > 0);
        fail(Problem::new(format!("this is no memory of hints: {message}")).at(Place::new(
            file,
            &text,
            error.line(),
            column,
        )))
    })?;
    if given.schema != SCHEMA {
        let at =
            text.lines().position(|line| line.contains("\"schema\"")).map_or(1, |line| line + 1);
        let problem = Problem::new(format!("this is not of the version {SCHEMA}"))
            .at(Place::new(file, &text, at, None));
        return Err(fail(problem));
    }
    Ok(given)
}

/// Holds off every other harness that gives hints out of the same file. The file itself is replaced, and so can't be what is locked.
fn hold(file: &Path) -> Result<File, Failure> {
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
    let permissions = fs::metadata(file)
        .map_or_else(|_| destination::like_any_other(), |there| there.permissions());
    let mut whole = destination::begun(file, permissions)?;
    writeln!(whole, "{}", serde_json::to_string_pretty(given)?)?;
    whole.as_file().sync_all()?;
    whole.persist(file)?;
    Ok(())
}
