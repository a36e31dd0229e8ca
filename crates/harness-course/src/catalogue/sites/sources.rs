//! The bugs that sources in C, C++, Python and Java mark, and the files of a program: those of the course file, and those beside them that they
//! include or import.

use super::{Site, library, name};
use crate::catalogue::tokens::{self, Token, TokenKind};
use crate::course::{Language, Sources};
use crate::diagnostic::{Failure, FailureKind, Place, Problem};
use std::collections::BTreeSet;
use std::fs;
use std::path::{Path, PathBuf};

/// The bugs that are marked in the sources, file by file.
///
/// # Errors
/// If a file cannot be read, or a bug has no id.
pub(super) fn bugs(sources: &Sources) -> Result<Vec<Site>, Failure> {
    let name = name(sources.language);
    let (mut sites, mut problems) = (Vec::new(), Vec::new());
    for (file, text) in read(sources)? {
        for call in tokens::calls(&text, &tokens_of(sources.language, &text), name) {
            let place = Place::at_offset(&file, &text, call.range.start);
            match call.id {
                Some(id) => sites.push(Site { id, place }),
                None => problems.push(unnamed(name, place)),
            }
        }
    }
    if problems.is_empty() {
        Ok(sites)
    } else {
        Err(Failure { kind: FailureKind::Course, problems })
    }
}

/// The files of a program, as [`read`] gives them, in which the bug `id` is there and all others are not: each mark is a constant. Lines
/// and columns stay where they are.
///
/// # Errors
/// If a file cannot be read.
pub fn selected(sources: &Sources, id: Option<&str>) -> Result<Vec<(PathBuf, String)>, Failure> {
    let mut files = read(sources)?;
    let name = name(sources.language);
    let [yes, no] = sources.language.rules().truth;
    for (_, text) in &mut files {
        let calls = tokens::calls(text, &tokens_of(sources.language, text), name);
        for call in calls.into_iter().rev() {
            // In Python, the name may be that of the module's function.
            let before = text[..call.range.start].trim_end_matches("subject.").len();
            let constant = if id.is_some() && call.id.as_deref() == id { yes } else { no };
            let width = call.range.end - before;
            text.replace_range(before..call.range.end, &format!("{constant:<width$}"));
        }
    }
    Ok(files)
}

fn unnamed(name: &str, place: Place) -> Problem {
    Problem::new(format!("the argument of this `{name}` is not one string literal"))
        .at(place)
        .hint(format!("write the id of a mutant, as in `{name}(\"stops-at-a-blank-line\")`"))
}

fn tokens_of(language: Language, text: &str) -> Vec<Token> {
    match language {
        Language::Python => tokens::python(text),
        Language::C | Language::Cpp | Language::Java => tokens::c(text),
    }
}

/// The files of a program with their texts: those of the course file first. What defines the marks is no part of it: `subject.h`, `subject.py`
/// and `Bug.java`.
///
/// # Errors
/// If a file cannot be read.
pub fn read(sources: &Sources) -> Result<Vec<(PathBuf, String)>, Failure> {
    let mut waiting: Vec<_> = sources.files.iter().rev().cloned().collect();
    let marks = library(sources.language).0;
    waiting.retain(|file| sources.language != Language::Java || !file.ends_with(marks));
    let (mut seen, mut files) = (BTreeSet::new(), Vec::new());
    while let Some(file) = waiting.pop() {
        let unread = |error| Failure::machine(format!("read {}", file.display()), error);
        if !seen.insert(file.canonicalize().map_err(unread)?) {
            continue;
        }
        let bytes = fs::read(&file).map_err(unread)?;
        // A comment may be in another encoding.
        let text = String::from_utf8_lossy(&bytes).into_owned();
        let mut used = match sources.language {
            Language::Python => imported(&file, &text),
            Language::C | Language::Cpp => included(&file, &text),
            Language::Java => Vec::new(),
        };
        used.retain(|file| file.is_file() && file.file_stem() != Some("subject".as_ref()));
        waiting.extend(used.into_iter().rev());
        files.push((file, text));
    }
    Ok(files)
}

/// The headers that a file in C or C++ includes in quotes.
fn included(file: &Path, text: &str) -> Vec<PathBuf> {
    let tokens = tokens::c(text);
    let tokens: Vec<_> = tokens.iter().filter(|token| token.counts()).collect();
    let words = tokens.windows(3).filter(|words| {
        words[0].text(text) == "#"
            && words[1].text(text) == "include"
            && words[2].kind == TokenKind::Text
    });
    words.map(|words| file.with_file_name(words[2].text(text).trim_matches('"'))).collect()
}

/// The files beside a file in Python that may be the modules that it imports.
fn imported(file: &Path, text: &str) -> Vec<PathBuf> {
    let folder = file.parent().unwrap_or(Path::new(""));
    let modules = statements(text).into_iter().flat_map(|words| match words.split_first() {
        Some((&"import", modules)) => {
            let modules = modules.split(|word| *word == ",");
            modules.map(|words| module(folder, words)).collect()
        }
        Some((&"from", words)) => imported_from(folder, words),
        _ => Vec::new(),
    });
    modules.flat_map(|module| [module.with_extension("py"), module.join("__init__.py")]).collect()
}

/// The words of each line, without comments. A line goes on inside brackets.
fn statements(text: &str) -> Vec<Vec<&str>> {
    let (mut statements, mut depth) = (vec![Vec::new()], 0_usize);
    for token in tokens::python(text) {
        let word = token.text(text);
        match word {
            "(" | "[" | "{" => depth += 1,
            ")" | "]" | "}" => depth = depth.saturating_sub(1),
            _ => {}
        }
        let ends =
            token.kind == TokenKind::Space && word.trim_start_matches('\\').len() == word.len();
        if depth == 0 && (word == ";" || ends && word.contains('\n')) {
            statements.push(Vec::new());
        } else if token.counts() {
            statements.last_mut().expect("there is always a last one").push(word);
        }
    }
    statements
}

/// The modules of `from … import …`: what is imported may be a module too.
fn imported_from(folder: &Path, words: &[&str]) -> Vec<PathBuf> {
    let Some(at) = words.iter().position(|word| *word == "import") else { return Vec::new() };
    let dots = words.iter().take_while(|word| **word == ".").count();
    // One dot is the file's own package, and each further one the package around it.
    let base = (1..dots).fold(folder.to_owned(), |folder, _| folder.join(".."));
    let from = module(&base, &words[dots..at]);
    let names = words[at + 1..].split(|word| *word == ",");
    let inner: Vec<_> = names.map(|words| module(&from, words)).collect();
    [from].into_iter().chain(inner).collect()
}

/// The module that `words` name, such as `a.b as c`.
fn module(folder: &Path, words: &[&str]) -> PathBuf {
    let names = words.iter().take_while(|word| **word != "as");
    folder.join(names.filter(|word| !matches!(**word, "." | "(" | ")" | "*")).collect::<PathBuf>())
}

#[cfg(test)]
mod tests {
    use super::*;

    fn names(found: &[PathBuf]) -> Vec<String> {
        found
            .iter()
            .map(|path| path.display().to_string())
            .filter(|path| !path.ends_with("__init__.py"))
            .collect()
    }

    #[test]
    fn in_a_variant_each_mark_is_a_constant_of_the_same_width() {
        let folder = tempfile::tempdir().unwrap();
        let file = folder.path().join("a.py");
        let text = "from subject import bug\nx = 1 if bug(\"one\") else subject.bug('two')\n";
        std::fs::write(&file, text).unwrap();
        let sources = Sources { language: Language::Python, files: vec![file], flags: Vec::new() };
        let of = |id| selected(&sources, id).unwrap().remove(0).1;
        let line = |one: &str, two: &str| {
            format!("from subject import bug\nx = 1 if {one:<10} else {two:<18}\n")
        };
        assert_eq!(of(None), line("False", "False"));
        assert_eq!(of(Some("one")), line("True", "False"));
        assert_eq!(of(Some("two")), line("False", "True"));
    }

    #[test]
    fn the_headers_in_quotes_are_part_of_a_program() {
        let text =
            "#include <map>\n#include \"a.h\"\n// #include \"b.h\"\n#  include /* */ \"in/c.h\"\n";
        assert_eq!(names(&included(Path::new("src/main.cpp"), text)), ["src/a.h", "src/in/c.h"]);
    }

    #[test]
    fn the_modules_that_are_imported_are_part_of_a_program() {
        let text = "\"\"\"import no\"\"\"\nimport a.b as c, d; import e\nfrom f import (g,\n  h as i)\nif x: pass\nx = y \\\n  + 1\n";
        assert_eq!(
            names(&imported(Path::new("src/main.py"), text)),
            ["src/a/b.py", "src/d.py", "src/e.py", "src/f.py", "src/f/g.py", "src/f/h.py"]
        );
        let text = "from . import a\nfrom ..b import c\n";
        assert_eq!(
            names(&imported(Path::new("p/main.py"), text)),
            ["p.py", "p/a.py", "p/../b.py", "p/../b/c.py"]
        );
    }
}
