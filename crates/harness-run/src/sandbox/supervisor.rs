//! The first process in a sandbox. It starts the program as an ordinary user under limits, ends what the program leaves behind, and
//! reports what all of it used.
//!
//! It is this program again. The program that it guards can neither end it nor read or write its memory: it is the first process of a
//! PID namespace, it is not dumpable, and if possible it belongs to another user. Instead of a program it can guard a porter, which is this
//! program too: a child that goes on without becoming another program saves the time of starting one.

use super::filter;
use crate::run::process::{serve_as_porter, step_back};
use rustix::fd::RawFd;
use rustix::io::{Errno, FdFlags, fcntl_getfd, fcntl_setfd};
use rustix::process::{
    DumpableBehavior, Gid, Pid, Resource, Rlimit, Signal, Uid, WaitOptions, getpid,
    kill_process_group, set_dumpable_behavior, setrlimit, wait,
};
use rustix::thread::{set_no_new_privs, set_thread_groups, set_thread_res_gid, set_thread_res_uid};
use serde::{Deserialize, Serialize};
use std::fs::File;
use std::io::{self, Read, Write};
use std::mem::ManuallyDrop;
use std::os::fd::FromRawFd;
use std::os::unix::process::CommandExt;
use std::path::PathBuf;
use std::process::Command;
use std::time::Duration;
use std::{env, fs, mem};

/// The variable that makes this program a supervisor. It holds the orders.
pub(super) const VARIABLE: &str = "HARNESS_SUPERVISOR";

/// What the supervisor has to do. The command follows on its command line. Without one, it starts a porter.
#[derive(Serialize, Deserialize)]
pub(super) struct Orders {
    /// Where the report is written.
    pub(super) report: RawFd,
    /// Where a byte says that the program may start. Without it, the program starts at once, and the report is only its status: four
    /// bytes, as `run` reads them.
    pub(super) go: Option<RawFd>,
    pub(super) folder: PathBuf,
    pub(super) variables: Vec<(String, String)>,
    /// The number of the user and of the group, unless they stay.
    pub(super) user: Option<u32>,
    pub(super) limits: Vec<(LimitKind, u64)>,
    /// Whether the program may start no other process.
    pub(super) is_alone: bool,
}

/// A limit that the system sets on each process.
#[derive(Clone, Copy, Serialize, Deserialize)]
pub(super) enum LimitKind {
    AddressSpace,
    File,
    Locked,
    OpenFiles,
    Processes,
    Queues,
    Stack,
    Time,
}

/// What the supervisor says once the program has ended, or cannot be started.
#[derive(Serialize, Deserialize)]
pub(super) enum Report {
    NotStarted(String),
    Ended {
        /// As the system gives it.
        status: i32,
        cpu: Duration,
        peak_memory: u64,
    },
}

/// The first byte that a supervisor writes. What follows it, after the program was allowed to start, is the report.
pub(super) const ARRIVED: u8 = b'!';

/// Does the work of a supervisor and ends the process, if it was started as one.
pub(super) fn serve_if_asked() {
    let Some(orders) = env::var(VARIABLE).ok() else { return };
    let served = serde_json::from_str(&orders).map_err(io::Error::from).and_then(|it| serve(&it));
    std::process::exit(i32::from(served.is_err()));
}

fn serve(orders: &Orders) -> io::Result<()> {
    set_dumpable_behavior(DumpableBehavior::NotDumpable)?;
    let mut report = inherited(orders.report);
    close_for_the_program()?;
    let Some(go) = orders.go else { return report.write_all(&status(start(orders))?) };
    report.write_all(&[ARRIVED])?;
    inherited(go).read_exact(&mut [0])?;
    let said = match start(orders) {
        Ok(program) => watch(program)?,
        Err(error) => Report::NotStarted(error.to_string()),
    };
    report.write_all(&serde_json::to_vec(&said)?)
}

/// The status of a program that was started, or the negative number of the error.
fn status(started: io::Result<Pid>) -> io::Result<[u8; 4]> {
    let status = match started.map(watch) {
        Ok(Ok(Report::Ended { status, .. })) => status,
        Ok(Ok(Report::NotStarted(_))) => -Errno::NOENT.raw_os_error(),
        Ok(Err(error)) => return Err(error),
        Err(error) => -error.raw_os_error().unwrap_or(Errno::INVAL.raw_os_error()),
    };
    Ok(status.to_ne_bytes())
}

/// Lets no program inherit what is open here, except its streams.
fn close_for_the_program() -> io::Result<()> {
    for fd in open_files()? {
        fcntl_setfd(&*inherited(fd), FdFlags::CLOEXEC)?;
    }
    Ok(())
}

/// What is open beside the streams.
fn open_files() -> io::Result<Vec<RawFd>> {
    let mut open = Vec::new();
    for entry in fs::read_dir("/proc/self/fd")? {
        open.extend(entry?.file_name().to_str().and_then(|name| name.parse::<RawFd>().ok()));
    }
    // That folder was open too.
    open.retain(|&fd| fd > 2 && fcntl_getfd(&*inherited(fd)).is_ok());
    Ok(open)
}

/// A file that was open when this process started.
fn inherited(fd: RawFd) -> ManuallyDrop<File> {
    #[expect(unsafe_code, reason = "the numbers of the inherited files come with the orders")]
    // SAFETY: the harness left it open for this process, which never closes it.
    ManuallyDrop::new(unsafe { File::from_raw_fd(fd) })
}

/// Starts the program, or a porter.
fn start(orders: &Orders) -> io::Result<Pid> {
    let mut words = env::args_os().skip(1);
    let Some(program) = words.next() else { return start_porter(orders) };
    let mut command = Command::new(program);
    command.args(words).current_dir(&orders.folder).env_clear();
    command.envs(orders.variables.iter().map(|(name, value)| (name, value)));
    let (user, limits) = (orders.user, orders.limits.clone());
    let alone = if orders.is_alone { Some(filter::alone()?) } else { None };
    #[expect(unsafe_code, reason = "limits must hold from the program's first instruction")]
    // SAFETY: between fork and exec the closure only makes system calls and allocates nothing.
    unsafe {
        command.pre_exec(move || {
            step_down(user, &limits)?;
            match alone.as_ref().map(|filter| seccompiler::apply_filter(filter)) {
                None | Some(Ok(())) => Ok(()),
                Some(Err(_)) => Err(io::Error::last_os_error()),
            }
        });
    }
    command.spawn().map(|child| Pid::from_child(&child))
}

/// Starts a child of this process that is a porter.
fn start_porter(orders: &Orders) -> io::Result<Pid> {
    #[expect(unsafe_code, reason = "no other call makes a process that goes on here")]
    // SAFETY: this process has one thread.
    let child = unsafe { libc::fork() };
    match child {
        -1 => Err(io::Error::last_os_error()),
        0 => {
            let ready = become_porter(orders);
            // Without a porter, the harness reads no reply.
            std::process::exit(i32::from(ready.and_then(|()| serve_as_porter()).is_err()));
        }
        child => Pid::from_raw(child).ok_or_else(|| io::ErrorKind::InvalidData.into()),
    }
}

/// Gives this process what it would have if it had been started with the orders.
fn become_porter(orders: &Orders) -> io::Result<()> {
    for fd in open_files()? {
        #[expect(unsafe_code, reason = "they are known by their numbers only")]
        // SAFETY: a porter uses only its streams.
        unsafe {
            rustix::io::close(fd);
        }
    }
    step_down(orders.user, &orders.limits)?;
    env::set_current_dir(&orders.folder)?;
    #[expect(unsafe_code, reason = "the programs of a porter have its environment")]
    // SAFETY: this process has one thread.
    unsafe {
        env::remove_var(VARIABLE);
        orders.variables.iter().for_each(|(name, value)| env::set_var(name, value));
    }
    Ok(())
}

/// Makes this process an ordinary one, before it does what the program wants.
fn step_down(user: Option<u32>, limits: &[(LimitKind, u64)]) -> io::Result<()> {
    step_back()?;
    set_no_new_privs(true)?;
    user.map_or(Ok(()), become_user)?;
    limits.iter().try_for_each(|&(kind, most)| set(kind, most))
}

fn become_user(id: u32) -> io::Result<()> {
    let (user, group) = (Uid::from_raw(id), Gid::from_raw(id));
    set_thread_groups(&[])?;
    set_thread_res_gid(group, group, group)?;
    Ok(set_thread_res_uid(user, user, user)?)
}

fn set(kind: LimitKind, most: u64) -> io::Result<()> {
    let resource = match kind {
        LimitKind::AddressSpace => Resource::As,
        LimitKind::File => Resource::Fsize,
        LimitKind::Locked => Resource::Memlock,
        LimitKind::OpenFiles => Resource::Nofile,
        LimitKind::Processes => Resource::Nproc,
        LimitKind::Queues => Resource::Msgqueue,
        LimitKind::Stack => Resource::Stack,
        LimitKind::Time => Resource::Cpu,
    };
    Ok(setrlimit(resource, Rlimit { current: Some(most), maximum: Some(most) })?)
}

/// Waits until the program ends, and ends what it left behind.
fn watch(program: Pid) -> io::Result<Report> {
    let status = loop {
        match wait(WaitOptions::empty()) {
            Ok(Some((process, status))) if process == program => break status.as_raw(),
            Ok(_) | Err(Errno::INTR) => {}
            Err(error) => return Err(error.into()),
        }
    };
    // Outside a PID namespace, the signal would reach every process of the user.
    if getpid() == Pid::INIT {
        while kill_process_group(Pid::INIT, Signal::KILL) != Err(Errno::SRCH) {
            while let Ok(Some(_)) = wait(WaitOptions::empty()) {}
        }
    }
    let (cpu, peak_memory) = used_by_children()?;
    Ok(Report::Ended { status, cpu, peak_memory })
}

/// The processor time of all reaped children and of theirs, and the peak memory of the largest.
fn used_by_children() -> io::Result<(Duration, u64)> {
    #[expect(unsafe_code, reason = "`rustix` has no `getrusage`")]
    // SAFETY: the system fills in the structure, of which zeros are a valid value.
    let usage = unsafe {
        let mut usage: libc::rusage = mem::zeroed();
        if libc::getrusage(libc::RUSAGE_CHILDREN, &raw mut usage) != 0 {
            return Err(io::Error::last_os_error());
        }
        usage
    };
    let time = |time: libc::timeval| {
        Duration::from_secs(time.tv_sec as u64) + Duration::from_micros(time.tv_usec as u64)
    };
    Ok((time(usage.ru_utime) + time(usage.ru_stime), usage.ru_maxrss as u64 * 1024))
}
