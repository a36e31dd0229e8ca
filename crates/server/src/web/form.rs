//! Reads the form of an upload. What is longer than it may be is read to its end and thrown away, so that whoever sends it gets an answer.

use super::Refusal;
use super::upload::{self, Place};
use crate::secret;
use axum::extract::Multipart;
use axum::extract::multipart::{Field, MultipartError};
use harness::course::Submission;
use harness::diagnostic::Problem;
use harness::files::Archived;

/// The most files that are taken. The checks refuse as many.
const MOST_FILES: usize = 1001;

/// The longest key of a form.
const LONGEST_KEY: usize = 100;

/// What was sent.
#[derive(Debug, Default)]
pub struct Sent {
    pub files: Vec<Archived>,
    /// The key of the form.
    request: String,
}

impl Sent {
    /// Reads the form.
    ///
    /// # Errors
    /// If it is too large, or breaks off.
    pub async fn read(
        mut form: Multipart,
        place: &Place,
        rules: &Submission,
    ) -> Result<Self, Refusal> {
        let mut sent = Self::default();
        let mut left = place.most;
        while let Some(mut field) = form.next_field().await.map_err(|it| broken(&it))? {
            let name = field.name().unwrap_or_default().to_owned();
            let file = field.file_name().map(str::to_owned);
            let bytes = read(&mut field, &mut left).await?;
            match (name.as_str(), file) {
                // A browser sends a field without a file if none was chosen.
                ("files", Some(path)) if !path.is_empty() && sent.files.len() < MOST_FILES => {
                    sent.files.push(upload::file(&path, bytes));
                }
                ("request", _) => sent.request = String::from_utf8_lossy(&bytes).into_owned(),
                _ => {}
            }
        }
        if left == 0 {
            return Err(Refusal::TooLarge(upload::too_large(rules)));
        }
        if sent.files.is_empty() {
            let problem = Problem::new("no file was chosen");
            return Err(Refusal::Wrong(problem.hint("choose an archive, or the files themselves")));
        }
        Ok(sent)
    }

    /// What tells this upload from others of the same student: the key of the form, and what was sent with it. So a form that is sent
    /// again counts once, and other files that a browser sends with an old form are not taken for the same.
    ///
    /// # Errors
    /// If the form has no key.
    pub fn key(&self) -> Result<String, Refusal> {
        if self.request.is_empty() || self.request.len() > LONGEST_KEY {
            let problem = Problem::new("the form has no key");
            return Err(Refusal::Wrong(problem.hint("load the page again, and hand in again")));
        }
        let mut text = self.request.clone();
        for file in &self.files {
            text.push('\n');
            text.push_str(&secret::sha256(file.path.as_os_str().as_encoded_bytes()));
            text.push_str(&secret::sha256(&file.bytes));
        }
        Ok(secret::sha256(text.as_bytes()))
    }
}

/// Reads a field, and keeps what there is room for. After more than that, nothing is left.
async fn read(field: &mut Field<'_>, left: &mut u64) -> Result<Vec<u8>, Refusal> {
    let mut bytes = Vec::new();
    while let Some(chunk) = field.chunk().await.map_err(|it| broken(&it))? {
        *left = left.saturating_sub(chunk.len() as u64);
        if *left == 0 {
            bytes = Vec::new();
        } else {
            bytes.extend_from_slice(&chunk);
        }
    }
    Ok(bytes)
}

fn broken(error: &MultipartError) -> Refusal {
    tracing::info!(%error, "an upload broke off");
    let problem = Problem::new("the upload broke off");
    if error.status() == axum::http::StatusCode::PAYLOAD_TOO_LARGE {
        let problem = Problem::new("what was sent is too large");
        return Refusal::TooLarge(problem.hint("hand in only sources, Makefile and tests"));
    }
    Refusal::Wrong(problem.hint("send it again; it counts once"))
}
