//! What a student hands in, as it comes over the network: an archive, or files that are packed here. It is held in memory, within limits
//! for each person and for the whole server, and is checked by the rules of the course before it costs anything.

use super::form::Sent;
use super::{Held, PerPerson, Refusal};
use crate::people::Person;
use harness::course::{Assignment, Submission};
use harness::diagnostic::{Problem, printable};
use harness::files::upload::without_ending;
use harness::files::{self, Archived};
use harness::grading;
use harness::result::graded::SubmissionReport;
use harness::submission::Contents;
use std::sync::Arc;
use std::time::Duration;
use tokio::sync::{OwnedSemaphorePermit, Semaphore};

/// The kilobytes of all uploads that are in memory at the same time.
const KILOBYTES: u32 = 32 << 10;

/// How many are checked at the same time. Each may expand to four times the limit of the course.
const CHECKS: usize = 2;

/// How many one person may send at the same time.
const EACH: usize = 2;

/// How long an upload waits for room.
const PATIENCE: Duration = Duration::from_secs(20);

/// How large the form around the files may be.
const FORM: u64 = 256 << 10;

/// How the names of archives end that are read, or of which the checks say that they are of another kind.
const OTHER_ENDINGS: [&str; 8] =
    [".tar.xz", ".txz", ".tar.bz2", ".tbz2", ".tar.zst", ".xz", ".7z", ".rar"];

/// The name of an archive of loose files.
const PACKED: &str = "submit.tar.gz";

/// The longest name of a file that is kept. Characters.
const LONGEST_NAME: usize = 120;

/// The room for uploads in memory.
#[derive(Debug)]
pub struct Room {
    kilobytes: Arc<Semaphore>,
    checks: Arc<Semaphore>,
    each: PerPerson,
}

impl Default for Room {
    fn default() -> Self {
        Self {
            kilobytes: Arc::new(Semaphore::new(KILOBYTES as usize)),
            checks: Arc::new(Semaphore::new(CHECKS)),
            each: PerPerson::new(EACH),
        }
    }
}

/// The room of one upload, until it is dropped.
#[derive(Debug)]
pub struct Place {
    _held: Held,
    _kilobytes: OwnedSemaphorePermit,
    /// How many bytes may be sent.
    pub most: u64,
}

impl Room {
    /// Takes the room for an upload that says how long it is.
    ///
    /// # Errors
    /// If this person sends too many at the same time, or there is no room for long.
    pub async fn take(
        &self,
        person: i64,
        length: Option<u64>,
        rules: &Submission,
    ) -> Result<Place, Refusal> {
        let held = self.each.hold(person).ok_or(Refusal::TooMany(2))?;
        let most = most_bytes(rules);
        let wanted = length.unwrap_or(most).min(most) / 1024 + 1;
        let wanted = u32::try_from(wanted).unwrap_or(KILOBYTES).min(KILOBYTES);
        let room = self.kilobytes.clone().acquire_many_owned(wanted);
        if let Ok(Ok(kilobytes)) = tokio::time::timeout(PATIENCE, room).await {
            return Ok(Place { _held: held, _kilobytes: kilobytes, most });
        }
        let problem = Problem::new("too many are handing in at this moment");
        Err(Refusal::Passing(problem.hint("nothing was lost; try again in a minute")))
    }

    /// Checks what was sent, on a thread that may take its time.
    ///
    /// # Errors
    /// If the check itself breaks.
    pub async fn check(
        &self,
        sent: Sent,
        student: &Person,
        assignment: &Assignment,
    ) -> Result<Checked, Refusal> {
        let permit = self.checks.clone().acquire_owned().await;
        let (login, assignment) = (student.login.clone(), assignment.clone());
        let checked = tokio::task::spawn_blocking(move || {
            let _permit = permit;
            check(sent, &login, &assignment)
        });
        checked.await.map_err(|error| {
            tracing::error!(%error, "the check of an upload");
            Refusal::Broken(Problem::new("something went wrong on this server"))
        })
    }
}

/// The most bytes that may be sent. What is a little too large is taken, so that the checks can say what is wrong.
fn most_bytes(rules: &Submission) -> u64 {
    rules.kilobytes.saturating_mul(2 << 10) + FORM
}

/// The problem of an upload that is larger.
pub fn too_large(rules: &Submission) -> Problem {
    let message = format!("the files take more than {} kilobytes", rules.kilobytes);
    Problem::new(message).hint("hand in only the sources, the Makefile and the tests")
}

/// What was sent, after the check.
#[derive(Debug)]
pub struct Checked {
    /// What the checks say. If it is refused, there is nothing to store.
    pub report: SubmissionReport,
    pub archive: Vec<u8>,
    /// What the student called it, with control characters escaped.
    pub file_name: String,
}

fn check(sent: Sent, login: &str, assignment: &Assignment) -> Checked {
    let rules = assignment.submission.as_ref().expect("it can be handed in");
    let mut files = sent.files;
    let is_archive = files.len() == 1 && is_archive(&files[0].path.to_string_lossy());
    let (contents, archive, file_name) = if is_archive {
        let file = files.remove(0);
        let name = file.path.to_string_lossy().into_owned();
        (Contents::of_archive(&name, &file.bytes[..], rules), Ok(file.bytes), shown(&name))
    } else {
        let contents = Contents::of_files(login, &files, rules);
        (contents, files::archive(&files), PACKED.to_owned())
    };
    let mut report = grading::check(contents, assignment, rules);
    report.name = printable(login);
    // What cannot be packed is refused for its paths.
    Checked { report, archive: archive.unwrap_or_default(), file_name }
}

/// Whether a file is an archive by its name.
pub fn is_archive(name: &str) -> bool {
    let name = name.to_lowercase();
    without_ending(&name).is_some() || OTHER_ENDINGS.iter().any(|it| name.ends_with(it))
}

fn shown(name: &str) -> String {
    let last = name.rsplit(['/', '\\']).next().unwrap_or_default();
    printable(&last.chars().take(LONGEST_NAME).collect::<String>())
}

/// A file as it was sent.
pub(super) fn file(path: &str, bytes: Vec<u8>) -> Archived {
    Archived { path: path.into(), bytes, is_program: false }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_name_that_is_kept_is_short_and_has_no_folder() {
        assert_eq!(shown("C:\\mine\\submit.tar.gz"), "submit.tar.gz");
        assert_eq!(shown("a\u{202e}b.zip"), "a\\u{202e}b.zip");
        assert_eq!(shown(&"n".repeat(500)).len(), LONGEST_NAME);
        assert!(is_archive("A.TAR.GZ") && is_archive("a.tar.xz") && !is_archive("a.cpp"));
    }
}
