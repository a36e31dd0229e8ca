//! What lies in a folder, and the names that reports give to it.

use crate::diagnostic::printable;
use crate::files::upload::{APPLES, Upload, without_ending};
use std::collections::BTreeSet;
use std::ffi::OsStr;
use std::fs;
use std::io;
use std::os::unix::ffi::OsStrExt;
use std::path::{Path, PathBuf};

/// Something in a folder.
#[derive(Debug)]
pub struct Entry {
    /// Its name, of which invalid parts are replaced.
    pub name: String,
    pub path: PathBuf,
    pub kind: EntryKind,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum EntryKind {
    Folder,
    /// An archive, by the ending of its name.
    Archive,
    File,
    LinkToFolder,
    /// A link that cannot be followed.
    BrokenLink,
    /// A link to anything else than a folder.
    Link,
    /// A pipe or a device.
    Special,
}

/// An entry of a class that is nothing that a student handed in.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Stray {
    pub name: String,
    /// What it is.
    pub what: &'static str,
}

/// What lies in `folder`, ordered by name, without what is hidden.
///
/// # Errors
/// If the folder cannot be read.
pub fn entries(folder: &Path) -> io::Result<Vec<Entry>> {
    let mut entries = Vec::new();
    for entry in fs::read_dir(folder)? {
        let entry = entry?;
        if !is_hidden(&entry.file_name()) {
            let path = entry.path();
            let kind = kind(&path, entry.file_type()?);
            entries.push(Entry::new(path, kind));
        }
    }
    entries.sort_by(|one, other| one.path.cmp(&other.path));
    Ok(entries)
}

/// What lies in a folder of an archive, as [`entries`] lists it.
pub(super) fn entries_of(upload: &Upload, folder: &Path) -> Vec<Entry> {
    let entries = upload.entries(folder).into_iter().filter(|(name, _)| !is_hidden(name));
    let entry = |(name, contents): (&OsStr, Option<&[u8]>)| {
        let path = folder.join(name);
        let kind = if contents.is_some() { file(&path) } else { EntryKind::Folder };
        Entry::new(path, kind)
    };
    entries.map(entry).collect()
}

fn is_hidden(name: &OsStr) -> bool {
    name.as_bytes().starts_with(b".") || name == APPLES
}

/// The archive in a folder that has one, and no folder beside it.
pub fn only_archive(entries: &[Entry]) -> Option<&Path> {
    let is_folder =
        |entry: &Entry| matches!(entry.kind, EntryKind::Folder | EntryKind::LinkToFolder);
    let mut archives = entries.iter().filter(|entry| entry.kind == EntryKind::Archive);
    let only = archives.next().filter(|_| archives.next().is_none())?;
    (!entries.iter().any(is_folder)).then_some(only.path.as_path())
}

fn kind(path: &Path, kind: fs::FileType) -> EntryKind {
    if kind.is_symlink() {
        return match fs::metadata(path) {
            Ok(target) if target.is_dir() => EntryKind::LinkToFolder,
            Ok(_) => EntryKind::Link,
            Err(_) => EntryKind::BrokenLink,
        };
    }
    match (kind.is_dir(), kind.is_file()) {
        (true, _) => EntryKind::Folder,
        (_, true) => file(path),
        _ => EntryKind::Special,
    }
}

fn file(path: &Path) -> EntryKind {
    let is_archive = without_ending(&path.to_string_lossy()).is_some();
    if is_archive { EntryKind::Archive } else { EntryKind::File }
}

impl Entry {
    fn new(path: PathBuf, kind: EntryKind) -> Self {
        let name = path.file_name().unwrap_or_default().to_string_lossy().into_owned();
        Self { name, path, kind }
    }

    /// Whether it is a link of any kind.
    pub(super) fn is_link(&self) -> bool {
        matches!(self.kind, EntryKind::LinkToFolder | EntryKind::BrokenLink | EntryKind::Link)
    }

    /// The entry as one that no student handed in.
    pub fn stray(&self, is_loose: bool) -> Stray {
        let what = match self.kind {
            EntryKind::Folder | EntryKind::LinkToFolder => "a folder",
            EntryKind::Link | EntryKind::BrokenLink => "a link",
            EntryKind::Special => "a special file",
            EntryKind::File | EntryKind::Archive if is_loose => {
                "a file that is in no student's folder"
            }
            EntryKind::File | EntryKind::Archive => "a file, not a folder or an archive",
        };
        Stray { name: shown(self.path.file_name().unwrap_or_default()), what }
    }
}

/// A name in reports: control characters are escaped, and so are bytes that are no text, so that different names stay different.
pub fn shown(name: &OsStr) -> String {
    let mut shown = String::new();
    for chunk in name.as_bytes().utf8_chunks() {
        shown.push_str(&printable(chunk.valid()));
        shown.push_str(&chunk.invalid().escape_ascii().to_string());
    }
    shown
}

/// The name of a student: that of the folder, or of the archive without its ending.
pub fn student(path: &Path) -> String {
    let whole = path.canonicalize().unwrap_or_else(|_| path.to_owned());
    let name = shown(whole.file_name().unwrap_or(whole.as_os_str()));
    if path.is_dir() { name } else { without_ending(&name).unwrap_or(&name).to_owned() }
}

/// Names of their own for the students in a class: that of a folder, and that of an archive without its ending if no other has it.
pub(super) fn distinct(entries: &[&Entry]) -> Vec<String> {
    let whole = |entry: &Entry| shown(entry.path.file_name().unwrap_or_default());
    let mut taken: BTreeSet<String> = entries.iter().map(|entry| whole(entry)).collect();
    let mut name = |entry: &&Entry| {
        let whole = whole(entry);
        let short = without_ending(&whole).filter(|_| entry.kind == EntryKind::Archive)?.to_owned();
        taken.insert(short.clone()).then_some(short)
    };
    let short: Vec<_> = entries.iter().map(&mut name).collect();
    let mut taken = BTreeSet::new();
    let each = entries.iter().zip(short).map(|(entry, short)| {
        let name = short.unwrap_or_else(|| whole(entry));
        let free = (2..).map(|number| format!("{name} ({number})"));
        let mut names = std::iter::once(name.clone()).chain(free);
        names.find(|name| taken.insert(name.clone())).unwrap_or(name)
    });
    each.collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn each_student_of_a_class_has_a_name_of_its_own() {
        let entry = |name: &[u8], kind| Entry {
            name: String::from_utf8_lossy(name).into_owned(),
            path: Path::new("class").join(OsStr::from_bytes(name)),
            kind,
        };
        let entries = [
            entry(b"ann", EntryKind::Folder),
            entry(b"ann.tgz", EntryKind::Archive),
            entry(b"bob.tar.gz", EntryKind::Archive),
            entry(b"bob.zip", EntryKind::Archive),
            entry(b"x\xfe", EntryKind::Folder),
            entry(b"x\xff", EntryKind::Folder),
            entry(b"x\\xff", EntryKind::Folder),
            entry(b"a\x1b", EntryKind::Folder),
        ];
        let names = distinct(&entries.iter().collect::<Vec<_>>());
        let expected =
            ["ann", "ann.tgz", "bob", "bob.zip", "x\\xfe", "x\\xff", "x\\xff (2)", "a\\u{1b}"];
        assert_eq!(names, expected);
    }
}
