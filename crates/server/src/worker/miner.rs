//! Mines the programs of a class with the companion program `harness-author`, as long as no submission would wait for this worker. Then the
//! child is killed and the job given back. What the child has found out stays on this machine, so that little is done twice.

use super::group::{Group, LastWords};
use super::scratch::Scratch;
use super::stop::Stop;
use super::{BEAT, LOOK, Options, patience};
use crate::app::App;
use crate::courses;
use crate::database::{Connection, Fault, Result};
use crate::mining::{self, Claim};
use crate::similar;
use crate::system;
use harness::files::upload::Upload;
use std::fs;
use std::io;
use std::path::Path;
use std::time::Duration;
use tokio::io::AsyncReadExt;
use tokio::process::Command;
use tokio::time::Instant;

/// The longest document.
const LONGEST: u64 = 64 << 20;

/// How long a child may take besides the minutes of the rules: it builds the course first.
const SURPLUS: Duration = Duration::from_hours(1);

/// How long a worker tries to say how a job ended.
const LAST: Duration = Duration::from_secs(5);

/// A worker that mines.
pub(super) struct Miner<'a> {
    pub(super) app: &'a App,
    pub(super) options: &'a Options,
    pub(super) stop: &'a Stop,
    pub(super) scratch: &'a Scratch,
    pub(super) name: &'a str,
}

/// How a job ended.
#[derive(Clone)]
enum Outcome {
    Found(String),
    Failed(String),
    /// It gives way.
    GivenBack,
    /// Another worker has it now.
    Lost,
}

impl Miner<'_> {
    /// Takes the next job, if there is one.
    pub(super) async fn claim(&self) -> Option<Claim> {
        if !matches!(self.app.database.read(mining::waits).await, Ok(true)) {
            return None;
        }
        let name = self.name.to_owned();
        let claim = self.app.database.write(move |connection| mining::claim(connection, &name));
        claim.await.unwrap_or_else(|fault| {
            tracing::warn!(%fault, "no job to mine can be claimed");
            None
        })
    }

    pub(super) async fn work(&self, claim: &Claim) {
        tracing::info!(mining = claim.id, attempt = claim.attempt, "mining begins");
        let outcome = tokio::select! {
            found = self.found(claim) => match found {
                Ok(document) => Outcome::Found(document),
                Err(reason) => Outcome::Failed(reason),
            },
            outcome = self.must_end(claim) => outcome,
        };
        self.close(claim, outcome).await;
        self.app.changed.notify_waiters();
    }

    /// Renews the claim, and returns when the job must end before it is done.
    async fn must_end(&self, claim: &Claim) -> Outcome {
        let begun = self.app.database.read(courses::in_force).await.ok().flatten();
        let mut renewed = Instant::now();
        loop {
            tokio::select! {
                () = self.app.changed.notified() => {}
                () = tokio::time::sleep(LOOK) => {}
                () = self.stop.asked() => return Outcome::GivenBack,
            }
            let name = self.name.to_owned();
            let looked = self.app.database.read(move |connection| {
                Ok((mining::gives_way(connection, &name)?, courses::in_force(connection)?))
            });
            // A new version has to be prepared before its submissions come.
            if matches!(looked.await, Ok((gives_way, course)) if gives_way || course != begun) {
                return Outcome::GivenBack;
            }
            if renewed.elapsed() < BEAT {
                continue;
            }
            let held = claim.clone();
            match self.app.database.write(move |connection| mining::renew(connection, &held)).await
            {
                Ok(true) => renewed = Instant::now(),
                Ok(false) => return Outcome::Lost,
                Err(fault) => tracing::warn!(%fault, "the claim cannot be renewed"),
            }
        }
    }

    /// The document of what was found, or why there is none.
    async fn found(&self, claim: &Claim) -> std::result::Result<String, String> {
        let said = |fault: Fault| fault.to_string();
        let folder = self.scratch.mining(claim.id);
        let (programs, kept) = (folder.join("programs"), folder.join("kept"));
        self.write_programs(&claim.assignment, &programs).await?;
        let course = self.app.courses.unpacked(&self.app.database, &claim.course);
        let course = course.await.map_err(said)?;
        let minutes = self.app.rules().await.map_err(said)?.mining.minutes.0.max(1).unsigned_abs();
        let program = &self.options.program;
        let command = program.mine(&course, &claim.assignment, (&programs, &kept), minutes * 60);
        let longest = Duration::from_mins(minutes) + SURPLUS;
        let text = tokio::time::timeout(longest, output(command)).await;
        let text = text.map_err(|_| "`harness mutants mine` did not end".to_owned())??;
        without_paths(&text).map_err(|error| format!("it said what is no document: {error}"))
    }

    /// Writes the last program of each student into a folder, named by the number of the submission.
    async fn write_programs(
        &self,
        assignment: &str,
        folder: &Path,
    ) -> std::result::Result<(), String> {
        let key = assignment.to_owned();
        let read = move |connection: &mut Connection<'_>| similar::handed_in(connection, &key);
        let all = self.app.database.read(read).await.map_err(|fault| fault.to_string())?;
        let failed = |error: io::Error| format!("the programs cannot be written: {error}");
        // What an attempt left behind may be of other submissions.
        let _ = fs::remove_dir_all(folder);
        for some in all.chunks(similar::BATCH) {
            let uploads = similar::uploads(&self.app.database, some).await;
            let uploads = uploads.map_err(|fault| fault.to_string())?;
            for (it, upload) in some.iter().zip(&uploads) {
                write(&folder.join(it.submission.to_string()), upload).map_err(failed)?;
            }
        }
        Ok(())
    }

    async fn close(&self, claim: &Claim, outcome: Outcome) {
        let (id, held) = (claim.id, claim.clone());
        let is_given_back = matches!(outcome, Outcome::GivenBack);
        let end = move |connection: &mut Connection<'_>| -> Result<bool> {
            match &outcome {
                Outcome::Found(document) => mining::finish(connection, &held, document),
                Outcome::Failed(reason) => mining::fail(connection, &held, &system::said(reason)),
                Outcome::GivenBack => mining::give_back(connection, &held),
                Outcome::Lost => Ok(false),
            }
        };
        if !is_given_back {
            let _ = fs::remove_dir_all(self.scratch.mining(id));
        }
        match patience::write(&self.app.database, self.stop, LAST, end).await {
            Ok(Some(true)) => tracing::info!(mining = id, is_given_back, "mining ends"),
            Ok(Some(false)) => tracing::warn!(mining = id, "the claim was lost"),
            Ok(None) => tracing::warn!(mining = id, "the database was away to the end"),
            Err(fault) => tracing::error!(mining = id, %fault, "the job cannot be closed"),
        }
    }
}

/// Writes the files that lie at the top of an upload. Only their names are of the student, and each is one plain name.
fn write(folder: &Path, upload: &Upload) -> io::Result<()> {
    fs::create_dir_all(folder)?;
    for (path, bytes) in &upload.files {
        let name = str::from_utf8(path).ok().filter(|name| {
            !name.starts_with('.') && !name.chars().any(|it| it == '/' || it.is_control())
        });
        if let Some(name) = name {
            fs::write(folder.join(name), bytes)?;
        }
    }
    Ok(())
}

/// What a command prints. If this is interrupted, it is killed with all that it started.
async fn output(mut command: Command) -> std::result::Result<String, String> {
    let failed = |error: io::Error| format!("`harness mutants mine`: {error}");
    let mut child = command.spawn().map_err(failed)?;
    let (output, errors) = (child.stdout.take(), child.stderr.take());
    let mut process = Group(child);
    process.yields();
    let (Some(output), Some(errors)) = (output, errors) else {
        return Err("`harness mutants mine` has no pipes".to_owned());
    };
    let (mut errors, mut text) = (LastWords::hear(errors), String::new());
    output.take(LONGEST).read_to_string(&mut text).await.map_err(failed)?;
    let status = process.0.wait().await.map_err(failed)?;
    match errors.all().await {
        _ if status.success() => Ok(text),
        words if words.trim().is_empty() => Err(format!("`harness mutants mine`: {status}")),
        words => Err(words),
    }
}

/// The document without the files of this machine.
fn without_paths(text: &str) -> serde_json::Result<String> {
    let mut document: serde_json::Value = serde_json::from_str(text)?;
    let deviations = document.get_mut("deviations").and_then(|it| it.as_array_mut());
    for deviation in deviations.into_iter().flatten() {
        deviation.as_object_mut().map(|it| it.remove("prepared"));
    }
    serde_json::to_string(&document)
}
