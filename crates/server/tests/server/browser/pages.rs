//! Every page of every role is accessible, fits a phone and a desk, light and dark, and asks no other site for anything.

use super::axe::Axe;
use super::driver::Browser;
use super::forms::FORMS;
use super::look::Album;
use super::sample::Sample;
use super::{PHONE, WIDE, in_browser};
use crate::support::grading::cannot_grade;
use crate::support::sqlite;
use axum::http::Method;
use server::people::Person;
use std::collections::{BTreeMap, BTreeSet};

/// The sizes and colours in which each page is looked at.
const LOOKS: [((u32, u32), &str); 4] =
    [(PHONE, "light"), (WIDE, "dark"), (PHONE, "dark"), (WIDE, "light")];

/// Each address that a page asked for something and that is not of this site.
const FOREIGN: &str = "performance.getEntriesByType('resource').map(it => it.name)
    .filter(it => !it.startsWith(location.origin + '/') && !it.startsWith('data:')).map(it => `asks ${it}`).join('\\n')";

/// What is wider than the page, with the page.
const TOO_WIDE: &str = "document.documentElement.scrollWidth <= innerWidth ? '' : 'too wide: ' + ([...document.querySelectorAll('body *')]
    .filter(it => it.getBoundingClientRect().right > innerWidth + 1 && !it.closest('.skip'))
    .map(it => it.tagName.toLowerCase() + (it.className && '.' + it.className)).slice(0, 5).join(' ') || 'the page')";

/// The addresses of the pages of a route, with all values of its parameters.
fn addresses(path: &str, sample: &Sample) -> Vec<String> {
    let mut all = vec![path.to_owned()];
    for (name, values) in &sample.parameters {
        let place = format!("{{{name}}}");
        if path.contains(&place) {
            let fill = |path: &String| -> Vec<String> {
                values.iter().map(|value| path.replace(&place, value)).collect()
            };
            all = all.iter().flat_map(fill).collect();
        }
    }
    assert!(!all[0].contains('{'), "browser/sample.rs has no value for a parameter of {path}");
    all
}

/// What was found, each thing once, with the pages where it is.
#[derive(Default)]
pub(super) struct Found(BTreeMap<String, BTreeSet<String>>);

impl Found {
    /// Notes each line of what was found on a page.
    fn note(&mut self, page: &str, lines: &str) {
        for line in lines.lines() {
            self.0.entry(line.to_owned()).or_default().insert(page.to_owned());
        }
    }

    pub(super) fn told(&self) -> String {
        let told = |(what, pages): (&String, &BTreeSet<String>)| {
            let pages: Vec<_> = pages.iter().map(String::as_str).collect();
            format!("{what}\n    on {}\n", pages.join(", "))
        };
        self.0.iter().map(told).collect()
    }
}

/// Looks at the page that is shown.
pub(super) fn look(browser: &Browser, axe: &Axe<'_>, album: &Album, name: &str, found: &mut Found) {
    for (size, theme) in LOOKS {
        if album.is_wanted() {
            browser.looks(size, theme);
            album.take(browser, &format!("{name}-{}-{theme}", size.0));
        }
    }
    browser.run("document.querySelectorAll('details').forEach(it => { it.open = true })");
    for (at, (size, theme)) in LOOKS.into_iter().enumerate() {
        browser.looks(size, theme);
        let page = format!("{name} {} {theme}", size.0);
        found.note(&page, &browser.text(TOO_WIDE));
        // What is not about colours is the same in the other two.
        let wrong = if at < 2 { axe.findings() } else { axe.faint() };
        found.note(&page, &wrong);
    }
    found.note(name, &browser.text(FOREIGN));
    found.note(name, &shown(&browser.complaints()));
}

/// The messages of the browser's log.
fn shown(complaints: &serde_json::Value) -> String {
    let all = complaints.as_array().expect("it is a list").iter();
    let all = all.map(|it| it["message"].to_string());
    // What a form refuses, it refuses on purpose.
    all.filter(|it| !it.contains("status of 422")).collect::<Vec<_>>().join("\n")
}

/// Looks at each page that a visitor may see, and gives the routes that had one.
fn look_at_all(
    (browser, axe, album): (&Browser, &Axe<'_>, &Album),
    sample: &Sample,
    visitor: Option<&Person>,
    found: &mut Found,
) -> Vec<&'static str> {
    let site = &sample.site;
    let client = if let Some(person) = visitor {
        browser.is_of(site, person);
        site.signed_in(person)
    } else {
        browser.is_of_nobody();
        site.nobody()
    };
    let role = visitor.map_or("nobody", |person| person.role.word());
    let mut seen = Vec::new();
    for route in server::pages::routes().into_iter().filter(|it| it.method == Method::GET) {
        for address in addresses(route.path, sample) {
            let answer = client.head(&address);
            let kind = answer.headers.get("content-type").map(String::as_str).unwrap_or_default();
            if answer.status == 200 && !kind.starts_with("text/html") {
                seen.push(route.path);
            }
            if answer.status >= 500 {
                found.note(&format!("{role} {address}"), &format!("answers {}", answer.status));
            }
            // What is refused is a page as well.
            if matches!(answer.status, 200 | 422) && kind.starts_with("text/html") {
                seen.push(route.path);
                browser.visit(&format!("{}{address}", site.url));
                let name = sample.name(role, &address);
                look(browser, axe, album, &name, found);
            }
        }
    }
    seen
}

#[test]
#[ignore = "it takes long; .ci/run runs it"]
fn what_a_form_answers_is_accessible_and_fits_every_screen() {
    if cannot_grade() {
        return;
    }
    in_browser(|browser| {
        let Some(axe) = Axe::installed(browser) else { return };
        let folder = tempfile::tempdir().unwrap();
        let sample = Sample::new(&sqlite(&folder));
        let (album, mut found) = (Album::new(), Found::default());
        for (at, form) in FORMS.iter().enumerate() {
            form.send(browser, &sample);
            let name = format!("form-{at}{}", form.path.replace('/', "_"));
            look(browser, &axe, &album, &name, &mut found);
        }
        assert!(found.0.is_empty(), "{}", found.told());
    });
}

#[test]
#[ignore = "it takes long; .ci/run runs it"]
fn every_page_is_accessible_and_fits_every_screen() {
    if cannot_grade() {
        return;
    }
    in_browser(|browser| {
        let Some(axe) = Axe::installed(browser) else { return };
        let folder = tempfile::tempdir().unwrap();
        let sample = Sample::new(&sqlite(&folder));
        let (album, mut found, mut seen) = (Album::new(), Found::default(), Vec::new());
        let visitors = [None].into_iter().chain(sample.people.iter().map(Some));
        for visitor in visitors {
            let tools = (browser, &axe, &album);
            seen.extend(look_at_all(tools, &sample, visitor, &mut found));
        }
        assert!(found.0.is_empty(), "{}", found.told());
        let routes = server::pages::routes();
        let all = routes.iter().filter(|it| it.method == Method::GET).map(|it| it.path);
        let unseen: Vec<_> = all.filter(|path| !seen.contains(path)).collect();
        assert!(
            unseen.is_empty(),
            "nobody sees {unseen:?}; browser/sample.rs gives no value that is there"
        );
    });
}
