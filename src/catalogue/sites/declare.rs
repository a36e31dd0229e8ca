//! A new feature in a crate's manifest; all that is there stays as it is.

use super::{SELECT, is_mutant};
use crate::problem::{Failure, Problem};
use std::fs;
use std::path::Path;
use toml_edit::{Array, DocumentMut, Item, RawString, Table};

/// Declares the mutant `id` in the manifest of `package`: in alphabetical place where its mutants are sorted, else at the end.
///
/// # Errors
/// Where the manifest can't be read or written.
pub fn declare(package: &Path, id: &str) -> Result<(), Failure> {
    let path = package.join("Cargo.toml");
    let text = fs::read_to_string(&path)
        .map_err(|error| Failure::machine(format!("read {}", path.display()), error))?;
    let text = with_feature(&text, id).map_err(|message| {
        Failure::broken_course(
            Problem::new(format!("{}: {message}", path.display())).hint("mend it, and try again"),
        )
    })?;
    fs::write(&path, text)
        .map_err(|error| Failure::machine(format!("write {}", path.display()), error))
}

fn with_feature(manifest: &str, id: &str) -> Result<String, String> {
    let mut manifest: DocumentMut =
        manifest.parse().map_err(|error| format!("it is not TOML: {error}"))?;
    let features = manifest.entry("features").or_insert_with(|| Item::Table(Table::new()));
    let features = features.as_table_mut().ok_or("its `features` are no table of their own")?;
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
    // Each feature keeps its number, and the new one gets the number of the one that it stands before.
    let mut order: Vec<String> =
        features.iter().map(|(name, _)| name.to_owned()).filter(|name| name != id).collect();
    let at = order.iter().position(|name| name == next).unwrap_or(order.len());
    order.insert(at, id.to_owned());
    let number = |key: &str| order.iter().position(|name| name == key);
    features.sort_values_by(|a, _, b, _| number(a.get()).cmp(&number(b.get())));
    Ok(manifest.to_string())
}

/// What stands above the first mutant speaks of all of them, so it goes to the new first one.
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
    fn a_feature_stands_where_the_alphabet_puts_it_and_nothing_else_changes() {
        let expected = |from: &str, to: &str| MANIFEST.replace(from, to);
        assert_eq!(with_feature(MANIFEST, "c").unwrap(), expected("d  =", "c = []\nd  ="));
        assert_eq!(with_feature(MANIFEST, "e").unwrap(), expected("# odd\n", "# odd\ne = []\n"));
        assert_eq!(with_feature(MANIFEST, "a").unwrap(), expected("b = []", "a = []\nb = []"));
    }

    #[test]
    fn among_features_without_an_order_it_stands_last() {
        let unsorted = MANIFEST.replace("b = []", "x = []");
        assert_eq!(
            with_feature(&unsorted, "c").unwrap(),
            unsorted.replace("# odd\n", "# odd\nc = []\n")
        );
    }

    #[test]
    fn the_first_mutant_of_a_crate_brings_the_run_time_choice_along() {
        let manifest = with_feature("[package]\nname = \"p\"\n", "a").unwrap();
        assert_eq!(
            manifest,
            "[package]\nname = \"p\"\n\n[features]\nselect-at-run-time = []\na = []\n"
        );
        assert!(with_feature("[package\n", "a").unwrap_err().starts_with("it is not TOML"));
    }
}
