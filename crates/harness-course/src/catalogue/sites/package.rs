//! The mutants that a crate declares as features, and the `bug!`s in its source.

use super::Site;
use crate::diagnostic::{Failure, Place, Problem};
use std::fs;
use std::path::{Path, PathBuf};
use toml_edit::DocumentMut;
use walkdir::WalkDir;

/// The feature for the combined build.
pub const SELECT: &str = "select-at-run-time";

/// The ids of a crate's mutants: its features, except `default` and [`SELECT`], in the order of the manifest.
///
/// # Errors
/// If the manifest cannot be read, or is not TOML.
pub fn declared(package: &Path) -> Result<Vec<String>, Failure> {
    let manifest = manifest(package)?;
    let features = manifest.get("features").and_then(|features| features.as_table_like());
    let names =
        features.into_iter().flat_map(|table| table.iter()).map(|(name, _)| name.to_owned());
    Ok(names.filter(|name| is_mutant(name)).collect())
}

/// The name by which others use the library of a crate.
///
/// # Errors
/// If the manifest cannot be read, or is not TOML.
pub fn library_name(package: &Path) -> Result<String, Failure> {
    let manifest = manifest(package)?;
    let name = |table: &str| manifest.get(table)?.get("name")?.as_str();
    let name = name("lib").or_else(|| name("package")).unwrap_or_default();
    Ok(name.replace('-', "_"))
}

/// The source of the library of a crate.
///
/// # Errors
/// If the manifest cannot be read, or is not TOML.
pub fn library_source(package: &Path) -> Result<PathBuf, Failure> {
    let manifest = manifest(package)?;
    let path = manifest.get("lib").and_then(|lib| lib.get("path")?.as_str());
    Ok(package.join(path.unwrap_or("src/lib.rs")))
}

fn manifest(package: &Path) -> Result<DocumentMut, Failure> {
    let path = package.join("Cargo.toml");
    let text = fs::read_to_string(&path)
        .map_err(|error| Failure::machine(format!("read {}", path.display()), error))?;
    text.parse().map_err(|error| {
        Failure::broken_course(Problem::new(format!("{} is not TOML: {error}", path.display())))
    })
}

/// Whether the feature is a mutant.
pub fn is_mutant(feature: &str) -> bool {
    feature != SELECT && feature != "default"
}

/// Every `bug!` in the source of a crate, file by file.
///
/// # Errors
/// If a file cannot be read.
pub fn find(package: &Path) -> Result<Vec<Site>, Failure> {
    scan(package, bugs_in_source)
}

/// All places in the source of a crate that test a feature without `bug!`. A mutant cannot be selected at run time there.
///
/// # Errors
/// If a file cannot be read.
pub fn cfg_conditions(package: &Path) -> Result<Vec<Site>, Failure> {
    scan(package, conditions_in_source)
}

fn scan(package: &Path, sites_in: fn(&str, &Path) -> Vec<Site>) -> Result<Vec<Site>, Failure> {
    let mut sites = Vec::new();
    for entry in WalkDir::new(package.join("src")).sort_by_file_name() {
        let entry = entry
            .map_err(|error| Failure::machine(format!("read {}", package.display()), error))?;
        if entry.path().extension().is_some_and(|extension| extension == "rs") {
            let source = fs::read_to_string(entry.path()).map_err(|error| {
                Failure::machine(format!("read {}", entry.path().display()), error)
            })?;
            sites.extend(sites_in(&source, entry.path()));
        }
    }
    Ok(sites)
}

fn bugs_in_source(source: &str, file: &Path) -> Vec<Site> {
    after("bug!(", source, file, str::trim_start)
}

fn conditions_in_source(source: &str, file: &Path) -> Vec<Site> {
    after("feature", source, file, |rest| {
        rest.trim_start().strip_prefix('=').map_or("", str::trim_start)
    })
}

/// Finds `start` followed by a quoted id; `to_quote` skips the text between them.
fn after(start: &str, source: &str, file: &Path, to_quote: fn(&str) -> &str) -> Vec<Site> {
    let mut sites = Vec::new();
    for (at, _) in source.match_indices(start) {
        let before = &source[..at];
        let line_start = before.rfind('\n').map_or(0, |newline| newline + 1);
        let in_comment = is_commented(&before[line_start..]);
        let quoted = to_quote(&source[at + start.len()..])
            .strip_prefix('"')
            .and_then(|rest| rest.split_once('"'));
        if let Some((id, _)) = quoted.filter(|_| !in_comment) {
            let place = Place::at_offset(file, source, at);
            sites.push(Site { id: id.to_owned(), place });
        }
    }
    sites
}

/// Whether the end of this part of a line is in a comment. Slashes in a string do not start one.
fn is_commented(line: &str) -> bool {
    line.match_indices("//").any(|(at, _)| line[..at].matches('"').count().is_multiple_of(2))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_feature_that_is_tested_without_the_macro_is_found() {
        let source = "#[cfg(feature = \"a-b\")]\nconst FEATURES: u8 = 1; // feature = \"c\"\nif cfg!(feature=\"d\") {}\n";
        let ids: Vec<_> = conditions_in_source(source, Path::new("rules.rs"))
            .into_iter()
            .map(|site| site.id)
            .collect();
        assert_eq!(ids, ["a-b", "d"]);
    }

    #[test]
    fn a_site_is_found_with_its_place_but_not_in_a_comment() {
        let source = "// bug!(\"not-me\")\nlet x = if s == \"//\" && bug!(\n    \"west-first\") { W } else { E };\n";
        let sites = bugs_in_source(source, Path::new("rules.rs"));
        assert_eq!(sites.len(), 1);
        assert_eq!(
            (sites[0].id.as_str(), sites[0].place.line, sites[0].place.column),
            ("west-first", 2, Some(25))
        );
    }
}
