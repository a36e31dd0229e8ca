//! The submissions of a package: those that are accepted, and those that are wrong, with what is expected of them.

use super::tree::Tree;
use crate::report::imported::{Remark, Verdict};
use harness::course::Language;
use harness::diagnostic::Failure;
use std::collections::BTreeSet;
use std::path::{Path, PathBuf};

/// A program that was submitted.
#[derive(Clone)]
pub(super) struct Submission {
    /// Its file or folder in the package.
    pub(super) path: PathBuf,
    /// Its files. A folder may have others than sources.
    pub(super) files: Vec<PathBuf>,
    pub(super) language: Language,
    /// An id that no other submission has.
    pub(super) id: String,
    /// What is wrong with it; `None` if it is accepted.
    pub(super) expected: Option<Verdict>,
}

/// The folders of submissions that a course can use.
const FOLDERS: [(&str, Option<Verdict>); 8] = [
    ("accepted", None),
    ("wrong_answer", Some(Verdict::WrongAnswer)),
    ("time_limit_exceeded", Some(Verdict::TimeLimitExceeded)),
    ("run_time_error", Some(Verdict::RunTimeError)),
    ("runtime_error", Some(Verdict::RunTimeError)),
    ("run_time_exception", Some(Verdict::RunTimeError)),
    ("rejected", Some(Verdict::Rejected)),
    ("output_limit_exceeded", Some(Verdict::WrongAnswer)),
];

const FOLDER: &str = "submissions";

/// All submissions in languages that a course can use. The others are left out.
pub(super) fn read(tree: &Tree, left_out: &mut Vec<Remark>) -> Result<Vec<Submission>, Failure> {
    let mut submissions = Vec::new();
    let mut ids = BTreeSet::new();
    for folder in tree.children(Path::new(FOLDER))? {
        let name = folder.file_name().unwrap_or_default().to_string_lossy().into_owned();
        let known = FOLDERS.iter().find(|(known, _)| *known == name);
        let children = tree.children(&folder)?;
        let Some(&(_, expected)) = known else {
            if !children.is_empty() {
                left_out.push(part(&folder, "what is expected of these is no single verdict"));
            }
            continue;
        };
        for path in children {
            let files = tree.files(&path)?;
            let has = |language: &Language| files.iter().any(|file| language.has_source(file));
            let Some(language) = Language::ALL.into_iter().find(has) else {
                left_out.push(part(&path, "is no source in C, C++, Python or Java"));
                continue;
            };
            let id = unique(&path, language, &mut ids);
            submissions.push(Submission { path, files, language, id, expected });
        }
    }
    if submissions.iter().all(|submission| submission.expected.is_some()) {
        let problem = tree.problem(
            &Path::new(FOLDER).join("accepted"),
            "has no program in C, C++, Python or Java",
        );
        let hint = "an accepted submission becomes the reference, which decides what is right";
        return Err(Failure::usage(problem.hint(hint)));
    }
    Ok(submissions)
}

pub(super) fn part(path: &Path, reason: impl Into<String>) -> Remark {
    Remark {
        part: harness::diagnostic::printable(&path.display().to_string()),
        reason: reason.into(),
    }
}

/// An id after the name of a submission. If another one has it, the language tells them apart, or else a number.
fn unique(path: &Path, language: Language, taken: &mut BTreeSet<String>) -> String {
    let id = kebab(&path.file_stem().unwrap_or_default().to_string_lossy(), "program");
    let names = [id.clone(), format!("{id}-{}", language.key())];
    let numbered = (2..).map(|number| format!("{id}-{number}"));
    let free = names.into_iter().chain(numbered).find(|id| !taken.contains(id));
    let id = free.expect("there is a number that is not taken");
    taken.insert(id.clone());
    id
}

/// The words of a name in small letters, joined by `-`. If it does not begin with a letter, `prefix` comes first.
pub(super) fn kebab(name: &str, prefix: &str) -> String {
    let name = name.to_ascii_lowercase();
    let words = name.split(|c: char| !c.is_ascii_alphanumeric()).filter(|word| !word.is_empty());
    let id = words.collect::<Vec<_>>().join("-");
    if id.starts_with(|c: char| c.is_ascii_lowercase()) {
        return id;
    }
    [prefix, &id].into_iter().filter(|word| !word.is_empty()).collect::<Vec<_>>().join("-")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_id_consists_of_the_words_of_the_name() {
        assert_eq!(kebab("Off_by-one.2", "program"), "off-by-one-2");
        assert_eq!(kebab("2 loops", "program"), "program-2-loops");
        assert_eq!(kebab("ÄÖ", "program"), "program");
    }

    #[test]
    fn submissions_with_the_same_name_have_different_ids() {
        let mut taken = BTreeSet::new();
        let mut unique = |name: &str| super::unique(Path::new(name), Language::Cpp, &mut taken);
        assert_eq!(["a.c", "b/a.cpp", "c/a.cpp"].map(&mut unique), ["a", "a-cpp", "a-2"]);
    }
}
