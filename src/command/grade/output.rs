//! The reports that the command line of `grade` asks for.

use crate::catalogue::Mutant;
use crate::cli::formats::{FormatName, Wanted};
use crate::cli::grade::Grade;
use crate::command::destination::Destination;
use crate::command::screen;
use crate::course::{Assignment, Audience, Course, Submission};
use crate::problem::{Failure, Problem};
use crate::report::graded;
use crate::report::html::graded::page;
use crate::report::platform::Kind;
use crate::report::screen::{Screen, WriteText};
use crate::result::graded::{CaseReader, Graded, SCHEMA, SubmissionReport};
use crate::result::reader::Reader;
use crate::result::regraded::Regraded;
use std::io::{self, Write};

/// The reports, which are opened before anything is graded.
pub(super) struct Output {
    reports: Vec<Report>,
    shows_measures: bool,
}

struct Report {
    name: FormatName,
    audience: Audience,
    screen: Screen,
    destination: Destination,
    out: Box<dyn Write>,
}

impl Output {
    /// Opens the reports. Fails now if one of them cannot be written, and not after the run.
    pub(super) fn new(options: &Grade) -> Result<Self, Failure> {
        let html = options.html.iter().cloned();
        let html = html.map(|file| Wanted { name: FormatName::Html, file: Some(file) });
        let mut wanted: Vec<_> = options.format.iter().cloned().chain(html).collect();
        if wanted.iter().all(|wanted| wanted.file.is_some()) {
            wanted.insert(0, Wanted { name: FormatName::Text, file: None });
        }
        if wanted.iter().filter(|wanted| wanted.file.is_none()).count() > 1 {
            let problem = Problem::new("two formats go to standard output");
            return Err(Failure::usage(problem.hint("give all of them but one a file")));
        }
        let mut reports = Vec::new();
        for Wanted { name, file } in wanted {
            fits(name, options.regrade)?;
            let (screen, (destination, out)) = match &file {
                Some(path) => (Screen::default(), Destination::file(path, options.overwrite)?),
                None => (screen(), Destination::stdout()),
            };
            let usual = if name.is_for_platform() { Audience::Normal } else { Audience::Staff };
            let audience = options.audience.unwrap_or(usual);
            reports.push(Report { name, audience, screen, destination, out });
        }
        Ok(Self { reports, shows_measures: options.times })
    }

    /// Refuses a platform's format for more than one submission: it holds the result of one student.
    pub(super) fn check_count(&self, count: usize) -> Result<(), Failure> {
        let platform = self.reports.iter().find(|report| report.name.is_for_platform());
        match platform {
            Some(report) if count != 1 => {
                let message = format!("`{}` holds the result of one student", report.name.word());
                Err(Failure::usage(Problem::new(message).hint(
                    "name one submission; for a class, `--out RESULTS` writes a result of each, and a gradebook",
                )))
            }
            _ => Ok(()),
        }
    }

    /// Writes what a regrade changes.
    pub(super) fn write_regraded(self, regraded: &Regraded) -> Result<(), Failure> {
        self.reports.into_iter().try_for_each(|report| {
            let text = if report.name == FormatName::Json {
                serde_json::to_string_pretty(regraded).expect("every key is a string") + "\n"
            } else {
                let mut text = String::new();
                regraded.write_text(&mut text, report.screen).expect("a `String` takes any text");
                text
            };
            report.put(&text)
        })
    }

    /// Writes every report, each cut down to what its reader may see.
    pub(super) fn write(
        self,
        course: &Course,
        (assignment, submission): (&Assignment, &Submission),
        mutants: &[Mutant],
        all: &[SubmissionReport],
    ) -> Result<(), Failure> {
        for report in self.reports {
            let Report { name, audience, screen, .. } = report;
            let reader = Reader::new(assignment, audience, mutants)?;
            let cases = CaseReader::new(submission, audience, self.shows_measures);
            let seen = |report: &SubmissionReport| {
                let mut report = report.clone().for_reader(&cases);
                report.tests = report.tests.map(|tests| reader.suite(tests));
                report
            };
            let graded = Graded {
                schema: SCHEMA.to_owned(),
                course: course.title.clone(),
                assignment: assignment.id.clone(),
                title: assignment.title.clone(),
                mutants: reader.mutants(mutants),
                submissions: all.iter().map(seen).collect(),
            };
            let noun = if audience == Audience::Staff { "mutant" } else { "bug" };
            let text = document(name, &graded, assignment, (noun, screen))
                .map_err(|error| Failure::unwritten("the report", &error))?;
            report.put(&text)?;
        }
        Ok(())
    }
}

impl Report {
    /// Puts the text of the report in its place.
    fn put(self, text: &str) -> Result<(), Failure> {
        let Self { destination, mut out, .. } = self;
        let place = destination.name();
        out.write_all(text.as_bytes())
            .and_then(|()| out.flush())
            .and_then(|()| destination.keep())
            .map_err(|error| Failure::unwritten(&place, &error))
    }
}

/// The report in one format.
fn document(
    name: FormatName,
    all: &Graded,
    assignment: &Assignment,
    (noun, screen): (&str, Screen),
) -> io::Result<String> {
    let of_platform = |kind: Kind| {
        let documents = all
            .submissions
            .iter()
            .map(|report| graded::platform::document(kind, report, &*assignment.domain, noun));
        Ok(documents.collect::<Result<Vec<_>, _>>()?.join("\n") + "\n")
    };
    match name {
        FormatName::Json => Ok(serde_json::to_string_pretty(all)? + "\n"),
        FormatName::Html => Ok(page(all)),
        FormatName::Gradescope => of_platform(Kind::GRADESCOPE),
        FormatName::Prairielearn => of_platform(Kind::PRAIRIELEARN),
        FormatName::GithubClassroom => of_platform(Kind::CLASSROOM),
        _ => {
            let mut text = String::new();
            graded::write(&mut text, all, &*assignment.domain, (noun, screen))
                .expect("a `String` takes any text");
            Ok(text)
        }
    }
}

/// Refuses formats that hold only the results of tests, or that cannot show what a regrade changes.
fn fits(name: FormatName, is_regrade: bool) -> Result<(), Failure> {
    let all = [
        FormatName::Text,
        FormatName::Json,
        FormatName::Html,
        FormatName::Gradescope,
        FormatName::Prairielearn,
        FormatName::GithubClassroom,
    ];
    let fitting = if is_regrade { &all[..2] } else { &all };
    if fitting.contains(&name) {
        return Ok(());
    }
    let words: Vec<_> = fitting.iter().map(|name| name.word()).collect();
    let (what, command) = if is_regrade {
        ("cannot show what a regrade changes", "grade --regrade")
    } else {
        ("holds only the scores of tests", "grade")
    };
    let problem = Problem::new(format!("`{}` {what}", name.word()));
    Err(Failure::usage(problem.hint(format!("`{command}` writes {}", words.join(", ")))))
}
