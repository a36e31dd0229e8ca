//! The languages whose programs `harness` builds and runs without commands in the course file. What is known of a language as data is in
//! one file below; what it does is in `catalogue/sites`, and in `run/build`.

mod c;
mod cpp;
mod java;
mod python;

use std::path::Path;

/// A language of programs.
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
    /// The name of the macro or function that marks a bug.
    pub mark: &'static str,
    /// The file beside a program that defines the mark, and its contents.
    pub library: (&'static str, &'static str),
    /// What stands for true and for false.
    pub truth: [&'static str; 2],
    /// Whether the marks ask at run time which mutant is selected. Otherwise a build does.
    pub is_selected_at_run_time: bool,
    /// Whether the name of a file says that it starts the program. A compiler finds `main` in any file.
    pub starts_by_name: bool,
    /// What builds and runs programs.
    pub tools: &'static [Tool],
}

/// A program that builds or runs programs in a language.
#[derive(Debug)]
pub struct Tool {
    pub what: &'static str,
    pub name: &'static str,
    /// How to install it.
    pub remedy: &'static str,
}

impl Language {
    pub const ALL: [Self; 4] = [Self::C, Self::Cpp, Self::Python, Self::Java];

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
}
