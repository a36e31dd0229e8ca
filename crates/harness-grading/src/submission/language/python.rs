//! Programs in Python.

use super::known::Known;
use super::{Language, Note};
use crate::course;
use crate::course::language::tokens::{self, Token, TokenKind};
use crate::course::submission::Program;
use crate::diagnostic::{Failure, printable};
use crate::result::graded::Diagnostic;
use crate::submission::SourceFile;
use std::path::Path;

pub(super) struct Python;

impl Language for Python {
    /// Only checks the syntax. With `-I`, no file of the student's stands in for a module of Python's own.
    fn build(&self, _: &Program, files: &[&str], _: u64) -> Result<Vec<String>, Failure> {
        let words = ["python3", "-I", "-m", "py_compile"].into_iter();
        let sources = files
            .iter()
            .copied()
            .filter(|file| course::Language::Python.has_source(Path::new(file)));
        Ok(words.chain(sources).map(str::to_owned).collect())
    }

    fn made(&self, name: &str) -> Option<String> {
        Some(name.to_owned())
    }

    fn why_missing(&self, name: &str, _: &SourceFile) -> Diagnostic {
        Diagnostic::plain(format!("{name} is gone after the build"))
    }

    /// `py_compile` accepts any bytes in a comment.
    fn mistake(&self, source: &SourceFile) -> Option<Diagnostic> {
        let is_python = course::Language::Python.has_source(Path::new(&source.name));
        if !is_python || names_encoding(&source.bytes) {
            return None;
        }
        let valid = std::str::from_utf8(&source.bytes).err()?.valid_up_to();
        let line = source.bytes[..valid].iter().filter(|byte| **byte == b'\n').count() + 1;
        let message = "SyntaxError: this is not UTF-8, and the file names no other encoding";
        Some(Diagnostic {
            file: Some(printable(&source.name)),
            line: Some(line),
            hint: Some("save the file as UTF-8".to_owned()),
            ..Diagnostic::plain(message.to_owned())
        })
    }

    fn keeps(&self, _: &str, _: &str) -> bool {
        true
    }

    fn start(&self, program: &Program, name: &str, _: u64) -> Vec<String> {
        let words = ["python3", "-B"].map(str::to_owned).into_iter();
        words.chain(program.flags.iter().cloned()).chain([name.to_owned()]).collect()
    }

    fn tokens(&self, source: &str) -> Vec<Token> {
        tokens::python(source)
    }

    /// `import` is a keyword, so that each is a statement, or a part of one that begins with `from`. What the name of a module is
    /// followed by is named too: `os.system`.
    fn imports<'a>(&self, source: &'a str, tokens: &[Token], note: Note<'_, 'a>) {
        let text = |at: usize| tokens.get(at).map_or("", |token| token.text(source));
        let mut known = Known::default();
        let mut at = 0;
        while at < tokens.len() {
            let place = tokens[at].range.start;
            match text(at) {
                "from" => {
                    let is_relative = text(at + 1).starts_with('.');
                    while text(at + 1).starts_with('.') {
                        at += 1;
                    }
                    let module = match text(at + 1) {
                        "import" => Vec::new(),
                        _ => dotted(source, &tokens[at + 1..]),
                    };
                    known.note_import(tokens.get(at + 1));
                    let after = at + 1 + length(&module);
                    if text(after) == "import" {
                        at = after;
                        // Modules beside the program are the student's own.
                        if !is_relative {
                            let names = &tokens[after + 1..];
                            from(source, names, module, &mut |parts, name| {
                                note(place, parts, 0);
                                known.note_name(name, parts);
                            });
                        }
                    }
                }
                "import" => loop {
                    let module = dotted(source, &tokens[at + 1..]);
                    known.note_import(tokens.get(at + 1));
                    at += length(&module);
                    note(place, &module, 0);
                    if text(at + 1) == "as" {
                        known.note_name(text(at + 2), &module);
                        at += 2;
                    } else if let Some(first) = module.first() {
                        known.note_name(first, &[*first]);
                    }
                    if module.is_empty() || text(at + 1) != "," {
                        break;
                    }
                    at += 1;
                },
                "__import__" | "import_module" if text(at + 1) == "(" => {
                    let name = tokens.get(at + 2).filter(|token| token.kind == TokenKind::Text);
                    let name =
                        name.map_or("", |token| token.text(source).trim_matches(['"', '\'']));
                    note(place, &name.split('.').collect::<Vec<_>>(), 0);
                }
                _ => {}
            }
            at += 1;
        }
        known.used(source, tokens, ".", note);
    }
}

/// Whether a comment in the first two lines of a source names its encoding, as in `# coding: latin-1`.
fn names_encoding(source: &[u8]) -> bool {
    let is_comment = |line: &&[u8]| line.trim_ascii_start().starts_with(b"#");
    let mut first = source.split(|byte| *byte == b'\n').take(2).filter(is_comment);
    first.any(|line| {
        line.windows(7).any(|part| part.starts_with(b"coding") && matches!(part[6], b':' | b'='))
    })
}

/// The parts of the name of a module.
fn dotted<'a>(source: &'a str, tokens: &[Token]) -> Vec<&'a str> {
    let mut parts = Vec::new();
    for pair in tokens.chunks(2) {
        if pair[0].kind != TokenKind::Name {
            break;
        }
        parts.push(pair[0].text(source));
        if pair.get(1).is_none_or(|mark| mark.text(source) != ".") {
            break;
        }
    }
    parts
}

/// How many tokens the name of a module has.
fn length(module: &[&str]) -> usize {
    (2 * module.len()).saturating_sub(1)
}

/// Notes what follows `from MODULE import`, and what it is called here: each name may be a module of its own.
fn from<'a>(
    source: &'a str,
    tokens: &[Token],
    mut module: Vec<&'a str>,
    note: &mut dyn FnMut(&[&'a str], &'a str),
) {
    let mut names = tokens.iter().filter(|token| token.text(source) != "(");
    loop {
        let Some(name) = names.next() else { return };
        let mut known = name.text(source);
        let mut next = names.next();
        if next.is_some_and(|it| it.text(source) == "as") {
            known = names.next().map_or(known, |it| it.text(source));
            next = names.next();
        }
        module.push(name.text(source));
        note(&module, known);
        module.pop();
        if next.is_none_or(|it| it.text(source) != ",") {
            return;
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_source_in_another_encoding_than_utf_8_must_name_it() {
        let line = |name: &str, bytes: &[u8]| {
            let source = SourceFile { name: name.to_owned(), bytes: bytes.to_owned() };
            Python.mistake(&source).map(|mistake| mistake.line.unwrap())
        };
        assert_eq!(line("a.py", b"import sys\n# caf\xe9\n"), Some(2));
        assert_eq!(line("a.py", "# café\n".as_bytes()), None);
        assert_eq!(
            line("a.py", b"#!/usr/bin/python3\n# -*- coding: latin-1 -*-\n# caf\xe9\n"),
            None
        );
        assert_eq!(line("a.py", b"\n\n# coding: latin-1\n# caf\xe9\n"), Some(4));
        assert_eq!(line("a.txt", b"caf\xe9\n"), None);
    }
}
