//! Hostile programs in the sandbox. Each gets its verdict, leaves nothing running, reads and changes nothing outside, and does not change
//! what a harmless program does next.
//!
//! The programs in `run` are run, and the folders in `build` are built by `make`. The first lines of each say which verdict is right. This
//! is a program of its own, without the usual harness of tests, because it must be its own warden.

mod attack;

use attack::{Attack, verdict};
use harness::run::process;
use harness::sandbox::{Ending, Job, Ran, Sandbox, serve_if_asked};
use std::collections::{BTreeMap, VecDeque};
use std::fs;
use std::path::{Path, PathBuf};
use std::process::ExitCode;
use std::sync::Mutex;
use std::thread;
use tempfile::TempDir;
use walkdir::WalkDir;

/// What no program may find out.
const SECRET: &str = "the answers of the instructor";

fn main() -> ExitCode {
    serve_if_asked();
    process::contain();
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
        let outside = tempfile::tempdir().map_err(|error| error.to_string())?;
        fs::write(outside.path().join("secret"), SECRET).map_err(|error| error.to_string())?;
        let attacks = attack::all(&sources(), outside.path(), has_groups(&sandbox))?;
        Ok(Self { sandbox, outside, attacks })
    }

    /// Tries all attacks, two at a time, and prints what went wrong.
    fn report(&self) -> ExitCode {
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
                        mistakes.lock().unwrap().extend(found);
                    }
                });
            }
        });
        let mut mistakes = mistakes.into_inner().unwrap();
        if self.state() != before {
            mistakes.push("something outside has changed".to_owned());
        }
        mistakes.extend(self.left());
        for mistake in &mistakes {
            eprintln!("{mistake}");
        }
        println!("{} attacks, {} mistakes", self.attacks.len(), mistakes.len());
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
        let script = "cat; env; id; pwd; ls -A /; ls -lA --time-style=+ /box /tmp /dev/shm; ipcs -a; \
                      cat /proc/sys/kernel/hostname; echo more > /tmp/file; echo less >&2; exit 4";
        let command = ["sh", "-c", script].map(Into::into).to_vec();
        self.run(&Job { command, stdin: b"input\n", limits: attack::limits(), ..Job::default() })
    }

    fn run(&self, job: &Job) -> Ran {
        self.sandbox.run(job).unwrap_or_else(|problem| panic!("{:?}: {problem}", job.command))
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

    /// Processes and control groups of attacks that are still there.
    fn left(&self) -> Vec<String> {
        let marker = self.variables().remove(0).1;
        let mut left = Vec::new();
        for process in fs::read_dir("/proc").into_iter().flatten().flatten() {
            let variables = fs::read(process.path().join("environ")).unwrap_or_default();
            if contains(&variables, &marker) {
                left.push(format!("process {} still runs", process.file_name().display()));
            }
        }
        let prefix = format!("harness-{}-", std::process::id());
        for entry in WalkDir::new("/sys/fs/cgroup").into_iter().flatten() {
            if entry.file_name().to_string_lossy().starts_with(&prefix) {
                left.push(format!("{} is still there", entry.path().display()));
            }
        }
        left
    }
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
