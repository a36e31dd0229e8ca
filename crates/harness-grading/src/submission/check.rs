//! Checks the files of a submission against the course's rules. Pure: nothing is built or run.

pub(super) mod code;
mod identifier;
pub(super) mod imports;

use super::finding::shortened;
use super::{Contents, SourceFile, finding, language};
use crate::course::submission::{ProgramLanguage, Rule, Submission};
use crate::course::{Assignment, Language, pattern};
use crate::diagnostic::{Place, Problem, printable};
use crate::domain::TestRules;
use crate::result::graded::Finding;
use crate::suite::name::{self, FileName};
use std::path::Path;

/// The rule on folders, as a hint.
const FLAT: &str = "a submission has no folders, so put its files beside each other";
/// The most findings of one rule that are listed.
pub(super) const MOST_OF_A_RULE: usize = 10;

/// What the checks found, and which files go on.
pub struct Checked {
    pub findings: Vec<Finding>,
    /// The files that are built.
    pub sources: Vec<SourceFile>,
    /// The files that may be tests.
    pub tests: Vec<SourceFile>,
    /// The paths of code and Makefiles that were left out, because they are in folders.
    pub left_out: Vec<String>,
    /// The files that must be there and are not, each with a hint at the file that was meant.
    absent: Vec<(String, Option<String>)>,
}

/// Checks all files, but not what the compiler sees of them.
pub fn check(contents: Contents, assignment: &Assignment, submission: &Submission) -> Checked {
    let absent = absent(&contents, submission);
    let mut broken: Vec<(Rule, Problem)> = contents.broken;
    let bytes: usize = contents.files.iter().map(|file| file.bytes.len()).sum();
    if bytes as u64 > submission.kilobytes << 10 {
        let kilobytes = bytes.div_ceil(1024);
        let message =
            format!("the files take {kilobytes} kilobytes, more than {}", submission.kilobytes);
        broken.push((Rule::Size, Problem::new(message)));
    }
    for (needed, hint) in &absent {
        let problem = Problem::new(format!("there is no file {needed}")).maybe_hint(hint.clone());
        broken.push((Rule::Needed, problem));
    }
    let mut left_out = contents.left_out;
    left_out.retain(|path| {
        let file = SourceFile { name: last(path).to_owned(), bytes: Vec::new() };
        is_handed_in(&file, &submission.program.language)
    });
    let mut checked =
        Checked { findings: Vec::new(), sources: Vec::new(), tests: Vec::new(), left_out, absent };
    for file in contents.files {
        if is_built(&file) {
            let problem = Problem::new(format!("{} was built by a compiler", file.name));
            let hint = "remove it with `make clean`; it is left out";
            broken.push((Rule::Objects, problem.hint(hint)));
        } else if !is_allowed(&file.name, submission) {
            let problem = Problem::new(format!("{} does not belong here", file.name));
            let hint = format!("the files are {}; it is left out", submission.files.join(", "));
            broken.push((Rule::Files, problem.hint(hint)));
        } else if is_test(&file.name, assignment) {
            checked.tests.push(file);
        } else {
            if assignment.unit.is_none() {
                broken.extend(test_name(&file, &assignment.tests).map(|it| (Rule::TestNames, it)));
            }
            checked.sources.push(file);
        }
    }
    let most = assignment.tests.files as usize;
    if assignment.unit.is_none() && checked.tests.len() > most {
        let message = format!("there are {} tests, and only {most} count", checked.tests.len());
        broken.push((Rule::TestCount, Problem::new(message)));
    }
    for file in &checked.sources {
        let language = &submission.program.language;
        if let Some(wanted) =
            submission.identifier.as_deref().filter(|_| is_handed_in(file, language))
        {
            let problem = identifier::check(file, wanted);
            broken.extend(problem.map(|problem| (Rule::Identifier, problem)));
        }
        // What a C compiler sees is checked with the build.
        if let Some(language) = language::of(&submission.program) {
            let found = imports::banned(file, language, &submission.banned);
            broken.extend(found.into_iter().map(|problem| (Rule::Banned, problem)));
        }
    }
    checked.findings = listed(submission, broken);
    checked
}

/// The files that must be there and are not, each with a hint at the file that was meant.
fn absent(contents: &Contents, submission: &Submission) -> Vec<(String, Option<String>)> {
    let names = || contents.files.iter().map(|file| file.name.as_str());
    let is_absent = |needed: &&String| names().all(|name| name != *needed);
    let hint = |needed: &str| {
        let inner = contents.left_out.iter().find(|path| last(path) == needed);
        let hint = inner.map(|path| format!("{} is in a folder: {FLAT}", shown(path)));
        hint.or_else(|| misspelt(needed, names()))
    };
    let absent = submission.needed().iter().filter(is_absent);
    absent.map(|needed| (needed.clone(), hint(needed))).collect()
}

/// Whether a file of this name is a test, or has test cases.
fn is_test(name: &str, assignment: &Assignment) -> bool {
    match &assignment.unit {
        Some(unit) => unit.has(name),
        None => matches!(name::read(name, &assignment.tests), FileName::Test(_)),
    }
}

/// Whether a file of this name belongs to a submission.
pub fn is_allowed(name: &str, submission: &Submission) -> bool {
    pattern::fits(name, &submission.files)
}

/// The findings, of each rule the first ones.
pub fn listed(submission: &Submission, broken: Vec<(Rule, Problem)>) -> Vec<Finding> {
    let mut findings: Vec<Finding> = Vec::new();
    let mut more: Vec<(Rule, usize)> = Vec::new();
    for (rule, problem) in broken {
        if findings.iter().filter(|other| other.rule == rule).count() < MOST_OF_A_RULE {
            findings.push(finding(submission, rule, problem));
        } else if let Some((_, count)) = more.iter_mut().find(|(other, _)| *other == rule) {
            *count += 1;
        } else {
            more.push((rule, 1));
        }
    }
    for (rule, count) in more {
        let problem = Problem::new(format!("and {count} more of this kind"));
        findings.push(finding(submission, rule, problem));
    }
    findings
}

/// A hint at the one of `names` that differs from `wanted` only in case.
pub(super) fn misspelt<'a>(
    wanted: &str,
    mut names: impl Iterator<Item = &'a str>,
) -> Option<String> {
    let found = names.find(|name| name.eq_ignore_ascii_case(wanted) && *name != wanted)?;
    Some(format!("rename {} to {wanted}: upper and lower case differ", shown(found)))
}

/// Why a build that says `message` failed, if files that it needs are in folders.
pub fn cause(checked: &Checked, submission: &Submission, message: &str) -> Option<String> {
    let language = &submission.program.language;
    let is_source = |file: &SourceFile| is_source(file, language) && !is_header(file);
    let has_source = checked.sources.iter().any(is_source);
    let has_makefile = !language.has_makefile() || checked.sources.iter().any(is_makefile);
    let lacks_all = !has_source || !has_makefile;
    let missing = checked.left_out.iter().find(|it| lacks_all || message.contains(last(it)))?;
    let others = if checked.left_out.len() > 1 { " and others are" } else { " is" };
    Some(format!("{}{others} in a folder: {FLAT}", shown(missing)))
}

/// Why a build failed that has no Makefile: a hint at the file that was meant to be one.
pub fn misnamed(checked: &Checked) -> Option<String> {
    let has_makefile = checked.sources.iter().any(is_makefile);
    let mut absent = checked.absent.iter().filter(|_| !has_makefile);
    absent.find(|(name, _)| name == "Makefile")?.1.clone()
}

/// A path, short enough for a message.
fn shown(path: &str) -> String {
    shortened(&printable(path))
}

/// The name of a file without its folders.
fn last(path: &str) -> &str {
    path.rsplit('/').next().unwrap_or_default()
}

/// A file that begins like a test and is none.
fn test_name(file: &SourceFile, rules: &TestRules) -> Option<Problem> {
    if !file.name.starts_with("test") {
        return None;
    }
    Some(match name::read(&file.name, rules) {
        FileName::Malformed(problem) => {
            Problem { message: format!("{}: {}", file.name, problem.message), ..problem }
        }
        _ => Problem::new(format!("{} begins with `test`, but is no test", file.name))
            .hint("only tests have names that begin with `test`"),
    })
}

/// Whether a compiler or linker made the file.
fn is_built(file: &SourceFile) -> bool {
    let begins = |magic: &[u8]| file.bytes.starts_with(magic);
    begins(b"\x7fELF")
        || begins(b"!<arch>\n")
        || begins(b"MZ")
        || begins(b"\xcf\xfa\xed\xfe")
        || matches!(file.extension(), "o" | "a" | "so" | "obj" | "exe" | "gch")
}

pub(super) fn is_code(file: &SourceFile) -> bool {
    is_header(file)
        || Language::ALL
            .iter()
            .filter(|it| it.rules().handed_in.has_makefile)
            .any(|it| it.has_source(Path::new(&file.name)))
}

pub(super) fn is_makefile(file: &SourceFile) -> bool {
    matches!(file.name.as_str(), "Makefile" | "makefile" | "GNUmakefile")
}

fn is_header(file: &SourceFile) -> bool {
    matches!(file.extension(), "h" | "hpp" | "hh" | "hxx")
}

/// Whether a file is what students write: a source in the language of the program, or a Makefile.
fn is_handed_in(file: &SourceFile, language: &ProgramLanguage) -> bool {
    is_source(file, language) || is_makefile(file)
}

fn is_source(file: &SourceFile, language: &ProgramLanguage) -> bool {
    is_code(file) || (!language.ending().is_empty() && file.name.ends_with(language.ending()))
}

/// A place in a file of a submission.
fn place(file: &SourceFile, text: &str, at: usize) -> Place {
    Place::at_offset(Path::new(&printable(&file.name)), text, at)
}

#[cfg(test)]
mod tests {
    use super::*;

    /// What a failed build says of the Makefile if these files are handed in.
    fn hint(files: &[&str]) -> Option<String> {
        // More files than findings of one rule are listed.
        let others = (0..MOST_OF_A_RULE).map(|number| format!("{number}.h"));
        let needed: Vec<_> = others.chain(["Makefile".to_owned()]).collect();
        let submission = serde_json::json!({ "program": "a", "needed": needed });
        let submission: Submission = serde_json::from_value(submission).unwrap();
        let file = |name: &&str| SourceFile { name: (*name).to_owned(), bytes: Vec::new() };
        let files: Vec<_> = files.iter().map(file).collect();
        let (left_out, broken) = (Vec::new(), Vec::new());
        let contents = Contents { name: String::new(), files: files.clone(), left_out, broken };
        let absent = absent(&contents, &submission);
        let (findings, tests, left_out) = (Vec::new(), Vec::new(), Vec::new());
        misnamed(&Checked { findings, sources: files, tests, left_out, absent })
    }

    #[test]
    fn a_build_without_a_makefile_says_which_file_was_meant() {
        let expected = "rename MAKEFILE to Makefile: upper and lower case differ";
        assert_eq!(hint(&["MAKEFILE", "a.cpp"]).as_deref(), Some(expected));
        assert_eq!(hint(&["makefile", "a.cpp"]), None);
        assert_eq!(hint(&["a.cpp"]), None);
    }
}
