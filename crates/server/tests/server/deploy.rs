//! What is in `deploy`: each file must hold to the schema of whoever reads it, and start commands that there are.

use super::support::grading::SERVER;
use super::support::{site_on_both, sums};
use harness::cli::Cli;
use serde_json::Value;
use server::queue;
use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;

fn repository() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../..").canonicalize().unwrap()
}

fn deploy(file: &str) -> PathBuf {
    repository().join("deploy").join(file)
}

/// Requires that the program knows this command line.
fn is_known<'a>(words: impl IntoIterator<Item = &'a str>) {
    let words: Vec<_> = ["harness"].into_iter().chain(words).collect();
    let parsed = <Cli as clap::Parser>::try_parse_from(&words);
    assert!(parsed.is_ok(), "{words:?}: {}", parsed.unwrap_err());
}

/// Leaves a check out, unless `CI` is set.
fn skip(reason: &str) {
    assert!(std::env::var_os("CI").is_none(), "{reason}");
    eprintln!("skipped: {reason}");
}

/// The documents in a file of YAML.
fn documents(file: &str) -> Vec<Value> {
    let text = fs::read_to_string(deploy(file)).unwrap();
    text.split("\n---\n").map(|it| serde_yaml::from_str(it).unwrap()).collect()
}

fn words(container: &Value) -> Vec<&str> {
    let args = container["args"].as_array().unwrap();
    args.iter().map(|word| word.as_str().unwrap()).collect()
}

#[test]
fn the_manifests_hold_to_the_schemas_of_kubernetes_and_of_keda() {
    let python = repository().join("target/readers/python/bin/python");
    let mut command = Command::new(&python);
    command.arg(repository().join("tests/readers/manifests.py"));
    let has = Command::new(&python).args(["-c", "import kubernetes_validate"]).output();
    if !has.is_ok_and(|output| output.status.success()) {
        return skip("the schemas are not installed; tests/readers/install.sh does it");
    }
    let files = ["server.yaml", "workers.yaml"].map(|it| deploy("kubernetes").join(it));
    let output = command.args(&files).output().unwrap();
    let said = String::from_utf8_lossy(&output.stdout).into_owned();
    assert!(output.status.success(), "{said}{}", String::from_utf8_lossy(&output.stderr));

    let broken = tempfile::NamedTempFile::new().unwrap();
    let text = fs::read_to_string(&files[1]).unwrap();
    fs::write(broken.path(), text.replace("maxReplicaCount", "mostReplicas")).unwrap();
    let mut command = Command::new(&python);
    command.arg(repository().join("tests/readers/manifests.py")).arg(broken.path());
    assert!(!command.status().unwrap().success(), "the check sees a field that there is not");
}

#[test]
fn the_manifests_start_commands_that_there_are() {
    let server = documents("kubernetes/server.yaml");
    let containers = &server[0]["spec"]["template"]["spec"]["containers"];
    is_known(words(&containers[0]));
    let workers = documents("kubernetes/workers.yaml");
    let containers = &workers[1]["spec"]["jobTargetRef"]["template"]["spec"]["containers"];
    is_known(words(&containers[0]));
}

#[test]
fn keda_counts_the_jobs_that_are_open() {
    let workers = documents("kubernetes/workers.yaml");
    let query = &workers[1]["spec"]["triggers"][0]["metadata"]["query"];
    let query = query.as_str().unwrap().to_owned();
    site_on_both("", |site| {
        for _ in 0..3 {
            site.hand_in(&site.student(), sums::right());
        }
        site.write(|connection| queue::claim(connection, "one"));
        let query = query.clone();
        let counted = site.write(move |connection| {
            let row = connection.first(&query, &[])?.unwrap();
            Ok((row.int(0), queue::open(connection)?))
        });
        assert_eq!(counted, (3, 3));
    });
}

#[test]
fn the_document_installs_the_units_and_repeats_none() {
    let text = fs::read_to_string(repository().join("docs/serving.md")).unwrap();
    assert!(!text.contains("[Unit]") && !text.contains("ExecStart="));
    for name in ["harness-serve.service", "harness-worker@.service"] {
        assert!(text.contains(&format!("deploy/systemd/{name}")), "{name}");
    }
    let installed = text.lines().find(|line| line.contains("/usr/local/bin")).unwrap();
    assert!(installed.contains("harness-server"), "{installed}");
}

#[test]
fn the_units_are_right_and_start_commands_that_there_are() {
    let folder = tempfile::tempdir().unwrap();
    let mut units = Vec::new();
    for name in ["harness-serve.service", "harness-worker@.service"] {
        let text = fs::read_to_string(deploy("systemd").join(name)).unwrap();
        let command = text.lines().find_map(|line| line.strip_prefix("ExecStart=")).unwrap();
        is_known(command.split(' ').skip(1));
        let unit = folder.path().join(name);
        fs::write(&unit, text.replace("/usr/local/bin/harness", SERVER)).unwrap();
        units.push(unit);
    }
    match Command::new("systemd-analyze").arg("verify").args(&units).output() {
        Err(_) => skip("systemd-analyze is not installed"),
        Ok(output) => {
            let said = String::from_utf8_lossy(&output.stderr).into_owned();
            let about = |line: &&str| line.contains("harness-");
            let ours: Vec<_> = said.lines().filter(about).collect();
            assert!(ours.is_empty(), "{ours:?}");
        }
    }
}
