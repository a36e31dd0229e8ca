//! The languages whose programs no Makefile makes: how each is compiled and started, and what its code says.
//!
//! A language is one file below. What is the same for all of them is in `build/plain.rs` and `check/imports.rs`.

mod any;
mod java;
mod known;
mod python;
mod rust;

use crate::course::Language as Written;
use crate::course::language::tokens::{self, Token};
use crate::course::submission::{Program, ProgramLanguage, Submission};
use crate::diagnostic::Failure;
use crate::result::graded::Diagnostic;
use crate::submission::SourceFile;
use std::path::{Path, PathBuf};

/// Takes the parts of a name that a source imports or uses, its place in the source, and how many of the parts an import elsewhere names.
pub(super) type Note<'n, 'a> = &'n mut dyn FnMut(usize, &[&'a str], usize);

/// What is known of a language.
pub(super) trait Language {
    /// The command that compiles or checks these files. Empty if there is none.
    ///
    /// # Errors
    /// If the compiler is not on this machine.
    fn build(
        &self,
        program: &Program,
        files: &[&str],
        memory_mb: u64,
    ) -> Result<Vec<String>, Failure>;

    /// What the compiler reads that is not below `/usr`.
    fn shown(&self) -> Vec<PathBuf> {
        Vec::new()
    }

    /// The file without which there is no program `name`. `None` if every build has one.
    fn made(&self, name: &str) -> Option<String>;

    /// Why that file is missing after a build without an error. `source` is the file `name` of the submission.
    fn why_missing(&self, name: &str, source: &SourceFile) -> Diagnostic;

    /// An error in a source that ends the program at its start, and that the build does not find.
    fn mistake(&self, _: &SourceFile) -> Option<Diagnostic> {
        None
    }

    /// Whether a file that the build leaves belongs to the program `name`.
    fn keeps(&self, name: &str, file: &str) -> bool;

    /// The words that start the program `name`.
    fn start(&self, program: &Program, name: &str, memory_mb: u64) -> Vec<String>;

    /// The tokens of a source.
    fn tokens(&self, source: &str) -> Vec<Token>;

    /// Calls `note` for each name that `tokens`, all of which count, import or use.
    fn imports<'a>(&self, source: &'a str, tokens: &[Token], note: Note<'_, 'a>);
}

/// The language of a program. `None` if a Makefile makes it.
pub(super) fn of(program: &Program) -> Option<&dyn Language> {
    match &program.language {
        ProgramLanguage::Of(Written::C | Written::Cpp) => None,
        ProgramLanguage::Of(Written::Python) => Some(&python::Python),
        ProgramLanguage::Of(Written::Java) => Some(&java::Java),
        ProgramLanguage::Rust => Some(&rust::Rust),
        ProgramLanguage::Any(commands) => Some(commands),
    }
}

/// The words that start a student's program in its folder.
pub(super) fn start(submission: &Submission, name: &str) -> Vec<String> {
    let Submission { program, memory_mb, .. } = submission;
    match of(program) {
        Some(language) => language.start(program, name, *memory_mb),
        None => vec![format!("./{name}")],
    }
}

/// The tokens of a source in any language, by the end of its name.
pub(super) fn tokens(name: &str, source: &str) -> Vec<Token> {
    match Path::new(name).extension().and_then(|it| it.to_str()) {
        Some("py") => tokens::python(source),
        Some("rs") => tokens::rust(source),
        _ => tokens::c(source),
    }
}

/// A name without its ending.
fn stem(name: &str) -> &str {
    name.rsplit_once('.').map_or(name, |(stem, _)| stem)
}

/// Whether `mark` stands before the token at `place`.
fn is_after(source: &str, tokens: &[Token], place: usize, mark: &str) -> bool {
    let before = tokens.partition_point(|token| token.range.start < place).checked_sub(1);
    before.is_some_and(|at| tokens[at].text(source) == mark)
}

/// Notes all names. Their parts are those between which is `mark`: `java.util.List`, `std::thread`.
fn qualified<'a>(
    source: &'a str,
    tokens: &[Token],
    mark: &str,
    note: &mut dyn FnMut(usize, &[&'a str]),
) {
    use crate::course::language::tokens::TokenKind;
    let is_name = |at: usize| tokens.get(at).is_some_and(|token| token.kind == TokenKind::Name);
    let is_mark = |at: usize| tokens.get(at).is_some_and(|token| token.text(source) == mark);
    let mut at = 0;
    while at < tokens.len() {
        let first = at;
        let mut parts = Vec::new();
        while is_name(at) {
            parts.push(tokens[at].text(source));
            if !is_mark(at + 1) || !is_name(at + 2) {
                break;
            }
            at += 2;
        }
        if !parts.is_empty() {
            note(tokens[first].range.start, &parts);
        }
        at += 1;
    }
}
