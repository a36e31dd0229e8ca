//! The documents that platforms get if a run fails: they say that it is not the student's fault.

use super::formats;
use super::request::Request;
use crate::command::destination::Destination;
use std::io::{self, Write};

/// Writes them. If one cannot be written, the failure of the run says more.
pub(super) fn write(request: &Request) {
    for report in request.reports.iter().filter(|report| report.folder().is_none()) {
        let Some(kind) = formats::platform(report.name) else { continue };
        let opened = match &report.file {
            Some(path) => Destination::file(path, request.overwrite),
            None => Ok(Destination::stdout()),
        };
        let Ok((destination, mut out)) = opened else { continue };
        let document = kind.failed().map_err(io::Error::from);
        let written = document.and_then(|document| writeln!(out, "{document}"));
        let _ = written.and_then(|()| out.flush()).and_then(|()| destination.keep());
    }
}
