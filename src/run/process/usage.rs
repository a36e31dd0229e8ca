//! What the system reports about processes: their processor time and their number.

use std::fs;
use std::time::Duration;

/// Whether a run that began `elapsed` ago has used up its `time`. While it waits for the processor, only its processor time counts, so
/// that a busy machine takes nothing from it. While it waits for anything else, the wall clock counts.
pub fn is_over(elapsed: Duration, time: Duration, usage: impl Fn() -> Option<Usage>) -> bool {
    const MOST: u32 = 20;
    let has_excuse = || usage().is_some_and(|usage| usage.is_runnable && usage.processor < time);
    elapsed > time && (elapsed > time.saturating_mul(MOST) || !has_excuse())
}

/// What a process has used.
#[derive(Clone, Copy, Debug)]
pub struct Usage {
    pub processor: Duration,
    /// Whether it runs, or waits for the processor.
    pub is_runnable: bool,
}

/// What a process has used, if the system reports it: fields 3, 14 and 15 of its `stat`. The name in parentheses may contain spaces.
pub fn usage(process: u32) -> Option<Usage> {
    let stat = fs::read_to_string(format!("/proc/{process}/stat")).ok()?;
    let mut fields = stat.rsplit_once(')')?.1.split_whitespace();
    let is_runnable = matches!(fields.next()?, "R" | "D");
    let mut times = fields.skip(10).map(str::parse::<u64>);
    let ticks = times.next()?.ok()? + times.next()?.ok()?;
    let processor = Duration::from_millis(ticks * 1000 / rustix::param::clock_ticks_per_second());
    Some(Usage { processor, is_runnable })
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
