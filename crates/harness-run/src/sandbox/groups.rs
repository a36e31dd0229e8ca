//! Control groups, which count and limit what all processes of a run use together. Both versions are known: in the first, each resource
//! has a hierarchy of its own, and in the second, all share one.
//!
//! What a spawner starts inherits its groups. Moving a process waits up to ten milliseconds, so in version 1 only the spawner is moved,
//! once. What making the sandbox cost is in the groups too, so the supervisor waits until the harness has begun to count.

use super::SandboxLimits;
use rustix::process::{Pid, test_kill_process};
use rustix::thread::gettid;
use std::cell::Cell;
use std::fmt;
use std::fs::{self, File};
use std::io;
use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicU64, Ordering};
use std::thread;
use std::time::Duration;

/// Where control groups can be made: for memory, for the number of processes, and for processor time.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct Groups {
    version: Version,
    parents: [PathBuf; 3],
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Version {
    One,
    Two,
}

/// Control groups for one run after the other. They are removed when this is dropped.
pub(super) struct Group {
    version: Version,
    memory: PathBuf,
    processes: PathBuf,
    time: PathBuf,
    /// What was counted before the run.
    before: Cell<Counts>,
    /// The thread that starts the programs, if it is in it, and so is what it starts.
    thread: Option<u32>,
}

/// What the system has counted in a group.
#[derive(Clone, Copy, Default)]
struct Counts {
    time: Duration,
    out_of_memory: u64,
    out_of_processes: u64,
}

/// What the names of all groups begin with. The number of the process that made the group follows, and when that process started, because
/// another one can get the same number.
const PREFIX: &str = "harness-";

impl Groups {
    /// The control groups that this process may make, or why there are none.
    pub(super) fn find() -> Result<Self, String> {
        let read =
            |path: &str| fs::read_to_string(path).map_err(|error| format!("{path}: {error}"));
        let (mounts, own) = (read("/proc/self/mountinfo")?, read("/proc/self/cgroup")?);
        let candidates = [of_version_1(&mounts, &own), of_version_2(&mounts, &own)];
        let root = root_of_version_2(&mounts);
        let mut reason = "this machine has none".to_owned();
        for groups in candidates.into_iter().chain([root]).flatten() {
            groups.remove_abandoned();
            match groups.prepare().and_then(|()| groups.group()?.limit(&SandboxLimits::default())) {
                Ok(()) => return Ok(groups),
                Err(error) => {
                    reason = format!("cannot make one in {}: {error}", groups.parents[0].display());
                }
            }
        }
        Err(reason)
    }

    /// New groups. A number of the process tells them apart, whatever work they are for.
    pub(super) fn group(&self) -> io::Result<Group> {
        static COUNT: AtomicU64 = AtomicU64::new(0);
        let count = COUNT.fetch_add(1, Ordering::Relaxed);
        let own = std::process::id();
        let name = format!("{PREFIX}{own}-{}-{count}", start_of(own).unwrap_or_default());
        let [memory, processes, time] = self.parents.clone().map(|parent| parent.join(&name));
        let before = Cell::default();
        let version = self.version;
        let group = Group { version, memory, processes, time, before, thread: None };
        for folder in group.folders() {
            fs::create_dir(folder)?;
        }
        Ok(group)
    }

    /// Makes sure that the groups in these folders can have limits.
    fn prepare(&self) -> io::Result<()> {
        let [parent, ..] = &self.parents;
        let has_all =
            |list: &str| ["memory", "pids"].iter().all(|it| words(list).any(|w| w == *it));
        let list = parent.join("cgroup.subtree_control");
        if self.version == Version::One || has_all(&fs::read_to_string(&list)?) {
            return Ok(());
        }
        let enable = || fs::write(&list, "+memory +pids");
        enable().or_else(|_| {
            // A group with limited groups in it has no processes of its own.
            let own = parent.join(format!("{PREFIX}{}", std::process::id()));
            fs::create_dir(&own)?;
            let moved = fs::write(own.join("cgroup.procs"), "0").and_then(|()| enable());
            moved.inspect_err(|_| {
                // As it was before, as far as possible.
                let _ = fs::write(parent.join("cgroup.procs"), "0");
                let _ = fs::remove_dir(&own);
            })
        })
    }

    /// Removes the groups of processes that were killed.
    fn remove_abandoned(&self) {
        for entry in self.parents.iter().flat_map(fs::read_dir).flatten().flatten() {
            let name = entry.file_name();
            let maker = name.to_str().and_then(|name| name.strip_prefix(PREFIX));
            let is_abandoned = maker.is_some_and(|maker| !is_running(maker));
            if is_abandoned {
                // Another process may have removed it.
                let _ = fs::remove_dir(entry.path());
            }
        }
    }
}

impl fmt::Display for Groups {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let version = match self.version {
            Version::One => 1,
            Version::Two => 2,
        };
        write!(f, "version {version}: memory, processes and processor time")
    }
}

impl Group {
    /// Moves this thread into the group, so that what it starts is there from the beginning. In version 2, only whole processes can move.
    pub(super) fn join_as_thread(&mut self) -> io::Result<()> {
        if self.version == Version::One {
            // Number 0 is the thread that writes it.
            self.folders().iter().try_for_each(|folder| fs::write(folder.join("tasks"), "0"))?;
            self.thread = Some(gettid().as_raw_nonzero().get().cast_unsigned());
        }
        Ok(())
    }

    /// The lists to which a process writes itself in order to join, unless the thread that starts it has joined.
    pub(super) fn lists(&self) -> io::Result<Vec<File>> {
        if self.thread.is_some() {
            return Ok(Vec::new());
        }
        let open = |folder: &Path| File::options().write(true).open(folder.join("cgroup.procs"));
        self.folders().into_iter().map(open).collect()
    }

    /// Counts from here. What made the sandbox is already in the groups, and is not the program's.
    pub(super) fn start_counting(&self) {
        self.before.set(self.counts());
        if self.version == Version::One {
            // Otherwise, the peak is that of an earlier run.
            let _ = fs::write(self.memory.join("memory.max_usage_in_bytes"), "0");
        }
    }

    fn counts(&self) -> Counts {
        let file = match self.version {
            Version::One => "memory.oom_control",
            Version::Two => "memory.events",
        };
        let out_of_memory = value(&self.memory.join(file), "oom_kill").unwrap_or(0);
        let out_of_processes = value(&self.processes.join("pids.events"), "max").unwrap_or(0);
        Counts { time: self.time().unwrap_or_default(), out_of_memory, out_of_processes }
    }

    fn time(&self) -> Option<Duration> {
        match self.version {
            Version::One => {
                let spent = fs::read_to_string(self.time.join("cpuacct.usage")).ok()?;
                Some(Duration::from_nanos(spent.trim().parse().ok()?))
            }
            Version::Two => {
                value(&self.time.join("cpu.stat"), "usage_usec").map(Duration::from_micros)
            }
        }
    }

    /// The processor time of everything that was in it.
    pub(super) fn cpu(&self) -> Option<Duration> {
        Some(self.time()?.saturating_sub(self.before.get().time))
    }

    /// The most bytes that everything in it held at a time, with the files that the system keeps in memory.
    pub(super) fn peak_memory(&self) -> Option<u64> {
        let file = match self.version {
            Version::One => "memory.max_usage_in_bytes",
            Version::Two => "memory.peak",
        };
        fs::read_to_string(self.memory.join(file)).ok()?.trim().parse().ok()
    }

    /// The processes and threads of the run.
    pub(super) fn processes(&self) -> Vec<u32> {
        let file = match self.version {
            Version::One => "tasks",
            Version::Two => "cgroup.procs",
        };
        let list = fs::read_to_string(self.processes.join(file)).unwrap_or_default();
        let numbers = words(&list).filter_map(|number| number.parse().ok());
        numbers.filter(|number| Some(*number) != self.thread).collect()
    }

    /// Whether the system has ended a process for lack of memory.
    pub(super) fn has_run_out_of_memory(&self) -> bool {
        self.counts().out_of_memory > self.before.get().out_of_memory
    }

    /// Whether a process could not be started because there were too many.
    pub(super) fn has_run_out_of_processes(&self) -> bool {
        self.counts().out_of_processes > self.before.get().out_of_processes
    }

    /// Sets the limits of the next run.
    pub(super) fn limit(&self, limits: &SandboxLimits) -> io::Result<()> {
        /// The thread that starts the sandbox, bubblewrap, and the supervisor.
        const OWN: u64 = 3;
        let memory = |file: &str, value: u64| fs::write(self.memory.join(file), value.to_string());
        match self.version {
            Version::One => {
                // Not every system counts what is swapped out. That limit is never below the other one.
                let _ = memory("memory.memsw.limit_in_bytes", limits.memory);
                memory("memory.limit_in_bytes", limits.memory)?;
                let _ = memory("memory.memsw.limit_in_bytes", limits.memory);
            }
            Version::Two => {
                memory("memory.max", limits.memory)?;
                // Not every system can swap.
                let _ = memory("memory.swap.max", 0);
            }
        }
        fs::write(self.processes.join("pids.max"), (limits.processes + OWN).to_string())
    }

    /// Each folder once.
    fn folders(&self) -> Vec<&Path> {
        match self.version {
            Version::One => vec![&self.memory, &self.processes, &self.time],
            Version::Two => vec![&self.memory],
        }
    }
}

impl Drop for Group {
    fn drop(&mut self) {
        for folder in self.folders() {
            // A process that has just been reaped may still be in it for a moment.
            for _ in 0..20 {
                if fs::remove_dir(folder).is_ok() || !folder.exists() {
                    break;
                }
                thread::sleep(Duration::from_millis(5));
            }
        }
    }
}

fn of_version_1(mounts: &str, own: &str) -> Option<Groups> {
    let folder = |controller: &str| {
        let has_it = |list: &str| list.split(',').any(|it| it == controller);
        let path = own.lines().find_map(|line| {
            let mut fields = line.splitn(3, ':').skip(1);
            fields.next().filter(|list| has_it(list))?;
            fields.next()
        })?;
        mounts.lines().filter_map(Mount::parse).find_map(|mount| {
            (mount.kind == "cgroup" && has_it(mount.options)).then(|| mount.folder(path))
        })
    };
    let parents = [folder("memory")?, folder("pids")?, folder("cpuacct")?];
    Some(Groups { version: Version::One, parents })
}

fn of_version_2(mounts: &str, own: &str) -> Option<Groups> {
    let path = own.lines().find_map(|line| line.strip_prefix("0::"))?;
    Some(version_2_in(&unified(mounts)?.folder(path)))
}

/// Root may make groups at the top.
fn root_of_version_2(mounts: &str) -> Option<Groups> {
    Some(version_2_in(Path::new(unified(mounts)?.place)))
}

fn unified(mounts: &str) -> Option<Mount<'_>> {
    mounts.lines().filter_map(Mount::parse).find(|mount| mount.kind == "cgroup2")
}

fn version_2_in(folder: &Path) -> Groups {
    Groups { version: Version::Two, parents: [folder, folder, folder].map(Path::to_owned) }
}

/// A line of `mountinfo`.
struct Mount<'a> {
    root: &'a str,
    place: &'a str,
    kind: &'a str,
    options: &'a str,
}

impl<'a> Mount<'a> {
    fn parse(line: &'a str) -> Option<Self> {
        let (before, after) = line.split_once(" - ")?;
        let (mut before, mut after) = (before.split(' ').skip(3), after.split(' '));
        let (root, place) = (before.next()?, before.next()?);
        Some(Self { root, place, kind: after.next()?, options: after.nth(1)? })
    }

    /// The folder of the group `path` of the hierarchy.
    fn folder(&self, path: &str) -> PathBuf {
        let inside = path.strip_prefix(self.root.trim_end_matches('/')).unwrap_or(path);
        Path::new(self.place).join(inside.trim_start_matches('/'))
    }
}

/// Whether the process runs whose number, and perhaps start, stand at the beginning of `maker`.
fn is_running(maker: &str) -> bool {
    let mut parts = maker.split('-');
    let Some(number) = parts.next().and_then(|number| number.parse().ok()) else { return true };
    let is_there = Pid::from_raw(number)
        .is_none_or(|number| test_kill_process(number) != Err(rustix::io::Errno::SRCH));
    let (made, runs) = (parts.next(), start_of(number.cast_unsigned()));
    is_there && (made.is_none() || runs.is_none() || made == runs.as_deref())
}

/// When a process started, as the system counts it.
fn start_of(process: u32) -> Option<String> {
    let stat = fs::read_to_string(format!("/proc/{process}/stat")).ok()?;
    // The name in parentheses may contain spaces.
    stat.rsplit_once(')')?.1.split_whitespace().nth(19).map(str::to_owned)
}

/// The number behind `key` in a file of lines with a key and a number.
fn value(file: &Path, key: &str) -> Option<u64> {
    let text = fs::read_to_string(file).ok()?;
    let line = text.lines().find_map(|line| line.strip_prefix(key)?.strip_prefix(' '))?;
    line.trim().parse().ok()
}

fn words(text: &str) -> impl Iterator<Item = &str> {
    text.split_whitespace()
}

#[cfg(test)]
mod tests {
    use super::*;

    const VERSION_1: &str = "\
31 23 0:28 / /sys/fs/cgroup rw - tmpfs tmpfs rw,mode=755
33 31 0:30 / /sys/fs/cgroup/cpu,cpuacct rw,relatime - cgroup cgroup rw,cpu,cpuacct
35 31 0:32 / /sys/fs/cgroup/memory rw,relatime - cgroup cgroup rw,memory
39 31 0:36 /docker/a /sys/fs/cgroup/pids rw,relatime shared:3 - cgroup cgroup rw,pids
41 31 0:38 / /sys/fs/cgroup/unified rw,relatime - cgroup2 cgroup2 rw
";

    #[test]
    fn the_groups_of_version_1_are_found_in_three_hierarchies() {
        let own = "8:pids:/docker/a\n4:memory:/user/b\n1:cpu,cpuacct:/\n0::/\n";
        let parents = ["memory/user/b", "pids", "cpu,cpuacct"];
        let parents = parents.map(|name| Path::new("/sys/fs/cgroup").join(name));
        assert_eq!(of_version_1(VERSION_1, own), Some(Groups { version: Version::One, parents }));
        assert_eq!(of_version_1(VERSION_1, "0::/\n"), None);
    }

    #[test]
    fn the_groups_of_version_2_are_below_that_of_the_process() {
        let mounts = "26 22 0:24 / /sys/fs/cgroup rw shared:4 - cgroup2 cgroup2 rw,nsdelegate\n";
        let own = "0::/user.slice/user-1000.slice/run.scope\n";
        let folder = Path::new("/sys/fs/cgroup/user.slice/user-1000.slice/run.scope");
        assert_eq!(of_version_2(mounts, own), Some(version_2_in(folder)));
        assert_eq!(of_version_1(mounts, own), None);
    }

    #[test]
    fn a_group_is_abandoned_if_its_maker_is_gone_even_if_its_number_is_used_again() {
        let own = std::process::id();
        let start = start_of(own).unwrap();
        assert!(is_running(&format!("{own}-{start}-0")) && is_running(&own.to_string()));
        assert!(!is_running(&format!("{own}-{start}1-0")) && !is_running("2000000000-1-0"));
    }

    #[test]
    fn numbers_are_found_behind_their_keys() {
        let folder = tempfile::tempdir().unwrap();
        let file = folder.path().join("memory.events");
        fs::write(&file, "oom 3\noom_kill 2\noom_group_kill 0\n").unwrap();
        assert_eq!(value(&file, "oom_kill"), Some(2));
        assert_eq!(value(&file, "oom_killed"), None);
    }
}
