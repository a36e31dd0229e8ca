//! The commands that the documents show, run in a copy of the repository.

use super::repository;
use super::run::{self, Run};
use std::fs;
use std::path::{Path, PathBuf};
use walkdir::WalkDir;

/// Requires that every command of these pages prints what they show.
#[track_caller]
pub(crate) fn check<'a>(pages: impl IntoIterator<Item = &'a str>) {
    let clone = clone();
    let examples = pages.into_iter().flat_map(examples);
    let wrong: Vec<_> = examples.filter_map(|it| it.mistake(&clone)).collect();
    assert!(wrong.is_empty(), "{}", wrong.join("\n\n"));
}

/// A command in a document, with the result that the document shows.
struct Example {
    place: String,
    command: String,
    status: i32,
    output: String,
    /// The JSON document that the command prints, if the page shows it in a separate block.
    json: String,
}

impl Example {
    /// How the command, run in `folder`, differs from what the document shows.
    fn mistake(&self, folder: &Path) -> Option<String> {
        let Self { place, command, status, output, json } = self;
        let words =
            command.strip_prefix("harness ").or_else(|| command.strip_prefix("cargo run -- "));
        let words =
            words.unwrap_or_else(|| panic!("{place}: only `harness` can be run, not `{command}`"));
        let mut run = run::command();
        run.args(words.split(' ')).current_dir(folder);
        if !words.starts_with("grade ") {
            // The clone's programs run few small cases: optimizing them would take longer than running them.
            run.env("CARGO_PROFILE_RELEASE_OPT_LEVEL", "0");
        }
        let run: Run = run::output(&mut run).into();
        let printed = format!("{}{}", run.stdout, run.stderr);
        let lines: Vec<_> = printed.trim_end().lines().collect();
        let shown: Vec<_> = output.trim_end().lines().collect();
        let document = |text: &str| serde_json::from_str::<serde_json::Value>(text).ok();
        let is_right = run.status == *status
            && (shown.is_empty() || is_shown(&shown, &lines))
            && (json.is_empty()
                || document(json).is_some() && document(&run.stdout) == document(json));
        (!is_right).then(|| format!("{place}: {command}: status {}\n{printed}", run.status))
    }
}

/// The commands in the `console` blocks of `page`. The line after `$ echo $?` is the exit status of the command before. A `json`
/// block is the document that the command before prints.
fn examples(page: &str) -> Vec<Example> {
    let text = fs::read_to_string(repository().join(page)).unwrap();
    let mut examples: Vec<Example> = Vec::new();
    let (mut block, mut is_status) = ("", false);
    for (line, number) in text.lines().zip(1..) {
        if let Some(mark) = line.strip_prefix("```") {
            block = mark;
        } else if block == "json" {
            examples.last_mut().unwrap().json += line;
        } else if block == "console"
            && let Some(command) = line.strip_prefix("$ ").filter(|command| *command != "echo $?")
        {
            let (place, command) = (format!("{page}:{number}"), command.to_owned());
            examples.push(Example {
                place,
                command,
                status: 0,
                output: String::new(),
                json: String::new(),
            });
        } else if block == "console" && is_status {
            examples.last_mut().unwrap().status = line.parse().unwrap();
        } else if block == "console" && line != "$ echo $?" {
            examples.last_mut().unwrap().output.extend([line, "\n"]);
        }
        is_status = line == "$ echo $?";
    }
    examples
}

/// Whether `shown` matches `printed`. A line `...` stands for any lines, and ` ...` at the end of a line for any rest of it.
pub(crate) fn is_shown(shown: &[&str], printed: &[&str]) -> bool {
    match shown {
        [] => printed.is_empty(),
        ["...", rest @ ..] => {
            (0..=printed.len()).any(|skipped| is_shown(rest, &printed[skipped..]))
        }
        [line, rest @ ..] => printed.split_first().is_some_and(|(first, others)| {
            let is_same =
                line.strip_suffix("...").map_or(first == line, |begin| first.starts_with(begin));
            is_same && is_shown(rest, others)
        }),
    }
}

/// A copy of the repository that commands may change. Its target folder is kept, so that the next run is faster.
fn clone() -> PathBuf {
    let clone = Path::new(env!("CARGO_TARGET_TMPDIR")).join("clone");
    fs::create_dir_all(&clone).unwrap();
    for entry in fs::read_dir(&clone)
        .unwrap()
        .map(Result::unwrap)
        .filter(|entry| entry.file_name() != "target")
    {
        let is_folder = entry.file_type().unwrap().is_dir();
        if is_folder { fs::remove_dir_all(entry.path()) } else { fs::remove_file(entry.path()) }
            .unwrap();
    }
    let entries = WalkDir::new(repository()).min_depth(1).into_iter();
    for entry in
        entries.filter_entry(|entry| entry.file_name() != "target" && entry.file_name() != ".git")
    {
        let entry = entry.unwrap();
        let copy = clone.join(entry.path().strip_prefix(repository()).unwrap());
        if entry.file_type().is_dir() {
            fs::create_dir(copy).unwrap();
        } else {
            fs::copy(entry.path(), &copy).unwrap();
            let modified = entry.metadata().unwrap().modified().unwrap();
            fs::File::options().write(true).open(copy).unwrap().set_modified(modified).unwrap();
        }
    }
    clone
}
