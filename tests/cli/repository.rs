//! What the repository says of itself is true.

use super::repository;
use harness::{catalogue, course::Course, course::Program, sites};
use std::collections::BTreeSet;
use walkdir::WalkDir;

#[test]
fn the_architecture_names_every_file_of_the_harness() {
    let text = std::fs::read_to_string(repository().join("ARCHITECTURE.md")).unwrap();
    for entry in WalkDir::new(repository().join("src")) {
        let entry = entry.unwrap();
        if entry.path().extension().is_some_and(|extension| extension == "rs") {
            let name = entry.path().strip_prefix(repository().join("src")).unwrap().display().to_string();
            assert!(text.contains(&format!("`{name}`")), "ARCHITECTURE.md does not name `{name}`");
        }
    }
}

#[test]
fn features_catalogue_files_and_bugs_in_the_source_are_the_same_mutants() {
    let course = Course::read(repository()).unwrap_or_else(|failure| panic!("{:?}", failure.problems));
    // An assignment's mutants may share a crate with another's.
    let mut packages = std::collections::BTreeMap::<_, BTreeSet<String>>::new();
    // Features that are no mutants, and so have no `bug!`.
    let mut plain = Vec::new();
    for assignment in &course.assignments {
        let Program::Cargo(package) = &assignment.program else { continue };
        let mutants = catalogue::read(assignment).unwrap_or_else(|failure| panic!("{:?}", failure.problems));
        let described = packages.entry(&package.folder).or_default();
        described.extend(mutants.into_iter().map(|mutant| mutant.id));
        described.extend(package.features.iter().cloned());
        plain.extend(package.features.iter().cloned());
    }
    for (package, described) in packages {
        let declared: BTreeSet<_> =
            sites::declared(package).unwrap_or_else(|failure| panic!("{:?}", failure.problems)).into_iter().collect();
        let asked = sites::asked(package).unwrap_or_else(|failure| panic!("{:?}", failure.problems));
        let mut asked: BTreeSet<_> = asked.into_iter().map(|site| site.id).collect();
        asked.extend(plain.iter().filter(|feature| declared.contains(*feature)).cloned());
        assert_eq!(declared, described, "the features of {} and its catalogue", package.display());
        assert_eq!(declared, asked, "the features of {} and its `bug!`s", package.display());
    }
}

#[test]
fn nothing_of_the_machine_it_was_written_on_is_in_the_repository() {
    for entry in
        WalkDir::new(repository()).into_iter().filter_entry(|entry| entry.file_name() != "target" && entry.file_name() != ".git")
    {
        let entry = entry.unwrap();
        if let Ok(text) = std::fs::read_to_string(entry.path()) {
            for folder in ["work", "root"] {
                assert!(!text.contains(&format!("/{folder}/")), "{} names a folder of a machine", entry.path().display());
            }
        }
    }
}
