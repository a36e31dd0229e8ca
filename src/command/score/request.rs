//! What a command line of `score` asks for.

use crate::cli::formats::{self, FormatName, Wanted};
use crate::cli::{As, Day, Score};
use crate::course::Audience;
use crate::diagnostic::{Failure, Problem};
use crate::grading::scorer::Settings;
use crate::run::prepare;
use crate::run::programs::Builds;
use crate::run::work::Work;
use crate::suite::layout::Reading;
use std::path::{self, Path, PathBuf};

/// What is scored, how, and which reports are written.
pub(super) struct Request {
    pub(super) folder: PathBuf,
    pub(super) course: PathBuf,
    pub(super) assignment: Option<String>,
    pub(super) reading: Reading,
    pub(super) reports: Vec<ReportRequest>,
    /// Whether reports overwrite existing files.
    pub(super) overwrite: bool,
    pub(super) settings: Settings,
    pub(super) hints: Option<HintsRequest>,
    /// The points under which a suite fails.
    pub(super) fail_under: Option<f64>,
}

/// A report, its reader, and the file that it is written to. Without a file it goes to standard output.
#[derive(Clone)]
pub(super) struct ReportRequest {
    pub(super) name: FormatName,
    pub(super) file: Option<PathBuf>,
    pub(super) audience: Audience,
}

impl ReportRequest {
    /// The folder that gets a file for each student, if the path ends in `/`.
    pub(super) fn folder(&self) -> Option<&Path> {
        formats::folder(self.file.as_deref())
    }
}

/// The file in which given hints are stored.
pub(super) struct HintsRequest {
    pub(super) path: PathBuf,
    /// The day on which hints are given, if it is not the current day.
    pub(super) today: Option<Day>,
    /// Who reads the hints.
    pub(super) audience: Audience,
}

impl Request {
    /// Reads the command line.
    ///
    /// # Errors
    /// If two reports go to the same place, or `--hints` is given for a report that staff read.
    pub(super) fn new(work: &Work, options: &Score) -> Result<Self, Failure> {
        let reports = reports(options)?;
        Ok(Self {
            folder: options.folder.clone(),
            reading: As::reading(options.read_as, reading(&reports)),
            course: options.course.clone(),
            assignment: options.assignment.clone(),
            reports,
            overwrite: options.overwrite,
            settings: Settings {
                work: work.clone(),
                spelling: options.spelling,
                seed: options.seed,
                builds: if options.isolated { Builds::Isolated } else { Builds::Combined },
                jobs: prepare::jobs(options.jobs),
            },
            hints: hints(options)?,
            fail_under: options.fail_under,
        })
    }

    /// Whether staff read one of the reports.
    pub(super) fn is_for_staff(&self) -> bool {
        self.reports.iter().any(|report| report.audience == Audience::Staff)
    }
}

/// The reports that `--format` and `--html` name. Text goes to standard output unless another report does.
fn reports(options: &Score) -> Result<Vec<ReportRequest>, Failure> {
    let html = options.html.as_ref();
    let html = html.map(|file| Wanted { name: FormatName::Html, file: Some(file.clone()) });
    let wanted: Vec<_> = options.format.iter().cloned().chain(html).collect();
    for (at, one) in wanted.iter().enumerate() {
        let same = |two: &&Wanted| absolute(two.file.as_deref()) == absolute(one.file.as_deref());
        if let Some(two) = wanted[at + 1..].iter().find(same) {
            return Err(same_place(one, two));
        }
    }
    let has_output = wanted.iter().any(|wanted| wanted.file.is_none());
    let text = (!has_output).then_some(Wanted { name: FormatName::Text, file: None });
    let request = |Wanted { name, file }| {
        let audience = options.audience.unwrap_or(reader(name));
        ReportRequest { name, file, audience }
    };
    Ok(text.into_iter().chain(wanted).map(request).collect())
}

/// How to read the folder: a platform's file is for one student, and a folder of such files for a class.
fn reading(reports: &[ReportRequest]) -> Reading {
    let of_platforms = || reports.iter().filter(|report| report.name.is_for_platform());
    if of_platforms().any(|report| report.folder().is_some()) {
        Reading::RatherClass
    } else if of_platforms().next().is_some() {
        Reading::RatherOne
    } else {
        Reading::Seen
    }
}

/// Who reads a format unless `--audience` says otherwise.
fn reader(name: FormatName) -> Audience {
    if name.is_for_platform() { Audience::Normal } else { Audience::Staff }
}

fn absolute(file: Option<&Path>) -> Option<PathBuf> {
    file.map(|file| path::absolute(file).unwrap_or_else(|_| file.to_owned()))
}

fn same_place(one: &Wanted, two: &Wanted) -> Failure {
    let (one, name) = (one.name.word(), two.name.word());
    let place = two.file.as_ref().map(|file| file.display().to_string());
    let place = place.unwrap_or_else(|| "standard output".to_owned());
    let hint = format!("give all of them but one a file, for example {name}=report.{name}");
    Failure::usage(Problem::new(format!("`{one}` and `{name}` both go to {place}")).hint(hint))
}

fn hints(options: &Score) -> Result<Option<HintsRequest>, Failure> {
    let Some(path) = options.hints.clone() else { return Ok(None) };
    match options.audience {
        Some(audience) if audience != Audience::Staff => {
            Ok(Some(HintsRequest { path, today: options.today.clone(), audience }))
        }
        _ => {
            let problem = Problem::new("--hints needs a report for a student");
            Err(Failure::usage(problem.hint("name the reader, for example --audience normal")))
        }
    }
}
