//! The mutated copy: the reference with all candidates in it, each behind a mark of its own, beside the catalogue's mutants.

mod copied;

use super::grammar;
use super::marked::{self, Marked, MarkedPlace};
use super::notation::Notation;
use super::{Candidate, Found, Import, rust};
use copied::Copied;
use harness::catalogue::solution::SourceFile;
use harness::course::{Assignment, AssignmentProgram};
use harness::diagnostic::{Failure, Place, Problem};
use std::collections::BTreeSet;
use std::path::{Path, PathBuf};

/// The largest number of mutants that one program can hold.
const MOST: usize = 1024;

/// The reference, and the candidates in it.
pub struct MutatedCopy {
    copied: Copied,
    notation: Notation,
    found: Vec<Found>,
    /// The index of a source, and of a candidate in it, for each candidate that is left.
    numbered: Vec<(usize, usize)>,
    left: BTreeSet<usize>,
    /// The candidates whose change is compared with the place before they are run.
    guarded: BTreeSet<usize>,
}

impl MutatedCopy {
    /// Finds the candidates of the program of an assignment whose catalogue has this many mutants.
    ///
    /// # Errors
    /// If its language has no candidates, or a source cannot be read.
    pub fn open(assignment: &Assignment, mutants: usize) -> Result<Self, Failure> {
        let program = &assignment.program;
        let notation = Notation::of(program).ok_or_else(|| unsupported(assignment))?;
        let copied = match program {
            AssignmentProgram::Cargo(package) => Copied::package(package)?,
            AssignmentProgram::Sources(sources) => Copied::sources(sources)?,
            AssignmentProgram::Commands { .. } => return Err(unsupported(assignment)),
        };
        let found = find(notation, &copied)?;
        let mut mutated_copy = Self {
            copied,
            notation,
            found,
            numbered: Vec::new(),
            left: BTreeSet::new(),
            guarded: BTreeSet::new(),
        };
        mutated_copy.number(MOST - mutants.min(MOST));
        Ok(mutated_copy)
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
        (&self.copied.sources[file], &self.found[file].candidates[at])
    }

    /// The folder that the paths of the sources are relative to.
    pub fn folder(&self) -> &Path {
        &self.copied.folder
    }

    /// Changes what does not compile: a candidate whose values cannot be compared is run in any case, and any other is left out.
    pub fn retreat(&mut self, number: usize) {
        if !self.guarded.remove(&number) {
            self.left.remove(&number);
        }
    }

    /// How the sources mark bugs.
    pub fn notation(&self) -> Notation {
        self.notation
    }

    /// What a source lacks to mark bugs.
    pub fn import(&self, number: usize) -> Option<&Import> {
        self.found[self.numbered[number].0].import.as_ref()
    }

    /// Writes the copy of `program` into `folder`, and gives the program that it is. Files that do not change keep their times.
    ///
    /// # Errors
    /// If a file cannot be written.
    pub fn write(
        &self,
        program: &AssignmentProgram,
        folder: &Path,
    ) -> Result<(AssignmentProgram, Vec<Written>), Failure> {
        let ids: Vec<_> = (0..self.count()).map(marked::id).collect();
        let copy = self.copied.write(program, &ids, folder)?;
        let written = (0..self.copied.sources.len()).map(|file| {
            let path = self.copied.sources[file].path.clone();
            let Marked { text, places } = self.marked(file);
            copied::put(folder, &path, text.as_bytes())?;
            Ok(Written { path, places })
        });
        Ok((copy, written.collect::<Result<_, Failure>>()?))
    }

    /// A source with the marks of the candidates that are left in it.
    fn marked(&self, file: usize) -> Marked {
        let inside = self.left().filter(|&number| self.numbered[number].0 == file);
        let inside: Vec<_> = inside.map(|number| (number, self.candidate(number).1)).collect();
        // A candidate may go in circles, so every loop counts its steps.
        let loops = self.found[file].loops.iter().map(|&at| (at, " ::subject::tick!();"));
        let import = self.found[file].import.as_ref().filter(|_| !inside.is_empty());
        let import = import.map(|import| (import.at, import.text.as_str()));
        let insertions: Vec<_> = loops.chain(import).collect();
        let guarded = |number| self.guarded.contains(&number);
        let text = &self.copied.sources[file].text;
        marked::all(text, self.notation, &inside, &insertions, &guarded)
    }
}

/// A source of the copy, with the places of the candidates in it.
pub struct Written {
    pub path: PathBuf,
    pub places: Vec<MarkedPlace>,
}

/// The candidates of each source.
fn find(notation: Notation, copied: &Copied) -> Result<Vec<Found>, Failure> {
    let texts: Vec<_> = copied.sources.iter().map(|file| file.text.as_str()).collect();
    match notation {
        Notation::Rust => rust::find(&texts).map_err(|(at, error)| {
            let (file, start) = (&copied.sources[at], error.span().start());
            let path = copied.folder.join(&file.path);
            let place = Place::new(&path, &file.text, start.line, Some(start.column + 1));
            Failure::broken_course(Problem::new(format!("not valid Rust: {error}")).at(place))
        }),
        Notation::C => Ok(grammar::c::find(&texts)),
        Notation::Python => Ok(grammar::python::find(&texts)),
    }
}

fn unsupported(assignment: &Assignment) -> Failure {
    let message = format!("the program of `{}` has no candidates", assignment.id);
    let hint = "`mutants propose` reads references in Rust, C, C++ and Python";
    Failure::usage(Problem::new(message).hint(hint))
}
