//! The folder of results: a file for each submission, written at once or not at all. A run that is stopped loses no result, and the
//! next one continues.

use crate::course::{Assignment, Course, FILE};
use crate::files;
use crate::problem::{Failure, Problem};
use crate::result::graded::SubmissionReport;
use crate::result::graded::stored::{SCHEMA, Stored};
use crate::submission::case::MadeCase;
use sha2::{Digest, Sha256};
use std::fs;
use std::path::{Path, PathBuf};
use walkdir::WalkDir;

/// The folder in it for results that were replaced.
const OLD: &str = "old";

pub(super) struct Results {
    folder: PathBuf,
    course_digest: String,
}

impl Results {
    /// Opens the folder, which need not exist.
    pub(super) fn open(folder: &Path, course_digest: String) -> Result<Self, Failure> {
        fs::create_dir_all(folder)
            .map_err(|error| Failure::machine(format!("make {}", folder.display()), error))?;
        Ok(Self { folder: folder.to_owned(), course_digest })
    }

    /// The result of a submission with this name and digest, and whether it is of this course.
    pub(super) fn read(&self, name: &str, digest: &str) -> Option<(SubmissionReport, bool)> {
        let stored: Stored = serde_json::from_slice(&fs::read(self.file(name)).ok()?).ok()?;
        let is_of_course =
            stored.course_digest == self.course_digest && stored.harness == version();
        (stored.schema == SCHEMA && stored.report.digest == digest)
            .then_some((stored.report, is_of_course))
    }

    /// Writes a result. One that it replaces is kept in the folder `old`.
    pub(super) fn write(&self, report: &SubmissionReport) -> Result<(), Failure> {
        let stored = Stored {
            schema: SCHEMA.to_owned(),
            harness: version(),
            course_digest: self.course_digest.clone(),
            report: report.clone(),
        };
        let file = self.file(&report.name);
        let unwritten = |error| Failure::machine(format!("write {}", file.display()), error);
        let text =
            serde_json::to_vec_pretty(&stored).expect("a report is made of texts and numbers");
        if let Ok(before) = fs::read(&file) {
            let digest: String =
                Sha256::digest(&before).iter().take(6).map(|byte| format!("{byte:02x}")).collect();
            let old = self.folder.join(OLD);
            let kept = old.join(format!("{}-{digest}.json", plain(&report.name)));
            fs::create_dir_all(&old)
                .and_then(|()| files::replace(&kept, &before))
                .map_err(unwritten)?;
        }
        files::replace(&file, &text).map_err(unwritten)
    }

    fn file(&self, name: &str) -> PathBuf {
        self.folder.join(format!("{}.json", plain(name)))
    }
}

/// A name that is safe in a file's name.
fn plain(name: &str) -> String {
    name.replace('/', "_")
}

fn version() -> String {
    env!("CARGO_PKG_VERSION").to_owned()
}

/// The digest of everything that the results depend on, besides the submissions.
pub(super) fn digest_of_course(
    course: &Course,
    assignment: &Assignment,
    (reference, cases, seed): (&str, &[Vec<MadeCase>], u64),
) -> Result<String, Failure> {
    let mut hasher = Sha256::new();
    let mut add = |part: &[u8]| {
        hasher.update((part.len() as u64).to_le_bytes());
        hasher.update(part);
    };
    let file = course.folder.join(FILE);
    let text = fs::read(&file).map_err(|error| {
        Failure::usage(Problem::new(format!("cannot read {}: {error}", file.display())))
    })?;
    add(&text);
    add(assignment.id.as_bytes());
    add(reference.as_bytes());
    add(&seed.to_le_bytes());
    for entry in WalkDir::new(&assignment.mutants).sort_by_file_name().into_iter().flatten() {
        if entry.file_type().is_file() {
            add(entry.path().to_string_lossy().as_bytes());
            add(&fs::read(entry.path()).unwrap_or_default());
        }
    }
    for made in cases.iter().flatten() {
        add(made.name.as_bytes());
        made.case.args.iter().for_each(|arg| add(arg.as_bytes()));
        add(&made.case.input);
        made.case.files.values().for_each(|contents| add(contents));
    }
    Ok(hasher.finalize().iter().map(|byte| format!("{byte:02x}")).collect())
}
