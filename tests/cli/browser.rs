//! The page of `--html` in a real browser: it opens, sorts, filters, shows a diff, works by keyboard, and logs no errors.
//! `html.rs` tests what the page contains.

#[path = "../support/driver.rs"]
mod driver;
mod graded;

use super::{folder, harness};
use driver::Browser;
use std::path::{Path, PathBuf};

const WIDE: (u32, u32) = (1280, 900);
const NARROW: (u32, u32) = (360, 740);
const PHONE: (u32, u32) = (390, 844);

impl Browser {
    /// Opens a file in a window of this size.
    fn open(&self, file: &Path, size: (u32, u32), theme: &str) {
        self.looks(size, theme);
        self.visit(&format!("file://{}", file.display()));
    }
}

/// The page of the sample suite, in a temporary folder.
fn suite_page() -> (PathBuf, tempfile::TempDir) {
    let folder = folder(&[]);
    let page = folder.path().join("suite.html");
    harness(&["score", "student_tests/puzzle", "--html", page.to_str().unwrap()]).exits(0);
    (page, folder)
}

/// The page of a large class, in a temporary folder.
fn class_page() -> (PathBuf, tempfile::TempDir) {
    let folder = folder(&[("class.html", super::html::large_class().as_bytes())]);
    (folder.path().join("class.html"), folder)
}

/// The visible bugs, in order.
const SHOWN: &str = "[...document.querySelectorAll('.matrix tbody tr:not([hidden]) th')].map(it => it.textContent).join(' ')";
/// How many tests expose each visible bug.
const COUNTS: &str = "[...document.querySelectorAll('.matrix tbody tr:not([hidden]) .count')].map(it => it.textContent).join(' ')";

fn numbers(text: &str) -> Vec<u32> {
    text.split(' ').map(|number| number.parse().unwrap_or_else(|_| panic!("{text}"))).collect()
}

#[test]
#[ignore = "it takes long; .ci/run runs it"]
fn the_matrix_sorts_by_difficulty_by_name_and_by_file() {
    let Some(browser) = Browser::start() else { return };
    let (page, _folder) = suite_page();
    browser.open(&page, WIDE, "light");
    let counts = numbers(&browser.text(COUNTS));
    assert!(counts.len() == 84 && counts.is_sorted_by(|a, b| a >= b), "{counts:?}");

    browser.click(".matrix thead th:nth-child(2) button");
    assert!(numbers(&browser.text(COUNTS)).is_sorted(), "the hardest first");
    browser.click(".matrix thead th:first-child button");
    let names = browser.text(SHOWN);
    assert!(names.split(' ').is_sorted(), "{names}");
    let sorts = "[...document.querySelectorAll('.matrix th[aria-sort]')].map(it => it.getAttribute('aria-sort')).slice(0, 3).join(' ')";
    assert_eq!(browser.text(sorts), "ascending none none");

    browser.click(".matrix thead th.test:nth-child(5) button");
    let exposed = "[...document.querySelectorAll('.matrix tbody tr')].map(it => it.cells[4].dataset.how ? 0 : 1).join(' ')";
    let exposed = numbers(&browser.text(exposed));
    assert!(
        exposed.is_sorted() && exposed.contains(&0),
        "what test-3-qm.txt exposes comes first: {exposed:?}"
    );

    browser.run("const by = document.querySelector('[data-columns]'); by.value = 'count'; by.dispatchEvent(new Event('input', {bubbles: true}))");
    let per_test = numbers(&browser.text(
        "[...document.querySelectorAll('.matrix th.test')].map(it => it.dataset.count).join(' ')",
    ));
    assert!(per_test.is_sorted_by(|a, b| a >= b), "{per_test:?}");
    let column = "[...document.querySelectorAll('.matrix tbody tr')].filter(it => it.cells[2].dataset.how).length";
    assert_eq!(browser.text(column), per_test[0].to_string(), "cells moved along with their heads");
    assert_eq!(browser.complaints().to_string(), "[]");
}

#[test]
#[ignore = "it takes long; .ci/run runs it"]
fn the_matrix_filters_by_words_and_by_how_bugs_are_exposed() {
    let Some(browser) = Browser::start() else { return };
    let (page, _folder) = suite_page();
    browser.open(&page, WIDE, "light");
    browser.click("[data-filter]");
    browser.press(&["t", "r", "a", "p", "s"]);
    let shown = browser.text(SHOWN);
    assert!(
        shown.contains("traps-are-floor") && !shown.contains("wraps-round-the-sides"),
        "{shown}"
    );
    let said = browser.text("document.querySelector('[data-counted]').textContent");
    assert_eq!(said, format!("{} of 84 shown", shown.split(' ').count()));
    let show = |value: &str| {
        browser.run("const field = document.querySelector('[data-filter]'); field.value = ''");
        let set = format!("const by = document.querySelector('[data-show]'); by.value = '{value}'");
        browser.run(&format!("{set}; by.dispatchEvent(new Event('input', {{bubbles: true}}))"));
        numbers(&browser.text(COUNTS))
    };
    let (missed, exposed) = (show("missed"), show("exposed"));
    assert!(missed.iter().all(|&tests| tests == 0) && exposed.iter().all(|&tests| tests > 0));
    assert_eq!(missed.len() + exposed.len(), 84);
    assert!((1..exposed.len()).contains(&show("exit").len()));
    assert_eq!(browser.complaints().to_string(), "[]");
}

#[test]
#[ignore = "it takes long; .ci/run runs it"]
fn a_cell_shows_the_command_both_outputs_and_the_paths_on_the_map() {
    let Some(browser) = Browser::start() else { return };
    let (page, _folder) = suite_page();
    browser.open(&page, WIDE, "light");
    browser.click("button.cell.output[aria-label*='test-2-sl.txt, discovers-west-before-east']");
    let of = |selector: &str| {
        browser
            .text(&format!("document.querySelectorAll('dialog[open] {selector}').length"))
            .parse::<u32>()
            .unwrap()
    };
    assert_eq!(
        browser.text("document.querySelector('#dialog-title').textContent"),
        "discovers-west-before-east"
    );
    let said = browser.text("document.querySelector('dialog').innerText");
    for told in [
        "test-2-sl.txt",
        "puzzle --stack",
        "in the order north, west",
        "Standard output",
        "With the reference's answer",
        "With the mutant's answer",
    ] {
        assert!(said.contains(told), "{told}: {said}");
    }
    assert_eq!(of(".drawing svg"), 2, "the reference's way, and the mutant's");
    assert!(of(".drawing svg path") >= 2 && of(".diff tr.differs") > 0 && of(".diff mark") > 0);
    browser.click("[data-step=Next]");
    assert_ne!(browser.text("document.querySelector('dialog').innerText"), said);
    assert_eq!(browser.complaints().to_string(), "[]");
}

#[test]
#[ignore = "it takes long; .ci/run runs it"]
fn everything_can_be_reached_by_keyboard() {
    let Some(browser) = Browser::start() else { return };
    let (page, _folder) = suite_page();
    browser.open(&page, WIDE, "light");
    let focused = || {
        browser.text("document.activeElement.getAttribute('aria-label') || document.activeElement.textContent")
    };
    let tabs = (0..60).find(|_| {
        browser.press(&["Tab"]);
        browser.text("document.activeElement.matches('button.cell')") == "true"
    });
    assert!(tabs.is_some(), "Tab comes to the matrix");
    let cell = || {
        let label = focused();
        let (_, place) = label.split_once(": ").unwrap();
        place.split_once(", ").map(|(test, mutant)| [test, mutant].map(str::to_owned)).unwrap()
    };
    let [test, mutant] = cell();
    assert_eq!(test, "test-1-qm.txt");
    browser.press(&["ArrowRight"]);
    assert_eq!(cell(), ["test-2-sl.txt".to_owned(), mutant.clone()]);
    browser.press(&["ArrowDown"]);
    let [test, below] = cell();
    assert!(test == "test-2-sl.txt" && below != mutant, "{test}, {below}");
    browser.press(&["ArrowUp", "ArrowLeft", "ArrowDown", "Enter"]);
    assert_eq!(browser.text("document.querySelector('dialog').open"), "true");
    assert_eq!(focused(), "Close", "the focus is in the dialog");
    browser.press(&["Escape"]);
    assert_eq!(browser.text("document.querySelector('dialog').open"), "false");
    assert_eq!(cell(), ["test-1-qm.txt".to_owned(), below], "and then where it was");
    browser.press(&["Tab"]);
    assert_eq!(
        browser.text("document.activeElement.matches('button.cell')"),
        "false",
        "the matrix is one stop"
    );
    browser.run("document.querySelector('details.bug summary').focus()");
    browser.press(&["Enter"]);
    assert_eq!(browser.text("document.querySelector('details.bug').open"), "true");
    assert_eq!(browser.complaints().to_string(), "[]");
}

/// Text with a contrast to its background under 4.5, each with the contrast. Drawings have their own background.
const FAINT: &str = "
const parse = color => color.match(/[\\d.]+/g).map(Number);
const light = color => parse(color).slice(0, 3).map(it => it / 255).map(it => it <= 0.03928 ? it / 12.92 : ((it + 0.055) / 1.055) ** 2.4)
  .reduce((sum, it, at) => sum + it * [0.2126, 0.7152, 0.0722][at], 0);
const behind = it => { for (; it; it = it.parentElement) { const color = getComputedStyle(it).backgroundColor; if ((parse(color)[3] ?? 1) === 1) return color; } };
const faint = [];
for (const it of document.querySelectorAll('body *')) {
  if (it.closest('svg, script') || ![...it.childNodes].some(node => node.nodeType === 3 && node.data.trim()) || !it.checkVisibility()) continue;
  const [a, b] = [light(getComputedStyle(it).color), light(behind(it))];
  const contrast = (Math.max(a, b) + 0.05) / (Math.min(a, b) + 0.05);
  if (contrast < 4.5) faint.push(`${it.className || it.tagName} ${it.textContent.slice(0, 20)} ${contrast.toFixed(2)}`);
}
return faint.join('; ')";

#[test]
#[ignore = "it takes long; .ci/run runs it"]
fn text_has_contrast_in_both_themes_and_nothing_is_wider_than_a_narrow_screen() {
    let Some(browser) = Browser::start() else { return };
    let pages = [suite_page(), class_page()];
    for (page, _folder) in &pages {
        for (size, theme) in [(WIDE, "light"), (WIDE, "dark"), (NARROW, "light")] {
            browser.open(page, size, theme);
            browser.run("document.querySelectorAll('details').forEach(it => { it.open = true }); document.querySelector('button.cell, button.suite').click()");
            let ground = "[...document.querySelectorAll('.drawing .ground')].some(it => getComputedStyle(it).fill === 'rgb(255, 255, 255)')";
            let is_white = browser.text(ground) == "true";
            let has_drawings = browser.text("!!document.querySelector('.drawing')") == "true";
            assert_eq!(is_white, has_drawings && theme == "light", "{} {theme}", page.display());
            assert_eq!(browser.run(FAINT).as_str(), Some(""), "{} {theme}", page.display());
            let wider = "document.documentElement.scrollWidth > innerWidth || document.querySelector('dialog').scrollWidth > innerWidth";
            assert_eq!(browser.text(wider), "false", "{} {size:?}", page.display());
        }
    }
    assert_eq!(browser.complaints().to_string(), "[]");
}

#[test]
#[ignore = "it takes long; .ci/run runs it"]
fn every_table_of_a_class_fits_a_phone_and_scrolls_with_the_page() {
    let Some(browser) = Browser::start() else { return };
    let (page, _folder) = class_page();
    browser.open(&page, PHONE, "light");
    let cut = "[...document.querySelectorAll('.tall')].filter(it => it.scrollWidth > it.clientWidth || it.scrollHeight > it.clientHeight).map(it => it.getAttribute('aria-labelledby')).join(' ')";
    assert_eq!(browser.text(cut), "", "these are boxes with a scroll bar of their own");
    let points = "document.querySelector('#s0 thead th:last-child').getBoundingClientRect().right <= innerWidth";
    assert_eq!(browser.text(points), "true", "the last column is on the screen");
}

#[test]
#[ignore = "it takes long; .ci/run runs it"]
fn a_class_of_a_thousand_opens_quickly_sorts_filters_and_shows_a_student() {
    let Some(browser) = Browser::start() else { return };
    let (page, _folder) = class_page();
    browser.open(&page, WIDE, "light");
    let took: f64 =
        browser.text("performance.getEntriesByType('navigation')[0].loadEventEnd").parse().unwrap();
    eprintln!("1,000 students x 15 tests x 40 mutants: open after {took:.0} ms");
    // About a second on an idle machine. Other tests run at the same time.
    assert!((1.0..4000.0).contains(&took), "{took} ms");

    let points = "[...document.querySelectorAll('#s0 tbody tr')].map(it => Math.round(100 * it.cells[4].textContent)).join(' ')";
    browser.click("#s0 thead th:nth-child(5) button");
    let sorted = numbers(&browser.text(points));
    assert!(sorted.len() == 1000 && sorted.is_sorted_by(|a, b| a >= b));
    browser.click("[data-filter=s0]");
    browser.press(&["-", "0", "9", "9", "9"]);
    assert_eq!(
        browser.text("document.querySelector('[data-counted=s0]').textContent"),
        "1 of 1000 shown"
    );
    browser.click("#s0 tbody tr:not([hidden]) button");
    assert_eq!(browser.text("document.querySelector('#dialog-title').textContent"), "student-0999");
    assert_eq!(browser.text("document.querySelectorAll('dialog .list tbody tr').length"), "15");
    let cells = browser.text("document.querySelectorAll('dialog .matrix td .cell').length");
    let exposes = "[...document.querySelectorAll('dialog .list td:last-child')].reduce((sum, it) => sum + Number(it.textContent.split(' ')[1]), 0)";
    assert_eq!(cells, browser.text(exposes), "a cell for each bug that each test exposes");
    assert_eq!(browser.complaints().to_string(), "[]");
}
