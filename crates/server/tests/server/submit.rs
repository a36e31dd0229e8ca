//! `harness submit`, as students start it.

use super::support::program::{Done, run};
use super::support::records::{report, submission};
use super::support::site::Site;
use super::support::{site_on_both, sums};
use serde_json::json;
use server::people::Role;
use std::fs;
use std::os::unix::fs::PermissionsExt;
use std::path::Path;
use std::process::{Command, Stdio};
use std::thread;
use tempfile::TempDir;

/// A folder with a right submission, junk beside it, and a file with the token of ann.
fn folder(site: &Site) -> TempDir {
    let person = site.person("ann", Role::Student, "");
    let token = site.write(move |connection| server::tokens::make(connection, person.id, "laptop"));
    let folder = tempfile::tempdir().unwrap();
    for (name, text) in [
        ("work/sum.cpp", sums::SUM),
        ("work/Makefile", sums::MAKEFILE),
        ("work/test-1.txt", "2 3\n"),
        ("work/sum.o", "junk"),
        ("work/.git/config", "junk"),
        ("token", &format!("{token}\n")),
    ] {
        sums::write(folder.path(), name, text);
    }
    fs::set_permissions(folder.path().join("token"), fs::Permissions::from_mode(0o600)).unwrap();
    folder
}

fn submit(url: &str, folder: &Path, args: &[&str]) -> Done {
    let mut command = Command::new(env!("CARGO_BIN_EXE_harness-server"));
    command.args(["submit", "--assignment", "sum", "--server", url, "--token-file", "../token"]);
    command.args(args).current_dir(folder.join("work")).stdin(Stdio::null());
    command.env_remove("HARNESS_TOKEN").env_remove("HARNESS_SERVER");
    run(command)
}

/// Grades what comes next.
fn grade_next(site: &Site, earned: f64) {
    while site.number("select count(*) from job where state = 'queued'") == 0 {
        thread::sleep(std::time::Duration::from_millis(50));
    }
    site.grades(&report("ann", earned, true));
}

#[test]
fn a_folder_is_handed_in_graded_and_printed() {
    site_on_both("{}", |site| {
        let folder = folder(site);
        let submitted = |args: &[&str], earned| {
            thread::scope(|scope| {
                let done = scope.spawn(|| submit(&site.url, folder.path(), args));
                grade_next(site, earned);
                done.join().unwrap()
            })
        };
        let done = submitted(&[], 80.0);
        assert_eq!(done.status, 0, "{}", done.error);
        assert!(done.out.starts_with("ann: 90 of 90 points\n"), "{}", done.out);
        let done = submitted(&["--format", "json", "--fail-under", "60"], 40.0);
        assert_eq!(done.status, 1, "{}", done.error);
        let json: serde_json::Value = serde_json::from_str(&done.out).unwrap();
        assert_eq!(
            (&json["schema"], &json["submissions"][0]["points"]["earned"]),
            (&json!("harness-graded/1"), &json!(50.0))
        );
        let done = submit(&site.url, folder.path(), &["--no-wait", "Makefile", "sum.cpp"]);
        assert_eq!(done.status, 0, "{}", done.error);
        assert!(done.out.starts_with("Submission "), "{}", done.out);
    });
}

#[test]
fn points_that_are_not_shown_yet_are_not_printed_as_none() {
    site_on_both("{ time_zone: UTC, assignments: { sum: { scores: 2099-01-01 } } }", |site| {
        let folder = folder(site);
        let submitted = |args: &[&str]| {
            thread::scope(|scope| {
                let done = scope.spawn(|| submit(&site.url, folder.path(), args));
                grade_next(site, 80.0);
                done.join().unwrap()
            })
        };
        let done = submitted(&[]);
        assert_eq!(done.status, 0, "{}", done.error);
        assert!(done.out.starts_with("ann: graded\n"), "{}", done.out);
        let from = "\nPoints are shown from Thu 1 Jan 2099";
        assert!(done.out.contains(from) && !done.out.contains("0 of 0"), "{}", done.out);
        let done = submitted(&["--format", "json", "--fail-under", "60"]);
        assert_eq!(done.status, 2, "{}", done.error);
        assert!(done.error.contains("points are not shown before 2099-01-01"), "{}", done.error);
        let json: serde_json::Value = serde_json::from_str(&done.out).unwrap();
        assert!(json["points_from"].as_str().unwrap().starts_with("2099-01-01T"), "{json}");
    });
}

#[test]
fn what_is_refused_costs_nothing_and_ends_with_1() {
    site_on_both("assignments: { sum: { limit: 1, bonus: 0 } }", |site| {
        let folder = folder(site);
        fs::write(folder.path().join("work/bad.tar.gz"), "\u{1f}nonsense").unwrap();
        let done = submit(&site.url, folder.path(), &["bad.tar.gz"]);
        assert_eq!(done.status, 1, "{}", done.error);
        assert!(done.out.starts_with("ann: not graded"), "{}", done.out);
        assert_eq!(site.number("select count(*) from submission"), 0);
        assert_eq!(submit(&site.url, folder.path(), &["--no-wait"]).status, 0);
        let full = submit(&site.url, folder.path(), &["--no-wait"]);
        assert_eq!(full.status, 1);
        assert!(full.error.contains("no submission is left for today, of 1"), "{}", full.error);
    });
}

#[test]
fn a_token_stays_secret() {
    site_on_both("{}", |site| {
        let folder = folder(site);
        let token = folder.path().join("token");
        let refused = |url: &str, status: i32, message: &str| {
            let done = submit(url, folder.path(), &[]);
            assert_eq!(done.status, status, "{}", done.error);
            assert!(done.error.contains(message), "{}", done.error);
        };
        refused("http://grade.example.edu", 2, "is not encrypted");
        refused("grade.example.edu", 2, "is no address of a server");
        fs::set_permissions(&token, fs::Permissions::from_mode(0o644)).unwrap();
        refused(&site.url, 2, "others may read");
        fs::set_permissions(&token, fs::Permissions::from_mode(0o600)).unwrap();
        fs::write(&token, "harness_other").unwrap();
        refused(&site.url, 2, "does not know this token");
        assert_eq!(site.number("select count(*) from submission"), 0);
    });
}

#[test]
fn a_browser_and_a_client_share_the_limit() {
    site_on_both("assignments: { sum: { limit: 1, bonus: 0 } }", |site| {
        let folder = folder(site);
        let ann = site
            .write(|connection| Ok(server::people::Person::by_login(connection, "ann")?.unwrap()));
        let browser = site.signed_in(&ann);
        let right = sums::right();
        let taken = browser.upload(super::support::records::HAND_IN, "a", &[("a.tar.gz", &right)]);
        submission(&taken);
        assert_eq!(submit(&site.url, folder.path(), &["--no-wait"]).status, 1);
    });
}
