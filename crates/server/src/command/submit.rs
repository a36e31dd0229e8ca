//! `harness submit`: hands in over the network, waits, and prints the result.

use crate::client::{Answer, Picked, Server, picked};
use crate::secret;
use harness::cli::Format;
use harness::cli::submit::Submit;
use harness::command::terminal;
use harness::diagnostic::{Failure, FailureKind, Problem, printable};
use harness::exit::Exit;
use serde::Deserialize;
use serde_json::Value;
use std::io::{IsTerminal, Write, stderr, stdout};
use std::os::unix::fs::MetadataExt;
use std::path::Path;
use std::time::Duration;
use std::{env, fs, thread};

/// How often the server is asked.
const PAUSE: Duration = Duration::from_secs(1);

/// The variable with the token.
const TOKEN: &str = "HARNESS_TOKEN";

/// What the server takes.
#[derive(Deserialize)]
struct Offer {
    title: String,
    files: Vec<String>,
    kilobytes: u64,
    #[serde(default)]
    is_late: bool,
    #[serde(default)]
    terms: Vec<String>,
}

/// How far a submission is.
#[derive(Deserialize)]
struct Progress {
    state: String,
    status: String,
    notes: Vec<String>,
    refused: bool,
    points: Option<f64>,
    points_from: Option<String>,
    exposed: Option<u32>,
    graded: Option<Value>,
    text: Option<String>,
}

pub(super) fn run(options: &Submit) -> Result<Exit, Failure> {
    let server = options.server.as_deref().ok_or_else(|| {
        let problem = Problem::new("no server is named");
        Failure::usage(problem.hint("name its address with --server, or in HARNESS_SERVER"))
    })?;
    let server = Server::new(server, token(options.token_file.as_deref())?)?;
    let id = segment(&options.assignment)?;
    let offer: Offer = server.get(&format!("/assignments/{id}"))?;
    let files = picked(&options.paths, &offer.files, offer.kilobytes)?;
    tell(&format!("Handing in {} for {}", names(&files), printable(&offer.title)));
    for sentence in offer.terms.iter().filter(|_| offer.is_late) {
        tell(&printable(sentence.trim_end_matches('.')));
    }
    // One key for all attempts: the submission counts once.
    let key = secret::random();
    let answer = server.send(&format!("/assignments/{id}/submissions"), &key, &files)?;
    let Some(submission) = answer.body["submission"].as_i64() else {
        return refused(options, &answer);
    };
    let path = format!("/submissions/{submission}");
    if options.no_wait {
        return handed_in(options, &server, submission, &path);
    }
    tell(&format!("Submission {submission}: {}", server.page(&path)));
    let last = wait(&server, &path)?;
    finish(options, &last)
}

/// The token, from a file that nobody else may read, or from the environment.
fn token(file: Option<&Path>) -> Result<String, Failure> {
    let text = match file {
        Some(file) => {
            let failed = |error| {
                let problem = Problem::new(format!("cannot read {}: {error}", file.display()));
                Failure::usage(problem.hint("name the file that holds your token"))
            };
            let mode = fs::metadata(file).map_err(failed)?.mode();
            if mode & 0o077 != 0 {
                let problem = Problem::new(format!("others may read {}", file.display()));
                let hint = format!("`chmod 600 {}` keeps your token to yourself", file.display());
                return Err(Failure::usage(problem.hint(hint)));
            }
            fs::read_to_string(file).map_err(failed)?
        }
        None => env::var(TOKEN).unwrap_or_default(),
    };
    let token = text.trim().to_owned();
    let is_plain = token.chars().all(|letter| letter.is_ascii_graphic());
    if token.is_empty() || !is_plain {
        let problem = Problem::new("there is no token");
        let hint = format!(
            "make one on the page of your account, and name its file with --token-file, or put it into {TOKEN}"
        );
        return Err(Failure::usage(problem.hint(hint)));
    }
    Ok(token)
}

/// The id of an assignment as a part of an address.
fn segment(id: &str) -> Result<&str, Failure> {
    let is_plain = |letter: char| letter.is_ascii_alphanumeric() || matches!(letter, '-' | '_');
    if !id.is_empty() && id.chars().all(is_plain) {
        return Ok(id);
    }
    let problem = Problem::new(format!("`{}` is no id of an assignment", printable(id)));
    Err(Failure::usage(problem.hint("it is in the address of the assignment's page")))
}

fn names(files: &[Picked]) -> String {
    let names: Vec<_> = files.iter().map(|file| printable(&file.name)).collect();
    names.join(", ")
}

/// Says something to a person who waits.
fn tell(line: &str) {
    if stderr().is_terminal() {
        let _ = writeln!(stderr().lock(), "{line}");
    }
}

fn put(text: &str) -> Result<(), Failure> {
    let mut out = stdout().lock();
    let written = out.write_all(text.as_bytes()).and_then(|()| out.flush());
    written.map_err(|error| Failure::unwritten("the result", &error))
}

fn put_json(value: &Value) -> Result<(), Failure> {
    let text = serde_json::to_string_pretty(value).unwrap_or_default();
    put(&(text + "\n"))
}

/// The server did not take it: the checks of its files say why, or a problem does.
fn refused(options: &Submit, answer: &Answer) -> Result<Exit, Failure> {
    if answer.body["refused"].as_bool() == Some(true) {
        match options.format {
            Format::Json => put_json(&answer.body["graded"])?,
            Format::Text => put(answer.body["text"].as_str().unwrap_or_default())?,
        }
        tell("It is refused, which costs no attempt");
        return Ok(Exit::UnderThreshold);
    }
    let failure = answer.failure();
    if answer.status.as_u16() == 422 {
        failure.problems.iter().for_each(terminal::say);
        return Ok(Exit::UnderThreshold);
    }
    Err(failure)
}

fn handed_in(
    options: &Submit,
    server: &Server,
    submission: i64,
    path: &str,
) -> Result<Exit, Failure> {
    let url = server.page(path);
    match options.format {
        Format::Json => put_json(&serde_json::json!({ "submission": submission, "url": url }))?,
        Format::Text => put(&format!("Submission {submission}: {url}\n"))?,
    }
    Ok(Exit::Done)
}

/// Waits until it is graded, and tells how far it is.
fn wait(server: &Server, path: &str) -> Result<Progress, Failure> {
    let screen = harness::command::screen();
    let columns = screen.columns.map(|columns| format!("&columns={columns}")).unwrap_or_default();
    let query = format!("{path}?text=true&colored={}{columns}", screen.colored);
    let mut told = String::new();
    loop {
        let progress: Progress = server.get(&query)?;
        if matches!(progress.state.as_str(), "done" | "failed") {
            return Ok(progress);
        }
        let bugs = progress.exposed.map(|exposed| format!(" Bugs exposed: {exposed}."));
        let line = format!("{}{}", printable(&progress.status), bugs.unwrap_or_default());
        if line != told {
            tell(&line);
            told = line;
        }
        thread::sleep(PAUSE);
    }
}

fn finish(options: &Submit, last: &Progress) -> Result<Exit, Failure> {
    if last.state == "failed" {
        let problem = Problem::new("the submission could not be graded");
        let hint = "this is not your fault, and costs no attempt; the staff see what happened";
        return Err(Failure::new(FailureKind::Machine, problem.hint(hint)));
    }
    match options.format {
        Format::Json => put_json(last.graded.as_ref().unwrap_or(&Value::Null))?,
        Format::Text => {
            put(last.text.as_deref().unwrap_or_default())?;
            for note in &last.notes {
                tell(&printable(note));
            }
        }
    }
    if last.refused {
        return Ok(Exit::UnderThreshold);
    }
    match (options.fail_under, last.points, &last.points_from) {
        (Some(least), Some(points), _) if points < least => Ok(Exit::UnderThreshold),
        (Some(_), None, Some(from)) => {
            let problem = Problem::new(format!("points are not shown before {}", printable(from)));
            Err(Failure::usage(problem.hint("leave out --fail-under")))
        }
        _ => Ok(Exit::Done),
    }
}
