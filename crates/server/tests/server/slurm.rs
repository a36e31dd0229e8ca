//! Workers as jobs of a Slurm cluster of this machine alone, which the test starts.

#[path = "../../../../tests/cli/slurm/cluster.rs"]
mod cluster;

use super::support::grading::{SERVER, cannot_grade, name_of, slow};
use super::support::site_on_both;
use cluster::{Cluster, wait};
use std::fs;
use std::path::Path;
use std::process::Command;

#[test]
#[ignore = "it takes long; .ci/run runs it"]
fn jobs_of_slurm_grade_what_waits_and_end_with_the_queue() {
    if cannot_grade() {
        return;
    }
    if let Some(reason) = Cluster::is_missing() {
        assert!(std::env::var_os("CI").is_none(), "{reason}");
        eprintln!("skipped: {reason}");
        return;
    }
    let cluster = Cluster::start();
    site_on_both("", |site| {
        let all: Vec<_> = (0..6).map(|_| site.hand_in(&site.student(), slow(1))).collect();
        let folder = tempfile::tempdir().unwrap();
        let settings = folder.path().join("serve.yaml");
        fs::write(&settings, format!("database: {}\n", name_of(site))).unwrap();
        let script = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../deploy/slurm");
        let mut command = Command::new("sbatch");
        command.args(["--array=1-2", "--output"]).arg(folder.path().join("%a.log"));
        command.arg(script.join("harness-worker.sbatch")).arg(&settings);
        command.env("SLURM_CONF", cluster.conf()).env("HARNESS", SERVER);
        command.env("TMPDIR", folder.path()).current_dir(folder.path());
        let output = command.output().unwrap();
        assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr));
        // Slurm ends the first one, and starts it again.
        wait("a job grades", || site.number("select count(*) from progress") > 0);
        let said = String::from_utf8_lossy(&output.stdout).into_owned();
        let number = said.trim().rsplit(' ').next().unwrap().to_owned();
        cluster.say(&["scontrol", "requeue", &format!("{number}_1")]);
        wait("no job of Slurm is left", || cluster.say(&["squeue", "-h"]).trim().is_empty());
        let logs = ["1.log", "2.log"].map(|log| fs::read_to_string(folder.path().join(log)));
        assert_eq!(site.number("select count(*) from result"), 6, "{logs:?}");
        for submission in all {
            assert_eq!(site.points(submission), 90);
        }
        // Slurm kills the first one if it does not end within two seconds. Then what it last said of itself stays.
        assert!(site.number("select count(*) from worker") <= 1, "{logs:?}");
    });
}
