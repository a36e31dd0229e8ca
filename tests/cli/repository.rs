//! What the repository's documents say about it is true.

use super::run::has_a_compiler;
use super::{example, repository};
use harness::catalogue::{self, sites};
use harness::course::{AssignmentProgram, Course};
use std::collections::{BTreeMap, BTreeSet};
use std::fs;
use std::path::{Path, PathBuf};
use walkdir::WalkDir;

/// A row of the table of modules in ARCHITECTURE.md.
struct Module {
    name: String,
    uses: BTreeSet<String>,
}

/// The rows of the table under "## Modules", in their order.
fn modules() -> Vec<Module> {
    let text = fs::read_to_string(repository().join("ARCHITECTURE.md")).unwrap();
    let section = text.split("\n## ").find(|section| section.starts_with("Modules")).unwrap();
    let quoted = |cell: &str| cell.split('`').skip(1).step_by(2).map(str::to_owned).collect();
    let row = |line: &str| {
        let cells: Vec<_> = line.strip_prefix("| `")?.split(" | ").collect();
        let name = cells[0].trim_end_matches('`').to_owned();
        Some(Module { name, uses: quoted(cells[1]) })
    };
    section.lines().filter_map(row).collect()
}

/// The crates that are one module each. The others hold several.
const CRATES: [&str; 5] = ["diagnostic", "domain", "shape", "similarity", "unit"];

/// The programs that use the modules of `harness`, and the folder of each in `crates`. Nothing uses them.
const PROGRAMS: [(&str, &str); 2] = [("author", "harness-author"), ("server", "server")];

/// The Rust files of the modules, each with the name of its module.
fn sources() -> Vec<(String, PathBuf)> {
    let mut files = Vec::new();
    for (name, folder) in PROGRAMS {
        let src = repository().join("crates").join(folder).join("src");
        files.extend(rust_files(&src).map(|path| (name.to_owned(), path)));
    }
    for name in CRATES {
        let src = repository().join("crates").join(format!("harness-{name}")).join("src");
        files.extend(rust_files(&src).map(|path| (name.to_owned(), path)));
    }
    let several = ["course", "run", "generate", "grading"];
    let several = several.map(|name| format!("crates/harness-{name}/src"));
    for src in several.iter().map(String::as_str).chain(["src"]).map(|src| repository().join(src)) {
        for path in rust_files(&src) {
            let top = path.strip_prefix(&src).unwrap().components().next().unwrap();
            let name = top.as_os_str().to_str().unwrap().trim_end_matches(".rs").to_owned();
            files.push((name, path));
        }
    }
    files
}

fn rust_files(folder: &Path) -> impl Iterator<Item = PathBuf> {
    let paths = WalkDir::new(folder).sort_by_file_name().into_iter();
    let paths = paths.map(|entry| entry.unwrap().into_path());
    paths.filter(|path| path.extension().is_some_and(|extension| extension == "rs"))
}

/// The modules that a file of `module` names: after `crate::`, as crates in a crate that is one module, or as modules of `harness`.
fn used(module: &str, source: &str) -> BTreeSet<String> {
    let name = |rest: &str| {
        let end = rest.find(|c: char| !c.is_ascii_lowercase()).unwrap_or(rest.len());
        rest[..end].to_owned()
    };
    let is_program = PROGRAMS.iter().any(|(name, _)| *name == module);
    let before = if is_program { "harness::" } else { "crate::" };
    // The crate of unit tests names what it uses as those of several modules do.
    if before == "crate::" && CRATES.contains(&module) && module != "unit" {
        let names = |other: &&str| source.contains(&format!("harness_{other}::"));
        let crates = CRATES.into_iter().filter(names).map(str::to_owned);
        return crates.chain(source.split("harness_course::").skip(1).map(name)).collect();
    }
    source.split(before).skip(1).map(name).collect()
}

#[test]
fn the_architecture_lists_every_module_and_no_other() {
    let listed: BTreeSet<_> = modules().into_iter().map(|module| module.name).collect();
    let mut present: BTreeSet<_> = sources().into_iter().map(|(module, _)| module).collect();
    present.retain(|module| module != "lib" && module != "main");
    assert_eq!(listed, present);
}

#[test]
fn a_module_uses_exactly_the_modules_that_the_architecture_lists() {
    let mut uses: BTreeMap<String, BTreeSet<String>> = BTreeMap::new();
    let listed: BTreeSet<_> = modules().into_iter().map(|module| module.name).collect();
    for (module, path) in sources() {
        let used = used(&module, &fs::read_to_string(path).unwrap()).into_iter();
        // The crate of unit tests has modules of its own.
        let used = used.filter(|it| *it != module && (module != "unit" || listed.contains(it)));
        uses.entry(module.clone()).or_default().extend(used);
    }
    for module in modules() {
        assert_eq!(uses[&module.name], module.uses, "what `{}` uses", module.name);
    }
}

#[test]
fn a_module_uses_no_module_below_it_in_the_table() {
    let mut above = BTreeSet::new();
    for module in modules() {
        let below: Vec<_> = module.uses.difference(&above).collect();
        assert!(below.is_empty(), "`{}` uses {below:?}, which come after it", module.name);
        above.insert(module.name);
    }
}

#[test]
fn every_source_file_states_its_purpose() {
    for (_, path) in sources() {
        let source = fs::read_to_string(&path).unwrap();
        assert!(source.starts_with("//! "), "{} has no `//!`", path.display());
    }
}

#[test]
fn features_catalogue_files_and_source_name_the_same_mutants() {
    let course =
        Course::read(repository()).unwrap_or_else(|failure| panic!("{:?}", failure.problems));
    // Two assignments may share a crate.
    let mut packages = BTreeMap::<_, BTreeSet<String>>::new();
    // Features that are not mutants, and so have no `bug!`.
    let mut plain = Vec::new();
    for assignment in &course.assignments {
        let AssignmentProgram::Cargo(package) = &assignment.program else { continue };
        let mutants =
            catalogue::read(assignment).unwrap_or_else(|failure| panic!("{:?}", failure.problems));
        let described = packages.entry(&package.folder).or_default();
        described.extend(mutants.into_iter().map(|mutant| mutant.id));
        described.extend(package.features.iter().cloned());
        plain.extend(package.features.iter().cloned());
    }
    for (package, described) in packages {
        let declared: BTreeSet<_> = sites::declared(package)
            .unwrap_or_else(|failure| panic!("{:?}", failure.problems))
            .into_iter()
            .collect();
        let asked = sites::find(package).unwrap_or_else(|failure| panic!("{:?}", failure.problems));
        let mut asked: BTreeSet<_> = asked.into_iter().map(|site| site.id).collect();
        asked.extend(plain.iter().filter(|feature| declared.contains(*feature)).cloned());
        assert_eq!(declared, described, "the features of {} and its catalogue", package.display());
        assert_eq!(declared, asked, "the features of {} and its `bug!`s", package.display());
    }
}

#[test]
fn no_file_names_a_folder_of_a_particular_machine() {
    for entry in WalkDir::new(repository())
        .into_iter()
        .filter_entry(|entry| entry.file_name() != "target" && entry.file_name() != ".git")
    {
        let entry = entry.unwrap();
        if let Ok(text) = std::fs::read_to_string(entry.path()) {
            for folder in ["work", "root"] {
                assert!(
                    !text.contains(&format!("/{folder}/")),
                    "{} names a folder of a machine",
                    entry.path().display()
                );
            }
        }
    }
}

#[test]
fn ci_tests_each_package_that_is_not_tested_whole_on_a_bare_path() {
    let read = |file: &Path| fs::read_to_string(file).unwrap();
    let checks = read(&repository().join(".ci/run"));
    let manifest = read(&repository().join("Cargo.toml"));
    let (_, usual) = manifest.split_once("default-members = [").unwrap();
    let (usual, _) = usual.split_once(']').unwrap();
    for entry in fs::read_dir(repository().join("crates")).unwrap() {
        let package = entry.unwrap().file_name().into_string().unwrap();
        let files = WalkDir::new(repository().join("crates").join(&package)).into_iter();
        let files = files.map(|entry| entry.unwrap().into_path());
        let sources = files.filter(|file| file.extension() == Some("rs".as_ref()));
        let texts: Vec<_> = sources.map(|file| read(&file)).collect();
        let says = |words: &str| texts.iter().any(|text| text.contains(words));
        let is_usual = usual.contains(&format!("\"crates/{package}\""));
        if says("#[test]") && (!is_usual || says("\"skipped: ")) {
            let again = format!(" -p {package} ");
            let is_there = |line: &str| line.contains("cargo[@]}\" test ") && line.contains(&again);
            assert!(checks.lines().any(is_there), "{package}");
        }
    }
}

/// Every page that shows commands, in the order in which a reader meets them. The tests of `harness-author` check those of its own.
const PAGES: [&str; 10] = [
    "README.md",
    "docs/score.md",
    "docs/generate.md",
    "docs/mutants.md",
    "CONTRIBUTING.md",
    "docs/course-file.md",
    "docs/json.md",
    "docs/formats.md",
    "docs/autograder-io.md",
    "docs/any-program/README.md",
];

#[test]
#[ignore = "it takes long; .ci/run runs it"]
fn every_command_in_the_documents_prints_what_they_show() {
    let needs_compiler = |page: &&str| page.contains("any-program");
    let pages = PAGES.into_iter().filter(|page| !needs_compiler(page) || has_a_compiler());
    example::check(pages);
}
