//! Reads the form of an upload. What is longer than it may be is read to its end and thrown away, so that whoever sends it gets an answer,
//! and no part of it fills the memory: neither files nor names.

use super::Refusal;
use super::upload::{self, Place};
use crate::secret;
use axum::body::Body;
use axum::extract::multipart::MultipartError;
use axum::extract::{FromRequest, Multipart, Request};
use futures_util::{StreamExt, stream};
use harness::course::Submission;
use harness::diagnostic::Problem;
use harness::files::Archived;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};

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
        request: Request,
        place: &Place,
        rules: &Submission,
    ) -> Result<Self, Refusal> {
        let was_cut = Arc::default();
        let request = cut(request, place.most, &was_cut);
        let form = Multipart::from_request(request, &()).await.map_err(|error| {
            let problem = Problem::new(format!("no files were sent: {error}"));
            Refusal::Wrong(problem.hint("use the form of the page, or `harness submit`"))
        })?;
        let sent = Self::of(form).await;
        if was_cut.load(Ordering::Relaxed) {
            return Err(Refusal::TooLarge(upload::too_large(rules)));
        }
        let sent = sent.map_err(|it| broken(&it))?;
        if sent.files.is_empty() {
            let problem = Problem::new("no file was chosen");
            return Err(Refusal::Wrong(problem.hint("choose an archive, or the files themselves")));
        }
        Ok(sent)
    }

    async fn of(mut form: Multipart) -> Result<Self, MultipartError> {
        let mut sent = Self::default();
        while let Some(field) = form.next_field().await? {
            let name = field.name().unwrap_or_default().to_owned();
            let file = field.file_name().map(str::to_owned);
            let bytes = field.bytes().await?;
            match (name.as_str(), file) {
                // A browser sends a field without a file if none was chosen.
                ("files", Some(path)) if !path.is_empty() && sent.files.len() < MOST_FILES => {
                    sent.files.push(upload::file(&path, bytes.into()));
                }
                ("request", _) => sent.request = String::from_utf8_lossy(&bytes).into_owned(),
                _ => {}
            }
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

/// The same request with a body that ends when it is longer than it may be. The rest is read and thrown away.
fn cut(request: Request, most: u64, was_cut: &Arc<AtomicBool>) -> Request {
    let was_cut = was_cut.clone();
    request.map(|body| {
        let begun = (body.into_data_stream(), most, was_cut);
        Body::from_stream(stream::unfold(begun, |(mut data, left, was_cut)| async move {
            let piece = data.next().await?;
            let length = piece.as_ref().map_or(0, |piece| piece.len() as u64);
            let Some(left) = left.checked_sub(length) else {
                was_cut.store(true, Ordering::Relaxed);
                while let Some(Ok(_)) = data.next().await {}
                return None;
            };
            Some((piece, (data, left, was_cut)))
        }))
    })
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
