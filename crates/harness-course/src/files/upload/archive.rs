//! Archives: `.tar`, `.tar.gz` and `.zip`.

use super::{MOST_FILES, Upload, bounded};
use crate::diagnostic::{Problem, printable};
use flate2::read::MultiGzDecoder;
use std::io::{self, Cursor, Read};
use tar::EntryType;
use zip::result::ZipError;
use zip::{CompressionMethod, ZipArchive};

/// How the names of archives end.
const ENDINGS: [&str; 4] = [".tar.gz", ".tgz", ".tar", ".zip"];

/// How the archives of other kinds begin.
const OTHERS: [(&str, &[u8]); 6] = [
    ("xz", b"\xfd7zX"),
    ("bzip2", b"BZh"),
    ("zstd", b"\x28\xb5\x2f\xfd"),
    ("7z", b"7z\xbc\xaf"),
    ("RAR", b"Rar!"),
    ("compress", b"\x1f\x9d"),
];

const MAKE: &str =
    "make a `.zip`, or a `.tar.gz` with `tar czf submit.tar.gz` and the names of the files";

/// The name of an archive without the ending. `None` if it does not end like an archive's.
pub fn without_ending(name: &str) -> Option<&str> {
    ENDINGS.iter().find_map(|ending| name.strip_suffix(ending))
}

/// Reads an archive, whatever its name says that it is.
pub(super) fn read(name: &str, archive: impl Read, upload: &mut Upload) -> Result<(), Problem> {
    let bytes = bounded(archive, upload.most_bytes).map_err(|error| unreadable(&error))?;
    let bytes = bytes.ok_or_else(|| upload.too_large())?;
    match &bytes[..] {
        [0x1f, 0x8b, ..] => tar(MultiGzDecoder::new(&bytes[..]), upload),
        [b'P', b'K', ..] => zip(&bytes, upload),
        [] => Err(Problem::new("the archive is empty")),
        bytes if let Some((kind, _)) = OTHERS.iter().find(|(_, it)| bytes.starts_with(it)) => {
            Err(Problem::new(format!("the archive is of another kind: {kind}")).hint(MAKE))
        }
        _ if without_ending(name).is_none() => {
            let message = format!("{} is neither a folder nor an archive", printable(name));
            Err(Problem::new(message).hint("name the folder, or an archive of its files"))
        }
        bytes => tar(bytes, upload),
    }
}

pub(super) fn unreadable(error: &io::Error) -> Problem {
    Problem::new(format!("the archive cannot be read: {error}")).hint(MAKE)
}

fn tar(stream: impl Read, upload: &mut Upload) -> Result<(), Problem> {
    // A header and some padding belong to each file, and long names have entries of their own.
    let room = upload.most_bytes.saturating_add((MOST_FILES as u64 + 1) * 4096);
    let mut archive = tar::Archive::new(stream.take(room));
    let broken = |error: io::Error| {
        Problem::new(format!("the archive is damaged: {error}")).hint("make and upload it again")
    };
    let mut is_empty = true;
    for entry in archive.entries().map_err(broken)? {
        let mut entry = match entry {
            Err(error) if is_empty && error.kind() != io::ErrorKind::UnexpectedEof => {
                return Err(Problem::new("this is no archive, or a damaged one").hint(MAKE));
            }
            entry => entry.map_err(broken)?,
        };
        is_empty = false;
        let path = entry.path_bytes().into_owned();
        match entry.header().entry_type() {
            EntryType::Regular | EntryType::Continuous | EntryType::GNUSparse => {
                if entry.size() > upload.most_bytes {
                    return Err(upload.too_large());
                }
                upload.add(&path, &mut entry)?;
            }
            EntryType::Directory | EntryType::XGlobalHeader => {}
            EntryType::Symlink | EntryType::Link => upload.not_a_file(&path, "a link"),
            _ => upload.not_a_file(&path, "a special file"),
        }
    }
    if is_empty { Err(Problem::new("the archive holds no files")) } else { Ok(()) }
}

fn zip(bytes: &[u8], upload: &mut Upload) -> Result<(), Problem> {
    let mut archive = ZipArchive::new(Cursor::new(bytes)).map_err(|error| broken_zip(&error))?;
    if archive.is_empty() {
        return Err(Problem::new("the archive holds no files"));
    }
    // Of entries with one name, the library gives the last.
    if listed_in_zip(bytes).is_some_and(|listed| listed != archive.len()) {
        let problem = Problem::new("the archive holds several files with the same name");
        return Err(problem.hint("make it again, in a new file"));
    }
    for at in 0..archive.len() {
        let mut entry = archive.by_index(at).map_err(|error| broken_zip(&error))?;
        if !matches!(entry.compression(), CompressionMethod::Stored | CompressionMethod::Deflated) {
            return Err(Problem::new("the archive is compressed in an unusual way").hint(MAKE));
        }
        let mut path = entry.name_raw().to_vec();
        // Some programs of Windows write its own mark between folders.
        path.iter_mut().filter(|byte| **byte == b'\\').for_each(|byte| *byte = b'/');
        if entry.is_symlink() {
            upload.not_a_file(&path, "a link");
        } else if !entry.is_dir() {
            upload.add(&path, &mut entry)?;
        }
    }
    Ok(())
}

/// The number of entries that the end of the archive tells, if it is a small one.
fn listed_in_zip(bytes: &[u8]) -> Option<usize> {
    let end = bytes.windows(4).rposition(|window| window == b"PK\x05\x06")?;
    let count = bytes.get(end + 10..end + 12)?;
    Some(usize::from(u16::from_le_bytes([count[0], count[1]])))
}

fn broken_zip(error: &ZipError) -> Problem {
    match error {
        ZipError::UnsupportedArchive(ZipError::PASSWORD_REQUIRED) => {
            Problem::new("the archive has a password").hint("make it without one")
        }
        ZipError::UnsupportedArchive(why) => {
            Problem::new(format!("the archive is of an unusual kind: {why}")).hint(MAKE)
        }
        _ => Problem::new(format!("the archive is damaged: {error}"))
            .hint("make and upload it again"),
    }
}
