//! A mutation-testing report in the official viewer, in a headless browser.

use super::readers::{mutants, reader};
use super::{FORK, folder, path, score};
use crate::{repository, skip};
use serde_json::Value;
use std::fs;
use std::process::Command;

#[test]
fn the_mutation_testing_viewer_shows_the_report_and_its_files() {
    let Some(viewer) =
        reader("node_modules/mutation-testing-elements/dist/mutation-test-elements.js")
    else {
        return;
    };
    if Command::new("chromium").arg("--version").output().is_err() {
        skip("there is no `chromium` on this machine");
        return;
    }
    let suite = folder(&[("test-1-ql.txt", FORK), ("test-2-sm.txt", FORK)]);
    let written = score(path(&suite), &["--format", "stryker"]).exits(0).stdout;
    let report: Value = serde_json::from_str(&written).unwrap();
    let count = |status: &str| {
        mutants(&report).values().filter(|(_, mutant)| mutant["status"] == status).count()
    };
    let counts = ["Killed", "Survived", "Timeout", "NoCoverage"]
        .map(|status| count(status).to_string())
        .join(" ");

    let page = fs::read_to_string(repository().join("tests/readers/viewer.html")).unwrap();
    // Even inside a string, this would end the script.
    let inside = written.replace("</", "<\\/");
    let page = page.replace("{viewer}", viewer.to_str().unwrap()).replace("{report}", &inside);
    let place = folder(&[("page.html", page.as_bytes())]);
    let whole = shown(&place, "");
    assert!(whole.contains(&format!(" {counts} 0 0 0 ")), "{counts}: {whole}");
    assert!(whole.contains("rules.rs"), "{whole}");
    let file = shown(&place, "#mutant/output.rs");
    assert!(file.contains("fn write_list (") && file.contains("Killed ("), "{file}");
}

/// The text that the page shows at `fragment`. Fails on script errors.
fn shown(place: &tempfile::TempDir, fragment: &str) -> String {
    let output = Command::new("chromium")
        .args([
            "--headless=new",
            "--no-sandbox",
            "--disable-gpu",
            "--virtual-time-budget=8000",
            "--dump-dom",
        ])
        .arg(format!("--user-data-dir={}/profile", path(place)))
        .arg(format!("file://{}/page.html{fragment}", path(place)))
        .output()
        .expect("chromium starts");
    let source = String::from_utf8(output.stdout).expect("a page is UTF-8");
    let result = source
        .split_once("<pre>")
        .and_then(|(_, rest)| rest.split_once("</pre>"))
        .expect("the page was read")
        .0;
    let result: Value = serde_json::from_str(
        &result.replace("&lt;", "<").replace("&gt;", ">").replace("&amp;", "&"),
    )
    .unwrap();
    assert_eq!(result["errors"], serde_json::json!([]));
    result["shown"].as_str().unwrap().to_owned()
}
