//! The sandbox as what starts hostile programs for `run`: programs that serve many cases, compilers of what students wrote, and single
//! runs.
//!
//! `run` watches what is started here and limits its time; this file only says what the program sees and who it is.

use super::layers::User;
use super::running::pipe;
use super::supervisor::{LimitKind, Orders, VARIABLE};
use super::{BOX, Sandbox, SandboxLimits, bubblewrap, running};
use crate::run::process::{Launch, Launched, Launcher};
use rustix::io::{FdFlags, fcntl_setfd};
use std::fs::{self, File};
use std::io;
use std::os::fd::{AsRawFd, OwnedFd};
use std::os::unix::fs::chown;
use std::os::unix::process::CommandExt;
use std::path::{Path, PathBuf};
use std::process::Command;

impl Launcher for Sandbox {
    fn launch(&self, launch: &Launch) -> io::Result<Launched> {
        let Some(isolation) = &self.layers.isolation else {
            return Err(io::ErrorKind::Unsupported.into());
        };
        let user = self.layers.user;
        if let (Some(work), User::Other(id)) = (&launch.work, user) {
            hand_over(work, id)?;
        }
        let (status, report) = pipe()?;
        // Inside, this program has no name.
        let supervisor = OwnedFd::from(File::open("/proc/self/exe")?);
        let filter = OwnedFd::from(bubblewrap::sealed("filter", &isolation.filter_of_launched)?);
        let folder = launch.work.clone().unwrap_or_else(|| BOX.into());
        let orders = Orders {
            report: report.as_raw_fd(),
            go: None,
            variables: variables(launch, &folder),
            folder,
            user: match user {
                User::Other(id) => Some(id),
                User::Same => None,
            },
            is_alone: false,
            limits: vec![
                (LimitKind::AddressSpace, launch.memory),
                (LimitKind::File, launch.file_size),
                (LimitKind::Processes, launch.processes),
                // The system counts this memory for all to see, and queues outlive their processes.
                (LimitKind::Locked, 0),
                (LimitKind::Queues, 0),
            ],
        };
        let mut command = Command::new(&isolation.bubblewrap);
        command.args(bubblewrap::namespaces(user));
        let disk = SandboxLimits::default().disk;
        command.args(bubblewrap::view_of_launched(isolation, launch, disk));
        command.arg("--seccomp").arg(filter.as_raw_fd().to_string());
        command
            .arg("--")
            .arg(format!("/proc/self/fd/{}", supervisor.as_raw_fd()))
            .args(&launch.words);
        command.env_clear().env(VARIABLE, serde_json::to_string(&orders)?).current_dir("/");
        let handed = [report, supervisor, filter];
        #[expect(unsafe_code, reason = "only these files may stay open, and only in this process")]
        // SAFETY: between fork and exec the closure only makes system calls and allocates nothing.
        unsafe {
            command.pre_exec(move || {
                let keep = |fd: &OwnedFd| fcntl_setfd(fd, FdFlags::empty()).map_err(Into::into);
                handed.iter().try_for_each(keep)
            });
        }
        Ok(Launched { command, status })
    }
}

fn variables(launch: &Launch, home: &Path) -> Vec<(String, String)> {
    let mut variables = running::variables_of(home.to_owned(), PathBuf::from("/tmp"));
    let text = |(name, value): &(String, std::ffi::OsString)| {
        (name.clone(), value.to_string_lossy().into_owned())
    };
    variables.extend(launch.variables.iter().map(text));
    variables
}

/// Makes a folder and the files in it belong to the user who runs the program.
fn hand_over(folder: &Path, user: u32) -> io::Result<()> {
    for entry in fs::read_dir(folder)? {
        chown(entry?.path(), Some(user), Some(user))?;
    }
    chown(folder, Some(user), Some(user))
}
