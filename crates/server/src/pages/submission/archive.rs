//! The files that were handed in. A browser must store them and never show them: they may hold anything.

use crate::app::App;
use crate::web::{Answer, Refusal, Visitor};
use axum::extract::State;
use axum::http::header;
use axum::response::IntoResponse;

pub(super) async fn get(State(app): State<App>, visitor: Visitor) -> Answer {
    let submission = visitor.submission().clone();
    let key = submission.archive.clone();
    let bytes = app.database.read(move |connection| {
        let row =
            connection.first("select bytes from archive where digest = $1", &[(&key).into()])?;
        Ok(row.map(|row| row.bytes(0)))
    });
    let bytes = bytes.await?.ok_or(Refusal::NotFound)?;
    let ending = ending(&submission.file_name);
    // Nothing that a student typed is in a header.
    let name = format!("attachment; filename=\"submission-{}{ending}\"", submission.id);
    let headers = [
        (header::CONTENT_TYPE, "application/octet-stream".to_owned()),
        (header::CONTENT_DISPOSITION, name),
        (header::CONTENT_SECURITY_POLICY, "sandbox; default-src 'none'".to_owned()),
    ];
    Ok((headers, bytes).into_response())
}

fn ending(name: &str) -> &'static str {
    let name = name.to_lowercase();
    let all = [".tar.gz", ".tgz", ".tar", ".zip"];
    all.into_iter().find(|ending| name.ends_with(ending)).unwrap_or(".tar.gz")
}
