//! What the files of a run say if the course is broken. Platforms, which wait for a file, also get one if the machine fails, and tell
//! students that it is not their fault.

use super::request::Request;
use crate::cli::formats::Wanted;
use crate::command::destination::Destination;
use crate::command::reports::ReportRequest;
use crate::diagnostic::{Failure, FailureKind};
use crate::report::formats::TEXT;
use std::io::Write;

/// Writes them. Only a platform's file replaces an existing one: any other would be lost for nothing. If one cannot be written, the
/// failure of the run says more.
pub(super) fn write(request: &Request, failure: &Failure) {
    let is_told = |report: &&ReportRequest| {
        let Wanted { format, file } = &report.wanted;
        let is_of_machine = failure.kind == FailureKind::Machine;
        // Standard error says the same as text.
        let is_said = format.name == TEXT && file.is_none();
        report.wanted.folder().is_none() && (!is_of_machine || format.is_for_platform()) && !is_said
    };
    for ReportRequest { wanted, audience } in request.reports.iter().filter(is_told) {
        let Some(document) = wanted.format.failed(&failure.problems, *audience) else { continue };
        let opened = match &wanted.file {
            Some(path) => {
                Destination::file(path, request.overwrite && wanted.format.is_for_platform())
            }
            None => Ok(Destination::stdout()),
        };
        let Ok((destination, mut out)) = opened else { continue };
        let _ =
            out.write_all(&document).and_then(|()| out.flush()).and_then(|()| destination.keep());
    }
}
