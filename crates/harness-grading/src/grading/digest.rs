//! Digests of what a result is made from.

use super::suites::Suites;
use crate::catalogue::Mutant;
use crate::course::submission::CaseFeedback;
use crate::course::{Assignment, AssignmentProgram, Course, Submission, UnitTests};
use crate::diagnostic::Failure;
use crate::hash::Digest;
use crate::run::build::{self, Variant};
use crate::submission::Contents;
use crate::submission::case::MadeCase;
use crate::submission::reference::{self, Reference};
use std::env;
use std::fs;
use std::path::PathBuf;
use walkdir::{DirEntry, WalkDir};

/// The digest of this program.
///
/// # Errors
/// If it cannot be read.
pub fn of_harness() -> Result<String, Failure> {
    let program = env::current_exe().and_then(fs::read);
    let program = program.map_err(|error| Failure::machine("read this program", error))?;
    Ok(Digest::default().with(program).hex())
}

/// The digest of a submission: of its files, and of what is wrong with them.
pub(super) fn of_contents(contents: &Contents) -> String {
    let digest = Digest::default().with(contents.digest());
    let broken = contents.broken.iter();
    broken.fold(digest, |digest, (_, problem)| digest.with(&problem.message)).hex()
}

/// The digest of mutants: their descriptions and their programs.
///
/// # Errors
/// If the build fails.
pub(super) fn of_mutants(
    course: &Course,
    assignment: &Assignment,
    mutants: &[Mutant],
) -> Result<String, Failure> {
    let mut files: Vec<PathBuf> = Vec::new();
    for mutant in mutants {
        files.push(mutant.file.clone());
        let sources = mutant.program.iter().filter_map(|path| assignment.own_sources(path));
        files.extend(sources.flat_map(|sources| sources.files));
    }
    let unit = assignment.unit.as_ref();
    files.extend(unit.into_iter().flat_map(|unit| of_unit(assignment, unit)));
    let contents = files.iter().map(|file| fs::read(file).unwrap_or_default());
    let digest = contents.fold(Digest::default(), Digest::with);
    if let Some(unit) = unit {
        let UnitTests { framework, files, flags, .. } = unit;
        return Ok(digest.with(format!("{:?}", (framework, files, flags))).hex());
    }
    if !assignment.program.has_combined_build() {
        return Ok(digest.hex());
    }
    let combined = build::build(course, assignment, Variant::Combined)?;
    Ok(digest.with(reference::digest_of(course, assignment, &combined)).hex())
}

/// The files that the verdicts on unit tests depend on, beside the mutants' own.
fn of_unit(assignment: &Assignment, unit: &UnitTests) -> Vec<PathBuf> {
    let mut files: Vec<_> = unit.with.iter().chain(&unit.witnesses).cloned().collect();
    match &assignment.program {
        AssignmentProgram::Sources(sources) => {
            files.extend(sources.files.iter().cloned());
            let right =
                unit.references.iter().flat_map(|path| match assignment.own_sources(path) {
                    Some(own) => own.files,
                    None => vec![path.clone()],
                });
            files.extend(right);
        }
        AssignmentProgram::Cargo(package) => {
            files.extend([&package.folder].into_iter().chain(&unit.references).flat_map(of_crate));
        }
        AssignmentProgram::Commands { .. } => {}
    }
    files
}

/// The sources and the manifest of a crate.
fn of_crate(folder: &PathBuf) -> Vec<PathBuf> {
    let is_source = |path: &PathBuf| path.extension().is_some_and(|it| it == "rs" || it == "toml");
    let entries = WalkDir::new(folder)
        .sort_by_file_name()
        .into_iter()
        .filter_entry(|entry| entry.file_name() != "target");
    entries.filter_map(Result::ok).map(DirEntry::into_path).filter(is_source).collect()
}

/// The digest of all that the course says about submissions for an assignment. Where its files are does not count, nor what a reader
/// may see, because results are complete.
pub(super) fn of_course(
    assignment: &Assignment,
    submission: &Submission,
    suites: &Suites,
    ran: Option<(&Reference, &[Vec<MadeCase>])>,
) -> String {
    let mut settings = submission.clone();
    (settings.cases, settings.cases_file) = (Vec::new(), None);
    (settings.feedback, settings.scoreboard) = (CaseFeedback::default(), None);
    let mut digest = Digest::default();
    if let Some((reference, _)) = ran {
        digest = digest.with(reference.digest());
    }
    digest = digest.with(suites.digest()).with(format!("{settings:?}"));
    let ran =
        ran.into_iter().flat_map(|(reference, cases)| cases.iter().map(move |it| (reference, it)));
    for (group, (reference, cases)) in submission.cases.iter().zip(ran) {
        digest = digest.with(format!("{:?}", (&group.name, group.weight, group.extra)));
        for case in cases {
            let key = reference.key(&case.case);
            digest = digest.with(&case.name).with(key).with(format!("{:?}", case.answer));
        }
    }
    digest.with(&assignment.id).hex()
}
