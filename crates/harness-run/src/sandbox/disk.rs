//! The disk of a run: a folder in which the program runs, `/tmp`, and shared memory, all of them bounded and gone after the run.
//!
//! What a program left is copied without following links, and only as much as the disk could hold.
//!
//! From the disk of a run, plain files are kept if the caller wants them; no link is ever followed. Standard input is a sealed file in
//! memory, so that no run can change what the next one reads. Without isolation, only the supervisor and its limits remain.

use super::SandboxLimits;
use super::layers::User;
use super::spawner::Spawner;
use crate::files;
use rustix::fs::{Mode, OFlags};
use rustix::mount::{MountFlags, UnmountFlags, mount, unmount};
use std::collections::BTreeMap;
use std::ffi::CString;
use std::fs::{self, DirEntry, File};
use std::io::{self, Read, Write};
use std::os::unix::fs::{OpenOptionsExt, PermissionsExt, chown};
use std::path::{Path, PathBuf};
use tempfile::TempDir;

const FOLDER: &str = "box";
const TEMPORARY: &str = "tmp";
const SHARED_MEMORY: &str = "shm";

/// Folders below this depth are neither copied to a disk nor kept from it, nor are files with a longer path than this, in bytes. The
/// system takes no path of more than 4,096 bytes, and a disk may be in a folder with a long one.
const DEPTH: usize = 16;
const LONGEST: usize = 1024;

/// A disk for one run.
pub(super) struct Disk<'a> {
    /// Where this process finds it.
    root: PathBuf,
    /// Where the programs that the spawner starts find it.
    inside: PathBuf,
    user: User,
    kind: DiskKind<'a>,
}

enum DiskKind<'a> {
    /// In memory, and mounted by this spawner.
    Memory(&'a Spawner),
    /// A folder on another disk. It is removed at the end.
    Folder { _folder: TempDir },
}

impl<'a> Disk<'a> {
    /// A disk in memory with room for what `limits` allow. Only what the spawner starts sees it. `place` is an empty folder.
    pub(super) fn in_memory(
        spawner: &'a Spawner,
        place: &Path,
        user: User,
        limits: &SandboxLimits,
    ) -> io::Result<Self> {
        let options = format!("size={},nr_inodes={},mode=0755", limits.disk, limits.files);
        let options = CString::new(options)?;
        let inside = place.to_owned();
        spawner.does(move || {
            let flags = MountFlags::NOSUID | MountFlags::NODEV;
            mount("box", &inside, "tmpfs", flags, options.as_c_str())
        })??;
        let disk = Self {
            root: spawner.outside(place),
            inside: place.to_owned(),
            user,
            kind: DiskKind::Memory(spawner),
        };
        disk.with_folders()
    }

    /// A new folder on the disk of temporary files, which has no limit of its own.
    pub(super) fn in_folder(user: User) -> io::Result<Self> {
        let folder = files::temporary_folder()?;
        fs::set_permissions(folder.path(), fs::Permissions::from_mode(0o755))?;
        let root = folder.path().to_owned();
        let kind = DiskKind::Folder { _folder: folder };
        Self { inside: root.clone(), root, user, kind }.with_folders()
    }

    fn with_folders(self) -> io::Result<Self> {
        for name in [FOLDER, TEMPORARY, SHARED_MEMORY] {
            let path = self.root.join(name);
            fs::create_dir(&path)?;
            self.hand_over(&path)?;
        }
        Ok(self)
    }

    /// The folder in which the program runs.
    pub(super) fn folder(&self) -> PathBuf {
        self.inside.join(FOLDER)
    }

    /// What the program sees as `/tmp`.
    pub(super) fn temporary(&self) -> PathBuf {
        self.inside.join(TEMPORARY)
    }

    /// What the program sees as `/dev/shm`.
    pub(super) fn shared_memory(&self) -> PathBuf {
        self.inside.join(SHARED_MEMORY)
    }

    /// Copies the plain files and folders in `from` to the folder of the run.
    pub(super) fn fill(&self, from: &Path) -> io::Result<()> {
        let mut copy = Copy { room: u64::MAX, owner: Some(self), left_out: Vec::new() };
        copy.folder(from, &self.root.join(FOLDER), Path::new(""))
    }

    /// Writes more files into the folder of the run.
    pub(super) fn add(&self, files: &BTreeMap<String, Vec<u8>>) -> io::Result<()> {
        for (name, contents) in files {
            let path = self.root.join(FOLDER).join(name);
            fs::write(&path, contents)?;
            self.hand_over(&path)?;
        }
        Ok(())
    }

    /// Copies the plain files and folders in the folder of the run to the folder `to`. Gives the names of everything else.
    pub(super) fn keep(&self, to: &Path, limits: &SandboxLimits) -> io::Result<Vec<PathBuf>> {
        let mut copy = Copy { room: limits.disk, owner: None, left_out: Vec::new() };
        let copied = copy.folder(&self.root.join(FOLDER), to, Path::new(""));
        copied.map(|()| true).or_else(closed)?;
        copy.left_out.sort();
        Ok(copy.left_out)
    }

    /// Whether nothing more can be written.
    pub(super) fn is_full(&self) -> bool {
        let disk = rustix::fs::statvfs(&self.root);
        matches!(self.kind, DiskKind::Memory(_))
            && disk.is_ok_and(|disk| disk.f_bavail == 0 || disk.f_favail == 0)
    }

    /// Makes `path` belong to the user who runs the program.
    fn hand_over(&self, path: &Path) -> io::Result<()> {
        match self.user {
            User::Other(id) => chown(path, Some(id), Some(id)),
            User::Same => Ok(()),
        }
    }
}

impl Drop for Disk<'_> {
    fn drop(&mut self) {
        if let DiskKind::Memory(spawner) = self.kind {
            let place = self.inside.clone();
            // If it stays, the next run hides it, and it ends with the spawner.
            let _ = spawner.does(move || unmount(&place, UnmountFlags::DETACH));
        }
    }
}

/// A file or folder that the program removed, or closed to its own user, is not copied.
fn closed(error: io::Error) -> io::Result<bool> {
    match error.kind() {
        io::ErrorKind::PermissionDenied | io::ErrorKind::NotFound => Ok(false),
        _ => Err(error),
    }
}

/// A copy of a folder that follows no link.
struct Copy<'a> {
    /// How many more bytes may be copied.
    room: u64,
    /// The disk to which is copied.
    owner: Option<&'a Disk<'a>>,
    left_out: Vec<PathBuf>,
}

impl Copy<'_> {
    /// Copies what is in `from`. `name` is the folder's name in the folder of the run.
    fn folder(&mut self, from: &Path, to: &Path, name: &Path) -> io::Result<()> {
        for entry in fs::read_dir(from)? {
            let entry = entry?;
            let name = name.join(entry.file_name());
            let copied = self.entry(&entry, &to.join(entry.file_name()), &name);
            let copied = if self.owner.is_some() { copied } else { copied.or_else(closed) };
            if !copied? {
                self.left_out.push(name);
            }
        }
        Ok(())
    }

    /// Copies a file or folder, and tells whether it could be copied.
    fn entry(&mut self, entry: &DirEntry, to: &Path, name: &Path) -> io::Result<bool> {
        let kind = entry.file_type()?;
        if name.as_os_str().len() > LONGEST {
            return Ok(false);
        }
        if kind.is_dir() {
            if name.components().count() > DEPTH {
                return Ok(false);
            }
            // The folder that files are kept in may have it already.
            fs::create_dir_all(to)?;
            self.folder(&entry.path(), to, name)?;
        } else if kind.is_file() {
            if !self.file(&entry.path(), to)? {
                return Ok(false);
            }
        } else {
            return Ok(false);
        }
        self.owner.map_or(Ok(()), |disk| disk.hand_over(to))?;
        Ok(true)
    }

    fn file(&mut self, from: &Path, to: &Path) -> io::Result<bool> {
        let flags = OFlags::RDONLY | OFlags::NOFOLLOW | OFlags::CLOEXEC;
        let mut source = File::from(rustix::fs::open(from, flags, Mode::empty())?);
        let about = source.metadata()?;
        let Some(room) = self.room.checked_sub(about.len()) else { return Ok(false) };
        self.room = room;
        let mode = if about.permissions().mode() & 0o111 == 0 { 0o644 } else { 0o755 };
        let mut target = File::options().write(true).create_new(true).mode(mode).open(to)?;
        io::copy(&mut (&mut source).take(about.len()), &mut target)?;
        target.flush()?;
        Ok(true)
    }
}
