//! The JSON Schemas in `docs` match the program's types. `UPDATE=1 cargo test --test cli schemas` rewrites them.

use super::repository;
use harness::{report, result};
use schemars::{Schema, schema_for};
use std::collections::BTreeSet;
use std::fs;
use std::path::PathBuf;

/// The schema of every document that keeps its form, with the value of its field `schema`.
fn schemas() -> Vec<(&'static str, Schema)> {
    vec![
        (result::SCHEMA, schema_for!(result::Report)),
        (result::explained::SCHEMA, schema_for!(result::explained::Explained)),
        (report::generated::SCHEMA, schema_for!(report::generated::Generated)),
        (report::catalogue::LIST_SCHEMA, schema_for!(report::catalogue::Listed)),
        (result::graded::SCHEMA, schema_for!(result::graded::Graded)),
        (result::record::SCHEMA, schema_for!(result::record::Record)),
        (result::receipt::SCHEMA, schema_for!(result::receipt::Receipt)),
    ]
}

fn docs() -> PathBuf {
    repository().join("docs")
}

fn file_name(name: &str) -> String {
    format!("{}.schema.json", name.replace('/', "-"))
}

#[test]
fn every_schema_in_docs_is_up_to_date() {
    let docs = docs();
    for (name, schema) in schemas() {
        let file = docs.join(file_name(name));
        let made = serde_json::to_string_pretty(&schema).unwrap() + "\n";
        if std::env::var_os("UPDATE").is_some() {
            fs::write(&file, &made).unwrap();
        }
        let is_same = fs::read_to_string(&file).unwrap_or_default() == made;
        assert!(
            is_same,
            "{} is not that of the types: UPDATE=1 cargo test --test cli schemas",
            file.display()
        );
    }
}

#[test]
fn docs_contain_exactly_the_schemas_of_the_program_and_explain_each() {
    let docs = docs();
    let page = fs::read_to_string(docs.join("json.md")).unwrap();
    let made: BTreeSet<_> = schemas().iter().map(|(name, _)| file_name(name)).collect();
    let there =
        fs::read_dir(&docs).unwrap().map(|entry| entry.unwrap().file_name().into_string().unwrap());
    assert_eq!(there.filter(|name| name.ends_with(".schema.json")).collect::<BTreeSet<_>>(), made);
    for (name, schema) in schemas() {
        let (_, section) = page
            .split_once(&format!("`{name}`"))
            .unwrap_or_else(|| panic!("docs/json.md does not name {name}"));
        assert!(
            page.contains(&format!("({})", file_name(name))),
            "docs/json.md does not link to the schema of {name}"
        );
        for field in schema.as_value()["properties"]
            .as_object()
            .unwrap()
            .keys()
            .filter(|field| *field != "schema")
        {
            assert!(
                section.contains(&format!("`{field}")),
                "docs/json.md does not explain `{field}` of {name}"
            );
        }
    }
}
