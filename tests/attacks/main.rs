//! Hostile programs in the sandbox. Each gets its verdict, leaves nothing running, reads and changes nothing outside, and does not change
//! what a harmless program does next.
//!
//! The programs in `run` are run, and the folders in `build` are built by `make`. The first lines of each say which verdict is right. This
//! is a program of its own, without the usual harness of tests, because it must be its own supervisor.

#![expect(clippy::print_stdout, reason = "it reports as tests do")]

mod attack;

use attack::{Attack, verdict};
use harness::sandbox::{Ending, Job, Ran, Sandbox};
use std::collections::{BTreeMap, VecDeque};
use std::fs;
use std::path::{Path, PathBuf};
use std::process::{Command, ExitCode};
use std::sync::Mutex;
use std::thread;
use std::time::{Duration, Instant};
use tempfile::TempDir;
use walkdir::WalkDir;

/// What no program may find out.
const SECRET: &str = "the answers of the instructor";

fn main() -> ExitCode {
    harness::sandbox::enter();
    if std::env::args().any(|word| word == FOR_EVER) {
        return run_for_ever();
    }
    // As for other tests that take long.
    if !std::env::args().any(|word| ["--ignored", "--include-ignored"].contains(&&*word)) {
        return ExitCode::SUCCESS;
    }
    match Ground::new() {
        Ok(ground) => ground.report(),
        Err(reason) => {
            eprintln!("skipped: {reason}");
            // No test may be skipped there.
            ExitCode::from(u8::from(std::env::var("CI").as_deref() == Ok("true")))
        }
    }
}

/// The word that makes this program run another one that never ends.
const FOR_EVER: &str = "--for-ever";

fn run_for_ever() -> ExitCode {
    let sandbox = Sandbox::open().expect("it could be opened before");
    let marker = std::env::var("MARKER").expect("it is set");
    let job = Job {
        command: ["sh", "-c", "setsid sleep 1000 & sleep 1000"].map(Into::into).to_vec(),
        variables: vec![("SECRET".to_owned(), marker)],
        ..Job::default()
    };
    sandbox.run(&job).expect("it can be run");
    ExitCode::FAILURE
}

/// Where attacks are tried.
struct Ground {
    sandbox: Sandbox,
    /// What is outside the sandbox: the secret, and compiled programs.
    outside: TempDir,
    attacks: Vec<Attack>,
}

impl Ground {
    /// Compiles the attacks, or says what is missing.
    fn new() -> Result<Self, String> {
        let sandbox = Sandbox::open().map_err(|problem| problem.to_string())?;
        let sandbox = sandbox.hiding(Path::new("/usr/share"));
        let outside = tempfile::tempdir().map_err(|error| error.to_string())?;
        fs::write(outside.path().join("secret"), SECRET).map_err(|error| error.to_string())?;
        let attacks = attack::all(&sources(), outside.path(), has_groups(&sandbox))?;
        Ok(Self { sandbox, outside, attacks })
    }

    /// Tries all attacks, two at a time, and prints what went wrong.
    fn report(self) -> ExitCode {
        let before = self.state();
        let expected = self.harmless();
        let queue: Mutex<VecDeque<_>> = Mutex::new(self.attacks.iter().collect());
        let mistakes = Mutex::new(Vec::new());
        thread::scope(|scope| {
            for _ in 0..2 {
                scope.spawn(|| {
                    while let Some(attack) = { queue.lock().unwrap().pop_front() } {
                        let found = self.mistakes(attack, &expected);
                        println!(
                            "attack {} ... {}",
                            attack.name,
                            if found.is_empty() { "ok" } else { "FAILED" }
                        );
                        found.iter().for_each(|mistake| eprintln!("{mistake}"));
                        mistakes.lock().unwrap().extend(found);
                    }
                });
            }
        });
        let mut mistakes = mistakes.into_inner().unwrap();
        if self.state() != before {
            eprintln!("something outside has changed");
            mistakes.push("something outside has changed".to_owned());
        }
        let later = self.outlives_the_harness();
        let (marker, count) = (self.variables().remove(0).1, self.attacks.len());
        // With it, everything that it made for its runs ends.
        drop(self.sandbox);
        for mistake in left(&marker, std::process::id()).into_iter().chain(later) {
            eprintln!("{mistake}");
            mistakes.push(mistake);
        }
        println!("{count} attacks, {} mistakes", mistakes.len());
        ExitCode::from(u8::from(!mistakes.is_empty()))
    }

    /// Tries an attack twice, and tells what went wrong.
    fn mistakes(&self, attack: &Attack, expected: &Ran) -> Vec<String> {
        let mut mistakes = Vec::new();
        for _ in 0..2 {
            let kept = tempfile::tempdir().expect("there is room for a test");
            let ran = self.run(&attack.job(self.variables(), kept.path()));
            let verdict = verdict(&ran.ending);
            if !attack.verdicts.contains(&verdict) {
                let said =
                    String::from_utf8_lossy(&ran.stderr[..ran.stderr.len().min(2000)]).into_owned();
                mistakes
                    .push(format!("{}: {verdict}, not {:?}\n{said}", attack.name, attack.verdicts));
            }
            for text in [SECRET, "BROKEN"] {
                if [&ran.stdout, &ran.stderr].iter().any(|said| contains(said, text)) {
                    mistakes.push(format!("{}: it says {text:?}", attack.name));
                }
            }
            mistakes.extend(attack.mistakes_in(kept.path()));
        }
        let next = self.harmless();
        if !is_same(&next, expected) {
            let said = |ran: &Ran| String::from_utf8_lossy(&ran.stdout).into_owned();
            let (next, expected) = (said(&next), said(expected));
            mistakes.push(format!(
                "after {}, another program does not do\n{expected}\nbut\n{next}",
                attack.name
            ));
        }
        mistakes
    }

    /// What a harmless program does and sees.
    fn harmless(&self) -> Ran {
        let script = "cat; env; id; pwd; ls -A / /usr/share; ls -lA --time-style=+ /box /tmp /dev/shm; ipcs -a; \
                      cat /proc/sys/kernel/hostname; echo more > /tmp/file; echo less >&2; exit 4";
        let command = ["sh", "-c", script].map(Into::into).to_vec();
        self.run(&Job { command, stdin: b"input\n", limits: attack::limits(), ..Job::default() })
    }

    fn run(&self, job: &Job) -> Ran {
        self.sandbox.run(job).unwrap_or_else(|failure| panic!("{:?}: {failure:?}", job.command))
    }

    fn variables(&self) -> Vec<(String, String)> {
        let secret = self.outside.path().join("secret");
        let text = |path: &Path| path.to_str().expect("its name is plain").to_owned();
        let course = text(Path::new(env!("CARGO_MANIFEST_DIR")));
        vec![("SECRET".to_owned(), text(&secret)), ("COURSE".to_owned(), course)]
    }

    /// What could have been changed outside.
    fn state(&self) -> BTreeMap<PathBuf, Vec<u8>> {
        let sources = sources();
        let files = [self.outside.path(), &*sources].into_iter().flat_map(WalkDir::new);
        let paths = files.map(|entry| entry.expect("it can be read").into_path());
        paths.map(|path| (path.clone(), fs::read(&path).unwrap_or_default())).collect()
    }

    /// What is left of a run after its harness was killed.
    fn outlives_the_harness(&self) -> Vec<String> {
        const PATIENCE: Duration = Duration::from_secs(60);
        let marker = self.variables().remove(0).1;
        let mut command = Command::new("/proc/self/exe");
        let mut harness =
            command.arg(FOR_EVER).env("MARKER", &marker).spawn().expect("it is this program");
        // `sh`, and `sleep` twice. The harness has another variable.
        let runs = wait_until(PATIENCE, || processes_with(&marker).len() >= 3);
        harness.kill().expect("it runs for ever");
        harness.wait().expect("it was killed");
        let ended = wait_until(PATIENCE, || processes_with(&marker).is_empty());
        // The next harness removes the groups of the last one, once the system has taken the last process out of them.
        let left = || left(&marker, harness.id());
        let removed = wait_until(PATIENCE, || Sandbox::open().is_ok() && left().is_empty());
        let mut left = left();
        if !(runs && ended && removed) {
            left.push(format!("a run and its killed harness: {runs} {ended} {removed}"));
        }
        left
    }
}

/// Processes with this secret that are still there, and control groups of the process that ran them, `harness`.
fn left(marker: &str, harness: u32) -> Vec<String> {
    let processes = processes_with(marker);
    let mut left: Vec<_> =
        processes.iter().map(|process| format!("process {process} still runs")).collect();
    let prefix = format!("harness-{harness}-");
    for entry in WalkDir::new("/sys/fs/cgroup").into_iter().flatten() {
        if entry.file_name().to_string_lossy().starts_with(&prefix) {
            left.push(format!("{} is still there", entry.path().display()));
        }
    }
    left
}

/// The processes with the variable `SECRET`, which all attacks have.
fn processes_with(secret: &str) -> Vec<String> {
    let variable = format!("SECRET={secret}");
    let processes = fs::read_dir("/proc").into_iter().flatten().flatten();
    let has_it = |path: PathBuf| {
        fs::read(path.join("environ")).is_ok_and(|variables| contains(&variables, &variable))
    };
    let processes = processes.filter(|process| has_it(process.path()));
    processes.map(|process| process.file_name().to_string_lossy().into_owned()).collect()
}

fn wait_until(patience: Duration, is_so: impl Fn() -> bool) -> bool {
    let start = Instant::now();
    while !is_so() && start.elapsed() < patience {
        thread::sleep(Duration::from_millis(20));
    }
    is_so()
}

fn sources() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/attacks")
}

fn has_groups(sandbox: &Sandbox) -> bool {
    sandbox.layers().iter().any(|layer| layer.name == "control groups" && layer.is_there)
}

/// Whether two runs did the same.
fn is_same(one: &Ran, other: &Ran) -> bool {
    (&one.ending, &one.stdout, &one.stderr) == (&other.ending, &other.stdout, &other.stderr)
        && one.ending == Ending::Exited(4)
}

fn contains(bytes: &[u8], text: &str) -> bool {
    bytes.windows(text.len()).any(|window| window == text.as_bytes())
}
