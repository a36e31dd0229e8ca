//! Tests of `harness` through its command line, one module for each feature.

mod against;
mod any_program;
mod broken_course;
mod browser;
mod command_line;
mod countess;
mod course_file;
mod doctor;
mod explain;
mod feedback;
mod formats;
mod generate;
mod hints;
mod hostile_files;
mod html;
mod init;
mod judge;
mod letters;
mod machine;
mod maze;
mod mutants;
mod plug;
mod rejected;
mod repository;
mod rogue_mutants;
mod schemas;
mod score;
mod sliding;
mod solution;
mod spelling;
mod survey;
mod view;
mod watch;
mod width;

use std::path::{Path, PathBuf};
use std::process::{Command, Output};

/// The result of a run of `harness`.
struct Run {
    status: i32,
    stdout: String,
    stderr: String,
}

impl Run {
    /// Requires that the run exited with `status`.
    #[track_caller]
    fn exits(self, status: i32) -> Self {
        assert_eq!(self.status, status, "stdout:\n{}\nstderr:\n{}", self.stdout, self.stderr);
        self
    }

    /// The report that it printed as JSON.
    #[track_caller]
    fn report(&self) -> harness::result::Report {
        serde_json::from_str(&self.stdout)
            .unwrap_or_else(|error| panic!("{error}\n{}", self.stdout))
    }
}

/// Runs `harness` in the repository.
fn harness(args: &[&str]) -> Run {
    let output = Command::new(env!("CARGO_BIN_EXE_harness"))
        .args(args)
        .current_dir(repository())
        .output()
        .expect("harness starts");
    Run::from(output)
}

impl From<Output> for Run {
    fn from(output: Output) -> Self {
        let text = |bytes| String::from_utf8(bytes).expect("harness prints UTF-8");
        Self {
            status: output.status.code().expect("harness exits"),
            stdout: text(output.stdout),
            stderr: text(output.stderr),
        }
    }
}

fn repository() -> &'static Path {
    Path::new(env!("CARGO_MANIFEST_DIR"))
}

/// The repository's course file with its first assignment only.
fn puzzle_alone() -> String {
    let text =
        std::fs::read_to_string(repository().join("harness.yaml")).expect("there is a course file");
    text.split("\n  countess:").next().expect("the first part is always there").to_owned()
}

/// A temporary folder with these files.
fn folder(files: &[(&str, &[u8])]) -> tempfile::TempDir {
    let folder = tempfile::tempdir().expect("there is room for a test");
    for (name, contents) in files {
        let path = folder.path().join(name);
        std::fs::create_dir_all(path.parent().expect("it is in the folder"))
            .expect("a folder can be made");
        std::fs::write(path, contents).expect("a file can be written");
    }
    folder
}

fn path(folder: &tempfile::TempDir) -> &str {
    folder.path().to_str().expect("temporary folders have plain names")
}

/// The real student suites of `assignment`, if they are beside the repository.
fn shared_suites(assignment: &str) -> Option<PathBuf> {
    let suites = repository().join("../shared/suites").join(assignment);
    if !suites.is_dir() {
        eprintln!("skipped: there are no suites in {}", suites.display());
        return None;
    }
    Some(suites)
}
