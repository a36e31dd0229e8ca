//! `harness view FILE [SOLUTION]`: draws an input, lists everything that is wrong with it and with an answer, and plays the answer.

use super::terminal;
use crate::cli;
use crate::course::{Assignment, Course};
use crate::diagnostic::{Failure, FailureKind, Place, Problem, similar_path, visible};
use crate::domain::picture::{Picture, Viewer};
use crate::domain::{Draft, Flaw, TestKind};
use crate::exit::Exit;
use crate::report::screen::{Screen, shortened};
use crate::run::work::Work;
use crate::suite::decode::{self, Spelled};
use crate::suite::name::{self, FileName};
use anstyle::Style;
use std::ffi::OsStr;
use std::fs::File;
use std::io::{self, ErrorKind, IsTerminal, Read, Write};
use std::path::Path;
use std::time::Duration;

pub(super) fn run(work: &Work, options: &cli::View) -> Result<Exit, Failure> {
    let course = Course::read(&options.course)?;
    let input = read(&options.file)?;
    let solution = options.solution.as_deref().map(read).transpose()?;
    let (assignment, viewer) = assignment(options, &course, &input)?;
    let draft = Draft { flags: flags(&options.file, assignment), input };
    let mut view = viewer.view(&draft, solution.as_deref());
    if let Some(solution) = &solution
        && view.input_flaws.is_empty()
        && view.answer_flaws.is_empty()
    {
        view.answer_flaws.extend(judge(work, &course, assignment, &draft, solution)?);
    }

    let problems = problems(&view.input_flaws, &options.file, &draft.input);
    problems.iter().for_each(terminal::say);
    if let (Some(file), Some(solution)) = (&options.solution, &solution)
        && !view.answer_flaws.is_empty()
    {
        return Err(Failure {
            kind: FailureKind::Request,
            problems: self::problems(&view.answer_flaws, file, solution),
        });
    }
    if let Some(picture) = view.picture {
        show(picture.as_ref(), options)?;
    }
    Ok(if problems.is_empty() { Exit::Done } else { Exit::Usage })
}

/// What the judge of `score` says is wrong with an answer. `None` also if the file is not a whole test that the reference accepts.
fn judge(
    work: &Work,
    course: &Course,
    assignment: &Assignment,
    draft: &Draft,
    solution: &[u8],
) -> Result<Option<Flaw>, Failure> {
    let input = draft.input.clone();
    let Ok(case) = decode::case(assignment, &draft.flags, input, &Spelled::LONG) else {
        return Ok(None);
    };
    let (row, judge) = super::judge::reference(work, course, assignment, &case)?;
    if row.kind != Some(TestKind::Accepted) {
        return Ok(None);
    }
    super::judge::flaw(assignment, &judge, &case, &row.reference, solution)
}

/// The largest file, in bytes: enough for any answer. A device may have no end.
const MOST_BYTES: u64 = 16 << 20;

/// The contents of a file; `-` is standard input.
pub(super) fn read(file: &Path) -> Result<Vec<u8>, Failure> {
    let mut bytes = Vec::new();
    let read = if file == Path::new("-") {
        io::stdin().take(MOST_BYTES + 1).read_to_end(&mut bytes)
    } else {
        File::open(file).and_then(|file| file.take(MOST_BYTES + 1).read_to_end(&mut bytes))
    };
    read.map_err(|error| {
        let (message, hint) = match error.kind() {
            ErrorKind::NotFound => {
                (format!("there is no file {}", file.display()), similar_path::hint(file))
            }
            _ => (format!("cannot read {}: {error}", file.display()), None),
        };
        let hint =
            hint.unwrap_or_else(|| "give the path of a file, or `-` for standard input".to_owned());
        Failure::usage(Problem::new(message).hint(hint))
    })?;
    if bytes.len() as u64 > MOST_BYTES {
        let message = format!("{} is larger than {} MiB", file.display(), MOST_BYTES >> 20);
        return Err(Failure::usage(
            Problem::new(message).hint("inputs, answers and shapes are smaller"),
        ));
    }
    Ok(bytes)
}

/// The assignment comes from `--assignment`, or from the name of a folder above the file. Otherwise it is the first one whose viewer
/// recognizes the file.
fn assignment<'a>(
    options: &cli::View,
    course: &'a Course,
    input: &[u8],
) -> Result<(&'a Assignment, &'a dyn Viewer), Failure> {
    let folders = || options.file.ancestors().skip(1).filter_map(Path::file_name);
    let by_folder = || {
        course
            .assignments
            .iter()
            .find(|assignment| folders().any(|folder| folder == OsStr::new(&assignment.id)))
    };
    let draws = |assignment: &Assignment| {
        assignment.domain.viewer().is_some_and(|viewer| viewer.recognizes(input))
    };
    let named = options.assignment.as_deref().map(|id| course.assignment(id)).transpose()?;
    let assignment = named
        .or_else(by_folder)
        .or_else(|| course.assignments.iter().find(|assignment| draws(assignment)));
    let Some(assignment) = assignment else {
        let message = format!("cannot tell which assignment {} belongs to", options.file.display());
        return Err(Failure::usage(Problem::new(message).hint("choose one with --assignment")));
    };
    match assignment.domain.viewer() {
        Some(viewer) => Ok((assignment, viewer)),
        None => Err(Failure::usage(Problem::new(format!(
            "the inputs of `{}` cannot be drawn",
            assignment.id
        )))),
    }
}

/// The flags in the name of a test. Empty if the file is not a test.
fn flags(file: &Path, assignment: &Assignment) -> String {
    let name = file.file_name().unwrap_or_default().to_string_lossy();
    match name::read(&name, &assignment.tests) {
        FileName::Test(name) => name.flags,
        FileName::Malformed(_) | FileName::Other => String::new(),
    }
}

fn problems(flaws: &[Flaw], file: &Path, contents: &[u8]) -> Vec<Problem> {
    let source = String::from_utf8_lossy(contents);
    let problem = |flaw: &Flaw| {
        let problem = Problem::new(&flaw.message).printable();
        match flaw.line {
            Some(line) => problem.at(Place::new(file, &source, line, flaw.column)),
            None => {
                Problem { message: format!("{}: {}", file.display(), problem.message), ..problem }
            }
        }
    };
    flaws.iter().map(problem).collect()
}

/// Writes the picture to a file, plays it on a terminal, or prints it with the whole answer.
fn show(picture: &dyn Picture, options: &cli::View) -> Result<(), Failure> {
    if let Some(file) = &options.svg {
        return super::write_new(file, picture.svg());
    }
    let stdout = io::stdout().lock();
    let first = if stdout.is_terminal() { 0 } else { picture.steps() };
    play(picture, first, pause(options.speed), super::screen(), stdout)
        .map_err(|error| Failure::unwritten("the picture", &error))
}

/// How long each step is shown.
fn pause(speed: u8) -> Duration {
    match speed {
        1 => Duration::from_millis(400),
        2 => Duration::from_millis(120),
        _ => Duration::from_millis(30),
    }
}

/// Prints the picture after each step from `first` on, each over the one before. A terminal shows as much as fits.
fn play(
    picture: &dyn Picture,
    first: usize,
    pause: Duration,
    Screen { columns, colored }: Screen,
    mut out: impl Write,
) -> io::Result<()> {
    for step in first..=picture.steps() {
        let text = picture.text(step);
        if step > first {
            std::thread::sleep(pause);
            write!(out, "\x1b[{}A", text.lines().count())?;
        }
        for (row, line) in text.lines().enumerate() {
            // Erases the rest of the picture before.
            let wipe = if first < picture.steps() { "\x1b[K" } else { "" };
            let line = visible(line);
            let line = columns.map_or(line.clone(), |columns| shortened(&line, columns));
            let line = if colored { painted(picture, row, &line) } else { line };
            writeln!(out, "{line}{wipe}")?;
        }
        out.flush()?;
    }
    Ok(())
}

/// A line of the picture in its colours.
fn painted(picture: &dyn Picture, row: usize, line: &str) -> String {
    let mut painted = String::new();
    let mut last = Style::new();
    for (column, symbol) in line.chars().enumerate() {
        let style = picture.style((row, column), symbol);
        if style != last {
            painted.extend([format!("{last:#}"), style.to_string()]);
            last = style;
        }
        painted.push(symbol);
    }
    painted + &format!("{last:#}")
}
