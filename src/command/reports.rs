//! The reports that a command line of `score` or `grade` asks for, and where they go.

use super::destination::Destination;
use crate::cli::formats::Wanted;
use crate::course::Audience;
use crate::diagnostic::{Failure, Problem};
use crate::report::formats::{Format, HTML, TEXT};
use crate::report::platform::Documents;
use crate::report::screen::Screen;
use std::path::{self, Path, PathBuf};

/// A report and its reader.
#[derive(Clone)]
pub(super) struct ReportRequest {
    pub(super) wanted: Wanted,
    pub(super) audience: Audience,
}

/// The reports that `--format` and `--html` name. Text goes to standard output unless another report does.
///
/// # Errors
/// If two reports go to the same place.
pub(super) fn requests(
    formats: &[Wanted],
    html: Option<&Path>,
    audience: Option<Audience>,
) -> Result<Vec<ReportRequest>, Failure> {
    let html = html.map(|file| wanted(HTML, Some(file)));
    let all: Vec<_> = formats.iter().cloned().chain(html).collect();
    for (at, one) in all.iter().enumerate() {
        let same = |two: &&Wanted| absolute(two.file.as_deref()) == absolute(one.file.as_deref());
        if let Some(two) = all[at + 1..].iter().find(same) {
            return Err(same_place(one, two));
        }
    }
    let has_output = all.iter().any(|wanted| wanted.file.is_none());
    let text = (!has_output).then(|| wanted(TEXT, None));
    let request = |wanted: Wanted| {
        let audience = audience.unwrap_or(wanted.format.audience());
        ReportRequest { wanted, audience }
    };
    Ok(text.into_iter().chain(all).map(request).collect())
}

fn wanted(name: &str, file: Option<&Path>) -> Wanted {
    let format = Format::named(name).expect("the table of formats has it");
    Wanted { format, file: file.map(PathBuf::from) }
}

fn absolute(file: Option<&Path>) -> Option<PathBuf> {
    file.map(|file| path::absolute(file).unwrap_or_else(|_| file.to_owned()))
}

fn same_place(one: &Wanted, two: &Wanted) -> Failure {
    let (one, Format { name, ending, .. }) = (one.format.name, two.format);
    let place = two.file.as_ref().map(|file| file.display().to_string());
    let place = place.unwrap_or_else(|| "standard output".to_owned());
    let hint = format!("give all of them but one a file, for example {name}=report.{ending}");
    Failure::usage(Problem::new(format!("`{one}` and `{name}` both go to {place}")).hint(hint))
}

impl ReportRequest {
    /// Opens the report. Fails now if it cannot be written, and not after the run.
    pub(super) fn open<'a>(
        &self,
        students: impl Iterator<Item = &'a str>,
        overwrite: bool,
    ) -> Result<(Destination, Documents), Failure> {
        if let Some(folder) = self.wanted.folder() {
            let ending = self.wanted.format.ending;
            let (destination, documents) =
                Destination::folder(folder, ending, students, overwrite)?;
            return Ok((destination, Documents::EachStudent(documents)));
        }
        let (destination, out) = match &self.wanted.file {
            Some(path) => Destination::file(path, overwrite)?,
            None => Destination::stdout(),
        };
        Ok((destination, Documents::One(out)))
    }

    /// Where text goes: the terminal, or a file.
    pub(super) fn screen(&self) -> Screen {
        if self.wanted.file.is_none() { super::screen() } else { Screen::default() }
    }
}
