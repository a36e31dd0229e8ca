//! The reports that the command line of `grade` asks for.

use crate::catalogue::Mutant;
use crate::cli::formats::{self, FormatName, Wanted};
use crate::cli::grade::Grade;
use crate::command::destination::{Destination, Files, Students};
use crate::command::screen;
use crate::course::{Assignment, Audience, Course, Submission};
use crate::diagnostic::{Failure, Problem};
use crate::grading::{Cut, Submissions};
use crate::report::graded;
use crate::report::html::graded::page;
use crate::report::platform::Kind;
use crate::report::screen::{Screen, WriteText};
use crate::result::LeftOut;
use crate::result::graded::{Graded, SCHEMA, SubmissionReport};
use crate::result::regraded::Regraded;
use crate::suite::layout;
use std::io::{self, Write};
use std::path::Path;

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
    name: FormatName,
    audience: Audience,
    screen: Screen,
    destination: Destination,
    out: Out,
}

/// What takes a report until it is put in its place.
enum Out {
    File(Box<dyn Write>),
    /// A file for each student.
    Folder(Students),
}

/// Whether a report is a folder with a file for each student.
pub(super) fn has_folder(options: &Grade) -> bool {
    options.format.iter().any(|wanted| formats::folder(wanted.file.as_deref()).is_some())
}

impl Output {
    /// Opens the reports. Fails now if one of them cannot be written, and not after the run.
    pub(super) fn new(options: &Grade, found: &Submissions<'_>) -> Result<Self, Failure> {
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
            let screen = if file.is_none() { screen() } else { Screen::default() };
            let (destination, out) = open(name, file.as_deref(), found, options.overwrite)?;
            let usual = if name.is_for_platform() { Audience::Normal } else { Audience::Staff };
            let audience = options.audience.unwrap_or(usual);
            reports.push(Report { name, audience, screen, destination, out });
        }
        let files = reports.iter().flat_map(|report| report.destination.renamed()).collect();
        let left_out = found.left_out.clone();
        Ok(Self { reports, shows_measures: options.times, not_limited: None, left_out, files })
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
                left_out: self.left_out.clone(),
                files: self.files.clone(),
            };
            let noun = if is_for_staff { "mutant" } else { "bug" };
            let text = |graded: &Graded| {
                document(name, graded, assignment, (noun, screen))
                    .map_err(|error| Failure::unwritten("the report", &error))
            };
            let Out::Folder(documents) = &report.out else {
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
            Out::File(mut out) => out.write_all(text.as_bytes()).and_then(|()| out.flush()),
            Out::Folder(_) => Ok(()),
        };
        written
            .and_then(|()| destination.keep())
            .map_err(|error| Failure::unwritten(&place, &error))
    }
}

/// Opens a report. A platform's format holds the result of one student, so a class needs a folder.
fn open(
    name: FormatName,
    file: Option<&Path>,
    found: &Submissions<'_>,
    overwrite: bool,
) -> Result<(Destination, Out), Failure> {
    if let Some(folder) = formats::folder(file) {
        let names: Vec<_> = found.paths.iter().map(|path| layout::student(path)).collect();
        let names = names.iter().map(String::as_str);
        let (destination, documents) =
            Destination::folder(folder, name.ending(), names, overwrite)?;
        return Ok((destination, Out::Folder(documents)));
    }
    if name.is_for_platform() && found.paths.len() != 1 {
        let word = name.word();
        let problem = Problem::new(format!("`{word}` holds the result of one student"));
        let hint = format!("to write a file for each student, name a folder: {word}=DIR/");
        return Err(Failure::usage(problem.hint(hint)));
    }
    let (destination, out) = match file {
        Some(path) => Destination::file(path, overwrite)?,
        None => Destination::stdout(),
    };
    Ok((destination, Out::File(out)))
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
