//! What was found, to keep: the document, and the tests as files that a suite can hold.

use super::{Known, nothing_yet};
use crate::app::App;
use crate::database::Fault;
use crate::mining::{self, Test};
use crate::web::Answer;
use axum::extract::{Path, State};
use axum::http::header;
use axum::response::IntoResponse;
use flate2::Compression;
use flate2::write::GzEncoder;
use harness::suite::name::file_name;
use std::io;

pub(super) async fn json(State(app): State<App>, Path(id): Path<String>) -> Answer {
    let done = app.database.read(move |connection| mining::done(connection, &id)).await?;
    let (_, document) = done.ok_or_else(nothing_yet)?;
    let disposition = "attachment; filename=\"mined.json\"";
    let headers =
        [(header::CONTENT_TYPE, "application/json"), (header::CONTENT_DISPOSITION, disposition)];
    Ok((headers, document).into_response())
}

pub(super) async fn tests(State(app): State<App>, Path(id): Path<String>) -> Answer {
    let known = Known::demand(&app, &id).await?;
    let tests = known.behaviours.iter().filter_map(|it| Some((it.number, it.test.as_ref()?)));
    let archive = archive(tests).map_err(|error| Fault::Broken(error.to_string()))?;
    let disposition = "attachment; filename=\"mined.tar.gz\"";
    let headers =
        [(header::CONTENT_TYPE, "application/gzip"), (header::CONTENT_DISPOSITION, disposition)];
    Ok((headers, archive).into_response())
}

/// The tests in a folder `mined`, each with the number of its behaviour.
fn archive<'a>(tests: impl Iterator<Item = (usize, &'a Test)>) -> io::Result<Vec<u8>> {
    let mut archive = tar::Builder::new(GzEncoder::new(Vec::new(), Compression::default()));
    for (number, test) in tests {
        let mut header = tar::Header::new_gnu();
        header.set_size(test.input.len() as u64);
        header.set_mode(0o644);
        let name = file_name(u32::try_from(number).unwrap_or(u32::MAX), &test.flags);
        archive.append_data(&mut header, format!("mined/{name}"), test.input.as_bytes())?;
    }
    archive.into_inner()?.finish()
}
