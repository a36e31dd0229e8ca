//! What people do with the server from the first day on, each with the pages alone.

use super::driver::Browser;
use super::in_browser;
use super::served::{Served, files, folder};
use crate::support::grading::cannot_grade;
use crate::support::postgres;
use serde_json::{Value, json};

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

/// From the link that the server prints to a choice of a student.
fn from_the_first_link_to_a_choice(database: Option<&str>) {
    if cannot_grade() {
        return;
    }
    in_browser(|browser| {
        let served = Served::start(database);
        accept(browser, &served.link);
        let link = import(browser, &served, "ann");
        accept(browser, &link);
        student(browser, &served);
    });
}

#[test]
#[ignore = "it takes long; .ci/run runs it"]
fn a_student_is_invited_hands_in_watches_and_chooses_what_counts() {
    from_the_first_link_to_a_choice(None);
}

#[test]
#[ignore = "it takes long; .ci/run runs it"]
fn the_same_works_with_postgresql() {
    if let Some(url) = postgres::fresh() {
        from_the_first_link_to_a_choice(Some(&url));
    }
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
        browser.waits_to_read("These files would be refused");
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
