//! Notices that files of the suites or of the course change.
//!
//! It watches folders and not files, because editors replace a file by a new one.

use super::request::Request;
use crate::course::{self, Course};
use crate::diagnostic::{Failure, FailureKind, Problem};
use crate::run::build;
use notify::event::{AccessKind, AccessMode};
use notify::{Config, Event, EventKind, RecommendedWatcher, RecursiveMode, Watcher};
use std::collections::BTreeSet;
use std::path::{Path, PathBuf};
use std::sync::mpsc::{Receiver, RecvTimeoutError, channel};
use std::time::{Duration, Instant, SystemTime};

/// The files that are watched.
#[derive(PartialEq, Eq)]
pub(super) struct Watched {
    /// The folder with the suites.
    pub(super) suites: PathBuf,
    /// The files of the course, and folders with everything in them.
    pub(super) course: Vec<PathBuf>,
    /// Files that programs are built from, and folders in which only new files matter.
    sources: BTreeSet<PathBuf>,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(super) enum Changed {
    /// A suite.
    Suites,
    /// The course file, a catalogue or a program's source. Programs may have to be built again.
    Course,
}

impl Watched {
    /// The course file and the suites.
    pub(super) fn course_file(request: &Request) -> Self {
        let (suites, course) = (request.folder.clone(), vec![request.course.clone()]);
        Self { suites, course, sources: BTreeSet::new() }
    }

    /// All files that a report depends on, as far as they are known. More are known once the programs are built.
    pub(super) fn all(request: &Request, course: &Course) -> Self {
        let mut all = Self::course_file(request);
        let root = resolved(&course.folder);
        for assignment in &course.assignments {
            all.course.push(assignment.mutants.clone());
            if assignment.program.needs_cargo() {
                all.course.extend(assignment.program.source().map(Path::to_owned));
            }
            let sources = build::sources(course, assignment);
            let checker = assignment.judge.inspector();
            let validators = assignment.validators.iter().map(|validator| &validator.inspector);
            let inspectors = checker.into_iter().chain(validators);
            all.sources.extend(inspectors.flat_map(|inspector| inspector.files(&root)));
            // Any file may appear in the folder of the course.
            let sources = sources.into_iter().filter(|path| *path != root);
            all.sources.extend(sources.filter(|path| path.starts_with(&root) || path.exists()));
        }
        all
    }
}

/// The changes since it was made.
pub(super) struct Changes {
    events: Receiver<notify::Result<Event>>,
    suites: PathBuf,
    /// A file, or a folder with everything in it.
    course: Vec<PathBuf>,
    /// A file, or a folder without what is in its folders.
    sources: BTreeSet<PathBuf>,
    watcher: RecommendedWatcher,
    since: SystemTime,
    /// Whether a source changed before it was watched.
    is_late: bool,
}

impl Changes {
    /// A change is over when nothing changes for this long: editors write in several steps.
    const QUIET: Duration = Duration::from_millis(100);
    /// A change that does not end is over after this long.
    const LONGEST: Duration = Duration::from_secs(2);

    /// Starts to notice changes.
    pub(super) fn notice(watched: &Watched) -> Result<Self, Failure> {
        let since = SystemTime::now();
        let (sender, events) = channel();
        // A student's link may lead anywhere, and tests are never read through links.
        let config = Config::default().with_follow_symlinks(false);
        let mut watcher = RecommendedWatcher::new(sender, config)
            .map_err(|error| unwatched(&watched.suites, &error))?;
        let mut watch =
            |path: &Path, mode| watcher.watch(path, mode).map_err(|error| unwatched(path, &error));
        let suites = existing(&watched.suites);
        let is_there = suites == resolved(&watched.suites);
        watch(
            &suites,
            if is_there { RecursiveMode::Recursive } else { RecursiveMode::NonRecursive },
        )?;
        if let Some(parent) = suites.parent().filter(|_| is_there) {
            // The folder itself may be removed or made again.
            watch(parent, RecursiveMode::NonRecursive)?;
        }
        let mut course = Vec::new();
        for path in &watched.course {
            let path = resolved(path);
            let is_course_file = path.join(course::FILE).is_file();
            let path = if is_course_file { path.join(course::FILE) } else { path };
            match path.parent() {
                Some(parent) if !path.is_dir() => {
                    watch(&existing(parent), RecursiveMode::NonRecursive)?;
                }
                _ => watch(&path, RecursiveMode::Recursive)?,
            }
            course.push(path);
        }
        let suites = resolved(&watched.suites);
        let sources = BTreeSet::new();
        let mut changes = Self { events, suites, course, sources, watcher, since, is_late: false };
        changes.notice_sources(watched)?;
        Ok(changes)
    }

    /// Also notices changes of the sources of `watched`, which may have changed since this was made.
    pub(super) fn notice_sources(&mut self, watched: &Watched) -> Result<(), Failure> {
        for path in watched.sources.difference(&self.sources) {
            let folder = if path.is_dir() { path } else { path.parent().unwrap_or(path) };
            self.watcher
                .watch(&existing(folder), RecursiveMode::NonRecursive)
                .map_err(|error| unwatched(path, &error))?;
            let modified = path.metadata().and_then(|metadata| metadata.modified());
            self.is_late |= path.is_file() && modified.is_ok_and(|time| time >= self.since);
        }
        self.sources.extend(watched.sources.iter().cloned());
        Ok(())
    }

    /// Waits until something has changed, and nothing changes any more.
    pub(super) fn wait(&self) -> Result<Changed, Failure> {
        let mut changed = self.is_late.then_some(Changed::Course);
        let mut last = Instant::now() + Self::LONGEST;
        loop {
            let event = match changed {
                None => self.events.recv().map_err(|_| RecvTimeoutError::Disconnected),
                Some(_) => self
                    .events
                    .recv_timeout(Self::QUIET.min(last.saturating_duration_since(Instant::now()))),
            };
            match (event, changed) {
                (Ok(event), _) => {
                    let new = self.kind(&event.map_err(|error| unwatched(&self.suites, &error))?);
                    if changed.is_none() && new.is_some() {
                        last = Instant::now() + Self::LONGEST;
                    }
                    changed = changed.max(new);
                }
                (Err(RecvTimeoutError::Timeout), Some(changed)) => return Ok(changed),
                (Err(_), _) => {
                    return Err(Failure::machine(
                        format!("watch {}", self.suites.display()),
                        "the watcher has ended",
                    ));
                }
            }
        }
    }

    /// What an event changes, if it changes anything that is watched.
    fn kind(&self, event: &Event) -> Option<Changed> {
        if matches!(event.kind, EventKind::Access(access) if access != AccessKind::Close(AccessMode::Write))
        {
            return None;
        }
        if event.need_rescan() {
            return Some(Changed::Course);
        }
        event.paths.iter().filter_map(|path| self.kind_of(path)).max()
    }

    fn kind_of(&self, path: &Path) -> Option<Changed> {
        let course = self.course.iter().map(|part| (part, Changed::Course));
        let parts = course.chain([(&self.suites, Changed::Suites)]);
        // Cargo's target folder changes with every build.
        let holds =
            |part: &Path| path.strip_prefix(part).is_ok_and(|rest| !rest.starts_with("target"));
        let innermost = parts
            .filter(|(part, _)| holds(part))
            .max_by_key(|(part, kind)| (part.components().count(), *kind));
        let is_source = self.sources.contains(path)
            || path.parent().is_some_and(|folder| self.sources.contains(folder));
        // A parent of the suites' folder may be removed or made again.
        innermost
            .map(|(_, kind)| kind)
            .or(is_source.then_some(Changed::Course))
            .or_else(|| self.suites.starts_with(path).then_some(Changed::Suites))
    }
}

/// The path as it appears in events.
fn resolved(path: &Path) -> PathBuf {
    path.canonicalize().or_else(|_| std::path::absolute(path)).unwrap_or_else(|_| path.to_owned())
}

/// The path, or its nearest parent that exists.
fn existing(path: &Path) -> PathBuf {
    let resolved = resolved(path);
    resolved.ancestors().find(|path| path.exists()).unwrap_or(&resolved).to_owned()
}

fn unwatched(path: &Path, error: &notify::Error) -> Failure {
    let problem = Problem::new(format!("cannot watch {}: {error}", path.display()));
    let problem = match error.kind {
        notify::ErrorKind::MaxFilesWatch => {
            problem.hint("raise the limit with `sysctl fs.inotify.max_user_watches=…`")
        }
        _ => problem.hint("without --watch, the suites are scored once"),
    };
    Failure::new(FailureKind::Machine, problem)
}
