//! `--slurm`: submits a class to Slurm as an array of jobs, each of which grades a shard into the same folder.

use crate::cli::grade::Grade;
use crate::diagnostic::{Failure, FailureKind, Problem};
use crate::exit::Exit;
use crate::files;
use crate::grading::Results;
use std::env;
use std::fs;
use std::io;
use std::path::{Path, PathBuf};
use std::process::Command;

/// The most jobs of an array. Slurm's indexes stay below 4,096 here, and some clusters allow no more than this.
const MOST_JOBS: usize = 4000;

/// Writes the script of the jobs and submits it.
pub(super) fn submit(
    options: &Grade,
    submission: &Path,
    assignment: &str,
    results: &Results,
    submissions: usize,
) -> Result<Exit, Failure> {
    let batch = usize::from(options.batch).max(submissions.div_ceil(MOST_JOBS));
    let jobs = submissions.div_ceil(batch);
    let failed = |error| Failure::machine("write the script for Slurm", error);
    let folder = results.path("slurm");
    fs::create_dir_all(&folder).map_err(failed)?;
    let folder = folder.canonicalize().map_err(failed)?;
    let script = folder.join("job.sh");
    let text = script_of(options, submission, assignment, &folder, jobs).map_err(failed)?;
    files::replace(&script, text.as_bytes()).map_err(failed)?;
    let output = Command::new("sbatch").arg("--parsable").arg(&script).output();
    let output = output.map_err(|error| {
        let hint =
            "install Slurm's commands (slurm-client), or call `--shard I/N` from another engine";
        Failure::new(
            FailureKind::Machine,
            Problem::new(format!("cannot start sbatch: {error}")).hint(hint),
        )
    })?;
    if !output.status.success() {
        let said = String::from_utf8_lossy(&output.stderr).trim_end().to_owned();
        let problem = Problem::new(format!("sbatch refuses the jobs: {said}"));
        let hint = format!(
            "sbatch reads more options from its variables, such as SBATCH_PARTITION; the script is {}",
            script.display()
        );
        return Err(Failure::new(FailureKind::Machine, problem.hint(hint)));
    }
    let printed = String::from_utf8_lossy(&output.stdout);
    let job = printed.trim().split(';').next().unwrap_or_default();
    let (jobs, each) = (counted(jobs, "job"), counted(batch, "submission"));
    anstream::println!("Submitted {job} to Slurm: {jobs} of at most {each}");
    anstream::println!("Their messages: {}", folder.display());
    anstream::println!("When they have ended, run this command without --slurm. It grades what is");
    anstream::println!("left, and writes the gradebook.");
    Ok(Exit::Done)
}

fn counted(count: usize, noun: &str) -> String {
    format!("{count} {noun}{}", if count == 1 { "" } else { "s" })
}

/// The script. A job that ended early is started again, and continues.
fn script_of(
    options: &Grade,
    submission: &Path,
    assignment: &str,
    folder: &Path,
    jobs: usize,
) -> io::Result<String> {
    let whole = |path: &Path| path.canonicalize();
    let text = |path: PathBuf| path.to_string_lossy().into_owned();
    let out = options.out.as_deref().unwrap_or(Path::new("."));
    let mut words = vec![text(env::current_exe()?), "grade".to_owned(), text(whole(submission)?)];
    let pairs = [
        ("--course", text(whole(&options.course)?)),
        ("--assignment", assignment.to_owned()),
        ("--out", text(whole(out)?)),
        ("--seed", options.seed.to_string()),
        ("--jobs", "1".to_owned()),
    ];
    words.extend(pairs.into_iter().flat_map(|(name, value)| [name.to_owned(), value]));
    if options.unsafe_no_sandbox {
        words.push("--unsafe-no-sandbox".to_owned());
    }
    let line = shlex::try_join(words.iter().map(String::as_str)).map_err(io::Error::other)?;
    let log = text(folder.join("%a.log"));
    let current = text(env::current_dir()?);
    let current = shlex::try_quote(&current).map_err(io::Error::other)?;
    Ok(format!(
        "#!/bin/sh
#SBATCH --job-name=harness-{assignment}
#SBATCH --array=1-{jobs}
#SBATCH --cpus-per-task=1
#SBATCH --requeue
#SBATCH --open-mode=append
#SBATCH --output={log}
cd {current} || exit 5
exec {line} --shard \"$SLURM_ARRAY_TASK_ID/{jobs}\"
"
    ))
}
