//! What this machine has to hold programs with.

use super::filter::{self, Strictness};
use super::groups::Groups;
use crate::diagnostic::Problem;
use crate::files;
use rustix::process::geteuid;
use rustix::thread::{CapabilitySet, capabilities};
use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;
use tempfile::TempDir;

/// The user and group that runs programs if the harness itself may choose: one that owns nothing and is nobody's.
const ORDINARY: u32 = 65_533;

/// How to get control groups.
const REMEDY: &str = "run `harness` as root, or by `systemd-run --user --scope -p Delegate=yes`";

/// A layer, for a person who wants to know what there is.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Layer {
    pub name: &'static str,
    /// What it is here, or why there is none.
    pub found: String,
    pub is_there: bool,
    /// How to get it.
    pub remedy: Option<String>,
}

/// The user who runs programs.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum User {
    /// This one, which is not the harness's.
    Other(u32),
    /// The user of the harness, who is not allowed to choose another, or is an ordinary one.
    Same,
}

/// The layers of this machine.
#[derive(Debug)]
pub struct Layers {
    pub(super) user: User,
    pub(super) isolation: Option<Isolation>,
    pub(super) groups: Result<Groups, String>,
}

/// What only `Sandbox::open` uses.
#[derive(Debug)]
pub(super) struct Isolation {
    pub(super) bubblewrap: PathBuf,
    pub(super) version: String,
    /// The filter of system calls of a run, and that of what is launched, which is in no control group.
    pub(super) filter: Vec<u8>,
    pub(super) filter_of_launched: Vec<u8>,
    /// An empty folder, where every run mounts its disk.
    pub(super) place: TempDir,
    /// Folders that are not shown, although one above them is.
    pub(super) hidden: Vec<PathBuf>,
}

impl Layers {
    /// All layers that there are.
    ///
    /// # Errors
    /// If an essential one is missing.
    pub(super) fn find() -> Result<Self, Problem> {
        let user = user();
        if user == User::Same && geteuid().is_root() {
            let message = "root may not become an ordinary user here, and programs of students must not run as root";
            return Err(Problem::new(message).hint(
                "start `harness` as an ordinary user, or in the container, allow CAP_SETUID, CAP_SETGID and CAP_SYS_ADMIN",
            ));
        }
        if let User::Other(_) = user {
            shares_new_files(&fs::read_to_string("/proc/self/status").unwrap_or_default())?;
        }
        let groups = Groups::find();
        let isolation = Some(Isolation::find(groups.is_ok())?);
        Ok(Self { user, isolation, groups })
    }

    /// What needs nothing installed.
    pub(super) fn none() -> Self {
        Self { user: user(), isolation: None, groups: Groups::find() }
    }

    pub(super) fn hide(&mut self, folder: &Path) {
        if let Some(isolation) = &mut self.isolation {
            // A folder that cannot be found cannot be seen either.
            isolation.hidden.extend(folder.canonicalize());
        }
    }

    pub(super) fn isolates(&self) -> bool {
        self.isolation.is_some()
    }

    pub(super) fn list(&self) -> Vec<Layer> {
        let layer = |name, is_there, found| Layer { name, found, is_there, remedy: None };
        let (namespaces, filter) = match &self.isolation {
            Some(isolation) => (isolation.version.clone(), "filtered by seccomp"),
            None => ("none, as was asked for".to_owned(), "all, as was asked for"),
        };
        let user = match self.user {
            User::Other(id) => format!("programs run as user {id}"),
            User::Same => {
                format!("programs run as user {}, as the harness does", geteuid().as_raw())
            }
        };
        vec![
            layer("namespaces", self.isolates(), namespaces),
            layer("system calls", self.isolates(), filter.to_owned()),
            self.layer_of_groups(),
            layer("user", self.user != User::Same || !geteuid().is_root(), user),
        ]
    }

    /// What the limit on memory does not hold.
    pub(super) fn unlimited(&self) -> Option<Problem> {
        const UNLIMITED: &str = "without control groups, the limit on memory holds for each process alone, not for all processes of a run together";
        // The filter of system calls refuses files in memory.
        let files = if self.isolates() { "" } else { " and not for files in memory" };
        self.groups.is_err().then(|| Problem::new(format!("{UNLIMITED}{files}")).hint(REMEDY))
    }

    fn layer_of_groups(&self) -> Layer {
        let (found, remedy) = match &self.groups {
            Ok(groups) => (groups.to_string(), None),
            Err(reason) => (reason.clone(), Some(REMEDY.to_owned())),
        };
        Layer { name: "control groups", found, is_there: remedy.is_none(), remedy }
    }
}

/// The user who runs programs. Root chooses another one, if it has the right to.
fn user() -> User {
    let needed = CapabilitySet::SETUID | CapabilitySet::SETGID | CapabilitySet::CHOWN;
    let may_choose = capabilities(None).is_ok_and(|sets| sets.effective.contains(needed));
    let exists = ["/proc/self/uid_map", "/proc/self/gid_map"].iter().all(has_ordinary);
    if geteuid().is_root() && may_choose && exists { User::Other(ORDINARY) } else { User::Same }
}

/// Whether other users may read new files of a process with this status in `/proc`: programs of students run as one of them, and what
/// was built for them is new.
fn shares_new_files(status: &str) -> Result<(), Problem> {
    let umask = status.lines().find_map(|line| line.strip_prefix("Umask:"));
    let Some(umask) = umask.map(str::trim) else { return Ok(()) };
    if u32::from_str_radix(umask, 8).is_ok_and(|umask| umask & 0o005 == 0) {
        return Ok(());
    }
    let message = format!(
        "the user who runs programs of students could not read what is built for them, because the umask is {umask}"
    );
    Err(Problem::new(message).hint("run `umask 022` first, or set `UMask=0022` in the service"))
}

/// Whether this file, which lists the users or groups of this user namespace, contains the ordinary one.
fn has_ordinary(map: &&str) -> bool {
    let text = fs::read_to_string(map).unwrap_or_default();
    text.lines().any(|line| {
        let numbers: Vec<u32> =
            line.split_whitespace().filter_map(|number| number.parse().ok()).collect();
        matches!(numbers[..], [first, _, count] if (first..first.saturating_add(count)).contains(&ORDINARY))
    })
}

impl Isolation {
    fn find(has_groups: bool) -> Result<Self, Problem> {
        let Some(bubblewrap) = files::on_path(&["bwrap"]) else {
            return Err(Problem::new("there is no `bwrap`, which isolates programs of students")
                .hint("install bubblewrap, for example with `apt-get install bubblewrap`"));
        };
        let version = version(&bubblewrap)?;
        let filter = |strictness| {
            filter::program(strictness).map_err(|error| {
                let problem =
                    format!("there is no filter of system calls for this machine: {error}");
                Problem::new(problem).hint("use a machine with an x86-64 or ARM64 processor")
            })
        };
        let [filter, filter_of_launched] = if has_groups {
            [filter(Strictness::Usual)?, filter(Strictness::Passing)?]
        } else {
            [filter(Strictness::Counted)?, filter(Strictness::Counted)?]
        };
        let place = files::temporary_folder().map_err(|error| {
            Problem::new(format!("cannot make a temporary folder: {error}"))
                .hint("set TMPDIR to a folder that exists and can be written")
        })?;
        Ok(Self { bubblewrap, version, filter, filter_of_launched, place, hidden: Vec::new() })
    }
}

fn version(bubblewrap: &Path) -> Result<String, Problem> {
    match Command::new(bubblewrap).arg("--version").output() {
        Ok(output) if output.status.success() => {
            Ok(String::from_utf8_lossy(&output.stdout).trim().to_owned())
        }
        Ok(output) => {
            let said = String::from_utf8_lossy(&output.stderr).trim().to_owned();
            Err(Problem::new(format!("{} does not run: {said}", bubblewrap.display())))
        }
        Err(error) => Err(Problem::new(format!("cannot start {}: {error}", bubblewrap.display()))),
    }
}
