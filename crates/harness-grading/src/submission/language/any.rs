//! Programs in any language, which commands of the course build and run.

use super::Language;
use crate::course::Commands;
use crate::course::language::tokens::{self, Token};
use crate::course::submission::Program;
use crate::diagnostic::Failure;
use crate::result::graded::Diagnostic;
use crate::submission::SourceFile;

impl Language for Commands {
    fn build(&self, _: &Program, _: &[&str], _: u64) -> Result<Vec<String>, Failure> {
        Ok(self.build.clone())
    }

    fn made(&self, _: &str) -> Option<String> {
        None
    }

    fn why_missing(&self, name: &str, _: &SourceFile) -> Diagnostic {
        Diagnostic::plain(format!("there is no program `{name}`"))
    }

    fn keeps(&self, _: &str, _: &str) -> bool {
        true
    }

    fn start(&self, _: &Program, _: &str, _: u64) -> Vec<String> {
        self.run.clone()
    }

    /// Most languages have the comments and strings of C.
    fn tokens(&self, source: &str) -> Vec<Token> {
        tokens::c(source)
    }

    fn imports<'a>(&self, _: &'a str, _: &[Token], _: &mut dyn FnMut(usize, &[&'a str])) {}
}
