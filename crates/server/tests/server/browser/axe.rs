//! What axe-core, a checker of accessibility, finds in a page.

use super::driver::Browser;
use crate::skip;
use std::fs;
use std::path::Path;

/// The checker, which a test runs in each page.
pub(super) struct Axe(String);

/// Each finding on a line: the rule, and the elements.
const FINDINGS: &str = "
const told = node => `${node.target.join(' ')} (${[...node.any, ...node.all, ...node.none].map(it => it.message).join(' ')})`;
const line = it => `${it.id}: ${it.nodes.map(told).join(', ')}`;
return axe.run(document, {resultTypes: ['violations'], preload: false, runOnly: RULES})
  .then(found => found.violations.map(line).join('\\n'));";

impl Axe {
    /// The checker, unless it is not installed: then the test is skipped.
    pub(super) fn installed() -> Option<Self> {
        let repository = Path::new(env!("CARGO_MANIFEST_DIR")).ancestors().nth(2).unwrap();
        let file = repository.join("target/readers/node_modules/axe-core/axe.min.js");
        let Ok(script) = fs::read_to_string(&file) else {
            skip(&format!("there is no {}; tests/readers/install.sh installs it", file.display()));
            return None;
        };
        Some(Self(script))
    }

    /// Brings it into the page that is shown.
    pub(super) fn enter(&self, browser: &Browser) {
        browser.run(&self.0);
    }

    /// What all its rules find in the page.
    pub(super) fn findings(browser: &Browser) -> String {
        Self::found(
            browser,
            "['wcag2a', 'wcag2aa', 'wcag21a', 'wcag21aa', 'wcag22aa', 'best-practice']",
        )
    }

    /// What it finds wrong with the colours of the page.
    pub(super) fn faint(browser: &Browser) -> String {
        Self::found(browser, "{type: 'rule', values: ['color-contrast']}")
    }

    fn found(browser: &Browser, rules: &str) -> String {
        let found = browser.run(&FINDINGS.replace("RULES", rules));
        found.as_str().expect("it returns text").to_owned()
    }
}
