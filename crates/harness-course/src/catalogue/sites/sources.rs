//! The bugs that sources mark in any language but Rust, and the files of a program: those of the course file, and those beside them that
//! they include or import.

use super::Site;
use crate::course::language::tokens;
use crate::course::{LanguageRules, Sources};
use crate::diagnostic::{Failure, FailureKind, Place, Problem};
use std::collections::BTreeSet;
use std::fs;
use std::path::{Path, PathBuf};

/// The bugs that are marked in the sources, file by file.
///
/// # Errors
/// If a file cannot be read, or a bug has no id.
pub(super) fn bugs(sources: &Sources) -> Result<Vec<Site>, Failure> {
    let marks = &sources.language.rules().marks;
    let (mut sites, mut problems) = (Vec::new(), Vec::new());
    for (file, text) in read(sources)? {
        for call in tokens::calls(&text, &(marks.tokens)(&text), marks.name) {
            let place = Place::at_offset(&file, &text, call.range.start);
            match call.id {
                Some(id) => sites.push(Site { id, place }),
                None => problems.push(unnamed(marks.name, place)),
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
    let LanguageRules { marks, truth: [yes, no], .. } = sources.language.rules();
    for (_, text) in &mut files {
        let calls = tokens::calls(text, &(marks.tokens)(text), marks.name);
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

/// The files of a program with their texts: those of the course file first. What defines the marks is no part of it: `subject.h`,
/// `subject.py` and `Bug.java`.
///
/// # Errors
/// If a file cannot be read.
pub fn read(sources: &Sources) -> Result<Vec<(PathBuf, String)>, Failure> {
    let mut waiting: Vec<_> = sources.files.iter().rev().cloned().collect();
    let rules = sources.language.rules();
    let library = Path::new(rules.library.0);
    waiting.retain(|file| !file.ends_with(library));
    let (mut seen, mut files) = (BTreeSet::new(), Vec::new());
    while let Some(file) = waiting.pop() {
        let unread = |error| Failure::machine(format!("read {}", file.display()), error);
        if !seen.insert(file.canonicalize().map_err(unread)?) {
            continue;
        }
        let bytes = fs::read(&file).map_err(unread)?;
        // A comment may be in another encoding.
        let text = String::from_utf8_lossy(&bytes).into_owned();
        let mut used = (rules.uses)(&file, &text);
        used.retain(|file| file.is_file() && file.file_stem() != library.file_stem());
        waiting.extend(used.into_iter().rev());
        files.push((file, text));
    }
    Ok(files)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::course::Language;

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
}
