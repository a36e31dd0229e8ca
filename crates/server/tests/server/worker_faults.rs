//! What becomes of a job when graders, workers and databases fail.

use super::support::grading::{
    Process, SERVER, Working, below, cannot_grade, is_alive, name_of, options, scripted, signal,
    slow, wait,
};
use super::support::postgres::Server;
use super::support::site::Site;
use super::support::{site_on_both, sums};
use server::database::Address;
use server::queue;
use server::worker::Options;
use std::fs;
use std::process::Command;
use std::time::Duration;
use tempfile::TempDir;

/// Waits until the program of the submission runs: then the tests are scored.
fn wait_until_it_runs(site: &Site) {
    wait("the tests are scored", || site.number("select count(*) from progress") == 1);
}

#[test]
#[ignore = "it takes long; .ci/run runs it"]
fn a_job_whose_grader_is_killed_is_graded_again() {
    if cannot_grade() {
        return;
    }
    site_on_both("", |site| {
        let worker = Process::start(site, &[]);
        let submission = site.hand_in(&site.student(), slow(1));
        wait_until_it_runs(site);
        let grader = worker.grader();
        let started = below(grader);
        signal(grader, "-9");
        wait("the job waits for another attempt", || {
            site.text("select reason from job").contains("signal 9")
        });
        wait("nothing of it is left", || started.iter().all(|process| !is_alive(*process)));
        site.skip_pauses();
        site.record(submission);
        assert_eq!(site.number("select attempt from job"), 2);
        assert_eq!(site.number("select count(*) from result"), 1);
        assert_eq!(site.number("select slot from submission"), 1);
    });
}

#[test]
#[ignore = "it takes long; .ci/run runs it"]
fn nothing_of_a_killed_worker_survives_and_another_takes_its_job() {
    if cannot_grade() {
        return;
    }
    site_on_both("", |site| {
        let mut worker = Process::start(site, &[]);
        let submission = site.hand_in(&site.student(), slow(2));
        wait_until_it_runs(site);
        let started = below(worker.id());
        assert!(started.len() > 1, "{started:?}");
        worker.child.kill().unwrap();
        worker.child.wait().unwrap();
        wait("nothing of it is left", || started.iter().all(|process| !is_alive(*process)));
        site.end_leases();
        let _other = site.workers(&options());
        site.record(submission);
        assert_eq!(site.number("select attempt from job"), 2);
        assert_eq!(site.number("select count(*) from result"), 1);
    });
}

#[test]
#[ignore = "it takes long; .ci/run runs it"]
fn a_worker_that_sleeps_past_its_lease_answers_in_vain() {
    if cannot_grade() {
        return;
    }
    site_on_both("", |site| {
        let worker = Process::start(site, &[]);
        let submission = site.hand_in(&site.student(), slow(1));
        wait_until_it_runs(site);
        worker.signal("-STOP");
        site.end_leases();
        let other = site.workers(&options());
        site.record(submission);
        let finished = site.number("select finished from result");
        worker.signal("-CONT");
        // It is well, and takes the next job.
        drop(other);
        let next = site.hand_in(&site.student(), sums::right());
        site.record(next);
        let sql = "select count(*) from result where attempt = 2 and job = 1";
        assert_eq!(site.number(sql), 1);
        assert_eq!(site.number("select finished from result order by job"), finished);
        assert_eq!(site.number("select count(*) from result"), 2);
    });
}

/// A site whose one worker has a grader that does what a script says.
fn with_script(script: &str, test: impl Fn(&Site, &Options)) {
    site_on_both("", |site| {
        let folder = tempfile::tempdir().unwrap();
        let mut options = options();
        options.program = scripted(folder.path(), script);
        options.silence = Duration::from_millis(700);
        test(site, &options);
    });
}

/// Requires that the job fails for good with this reason, and costs no attempt.
fn fails(site: &Site, options: &Options, reason: &str) {
    let submission = site.hand_in(&site.student(), sums::right());
    let _working = site.workers(options);
    wait("the job has failed", || {
        site.skip_pauses();
        site.text("select state from job") == "failed"
    });
    let said = site.text("select reason from job");
    assert!(said.contains(reason), "{said}");
    assert_eq!(site.number("select attempt from job"), queue::MOST_ATTEMPTS);
    assert_eq!(site.number("select slot from submission"), -1, "of {submission}");
    assert_eq!(site.number("select count(*) from result"), 0);
}

#[test]
fn a_job_that_ends_its_grader_three_times_fails_with_its_reason() {
    with_script("ready; read job; kill -SEGV $$", |site, options| {
        fails(site, options, "signal 11");
    });
    with_script("ready; read job; echo 'the disk is full' >&2; exit 4", |site, options| {
        fails(site, options, "the disk is full");
    });
}

#[test]
#[ignore = "it takes long; .ci/run runs it"]
fn a_grader_that_hangs_or_says_nonsense_is_replaced() {
    with_script("ready; read job; sleep 60", |site, options| {
        fails(site, options, "said nothing");
    });
    with_script("ready; read job; echo Hello; sleep 60", |site, options| {
        fails(site, options, "no answer");
    });
    with_script("ready; read job; ready; sleep 60", |site, options| {
        fails(site, options, "`ready`");
    });
}

#[test]
fn a_course_that_cannot_be_built_costs_nobody_an_attempt() {
    with_script("echo 'error: sum.sh is missing' >&2; exit 3", |site, options| {
        fails(site, options, "sum.sh is missing");
        let _working = site.workers(options);
        wait("the worker says what keeps it from working", || {
            site.text("select state from worker").contains("sum.sh is missing")
        });
    });
}

#[test]
fn a_course_that_something_changed_on_this_machine_is_unpacked_again() {
    if cannot_grade() {
        return;
    }
    site_on_both("", |site| {
        let _working = site.workers(&options());
        wait("the grader is ready", || site.text("select state from worker") == "waiting");
        let digest = site.text("select course from course_in_force");
        let unpacked = site.app.courses.unpacked(&site.app.database, &digest);
        let folder = site.runtime.block_on(unpacked).unwrap();
        fs::write(folder.join("sum.sh"), "echo 7\n").unwrap();
        let submission = site.hand_in(&site.student(), sums::right());
        wait("the job waits for another attempt", || {
            site.text("select reason from job").contains("changed the files of the course")
        });
        site.skip_pauses();
        assert_eq!(site.points(submission), 90);
        assert!(fs::read_to_string(folder.join("sum.sh")).unwrap().contains("$((a + b))"));
    });
}

#[test]
fn a_damaged_archive_is_not_graded() {
    site_on_both("", |site| {
        let submission = site.hand_in(&site.student(), sums::right());
        site.write(|connection| {
            connection.execute("update archive set bytes = $1", &[vec![1, 2].into()])
        });
        let _working = site.workers(&options());
        wait("the job has failed", || {
            site.skip_pauses();
            site.text("select state from job") == "failed"
        });
        assert!(site.text("select reason from job").contains("is damaged"), "{submission}");
    });
}

#[test]
#[ignore = "it takes long; .ci/run runs it"]
fn a_worker_that_is_asked_to_end_finishes_a_short_job() {
    if cannot_grade() {
        return;
    }
    site_on_both("", |site| {
        let working = site.workers(&options());
        site.hand_in(&site.student(), slow(1));
        wait_until_it_runs(site);
        working.asker.ask();
        working.ended();
        assert_eq!(site.number("select count(*) from result"), 1);
    });
}

/// Requires that the job was given back, and that another worker's claim of it has another number.
fn is_given_back(site: &Site, working: Working<'_>) {
    working.ended();
    assert_eq!(site.text("select state from job"), "queued");
    assert_eq!(site.text("select reason from job"), "");
    assert_eq!(site.number("select count(*) from worker"), 0);
    for attempt in 2..=6 {
        let claim = site.write(|connection| queue::claim(connection, "other")).unwrap();
        assert_eq!(claim.attempt, attempt);
        site.write(move |connection| queue::give_back(connection, &claim));
    }
    assert_eq!(site.text("select state from job"), "queued", "it was never a failure");
}

#[test]
#[ignore = "it takes long; .ci/run runs it"]
fn a_worker_that_is_asked_to_end_gives_a_long_job_back() {
    if cannot_grade() {
        return;
    }
    site_on_both("", |site| {
        let options = Options { grace: Duration::from_millis(100), ..options() };
        let working = site.workers(&options);
        site.hand_in(&site.student(), slow(8));
        wait_until_it_runs(site);
        working.asker.ask();
        is_given_back(site, working);
    });
    site_on_both("", |site| {
        let working = site.workers(&options());
        site.hand_in(&site.student(), slow(8));
        wait_until_it_runs(site);
        // It would have ended while the worker is patient with it.
        working.asker.ask();
        working.asker.ask();
        is_given_back(site, working);
    });
}

/// A process of `harness serve` on the database of a site.
fn serving(site: &Site, cache: &TempDir) -> std::process::Child {
    fs::write(
        site.course.path().join("serve.yaml"),
        format!("address: 127.0.0.1:0\nworkers: 1\ncache: {}\n", cache.path().display()),
    )
    .unwrap();
    let mut command = Command::new(SERVER);
    command.args(["serve", "--database", &name_of(site), "--course"]).arg(site.course.path());
    command.stdout(std::process::Stdio::null()).spawn().unwrap()
}

#[test]
#[ignore = "it takes long; .ci/run runs it"]
fn a_server_that_is_asked_to_end_finishes_its_job_first() {
    if cannot_grade() {
        return;
    }
    site_on_both("", |site| {
        let cache = tempfile::tempdir().unwrap();
        let mut server = serving(site, &cache);
        site.hand_in(&site.student(), slow(1));
        wait_until_it_runs(site);
        let started = below(server.id());
        signal(server.id(), "-TERM");
        assert!(server.wait().unwrap().success());
        assert_eq!(site.number("select count(*) from result"), 1);
        wait("nothing of it is left", || started.iter().all(|process| !is_alive(*process)));
    });
}

#[test]
#[ignore = "it takes long; .ci/run runs it"]
fn a_database_that_is_away_for_a_minute_costs_no_attempt_and_no_result() {
    if cannot_grade() {
        return;
    }
    let Some(server) = Server::start() else { return };
    let site = Site::new(&Address::Postgres(server.database("away")), "");
    let _working = site.workers(&options());
    let submission = site.hand_in(&site.student(), slow(2));
    wait_until_it_runs(&site);
    server.kill();
    // Longer than the job takes, so that its record has to wait, and longer than its lease.
    std::thread::sleep(Duration::from_mins(1));
    server.up();
    wait("the database answers", || {
        let now = site.app.now();
        site.runtime.block_on(now).is_ok()
    });
    site.record(submission);
    assert_eq!(site.number("select attempt from job"), 1);
    let next = site.hand_in(&site.student(), sums::right());
    site.record(next);
}
