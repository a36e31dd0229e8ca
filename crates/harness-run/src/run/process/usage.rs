//! What the system reports about processes: their processor time and their number.

use std::collections::BTreeMap;
use std::fs;
use std::sync::LazyLock;
use std::time::{Duration, Instant};

/// The time that a run is charged with: its processor time, and the time that it sleeps. While it waits for the processor or a disk, it
/// is charged with nothing, so that a busy machine takes no time from it.
pub struct Charge {
    start: Instant,
    /// The processor time that was used before the run.
    before: Duration,
    last: Look,
    asleep: Duration,
}

/// One look at the run.
#[derive(Clone, Copy)]
struct Look {
    at: Instant,
    processor: Duration,
}

impl Charge {
    /// A run waits for a busy machine at most this many times its own time.
    const MOST: u32 = 200;
    /// The longest time that one look charges as sleep. More time than this may have passed because the harness had to wait.
    const LONGEST: Duration = Duration::from_millis(250);
    /// The least and the longest time between two looks.
    const LOOK: [Duration; 2] = [Duration::from_millis(5), Duration::from_millis(100)];

    /// A run that begins now, by a process that has used `before`.
    pub fn new(before: Duration) -> Self {
        let start = Instant::now();
        Self { start, before, last: Look { at: start, processor: before }, asleep: Duration::ZERO }
    }

    /// Looks at the run, unless it was looked at a moment ago, and tells whether it has used up its `time`. If the system does not
    /// report what it has used, the wall clock counts.
    pub fn is_over(&mut self, time: Duration, usage: impl FnOnce() -> Option<Usage>) -> bool {
        let now = Instant::now();
        let passed = now - self.last.at;
        // The first looks follow each other soon, so that a short run cannot sleep for long between two.
        let longest = (time / 50).clamp(Self::LOOK[0], Self::LOOK[1]);
        if passed < (self.last.at - self.start).clamp(Self::LOOK[0], longest) {
            return false;
        }
        let usage = usage().unwrap_or(Usage { processor: self.last.processor, is_runnable: false });
        if !usage.is_runnable {
            let worked = usage.processor.saturating_sub(self.last.processor);
            self.asleep += passed.min(Self::LONGEST).saturating_sub(worked);
        }
        self.last = Look { at: now, processor: usage.processor.max(self.last.processor) };
        let charged = self.asleep + self.last.processor.saturating_sub(self.before);
        charged >= time || now - self.start > time.saturating_mul(Self::MOST)
    }

    /// What a run is charged with that has used this in the end. Nobody knows whether it slept or waited for the processor since the last
    /// look, so that little of that time counts.
    pub fn charged(&self, usage: Option<Usage>) -> Duration {
        let processor =
            usage.map_or(self.last.processor, |it| it.processor.max(self.last.processor));
        let worked = processor.saturating_sub(self.last.processor);
        let unknown = self.last.at.elapsed().saturating_sub(worked).min(Self::LOOK[0]);
        self.asleep + processor.saturating_sub(self.before) + unknown
    }
}

/// What a process has used.
#[derive(Clone, Copy, Debug)]
pub struct Usage {
    pub processor: Duration,
    /// Whether it runs, or waits for the processor.
    pub is_runnable: bool,
}

/// What a process has used, if the system reports it.
pub fn usage(process: u32) -> Option<Usage> {
    Some(Stat::read(process)?.usage())
}

/// What a process that runs or waits for the processor has used, or else what its tree has used.
pub(super) fn usage_of_run(root: u32) -> Option<Usage> {
    usage(root).filter(|usage| usage.is_runnable).or_else(|| usage_of_tree(root))
}

/// What a process, its descendants, and those that have ended have used together. A supervisor or a shell sleeps while its child is busy.
pub fn usage_of_tree(root: u32) -> Option<Usage> {
    whole_tree(root).into_iter().map(|stat| stat.usage_with_ended()).reduce(|sum, usage| Usage {
        processor: sum.processor + usage.processor,
        is_runnable: sum.is_runnable || usage.is_runnable,
    })
}

/// The number of a process and its descendants.
pub(super) fn processes_in_tree(root: u32) -> u64 {
    whole_tree(root).len() as u64
}

/// The children of a process with one thread, if the system lists them.
pub(super) fn children(process: u32) -> Vec<u32> {
    let list = fs::read_to_string(format!("/proc/{process}/task/{process}/children"));
    list.unwrap_or_default().split_whitespace().filter_map(|id| id.parse().ok()).collect()
}

fn whole_tree(root: u32) -> Vec<Stat> {
    if lists_children() { tree(root) } else { tree_among_all(root) }
}

/// Whether the system lists the children of each process, so that a tree is found without a look at all other processes. It
/// does so for every process, or for none.
fn lists_children() -> bool {
    static LISTS: LazyLock<bool> =
        LazyLock::new(|| fs::exists("/proc/thread-self/children").unwrap_or(false));
    *LISTS
}

/// A process and its descendants.
fn tree(root: u32) -> Vec<Stat> {
    let (mut waiting, mut tree) = (vec![root], Vec::new());
    while let Some(process) = waiting.pop() {
        let Some(stat) = Stat::read(process) else { continue };
        tree.push(stat);
        let threads = fs::read_dir(format!("/proc/{process}/task")).into_iter().flatten().flatten();
        let lists = threads.filter_map(|it| fs::read_to_string(it.path().join("children")).ok());
        for list in lists {
            waiting.extend(list.split(' ').filter_map(|id| id.parse::<u32>().ok()));
        }
    }
    tree
}

/// The same from the list of all processes.
fn tree_among_all(root: u32) -> Vec<Stat> {
    let Ok(entries) = fs::read_dir("/proc") else { return Vec::new() };
    let names = entries.flatten().map(|entry| entry.file_name());
    let processes = names.filter_map(|name| name.to_str()?.parse().ok());
    let mut all: BTreeMap<_, _> = processes.filter_map(|id| Some((id, Stat::read(id)?))).collect();
    let is_in_tree = |&id: &u32| {
        let mut above = std::iter::successors(Some(id), |id| Some(all.get(id)?.parent));
        // Numbers that are used again meanwhile could form a circle.
        (0..all.len()).map_while(|_| above.next()).any(|id| id == root)
    };
    let in_tree: Vec<_> = all.keys().copied().filter(is_in_tree).collect();
    in_tree.iter().filter_map(|id| all.remove(id)).collect()
}

/// Whether any of these processes runs, or waits for the processor or a disk.
pub fn is_any_runnable(processes: &[u32]) -> bool {
    processes.iter().filter_map(|&process| Stat::read(process)).any(|stat| stat.is_runnable)
}

/// Some fields of a process's `stat`.
struct Stat {
    is_runnable: bool,
    parent: u32,
    processor: Duration,
    /// The processor time of its children that have ended.
    ended: Duration,
}

impl Stat {
    /// Fields 3, 4, and 14 to 17. The name in parentheses may contain spaces.
    fn read(process: u32) -> Option<Self> {
        let stat = fs::read_to_string(format!("/proc/{process}/stat")).ok()?;
        let fields: Vec<_> = stat.rsplit_once(')')?.1.split_whitespace().collect();
        let time = |at: usize| {
            let ticks =
                fields.get(at)?.parse::<u64>().ok()? + fields.get(at + 1)?.parse::<u64>().ok()?;
            let second = rustix::param::clock_ticks_per_second();
            Some(Duration::from_millis(ticks * 1000 / second))
        };
        let has_threads = fields.get(17).is_some_and(|count| *count != "1");
        Some(Self {
            is_runnable: is_runnable(&stat) || has_threads && has_runnable_thread(process),
            parent: fields.get(1)?.parse().ok()?,
            processor: time(11)?,
            ended: time(13)?,
        })
    }

    fn usage(&self) -> Usage {
        Usage { processor: self.processor, is_runnable: self.is_runnable }
    }

    /// With what its children used that have ended.
    fn usage_with_ended(&self) -> Usage {
        Usage { processor: self.processor + self.ended, ..self.usage() }
    }
}

/// Whether a process or thread with this `stat` runs, or waits for the processor or a disk.
fn is_runnable(stat: &str) -> bool {
    is_in_state(stat, ['R', 'D'])
}

/// Whether a process is stopped, for example by one that traces it.
pub(super) fn is_stopped(process: u32) -> bool {
    let stat = fs::read_to_string(format!("/proc/{process}/stat"));
    stat.is_ok_and(|stat| is_in_state(&stat, ['T', 't']))
}

/// Whether the state in this `stat` is one of these letters.
fn is_in_state(stat: &str, states: [char; 2]) -> bool {
    stat.rsplit_once(") ").is_some_and(|(_, rest)| rest.starts_with(states))
}

/// Whether any thread runs. The state of a process is that of its first thread, which waits for the others in Java.
fn has_runnable_thread(process: u32) -> bool {
    let threads = fs::read_dir(format!("/proc/{process}/task")).into_iter().flatten().flatten();
    let mut stats =
        threads.filter_map(|thread| fs::read_to_string(thread.path().join("stat")).ok());
    stats.any(|stat| is_runnable(&stat))
}

/// The number of threads in the whole system, after the slash in field 4 of `loadavg`. 0 if it cannot be read.
pub(super) fn threads_of_the_system() -> u64 {
    let load = fs::read_to_string("/proc/loadavg").unwrap_or_default();
    load.split_whitespace()
        .nth(3)
        .and_then(|field| field.split_once('/')?.1.parse().ok())
        .unwrap_or(0)
}

/// The number of processes of the group that are alive, as far as the system reports them.
pub(super) fn processes_in_group(group: u32) -> u64 {
    let Ok(processes) = fs::read_dir("/proc") else { return 0 };
    let in_group = |entry: &fs::DirEntry| {
        let is_process =
            entry.file_name().as_encoded_bytes().first().is_some_and(u8::is_ascii_digit);
        // The state, the parent and the group follow the name in parentheses.
        let group_of =
            |stat: String| stat.rsplit_once(')')?.1.split_whitespace().nth(2)?.parse::<u32>().ok();
        is_process
            && fs::read_to_string(entry.path().join("stat")).ok().and_then(group_of) == Some(group)
    };
    processes.flatten().filter(in_group).count() as u64
}

#[cfg(test)]
mod tests {
    use super::*;
    use rustix::process::{Pid, Signal, kill_process_group};
    use std::os::unix::process::CommandExt;
    use std::process::Command;

    #[test]
    fn little_is_charged_of_time_that_nobody_looked_at() {
        let mut charge = Charge::new(Duration::from_secs(1));
        std::thread::sleep(Duration::from_millis(100));
        assert_eq!(charge.charged(None), Duration::from_millis(5));
        let used = Usage { processor: Duration::from_secs(3), is_runnable: false };
        assert_eq!(charge.charged(Some(used)), Duration::from_secs(2));
        assert!(
            !charge.is_over(Duration::from_secs(9), || Some(Usage { is_runnable: true, ..used }))
        );
        assert!(charge.charged(Some(used)) >= Duration::from_secs(2));
        assert!(charge.charged(Some(used)) <= Duration::from_millis(2005));
    }

    #[test]
    fn a_supervisor_that_sleeps_while_its_child_is_busy_is_busy() {
        let mut command = Command::new("sh");
        let command = command.args(["-c", "while :; do :; done & wait"]).process_group(0);
        let mut supervisor = command.spawn().unwrap();
        let (id, start) = (supervisor.id(), Instant::now());
        let is_busy = |usage: Option<Usage>| {
            usage.is_some_and(|usage| usage.is_runnable && usage.processor > Duration::ZERO)
        };
        while !is_busy(usage_of_tree(id)) && start.elapsed() < Duration::from_secs(60) {
            std::thread::sleep(Duration::from_millis(20));
        }
        let (whole, alone) = (usage_of_tree(id), usage(id));
        let sizes = [tree(id), tree_among_all(id)].map(|stats| stats.len());
        kill_process_group(Pid::from_child(&supervisor), Signal::KILL).unwrap();
        supervisor.wait().unwrap();
        assert!(is_busy(whole) && !is_busy(alone), "{whole:?} {alone:?}");
        assert_eq!(sizes[1], 2, "the supervisor and its child");
        assert!(!lists_children() || sizes[0] == 2, "{sizes:?}");
    }
}
