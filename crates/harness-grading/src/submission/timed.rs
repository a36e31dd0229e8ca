//! A right program in the language of the submissions, which the course gives so that their times are compared with its times.

use super::program::SandboxedProgram;
use super::{SourceFile, build, check, language};
use crate::course::submission::Submission;
use crate::course::{Course, submission::Program};
use crate::diagnostic::{Failure, Problem};
use crate::hash::Digest;
use crate::sandbox::Sandbox;
use crate::submission::cores::Turn;
use std::fs;
use std::io;
use std::path::Path;
use tempfile::TempDir;

/// The program, built as a submission is.
pub(super) struct Timed {
    folder: TempDir,
    /// The words that start it.
    words: Vec<String>,
    /// The digest of its sources.
    pub(super) digest: String,
}

impl Timed {
    /// Builds the program, if the course gives one.
    ///
    /// # Errors
    /// If it cannot be read or built.
    pub(super) fn build(
        course: &Course,
        submission: &Submission,
        sandbox: &Sandbox,
    ) -> Result<Option<Self>, Failure> {
        let Program { reference: Some(path), .. } = &submission.program else { return Ok(None) };
        let sources = read(&course.folder.join(path), submission)
            .map_err(|error| Failure::machine(format!("read {}", path.display()), error))?;
        let digest = sources
            .iter()
            .fold(Digest::default(), |digest, file| digest.with(&file.name).with(&file.bytes));
        let built = build::build(sandbox, &sources, submission, Turn::default())?;
        let name = submission.program.of("");
        let words = language::start(submission, name);
        let Some((_, folder)) = built.programs.into_iter().next() else {
            let why = built.report.error.map(|error| error.message).unwrap_or_default();
            let message = format!("{} cannot be built as a submission: {why}", path.display());
            let hint = "`reference` of the program is a right program in the same language, with the files that a student hands in";
            return Err(Failure::broken_course(Problem::new(message).hint(hint)));
        };
        Ok(Some(Self { folder, words, digest: digest.hex() }))
    }

    pub(super) fn program(&self) -> SandboxedProgram<'_> {
        SandboxedProgram::of_student(&self.words, self.folder.path())
    }
}

/// The file at `path`, or the files in that folder that a submission may have. The file gets the name of the students' file.
fn read(path: &Path, submission: &Submission) -> io::Result<Vec<SourceFile>> {
    let file = |path: &Path| {
        let name = path.file_name().unwrap_or_default().to_string_lossy().into_owned();
        fs::read(path).map(|bytes| SourceFile { name, bytes })
    };
    if path.is_file() {
        let SourceFile { name, bytes } = file(path)?;
        let name = match submission.starting().as_slice() {
            // A Makefile, or commands that name no file, say nothing about the file's name.
            [only] if !submission.program.language.has_makefile() => (*only).to_owned(),
            _ => name,
        };
        return Ok(vec![SourceFile { name, bytes }]);
    }
    let entries = fs::read_dir(path)?.collect::<io::Result<Vec<_>>>()?;
    let mut paths: Vec<_> = entries.into_iter().map(|entry| entry.path()).collect();
    paths.retain(|path| path.is_file());
    paths.sort();
    let files = paths.iter().map(|path| file(path)).collect::<io::Result<Vec<_>>>()?;
    Ok(files.into_iter().filter(|file| check::is_allowed(&file.name, submission)).collect())
}
