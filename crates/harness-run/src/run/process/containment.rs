//! What keeps the processes that a run starts together, so that they end with it and reach no other process.
//!
//! Each program runs in a PID namespace for itself (`run/process/namespace.rs`). The namespace's first process is `harness` again
//! (`init.rs`). The program and what it starts cannot end it, and cannot see a process outside. After the run, the harness has it end
//! every process that is left, also those that left the process group. If the harness ends, so does every namespace. Creating a
//! namespace needs a capability; without it, `harness` enters a user namespace of its own first (`containment.rs`). Where the machine
//! allows neither, only the process group ends with the run, and `doctor` says so. A namespace is used for one run after the other, so
//! that a run costs no more than before.

use super::init;
use super::namespace::Namespace;
use rustix::thread::{
    CapabilitySet, CapabilitySets, UnshareFlags, capabilities, set_capabilities, unshare_unsafe,
};
use std::io;
use std::os::unix::process::CommandExt;
use std::process::Command;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Mutex, OnceLock, PoisonError};
use std::{env, fs};

/// Whether runs have PID namespaces, or why they have none. It is decided once, before the first run, and holds for the machine, so that
/// all work in this process finds the same.
static NAMESPACES: OnceLock<Result<(), String>> = OnceLock::new();
/// Whether this process has called [`contain`], which a process can do only once: a namespace belongs to all of it.
static IS_WANTED: AtomicBool = AtomicBool::new(false);
/// Namespaces that no program uses. They are all alike and empty, so that any work may take any of them.
static FREE: Mutex<Vec<Namespace>> = Mutex::new(Vec::new());

/// Contains all programs that this process will start, as far as the machine allows. It does not return if this process was started as the
/// first process of a namespace.
pub(crate) fn contain() {
    if env::args_os().next().is_some_and(|name| name == init::NAME) {
        // Without an input or an output there is nobody to tell.
        let _ = init::serve();
        std::process::exit(0);
    }
    IS_WANTED.store(true, Ordering::Relaxed);
    let may_create_namespaces =
        capabilities(None).is_ok_and(|sets| sets.effective.contains(CapabilitySet::SYS_ADMIN));
    if !may_create_namespaces && let Err(error) = enter_user_namespace() {
        // It is decided only once.
        let _ = NAMESPACES.set(Err(error.to_string()));
    }
}

/// What contains a run.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Containment {
    /// A PID namespace.
    Namespace,
    /// Its process group alone, because there are no namespaces for this reason.
    Group(String),
}

/// What contains the runs of this process.
pub fn containment() -> Containment {
    // An error of the machine is met again by the next run.
    if let Ok(Some(namespace)) = take() {
        give_back(namespace);
    }
    match NAMESPACES.get() {
        Some(Ok(())) => Containment::Namespace,
        Some(Err(reason)) => Containment::Group(reason.clone()),
        None => Containment::Group("they are not wanted".to_owned()),
    }
}

/// A namespace that no program uses, if runs have namespaces.
pub(super) fn take() -> io::Result<Option<Namespace>> {
    if !IS_WANTED.load(Ordering::Relaxed) || matches!(NAMESPACES.get(), Some(Err(_))) {
        return Ok(None);
    }
    let free = FREE.lock().unwrap_or_else(PoisonError::into_inner).pop();
    if free.is_some() {
        return Ok(free);
    }
    let new = Namespace::new();
    match NAMESPACES.get_or_init(|| new.as_ref().map(|_| ()).map_err(ToString::to_string)) {
        Ok(()) => new.map(Some),
        Err(_) => Ok(None),
    }
}

/// Gives back a namespace in which no program runs.
pub(super) fn give_back(namespace: Namespace) {
    FREE.lock().unwrap_or_else(PoisonError::into_inner).push(namespace);
}

/// Moves this process, which must have one thread, into a user namespace with the same user and group. In it, the process may create PID
/// namespaces, and nothing else that it could not do before. First, another process tries whether that works.
fn enter_user_namespace() -> io::Result<()> {
    attempt(|| {
        new_user_namespace()?;
        unshare(UnshareFlags::NEWPID)
    })?;
    new_user_namespace()
}

fn new_user_namespace() -> io::Result<()> {
    let (user, group) = (rustix::process::geteuid(), rustix::process::getegid());
    unshare(UnshareFlags::NEWUSER)?;
    fs::write("/proc/self/setgroups", "deny")?;
    fs::write("/proc/self/uid_map", format!("{user} {user} 1"))?;
    fs::write("/proc/self/gid_map", format!("{group} {group} 1"))?;
    let all = capabilities(None)?;
    let kept = CapabilitySet::SYS_ADMIN;
    set_capabilities(None, CapabilitySets { effective: kept, permitted: kept, ..all })?;
    Ok(())
}

fn unshare(flags: UnshareFlags) -> io::Result<()> {
    #[expect(unsafe_code, reason = "only `UnshareFlags::FILES` is unsafe, which no caller uses")]
    // SAFETY: file descriptors stay shared.
    unsafe {
        unshare_unsafe(flags)?;
    }
    Ok(())
}

/// Calls `action` in another process, which then ends.
fn attempt(action: impl Fn() -> io::Result<()> + Send + Sync + 'static) -> io::Result<()> {
    let done = rustix::io::Errno::CANCELED.raw_os_error();
    let mut command = Command::new("/proc/self/exe");
    #[expect(unsafe_code, reason = "only a process that starts nothing can try this")]
    // SAFETY: this process has one thread, so that between fork and exec everything is allowed.
    unsafe {
        command.pre_exec(move || action().and(Err(io::Error::from_raw_os_error(done))));
    }
    match command.status() {
        Err(error) if error.raw_os_error() == Some(done) => Ok(()),
        Err(error) => Err(error),
        Ok(_) => unreachable!("the closure always fails"),
    }
}
