//! The files of a submission, which has no folders.

use crate::course::submission::{Rule, Submission};
use crate::diagnostic::{Problem, printable};
use crate::files::Archived;
use crate::files::upload::{APPLES, Upload, without_ending};
use crate::suite::layout;
use sha2::{Digest, Sha256};
use std::collections::BTreeMap;
use std::ffi::OsStr;
use std::io::Read;
use std::path::Path;

/// The files of a submission.
#[derive(Debug)]
pub struct Contents {
    /// The name of the folder or archive, with control characters escaped.
    pub name: String,
    /// The files, ordered by name.
    pub(crate) files: Vec<SourceFile>,
    /// The paths of the files in folders, which are left out.
    pub(crate) left_out: Vec<String>,
    /// The rules that were broken while the files were read.
    pub(crate) broken: Vec<(Rule, Problem)>,
}

/// A file of a submission.
#[derive(Clone, Debug)]
pub struct SourceFile {
    /// Its name, without a folder.
    pub name: String,
    pub bytes: Vec<u8>,
}

impl SourceFile {
    /// The contents, with invalid UTF-8 replaced.
    pub fn text(&self) -> String {
        String::from_utf8_lossy(&self.bytes).into_owned()
    }

    /// The part of the name after the last `.`.
    pub fn extension(&self) -> &str {
        Path::new(&self.name).extension().and_then(OsStr::to_str).unwrap_or_default()
    }
}

impl Contents {
    /// Reads the folder or archive `path`.
    pub fn read(path: &Path, submission: &Submission) -> Self {
        Self::of(layout::student(path), Upload::read(path, submission.kilobytes))
    }

    /// Reads an archive from anywhere: a connection, or bytes in memory. `name` is the name that the student gave its file, with the
    /// ending.
    pub fn of_archive(name: &str, archive: impl Read, submission: &Submission) -> Self {
        let student = printable(without_ending(name).unwrap_or(name));
        Self::of(student, Upload::of_archive(name, archive, submission.kilobytes))
    }

    /// Takes files in memory, of the student `name`. It says the same as of the [`archive`](crate::files::archive) of these files.
    pub fn of_files<'a>(
        name: &str,
        files: impl IntoIterator<Item = &'a Archived>,
        submission: &Submission,
    ) -> Self {
        Self::of(printable(name), Upload::of_files(files, submission.kilobytes))
    }

    /// The files at the top. If all files are in one folder, those in it.
    fn of(name: String, upload: Upload) -> Self {
        let links = upload.not_files.into_iter().map(|problem| (Rule::Links, problem));
        let unread = upload.problem.map(|problem| (Rule::Readable, problem));
        let mut broken: Vec<_> = links.chain(unread).collect();
        let mut all = upload.files;
        all.retain(|path, _| !is_of_a_mac(path));
        let mut folders = Vec::new();
        while let Some(top) = only_folder(&all) {
            let inner =
                |path: &[u8]| Some(path.strip_prefix(&top[..])?.strip_prefix(b"/")?.to_vec());
            all = all.into_iter().map(|(path, it)| (inner(&path).unwrap_or(path), it)).collect();
            folders.push(printable(&String::from_utf8_lossy(&top)));
        }
        if !folders.is_empty() {
            let problem =
                Problem::new(format!("all files are in the folder {}", folders.join("/")));
            let hint = "put the files themselves into the archive";
            broken.push((Rule::Folders, problem.hint(hint)));
        }
        broken.extend(same_but_for_case(&all));
        let (mut files, mut left_out) = (Vec::new(), Vec::new());
        for (path, bytes) in all {
            match String::from_utf8(path) {
                Ok(name) if name.contains('/') => {
                    let problem = Problem::new(format!("{} is in a folder", printable(&name)));
                    let hint = "a submission has no folders; this file is left out";
                    broken.push((Rule::Folders, problem.hint(hint)));
                    left_out.push(name);
                }
                Ok(name) => files.push(SourceFile { name, bytes }),
                Err(error) => {
                    let shown = error.as_bytes().escape_ascii();
                    let problem = Problem::new(format!("the name {shown} is not UTF-8 text"));
                    broken.push((Rule::Files, problem.hint("give the file a plain name")));
                }
            }
        }
        Self { name, files, left_out, broken }
    }

    /// The SHA-256 of the names and contents, in hexadecimal.
    pub fn digest(&self) -> String {
        let mut hasher = Sha256::new();
        for file in &self.files {
            for part in [file.name.as_bytes(), &file.bytes] {
                hasher.update((part.len() as u64).to_le_bytes());
                hasher.update(part);
            }
        }
        hasher.finalize().iter().map(|byte| format!("{byte:02x}")).collect()
    }
}

/// Whether macOS added a file by itself. Nobody is told of it.
fn is_of_a_mac(path: &[u8]) -> bool {
    let name = path.rsplit(|&byte| byte == b'/').next().unwrap_or_default();
    path.split(|&byte| byte == b'/').next() == Some(APPLES.as_bytes())
        || name == b".DS_Store"
        || name.starts_with(b"._")
}

/// The folder that holds all files. A hidden file beside it, such as `._mine`, was put there by a system.
fn only_folder(files: &BTreeMap<Vec<u8>, Vec<u8>>) -> Option<Vec<u8>> {
    let tops = files.keys().map(|path| path.split(|&byte| byte == b'/'));
    let tops = tops.map(|mut parts| (parts.next().unwrap_or_default(), parts.next().is_some()));
    let mut tops = tops.filter(|(top, is_folder)| *is_folder || !top.starts_with(b"."));
    let (first, is_folder) = tops.next()?;
    (is_folder && tops.all(|(top, _)| top == first)).then(|| first.to_vec())
}

/// Files at the top whose names differ only in case.
fn same_but_for_case(files: &BTreeMap<Vec<u8>, Vec<u8>>) -> Vec<(Rule, Problem)> {
    let mut names: BTreeMap<String, String> = BTreeMap::new();
    let all = files.keys().map(|path| String::from_utf8_lossy(path).into_owned());
    let pairs = all.filter_map(|name| {
        let other = names.insert(name.to_lowercase(), name.clone())?;
        let message = format!("{} and {} differ only in case", printable(&other), printable(&name));
        let hint = "on other systems, one of them replaces the other";
        Some((Rule::Files, Problem::new(message).hint(hint)))
    });
    pairs.collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_a_mac_adds_to_an_archive_is_ignored() {
        let names =
            ["._hw", "hw/.DS_Store", "hw/._a.py", "hw/a.py", "__MACOSX/hw/._a.py", "__MACOSX/._hw"];
        let files = names.map(|name| Archived {
            path: name.into(),
            bytes: b"1".to_vec(),
            is_program: false,
        });
        let contents = Contents::of("mine".to_owned(), Upload::of_files(&files, 1));
        let names: Vec<_> = contents.files.iter().map(|file| file.name.as_str()).collect();
        assert_eq!((names, contents.left_out.len()), (vec!["a.py"], 0));
        let said: Vec<_> = contents.broken.iter().map(|(_, it)| it.message.as_str()).collect();
        assert_eq!(said, ["all files are in the folder hw"]);
    }
}
