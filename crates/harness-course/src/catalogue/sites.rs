//! Finds the places of mutants in the source: the features and `bug!`s of a crate, the `BUG`s of other languages, and programs of
//! their own.

mod declare;
mod package;
mod sources;

pub use declare::declare;
pub use package::{
    SELECT, cfg_conditions, declared, find, is_mutant, library_name, library_source,
};
pub use sources::{read as source_files, selected};

use crate::catalogue;
use crate::course::language::{Marks, rust};
use crate::course::{Assignment, AssignmentProgram, Language, Sources};
use crate::diagnostic::{Failure, Place};

/// A place of a mutant in the source.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Site {
    /// The id of the mutant.
    pub id: String,
    /// The place of its `bug!`. Of a program of its own, the start of its file, without a column and a text.
    pub place: Place,
}

/// What a crate says about its mutants.
pub struct Sites {
    /// The features that are mutants.
    pub declared: Vec<String>,
    /// Every `bug!`.
    pub bugs: Vec<Site>,
    /// Every place that asks for a mutant's feature without `bug!`.
    pub conditions: Vec<Site>,
}

impl Sites {
    /// Reads the crate of an assignment. `None` if its program is none.
    ///
    /// # Errors
    /// If a file cannot be read.
    pub fn read(assignment: &Assignment) -> Result<Option<Self>, Failure> {
        let AssignmentProgram::Cargo(package) = &assignment.program else { return Ok(None) };
        let mut conditions = cfg_conditions(&package.folder)?;
        conditions.retain(|site| !package.features.contains(&site.id));
        let (declared, bugs) = (declared(&package.folder)?, find(&package.folder)?);
        Ok(Some(Self { declared, bugs, conditions }))
    }
}

/// Every place of a mutant of an assignment: file by file, then the programs of their own. There is none if commands build them.
///
/// # Errors
/// If a file cannot be read, or a bug has no id.
pub fn of(assignment: &Assignment) -> Result<Vec<Site>, Failure> {
    match &assignment.program {
        AssignmentProgram::Cargo(package) => find(&package.folder),
        AssignmentProgram::Sources(sources) => {
            let mut sites = sources::bugs(sources)?;
            sites.extend(catalogue::own_programs(assignment)?);
            Ok(sites)
        }
        AssignmentProgram::Commands { .. } => Ok(Vec::new()),
    }
}

/// Every bug that is marked in the sources of an assignment.
///
/// # Errors
/// As [`of`].
pub fn marked(sources: &Sources) -> Result<Vec<Site>, Failure> {
    sources::bugs(sources)
}

/// How a source in the language of this program marks the bug `id`. `None` if it cannot.
pub fn mark(program: &AssignmentProgram, id: &str) -> Option<String> {
    Some(format!("{}(\"{id}\")", marks(program)?.name))
}

/// How sources in the language of this program write bugs. `None` if they do not.
pub fn marks(program: &AssignmentProgram) -> Option<&'static Marks> {
    match program {
        AssignmentProgram::Cargo(_) => Some(&rust::MARKS),
        AssignmentProgram::Sources(sources) => Some(&sources.language.rules().marks),
        AssignmentProgram::Commands { .. } => None,
    }
}

/// The file beside a program that defines [`mark`], and its contents.
pub fn library(language: Language) -> (&'static str, &'static str) {
    language.rules().library
}
