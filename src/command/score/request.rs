//! What a command line of `score` asks for.

use crate::cli::{As, Day, Score};
use crate::command::reports::{self, ReportRequest};
use crate::course::Audience;
use crate::diagnostic::{Failure, Problem};
use crate::grading::scorer::Settings;
use crate::run::prepare;
use crate::run::programs::Builds;
use crate::run::work::Work;
use crate::suite::layout::Reading;
use std::path::PathBuf;

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
        let reports =
            reports::requests(&options.format, options.html.as_deref(), options.audience)?;
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
                coverage: options.coverage,
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

/// How to read the folder: a platform's file is for one student, and a folder of such files for a class.
fn reading(reports: &[ReportRequest]) -> Reading {
    let of_platforms =
        || reports.iter().map(|report| &report.wanted).filter(|it| it.format.is_for_platform());
    if of_platforms().any(|wanted| wanted.folder().is_some()) {
        Reading::RatherClass
    } else if of_platforms().next().is_some() {
        Reading::RatherOne
    } else {
        Reading::Seen
    }
}

fn hints(options: &Score) -> Result<Option<HintsRequest>, Failure> {
    let Some(path) = options.hints.clone() else { return Ok(None) };
    match options.audience {
        Some(audience) if audience != Audience::Staff => {
            Ok(Some(HintsRequest { path, today: options.today.clone(), audience }))
        }
        _ => {
            let problem = Problem::new("--hints needs a report for a student");
            Err(Failure::usage(problem.hint("name the reader, for example --audience student")))
        }
    }
}
