//! What the repository says of itself is true.

use super::any_program::has_a_compiler;
use super::{Run, repository};
use harness::catalogue::{self, sites};
use harness::course::{Course, Program};
use std::collections::BTreeSet;
use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;
use walkdir::WalkDir;

#[test]
fn the_architecture_names_every_file_of_the_harness() {
    let text = std::fs::read_to_string(repository().join("ARCHITECTURE.md")).unwrap();
    for entry in WalkDir::new(repository().join("src")) {
        let entry = entry.unwrap();
        if entry.path().extension().is_some_and(|extension| extension == "rs") {
            let name =
                entry.path().strip_prefix(repository().join("src")).unwrap().display().to_string();
            assert!(text.contains(&format!("`{name}`")), "ARCHITECTURE.md does not name `{name}`");
        }
    }
}

#[test]
fn features_catalogue_files_and_bugs_in_the_source_are_the_same_mutants() {
    let course =
        Course::read(repository()).unwrap_or_else(|failure| panic!("{:?}", failure.problems));
    // An assignment's mutants may share a crate with another's.
    let mut packages = std::collections::BTreeMap::<_, BTreeSet<String>>::new();
    // Features that are no mutants, and so have no `bug!`.
    let mut plain = Vec::new();
    for assignment in &course.assignments {
        let Program::Cargo(package) = &assignment.program else { continue };
        let mutants =
            catalogue::read(assignment).unwrap_or_else(|failure| panic!("{:?}", failure.problems));
        let described = packages.entry(&package.folder).or_default();
        described.extend(mutants.into_iter().map(|mutant| mutant.id));
        described.extend(package.features.iter().cloned());
        plain.extend(package.features.iter().cloned());
    }
    for (package, described) in packages {
        let declared: BTreeSet<_> = sites::declared(package)
            .unwrap_or_else(|failure| panic!("{:?}", failure.problems))
            .into_iter()
            .collect();
        let asked =
            sites::asked(package).unwrap_or_else(|failure| panic!("{:?}", failure.problems));
        let mut asked: BTreeSet<_> = asked.into_iter().map(|site| site.id).collect();
        asked.extend(plain.iter().filter(|feature| declared.contains(*feature)).cloned());
        assert_eq!(declared, described, "the features of {} and its catalogue", package.display());
        assert_eq!(declared, asked, "the features of {} and its `bug!`s", package.display());
    }
}

#[test]
fn nothing_of_the_machine_it_was_written_on_is_in_the_repository() {
    for entry in WalkDir::new(repository())
        .into_iter()
        .filter_entry(|entry| entry.file_name() != "target" && entry.file_name() != ".git")
    {
        let entry = entry.unwrap();
        if let Ok(text) = std::fs::read_to_string(entry.path()) {
            for folder in ["work", "root"] {
                assert!(
                    !text.contains(&format!("/{folder}/")),
                    "{} names a folder of a machine",
                    entry.path().display()
                );
            }
        }
    }
}

/// Every page that shows commands, in the order in which a reader meets them.
const PAGES: [&str; 7] = [
    "README.md",
    "CONTRIBUTING.md",
    "docs/course-file.md",
    "docs/json.md",
    "docs/formats.md",
    "docs/autograder-io.md",
    "docs/any-program/README.md",
];

#[test]
fn every_command_of_the_documents_does_what_they_show() {
    let clone = clone();
    let pages = PAGES.into_iter().filter(|page| !page.contains("any-program") || has_a_compiler());
    for example in pages.flat_map(examples) {
        let Example { place, command, status, output, json } = &example;
        let words = command
            .strip_prefix("harness ")
            .or_else(|| command.strip_prefix("cargo run --release -- "));
        let words =
            words.unwrap_or_else(|| panic!("{place}: only `harness` can be run, not `{command}`"));
        let run: Run = Command::new(env!("CARGO_BIN_EXE_harness"))
            .args(words.split(' '))
            .current_dir(&clone)
            .output()
            .unwrap()
            .into();
        let printed = format!("{}{}", run.stdout, run.stderr);
        assert_eq!(run.status, *status, "{place}: {command}\n{printed}");
        let printed: Vec<_> = printed.trim_end().lines().collect();
        let shown: Vec<_> = output.trim_end().lines().collect();
        assert!(
            shown.is_empty() || is_shown(&shown, &printed),
            "{place}: {command}\n{}",
            printed.join("\n")
        );
        if !json.is_empty() {
            let document = |text: &str| {
                serde_json::from_str::<serde_json::Value>(text)
                    .unwrap_or_else(|error| panic!("{place}: {error}"))
            };
            assert_eq!(document(&run.stdout), document(json), "{place}: {command}");
        }
    }
}

/// A command in a document, and what it is said to do.
struct Example {
    place: String,
    command: String,
    status: i32,
    output: String,
    /// The document that it prints, where the page shows that in a block of its own, however it is broken into lines.
    json: String,
}

/// The commands in the blocks of `page` that are marked `console`. Behind `$ echo $?` stands the status of the one before, and a block
/// that is marked `json` is the document that the one before it prints.
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

/// Whether `shown` is what was printed, where a line `...` stands for any lines, and ` ...` at the end of a line for any end of it.
fn is_shown(shown: &[&str], printed: &[&str]) -> bool {
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

/// A copy of the repository, in which commands may write what they like. What was built there stays, so that the next time is faster.
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
