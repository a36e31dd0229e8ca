//! The versions of the course: archives in the database, unpacked once on each machine.

use crate::database::{Connection, Database, Fault, Result};
use harness::catalogue::Mutant;
use harness::course::{Assignment, Audience, Course};
use harness::diagnostic::Failure;
use harness::grading::Cut;
use harness::result::graded::SubmissionReport;
use harness::run::prepare;
use std::collections::{BTreeMap, HashMap};
use std::path::{Path, PathBuf};
use std::sync::Arc;
use tokio::sync::Mutex;

/// The versions that are unpacked on this machine.
pub struct Courses {
    /// Where they are unpacked, each in a folder that is named by its digest.
    folder: PathBuf,
    /// Those that were read, by digest.
    open: Mutex<HashMap<String, Arc<Version>>>,
}

/// A version of the course, as the server needs it. It builds nothing.
pub struct Version {
    pub digest: String,
    pub course: Course,
    /// The mutants of each assignment.
    mutants: BTreeMap<String, Vec<Mutant>>,
}

impl Version {
    /// The assignments that students hand in for, in the order of the course file.
    pub fn assignments(&self) -> impl Iterator<Item = &Assignment> {
        self.course.assignments.iter().filter(|assignment| assignment.submission.is_some())
    }

    pub fn assignment(&self, id: &str) -> Option<&Assignment> {
        self.assignments().find(|assignment| assignment.id == id)
    }

    /// What a reader may see of a report.
    ///
    /// # Errors
    /// If two mutants have the same pseudonym.
    pub fn cut(
        &self,
        assignment: &str,
        report: &SubmissionReport,
        audience: Audience,
    ) -> std::result::Result<SubmissionReport, Failure> {
        let assignment = self.course.assignment(assignment)?;
        let none = Vec::new();
        let mutants = self.mutants.get(&assignment.id).unwrap_or(&none);
        let submission = assignment.submission.as_ref().expect("it was handed in");
        Ok(Cut::new(assignment, submission, mutants, audience, true)?.submission(report))
    }
}

impl Courses {
    pub fn new(folder: &Path) -> Self {
        Self { folder: folder.to_owned(), open: Mutex::new(HashMap::new()) }
    }

    /// The version that is in force.
    ///
    /// # Errors
    /// If the database fails, or there is none yet.
    pub async fn in_force(&self, database: &Database) -> Result<Arc<Version>> {
        let digest = database.read(in_force).await?;
        let digest = digest.ok_or_else(|| Fault::Broken("there is no course yet".to_owned()))?;
        self.version(database, &digest).await
    }

    /// A version by its digest.
    ///
    /// # Errors
    /// If the database fails, or it cannot be unpacked and read.
    pub async fn version(&self, database: &Database, digest: &str) -> Result<Arc<Version>> {
        let mut open = self.open.lock().await;
        if let Some(version) = open.get(digest) {
            return Ok(version.clone());
        }
        let folder = self.unpacked(database, digest).await?;
        let digest = digest.to_owned();
        let read = move || read(&folder, digest);
        let version = tokio::task::spawn_blocking(read).await;
        let version = Arc::new(version.map_err(|error| Fault::Broken(error.to_string()))??);
        open.insert(version.digest.clone(), version.clone());
        Ok(version)
    }

    /// The folder of a version, which is unpacked if it is not there yet.
    ///
    /// # Errors
    /// If the database fails, or it cannot be unpacked.
    pub async fn unpacked(&self, database: &Database, digest: &str) -> Result<PathBuf> {
        let folder = self.folder.join(digest);
        if folder.is_dir() {
            return Ok(folder);
        }
        let key = digest.to_owned();
        let bytes = database.read(move |connection| {
            let row =
                connection.first("select bytes from course where digest = $1", &[(&key).into()])?;
            let missing = || Fault::Broken(format!("there is no version {key} of the course"));
            Ok(row.ok_or_else(missing)?.bytes(0))
        });
        let bytes = bytes.await?;
        let (parent, target) = (self.folder.clone(), folder.clone());
        let unpack = move || unpack(&bytes, &parent, &target);
        let done = tokio::task::spawn_blocking(unpack).await;
        done.map_err(|error| Fault::Broken(error.to_string()))?
            .map_err(|error| Fault::Broken(format!("the course cannot be unpacked: {error}")))?;
        Ok(folder)
    }
}

/// The digest of the version that is in force.
///
/// # Errors
/// If the database fails.
pub fn in_force(connection: &mut Connection<'_>) -> Result<Option<String>> {
    let sql = "select course from course_in_force order by id desc limit 1";
    Ok(connection.first(sql, &[])?.map(|row| row.text(0)))
}

/// The files of a course as an archive.
///
/// # Errors
/// If they cannot be read.
pub fn packed(course: &Course) -> std::result::Result<Vec<u8>, Failure> {
    let failed = |error| Failure::machine("pack the course", error);
    let mut archive =
        tar::Builder::new(flate2::write::GzEncoder::new(Vec::new(), flate2::Compression::fast()));
    let walk = walkdir::WalkDir::new(&course.folder).sort_by_file_name().into_iter();
    let walk =
        walk.filter_entry(|entry| entry.file_name() != "target" && entry.file_name() != ".git");
    for entry in
        walk.filter_map(std::result::Result::ok).filter(|entry| entry.file_type().is_file())
    {
        let name = entry.path().strip_prefix(&course.folder).unwrap_or(entry.path());
        archive.append_path_with_name(entry.path(), name).map_err(failed)?;
    }
    archive.into_inner().and_then(flate2::write::GzEncoder::finish).map_err(failed)
}

/// Adds a version, and gives its digest.
///
/// # Errors
/// If the database fails.
pub fn add(
    connection: &mut Connection<'_>,
    bytes: &[u8],
    title: &str,
    person: Option<i64>,
) -> Result<String> {
    let digest = crate::secret::sha256(bytes);
    let now = connection.now()?;
    connection.execute(
        "insert into course (digest, bytes, title, at, person) values ($1, $2, $3, $4, $5) \
         on conflict do nothing",
        &[(&digest).into(), bytes.to_vec().into(), title.into(), now.into(), person.into()],
    )?;
    Ok(digest)
}

/// Puts a version in force: submissions from now on are graded with it.
///
/// # Errors
/// If the database fails.
pub fn put_in_force(
    connection: &mut Connection<'_>,
    digest: &str,
    person: Option<i64>,
) -> Result<()> {
    let now = connection.now()?;
    let sql = "insert into course_in_force (course, at, person) values ($1, $2, $3)";
    connection.execute(sql, &[digest.into(), now.into(), person.into()])?;
    Ok(())
}

fn read(folder: &Path, digest: String) -> Result<Version> {
    let broken = |failure: Failure| {
        let first = failure.problems.first().map(|problem| problem.message.clone());
        Fault::Broken(format!("the course cannot be read: {}", first.unwrap_or_default()))
    };
    let course = Course::read(folder).map_err(broken)?;
    let mut mutants = BTreeMap::new();
    for assignment in &course.assignments {
        mutants.insert(assignment.id.clone(), prepare::bugs(&course, assignment).map_err(broken)?);
    }
    Ok(Version { digest, course, mutants })
}

/// Unpacks an archive beside its place, and then moves it there, so that it is whole or not there.
fn unpack(bytes: &[u8], parent: &Path, target: &Path) -> std::io::Result<()> {
    std::fs::create_dir_all(parent)?;
    let beside = tempfile::Builder::new().prefix(".unpacking-").tempdir_in(parent)?;
    tar::Archive::new(flate2::read::GzDecoder::new(bytes)).unpack(beside.path())?;
    match std::fs::rename(beside.path(), target) {
        // Another process was faster.
        Err(_) if target.is_dir() => Ok(()),
        done => done.map(|()| drop(beside.keep())),
    }
}
