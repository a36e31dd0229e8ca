//! Programs in Java.

use super::{Language, qualified, stem};
use crate::course;
use crate::course::language::tokens::{self, Token};
use crate::course::submission::Program;
use crate::diagnostic::Failure;
use crate::run::build::java_options;
use std::path::Path;

pub(super) struct Java;

impl Language for Java {
    fn build(
        &self,
        program: &Program,
        files: &[&str],
        memory_mb: u64,
    ) -> Result<Vec<String>, Failure> {
        let machine = java_options(memory_mb).map(|option| format!("-J{option}"));
        let words = ["-encoding", "UTF-8", "-d", "."].map(str::to_owned);
        let sources =
            files.iter().filter(|file| course::Language::Java.has_source(Path::new(file)));
        Ok(["javac".to_owned()]
            .into_iter()
            .chain(machine)
            .chain(words)
            .chain(program.flags.iter().cloned())
            .chain(sources.map(|&file| file.to_owned()))
            .collect())
    }

    fn made(&self, name: &str) -> Option<String> {
        Some(format!("{}.class", stem(name)))
    }

    fn why_missing(&self, name: &str) -> String {
        format!("{name} has no class `{}` outside all packages", stem(name))
    }

    fn keeps(&self, _: &str, file: &str) -> bool {
        !course::Language::Java.has_source(Path::new(file))
    }

    fn start(&self, _: &Program, name: &str, memory_mb: u64) -> Vec<String> {
        let options = java_options(memory_mb);
        let words = ["-cp", ".", stem(name)].map(str::to_owned);
        ["java".to_owned()].into_iter().chain(options).chain(words).collect()
    }

    /// Those of C: a text block is the only literal that C does not have.
    fn tokens(&self, source: &str) -> Vec<Token> {
        tokens::c(source)
    }

    /// A class needs no import if its whole name is written.
    fn imports<'a>(
        &self,
        source: &'a str,
        tokens: &[Token],
        note: &mut dyn FnMut(usize, &[&'a str]),
    ) {
        qualified(source, tokens, ".", note);
    }
}
