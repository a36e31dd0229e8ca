//! The folder of `--out`: a file for each submission, the earlier ones, and what is kept to grade faster.
//!
//! A file is whole or not there at all, so a run may end at any moment, and several runs may fill the same folder. A result that was
//! reported survives a power failure.

use crate::diagnostic::{Failure, Problem};
use crate::files::{self, file_name};
use crate::hash::Digest;
use crate::result::record::{self, Record};
use serde::{Deserialize, Serialize};
use std::fs;
use std::io;
use std::path::{Path, PathBuf};

/// The file that marks the folder.
const MARK: &str = "class.json";
const SCHEMA: &str = "harness-class/1";

/// The results of a class.
pub struct Results {
    folder: PathBuf,
}

/// What the folder is for.
#[derive(PartialEq, Serialize, Deserialize)]
struct Mark {
    schema: String,
    assignment: String,
}

impl Results {
    /// Opens the folder, which is new, empty, or holds results for the same assignment.
    pub fn open(folder: &Path, assignment: &str) -> Result<Self, Failure> {
        let failed = |error| Failure::machine(format!("use {}", folder.display()), error);
        let mark = Mark { schema: SCHEMA.to_owned(), assignment: assignment.to_owned() };
        fs::create_dir_all(folder).map_err(failed)?;
        if !folder.join(MARK).exists() {
            if !is_free(folder).map_err(failed)? {
                let message = format!("{} holds other files than results", folder.display());
                let hint = "name a new folder; existing files are never overwritten";
                return Err(Failure::usage(Problem::new(message).hint(hint)));
            }
            let text = serde_json::to_string_pretty(&mark).expect("a struct of texts") + "\n";
            files::replace(&folder.join(MARK), text.as_bytes()).map_err(failed)?;
        }
        let there = fs::read(folder.join(MARK)).map_err(failed)?;
        if serde_json::from_slice::<Mark>(&there).ok().as_ref() != Some(&mark) {
            let message = format!("{} holds results of another assignment", folder.display());
            return Err(Failure::usage(Problem::new(message).hint("name another folder")));
        }
        for inner in ["submissions", "earlier"] {
            fs::create_dir_all(folder.join(inner)).map_err(failed)?;
        }
        Ok(Self { folder: folder.to_owned() })
    }

    /// The folder of what is kept to grade faster.
    pub fn kept(&self) -> PathBuf {
        self.folder.join("kept")
    }

    /// The path of a file in the folder.
    pub fn path(&self, name: &str) -> PathBuf {
        self.folder.join(name)
    }

    /// The result of the submission `name`. `None` if there is none, or if it is not whole.
    pub fn read(&self, name: &str) -> Option<Record> {
        let record: Record = serde_json::from_slice(&fs::read(self.file(name)).ok()?).ok()?;
        (record.schema == record::SCHEMA).then_some(record)
    }

    /// The path of the file of the submission `name`, relative to the folder, if there is one.
    pub fn record(&self, name: &str) -> Option<String> {
        let file = self.file(name);
        let path = file.strip_prefix(&self.folder).ok()?.to_str()?.to_owned();
        file.exists().then_some(path)
    }

    /// Writes a result. An earlier one of the same submission is kept.
    pub fn write(&self, record: &Record) -> Result<(), Failure> {
        let file = self.file(&record.report.name);
        let text = serde_json::to_vec_pretty(record).map_err(io::Error::from);
        text.and_then(|text| {
            self.keep_earlier(&record.report.name)?;
            files::replace_durably(&file, &text)
        })
        .map_err(|error| Failure::unwritable(&file, &error))
    }

    /// Keeps the result that is about to be replaced, by the digest of its contents.
    fn keep_earlier(&self, name: &str) -> io::Result<()> {
        let Ok(old) = fs::read(self.file(name)) else { return Ok(()) };
        let digest = Digest::default().with(&old).hex();
        let earlier = format!("{}-{}.json", file_name(name), &digest[..12]);
        files::replace_durably(&self.folder.join("earlier").join(earlier), &old)
    }

    fn file(&self, name: &str) -> PathBuf {
        self.folder.join("submissions").join(format!("{}.json", file_name(name)))
    }
}

/// Whether a folder holds nothing but what another run may be writing right now.
fn is_free(folder: &Path) -> io::Result<bool> {
    let mut entries = fs::read_dir(folder)?.filter_map(Result::ok);
    Ok(entries.all(|entry| {
        entry.file_name() == MARK || entry.file_name().as_encoded_bytes().starts_with(b".")
    }))
}
