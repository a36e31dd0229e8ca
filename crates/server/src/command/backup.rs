//! `harness serve backup` and `harness serve restore`: everything that the server knows, in one file.

use super::{Settings, of_database};
use crate::backup::{self, Summary};
use crate::database::{Address, Database};
use harness::command::terminal;
use harness::diagnostic::{Failure, FailureKind, Problem};
use harness::exit::Exit;
use std::fs::File;
use std::path::Path;

pub(super) async fn save(settings: Settings, path: &Path) -> Result<Exit, Failure> {
    let taken = || {
        let problem = Problem::new(format!("{} exists already", path.display()));
        Failure::usage(problem.hint("name a new file; no backup is replaced"))
    };
    if path.symlink_metadata().is_ok() {
        return Err(taken());
    }
    if let Address::Sqlite(file) = &settings.database
        && !file.exists()
    {
        let problem = Problem::new(format!("there is no database {}", file.display()));
        return Err(Failure::usage(problem.hint("name it with --database")));
    }
    let folder = path.parent().filter(|it| !it.as_os_str().is_empty()).unwrap_or(Path::new("."));
    let failed = |error| Failure::unwritten(&path.display().to_string(), &error);
    // It has the name only when it is whole, and only its owner may read it.
    let part = tempfile::Builder::new().prefix(".backup-").tempfile_in(folder).map_err(failed)?;
    let database = settings.open().await?;
    let file = part.as_file().try_clone().map_err(failed)?;
    let saved = backup::save(&database, file).await.map_err(of_database)?;
    part.persist_noclobber(path).map_err(|error| match error.error.kind() {
        std::io::ErrorKind::AlreadyExists => taken(),
        _ => failed(error.error),
    })?;
    File::open(folder).and_then(|folder| folder.sync_all()).map_err(failed)?;
    Ok(told(&format!("Saved {} in {}", counted(&saved), path.display()), &saved))
}

pub(super) async fn restore(settings: Settings, path: &Path) -> Result<Exit, Failure> {
    let file = File::open(path).map_err(|error| {
        let problem = Problem::new(format!("cannot read {}: {error}", path.display()));
        Failure::usage(problem.hint("name a file that `harness serve backup` wrote"))
    })?;
    let head = backup::checked(&file).map_err(wrong_file)?;
    if head.version > crate::database::VERSION {
        let problem = Problem::new(format!("the backup is of harness {}", head.program));
        return Err(Failure::usage(problem.hint("restore it with that version, or a later one")));
    }
    let is_there = matches!(&settings.database, Address::Sqlite(file) if file.exists());
    let restored = fill(&settings, head.version, file).await;
    if let (Err(_), false, Address::Sqlite(file)) = (&restored, is_there, &settings.database) {
        remove(file);
    }
    let restored = restored?;
    Ok(told(&format!("Restored {} of {}", counted(&restored), path.display()), &restored))
}

async fn fill(settings: &Settings, version: i32, file: File) -> Result<Summary, Failure> {
    // A backup of an earlier version is restored as what it was, and then brought to this version.
    let opened = Database::open_at(&settings.database, Some(version)).await;
    let database = opened.map_err(of_database)?;
    let restored = backup::restore(&database, file).await.map_err(wrong_file)?;
    drop(database);
    settings.open().await?;
    Ok(restored)
}

/// Removes a database that was made to be filled, and holds nothing.
fn remove(database: &Path) {
    for end in ["", "-wal", "-shm"] {
        let mut name = database.as_os_str().to_owned();
        name.push(end);
        let _ = std::fs::remove_file(name);
    }
}

fn counted(summary: &Summary) -> String {
    format!("{} rows of {} tables", summary.rows, summary.tables)
}

/// Prints what was done. A log that was changed is no reason to save or restore nothing, but has a status of its own.
fn told(what: &str, summary: &Summary) -> Exit {
    super::say(what);
    match summary.audit {
        Ok(entries) => {
            super::say(&format!(
                "Its log has {entries} entries{}",
                super::audit::last(&summary.last)
            ));
            Exit::Done
        }
        Err(row) => {
            let text =
                format!("the audit log was changed: entry {row} does not fit those before it");
            let hint = "compare it with an earlier backup";
            terminal::say(&Problem::new(text).hint(hint));
            Exit::UnderThreshold
        }
    }
}

/// What is wrong with the file or the database is up to the user; the rest is the machine's fault.
fn wrong_file(fault: crate::database::Fault) -> Failure {
    match fault {
        crate::database::Fault::Refused(text) => {
            let hint = "restore a whole backup into a new database";
            Failure::new(FailureKind::Request, Problem::new(text).hint(hint))
        }
        fault => of_database(fault),
    }
}
