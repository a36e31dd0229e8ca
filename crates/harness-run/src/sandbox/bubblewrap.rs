//! Starts the supervisor in namespaces that bubblewrap makes, or without any.

use super::disk::Disk;
use super::groups::Group;
use super::layers::{Isolation, Layers, User};
use super::spawner::Spawner;
use super::supervisor::{Orders, VARIABLE};
use super::{BOX, Job};
use crate::run::process::{Launch, Running};
use rustix::fs::{MemfdFlags, SealFlags, fcntl_add_seals, memfd_create};
use rustix::io::{FdFlags, fcntl_setfd};
use rustix::process::{Signal, set_parent_process_death_signal};
use rustix::thread::{CpuSet, sched_setaffinity};
use std::ffi::OsString;
use std::fs::{self, File};
use std::io::{self, Seek, Write};
use std::os::fd::{AsRawFd, BorrowedFd, OwnedFd, RawFd};
use std::os::unix::process::CommandExt;
use std::path::{Path, PathBuf};
use std::process::{Child, Command, Stdio};
use std::sync::PoisonError;

/// A supervisor and what it guards.
pub(super) enum Guarded<'a> {
    Isolated { bubblewrap: Child, spawner: &'a Spawner },
    Contained(Running),
}

impl Guarded<'_> {
    /// The process above all processes of the run.
    pub(super) fn id(&self) -> u32 {
        match self {
            Self::Isolated { bubblewrap, .. } => bubblewrap.id(),
            Self::Contained(running) => running.child.id(),
        }
    }

    /// Standard output and standard error. They are given once.
    pub(super) fn streams(&mut self) -> [Option<File>; 2] {
        let child = match self {
            Self::Isolated { bubblewrap, .. } => bubblewrap,
            Self::Contained(running) => &mut running.child,
        };
        let stdout = child.stdout.take().map(|pipe| File::from(OwnedFd::from(pipe)));
        let stderr = child.stderr.take().map(|pipe| File::from(OwnedFd::from(pipe)));
        [stdout, stderr]
    }

    /// Ends all processes, and waits until none is left.
    pub(super) fn end(&mut self) -> io::Result<()> {
        match self {
            Self::Isolated { bubblewrap, spawner } => {
                // It has ended, unless it must be stopped.
                let _ = bubblewrap.kill();
                bubblewrap.wait()?;
                spawner.end_processes()
            }
            Self::Contained(running) => running.end().map(|_| ()),
        }
    }
}

impl Drop for Guarded<'_> {
    fn drop(&mut self) {
        // It has ended, unless an error came before.
        let _ = self.end();
    }
}

/// Starts a supervisor with these orders. The files that the orders name stay open in it.
pub(super) fn start<'a>(
    layers: &Layers,
    spawner: &'a Spawner,
    job: &Job,
    disk: &Disk,
    orders: &Orders,
) -> io::Result<Guarded<'a>> {
    let orders_in_words = serde_json::to_string(orders)?;
    let mut handed: Vec<RawFd> = orders.go.into_iter().chain([orders.report]).collect();
    let Some(isolation) = &layers.isolation else {
        let mut command = Command::new("/proc/self/exe");
        command.args(&job.command);
        prepare(&mut command, spawner, job, &orders_in_words, handed)?;
        return Running::start(command).map(Guarded::Contained);
    };
    // Inside, this program has no name.
    let supervisor = File::open("/proc/self/exe")?;
    let filter = sealed("filter", &isolation.filter)?;
    handed.extend([supervisor.as_raw_fd(), filter.as_raw_fd()]);
    let mut command = Command::new(&isolation.bubblewrap);
    command.args(namespaces(layers.user)).args(view(isolation, job, disk));
    command.arg("--seccomp").arg(filter.as_raw_fd().to_string());
    command.arg("--").arg(format!("/proc/self/fd/{}", supervisor.as_raw_fd())).args(&job.command);
    prepare(&mut command, spawner, job, &orders_in_words, handed)?;
    let bubblewrap = spawner.does(move || command.spawn())??;
    Ok(Guarded::Isolated { bubblewrap, spawner })
}

/// Gives a supervisor its orders, the program's streams, and the files that it inherits. It ends with the thread that starts it.
fn prepare(
    command: &mut Command,
    spawner: &Spawner,
    job: &Job,
    orders: &str,
    handed: Vec<RawFd>,
) -> io::Result<()> {
    let lists = spawner.group.as_ref().map_or(Ok(Vec::new()), Group::lists)?;
    command.env_clear().env(VARIABLE, orders).current_dir("/").process_group(0);
    let streams = job.streams.map(|it| it.lock().unwrap_or_else(PoisonError::into_inner).take());
    match streams.flatten() {
        Some([stdin, stdout]) => command.stdin(stdin).stdout(stdout),
        None => command.stdin(sealed("input", job.stdin)?).stdout(Stdio::piped()),
    };
    command.stderr(Stdio::piped());
    // The filter lets no program choose another core.
    let cores = job.core.map(|core| {
        let mut cores = CpuSet::new();
        cores.set(core);
        cores
    });
    #[expect(unsafe_code, reason = "only these files may stay open, and only in this process")]
    // SAFETY: between fork and exec the closure only makes system calls and allocates nothing.
    unsafe {
        command.pre_exec(move || {
            set_parent_process_death_signal(Some(Signal::KILL))?;
            cores.map_or(Ok(()), |cores| sched_setaffinity(None, &cores))?;
            for list in &lists {
                // Number 0 is the process that writes it.
                rustix::io::write(list, b"0")?;
            }
            handed.iter().try_for_each(|&fd| {
                fcntl_setfd(BorrowedFd::borrow_raw(fd), FdFlags::empty()).map_err(Into::into)
            })
        });
    }
    Ok(())
}

/// A file in memory that nobody can change: a program that opened its own input again could write to it.
pub(super) fn sealed(name: &str, contents: &[u8]) -> io::Result<File> {
    let file = memfd_create(name, MemfdFlags::CLOEXEC | MemfdFlags::ALLOW_SEALING)?;
    let mut file = File::from(file);
    file.write_all(contents)?;
    file.rewind()?;
    let seals = SealFlags::WRITE | SealFlags::GROW | SealFlags::SHRINK | SealFlags::SEAL;
    fcntl_add_seals(&file, seals)?;
    Ok(file)
}

/// The namespaces, and what the supervisor may do in them.
pub(super) fn namespaces(user: User) -> Vec<OsString> {
    let mut words = vec![
        "--unshare-ipc",
        "--unshare-pid",
        "--unshare-net",
        "--unshare-uts",
        "--unshare-cgroup-try",
        "--hostname",
        "box",
        "--as-pid-1",
        "--die-with-parent",
        "--new-session",
    ];
    words.extend(match user {
        // The supervisor becomes another user, and ends the processes of that one.
        User::Other(_) => &[
            "--cap-drop",
            "ALL",
            "--cap-add",
            "CAP_SETUID",
            "--cap-add",
            "CAP_SETGID",
            "--cap-add",
            "CAP_KILL",
        ][..],
        User::Same => &["--unshare-user"],
    });
    words.into_iter().map(OsString::from).collect()
}

/// The files that the program sees.
fn view(isolation: &Isolation, job: &Job, disk: &Disk) -> Vec<OsString> {
    let mut view = View::of_the_machine(isolation);
    view.add("--bind", &disk.folder(), Path::new(BOX));
    view.add("--bind", &disk.temporary(), Path::new("/tmp"));
    view.add("--bind", &disk.shared_memory(), Path::new("/dev/shm"));
    view.ending(&job.shown, Path::new(BOX))
}

/// The files that a launched program sees. What it writes elsewhere than in the folder that it works in, up to so many bytes, is gone
/// with it.
pub(super) fn view_of_launched(isolation: &Isolation, launch: &Launch, disk: u64) -> Vec<OsString> {
    let mut view = View::of_the_machine(isolation);
    let disk = disk.to_string();
    for folder in [BOX, "/tmp", "/dev/shm"] {
        view.words(&["--size", &disk, "--perms", "1777", "--tmpfs", folder]);
    }
    if let Some(work) = &launch.work {
        view.above(work);
        view.same("--bind", work);
    }
    view.ending(&launch.shown, launch.work.as_deref().unwrap_or(Path::new(BOX)))
}

/// The settings of each Java of the system. Debian's has links to them below `/usr`, and does not start without them.
fn java_settings() -> Vec<PathBuf> {
    let entries = fs::read_dir("/etc").into_iter().flatten().flatten();
    let is_java = |entry: &fs::DirEntry| {
        let name = entry.file_name().to_string_lossy().into_owned();
        name.starts_with("java-") && name.ends_with("-openjdk")
    };
    entries.filter(is_java).map(|entry| entry.path()).collect()
}

/// Folders with programs and libraries of the machine. On most machines, they are links into `/usr`.
const BESIDE_USR: [&str; 6] = ["/bin", "/lib", "/lib32", "/lib64", "/libx32", "/sbin"];

/// Words of the command line of bubblewrap.
struct View<'a> {
    words: Vec<OsString>,
    /// What no program may see.
    hidden: &'a [PathBuf],
}

impl<'a> View<'a> {
    /// What every program sees of the machine.
    fn of_the_machine(isolation: &'a Isolation) -> Self {
        let mut view = Self { words: Vec::new(), hidden: &isolation.hidden };
        view.same("--ro-bind", Path::new("/usr"));
        for name in BESIDE_USR.map(Path::new) {
            match fs::read_link(name) {
                Ok(target) => view.add("--symlink", &target, name),
                Err(_) => view.same("--ro-bind-try", name),
            }
        }
        view.words(&["--perms", "0755", "--dir", "/etc"]);
        // What the loader needs, and which compiler `c++` is.
        for name in ["/etc/alternatives", "/etc/ld.so.cache"].map(Path::new) {
            view.same("--ro-bind-try", name);
        }
        for folder in java_settings() {
            view.same("--ro-bind-try", &folder);
        }
        // A program may be shown files in there, and must be able to go to them.
        for hidden in view.covered() {
            view.words(&["--perms", "0711", "--tmpfs"]);
            view.words.push(hidden.into());
        }
        view.words(&["--proc", "/proc", "--dev", "/dev"]);
        view
    }

    /// The end of the view: more that the program may read, and the folder that it starts in.
    fn ending(mut self, shown: &[PathBuf], folder: &Path) -> Vec<OsString> {
        // They come last, because they can be below `/tmp`.
        for path in shown {
            self.shown(path);
        }
        for hidden in self.covered() {
            self.words.extend(["--remount-ro".into(), hidden.into()]);
        }
        self.words(&["--remount-ro", "/dev", "--remount-ro", "/", "--chdir"]);
        self.words.push(folder.into());
        self.words
    }

    /// The hidden folders that every program would see, on which an empty one is mounted.
    fn covered(&self) -> impl Iterator<Item = &'a PathBuf> + use<'a> {
        self.hidden.iter().filter(|path| path.starts_with("/usr"))
    }

    fn words(&mut self, words: &[&str]) {
        self.words.extend(words.iter().map(OsString::from));
    }

    fn add(&mut self, option: &str, from: &Path, to: &Path) {
        self.words.extend([option.into(), from.into(), to.into()]);
    }

    /// Shows a file or folder for reading.
    fn shown(&mut self, path: &Path) {
        if self.is_of_the_machine(path) {
            // Bubblewrap 0.10 and later mount nothing on a link.
            return match path.canonicalize() {
                Ok(real) if !self.is_of_the_machine(&real) => self.shown(&real),
                _ => {}
            };
        }
        self.above(path);
        self.same("--ro-bind", path);
    }

    /// Whether every program sees it.
    fn is_of_the_machine(&self, path: &Path) -> bool {
        let is_below = |folder: &&str| path.starts_with(folder);
        BESIDE_USR.iter().chain(&["/usr"]).any(is_below)
            && !self.hidden.iter().any(|hidden| path.starts_with(hidden))
    }

    /// Makes the folders above a file or folder, through which the program's user must be able to go.
    fn above(&mut self, path: &Path) {
        let above: Vec<_> = path.ancestors().skip(1).filter(|it| it.parent().is_some()).collect();
        for folder in above.into_iter().rev() {
            self.words(&["--perms", "0755", "--dir"]);
            self.words.push(folder.into());
        }
    }

    /// Mounts a file or folder at its own place.
    fn same(&mut self, option: &str, path: &Path) {
        self.add(option, path, path);
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::os::unix::fs::symlink;

    /// Where something is mounted so that a program sees `path`, if nobody may see the folder `hidden`.
    fn mounted(path: &Path, hidden: &[PathBuf]) -> Vec<OsString> {
        let mut view = View { words: Vec::new(), hidden };
        view.shown(path);
        let mut words = view.words.into_iter();
        std::iter::from_fn(|| words.find(|word| word == "--ro-bind").and_then(|_| words.nth(1)))
            .collect()
    }

    #[test]
    fn nothing_is_mounted_on_what_every_program_sees() {
        let hidden = [PathBuf::from("/usr/local/course")];
        let nothing: [&str; 0] = [];
        assert_eq!(mounted(Path::new("/usr/lib"), &hidden), nothing);
        assert_eq!(mounted(Path::new("/bin/sh"), &hidden), nothing);
        let shown = "/usr/local/course/Bank.java";
        assert_eq!(mounted(Path::new(shown), &hidden), [shown]);
        // A link outside is a file to the program.
        let folder = tempfile::tempdir().unwrap();
        let link = folder.path().join("archive.jar");
        symlink("/usr/bin/env", &link).unwrap();
        assert_eq!(mounted(&link, &hidden), [link.as_os_str()]);
    }

    #[test]
    fn nobody_writes_into_the_empty_folder_on_a_hidden_one() {
        let hidden = [PathBuf::from("/usr/local/course"), PathBuf::from("/srv/course")];
        let view = View { words: Vec::new(), hidden: &hidden };
        let words = view.ending(&[], Path::new(BOX));
        assert_eq!(words[..2], ["--remount-ro", "/usr/local/course"]);
        assert!(!words.contains(&OsString::from("/srv/course")));
    }
}
