//! What the files of a run say if the course is broken. Platforms, which wait for a file, also get one if the machine fails, and tell
//! students that it is not their fault.

use super::formats;
use super::request::{ReportRequest, Request};
use crate::cli::formats::FormatName;
use crate::command::destination::Destination;
use crate::diagnostic::{Failure, FailureKind};
use crate::report::failed;
use std::io::{self, Write};

/// Writes them. Only a platform's file replaces an existing one: any other would be lost for nothing. If one cannot be written, the failure of the run says more.
pub(super) fn write(request: &Request, failure: &Failure) {
    let is_told = |report: &&ReportRequest| {
        let is_of_machine = failure.kind == FailureKind::Machine;
        report.folder().is_none() && (!is_of_machine || report.name.is_for_platform())
    };
    for report in request.reports.iter().filter(is_told) {
        let Some(document) = document(report, failure) else { continue };
        let opened = match &report.file {
            Some(path) => {
                let overwrite = request.overwrite && report.name.is_for_platform();
                Destination::file(path, overwrite)
            }
            None => Ok(Destination::stdout()),
        };
        let Ok((destination, mut out)) = opened else { continue };
        let written = document.and_then(|document| out.write_all(&document));
        let _ = written.and_then(|()| out.flush()).and_then(|()| destination.keep());
    }
}

/// The document. `None` if the format has none, or if standard error says the same already.
fn document(report: &ReportRequest, failure: &Failure) -> Option<io::Result<Vec<u8>>> {
    if let Some(kind) = formats::platform(report.name) {
        return Some(kind.failed().map(|text| (text + "\n").into_bytes()).map_err(io::Error::from));
    }
    let why = failed::reasons(&failure.problems, report.audience);
    Some(match report.name {
        FormatName::Text if report.file.is_none() => return None,
        FormatName::Text => Ok(failed::text(&why).into_bytes()),
        FormatName::Json => Ok(failed::json(&why).into_bytes()),
        FormatName::Csv => failed::csv(&why),
        FormatName::Md => Ok(failed::markdown(&why).into_bytes()),
        FormatName::Junit => failed::junit(&why),
        FormatName::Html => Ok(failed::page(&why).into_bytes()),
        // Its readers need a source with mutants.
        _ => return None,
    })
}
