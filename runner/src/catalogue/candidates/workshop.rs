//! The workshop: a copy of the reference that contains all candidates, each behind a mark of its own, beside the catalogue's mutants.

use super::marked::{self, Marked};
use super::{Candidate, Found, rust};
use crate::catalogue::solution::{SourceFile, manifest, sources};
use crate::course::{Assignment, Package, Program};
use crate::files;
use crate::problem::{Failure, Place, Problem};
use std::collections::BTreeSet;
use std::fs;
use std::io;
use std::path::{Path, PathBuf};

/// The largest number of mutants that one program can hold.
const MOST: usize = 1024;

/// The reference, and the candidates in it.
pub struct Workshop {
    /// The folder of the reference.
    folder: PathBuf,
    /// The sources that have candidates, with paths relative to the folder.
    sources: Vec<SourceFile>,
    /// What else is copied.
    others: Vec<SourceFile>,
    found: Vec<Found>,
    /// The index of a source, and of a candidate in it, for each candidate that is left.
    numbered: Vec<(usize, usize)>,
    left: BTreeSet<usize>,
    /// The candidates whose change is compared with the place before they are run.
    guarded: BTreeSet<usize>,
}

impl Workshop {
    /// Finds the candidates of the program of an assignment whose catalogue has this many mutants.
    ///
    /// # Errors
    /// If its language has no candidates, or a source cannot be read.
    pub fn open(assignment: &Assignment, mutants: usize) -> Result<Self, Failure> {
        let Program::Cargo(package) = &assignment.program else {
            return Err(unsupported(assignment));
        };
        let folder = &package.folder;
        let (sources, mut others) = sources(folder)?;
        let is_program = |file: &SourceFile| file.path.starts_with("src");
        let (sources, tests): (Vec<_>, Vec<_>) = sources.into_iter().partition(is_program);
        others.extend(tests);
        let texts: Vec<_> = sources.iter().map(|file| file.text.as_str()).collect();
        let found = rust::find(&texts).map_err(|(at, error)| {
            let (file, start) = (&sources[at], error.span().start());
            let path = folder.join(&file.path);
            let place = Place::new(&path, &file.text, start.line, Some(start.column + 1));
            Failure::broken_course(Problem::new(format!("not valid Rust: {error}")).at(place))
        })?;
        let mut workshop = Self {
            folder: folder.clone(),
            sources,
            others,
            found,
            numbered: Vec::new(),
            left: BTreeSet::new(),
            guarded: BTreeSet::new(),
        };
        workshop.number(MOST - mutants.min(MOST));
        Ok(workshop)
    }

    /// Numbers the candidates. If there are more than `most`, takes them at equal distances.
    fn number(&mut self, most: usize) {
        let all = self.found.iter().enumerate();
        let all: Vec<_> = all
            .flat_map(|(file, found)| (0..found.candidates.len()).map(move |at| (file, at)))
            .collect();
        let taken = all.len().min(most);
        self.numbered = (0..taken).map(|at| all[at * all.len() / taken]).collect();
        self.left = (0..taken).collect();
        self.guarded = self.left().filter(|&number| self.candidate(number).1.is_pure).collect();
    }

    /// The candidates that are left, by number.
    pub fn left(&self) -> impl Iterator<Item = usize> + '_ {
        self.left.iter().copied()
    }

    /// The number of candidates that are left, and of those that are compared first.
    pub fn state(&self) -> (usize, usize) {
        (self.left.len(), self.guarded.len())
    }

    pub fn count(&self) -> usize {
        self.numbered.len()
    }

    /// A candidate with its source.
    pub fn candidate(&self, number: usize) -> (&SourceFile, &Candidate) {
        let (file, at) = self.numbered[number];
        (&self.sources[file], &self.found[file].candidates[at])
    }

    /// The folder that the paths of the sources are relative to.
    pub fn folder(&self) -> &Path {
        &self.folder
    }

    /// Changes what does not compile: a candidate whose values cannot be compared is run in any case, and any other is left out.
    pub fn retreat(&mut self, number: usize) {
        if !self.guarded.remove(&number) {
            self.left.remove(&number);
        }
    }

    /// Writes the copy into `folder`. Files that do not change keep their times.
    ///
    /// # Errors
    /// If a file cannot be written.
    pub fn write(&self, package: &Package, folder: &Path) -> Result<Vec<Written>, Failure> {
        let ids: Vec<_> = (0..self.count()).map(marked::id).collect();
        let (manifest, root) = manifest::copied(&package.folder, &ids)?;
        let put = |path: &Path, text: &str| {
            let path = folder.join(path);
            write_if_changed(&path, text)
                .map_err(|error| Failure::machine(format!("write {}", path.display()), error))
        };
        put(Path::new("Cargo.toml"), &manifest)?;
        if let Ok(lock) = fs::read_to_string(root.join("Cargo.lock"))
            && !folder.join("Cargo.lock").exists()
        {
            put(Path::new("Cargo.lock"), &lock)?;
        }
        self.others.iter().try_for_each(|file| put(&file.path, &file.text))?;
        let written = (0..self.sources.len()).map(|file| {
            let path = self.sources[file].path.clone();
            let Marked { text, places } = self.marked(file);
            put(&path, &text)?;
            Ok(Written { path, places })
        });
        written.collect()
    }

    /// A source with the marks of the candidates that are left in it.
    fn marked(&self, file: usize) -> Marked {
        let inside = self.left().filter(|&number| self.numbered[number].0 == file);
        let inside: Vec<_> = inside.map(|number| (number, self.candidate(number).1)).collect();
        // A candidate may go in circles, so every loop counts its steps.
        let loops = self.found[file].loops.iter().map(|&at| (at, " ::subject::tick!();"));
        let loops: Vec<_> = loops.collect();
        let guarded = |number| self.guarded.contains(&number);
        marked::all(&self.sources[file].text, &inside, &loops, &guarded)
    }
}

/// A source of the copy, with the places of the candidates in it.
pub struct Written {
    pub path: PathBuf,
    pub places: Vec<(usize, std::ops::Range<usize>)>,
}

fn write_if_changed(path: &Path, text: &str) -> io::Result<()> {
    if fs::read(path).is_ok_and(|known| known == text.as_bytes()) {
        return Ok(());
    }
    path.parent().map_or(Ok(()), fs::create_dir_all)?;
    files::replace(path, text.as_bytes())
}

fn unsupported(assignment: &Assignment) -> Failure {
    let message = format!("the program of `{}` has no candidates", assignment.id);
    let hint = "`mutants propose` reads references in Rust";
    Failure::usage(Problem::new(message).hint(hint))
}
