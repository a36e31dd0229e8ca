//! What the system tells of processes: what they have used of the machine, and how many there are.

use std::fs;
use std::time::Duration;

/// Whether a run that began `elapsed` ago has had its `time`. While it waits for the processor only what it got of it counts, so that
/// a busy machine takes nothing from it; one that waits for anything else has no such excuse.
pub fn is_over(elapsed: Duration, time: Duration, usage: impl Fn() -> Option<Usage>) -> bool {
    const MOST: u32 = 20;
    let has_excuse = || usage().is_some_and(|usage| usage.is_runnable && usage.processor < time);
    elapsed > time && (elapsed > time.saturating_mul(MOST) || !has_excuse())
}

/// What a process has had of the machine.
#[derive(Clone, Copy, Debug)]
pub struct Usage {
    /// Processor time.
    pub processor: Duration,
    /// Whether it runs, or would if it could.
    pub is_runnable: bool,
}

/// What a process has used, where the system tells: the third field, and the 14th and 15th, behind the name in parentheses.
pub fn usage(process: u32) -> Option<Usage> {
    let stat = fs::read_to_string(format!("/proc/{process}/stat")).ok()?;
    let mut fields = stat.rsplit_once(')')?.1.split_whitespace();
    let is_runnable = matches!(fields.next()?, "R" | "D");
    let mut times = fields.skip(10).map(str::parse::<u64>);
    let ticks = times.next()?.ok()? + times.next()?.ok()?;
    let processor = Duration::from_millis(ticks * 1000 / rustix::param::clock_ticks_per_second());
    Some(Usage { processor, is_runnable })
}

/// How many threads the whole system has: the number behind the slash in the fourth field. 0 where it can't be told.
pub(super) fn threads_of_the_system() -> u64 {
    let load = fs::read_to_string("/proc/loadavg").unwrap_or_default();
    load.split_whitespace()
        .nth(3)
        .and_then(|field| field.split_once('/')?.1.parse().ok())
        .unwrap_or(0)
}

/// How many processes of the group are alive, as far as the system tells.
pub(super) fn processes_in_group(group: u32) -> u64 {
    let Ok(processes) = fs::read_dir("/proc") else { return 0 };
    let in_group = |entry: &fs::DirEntry| {
        let is_process =
            entry.file_name().as_encoded_bytes().first().is_some_and(u8::is_ascii_digit);
        // After the name in parentheses come the state, the parent and the group.
        let group_of =
            |stat: String| stat.rsplit_once(')')?.1.split_whitespace().nth(2)?.parse::<u32>().ok();
        is_process
            && fs::read_to_string(entry.path().join("stat")).ok().and_then(group_of) == Some(group)
    };
    processes.flatten().filter(in_group).count() as u64
}
