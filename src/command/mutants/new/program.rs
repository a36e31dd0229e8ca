//! `--program`: the source of a mutant that is a program of its own. It starts as a copy of the reference without its bugs.

use crate::catalogue::solution::{SourceFile, solution};
use crate::course::{Assignment, AssignmentProgram, Course};
use crate::diagnostic::{Failure, Problem};
use crate::files;
use std::path::{Path, PathBuf};

pub(super) struct Source {
    /// The file or the folder.
    path: PathBuf,
    files: Vec<SourceFile>,
}

impl Source {
    /// # Errors
    /// If the program is not in sources of the course file, or its bugs cannot be removed.
    pub(super) fn new(course: &Course, assignment: &Assignment, id: &str) -> Result<Self, Failure> {
        let AssignmentProgram::Sources(sources) = &assignment.program else {
            let message = format!("a mutant of `{}` cannot be a program of its own", assignment.id);
            let hint =
                "this needs `c:`, `cpp:`, `python:` or `java:` as the `program` in the course file";
            return Err(Failure::usage(Problem::new(message).hint(hint)));
        };
        let files = solution(course, assignment)?;
        let path = match files.as_slice() {
            [_] => {
                let extension = sources.files[0].extension().unwrap_or_default();
                assignment.mutants.join(id).with_extension(extension)
            }
            _ => assignment.mutants.join(id),
        };
        Ok(Self { path, files })
    }

    pub(super) fn write(&self) -> Result<(), Failure> {
        match self.files.as_slice() {
            [file] => files::create(&self.path, file.text.as_bytes())
                .map_err(|error| Failure::unwritable(&self.path, &error)),
            files => files::write_tree(
                &self.path,
                files.iter().map(|file| (file.path.as_path(), file.text.as_str())),
            ),
        }
    }

    /// What was written, and where to write the bug.
    pub(super) fn first_step(&self, file: &Path) -> String {
        format!(
            "Wrote {} and {program}, a copy of the reference without its bugs.\n\n\
             1. write the bug into {program}",
            file.display(),
            program = self.path.display()
        )
    }
}
