//! The reports that the command line of `grade` asks for.

use crate::catalogue::Mutant;
use crate::cli::formats::Wanted;
use crate::cli::grade::Grade;
use crate::command::destination::{Destination, Files};
use crate::command::reports;
use crate::course::{Assignment, Audience, Course, Submission};
use crate::diagnostic::{Failure, Problem};
use crate::grading::{Cut, Submissions};
use crate::report::formats::{FORMATS, Format};
use crate::report::platform::Documents;
use crate::report::screen::Screen;
use crate::result::LeftOut;
use crate::result::graded::{Graded, SCHEMA, SubmissionReport};
use crate::result::regraded::Regraded;
use crate::suite::layout;
use std::io::{self, Write};

/// The reports, which are opened before anything is graded.
pub(super) struct Output {
    reports: Vec<Report>,
    shows_measures: bool,
    /// What the limit on memory does not hold, which only staff is told.
    pub(super) not_limited: Option<String>,
    /// What the class holds besides submissions.
    left_out: Vec<LeftOut>,
    /// The files of students with other names.
    files: Files,
}

struct Report {
    format: &'static Format,
    audience: Audience,
    screen: Screen,
    destination: Destination,
    out: Documents,
}

/// Whether a report is a folder with a file for each student.
pub(super) fn has_folder(options: &Grade) -> bool {
    options.format.iter().any(|wanted| wanted.folder().is_some())
}

impl Output {
    /// Opens the reports. Fails now if one of them cannot be written, and not after the run.
    pub(super) fn new(options: &Grade, found: &Submissions<'_>) -> Result<Self, Failure> {
        let requests =
            reports::requests(&options.format, options.html.as_deref(), options.audience)?;
        let names: Vec<_> = found.paths.iter().map(|path| layout::student(path)).collect();
        let mut reports = Vec::new();
        for request in requests {
            fits(&request.wanted, names.len(), options.regrade)?;
            let (destination, out) =
                request.open(names.iter().map(String::as_str), options.overwrite)?;
            let (format, audience) = (request.wanted.format, request.audience);
            reports.push(Report { format, audience, screen: request.screen(), destination, out });
        }
        let files = reports.iter().flat_map(|report| report.destination.renamed()).collect();
        let left_out = found.left_out.clone();
        Ok(Self { reports, shows_measures: options.times, not_limited: None, left_out, files })
    }

    /// Writes what a regrade changes.
    pub(super) fn write_regraded(self, regraded: &Regraded) -> Result<(), Failure> {
        self.reports.into_iter().try_for_each(|report| {
            let text = report.format.regraded(regraded, report.screen);
            let text = written(text.expect("other formats were refused"))?;
            report.put(&text)
        })
    }

    /// Writes every report, each cut down to what its reader may see.
    pub(super) fn write(
        self,
        course: &Course,
        assignment: &Assignment,
        submission: &Submission,
        mutants: &[Mutant],
        all: &[SubmissionReport],
    ) -> Result<(), Failure> {
        for report in self.reports {
            let Report { format, audience, screen, .. } = report;
            let cut = Cut::new(assignment, submission, mutants, audience, self.shows_measures)?;
            let is_for_staff = audience == Audience::Staff;
            let graded = Graded {
                schema: SCHEMA.to_owned(),
                course: course.title.clone(),
                assignment: assignment.id.clone(),
                title: assignment.title.clone(),
                mutants: cut.mutants(mutants),
                submissions: all.iter().map(|report| cut.submission(report)).collect(),
                not_limited: self.not_limited.clone().filter(|_| is_for_staff),
                points_from: None,
                left_out: self.left_out.clone(),
                files: self.files.clone(),
            };
            let noun = if is_for_staff { "mutant" } else { "bug" };
            let text = |graded: &Graded| {
                let text = format.graded(graded, &*assignment.domain, noun, screen);
                written(text.expect("other formats were refused"))
            };
            let Documents::EachStudent(documents) = &report.out else {
                report.put(&text(&graded)?)?;
                continue;
            };
            for one in graded.submissions.clone() {
                let student = one.name.clone();
                let text = text(&Graded { submissions: vec![one], ..graded.clone() })?;
                documents.borrow_mut().insert(student, text);
            }
            report.put("")?;
        }
        Ok(())
    }
}

impl Report {
    /// Puts the report in its place: `text`, or the documents of the students.
    fn put(self, text: &str) -> Result<(), Failure> {
        let Self { destination, out, .. } = self;
        let place = destination.name();
        let written = match out {
            Documents::One(mut out) => out.write_all(text.as_bytes()).and_then(|()| out.flush()),
            Documents::EachStudent(_) => Ok(()),
        };
        written
            .and_then(|()| destination.keep())
            .map_err(|error| Failure::unwritten(&place, &error))
    }
}

fn written(text: io::Result<String>) -> Result<String, Failure> {
    text.map_err(|error| Failure::unwritten("the report", &error))
}

/// Refuses formats that hold only the scores of tests, that cannot show what a regrade changes, or that hold the result of one student.
fn fits(wanted: &Wanted, students: usize, is_regrade: bool) -> Result<(), Failure> {
    let refused =
        |message: String, hint: String| Err(Failure::usage(Problem::new(message).hint(hint)));
    let (can, what, command): (fn(&Format) -> bool, _, _) = if is_regrade {
        (Format::can_regrade, "cannot show what a regrade changes", "grade --regrade")
    } else {
        (Format::can_grade, "holds only the scores of tests", "grade")
    };
    let name = wanted.format.name;
    if !can(wanted.format) {
        let fitting = FORMATS.iter().filter(|format| can(format)).map(|format| format.name);
        let fitting = fitting.collect::<Vec<_>>().join(", ");
        return refused(format!("`{name}` {what}"), format!("`{command}` writes {fitting}"));
    }
    if wanted.format.is_for_platform() && wanted.folder().is_none() && students != 1 {
        let hint = format!("to write a file for each student, name a folder: {name}=DIR/");
        return refused(format!("`{name}` holds the result of one student"), hint);
    }
    Ok(())
}
