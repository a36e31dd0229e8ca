//! The filter of system calls: what no program of a student needs, and what the kernel's attackers do.
//!
//! The filter lists what is allowed: every system call that this file knows, except for those that it names. A new one is refused.

use libc::{c_int, c_long};
use seccompiler::{
    BpfProgram, Error, SeccompAction, SeccompCmpArgLen, SeccompCmpOp, SeccompCondition,
    SeccompFilter, SeccompRule,
};
use std::collections::BTreeMap;
use std::env::consts::ARCH;
use std::io;
use std::ops::RangeInclusive;

/// The system calls that the filter knows: those of each architecture, and since number 424, those of all, up to `mseal`.
const KNOWN: [RangeInclusive<c_long>; 2] = [0..=334, 424..=462];

/// Mounting, namespaces, other processes' memory and priority, loading code into the kernel, keys, the clock, `io_uring`, leaving the
/// core, writing all disks, and which parts of a file are in memory.
const REFUSED: &[c_long] = &[
    libc::SYS_acct,
    libc::SYS_add_key,
    libc::SYS_adjtimex,
    libc::SYS_bpf,
    CACHESTAT,
    libc::SYS_chroot,
    libc::SYS_clock_adjtime,
    libc::SYS_clock_settime,
    libc::SYS_clone3,
    libc::SYS_delete_module,
    libc::SYS_fanotify_init,
    libc::SYS_finit_module,
    libc::SYS_fsconfig,
    libc::SYS_fsmount,
    libc::SYS_fsopen,
    libc::SYS_fspick,
    libc::SYS_init_module,
    libc::SYS_io_uring_enter,
    libc::SYS_io_uring_register,
    libc::SYS_io_uring_setup,
    libc::SYS_ioprio_set,
    libc::SYS_kcmp,
    libc::SYS_kexec_load,
    libc::SYS_keyctl,
    libc::SYS_memfd_secret,
    libc::SYS_migrate_pages,
    libc::SYS_mount,
    libc::SYS_mount_setattr,
    libc::SYS_move_mount,
    libc::SYS_move_pages,
    libc::SYS_name_to_handle_at,
    libc::SYS_nfsservctl,
    libc::SYS_open_by_handle_at,
    libc::SYS_open_tree,
    libc::SYS_perf_event_open,
    libc::SYS_pidfd_getfd,
    libc::SYS_pivot_root,
    libc::SYS_process_madvise,
    libc::SYS_process_vm_readv,
    libc::SYS_process_vm_writev,
    libc::SYS_ptrace,
    libc::SYS_quotactl,
    libc::SYS_quotactl_fd,
    libc::SYS_readahead,
    libc::SYS_reboot,
    libc::SYS_request_key,
    libc::SYS_sched_setaffinity,
    libc::SYS_setdomainname,
    libc::SYS_sethostname,
    libc::SYS_setns,
    libc::SYS_settimeofday,
    libc::SYS_swapoff,
    libc::SYS_swapon,
    libc::SYS_sync,
    libc::SYS_syncfs,
    libc::SYS_syslog,
    libc::SYS_umount2,
    libc::SYS_unshare,
    libc::SYS_userfaultfd,
    libc::SYS_vhangup,
];

/// The same on each architecture.
const CACHESTAT: c_long = 451;

/// Memory that belongs to no process, and outlives those that use it.
const LASTING: &[c_long] = &[libc::SYS_msgget, libc::SYS_semget, libc::SYS_shmget];

/// Memory that belongs to no process, which only control groups count and limit.
const HOARDS: &[c_long] =
    &[libc::SYS_memfd_create, libc::SYS_msgget, libc::SYS_semget, libc::SYS_shmget];

/// What the filter refuses beside what no program needs.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(super) enum Strictness {
    Usual,
    /// Nothing outlives its process.
    Passing,
    /// All memory belongs to processes.
    Counted,
}

/// The filter as the kernel reads it.
///
/// # Errors
/// If there is none for this machine's architecture.
pub(super) fn program(strictness: Strictness) -> Result<Vec<u8>, Error> {
    let arch = ARCH.try_into()?;
    let more = match strictness {
        Strictness::Usual => &[][..],
        Strictness::Passing => LASTING,
        Strictness::Counted => HOARDS,
    };
    let is_refused = |call: &c_long| REFUSED.contains(call) || more.contains(call);
    let rules = KNOWN.into_iter().flatten().filter(|call| !is_refused(call));
    let rules = rules.map(|call| Ok((call, conditions(call)?)));
    let rules = rules.collect::<Result<BTreeMap<_, _>, seccompiler::BackendError>>()?;
    // The C library then tries `clone` instead of `clone3`, whose flags no filter can see.
    let refused = SeccompAction::Errno(libc::ENOSYS as u32);
    let filter = SeccompFilter::new(rules, refused, SeccompAction::Allow, arch)?;
    let program: BpfProgram = filter.try_into()?;
    let bytes = |it: &seccompiler::sock_filter| {
        let mut bytes = it.code.to_ne_bytes().to_vec();
        bytes.extend([it.jt, it.jf]);
        bytes.extend(it.k.to_ne_bytes());
        bytes
    };
    Ok(program.iter().flat_map(bytes).collect())
}

/// A filter that ends a program with SIGSYS if it starts a process, and allows everything else: threads, and becoming another program.
///
/// # Errors
/// If there is none for this machine's architecture.
pub(super) fn alone() -> io::Result<BpfProgram> {
    let make = || -> Result<BpfProgram, Error> {
        let thread = libc::CLONE_THREAD as u64;
        let is_process =
            SeccompCondition::new(0, SeccompCmpArgLen::Dword, SeccompCmpOp::MaskedEq(thread), 0)?;
        let is_process = vec![SeccompRule::new(vec![is_process])?];
        // These two are not on every architecture. `clone3` is refused to every program.
        #[cfg(target_arch = "x86_64")]
        let others = [(libc::SYS_fork, Vec::new()), (libc::SYS_vfork, Vec::new())];
        #[cfg(not(target_arch = "x86_64"))]
        let others = [];
        let rules = [(libc::SYS_clone, is_process)].into_iter().chain(others).collect();
        let killed = SeccompAction::KillProcess;
        let filter = SeccompFilter::new(rules, SeccompAction::Allow, killed, ARCH.try_into()?)?;
        Ok(filter.try_into()?)
    };
    make().map_err(io::Error::other)
}

/// When a system call is allowed. An empty list means always.
fn conditions(call: c_long) -> Result<Vec<SeccompRule>, seccompiler::BackendError> {
    const NAMESPACES: c_int = libc::CLONE_NEWCGROUP
        | libc::CLONE_NEWIPC
        | libc::CLONE_NEWNET
        | libc::CLONE_NEWNS
        | libc::CLONE_NEWPID
        | libc::CLONE_NEWUSER
        | libc::CLONE_NEWUTS;
    let condition = |argument, operator, value| {
        SeccompCondition::new(argument, SeccompCmpArgLen::Dword, operator, value)
    };
    let when = |argument, operator, value| {
        Ok(vec![SeccompRule::new(vec![condition(argument, operator, value)?])?])
    };
    match call {
        // The name service of the C library asks on a socket of the machine. Other families reach the kernel, or a hypervisor.
        libc::SYS_socket | libc::SYS_socketpair => when(0, SeccompCmpOp::Eq, libc::AF_UNIX as u64),
        libc::SYS_clone => when(0, SeccompCmpOp::MaskedEq(NAMESPACES as u64), 0),
        // The limits and the priority of another process.
        libc::SYS_prlimit64
        | libc::SYS_sched_setattr
        | libc::SYS_sched_setparam
        | libc::SYS_sched_setscheduler => when(0, SeccompCmpOp::Eq, 0),
        libc::SYS_setpriority => {
            let is_process = condition(0, SeccompCmpOp::Eq, u64::from(libc::PRIO_PROCESS))?;
            Ok(vec![SeccompRule::new(vec![is_process, condition(1, SeccompCmpOp::Eq, 0)?])?])
        }
        // Flags tell which parts of a file are in memory, and this advice removes them from it, for others to see.
        libc::SYS_preadv2 => when(5, SeccompCmpOp::Eq, 0),
        libc::SYS_fadvise64 => when(3, SeccompCmpOp::Ne, libc::POSIX_FADV_DONTNEED as u64),
        // Typing into a terminal.
        libc::SYS_ioctl => when(1, SeccompCmpOp::Ne, libc::TIOCSTI),
        _ => Ok(Vec::new()),
    }
}
