//! What axe-core, a checker of accessibility, finds in a page.

use super::driver::Browser;
use crate::skip;
use serde_json::{Value, json};
use std::fs;
use std::path::Path;

/// The checker, which a browser loads with each page. Dropping it ends that.
pub(super) struct Axe<'a> {
    browser: &'a Browser,
    /// What the browser calls it.
    id: Value,
}

/// Each finding on a line: the rule, and the elements.
const FINDINGS: &str = "
const told = node => `${node.target.join(' ')} (${[...node.any, ...node.all, ...node.none].map(it => it.message).join(' ')})`;
const line = it => `${it.id}: ${it.nodes.map(told).join(', ')}`;
return axe.run(document, {resultTypes: ['violations'], preload: false, runOnly: RULES})
  .then(found => found.violations.map(line).join('\\n'));";

impl<'a> Axe<'a> {
    /// The checker, for pages that are opened from now on, unless it is not installed: then the rest of the test is skipped.
    pub(super) fn installed(browser: &'a Browser) -> Option<Self> {
        let repository = Path::new(env!("CARGO_MANIFEST_DIR")).ancestors().nth(2).unwrap();
        let file = repository.join("target/readers/node_modules/axe-core/axe.min.js");
        let Ok(script) = fs::read_to_string(&file) else {
            skip(&format!("there is no {}; tests/readers/install.sh installs it", file.display()));
            return None;
        };
        let loads =
            browser.tool("Page.addScriptToEvaluateOnNewDocument", &json!({"source": script}));
        Some(Self { browser, id: loads["identifier"].clone() })
    }

    /// What all its rules find in the page.
    pub(super) fn findings(&self) -> String {
        self.found("['wcag2a', 'wcag2aa', 'wcag21a', 'wcag21aa', 'wcag22aa', 'best-practice']")
    }

    /// What it finds wrong with the colours of the page.
    pub(super) fn faint(&self) -> String {
        self.found("{type: 'rule', values: ['color-contrast']}")
    }

    fn found(&self, rules: &str) -> String {
        let found = self.browser.run(&FINDINGS.replace("RULES", rules));
        found.as_str().expect("it returns text").to_owned()
    }
}

impl Drop for Axe<'_> {
    fn drop(&mut self) {
        self.browser
            .tool("Page.removeScriptToEvaluateOnNewDocument", &json!({"identifier": self.id}));
    }
}
