//! Noticing that files have changed: those of the suites, or those of the course.
//!
//! Folders are watched, not files, since editors put a new file in the place of the old one.

use crate::cli;
use crate::course::{self, Course, Program};
use crate::problem::{Exit, Failure, Problem};
use notify::event::{AccessKind, AccessMode};
use notify::{Config, Event, EventKind, RecommendedWatcher, RecursiveMode, Watcher};
use std::path::{Path, PathBuf};
use std::sync::mpsc::{Receiver, RecvTimeoutError, channel};
use std::time::{Duration, Instant};

/// What is watched.
pub(super) struct Watched {
    /// The folder with the suites.
    pub(super) suites: PathBuf,
    /// The files and folders that make the course.
    pub(super) course: Vec<PathBuf>,
}

/// What has changed.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(super) enum Changed {
    /// A suite.
    Suites,
    /// The course file, a catalogue or a crate: programs may have to be built again.
    Course,
}

impl Watched {
    /// All that a report depends on, and that can be known to do so.
    pub(super) fn all(options: &cli::Score, course: &Course) -> Self {
        let mut paths = vec![options.course.clone()];
        for assignment in &course.assignments {
            paths.push(assignment.mutants.clone());
            if let Program::Cargo(package) = &assignment.program {
                paths.push(package.folder.clone());
            }
        }
        Self { suites: options.folder.clone(), course: paths }
    }
}

/// The changes since this was made.
pub(super) struct Changes {
    events: Receiver<notify::Result<Event>>,
    suites: PathBuf,
    /// What makes the course: a file itself, or all that is in a folder.
    course: Vec<PathBuf>,
    _watcher: RecommendedWatcher,
}

impl Changes {
    /// How long nothing must change before a change is over: an editor writes in several steps.
    const QUIET: Duration = Duration::from_millis(100);
    /// How long one that does not end may take.
    const LONGEST: Duration = Duration::from_secs(2);

    /// From now on, changes are noticed.
    pub(super) fn notice(watched: &Watched) -> Result<Self, Failure> {
        let (sender, events) = channel();
        // A student's link may lead anywhere, and a test is never read through one.
        let config = Config::default().with_follow_symlinks(false);
        let mut watcher = RecommendedWatcher::new(sender, config)
            .map_err(|error| unwatched(&watched.suites, &error))?;
        let mut watch =
            |path: &Path, mode| watcher.watch(path, mode).map_err(|error| unwatched(path, &error));
        let suites = existing(&watched.suites);
        let is_there = suites == whole(&watched.suites);
        watch(
            &suites,
            if is_there { RecursiveMode::Recursive } else { RecursiveMode::NonRecursive },
        )?;
        if let Some(parent) = suites.parent().filter(|_| is_there) {
            // That the folder itself goes, or comes again.
            watch(parent, RecursiveMode::NonRecursive)?;
        }
        let mut course = Vec::new();
        for path in &watched.course {
            let path = whole(path);
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
        Ok(Self { events, suites: whole(&watched.suites), course, _watcher: watcher })
    }

    /// Waits until something has changed, and nothing changes any more.
    pub(super) fn wait(&self) -> Result<Changed, Failure> {
        let mut changed: Option<Changed> = None;
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

    /// What an event is a change of, if it is one that counts.
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
        // What Cargo builds is no part of anything, and changes with every build.
        let holds =
            |part: &Path| path.strip_prefix(part).is_ok_and(|rest| !rest.starts_with("target"));
        let innermost = parts
            .filter(|(part, _)| holds(part))
            .max_by_key(|(part, kind)| (part.components().count(), *kind));
        // A folder around that of the suites may have gone, or come again.
        innermost
            .map(|(_, kind)| kind)
            .or_else(|| self.suites.starts_with(path).then_some(Changed::Suites))
    }
}

/// The path as the system tells it in events.
fn whole(path: &Path) -> PathBuf {
    path.canonicalize().or_else(|_| std::path::absolute(path)).unwrap_or_else(|_| path.to_owned())
}

/// The path, or the folder around it that is there.
fn existing(path: &Path) -> PathBuf {
    let whole = whole(path);
    whole.ancestors().find(|path| path.exists()).unwrap_or(&whole).to_owned()
}

fn unwatched(path: &Path, error: &notify::Error) -> Failure {
    let problem = Problem::new(format!("cannot watch {}: {error}", path.display()));
    let problem = match error.kind {
        notify::ErrorKind::MaxFilesWatch => {
            problem.hint("raise the limit with `sysctl fs.inotify.max_user_watches=…`")
        }
        _ => problem.hint("without --watch, it is scored once"),
    };
    Failure::new(Exit::Machine, problem)
}
