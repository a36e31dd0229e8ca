//! `harness pack PLATFORM`: writes what a platform needs to grade submissions. The package holds this program and the course.

use crate::cli::pack::{Pack, Platform};
use crate::course::{Assignment, Course};
use crate::files;
use crate::problem::{Exit, Failure, Problem};
use sha2::{Digest, Sha256};
use std::fs;
use std::io::{self, Cursor, Write};
use std::path::{Path, PathBuf};
use walkdir::WalkDir;
use zip::ZipWriter;
use zip::write::SimpleFileOptions;

/// Folders of the course that no grader needs.
const LEFT_OUT: [&str; 3] = ["target", "submissions", "node_modules"];

pub(super) fn run(options: &Pack) -> Result<Exit, Failure> {
    let course = Course::read(&options.course)?;
    let assignment = course.assignment_or_only(options.assignment.as_deref())?;
    if assignment.submission.is_none() {
        let message = format!("`{}` has no `submission:` entry in harness.yaml", assignment.id);
        let hint = "docs/grading.md describes it";
        return Err(Failure::usage(Problem::new(message).hint(hint)));
    }
    let contents = match options.platform {
        Platform::Gradescope => gradescope(&course, assignment),
        Platform::Prairielearn => prairielearn(&course, assignment),
        Platform::Github => Ok(filled(include_str!("pack/github.yml"), assignment).into_bytes()),
    };
    let contents = contents.map_err(|error| Failure::machine("pack the course", error))?;
    files::create(&options.out, &contents)
        .map_err(|error| Failure::machine(format!("write {}", options.out.display()), error))?;
    Ok(Exit::Done)
}

/// The zip of an autograder: it is unpacked to `/autograder/source`.
fn gradescope(course: &Course, assignment: &Assignment) -> io::Result<Vec<u8>> {
    let mut archive = Archive::new();
    archive.text("setup.sh", include_str!("pack/setup.sh"), assignment)?;
    archive.text("run_autograder", include_str!("pack/run_autograder"), assignment)?;
    archive.course("", course)?;
    archive.end()
}

/// The zip of a question: its folder `tests` becomes `/grade/tests`.
fn prairielearn(course: &Course, assignment: &Assignment) -> io::Result<Vec<u8>> {
    let mut archive = Archive::new();
    archive.text("info.json", include_str!("pack/info.json"), assignment)?;
    archive.text("question.html", include_str!("pack/question.html"), assignment)?;
    archive.text("Dockerfile", include_str!("pack/Dockerfile"), assignment)?;
    archive.text("tests/setup.sh", include_str!("pack/setup.sh"), assignment)?;
    archive.text("tests/run.sh", include_str!("pack/run.sh"), assignment)?;
    archive.course("tests/", course)?;
    archive.end()
}

/// A text with the assignment's id and title in it.
fn filled(text: &str, assignment: &Assignment) -> String {
    let rust = if assignment.program.needs_cargo() { "yes" } else { "no" };
    let files = assignment.submission.as_ref().map(|it| it.files.clone()).unwrap_or_default();
    text.replace("@ASSIGNMENT@", &assignment.id)
        .replace("@UUID@", &uuid(assignment))
        .replace("@TITLE@", &assignment.title.replace(['"', '<', '&'], ""))
        .replace("@RUST@", rust)
        .replace("@FILES@", &files.join(", ").replace('"', ""))
}

/// A UUID that stays the same for an assignment.
fn uuid(assignment: &Assignment) -> String {
    let digest = Sha256::digest(format!("{}/{}", assignment.id, assignment.title));
    let hex: String = digest.iter().map(|byte| format!("{byte:02x}")).collect();
    format!("{}-{}-4{}-8{}-{}", &hex[..8], &hex[8..12], &hex[13..16], &hex[17..20], &hex[20..32])
}

/// A zip in memory. The same files give the same bytes.
struct Archive(ZipWriter<Cursor<Vec<u8>>>);

impl Archive {
    fn new() -> Self {
        Self(ZipWriter::new(Cursor::new(Vec::new())))
    }

    fn file(&mut self, name: &str, contents: &[u8], is_program: bool) -> io::Result<()> {
        let mode = if is_program { 0o755 } else { 0o644 };
        let options = SimpleFileOptions::default().unix_permissions(mode);
        self.0.start_file(name, options)?;
        self.0.write_all(contents)
    }

    fn text(&mut self, name: &str, text: &str, assignment: &Assignment) -> io::Result<()> {
        self.file(name, filled(text, assignment).as_bytes(), text.starts_with("#!"))
    }

    /// Adds this program, and the files of the course in the folder `course`.
    fn course(&mut self, folder: &str, course: &Course) -> io::Result<()> {
        let program = fs::read(std::env::current_exe()?)?;
        self.file(&format!("{folder}harness"), &program, true)?;
        for path in course_files(&course.folder) {
            let name = path.strip_prefix(&course.folder).unwrap_or(&path).to_string_lossy();
            let is_program = files::is_executable(&path);
            self.file(&format!("{folder}course/{name}"), &fs::read(&path)?, is_program)?;
        }
        Ok(())
    }

    fn end(self) -> io::Result<Vec<u8>> {
        Ok(self.0.finish()?.into_inner())
    }
}

/// The plain files of a course, except those of builds and hidden ones.
fn course_files(folder: &Path) -> Vec<PathBuf> {
    let is_needed = |entry: &walkdir::DirEntry| {
        let name = entry.file_name().to_string_lossy();
        let is_hidden = name.starts_with('.') && name.len() > 1;
        entry.depth() == 0 || !(is_hidden || LEFT_OUT.contains(&&*name))
    };
    let entries = WalkDir::new(folder).sort_by_file_name().into_iter().filter_entry(is_needed);
    let files = entries.filter_map(Result::ok).filter(|entry| entry.file_type().is_file());
    files.map(walkdir::DirEntry::into_path).collect()
}
