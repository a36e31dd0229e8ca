//! A Slurm cluster of this machine alone. The tests of the server share this file, so it uses nothing of the others here.

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
pub(crate) struct Cluster {
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
    /// Why there can be no cluster on this machine.
    pub(crate) fn is_missing() -> Option<&'static str> {
        let programs = ["munged", "slurmctld", "slurmd", "sbatch"];
        let can = rustix::process::geteuid().is_root()
            && programs.iter().all(|program| on_path(program).is_some());
        (!can).then_some("a Slurm cluster needs root, and the packages slurm-wlm and munge")
    }

    pub(crate) fn start() -> Self {
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

    pub(crate) fn conf(&self) -> PathBuf {
        self.path("slurm.conf")
    }

    fn daemon(&mut self, program: &str, args: &[&str]) {
        let log = fs::File::create(self.path(&format!("{program}.out"))).unwrap();
        let mut command = Command::new(on_path(program).unwrap());
        command.args(args).env("SLURM_CONF", self.conf()).stdin(Stdio::null());
        command.stdout(log.try_clone().unwrap()).stderr(log);
        self.daemons.push(command.spawn().unwrap());
    }

    /// What one of Slurm's commands prints. It fails while the controller is busy, and is then repeated: an empty list is an answer.
    #[track_caller]
    pub(crate) fn say(&self, words: &[&str]) -> String {
        let mut said = None;
        wait(&format!("{words:?} has an answer"), || {
            let output =
                Command::new(words[0]).args(&words[1..]).env("SLURM_CONF", self.conf()).output();
            said = output.ok().filter(|output| output.status.success());
            said.is_some()
        });
        String::from_utf8_lossy(&said.unwrap().stdout).into_owned()
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
AuthInfo=socket={socket},cred_expire=20
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

pub(crate) fn on_path(program: &str) -> Option<PathBuf> {
    let folders = ["/usr/sbin", "/usr/bin", "/usr/local/sbin", "/usr/local/bin"];
    folders.map(|folder| Path::new(folder).join(program)).into_iter().find(|path| path.is_file())
}

#[track_caller]
pub(crate) fn wait(what: &str, mut is_so: impl FnMut() -> bool) {
    let start = Instant::now();
    while !is_so() {
        assert!(start.elapsed() < PATIENCE, "after {PATIENCE:?}, it is not so that {what}");
        thread::sleep(Duration::from_millis(100));
    }
}
