//! Reads archives within limits: `.tar`, `.tar.gz` and `.zip`. An archive may be hostile, so no path in it is used as it is, and nothing
//! expands without a bound.

use super::contents::{Found, MOST_FILES, open};
use crate::diagnostic::{Problem, printable};
use crate::suite::layout::without_ending;
use flate2::read::MultiGzDecoder;
use std::ffi::OsStr;
use std::io::{self, Read, Seek};
use std::path::Path;
use tar::EntryType;
use zip::result::ZipError;
use zip::{CompressionMethod, ZipArchive};

/// How the archives of other kinds begin.
const OTHERS: [(&str, &[u8]); 6] = [
    ("xz", b"\xfd7zX"),
    ("bzip2", b"BZh"),
    ("zstd", b"\x28\xb5\x2f\xfd"),
    ("7z", b"7z\xbc\xaf"),
    ("RAR", b"Rar!"),
    ("compress", b"\x1f\x9d"),
];

const MAKE: &str = "make it with `tar czf submit.tar.gz *.cpp *.h Makefile test*.txt`";

/// Reads the archive `path`, whatever its name says that it is.
pub(super) fn read(path: &Path, found: &mut Found) -> Result<(), Problem> {
    let broken =
        |error: io::Error| Problem::new(format!("the archive cannot be read: {error}")).hint(MAKE);
    let mut file = open(path).map_err(broken)?;
    if file.metadata().map_err(broken)?.len() > found.most_bytes {
        return Err(found.too_large());
    }
    let mut magic = [0; 4];
    let read = file.read(&mut magic).map_err(broken)?;
    file.rewind().map_err(broken)?;
    match &magic[..read] {
        [0x1f, 0x8b, ..] => tar(&mut MultiGzDecoder::new(file), found),
        [b'P', b'K', ..] => zip(file, found),
        [] => Err(Problem::new("the archive is empty")),
        magic if let Some((kind, _)) = OTHERS.iter().find(|(_, it)| magic.starts_with(it)) => {
            Err(Problem::new(format!("the archive is of another kind: {kind}")).hint(MAKE))
        }
        _ if path
            .file_name()
            .and_then(OsStr::to_str)
            .is_some_and(|name| without_ending(name).is_none()) =>
        {
            let name = printable(&path.file_name().unwrap_or_default().to_string_lossy());
            let message = format!("{name} is neither a folder nor an archive");
            Err(Problem::new(message).hint("name the folder, or an archive of its files"))
        }
        _ => tar(&mut file, found),
    }
}

fn tar(stream: &mut dyn Read, found: &mut Found) -> Result<(), Problem> {
    // A header and some padding belong to each file, and long names have entries of their own.
    let room = found.most_bytes + (MOST_FILES as u64 + 1) * 4096;
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
                if entry.size() > found.most_bytes {
                    return Err(found.too_large());
                }
                found.add(&path, &mut entry)?;
            }
            EntryType::Directory | EntryType::XGlobalHeader => {}
            EntryType::Symlink | EntryType::Link => found.not_a_file(&path, "a link"),
            _ => found.not_a_file(&path, "a special file"),
        }
    }
    if is_empty { Err(Problem::new("the archive holds no files")) } else { Ok(()) }
}

fn zip(mut file: std::fs::File, found: &mut Found) -> Result<(), Problem> {
    let listed = listed_in_zip(&mut file).ok().flatten();
    let mut archive =
        ZipArchive::new(io::BufReader::new(file)).map_err(|error| broken_zip(&error))?;
    if archive.is_empty() {
        return Err(Problem::new("the archive holds no files"));
    }
    // Of entries with one name, the library gives the last.
    if listed.is_some_and(|listed| listed != archive.len()) {
        let problem = Problem::new("the archive holds several files with the same name");
        return Err(problem.hint("make it again, in a new file"));
    }
    for at in 0..archive.len() {
        let mut entry = archive.by_index(at).map_err(|error| broken_zip(&error))?;
        if !matches!(entry.compression(), CompressionMethod::Stored | CompressionMethod::Deflated) {
            return Err(Problem::new("the archive is compressed in an unusual way").hint(MAKE));
        }
        let path = entry.name_raw().to_vec();
        if entry.is_symlink() {
            found.not_a_file(&path, "a link");
        } else if !entry.is_dir() {
            found.add(&path, &mut entry)?;
        }
    }
    Ok(())
}

/// The number of entries that the end of the archive tells, if it is a small one.
fn listed_in_zip(file: &mut std::fs::File) -> io::Result<Option<usize>> {
    let mut bytes = Vec::new();
    file.read_to_end(&mut bytes)?;
    file.rewind()?;
    let end = bytes.windows(4).rposition(|window| window == b"PK\x05\x06");
    let count = end.and_then(|end| bytes.get(end + 10..end + 12));
    Ok(count.map(|count| usize::from(u16::from_le_bytes([count[0], count[1]]))))
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
