//! One variant of an assignment, as the files that stand for it beside the tests.

use crate::catalogue::sites;
use crate::course::{Assignment, AssignmentProgram, Course, Sources};
use crate::diagnostic::{Failure, Problem};
use std::borrow::Cow;
use std::fs;
use std::io;
use std::iter;
use std::path::{Path, PathBuf};

/// A program as its files, with their paths in the folder of the tests. No variant is selected in them: each holds one program.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Variant {
    pub(crate) files: Vec<(PathBuf, Vec<u8>)>,
    /// How many of them are the program itself. What follows marks its bugs.
    own: usize,
    /// What begins a comment in them, if they are text.
    comment: Option<&'static str>,
}

impl Variant {
    /// A library, which is called `name` beside the tests.
    pub(crate) fn library(path: &Path, name: &str) -> Result<Self, Failure> {
        let bytes = fs::read(path)
            .map_err(|error| Failure::machine(format!("read {}", path.display()), error))?;
        Ok(Self::binary(vec![(name.into(), bytes)]))
    }

    /// Files that are not text, with their paths beside the tests. What follows their contents does not count.
    pub(crate) fn binary(files: Vec<(PathBuf, Vec<u8>)>) -> Self {
        Self { own: files.len(), files, comment: None }
    }

    /// The sources in which the mutant `id` is the program, or in which nothing is wrong.
    pub(crate) fn of_sources(sources: &Sources, id: Option<&str>) -> Result<Self, Failure> {
        let mut variant = Self::new(sources, sites::selected(sources, id)?);
        // The file that marks bugs is included or imported where there are none.
        let (name, text) = sites::library(sources.language);
        variant.files.push((name.into(), text.into()));
        Ok(variant)
    }

    fn new(sources: &Sources, files: Vec<(PathBuf, String)>) -> Self {
        let root = root(&files);
        let beside = |(path, text): (PathBuf, String)| {
            let name = path.file_name().unwrap_or_default();
            (path.strip_prefix(&root).unwrap_or(Path::new(name)).to_owned(), text.into_bytes())
        };
        let files: Vec<_> = files.into_iter().map(beside).collect();
        let comment = Some(sources.language.rules().comment);
        Self { own: files.len(), files, comment }
    }

    /// The sources as they are, with their marks, and without the file that defines them.
    pub(crate) fn marked(sources: &Sources) -> Result<Self, Failure> {
        let files = sites::source_files(sources)?;
        Ok(Self::new(sources, files))
    }

    /// The mutant `id` of an assignment: its bug in the sources, or the program of its own, under the name of the reference.
    pub(crate) fn of_mutant(assignment: &Assignment, id: &str) -> Result<Self, Failure> {
        let given = sources(assignment)?;
        match assignment.own_program(id) {
            Some(path) => Self::of_right(assignment, &path),
            None => Self::of_sources(given, Some(id)),
        }
    }

    /// The program at `path`, under the name of the reference.
    pub(crate) fn of_right(assignment: &Assignment, path: &Path) -> Result<Self, Failure> {
        let given = sources(assignment)?;
        let files = if path.is_file() {
            vec![path.to_owned()]
        } else {
            assignment.own_sources(path).map(|own| own.files).unwrap_or_default()
        };
        let mut variant = Self::of_sources(&Sources { files, ..given.clone() }, None)?;
        let main = given.files.first().and_then(|file| file.file_name()).unwrap_or_default();
        if let Some((name, _)) = variant.files.first_mut() {
            name.set_file_name(main);
        }
        Ok(variant)
    }

    /// The files without that which marks bugs.
    pub(crate) fn program(&self) -> &[(PathBuf, Vec<u8>)] {
        &self.files[..self.own]
    }

    /// Whether the files are text.
    pub(crate) fn is_text(&self) -> bool {
        self.comment.is_some()
    }

    /// Files with the same names, and nothing in them.
    pub(crate) fn with_no_contents(&self) -> Self {
        let files = self.files.iter().map(|(name, _)| (name.clone(), Vec::new()));
        Self { files: files.collect(), ..*self }
    }

    /// The texts of the program's files.
    pub(crate) fn texts(&self) -> impl Iterator<Item = Cow<'_, str>> {
        self.program().iter().map(|(_, bytes)| String::from_utf8_lossy(bytes))
    }

    /// The same with other texts of the program's first files.
    #[must_use]
    pub(crate) fn with_texts(&self, texts: impl IntoIterator<Item = String>) -> Self {
        let mut variant = self.clone();
        for ((_, bytes), text) in variant.files[..self.own].iter_mut().zip(texts) {
            *bytes = text.into_bytes();
        }
        variant
    }

    /// The files, each with an end that nobody can expect, so that its size and its sum say nothing.
    pub(crate) fn ended(&self) -> impl Iterator<Item = (&Path, Vec<u8>)> {
        self.files.iter().map(|(name, bytes)| {
            let most = fastrand::usize(64..1024);
            let random: Vec<u8> = match self.comment {
                Some(begin) => {
                    let letters = iter::repeat_with(fastrand::alphanumeric).take(most);
                    format!("\n{begin} {}\n", letters.collect::<String>()).into_bytes()
                }
                None => iter::repeat_with(|| fastrand::u8(..)).take(most).collect(),
            };
            (&**name, [bytes, &random[..]].concat())
        })
    }

    /// Puts the files into a folder, with their ends.
    pub(crate) fn lay(&self, folder: &Path) -> io::Result<()> {
        for (name, bytes) in self.ended() {
            let path = folder.join(name);
            fs::create_dir_all(path.parent().unwrap_or(folder))?;
            fs::write(path, bytes)?;
        }
        Ok(())
    }
}

/// The folder from which tests name the files: that of the first one, or the one around the package in Python that it belongs to.
fn root(files: &[(PathBuf, String)]) -> PathBuf {
    let is_package = |folder: &Path| files.iter().any(|(it, _)| *it == folder.join("__init__.py"));
    let first = files.first().and_then(|(file, _)| file.parent());
    let mut folders = first.into_iter().flat_map(Path::ancestors);
    folders.find(|it| !is_package(it)).unwrap_or(Path::new("")).to_owned()
}

/// The sources of the program that is tested.
pub(crate) fn sources(assignment: &Assignment) -> Result<&Sources, Failure> {
    let AssignmentProgram::Sources(sources) = &assignment.program else {
        let problem = Problem::new(format!("the program of `{}` has no sources", assignment.id));
        let hint = "unit tests need sources, as in `program: { cpp: Matrix.cpp }`";
        return Err(Failure::broken_course(problem.hint(hint)));
    };
    Ok(sources)
}

/// What the kits need to make variants.
#[derive(Clone, Copy)]
pub(crate) struct Given<'a> {
    pub(crate) course: &'a Course,
    pub(crate) assignment: &'a Assignment,
}
