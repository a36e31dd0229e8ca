//! What people do with the server from the first day on, each with the pages alone.

use super::driver::Browser;
use super::in_browser;
use super::served::{Served, files, folder};
use crate::support::grading::cannot_grade;
use crate::support::site::Site;
use crate::support::{postgres, sqlite, sums};
use serde_json::{Value, json};
use server::people::Role;
use std::fs;
use std::path::Path;

const PASSWORD: &str = "plums on a wooden table";

/// The points that a page shows.
const POINTS: &str = "document.querySelector('.points strong').textContent";

/// Which submission counts, in the list of an assignment: its place from the top.
const COUNTING: &str =
    "[...document.querySelectorAll('.handed tbody tr')].findIndex(it => it.matches('.counts'))";

/// Begins with a link, and gives the session.
fn accept(browser: &Browser, link: &str) -> Value {
    browser.is_of_nobody();
    browser.visit(link);
    browser.fills("[name=password]", PASSWORD);
    browser.fills("[name=again]", PASSWORD);
    browser.follows("Set the password and begin");
    browser.waits_for("document.querySelector('h1').textContent === 'Assignments'");
    browser.cookies()
}

/// Reads students from a table, and gives the link of one.
fn import(browser: &Browser, served: &Served, login: &str) -> String {
    browser.visit(&format!("{}/students", served.url));
    let table = "login,name,section\nann,Ann Lee,a\nbob,Bob Moe,b\n";
    browser.fills("[name=text]", table);
    browser.follows("Show what changes");
    browser.waits_to_read("Nothing is changed yet");
    browser.follows("Change it");
    browser.waits_for("!document.querySelector('textarea[hidden]')");
    browser.visit(&format!("{}/students/{login}", served.url));
    browser.follows("Make a new link");
    browser.waits_for("document.querySelector('[data-copy]')");
    browser.text("document.querySelector('[data-copy]').value")
}

/// Drops files on the area for them.
fn drop_on_the_page(browser: &Browser, files: &[(&str, String)]) {
    browser.run(&format!(
        "const moved = new DataTransfer();
        for (const [name, text] of {}) moved.items.add(new File([text], name));
        const event = new DragEvent('drop', {{dataTransfer: moved, bubbles: true, cancelable: true}});
        document.querySelector('.drop').dispatchEvent(event)",
        json!(files)
    ));
}

/// Hands in what is chosen, and reads the report when it is there, without a reload. Gives the points.
fn hand_in_and_watch(browser: &Browser) -> String {
    browser.waits_to_read("Checked: these files would be taken");
    browser.follows("Hand in");
    browser.waits_for("location.pathname.startsWith('/submissions/')");
    browser.waits_for("document.readyState === 'complete'");
    browser.run("window.isTheSamePage = true");
    browser.waits_for(&format!("document.title.startsWith('✓') && {POINTS}"));
    assert_eq!(browser.run("return window.isTheSamePage"), true, "the page was loaded again");
    browser.text(POINTS)
}

/// What a student does: files that are refused, two submissions, and a choice.
fn student(browser: &Browser, served: &Served) {
    browser.follows("Sum");
    let right = files(true);
    drop_on_the_page(browser, &[("submit.tar.gz", "no archive".to_owned())]);
    browser.waits_to_read("These files would be refused");
    assert_eq!(
        browser.run("return document.querySelector('.hand-in .main-button').disabled"),
        true
    );
    drop_on_the_page(browser, &right);
    assert_eq!(hand_in_and_watch(browser), "90");
    browser.follows("Sum");
    let (_folder, paths) = folder(&files(false));
    browser.chooses("#files", &paths);
    assert_eq!(hand_in_and_watch(browser), "50");
    browser.waits_to_read("Since the last attempt");
    browser.follows("Sum");
    browser.waits_for(&format!("{COUNTING} === 1"));
    browser.follows("Count my last instead of my best");
    browser.waits_for(&format!("{COUNTING} === 0"));
    assert_eq!(browser.complaints().to_string(), "[]", "{}", served.url);
}

/// What staff do with it: look at the queue and the student, give more time, and grade a submission once more.
fn staff(browser: &Browser, served: &Served) {
    browser.visit(&format!("{}/queue", served.url));
    browser.waits_to_read("Nothing is being graded");
    browser.visit(&format!("{}/students/ann", served.url));
    let listed = "document.querySelectorAll('.staff-list th a[href^=\"/submissions/\"]').length";
    assert_eq!(browser.text(listed), "2");
    browser.fills("form:has([value=extension]) [name=amount]", "2d");
    browser.fills("form:has([value=extension]) [name=reason]", "was ill");
    browser.follows("Grant the time");
    browser.waits_to_read("due 2 days later");
    browser.click("#a-sum ~ * th a[href^='/submissions/']");
    browser.waits_for("location.pathname.startsWith('/submissions/')");
    browser.waits_for("document.querySelector('form[action*=\"/rerun\"]')");
    browser.run("document.querySelectorAll('details').forEach(it => { it.open = true })");
    browser.fills("form[action*='/rerun'] [name=reason]", "to see whether it is the same");
    browser.follows("Grade it once more");
    browser.waits_to_read("It was graded 2 times");
}

/// A new version of the course, with which everything is graded again: what a wrong sum costs counts three times.
fn regrade(browser: &Browser, served: &Served) {
    let cases = served.course.path().join("cases.yaml");
    let text = fs::read_to_string(&cases).unwrap();
    fs::write(&cases, text.replacen("weight: 1", "weight: 3", 1)).unwrap();
    browser.visit(&format!("{}/course", served.url));
    browser.follows("Read the folder");
    browser.waits_to_read("cases.yaml");
    browser.click("[name=scope][value=all]");
    browser.follows("Grade for a preview");
    browser.waits_to_read("2 of 2 graded");
    browser.waits_to_read("1 less");
    browser.fills("form[action*='/apply'] [name=reason]", "a wrong sum is worse than it was");
    browser.follows("Apply");
    browser.waits_for("document.querySelector('h1 .tag.applied')");
    assert_eq!(browser.complaints().to_string(), "[]");
}

/// From the link that the server prints to a regrade.
fn from_the_first_link_to_a_regrade(database: Option<&str>) {
    if cannot_grade() {
        return;
    }
    in_browser(|browser| {
        let served = Served::start(database);
        let administrator = accept(browser, &served.link);
        let link = import(browser, &served, "ann");
        let ann = accept(browser, &link);
        student(browser, &served);
        browser.takes_cookies(&administrator);
        staff(browser, &served);
        regrade(browser, &served);
        browser.takes_cookies(&ann);
        browser.visit(&format!("{}/assignments/sum", served.url));
        let points = "document.querySelector('.handed tr.counts td:nth-child(4)').textContent";
        assert_eq!(browser.text(points), "30 of 90");
        browser.waits_to_read("3 Mar 2030");
    });
}

#[test]
#[ignore = "it takes long; .ci/run runs it"]
fn a_course_begins_students_hand_in_and_staff_grade_again() {
    from_the_first_link_to_a_regrade(None);
}

#[test]
#[ignore = "it takes long; .ci/run runs it"]
fn the_same_works_with_postgresql() {
    if let Some(url) = postgres::fresh() {
        from_the_first_link_to_a_regrade(Some(&url));
    }
}

/// Drops what is on the disk on the area for files, as a person does with the mouse.
fn drag_in(browser: &Browser, path: &Path) {
    let middle = "const box = document.querySelector('.drop').getBoundingClientRect();
        return [box.x + box.width / 2, box.y + box.height / 2]";
    let middle = browser.run(middle);
    let data = json!({"items": [], "files": [path], "dragOperationsMask": 1});
    for kind in ["dragEnter", "dragOver", "drop"] {
        let event = json!({"type": kind, "x": middle[0], "y": middle[1], "data": data});
        browser.tool("Input.dispatchDragEvent", &event);
    }
}

#[test]
#[ignore = "it takes long; .ci/run runs it"]
fn a_folder_is_dropped_or_chosen_and_what_does_not_belong_to_a_submission_is_left_out() {
    in_browser(|browser| {
        let data = tempfile::tempdir().unwrap();
        let site = Site::new(&sqlite(&data), "{}");
        browser.is_of(&site, &site.person("ann", Role::Student, ""));
        let (folder, _) = folder(&files(true));
        sums::write(folder.path(), "notes.md", "none of it");
        sums::write(folder.path(), ".hidden.cpp", "none of it");
        fs::create_dir(folder.path().join("build")).unwrap();
        sums::write(&folder.path().join("build"), "sum.cpp", "none of it");
        let chosen = "Chosen: Makefile, sum.cpp, test-1.txt. Left out: ";
        for is_dropped in [true, false] {
            browser.visit(&format!("{}/assignments/sum", site.url));
            if is_dropped {
                drag_in(browser, folder.path());
            } else {
                browser.chooses("#folder", &[folder.path().to_owned()]);
            }
            browser.waits_to_read(&format!("{chosen}3 that do not belong to a submission."));
            browser.waits_to_read("Checked: these files would be taken.");
        }
        browser.follows("Hand in");
        browser.waits_for("location.pathname.startsWith('/submissions/')");
        assert_eq!(browser.complaints().to_string(), "[]");
    });
}

#[test]
#[ignore = "it takes long; .ci/run runs it"]
fn without_scripts_a_student_checks_hands_in_and_reads_the_report() {
    if cannot_grade() {
        return;
    }
    in_browser(|browser| {
        let served = Served::start(None);
        browser.runs_scripts(false);
        accept(browser, &served.link);
        let link = import(browser, &served, "ann");
        accept(browser, &link);
        browser.follows("Sum");
        let (_other, refused) = folder(&[("submit.tar.gz", "no archive".to_owned())]);
        browser.chooses("#files", &refused);
        browser.follows("Only check the files");
        browser.waits_to_read("this is no archive");
        let (_folder, paths) = folder(&files(true));
        browser.chooses("#files", &paths);
        browser.follows("Hand in");
        // The page loads itself again until the report is there.
        browser.waits_for(&format!(
            "location.pathname.startsWith('/submissions/') && {POINTS} === '90'"
        ));
        browser.waits_for("!document.querySelector('[http-equiv=refresh]')");
        browser.follows("Sum");
        browser.follows("Count my last instead of my best");
        browser.waits_to_read("Count my best instead of my last");
        assert_eq!(browser.complaints().to_string(), "[]");
    });
}
