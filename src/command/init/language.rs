//! What differs between the new courses of two languages. A language is one file below.

mod c;
mod cpp;
mod java;
mod python;
pub(super) mod rust;

use crate::cli::NewLanguage;

/// A language, and the files of a new course in it.
pub(super) struct Language {
    /// The files that no other language has, in parts.
    pub(super) files: &'static [&'static [(&'static str, &'static str)]],
    /// Keys of `program` in the course file: the reference.
    program: &'static str,
    /// `program` of the submission there, with what a comment says of it.
    submission: &'static str,
    /// What the README calls the reference, what marks a bug in it, and what it says of the files beside it.
    reference: &'static str,
    mark: &'static str,
    beside: &'static str,
    makefile: Option<Makefile>,
    pub(super) sample: Sample,
}

/// The Makefile beside the reference.
struct Makefile {
    source: &'static str,
    compile: &'static str,
    variables: &'static str,
}

/// A sample submission. Each change is a part of the right program, and what stands there instead.
pub(super) struct Sample {
    pub(super) file: &'static str,
    pub(super) right: &'static str,
    pub(super) slow: [&'static str; 2],
    pub(super) wrong: [&'static str; 2],
    pub(super) broken: [&'static str; 2],
    /// The command of the student's Makefile. Empty if there is none.
    pub(super) compile: &'static str,
}

impl Language {
    pub(super) fn of(language: NewLanguage) -> Self {
        match language {
            NewLanguage::Rust => rust::RUST,
            NewLanguage::C => c::C,
            NewLanguage::Cpp => cpp::CPP,
            NewLanguage::Python => python::PYTHON,
            NewLanguage::Java => java::JAVA,
        }
    }

    /// The files that name the language.
    pub(super) fn written(&self) -> Vec<(&'static str, String)> {
        let course = include_str!("course/harness.yaml.in")
            .replace("{program}", &format!("      {}", self.program))
            .replace("{submission}", self.submission);
        let readme = include_str!("course/README.md.in")
            .replace("{reference}", self.reference)
            .replace("{mark}", self.mark)
            .replace("{beside}", self.beside);
        let mut files = vec![("harness.yaml", course), ("README.md", readme)];
        files.extend(self.makefile.as_ref().map(|it| ("reference/tally/Makefile", it.text())));
        files
    }
}

impl Makefile {
    fn text(&self) -> String {
        let text = include_str!("course/reference/tally/Makefile.in");
        let text = text.replace("{source}", self.source).replace("{compile}", self.compile);
        text.replace("{variables}", self.variables)
    }
}
