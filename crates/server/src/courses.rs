//! The versions of the course: archives in the database, unpacked once on each machine.

pub mod difference;
pub mod stored;
mod unpacked;
pub mod upload;
mod version;

pub use version::Version;

use crate::database::{Connection, Database, Fault, Result};
use harness::diagnostic::Failure;
use std::path::{Path, PathBuf};
use std::sync::{Arc, Mutex, PoisonError};
use tokio::sync::{Mutex as AsyncMutex, OnceCell};

/// How many versions are kept in memory: the one in force, and those of reports that somebody looks at.
const MOST: usize = 8;

/// The versions that are unpacked on this machine.
pub struct Courses {
    /// Where they are unpacked, each in a folder that is named by its digest.
    folder: PathBuf,
    /// Those that somebody asked for, the last one at the end. The lock is held only to look.
    known: Mutex<Vec<Arc<Known>>>,
}

/// What is known of a version.
struct Known {
    digest: String,
    version: OnceCell<Arc<Version>>,
    /// Held by whoever unpacks it.
    unpacking: AsyncMutex<()>,
}

impl Courses {
    pub fn new(folder: &Path) -> Self {
        Self { folder: folder.to_owned(), known: Mutex::new(Vec::new()) }
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

    /// A version by its digest. Whoever asks for another one meanwhile does not wait for it.
    ///
    /// # Errors
    /// If the database fails, or it cannot be unpacked and read.
    pub async fn version(&self, database: &Database, digest: &str) -> Result<Arc<Version>> {
        let known = self.known(digest);
        let read = known.version.get_or_try_init(async || {
            let folder = self.unpacked(database, digest).await?;
            let digest = digest.to_owned();
            let read = tokio::task::spawn_blocking(move || Version::read(&folder, digest)).await;
            Ok(Arc::new(read.map_err(|error| Fault::Broken(error.to_string()))??))
        });
        read.await.cloned()
    }

    /// The folder of a version, which is unpacked if it is not there yet.
    ///
    /// # Errors
    /// If the database fails, or it cannot be unpacked.
    pub async fn unpacked(&self, database: &Database, digest: &str) -> Result<PathBuf> {
        let known = self.known(digest);
        let _one_at_a_time = known.unpacking.lock().await;
        let folder = self.folder.join(digest);
        if unpacked::is_there(&folder) {
            return Ok(folder);
        }
        let key = digest.to_owned();
        let bytes = database.read(move |connection| bytes(connection, &key)).await?;
        let (parent, target, key) = (self.folder.clone(), folder.clone(), digest.to_owned());
        let unpack = move || unpacked::unpack(&bytes, &key, &parent, &target);
        let done = tokio::task::spawn_blocking(unpack).await;
        done.map_err(|error| Fault::Broken(error.to_string()))??;
        Ok(folder)
    }

    /// Forgets the folder of a version, because something changed its files. The next one who needs it unpacks it again.
    pub async fn unpack_again(&self, digest: &str) {
        let known = self.known(digest);
        let _one_at_a_time = known.unpacking.lock().await;
        if let Err(error) = unpacked::remove(&self.folder.join(digest), &self.folder) {
            tracing::error!(%error, "the changed course cannot be removed");
        }
    }

    /// What is known of a version. It is the last one that is forgotten.
    fn known(&self, digest: &str) -> Arc<Known> {
        let mut all = self.known.lock().unwrap_or_else(PoisonError::into_inner);
        let known = match all.iter().position(|known| known.digest == digest) {
            Some(at) => all.remove(at),
            None => Arc::new(Known {
                digest: digest.to_owned(),
                version: OnceCell::new(),
                unpacking: AsyncMutex::new(()),
            }),
        };
        if all.len() >= MOST {
            all.remove(0);
        }
        all.push(known.clone());
        known
    }
}

/// The archive of a version.
///
/// # Errors
/// If the database fails, or there is no such version.
pub fn bytes(connection: &mut Connection<'_>, digest: &str) -> Result<Vec<u8>> {
    let row = connection.first("select bytes from course where digest = $1", &[digest.into()])?;
    let missing = || Fault::Broken(format!("there is no version {} of the course", short(digest)));
    Ok(row.ok_or_else(missing)?.bytes(0))
}

/// The beginning of a digest, which is enough for people to tell versions apart.
pub fn short(digest: &str) -> &str {
    digest.get(..12).unwrap_or(digest)
}

/// The digest of the version that is in force.
///
/// # Errors
/// If the database fails.
pub fn in_force(connection: &mut Connection<'_>) -> Result<Option<String>> {
    let sql = "select course from course_in_force order by id desc limit 1";
    Ok(connection.first(sql, &[])?.map(|row| row.text(0)))
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

/// The fault of a version that cannot be used.
fn broken(digest: &str, what: &str, failure: &Failure) -> Fault {
    let all: Vec<_> = failure.problems.iter().map(ToString::to_string).collect();
    let version = short(digest);
    Fault::Broken(format!("version {version} of the course cannot be {what}: {}", all.join("; ")))
}
