//! Archives of files in memory, as `.tar.gz`. The same files give the same bytes.

use super::{fill, folder_of, is_free};
use crate::diagnostic::{Failure, Problem, printable};
use flate2::Compression;
use flate2::read::GzDecoder;
use flate2::write::GzEncoder;
use std::fs::{self, File};
use std::io::{self, Read};
use std::os::unix::fs::OpenOptionsExt;
use std::path::{Component, Path, PathBuf};
use tar::{Archive, Builder, Entry, EntryType, Header};

/// A file in an archive.
#[derive(Clone, Debug)]
pub struct Archived {
    /// Its path in the archive.
    pub path: PathBuf,
    pub bytes: Vec<u8>,
    /// Whether it may be started.
    pub is_program: bool,
}

/// The archive of these files, in whatever order they come. A path that occurs twice stays twice, so that whoever reads the archive can
/// say so.
///
/// # Errors
/// If a path is absolute or contains `..`.
pub fn archive<'a>(files: impl IntoIterator<Item = &'a Archived>) -> io::Result<Vec<u8>> {
    let mut files: Vec<_> = files.into_iter().collect();
    files.sort_by_key(|file| &file.path);
    let mut tar = Builder::new(GzEncoder::new(Vec::new(), Compression::default()));
    for Archived { path, bytes, is_program } in files {
        let mut header = Header::new_gnu();
        header.set_size(bytes.len() as u64);
        header.set_mode(if *is_program { 0o755 } else { 0o644 });
        tar.append_data(&mut header, path, &bytes[..])?;
    }
    tar.into_inner()?.finish()
}

/// Writes the files of an archive into `folder`, which must be new or empty.
///
/// # Errors
/// If the archive is damaged, holds something else than files, or a path in it leaves the folder. Then nothing is left behind.
pub fn unarchive(archive: &[u8], folder: &Path) -> Result<(), Failure> {
    if !is_free(folder) {
        let message = format!("{} already exists and is not an empty folder", folder.display());
        return Err(Failure::usage(Problem::new(message).hint("name a new folder")));
    }
    let broken = |error| Failure::machine("read the archive", error);
    fill(folder, || {
        fs::create_dir_all(folder).map_err(|error| unwritten(folder, &error))?;
        for entry in Archive::new(GzDecoder::new(archive)).entries().map_err(broken)? {
            write(&mut entry.map_err(broken)?, folder)?;
        }
        Ok(())
    })
}

fn write(entry: &mut Entry<'_, impl Read>, folder: &Path) -> Result<(), Failure> {
    let path = entry.path().map_err(|error| Failure::machine("read the archive", error))?;
    let stays = path.components().all(|part| matches!(part, Component::Normal(_)));
    if !stays || entry.header().entry_type() != EntryType::Regular {
        let name = printable(&path.to_string_lossy());
        return Err(Failure::usage(Problem::new(format!("{name} is no file of an archive"))));
    }
    let path = folder.join(path);
    let mode = entry.header().mode().unwrap_or_default() & 0o111 | 0o644;
    let write = |entry: &mut Entry<'_, _>| {
        fs::create_dir_all(folder_of(&path))?;
        let mut file = File::options().write(true).create_new(true).mode(mode).open(&path)?;
        io::copy(entry, &mut file)
    };
    write(entry).map(|_| ()).map_err(|error| unwritten(&path, &error))
}

fn unwritten(path: &Path, error: &io::Error) -> Failure {
    Failure::unwritable(path, error)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::files::is_executable;

    fn file(path: &str, text: &str, is_program: bool) -> Archived {
        Archived { path: path.into(), bytes: text.into(), is_program }
    }

    #[test]
    fn the_same_files_give_the_same_bytes_and_come_back() {
        let long = format!("a/{}/c.txt", "b".repeat(150));
        let files = [file("run.sh", "#!/bin/sh\n", true), file(&long, "c", false)];
        let bytes = archive(&files).unwrap();
        assert_eq!(bytes, archive(files.iter().rev()).unwrap());
        let around = tempfile::tempdir().unwrap();
        let folder = around.path().join("new");
        unarchive(&bytes, &folder).unwrap();
        assert_eq!(fs::read(folder.join(&long)).unwrap(), b"c");
        assert!(is_executable(&folder.join("run.sh")) && !is_executable(&folder.join(long)));
        assert!(unarchive(&bytes, &folder).is_err(), "it is not empty");
    }

    #[test]
    fn nothing_is_written_outside_of_the_folder_and_nothing_is_left() {
        assert!(archive(&[file("../a", "", false)]).is_err());
        let with = |path: &[u8], kind: EntryType| {
            let mut tar = Builder::new(GzEncoder::new(Vec::new(), Compression::default()));
            let plain = file("first", "1", false);
            let mut header = Header::new_gnu();
            header.set_size(1);
            tar.append_data(&mut header, &plain.path, &plain.bytes[..]).unwrap();
            let mut header = Header::new_gnu();
            header.as_old_mut().name[..path.len()].copy_from_slice(path);
            header.set_size(0);
            header.set_entry_type(kind);
            header.set_link_name("/etc/passwd").unwrap();
            header.set_cksum();
            tar.append(&header, &b""[..]).unwrap();
            tar.into_inner().unwrap().finish().unwrap()
        };
        let around = tempfile::tempdir().unwrap();
        let folder = around.path().join("new");
        for (path, kind) in [
            (&b"../escape"[..], EntryType::Regular),
            (b"/tmp/escape", EntryType::Regular),
            (b"a/../../escape", EntryType::Regular),
            (b"link", EntryType::Symlink),
        ] {
            let failure = unarchive(&with(path, kind), &folder).unwrap_err();
            assert!(failure.problems[0].message.ends_with("is no file of an archive"));
            assert_eq!(fs::read_dir(around.path()).unwrap().count(), 0);
        }
    }
}
