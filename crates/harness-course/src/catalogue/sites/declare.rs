//! Adds a feature to a crate's manifest. Everything else in it stays the same.

use super::{SELECT, is_mutant};
use crate::diagnostic::{Failure, Problem};
use crate::files;
use std::fs;
use std::path::Path;
use toml_edit::{Array, DocumentMut, Item, RawString, Table};

/// Declares the mutant `id` in the manifest of `package`: in alphabetical order if its mutants are sorted, otherwise at the end.
///
/// # Errors
/// If the manifest cannot be read or written.
pub fn declare(package: &Path, id: &str) -> Result<(), Failure> {
    let path = package.join("Cargo.toml");
    let text = fs::read_to_string(&path)
        .map_err(|error| Failure::machine(format!("read {}", path.display()), error))?;
    let text = with_feature(&text, id).map_err(|message| {
        Failure::broken_course(
            Problem::new(format!("{}: {message}", path.display()))
                .hint("fix the file, then try again"),
        )
    })?;
    files::replace(&path, text.as_bytes()).map_err(|error| Failure::unwritable(&path, &error))
}

fn with_feature(manifest: &str, id: &str) -> Result<String, String> {
    let mut manifest: DocumentMut =
        manifest.parse().map_err(|error| format!("not valid TOML: {error}"))?;
    let features = manifest.entry("features").or_insert_with(|| Item::Table(Table::new()));
    let features = features.as_table_mut().ok_or("`features` is not a table")?;
    let nothing = || Item::Value(Array::new().into());
    if !features.contains_key(SELECT) {
        features.insert(SELECT, nothing());
    }
    let mutants: Vec<String> =
        features.iter().map(|(name, _)| name.to_owned()).filter(|name| is_mutant(name)).collect();
    features.insert(id, nothing());
    if !mutants.is_sorted() {
        return Ok(manifest.to_string());
    }
    let Some(next) = mutants.iter().find(|mutant| mutant.as_str() > id) else {
        return Ok(manifest.to_string());
    };
    if *next == mutants[0] {
        move_comment(features, next, id);
    }
    // Keep the order of the features, and insert the new one before `next`.
    let mut order: Vec<String> =
        features.iter().map(|(name, _)| name.to_owned()).filter(|name| name != id).collect();
    let at = order.iter().position(|name| name == next).unwrap_or(order.len());
    order.insert(at, id.to_owned());
    let number = |key: &str| order.iter().position(|name| name == key);
    features.sort_values_by(|a, _, b, _| number(a.get()).cmp(&number(b.get())));
    Ok(manifest.to_string())
}

/// The comment above the first mutant describes all mutants, so it moves to the new first one.
fn move_comment(features: &mut Table, from: &str, to: &str) {
    let Some(mut key) = features.key_mut(from) else { return };
    let comment = key.leaf_decor().prefix().cloned();
    key.leaf_decor_mut().set_prefix(RawString::default());
    if let (Some(comment), Some(mut key)) = (comment, features.key_mut(to)) {
        key.leaf_decor_mut().set_prefix(comment);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const MANIFEST: &str = "[package]\nname = \"p\" # mine\n\n[features]\n# All of them.\nselect-at-run-time = []\n# The mutants.\nb = []\nd  =  []  # odd\n\n[lints]\nworkspace = true\n";

    #[test]
    fn a_feature_is_inserted_in_alphabetical_order_and_nothing_else_changes() {
        let expected = |from: &str, to: &str| MANIFEST.replace(from, to);
        assert_eq!(with_feature(MANIFEST, "c").unwrap(), expected("d  =", "c = []\nd  ="));
        assert_eq!(with_feature(MANIFEST, "e").unwrap(), expected("# odd\n", "# odd\ne = []\n"));
        assert_eq!(with_feature(MANIFEST, "a").unwrap(), expected("b = []", "a = []\nb = []"));
    }

    #[test]
    fn a_feature_is_appended_to_unsorted_features() {
        let unsorted = MANIFEST.replace("b = []", "x = []");
        assert_eq!(
            with_feature(&unsorted, "c").unwrap(),
            unsorted.replace("# odd\n", "# odd\nc = []\n")
        );
    }

    #[test]
    fn the_first_mutant_also_declares_the_feature_for_the_combined_build() {
        let manifest = with_feature("[package]\nname = \"p\"\n", "a").unwrap();
        assert_eq!(
            manifest,
            "[package]\nname = \"p\"\n\n[features]\nselect-at-run-time = []\na = []\n"
        );
        assert!(with_feature("[package\n", "a").unwrap_err().starts_with("not valid TOML"));
    }
}
