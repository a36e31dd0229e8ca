//! How to run what was built.

use crate::course::{Assignment, Course};
use crate::diagnostic::Failure;
use crate::run::interactor::Interactor;
use serde::{Deserialize, Serialize};
use std::path::PathBuf;

/// A command line that runs a variant; the arguments of a case are appended.
#[derive(Clone, Debug, PartialEq, Eq, Deserialize, Serialize)]
pub struct Runnable {
    pub words: Vec<String>,
    /// The folder that its relative paths start from. Unless it is a program of the course's own, such as a compiler, it runs in others.
    pub folder: PathBuf,
    /// The mutant that a combined build selects if it is started as a process.
    pub mutant: Option<String>,
    /// What a hostile program may read beside the files that its words name. Nobody has looked at it, so it is contained as far as the
    /// machine allows.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub hostile: Option<Vec<PathBuf>>,
    /// What it talks with, instead of reading the input and printing an answer.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub interactor: Option<Box<Interactor>>,
}

impl Runnable {
    pub fn new(words: Vec<String>, folder: PathBuf) -> Self {
        Self { words, folder, mutant: None, hostile: None, interactor: None }
    }

    /// The same program, at which nobody has looked.
    #[must_use]
    pub fn hostile(self) -> Self {
        Self { hostile: Some(Vec::new()), ..self }
    }

    /// The same program, which talks with the interactor of the assignment, if that has one.
    ///
    /// # Errors
    /// If the interactor cannot be built.
    pub fn talking(self, course: &Course, assignment: &Assignment) -> Result<Self, Failure> {
        Ok(Self { interactor: Interactor::of(course, assignment)?.map(Box::new), ..self })
    }

    /// The same program with the whole paths of the files that its words name, and of the folders that they name with a slash, because
    /// it runs in other folders than its own.
    #[must_use]
    pub fn with_whole_paths(mut self) -> Self {
        let folder = self.folder.canonicalize().unwrap_or_else(|_| self.folder.clone());
        for word in self.words.iter_mut().skip(1) {
            let path = folder.join(&*word);
            if (path.is_file() || word.contains('/') && path.is_dir())
                && let Some(path) = path.to_str()
            {
                path.clone_into(word);
            }
        }
        self
    }
}
