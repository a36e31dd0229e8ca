//! What is copied of a reference: the sources that have candidates, and what they are built with.

use harness::catalogue::sites;
use harness::catalogue::solution::{SourceFile, manifest, sources};
use harness::course::{AssignmentProgram, Package, Sources};
use harness::diagnostic::Failure;
use harness::files;
use std::fs;
use std::path::{Component, Path, PathBuf};

/// The files of a reference.
pub(super) struct Copied {
    /// The folder that contains all of them.
    pub(super) folder: PathBuf,
    /// The sources that have candidates, with paths relative to the folder.
    pub(super) sources: Vec<SourceFile>,
    /// What else is copied, with paths relative to the folder.
    others: Vec<(PathBuf, Vec<u8>)>,
}

impl Copied {
    pub(super) fn package(package: &Package) -> Result<Self, Failure> {
        let folder = &package.folder;
        let (sources, others) = sources(folder)?;
        let is_program = |file: &SourceFile| file.path.starts_with("src");
        let (sources, tests): (Vec<_>, Vec<_>) = sources.into_iter().partition(is_program);
        let others = others.into_iter().chain(tests);
        let others = others.map(|file| (file.path, file.text.into_bytes())).collect();
        Ok(Self { folder: folder.clone(), sources, others })
    }

    pub(super) fn sources(program: &Sources) -> Result<Self, Failure> {
        let files = sites::source_files(program)?;
        let files: Vec<_> = files.into_iter().map(|(path, _)| normal(&path)).collect();
        let folder = around(&files);
        let (mut sources, mut others) = (Vec::new(), Vec::new());
        for file in files {
            let bytes = fs::read(&file)
                .map_err(|error| Failure::machine(format!("read {}", file.display()), error))?;
            let path = file.strip_prefix(&folder).expect("it is in the folder").to_owned();
            match String::from_utf8(bytes) {
                Ok(text) => sources.push(SourceFile { path, text }),
                // The places of its parts could not be shown.
                Err(error) => others.push((path, error.into_bytes())),
            }
        }
        let (name, text) = sites::library(program.language);
        let beside = normal(&program.files[0]).with_file_name(name);
        let path = beside.strip_prefix(&folder).expect("its neighbour is in the folder");
        others.push((path.to_owned(), text.into()));
        Ok(Self { folder, sources, others })
    }

    /// Writes what has no candidates into the folder `to`, and gives the program that the copy is. It declares the mutants `ids` too.
    pub(super) fn write(
        &self,
        program: &AssignmentProgram,
        ids: &[String],
        to: &Path,
    ) -> Result<AssignmentProgram, Failure> {
        self.others.iter().try_for_each(|(path, bytes)| put(to, path, bytes))?;
        Ok(match program {
            AssignmentProgram::Cargo(package) => {
                let (manifest, root) = manifest::copied(&package.folder, ids)?;
                put(to, Path::new("Cargo.toml"), manifest.as_bytes())?;
                if let Ok(lock) = fs::read(root.join("Cargo.lock"))
                    && !to.join("Cargo.lock").exists()
                {
                    put(to, Path::new("Cargo.lock"), &lock)?;
                }
                AssignmentProgram::Cargo(Package { folder: to.to_owned(), ..package.clone() })
            }
            AssignmentProgram::Sources(sources) => {
                let mut copy = sources.clone();
                for file in &mut copy.files {
                    let path = normal(file);
                    *file = to.join(path.strip_prefix(&self.folder).unwrap_or(&path));
                }
                // The candidates give warnings, which the course may treat as errors.
                if !copy.flags.is_empty() && copy.language.compiler().is_some() {
                    copy.flags.push("-w".to_owned());
                }
                AssignmentProgram::Sources(copy)
            }
            AssignmentProgram::Commands { .. } => program.clone(),
        })
    }
}

/// Writes a file below `folder`, unless it is as it should be.
pub(super) fn put(folder: &Path, path: &Path, contents: &[u8]) -> Result<(), Failure> {
    let path = folder.join(path);
    if fs::read(&path).is_ok_and(|known| known == contents) {
        return Ok(());
    }
    path.parent()
        .map_or(Ok(()), fs::create_dir_all)
        .and_then(|()| files::replace(&path, contents))
        .map_err(|error| Failure::machine(format!("write {}", path.display()), error))
}

/// The path without `.` and, as far as possible, without `..`.
fn normal(path: &Path) -> PathBuf {
    let mut normal = PathBuf::new();
    for part in path.components() {
        let is_in_folder = matches!(normal.components().next_back(), Some(Component::Normal(_)));
        match part {
            Component::CurDir => {}
            Component::ParentDir if is_in_folder => {
                normal.pop();
            }
            _ => normal.push(part),
        }
    }
    normal
}

/// The innermost folder that contains all files.
fn around(files: &[PathBuf]) -> PathBuf {
    let first = files.first().and_then(|file| file.parent()).unwrap_or(Path::new(""));
    let is_around = |folder: &&Path| files.iter().all(|file| file.starts_with(folder));
    first.ancestors().find(is_around).unwrap_or(Path::new("")).to_owned()
}
