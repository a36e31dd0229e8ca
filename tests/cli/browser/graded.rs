//! The pages of `grade` in a browser: a hostile submission, a class, and its scoreboard; and the section of a submission.

use super::super::run::{Run, command, output};
use super::super::submission_page::{self, report};
use super::super::sums::{MAKEFILE, SUM, course, has_no_compiler};
use super::super::{folder, path};
use super::driver::Browser;
use super::{FAINT, PHONE, WIDE};
use harness::report::html::graded::Progress;
use serde_json::json;
use std::fs;
use std::path::Path;

/// A program whose output is meant for the reader's browser and terminal.
const HOSTILE: &str = "// Project Identifier: ABCDEF0123456789\n#include <cstdio>\nint main() {\n    const char *text = \"<script>document.title = 'BROKEN'</script><img src=x onerror=alert(1)>\\x1b[31m\\x07\\xff</pre>{\\\"score\\\": 100}\\n\";\n    fputs(text, stderr);\n    for (int at = 0; at < 40; at++)\n        fputs(\"wide\", stdout);\n    fputs(text, stdout);\n    putchar(0);\n    return fputs(text, stdout) < 0;\n}\n";

#[test]
#[ignore = "it takes long; .ci/run runs it"]
fn the_pages_of_grade_fit_every_screen_and_run_nothing_of_a_student() {
    if has_no_compiler() {
        return;
    }
    let Some(browser) = Browser::start() else { return };
    let course = course(&[]);
    let yaml = course.path().join("harness.yaml");
    let text = fs::read_to_string(&yaml).unwrap();
    fs::write(yaml, text + "      scoreboard: names\n").unwrap();
    let warned = SUM.replace("int a = 0", "int unused_name_that_is_rather_long = 0, a = 0");
    let makefile = MAKEFILE.replace("-O3", "-O3 -Wall");
    for (name, source) in [("honest", &*warned), ("<b>evil", HOSTILE)] {
        let folder = course.path().join("class").join(name);
        fs::create_dir_all(&folder).unwrap();
        for (name, text) in [("sum.cpp", source), ("Makefile", &makefile), ("test-1.txt", "1 2\n")]
        {
            fs::write(folder.join(name), text).unwrap();
        }
    }
    let page = course.path().join("page.html");
    let results = course.path().join("results");
    let mut grade = command();
    grade.arg("grade").arg(course.path().join("class")).args(["--course", path(&course)]);
    grade.arg("--unsafe-no-sandbox").arg("--times").arg("--html").arg(&page);
    let run = Run::from(output(grade.arg("--out").arg(&results))).exits(0);
    let is_plain = |text: &str| text.chars().all(|c| c == '\n' || !c.is_control());
    assert!(is_plain(&run.stdout), "{:?}", run.stdout);
    let pages = [page, results.join("class.html"), results.join("scoreboard.html")];
    for page in &pages {
        for size in [(400, 800), (1280, 900)] {
            browser.open(page, size, "light");
            browser.run("document.querySelectorAll('details').forEach(it => { it.open = true })");
            let wider = "document.documentElement.scrollWidth > innerWidth";
            assert_eq!(browser.text(wider), "false", "{} {size:?}", page.display());
            assert_eq!(browser.text("document.querySelectorAll('img, b b').length"), "0");
            assert_ne!(browser.text("document.title"), "BROKEN");
        }
        shows_the_name(&browser, page);
    }
    assert_eq!(browser.complaints().to_string(), "[]");
}

/// The scoreboard shows programs that are right.
fn shows_the_name(browser: &Browser, page: &Path) {
    let text = browser.text("document.body.innerText");
    let expected = if page.ends_with("scoreboard.html") { "honest" } else { "<b>evil" };
    assert!(text.contains(expected), "{}: {text}", page.display());
}

#[test]
#[ignore = "it takes long; .ci/run runs it"]
fn a_section_is_readable_in_both_themes_and_works_when_it_is_inserted_later() {
    let Some(browser) = Browser::start() else { return };
    let mut report = report();
    report["tests"]["exposed_by"] =
        json!({"adds-one": [{"file": "test-1.txt", "how": "output"}], "ends": [], "begins": []});
    let html = |id, progress| submission_page::html(&report, Some(&report), id, progress);
    let sections = [html("0", Progress::Finished), html("1", Progress::UnderWay)].concat();
    let text = harness::report::html::page("Course", "Sums", sections);
    let folder = folder(&[("page.html", text.as_bytes())]);
    let page = folder.path().join("page.html");
    for (size, theme) in [(WIDE, "light"), (WIDE, "dark"), (PHONE, "light"), (PHONE, "dark")] {
        browser.open(&page, size, theme);
        browser.run("document.querySelectorAll('details').forEach(it => { it.open = true })");
        assert_eq!(browser.run(FAINT).as_str(), Some(""), "{theme}");
        let wider = "document.documentElement.scrollWidth > innerWidth";
        assert_eq!(browser.text(wider), "false", "{size:?}");
    }
    // As a server does it, with a script that was loaded before.
    browser.run(
        "const old = document.querySelector('section.assignment'), copy = old.cloneNode(true); \
         for (const it of copy.querySelectorAll('.tools')) it.hidden = true; \
         for (const it of copy.querySelectorAll('[data-roves]')) delete it.dataset.roves; \
         copy.querySelectorAll('details').forEach(it => { it.open = false }); \
         old.replaceWith(copy); harness.begin(copy)",
    );
    assert_eq!(browser.text("document.querySelector('.tools').hidden"), "false");
    assert_eq!(browser.text("document.querySelector('[data-counted]').textContent"), "3 shown");
    browser.run("document.querySelector('.matrix thead th:first-child button').click()");
    let names = "[...document.querySelector('.matrix').tBodies[0].rows].map(it => it.cells[0].textContent).join(' ')";
    assert_eq!(browser.text(names), "adds-one begins ends");
    browser.run("document.querySelector('.mark.failed a').click()");
    let opened = "document.querySelector('details.case').open";
    assert_eq!(browser.text(opened), "true", "a link to a case opens it");
    assert_eq!(browser.complaints().to_string(), "[]");
}
