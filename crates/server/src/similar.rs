//! Which submissions of an assignment are alike. The last one of each student counts. A comparison runs behind the pages, and the last one
//! is kept in memory: it can always be made again. It decides nothing, and students never see it.

mod earlier;

pub use earlier::Earlier;

use crate::database::{Connection, Database, Result};
use crate::people::Person;
use crate::secret;
use crate::submissions::group::{self, Group};
use harness::files::upload::Upload;
use harness::similarity::{self, Given, Language, Region, Settings, Work};
use std::collections::{BTreeMap, BTreeSet};
use std::path::{Path, PathBuf};
use std::sync::{Arc, Mutex, PoisonError};

/// The most kilobytes of a submission that are read. What was handed in is smaller, or was refused.
const KILOBYTES: u64 = 8192;

/// How many archives are read at a time.
pub const BATCH: usize = 20;

/// The last submission of a student or group.
#[derive(Clone, Debug)]
pub struct HandedIn {
    pub group: Group,
    pub submission: i64,
    /// The digest of its archive.
    pub archive: String,
    file_name: String,
}

impl HandedIn {
    /// Whether somebody may see one of its students.
    pub fn is_seen_by(&self, viewer: &Person) -> bool {
        self.group.members.iter().any(|it| viewer.may_see(it))
    }
}

/// The last submission of each student or group, by login. What a member of a group handed in alone does not count.
///
/// # Errors
/// If the database fails.
pub fn handed_in(connection: &mut Connection<'_>, assignment: &str) -> Result<Vec<HandedIn>> {
    let sql = format!(
        "select {}, submission.id, submission.archive, submission.file_name from person \
         join submission on submission.id = (select max(own.id) from submission own \
            where own.person = person.id and own.assignment = $1) \
         where person.role = 'student' and not exists (select 1 from member \
            where member.assignment = $1 and member.person = person.id \
            and member.keeper <> person.id) order by person.login",
        Person::COLUMNS
    );
    let mut groups = group::all(connection, assignment)?;
    let of = |row: &crate::database::Row| HandedIn {
        group: groups.remove(&row.int(0)).unwrap_or_else(|| Group::alone(&Person::of(row))),
        submission: row.int(8),
        archive: row.text(9),
        file_name: row.text(10),
    };
    Ok(connection.query(&sql, &[assignment.into()])?.iter().map(of).collect())
}

/// The submissions with equal archives, which are known without a comparison.
pub fn equal_archives(all: &[HandedIn]) -> Vec<Vec<i64>> {
    let mut by_archive: BTreeMap<&str, Vec<i64>> = BTreeMap::new();
    for it in all {
        by_archive.entry(&it.archive).or_default().push(it.submission);
    }
    by_archive.into_values().filter(|group| group.len() > 1).collect()
}

/// What was compared.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Compared {
    Submission(i64),
    /// A work of an earlier term, by its name.
    Earlier(String),
}

/// What a comparison found.
#[derive(Clone, Debug, Default)]
pub struct Found {
    /// What it was made from.
    stamp: String,
    /// How many submissions were compared.
    pub compared: usize,
    /// With how many works of earlier terms.
    pub earlier: usize,
    /// Works whose sources are equal, at least one of them a submission.
    pub equal: Vec<Vec<Compared>>,
    pub pairs: Vec<Pair>,
}

/// Two works that are alike.
#[derive(Clone, Debug)]
pub struct Pair {
    /// The submission, and the share of it that is found in the other, from 0 to 1.
    pub one: (i64, f64),
    pub other: (Compared, f64),
    pub symbols: usize,
    /// What is alike, the longest first.
    pub regions: Vec<Region>,
}

/// What is known of each assignment.
#[derive(Debug, Default)]
pub struct Comparisons {
    last: Mutex<BTreeMap<String, Arc<Found>>>,
    running: Mutex<BTreeSet<String>>,
}

/// What is to be compared.
pub struct Task {
    pub assignment: String,
    pub all: Vec<HandedIn>,
    /// The works of earlier terms.
    pub earlier: Vec<Earlier>,
    /// The digest of the version of the course, and the files that it gives to students.
    pub version: String,
    pub given: Vec<PathBuf>,
}

impl Task {
    fn stamp(&self) -> String {
        let submissions = self.all.iter().map(|it| it.submission.to_string());
        let earlier = self.earlier.iter().map(|it| format!("{:?}", it.name));
        let all = [self.version.clone()].into_iter().chain(submissions).chain(earlier);
        let all: Vec<_> = all.collect();
        secret::sha256(all.join(" ").as_bytes())
    }
}

impl Comparisons {
    /// What is known, and whether it is of these submissions. If it is not, `start` says that nobody compares them yet.
    pub fn of(&self, task: &Task) -> (Option<Arc<Found>>, bool) {
        let last = self.last.lock().unwrap_or_else(PoisonError::into_inner);
        let found = last.get(&task.assignment).cloned();
        let is_new = found.as_ref().is_some_and(|found| found.stamp == task.stamp());
        (found, is_new)
    }

    /// Compares, unless the same assignment is being compared.
    ///
    /// # Errors
    /// If the database fails.
    pub async fn compare(&self, database: &Database, task: Task) -> Result<()> {
        let assignment = task.assignment.clone();
        let running = || self.running.lock().unwrap_or_else(PoisonError::into_inner);
        if !running().insert(assignment.clone()) {
            return Ok(());
        }
        let done = compared(database, task).await;
        running().remove(&assignment);
        let found = Arc::new(done?);
        self.last.lock().unwrap_or_else(PoisonError::into_inner).insert(assignment, found);
        Ok(())
    }
}

async fn compared(database: &Database, task: Task) -> Result<Found> {
    let (mut works, given) = read(database, &task.all, task.given.clone()).await?;
    let found = in_background(move || {
        let compared = works.len();
        let earlier = task.earlier.iter().map(|it| work(&it.read(), &given));
        works.extend(earlier);
        let found = similarity::compare(&works, compared, &given, &Settings::default());
        let id = |work: usize| task.all[work].submission;
        let of = |work: usize| match work.checked_sub(compared) {
            Some(earlier) => Compared::Earlier(task.earlier[earlier].name.clone()),
            None => Compared::Submission(id(work)),
        };
        let pair = |pair: &similarity::Pair| {
            let shares = found.shares(pair);
            Pair {
                one: (id(pair.one), shares.0),
                other: (of(pair.other), shares.1),
                symbols: pair.symbols,
                regions: pair.regions.clone(),
            }
        };
        Found {
            stamp: task.stamp(),
            compared,
            earlier: task.earlier.len(),
            equal: found
                .equal
                .iter()
                .map(|group| group.iter().map(|&it| of(it)).collect())
                .collect(),
            pairs: found.pairs.iter().map(pair).collect(),
        }
    });
    found.await
}

/// Two works, with all that they have in common, but what was given.
pub struct Beside {
    /// Whether their sources are equal, byte by byte.
    pub equal: bool,
    pub regions: Vec<Region>,
    /// The sources of each, by path.
    pub sources: [Vec<(String, String)>; 2],
}

/// Compares two submissions with each other alone.
///
/// # Errors
/// If the database fails.
pub async fn beside(
    database: &Database,
    both: [HandedIn; 2],
    given: Vec<PathBuf>,
) -> Result<Beside> {
    let uploads = uploads(database, &both).await?;
    both_of(uploads, given).await
}

/// Compares a submission with a work of an earlier term.
///
/// # Errors
/// If the database fails.
pub async fn beside_earlier(
    database: &Database,
    one: HandedIn,
    other: Earlier,
    given: Vec<PathBuf>,
) -> Result<Beside> {
    let mut uploads = uploads(database, &[one]).await?;
    uploads.push(in_background(move || other.read()).await?);
    both_of(uploads, given).await
}

async fn both_of(uploads: Vec<Upload>, given: Vec<PathBuf>) -> Result<Beside> {
    in_background(move || {
        let given = self::given(&given);
        let works: Vec<_> = uploads.iter().map(|it| work(it, &given)).collect();
        let settings = Settings { least: 0.0, ..Settings::default() };
        let found = similarity::compare(&works, works.len(), &given, &settings);
        let sources = |upload: &Upload| {
            let all = files(upload).filter(|(path, _)| language(path).is_some());
            all.map(|(path, bytes)| (path.to_owned(), String::from_utf8_lossy(bytes).into_owned()))
                .collect()
        };
        let equal = !found.equal.is_empty();
        let regions = found.pairs.into_iter().next().map(|pair| pair.regions);
        Beside {
            equal,
            regions: regions.unwrap_or_default(),
            sources: [&uploads[0], &uploads[1]].map(sources),
        }
    })
    .await
}

async fn read(
    database: &Database,
    all: &[HandedIn],
    given: Vec<PathBuf>,
) -> Result<(Vec<Work>, Arc<Given>)> {
    let given = Arc::new(in_background(move || self::given(&given)).await?);
    let mut works = Vec::with_capacity(all.len());
    for some in all.chunks(BATCH) {
        let (uploads, given) = (uploads(database, some).await?, given.clone());
        let read = move || uploads.iter().map(|it| work(it, &given)).collect();
        works.extend(in_background::<Vec<_>>(read).await?);
    }
    Ok((works, given))
}

/// The files of submissions. One that cannot be read has none.
///
/// # Errors
/// If the database fails.
pub async fn uploads(database: &Database, all: &[HandedIn]) -> Result<Vec<Upload>> {
    let keys: Vec<_> = all.iter().map(|it| (it.archive.clone(), it.file_name.clone())).collect();
    let archives = database.read(move |connection| {
        let bytes = |(digest, name): &(String, String)| {
            let sql = "select bytes from archive where digest = $1";
            let row = connection.first(sql, &[digest.into()])?;
            Ok((name.clone(), row.map(|row| row.bytes(0)).unwrap_or_default()))
        };
        keys.iter().map(bytes).collect::<Result<Vec<_>>>()
    });
    let archives = archives.await?;
    in_background(move || {
        archives
            .iter()
            .map(|(name, bytes)| Upload::of_archive(name, &bytes[..], KILOBYTES))
            .collect()
    })
    .await
}

fn given(paths: &[PathBuf]) -> Given {
    let mut given = Given::default();
    for path in paths {
        let upload = read_given(path);
        given.add(files(&upload), language);
    }
    given
}

fn read_given(path: &Path) -> Upload {
    if path.is_dir() { Upload::read(path, KILOBYTES) } else { Upload::of_source(path, KILOBYTES) }
}

fn work(upload: &Upload, given: &Given) -> Work {
    Work::read(files(upload), language, given)
}

/// Sources alone count: tests are data.
fn language(path: &str) -> Option<Language> {
    Language::of(path).filter(|it| *it != Language::Text)
}

fn files(upload: &Upload) -> impl Iterator<Item = (&str, &[u8])> + Clone {
    upload.files.iter().filter_map(|(path, bytes)| Some((str::from_utf8(path).ok()?, &bytes[..])))
}

/// Work that takes the processor for long, beside the requests.
async fn in_background<T: Send + 'static>(work: impl FnOnce() -> T + Send + 'static) -> Result<T> {
    let done = tokio::task::spawn_blocking(work).await;
    done.map_err(|error| crate::database::Fault::Broken(error.to_string()))
}
