//! Judges code by what the compiler saw of it: each compilation is repeated with `-E`, after the build, when nothing of it runs any more.

use super::trace::{Command, VARIABLES};
use super::unit::{self, Unit, own_marker};
use crate::course::language::tokens::{self, TokenKind};
use crate::course::submission::{Banned, Rule, Submission};
use crate::diagnostic::{Failure, Place, Problem, printable};
use crate::hash::Digest;
use crate::sandbox::{BOX, Ending, Job, Sandbox, SandboxLimits};
use crate::submission::SourceFile;
use crate::submission::check::{MOST_OF_A_RULE, code, is_code};
use crate::submission::cores::Turn;
use std::collections::{BTreeMap, BTreeSet};
use std::fs;
use std::path::{Path, PathBuf};
use std::time::{Duration, SystemTime, UNIX_EPOCH};

/// The most compilations that are repeated, and the most bytes that they may print.
const MOST: usize = 400;
const MOST_BYTES: u64 = 256 << 20;

/// What was found, by the place and the message.
type Found = BTreeMap<(PathBuf, usize, String), Problem>;

/// The banned headers and words in the code that was compiled to make the files in `kept`. A source that no compilation read is judged by
/// its text.
///
/// # Errors
/// If the machine fails.
pub(super) fn banned(
    sandbox: &Sandbox,
    turn: Turn<'_>,
    commands: &[Command],
    built: bool,
    sources: &[SourceFile],
    kept: &Path,
    submission: &Submission,
) -> Result<Vec<(Rule, Problem)>, Failure> {
    if submission.banned.headers().is_empty() && submission.banned.words().is_empty() {
        return Ok(Vec::new());
    }
    let printed = again(sandbox, turn, commands, kept, submission)?;
    let (mut found, mut files) = (Found::new(), BTreeSet::new());
    let mut unseen = Vec::new();
    for (at, command) in commands.iter().enumerate() {
        let folder = Path::new(command.folder.trim_start_matches('/'));
        match printed.get(at).and_then(Option::as_ref).filter(|_| command.can_be_repeated()) {
            Some(text) => {
                let unit = Unit::read(text, Path::new(BOX), folder);
                add(&mut found, &unit, &submission.banned);
                if !unit.is_whole || !unit.files.iter().all(|file| can_be_read(kept, file)) {
                    unseen.push(printable(&command.file));
                }
                files.extend(unit.files);
            }
            None if built => unseen.push(printable(&command.file)),
            None => {}
        }
    }
    let markers: Vec<_> = files.iter().filter_map(|file| marker(kept, file)).collect();
    files.retain(|file| markers.iter().all(|(other, _)| other != file));
    let seen = found.into_iter().enumerate().map(|(at, ((file, line, _), problem))| {
        if at >= MOST_OF_A_RULE {
            return problem;
        }
        let source = sources.iter().find(|source| Path::new(&source.name) == file);
        let text = source.map(SourceFile::text).unwrap_or_default();
        let shown = PathBuf::from(printable(&file.to_string_lossy()));
        problem.at(Place::new(&shown, &text, line, None))
    });
    let seen = seen.chain(markers.into_iter().map(|(_, problem)| problem));
    let hidden = unseen.into_iter().map(|file| {
        let message = format!("what the compiler saw of {file} cannot be checked");
        let hint = "compile the files as they are handed in, and without plugins";
        Problem::new(message).hint(hint)
    });
    let others = sources.iter().filter(|it| is_code(it) && !files.contains(Path::new(&it.name)));
    let others = others.flat_map(|file| code::banned(file, &submission.banned));
    Ok(seen.chain(hidden).chain(others).map(|problem| (Rule::Banned, problem)).collect())
}

/// Whether a file is one of those in `kept`. What is read from a device or another process is not the same the next time, and a file
/// that is too large was made by the build to be so.
fn can_be_read(kept: &Path, file: &Path) -> bool {
    let is_small = |it: fs::Metadata| it.is_file() && it.len() <= unit::MOST_BYTES as u64;
    !file.is_absolute() && kept.join(file).symlink_metadata().is_ok_and(is_small)
}

/// The problem that a file in `kept` has a marker as those of the preprocessor, with which it can hide code.
fn marker(kept: &Path, file: &Path) -> Option<(PathBuf, Problem)> {
    let text = can_be_read(kept, file).then(|| fs::read(kept.join(file)).ok())??;
    let (text, at) = own_marker(&String::from_utf8_lossy(&text))?;
    let shown = PathBuf::from(printable(&file.to_string_lossy()));
    let problem = Problem::new("this line pretends that what follows is from another file");
    let problem = problem.at(Place::at_offset(&shown, &text, at)).hint("remove it");
    Some((file.to_owned(), problem))
}

impl Command {
    /// Whether a second run sees the same code: a plugin changes it, and preprocessed code and standard input do not tell where it is from.
    fn can_be_repeated(&self) -> bool {
        let hides = |word: &String| word.starts_with("-fplugin") || word == "-fpreprocessed";
        self.file != "-" && !self.words.iter().any(hides)
    }

    /// The words that only preprocess. A plugin would run there, so it is left out.
    fn preprocessing(&self) -> Vec<&str> {
        let mut words = vec![self.compiler.as_str()];
        let mut is_output = false;
        for word in &self.words {
            if !is_output && !word.starts_with("-o") && !word.starts_with("-fplugin") {
                words.push(word);
            }
            is_output = !is_output && word == "-o";
        }
        words.extend(["-E", "-dI", "-w"]);
        words
    }
}

/// Repeats compilations. Gives what each prints, unless it fails.
fn again(
    sandbox: &Sandbox,
    turn: Turn<'_>,
    commands: &[Command],
    kept: &Path,
    submission: &Submission,
) -> Result<Vec<Option<String>>, Failure> {
    if commands.is_empty() {
        return Ok(Vec::new());
    }
    let boundary = boundary();
    let script: String =
        commands.iter().take(MOST).map(|command| script(command, &boundary)).collect();
    let seconds = Duration::try_from_secs_f64(submission.build.seconds).unwrap_or(Duration::MAX);
    let job = Job {
        command: vec!["sh".into()],
        folder: Some(kept),
        stdin: script.as_bytes(),
        limits: SandboxLimits {
            time: seconds,
            wall: seconds.saturating_mul(2),
            memory: submission.build.memory_mb << 20,
            output: MOST_BYTES,
            ..SandboxLimits::default()
        },
        core: turn.core,
        cancellation: turn.cancellation,
        ..Job::default()
    };
    let ran = sandbox.run(&job)?;
    if ran.ending != Ending::Exited(0) {
        return Ok(Vec::new());
    }
    let text = String::from_utf8_lossy(&ran.stdout);
    // What follows a boundary is the status, and then the next text.
    let mut texts = text.split(&boundary);
    let mut text = texts.next().unwrap_or_default();
    let mut printed = Vec::new();
    for rest in texts {
        let (status, next) = rest.split_once('\n').unwrap_or((rest, ""));
        printed.push((status == "0").then(|| text.to_owned()));
        text = next;
    }
    Ok(printed)
}

/// A word that no source holds.
fn boundary() -> String {
    let now = SystemTime::now().duration_since(UNIX_EPOCH).unwrap_or_default();
    format!("harness-{}", Digest::default().with(format!("{now:?} {}", std::process::id())).hex())
}

/// The lines of a script that repeat a compilation.
fn script(command: &Command, boundary: &str) -> String {
    let quoted = |word: &str| shlex::try_quote(word).map(std::borrow::Cow::into_owned);
    let variables = VARIABLES.iter().zip(&command.variables).filter(|(_, value)| !value.is_empty());
    let variables: Result<String, shlex::QuoteError> =
        variables.map(|(name, value)| Ok(format!("{name}={} ", quoted(value)?))).collect();
    let words = shlex::try_join(command.preprocessing());
    // A word with a zero cannot have been passed.
    let (Ok(folder), Ok(variables), Ok(words)) = (quoted(&command.folder), variables, words) else {
        return format!("echo {boundary}1\n");
    };
    let exports =
        if variables.is_empty() { String::new() } else { format!("export {variables}; ") };
    format!("(cd \"$HOME\"{folder} && {exports}exec {words}) < /dev/null; echo {boundary}$?\n")
}

/// Adds the banned headers and words of a source and of what it includes.
fn add(found: &mut Found, unit: &Unit, banned: &Banned) {
    for (header, (file, line)) in &unit.headers {
        let path = header.to_string_lossy();
        let names: Vec<_> = suffixes(&path).collect();
        let fits = |name: &&str| banned.headers().iter().any(|it| code::is_header(it, name));
        if let Some(name) = names.into_iter().rev().find(fits) {
            note(found, file, *line, code::header_used(&printable(name)));
        }
    }
    if !banned.words().iter().any(|word| unit.code.contains(word.as_str())) {
        return;
    }
    let mut line = 0;
    for token in tokens::c(&unit.code) {
        let text = token.text(&unit.code);
        if token.kind == TokenKind::Name
            && let Some(word) = banned.words().iter().find(|word| *word == text)
            && let Some((file, at)) = unit.lines.get(line)
        {
            note(found, file, *at, code::word_used(word));
        }
        line += text.matches('\n').count();
    }
}

fn note(found: &mut Found, file: &Path, line: Option<usize>, problem: Problem) {
    found.insert((file.to_owned(), line.unwrap_or_default(), problem.message.clone()), problem);
}

/// A path, and what is left of it without its first folders.
fn suffixes(path: &str) -> impl Iterator<Item = &str> {
    let path = path.trim_start_matches('/');
    let starts = path.match_indices('/').map(|(at, _)| at + 1);
    [0].into_iter().chain(starts).map(move |at| &path[at..])
}
