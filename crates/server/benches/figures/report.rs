//! From the upload to the exposed bugs and to the whole report, beside `harness grade`.

use crate::handing_in;
use crate::served::Served;
use std::fs;
use std::io::Write;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};
use std::thread::sleep;
use std::time::{Duration, Instant};

const SERVER: &str = env!("CARGO_BIN_EXE_harness-server");

/// The course of this repository, with submissions of the puzzle.
fn repository() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../..").canonicalize().unwrap()
}

pub(crate) fn report(url: Option<String>) {
    let (folder, course) = (tempfile::tempdir().unwrap(), repository());
    let served = Served::of_course(url, course.clone(), folder, 1);
    let submissions = course.join("submissions/puzzle");
    let mut names: Vec<_> =
        fs::read_dir(&submissions).unwrap().map(|it| it.unwrap().path()).collect();
    names.sort();
    let token = served.tokens(1).remove(0);
    for (number, name) in names.iter().take(3).enumerate() {
        let began = Instant::now();
        let sent =
            handing_in::send(&served.url, "puzzle", &token, &format!("{number}"), &packed(name));
        let Ok((200..400, Some(submission), _)) = sent else {
            println!("  the puzzle was not taken: {sent:?}");
            return;
        };
        let exposed = waited(
            &served,
            began,
            submission,
            "progress.job = job.id and progress.report like '%exposed%'",
        );
        let whole = waited(&served, began, submission, "false");
        let graded = Instant::now();
        let mut command = Command::new(SERVER);
        command.args(["grade"]).arg(name).arg("--course").arg(&course);
        command.stdout(Stdio::null()).stderr(Stdio::null()).status().unwrap();
        let graded = graded.elapsed();
        let which =
            if number == 0 { "the first one, with the build of the course" } else { "another one" };
        println!(
            "  upload to exposed bugs {:.1} s, to the report {:.1} s; `harness grade` {:.1} s ({which})",
            exposed.as_secs_f64(),
            whole.as_secs_f64(),
            graded.as_secs_f64()
        );
    }
}

/// Waits until a job has a result, or what `or` says.
fn waited(served: &Served, began: Instant, submission: i64, or: &str) -> Duration {
    let sql = format!(
        "select 1 from job where job.submission = $1 and (job.state in ('done', 'failed') \
         or exists (select 1 from progress where {or}))"
    );
    loop {
        let sql = sql.clone();
        let is_so = served
            .write(move |connection| Ok(connection.first(&sql, &[submission.into()])?.is_some()));
        if is_so || began.elapsed() > Duration::from_mins(10) {
            return began.elapsed();
        }
        sleep(Duration::from_millis(5));
    }
}

fn packed(folder: &Path) -> Vec<u8> {
    let output = Command::new("tar").arg("-czC").arg(folder).arg(".").output().unwrap();
    output.stdout
}

/// The record of a submission, by `harness grade`.
pub(crate) fn record(course: &Path, archive: &[u8]) -> String {
    let folder = tempfile::tempdir().unwrap();
    let file = folder.path().join("submit.tar.gz");
    fs::write(&file, archive).unwrap();
    let mut command = Command::new(SERVER);
    command.args(["grade", "--jobs-from", "-", "--course"]).arg(course);
    let mut child = command.stdin(Stdio::piped()).stdout(Stdio::piped()).spawn().unwrap();
    let job = serde_json::json!({ "submission": file, "name": "ann" });
    writeln!(child.stdin.take().unwrap(), "{job}").unwrap();
    let answers = String::from_utf8(child.wait_with_output().unwrap().stdout).unwrap();
    let mut records = answers.lines().filter_map(|line| {
        let answer: serde_json::Value = serde_json::from_str(line).ok()?;
        answer["record"].is_object().then(|| answer["record"].to_string())
    });
    records.next_back().expect("it is graded")
}
