//! A version of the course as a person uploads it: an archive of the course's folder, which may have another folder around it. What comes
//! out is packed as `harness serve course` packs it, so the same files give the same version.

use harness::command::pack;
use harness::course::{Course, FILE};
use harness::diagnostic::{Failure, Problem, printable};
use harness::files::{self, Archived};
use harness::run::prepare;
use std::io::Read;
use std::path::{Component, Path, PathBuf};
use tar::{Archive, EntryType};

/// The most bytes of all files together, and the most files.
const MOST_BYTES: u64 = 512 << 20;
const MOST_FILES: usize = 50_000;

/// A version that can be stored.
#[derive(Debug)]
pub struct Packed {
    pub bytes: Vec<u8>,
    pub title: String,
}

/// Reads an upload. It takes a while, so call it where a thread may wait.
///
/// # Errors
/// With what is wrong with the archive or the course.
pub fn read(archive: &[u8]) -> Result<Packed, Failure> {
    let files = files_of(archive).map_err(Failure::usage)?;
    let folder = tempfile::tempdir().map_err(|error| Failure::machine("make a folder", error))?;
    let bytes = files::archive(&files).map_err(|error| Failure::machine("pack it", error))?;
    let course = folder.path().join("course");
    files::unarchive(&bytes, &course)?;
    from_folder(&course)
}

/// Packs the course in a folder.
///
/// # Errors
/// With what is wrong with the course.
pub fn from_folder(folder: &Path) -> Result<Packed, Failure> {
    let course = Course::read(folder)?;
    for assignment in &course.assignments {
        // What the server could not read later is refused now.
        prepare::bugs(&course, assignment)?;
    }
    Ok(Packed { bytes: pack::course(&course)?, title: course.title.clone() })
}

/// The files of an archive, without the folder that is around all of them.
fn files_of(archive: &[u8]) -> Result<Vec<Archived>, Problem> {
    let wrong = |error: std::io::Error| {
        Problem::new(printable(&format!("the archive cannot be read: {error}")))
            .hint("make one with `tar czf course.tar.gz FOLDER`")
    };
    let reader: Box<dyn Read> = if archive.starts_with(&[0x1f, 0x8b]) {
        Box::new(flate2::read::GzDecoder::new(archive))
    } else {
        Box::new(archive)
    };
    let (mut files, mut left) = (Vec::new(), MOST_BYTES);
    for entry in Archive::new(reader.take(MOST_BYTES * 2)).entries().map_err(wrong)? {
        let mut entry = entry.map_err(wrong)?;
        let path = plain(&entry.path().map_err(wrong)?)?;
        match entry.header().entry_type() {
            EntryType::Regular => {}
            EntryType::Directory | EntryType::XGlobalHeader => continue,
            _ => return Err(odd(&path, "is no file; links cannot be in a course")),
        }
        let is_program = entry.header().mode().is_ok_and(|mode| mode & 0o111 != 0);
        let mut bytes = Vec::new();
        (&mut entry).take(left + 1).read_to_end(&mut bytes).map_err(wrong)?;
        let too_much = Problem::new("the archive is too large").hint("leave out what is built");
        left = left.checked_sub(bytes.len() as u64).ok_or_else(|| too_much.clone())?;
        files.push(Archived { path, bytes, is_program });
        if files.len() > MOST_FILES {
            return Err(too_much);
        }
    }
    inner(files)
}

/// The path without `./`.
fn plain(path: &Path) -> Result<PathBuf, Problem> {
    let mut plain = PathBuf::new();
    for part in path.components() {
        match part {
            Component::Normal(name) => plain.push(name),
            Component::CurDir => {}
            _ => return Err(odd(path, "leaves the folder of the course")),
        }
    }
    Ok(plain)
}

fn odd(path: &Path, what: &str) -> Problem {
    let message = format!("{} {what}", path.display());
    Problem::new(printable(&message)).hint("make an archive of the folder of the course")
}

/// The files of the folder that has the course file.
fn inner(files: Vec<Archived>) -> Result<Vec<Archived>, Problem> {
    let tops = files.iter().filter(|file| file.path.file_name().is_some_and(|it| it == FILE));
    let top = tops.min_by_key(|file| file.path.components().count());
    let Some(top) = top.and_then(|file| file.path.parent().map(Path::to_owned)) else {
        let message = format!("the archive has no {FILE}");
        return Err(Problem::new(message).hint("make an archive of the folder of the course"));
    };
    let is_left_out = |path: &Path| {
        path.components().any(|part| matches!(part.as_os_str().to_str(), Some("target" | ".git")))
    };
    let below = files.into_iter().filter_map(|file| {
        let path = file.path.strip_prefix(&top).ok()?.to_owned();
        (!is_left_out(&path)).then_some(Archived { path, ..file })
    });
    Ok(below.collect())
}

#[cfg(test)]
mod tests {
    use super::*;

    fn tar(files: &[(&str, EntryType)]) -> Vec<u8> {
        let mut archive = tar::Builder::new(Vec::new());
        for (name, kind) in files {
            let mut header = tar::Header::new_gnu();
            header.set_entry_type(*kind);
            header.set_size(0);
            header.set_mode(0o644);
            if *kind == EntryType::Symlink {
                header.set_link_name("/etc/passwd").unwrap();
            }
            header.as_gnu_mut().unwrap().name[..name.len()].copy_from_slice(name.as_bytes());
            header.set_cksum();
            archive.append(&header, &[][..]).unwrap();
        }
        archive.into_inner().unwrap()
    }

    #[test]
    fn a_folder_around_the_course_is_taken_off_and_what_is_built_is_left_out() {
        use EntryType::{Directory, Regular};
        let archive = tar(&[
            ("c/", Directory),
            ("./c/harness.yaml", Regular),
            ("c/a/b", Regular),
            ("c/target/x", Regular),
            ("other", Regular),
        ]);
        let files = files_of(&archive).unwrap();
        let names: Vec<_> = files.iter().map(|file| file.path.to_str().unwrap()).collect();
        assert_eq!(names, ["harness.yaml", "a/b"]);
    }

    #[test]
    fn links_and_paths_that_leave_the_folder_are_refused() {
        let message = |name, kind| files_of(&tar(&[(name, kind)])).unwrap_err().message;
        assert!(message("a", EntryType::Symlink).contains("links"));
        assert!(message("../a", EntryType::Regular).contains("leaves"));
        assert!(message("/a", EntryType::Regular).contains("leaves"));
        assert!(message("a", EntryType::Regular).contains("no harness.yaml"));
        assert!(files_of(b"no archive at all").is_err());
    }
}
