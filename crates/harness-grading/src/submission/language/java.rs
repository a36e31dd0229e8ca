//! Programs in Java.

use super::{Language, Note, is_after, qualified, stem};
use crate::course;
use crate::course::language::tokens::{self, Token, TokenKind};
use crate::course::submission::Program;
use crate::diagnostic::{Failure, printable};
use crate::result::graded::Diagnostic;
use crate::run::build::java_options;
use crate::submission::SourceFile;
use std::collections::BTreeSet;
use std::path::Path;

pub(super) struct Java;

/// The package whose classes need no import.
const IMPLIED: [&str; 2] = ["java", "lang"];
/// Words before the name of a type that a source declares.
const DECLARE: [&str; 4] = ["class", "interface", "enum", "record"];

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

    fn why_missing(&self, name: &str, source: &SourceFile) -> Diagnostic {
        let message = format!("{name} has no class `{}` outside all packages", stem(name));
        let text = source.text();
        let Some((at, package)) = package(&text) else {
            let hint = format!("the class with `main` must be called `{}`", stem(name));
            return Diagnostic { hint: Some(hint), ..Diagnostic::plain(message) };
        };
        let line = text[..at].matches('\n').count() + 1;
        let hint = format!("remove `package {};`", printable(&package));
        Diagnostic {
            file: Some(name.to_owned()),
            line: Some(line),
            hint: Some(hint),
            ..Diagnostic::plain(message)
        }
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

    /// A class needs no import if its whole name is written, or if it is in `java.lang`.
    fn imports<'a>(&self, source: &'a str, tokens: &[Token], note: Note<'_, 'a>) {
        let own = own(source, tokens);
        qualified(source, tokens, ".", &mut |place, parts| {
            if parts.len() > 1 {
                note(place, parts, 0);
            }
            let is_class = parts[0].starts_with(char::is_uppercase) && !own.contains(parts[0]);
            if is_class && !is_after(source, tokens, place, ".") {
                note(place, &[&IMPLIED, parts].concat(), 0);
            }
        });
    }
}

/// The types that a source declares or imports, which are none of `java.lang`.
fn own<'a>(source: &'a str, tokens: &[Token]) -> BTreeSet<&'a str> {
    let text = |token: &Token| token.text(source);
    let is_name = |token: &Token| token.kind == TokenKind::Name;
    let declared = tokens.windows(2).filter(|pair| DECLARE.contains(&text(&pair[0])));
    let declared = declared.map(|pair| &pair[1]);
    let imports = tokens.split(|token| text(token) == ";");
    let imports = imports.filter(|it| it.first().is_some_and(|first| text(first) == "import"));
    let imported = imports.filter_map(|import| import.last());
    declared
        .chain(imported)
        .filter(|token| is_name(token))
        .map(|token| token.text(source))
        .collect()
}

/// The package that a source says it is in, and where it says so.
fn package(source: &str) -> Option<(usize, String)> {
    let tokens: Vec<_> = tokens::c(source).into_iter().filter(Token::counts).collect();
    let (first, rest) = tokens.split_first()?;
    let name = rest.iter().map(|token| token.text(source)).take_while(|part| *part != ";");
    (first.text(source) == "package").then(|| (first.range.start, name.collect()))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_class_in_a_package_is_told_where_it_says_so() {
        let source = "// Queues.\npackage edu.school . queue;\n\nclass Queue {}\n";
        let source = SourceFile { name: "Queue.java".to_owned(), bytes: source.into() };
        let found = Java.why_missing("Queue.java", &source);
        assert_eq!(found.message, "Queue.java has no class `Queue` outside all packages");
        assert_eq!((found.file.as_deref(), found.line), (Some("Queue.java"), Some(2)));
        assert_eq!(found.hint.as_deref(), Some("remove `package edu.school.queue;`"));
        let other = SourceFile { bytes: "class Other {}".into(), ..source };
        let found = Java.why_missing("Queue.java", &other);
        assert_eq!(found.hint.as_deref(), Some("the class with `main` must be called `Queue`"));
    }
}
