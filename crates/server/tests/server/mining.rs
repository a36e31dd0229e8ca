//! What a class gets wrong: the job behind all others, and its pages.

mod jobs;
pub(crate) mod pages;

use super::support::grading::{SERVER, cannot_grade, options, scripted, wait, wait_for};
use super::support::records::submission;
use super::support::site::{Browser, Site};
use super::support::{site_on_both, sums};
use server::courses;
use server::people::Role;
use std::fs;
use std::os::unix::fs::PermissionsExt;
use std::path::Path;
use std::time::Duration;
use tempfile::TempDir;

/// How long mining a small class may take on a machine on which others work, to whom it gives way.
const LONGEST: Duration = Duration::from_mins(30);

const PAGE: &str = "/assignments/sum/mining";

/// Puts a version of the course in force of which inputs can be made.
fn with_inputs(site: &Site) {
    let file = site.course.path().join("harness.yaml");
    let text = fs::read_to_string(&file).unwrap();
    let text = text.replace("    domain: text\n", "    domain: shape\n    input: sum.yaml\n");
    fs::write(&file, text).unwrap();
    let shape = "input:\n  - line: [{ a: -99 .. 99 }, { b: -99 .. 99 }]\n";
    sums::write(site.course.path(), "sum.yaml", shape);
    let course = harness::course::Course::read(site.course.path()).unwrap();
    let packed = harness::command::pack::course(&course).unwrap();
    site.write(move |connection| {
        let digest = courses::add(connection, &packed, "Sums", None)?;
        courses::put_in_force(connection, &digest, None)
    });
}

/// Hands a program in through the page, and gives the number of the submission.
fn hands_in(site: &Site, login: &str, change: (&str, &str)) -> i64 {
    let browser = site.signed_in(&site.person(login, Role::Student, ""));
    hands_in_again(&browser, "first", change)
}

fn hands_in_again(browser: &Browser, key: &str, (from, to): (&str, &str)) -> i64 {
    let source = sums::SUM.replace(from, to);
    let archive = sums::archive(&[("sum.cpp", &source), ("Makefile", sums::MAKEFILE)]);
    let files = [("submit.tar.gz", &archive[..])];
    submission(&browser.upload("/assignments/sum/submissions", key, &files))
}

fn staff(site: &Site) -> Browser {
    site.signed_in(&site.person("sam", Role::Staff, ""))
}

/// Whether there is no `harness-author` beside the program under test. Then the test is left out, unless `CI` is set.
fn cannot_mine() -> bool {
    let is_there = Path::new(SERVER).with_file_name("harness-author").exists();
    if !is_there {
        assert!(std::env::var_os("CI").is_none(), "`cargo build -p harness-author` is missing");
        eprintln!("skipped, because `harness-author` is not built: cargo build -p harness-author");
    }
    !is_there || cannot_grade()
}

#[test]
#[ignore = "it takes long; .ci/run runs it"]
fn the_programs_of_a_class_are_mined_behind_the_pages() {
    if cannot_mine() {
        return;
    }
    site_on_both("{}", |site| {
        with_inputs(site);
        let right = hands_in(site, "ann", ("", ""));
        let bob = hands_in(site, "bob", ("a + b", "a + b + 1"));
        let eve = hands_in(site, "eve", ("a + b", "a % 10 + b"));
        let pat = hands_in(site, "pat", ("a + b", "a % 10 + b /* pat */"));
        let broken = hands_in(site, "tom", ("int main", "int man"));
        let staff = staff(site);
        assert!(staff.get(PAGE).body.contains("Find out"));
        assert_eq!(staff.post(PAGE, &[]).status, 303);
        let _working = site.workers(&options());
        wait_for(LONGEST, "the class is mined", || {
            let state = site.text("select state from mining");
            assert_ne!(state, "failed", "{}", site.text("select reason from mining"));
            state == "done"
        });
        let page = staff.get(PAGE).body;
        assert!(
            page.contains("5 programs on") && page.contains("1 without a difference"),
            "{page}"
        );
        assert!(page.contains("2 students <span class=\"tag off\">no mutant</span>"), "{page}");
        assert!(page.contains("1 student <span class=\"tag\">is <code>adds-one</code>"), "{page}");
        for it in [bob, eve, pat, broken] {
            assert!(page.contains(&format!("\"/submissions/{it}\"")), "{it} in {page}");
        }
        assert!(!page.contains(&format!("\"/submissions/{right}\"")), "{page}");
        let document = site.text("select document from mining");
        assert!(document.contains(&format!("programs/{eve}")), "{document}");
        assert!(!document.contains("prepared") && !document.contains("/tmp"), "{document}");
        let lecture = staff.get(&format!("{PAGE}/lecture")).body;
        assert!(lecture.contains("2 of 5 programs") && !lecture.contains("adds-one"), "{lecture}");
        assert_eq!(site.number("select count(*) from result"), 5, "they are graded first");
    });
}

/// A program that grades by a script, and mines by another one.
fn scripts(mine: &str) -> (TempDir, server::worker::Program) {
    let folder = tempfile::tempdir().unwrap();
    let script = format!("if [ \"$1\" = mutants ]; then {mine}; fi\nready\ncat >/dev/null");
    let program = scripted(folder.path(), &script);
    let author = folder.path().join("harness-author");
    fs::write(&author, "").unwrap();
    fs::set_permissions(&author, fs::Permissions::from_mode(0o755)).unwrap();
    (folder, program)
}
