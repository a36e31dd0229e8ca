//! Checks a crate.

use super::CompileError;
use crate::diagnostic::{Failure, Problem};
use crate::run::build::{self, cargo};
use serde::Deserialize;
use std::path::{Path, PathBuf};

#[derive(Deserialize)]
struct Line {
    message: Option<Message>,
}

#[derive(Deserialize)]
struct Message {
    level: String,
    #[serde(default)]
    rendered: String,
    #[serde(default)]
    spans: Vec<Span>,
}

#[derive(Deserialize)]
struct Span {
    file_name: PathBuf,
    byte_start: usize,
    byte_end: usize,
    is_primary: bool,
    expansion: Option<Expansion>,
}

/// The macro call that a span is in.
#[derive(Deserialize)]
struct Expansion {
    span: Box<Span>,
}

impl Span {
    /// The place in a file of the crate.
    fn outermost(&self) -> &Self {
        self.expansion.as_ref().map_or(self, |expansion| expansion.span.outermost())
    }
}

/// The errors of the crate in `folder` with all features. There is none if it compiles.
///
/// # Errors
/// If the crate does not compile for another reason, such as its manifest.
pub(super) fn check(folder: &Path, binary: Option<&str>) -> Result<Vec<CompileError>, Failure> {
    let mut command = cargo();
    command.args(["check", "--release", "--all-features", "--message-format=json"]);
    command.arg("--manifest-path").arg(folder.join("Cargo.toml"));
    command.arg("--target-dir").arg(folder.join("target"));
    command.args(binary.iter().flat_map(|binary| ["--bin", *binary]));
    let output = build::run(&mut command, "cargo")?;
    if output.status.success() {
        return Ok(Vec::new());
    }
    let errors = errors(&output.stdout);
    if errors.is_empty() {
        let printed = String::from_utf8_lossy(&output.stderr);
        let message = format!("cannot check {}\n{}", folder.display(), printed.trim_end());
        return Err(Failure::broken_course(Problem::new(message)));
    }
    Ok(errors)
}

fn errors(printed: &[u8]) -> Vec<CompileError> {
    let lines = printed.split(|&byte| byte == b'\n');
    let messages = lines.filter_map(|line| serde_json::from_slice::<Line>(line).ok()?.message);
    let errors = messages.filter(|message| message.level == "error" && !message.spans.is_empty());
    errors
        .map(|mut message| {
            message.spans.sort_by_key(|span| !span.is_primary);
            let place = |span: &Span| {
                let span = span.outermost();
                (span.file_name.clone(), span.byte_start..span.byte_end)
            };
            CompileError {
                places: message.spans.iter().map(place).collect(),
                is_start: false,
                text: message.rendered,
            }
        })
        .collect()
}
