//! `harness serve doctor`: lists what keeps a server from working, or from being safe, and what to do about it. It changes nothing.

mod addresses;
mod files;
mod known;

use super::{Settings, assignments};
use crate::database::{Address, Database};
use crate::system;
use harness::cli::Format;
use harness::command::doctor::examined;
use harness::command::print;
use harness::course::Course;
use harness::diagnostic::Failure;
use harness::exit::Exit;
use harness::files::check_writable;
use harness::report::doctor::{Diagnosis, Finding, Health, SCHEMA};
use harness::run::work::Work;

pub(super) fn run(work: &Work, settings: &Settings) -> Result<Exit, Failure> {
    let mut findings = vec![zone(settings)];
    findings.extend(addresses::findings(settings));
    findings.extend(files::findings(settings));
    findings.extend(handed_in(settings));
    findings.extend(super::wait(async { Ok(about_database(settings).await) })?);
    let is_missing = |finding: &Finding| finding.health == Health::Missing;
    let mut exit = if findings.iter().any(is_missing) { Exit::Machine } else { Exit::Done };
    // A machine that only serves builds and runs nothing.
    if settings.workers > 0 {
        let (mut of_graders, mut status) = examined(work, &settings.course);
        // `harness score` works without a sandbox, and no server grades without one.
        for finding in &mut of_graders {
            if finding.what == "sandbox" && finding.health == Health::Optional {
                finding.health = Health::Missing;
                status = Exit::Machine;
            }
        }
        findings.extend(of_graders);
        exit = if exit == Exit::Done { status } else { exit };
    }
    for finding in &mut findings {
        finding.found = system::said(&finding.found);
    }
    let diagnosis = Diagnosis { schema: SCHEMA.to_owned(), healthy: exit == Exit::Done, findings };
    print("the result", &diagnosis, Format::Text)?;
    Ok(exit)
}

/// What keeps students from handing in. Whether there is a course at all is found out elsewhere.
fn handed_in(settings: &Settings) -> Vec<Finding> {
    let Ok(course) = Course::read(&settings.course) else { return Vec::new() };
    let mistakes = assignments::mistakes(&course, &settings.config.rules).into_iter();
    mistakes.map(|(found, remedy)| doubtful("assignments", found, remedy)).collect()
}

async fn about_database(settings: &Settings) -> Vec<Finding> {
    let (database, finding) = database(settings).await;
    let mut findings = vec![finding];
    if let Some(database) = database {
        findings.extend(known::findings(settings, &database).await);
    }
    findings
}

/// Something that is as it should be.
fn fine(what: &str, found: impl Into<String>) -> Finding {
    Finding { what: what.to_owned(), health: Health::Fine, found: found.into(), remedy: None }
}

/// Something that works, but should be otherwise.
fn doubtful(what: &str, found: impl Into<String>, remedy: impl Into<String>) -> Finding {
    Finding { health: Health::Optional, remedy: Some(remedy.into()), ..fine(what, found) }
}

/// Something without which no server works.
fn missing(what: &str, found: impl Into<String>, remedy: impl Into<String>) -> Finding {
    Finding { health: Health::Missing, remedy: Some(remedy.into()), ..fine(what, found) }
}

/// A zone that is not named depends on the machine, and two servers may differ.
fn zone(settings: &Settings) -> Finding {
    const WHAT: &str = "time zone";
    let rules = &settings.config.rules;
    let name = rules.time_zone.name();
    if settings.config.text.contains("time_zone:") {
        fine(WHAT, format!("{name}: days begin and end at midnight there"))
    } else {
        let found = format!("{name}, that of this machine");
        doubtful(
            WHAT,
            found,
            "name the course's in serve.yaml, such as `time_zone: America/Detroit`",
        )
    }
}

/// Opens the database. A file that is not there yet is made by the server, not by the doctor.
async fn database(settings: &Settings) -> (Option<Database>, Finding) {
    const WHAT: &str = "database";
    let name = match &settings.database {
        Address::Sqlite(path) if !path.exists() => {
            let found = format!("{} is not there yet", path.display());
            let folder = path.parent().unwrap_or(path);
            return (
                None,
                match check_writable(folder) {
                    Ok(()) => doubtful(WHAT, found, "`harness serve` makes it"),
                    Err(error) => {
                        let found = format!("{found}, and its folder cannot be written: {error}");
                        missing(
                            WHAT,
                            found,
                            "let the server's user write there, or name another file",
                        )
                    }
                },
            );
        }
        Address::Sqlite(path) => format!("SQLite, {}", path.display()),
        Address::Postgres(_) => "PostgreSQL".to_owned(),
    };
    match Database::open(&settings.database).await {
        Ok(database) => (Some(database), fine(WHAT, format!("{name}, is reached"))),
        Err(fault) => {
            let remedy = settings.remedy(&fault);
            (None, missing(WHAT, format!("{name}: {fault}"), remedy))
        }
    }
}
