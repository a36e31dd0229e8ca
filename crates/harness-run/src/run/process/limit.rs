//! The limits under which a program starts, and what keeps the system from setting them.

use super::obstacle::Obstacle;
use super::usage::threads_of_the_system;
use crate::diagnostic::Problem;
use rustix::io::Errno;
use rustix::process::{
    Pid, Resource, Rlimit, Signal, getpid, getpriority_process, getrlimit, setpriority_process,
    setrlimit,
};
use std::io;
use std::os::unix::process::CommandExt;
use std::process::Command;

/// The priority of programs: lower than that of the harness, which must get the processor even if a program has started many processes.
const NICE: i32 = 10;

/// Gives this process the priority of programs. A harness that was started with `nice` may have a lower one already, which only root may
/// raise.
pub fn step_back() -> io::Result<()> {
    if getpriority_process(None)? < NICE {
        setpriority_process(None, NICE)?;
    }
    Ok(())
}

/// Makes `command` start in a process group of its own, with limits on memory, file size and processes, and without core dumps. It ends
/// with the thread that starts it, even if the harness is killed.
pub fn limit(command: &mut Command, memory: u64, file_size: u64, processes: u64) {
    // The system counts all processes of a user, and none of root. This limit is the last resort; `Run` counts the processes.
    let all_processes = with_others(processes);
    let set = move |resource, most| {
        setrlimit(resource, Rlimit { current: Some(most), maximum: Some(most) })
    };
    let harness = getpid();
    command.process_group(0);
    #[expect(
        unsafe_code,
        reason = "limits must hold from the program's first instruction; setrlimit is async-signal-safe"
    )]
    // SAFETY: between fork and exec the closure only makes system calls and allocates nothing.
    unsafe {
        command.pre_exec(move || {
            end_with_parent(harness)?;
            set(Resource::As, memory)?;
            set(Resource::Fsize, file_size)?;
            set(Resource::Core, 0)?;
            set(Resource::Nproc, all_processes)?;
            step_back()
        });
    }
}

/// Makes `command` start in a process group of its own, without core dumps and at a lower priority. It ends with the thread that starts it.
/// Somebody else limits what it starts.
pub(super) fn detach(command: &mut Command) {
    let harness = getpid();
    command.process_group(0);
    #[expect(unsafe_code, reason = "the program must end with this thread from its first moment")]
    // SAFETY: between fork and exec the closure only makes system calls and allocates nothing.
    unsafe {
        command.pre_exec(move || {
            end_with_parent(harness)?;
            setrlimit(Resource::Core, Rlimit { current: Some(0), maximum: Some(0) })?;
            step_back()
        });
    }
}

/// So many processes more than there are now: the system counts all processes of a user.
pub fn with_others(processes: u64) -> u64 {
    let all = threads_of_the_system() + processes;
    getrlimit(Resource::Nproc).maximum.map_or(all, |most| most.min(all))
}

/// The error of a program that cannot start under these limits. If the harness itself runs under a lower limit, which only root may
/// raise, the error names it. The lower limit is not used instead, because programs would then run out of memory earlier.
pub fn refused(error: io::Error, memory: u64, file_size: u64) -> io::Error {
    if error.raw_os_error() != Some(Errno::PERM.raw_os_error()) {
        return error;
    }
    let wanted = [
        (Resource::As, "memory", "memory_mb", "ulimit -v", memory),
        (Resource::Fsize, "output", "output_kb", "ulimit -f", file_size),
    ];
    for (resource, what, key, command, wanted) in wanted {
        if let Some(most) = getrlimit(resource).maximum.filter(|&most| most < wanted) {
            let (most, wanted) = (most >> 10, wanted >> 10);
            let message = format!(
                "programs need a limit of {wanted} KB of {what}, but `{command}` limits this shell to {most} KB"
            );
            let hint = format!(
                "start `harness` from a shell without that limit, or lower `{key}` under `run:` in the course file"
            );
            return Obstacle(Problem::new(message).hint(hint)).into();
        }
    }
    error
}

/// Asks the system to end this process when its parent ends. Fails if the parent has ended already.
fn end_with_parent(parent: Pid) -> io::Result<()> {
    rustix::process::set_parent_process_death_signal(Some(Signal::KILL))?;
    // In a PID namespace, a parent outside it has no number.
    match rustix::process::getppid() {
        Some(other) if other != parent => Err(io::ErrorKind::NotFound.into()),
        _ => Ok(()),
    }
}
