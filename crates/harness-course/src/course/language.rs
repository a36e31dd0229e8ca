//! The languages of programs. All that is known of a language as data is in one file below, and [`tokens`] has what reads its sources. How
//! programs are built and run is in `run/build/language`.

mod c;
mod cpp;
mod java;
mod python;
pub mod rust;
pub mod tokens;

use std::path::{Path, PathBuf};
use tokens::Token;

/// A language of programs that `harness` builds and runs without commands in the course file.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Language {
    C,
    Cpp,
    Python,
    Java,
}

/// What is known of a language.
#[derive(Debug)]
pub struct LanguageRules {
    /// The key in the course file.
    pub key: &'static str,
    /// How names of source files end.
    pub extensions: &'static [&'static str],
    /// What begins a comment that ends with its line.
    pub comment: &'static str,
    pub marks: Marks,
    /// The file beside a program that defines the mark, and its contents.
    pub library: (&'static str, &'static str),
    /// What stands for true and for false.
    pub truth: [&'static str; 2],
    /// The files that a source with this path and text may include or import.
    pub uses: fn(&Path, &str) -> Vec<PathBuf>,
    /// Whether the name of a file says that it starts the program. A compiler finds `main` in any file.
    pub starts_by_name: bool,
    /// Whether a source does not compile under another name.
    pub keeps_file_names: bool,
    /// Whether bugs can be proposed in a source.
    pub takes_candidates: bool,
    pub made: Made,
    /// What builds and runs programs, first what takes the sources.
    pub tools: &'static [Tool],
    /// Packages of Debian and Ubuntu with these tools, besides `g++` and `make`, which every grader has.
    pub packages: &'static [&'static str],
    pub handed_in: HandedIn,
}

/// How sources write bugs.
#[derive(Debug)]
pub struct Marks {
    /// The name of the macro or function that marks a bug.
    pub name: &'static str,
    pub tokens: fn(&str) -> Vec<Token>,
    pub grammar: Grammar,
    /// The forms of a bug that can be removed from the source.
    pub forms: &'static str,
    /// A line with a bug. `{mark}` stands for the mark.
    pub example: &'static str,
}

impl Marks {
    /// What the macro or function must belong to, as in `Bug.on`, and its name alone.
    pub fn parts(&self) -> (Option<&'static str>, &'static str) {
        let name = self.name.trim_end_matches('!');
        name.split_once('.').map_or((None, name), |(owner, name)| (Some(owner), name))
    }
}

/// Whose statements and operators a language has.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Grammar {
    /// An `if` has a value.
    Rust,
    /// Conditions in parentheses, and `?` with `:`.
    C,
    /// Blocks are indented.
    Python,
}

/// What is made of the sources before a program runs.
#[derive(Debug)]
pub enum Made {
    /// An executable.
    Linked(Compiler),
    /// A folder of classes.
    Classes,
    /// Nothing: the first source is run.
    Nothing,
}

/// A compiler that makes executables, with the options of GCC.
#[derive(Debug)]
pub struct Compiler {
    pub name: &'static str,
    /// The variable of the environment that may name another one.
    pub variable: &'static str,
    /// The options where the course gives none.
    pub standard: &'static [&'static str],
    /// What is linked with every program.
    pub libraries: &'static [&'static str],
    /// The compiler's name for a header of the language, and a header that includes what most programs do. It is compiled once for all
    /// programs, where reading it takes longer than most programs.
    pub common: Option<(&'static str, &'static str)>,
}

/// A program that builds or runs programs in a language.
#[derive(Debug)]
pub struct Tool {
    pub what: &'static str,
    pub name: &'static str,
    /// How to install it.
    pub remedy: &'static str,
}

/// What is known of the submissions in a language.
#[derive(Debug)]
pub struct HandedIn {
    /// How the names of sources end, except for headers.
    pub ending: &'static str,
    /// Whether students write a Makefile, which calls gcc or g++.
    pub has_makefile: bool,
    /// Whether valgrind sees the memory of the program.
    pub is_native: bool,
    /// Patterns of the names of the files that are allowed where the course file lists none.
    pub files: &'static [&'static str],
}

impl Language {
    pub const ALL: [Self; 4] = [Self::C, Self::Cpp, Self::Python, Self::Java];

    /// The languages of programs that are no part of the course and are built from their sources alone. Where a folder has sources in
    /// several, the first counts.
    pub const FOREIGN: [Self; 3] = [Self::Cpp, Self::C, Self::Python];

    pub fn rules(self) -> &'static LanguageRules {
        match self {
            Self::C => &c::RULES,
            Self::Cpp => &cpp::RULES,
            Self::Python => &python::RULES,
            Self::Java => &java::RULES,
        }
    }

    /// The key in the course file.
    pub fn key(self) -> &'static str {
        self.rules().key
    }

    /// How names of source files end.
    pub fn extensions(self) -> &'static [&'static str] {
        self.rules().extensions
    }

    /// Whether a file is a source in this language, by its name.
    pub fn has_source(self, file: &Path) -> bool {
        let extension = file.extension().and_then(|extension| extension.to_str());
        extension.is_some_and(|found| self.extensions().contains(&found))
    }

    /// Whether a source can import the others beside it without naming their folder, and nothing else tells which.
    pub fn has_modules_beside(self) -> bool {
        matches!(self.rules().made, Made::Nothing)
    }

    /// What makes an executable of the sources. `None` if nothing does: then marks ask at run time which mutant is selected.
    pub fn compiler(self) -> Option<&'static Compiler> {
        match &self.rules().made {
            Made::Linked(compiler) => Some(compiler),
            Made::Classes | Made::Nothing => None,
        }
    }
}
