//! `harness grade --slurm`, on a Slurm cluster of this machine alone, which the test starts.

use super::grading_a_class::{class, records, run, without_times};
use super::run::{Run, command, output};
use super::sums::{SUM, has_no_compiler};
use super::{path, skip};
use std::fs;
use std::net::TcpListener;
use std::os::unix::fs::PermissionsExt;
use std::path::{Path, PathBuf};
use std::process::{Child, Command, Stdio};
use std::thread;
use std::time::{Duration, Instant};
use tempfile::TempDir;

/// How long the cluster may take for anything.
const PATIENCE: Duration = Duration::from_secs(240);

/// A cluster, until it is dropped.
struct Cluster {
    folder: TempDir,
    daemons: Vec<Child>,
}

impl Drop for Cluster {
    fn drop(&mut self) {
        for daemon in self.daemons.iter_mut().rev() {
            // It may have ended.
            let _ = daemon.kill();
            let _ = daemon.wait();
        }
    }
}

impl Cluster {
    fn start() -> Self {
        let folder = tempfile::tempdir().unwrap();
        fs::set_permissions(folder.path(), fs::Permissions::from_mode(0o755)).unwrap();
        for inner in ["state", "spool", "munge"] {
            fs::create_dir(folder.path().join(inner)).unwrap();
        }
        let key = folder.path().join("munge/key");
        fs::write(&key, [b'k'; 128]).unwrap();
        fs::set_permissions(&key, fs::Permissions::from_mode(0o400)).unwrap();
        let mut cluster = Self { folder, daemons: Vec::new() };
        let at = |name: &str| cluster.path(name).display().to_string();
        let munge = ["key-file", "socket", "pid-file", "log-file", "seed-file"].map(|what| {
            let file = what.strip_suffix("-file").unwrap_or(what);
            format!("--{what}={}", at(&format!("munge/{file}")))
        });
        let text = configuration(&at("munge/socket"), &at(""));
        fs::write(cluster.conf(), text).unwrap();
        cluster.daemon(
            "munged",
            &[&["--foreground", "--force"], &munge.each_ref().map(String::as_str)[..]].concat(),
        );
        wait("munged answers", || cluster.path("munge/socket").exists());
        cluster.daemon("slurmctld", &["-D"]);
        cluster.daemon("slurmd", &["-D"]);
        wait("the node is idle", || cluster.say(&["sinfo", "-h", "-o", "%T"]).contains("idle"));
        cluster
    }

    fn path(&self, name: &str) -> PathBuf {
        self.folder.path().join(name)
    }

    fn conf(&self) -> PathBuf {
        self.path("slurm.conf")
    }

    fn daemon(&mut self, program: &str, args: &[&str]) {
        let log = fs::File::create(self.path(&format!("{program}.out"))).unwrap();
        let mut command = Command::new(on_path(program).unwrap());
        command.args(args).env("SLURM_CONF", self.conf()).stdin(Stdio::null());
        command.stdout(log.try_clone().unwrap()).stderr(log);
        self.daemons.push(command.spawn().unwrap());
    }

    /// What one of Slurm's commands prints.
    fn say(&self, words: &[&str]) -> String {
        let output =
            Command::new(words[0]).args(&words[1..]).env("SLURM_CONF", self.conf()).output();
        String::from_utf8_lossy(&output.unwrap().stdout).into_owned()
    }
}

fn configuration(socket: &str, folder: &str) -> String {
    let port = || TcpListener::bind("127.0.0.1:0").unwrap().local_addr().unwrap().port();
    let (control, node) = (port(), port());
    let host = fs::read_to_string("/proc/sys/kernel/hostname").unwrap();
    let host = host.trim();
    format!(
        "ClusterName=test
SlurmctldHost={host}(127.0.0.1)
AuthType=auth/munge
AuthInfo=socket={socket},cred_expire=5
CredType=cred/munge
SlurmUser=root
SlurmctldPort={control}
SlurmdPort={node}
StateSaveLocation={folder}/state
SlurmdSpoolDir={folder}/spool
SlurmctldPidFile={folder}/slurmctld.pid
SlurmdPidFile={folder}/slurmd.pid
ProctrackType=proctrack/linuxproc
TaskPlugin=task/none
MpiDefault=none
ReturnToService=2
KillWait=2
SelectType=select/cons_tres
SelectTypeParameters=CR_CPU
SchedulerType=sched/builtin
JobAcctGatherType=jobacct_gather/none
NodeName={host} NodeAddr=127.0.0.1 CPUs=2 State=UNKNOWN
PartitionName=main Nodes=ALL Default=YES MaxTime=INFINITE State=UP
"
    )
}

fn on_path(program: &str) -> Option<PathBuf> {
    let folders = ["/usr/sbin", "/usr/bin", "/usr/local/sbin", "/usr/local/bin"];
    folders.map(|folder| Path::new(folder).join(program)).into_iter().find(|path| path.is_file())
}

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

#[track_caller]
fn wait(what: &str, mut is_so: impl FnMut() -> bool) {
    let start = Instant::now();
    while !is_so() {
        assert!(start.elapsed() < PATIENCE, "after {PATIENCE:?}, it is not so that {what}");
        thread::sleep(Duration::from_millis(100));
    }
}

#[test]
#[ignore = "it takes long; .ci/run runs it"]
fn a_class_on_slurm_gets_the_same_results_also_if_a_job_is_started_again() {
    let daemons = ["munged", "slurmctld", "slurmd", "sbatch"];
    if has_no_compiler() {
        return;
    }
    if !rustix::process::geteuid().is_root() || daemons.iter().any(|it| on_path(it).is_none()) {
        skip("a Slurm cluster needs root, and the packages slurm-wlm and munge");
        return;
    }
    // A second for each case, so that the first job runs for a while.
    let busy = SUM.replace(
        "std::cout <<",
        "for (volatile long i = 0; i < 400000000; ++i) {}\n    std::cout <<",
    );
    let sources: Vec<_> =
        (0..5).map(|at| format!("// {at}\n{}", if at < 2 { &busy } else { SUM })).collect();
    let names = ["ann", "bob", "cem", "dee", "eva"];
    let students: Vec<_> = names.into_iter().zip(sources.iter().map(String::as_str)).collect();
    let course = class(&students);

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
