//! What a package contains, as far as a course can use it. Nothing is written or run here.

use super::flags::Flags;
use super::settings::Settings;
use super::submissions::{self, Submission, kebab, part};
use super::tree::Tree;
use crate::report::imported::Remark;
use harness::course::Language;
use harness::diagnostic::Failure;
use std::path::{Path, PathBuf};

/// The scripts of a program in a folder: the first makes the second, which runs the program. Packages may have both, or only the second.
pub(super) const SCRIPTS: [&str; 2] = ["build", "run"];

/// A package that can become a course.
pub(super) struct Package {
    pub(super) tree: Tree,
    pub(super) settings: Settings,
    pub(super) flags: Flags,
    /// The id of the assignment.
    pub(super) id: String,
    pub(super) submissions: Vec<Submission>,
    pub(super) data: Vec<Datum>,
    /// The checktestdata script that describes the inputs.
    pub(super) shape: Option<PathBuf>,
    /// Files or folders of programs.
    pub(super) validators: Vec<PathBuf>,
    pub(super) checker: Option<PathBuf>,
    pub(super) left_out: Vec<Remark>,
}

/// An input of a package.
pub(super) struct Datum {
    pub(super) input: PathBuf,
    pub(super) answer: Option<PathBuf>,
}

impl Package {
    /// # Errors
    /// With the part that is missing or wrong.
    pub(super) fn read(folder: &Path) -> Result<Self, Failure> {
        let tree = Tree::open(folder)?;
        let settings = Settings::read(&tree)?;
        let flags = Flags::read(&tree, &settings)?;
        let mut left_out = Vec::new();
        let submissions = submissions::read(&tree, &mut left_out)?;
        let data = data(&tree)?;
        let (shape, validators) = inputs(&tree, &mut left_out)?;
        let checker = checker(&tree, &settings)?;
        let id = kebab(&tree.name(), "problem");
        Ok(Self {
            tree,
            settings,
            flags,
            id,
            submissions,
            data,
            shape,
            validators,
            checker,
            left_out,
        })
    }

    /// The accepted submissions.
    pub(super) fn accepted(&self) -> impl Iterator<Item = &Submission> {
        self.submissions.iter().filter(|submission| submission.expected.is_none())
    }

    /// The wrong submissions.
    pub(super) fn wrong(&self) -> impl Iterator<Item = &Submission> {
        self.submissions.iter().filter(|submission| submission.expected.is_some())
    }
}

/// The samples, and then the secret data.
fn data(tree: &Tree) -> Result<Vec<Datum>, Failure> {
    let mut data = Vec::new();
    for folder in ["data/sample", "data/secret"] {
        let files = tree.files(Path::new(folder))?;
        for input in files.iter().filter(|file| file.extension().is_some_and(|it| it == "in")) {
            let answer = Some(input.with_extension("ans")).filter(|answer| files.contains(answer));
            data.push(Datum { input: input.clone(), answer });
        }
    }
    if data.is_empty() {
        let problem = tree.problem(
            Path::new("data"),
            "has no input: no file in `sample` or `secret` ends in `.in`",
        );
        let hint = "the inputs tell which accepted submission is right and fastest";
        return Err(Failure::usage(problem.hint(hint)));
    }
    Ok(data)
}

/// Whether a file or folder has a source that a course can build, or a folder has scripts that build or run it.
fn is_program(tree: &Tree, path: &Path) -> Result<bool, Failure> {
    let files = tree.files(path)?;
    let is_source = |file: &PathBuf| Language::ALL.iter().any(|language| language.has_source(file));
    Ok(files.iter().any(is_source) || SCRIPTS.iter().any(|name| files.contains(&path.join(name))))
}

/// What describes the inputs: a script, and programs.
fn inputs(
    tree: &Tree,
    left_out: &mut Vec<Remark>,
) -> Result<(Option<PathBuf>, Vec<PathBuf>), Failure> {
    let (mut shape, mut validators) = (None, Vec::new());
    for folder in ["input_validators", "input_format_validators"] {
        for path in tree.children(Path::new(folder))? {
            let files = tree.files(&path)?;
            let script = files.iter().find(|file| file.extension().is_some_and(|it| it == "ctd"));
            match script {
                Some(script) if shape.is_none() => shape = Some(script.clone()),
                Some(script) => left_out.push(part(script, "another script describes the inputs")),
                None if is_program(tree, &path)? => validators.push(path),
                None => left_out.push(part(&path, "is no validator in C, C++, Python or Java")),
            }
        }
    }
    Ok((shape, validators))
}

/// The program that judges outputs, unless the default one does.
fn checker(tree: &Tree, settings: &Settings) -> Result<Option<PathBuf>, Failure> {
    let newer = Path::new("output_validator");
    let mut found = Vec::new();
    if !tree.files(newer)?.is_empty() {
        found.push(newer.to_owned());
    } else if settings.is_custom() != Some(false) {
        found = tree.children(Path::new("output_validators"))?;
    }
    if found.len() > 1 {
        // Other files may lie beside the program.
        let mut programs = Vec::new();
        for path in found {
            if is_program(tree, &path)? {
                programs.push(path);
            }
        }
        found = programs;
    }
    let hint = "the course file may name another checker; docs/judges.md says how";
    match found.as_slice() {
        [] if settings.is_custom() == Some(true) => {
            let problem = tree.problem(Path::new("output_validators"), "has no program");
            let hint = "a custom or interactive problem needs one, says problem.yaml";
            Err(Failure::usage(problem.hint(hint)))
        }
        [] => Ok(None),
        [only] if is_program(tree, only)? => Ok(Some(only.clone())),
        [only] => {
            let problem = tree.problem(only, "is no program in C, C++, Python or Java");
            Err(Failure::usage(problem.hint(hint)))
        }
        _ => {
            let problem = tree.problem(
                Path::new("output_validators"),
                "has several programs, and a course has one checker",
            );
            Err(Failure::usage(problem.hint("leave the one that decides")))
        }
    }
}
