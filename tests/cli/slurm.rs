//! `harness grade --slurm`, on a Slurm cluster of this machine alone, which the test starts.

mod cluster;

use super::grading_a_class::{class, records, run, without_times};
use super::run::{Run, command, output};
use super::sums::{SUM, has_no_compiler, set};
use super::{path, skip};
use cluster::{Cluster, on_path, wait};
use std::fs;
use std::process::Command;
use std::thread;
use std::time::Duration;
use tempfile::TempDir;

/// Grades the class into the folder `cluster`, in the sandbox if there is one.
fn grade(course: &TempDir) -> Command {
    let mut command = command();
    command.arg("grade").arg(course.path().join("class")).args(["--course", path(course)]);
    if on_path("bwrap").is_none() {
        command.arg("--unsafe-no-sandbox");
    }
    command.arg("--out").arg(course.path().join("cluster"));
    command
}

#[test]
#[ignore = "it takes long; .ci/run runs it"]
fn a_class_on_slurm_gets_the_same_results_also_if_a_job_is_started_again() {
    if has_no_compiler() {
        return;
    }
    if let Some(reason) = Cluster::is_missing() {
        skip(reason);
        return;
    }
    // A second for each case, so that the first job runs for a while.
    let slow = SUM
        .replace("#include <cstdio>", "#include <cstdio>\n#include <unistd.h>")
        .replace("std::printf(", "sleep(1);\n    std::printf(");
    let sources: Vec<_> =
        (0..5).map(|at| format!("// {at}\n{}", if at < 2 { &slow } else { SUM })).collect();
    let names = ["ann", "bob", "cem", "dee", "eva"];
    let students: Vec<_> = names.into_iter().zip(sources.iter().map(String::as_str)).collect();
    let course = class(&students);
    // However slowly they run, they earn the same.
    set(&course, "time: { full: 100, none: 200 }");

    let cluster = Cluster::start();
    let mut command = grade(&course);
    command.args(["--slurm", "--batch", "2"]).env("SLURM_CONF", cluster.conf());
    let submitted = Run::from(output(&mut command)).exits(0);
    let job = submitted.stdout.strip_prefix("Submitted ").unwrap().split(' ').next().unwrap();
    assert!(submitted.stdout.contains("3 jobs of at most 2 submissions"), "{}", submitted.stdout);

    let first = format!("{job}_1");
    wait("the first job runs", || {
        cluster.say(&["squeue", "-h", "-j", &first, "-o", "%T"]).contains("RUNNING")
    });
    thread::sleep(Duration::from_millis(700));
    cluster.say(&["scontrol", "requeue", &first]);
    wait("the first job was started again", || {
        cluster.say(&["scontrol", "show", "job", &first]).contains("Restarts=1")
    });
    wait("no job is left", || cluster.say(&["squeue", "-h"]).trim().is_empty());
    drop(cluster);

    let log = |name: &str| fs::read_to_string(course.path().join("cluster/slurm").join(name));
    assert_eq!(
        records(&course, "cluster").len(),
        5,
        "{:?}",
        [log("1.log"), log("2.log"), log("3.log")]
    );
    run(&course, &[]).exits(0);
    assert_eq!(
        without_times(records(&course, "cluster")),
        without_times(records(&course, "results"))
    );
    Run::from(output(&mut grade(&course))).exits(0);
    assert!(course.path().join("cluster/gradebook.csv").exists());
}
