//! The server's pages in a real browser, as the people of a course use them. Without Chromium, these tests are left out, unless `CI` is
//! set.

mod axe;
mod by_hand;
#[path = "../../../../tests/support/driver.rs"]
mod driver;
mod forms;
mod journey;
mod look;
mod pages;
mod sample;
mod served;

use super::support::site::Site;
use driver::Browser;
use serde_json::{Value, json};
use server::people::{Person, session};
use std::path::PathBuf;
use std::sync::{Arc, Mutex, PoisonError, Weak};
use std::thread;
use std::time::{Duration, Instant};

const WIDE: (u32, u32) = (1280, 900);
const PHONE: (u32, u32) = (390, 844);

/// How long anything may take that a test waits for. It is reached only if it never happens.
const PATIENCE: Duration = Duration::from_secs(45);

/// Runs a test in the one browser that all of them share, one after another. The last one ends it.
fn in_browser(test: impl FnOnce(&Browser)) {
    static SHARED: Mutex<Weak<Mutex<Browser>>> = Mutex::new(Weak::new());
    let browser = {
        let mut shared = SHARED.lock().unwrap_or_else(PoisonError::into_inner);
        if let Some(browser) = shared.upgrade() {
            browser
        } else {
            let Some(started) = Browser::start() else { return };
            let started = Arc::new(Mutex::new(started));
            *shared = Arc::downgrade(&started);
            started
        }
    };
    let browser = browser.lock().unwrap_or_else(PoisonError::into_inner);
    browser.begin_anew();
    test(&browser);
}

impl Browser {
    /// Forgets what an earlier test left.
    fn begin_anew(&self) {
        let patience = u64::try_from(PATIENCE.as_millis()).unwrap();
        self.ask("/timeouts", &json!({"script": patience, "pageLoad": patience}));
        self.runs_scripts(true);
        self.visit("about:blank");
        self.is_of_nobody();
        // A phone shows none beside a page.
        self.tool("Emulation.setScrollbarsHidden", &json!({"hidden": true}));
        self.looks(WIDE, "light");
        self.complaints();
    }

    /// Whether pages run their scripts.
    fn runs_scripts(&self, they_do: bool) {
        self.tool("Emulation.setScriptExecutionDisabled", &json!({"value": !they_do}));
    }

    /// Forgets who is signed in.
    fn is_of_nobody(&self) {
        self.tool("Network.clearBrowserCookies", &json!({}));
    }

    /// Signs a person in, without the page for it, in place of who was.
    fn is_of(&self, site: &Site, person: &Person) {
        let id = person.id;
        let secret = site.write(move |connection| session::begin(connection, id));
        self.is_of_nobody();
        let cookie = json!({"name": session::COOKIE, "value": secret, "url": site.url, "secure": true,
            "httpOnly": true, "sameSite": "Lax", "path": "/"});
        let set = self.tool("Network.setCookie", &cookie);
        assert_eq!(set["success"], true, "{set}");
    }

    /// Waits until an expression is true in the page, also if the page is left meanwhile.
    #[track_caller]
    fn waits_for(&self, expression: &str) {
        let start = Instant::now();
        let body = json!({"script": format!("return !!({expression})"), "args": []});
        loop {
            let last = self.answer("/execute/sync", &body);
            if last == Ok(Value::Bool(true)) {
                return;
            }
            if start.elapsed() > PATIENCE {
                let shown = self.text("location.href + '\\n' + document.body.innerText");
                panic!("never: {expression}\n{last:?}\n{shown}");
            }
            thread::sleep(Duration::from_millis(30));
        }
    }

    /// Waits until the page shows these words.
    #[track_caller]
    fn waits_to_read(&self, words: &str) {
        self.waits_for(&format!("document.body.innerText.includes({})", json!(words)));
    }

    /// Types text into a field, in place of what is there.
    #[track_caller]
    fn fills(&self, field: &str, text: &str) {
        self.waits_for(&format!("document.querySelector({})", json!(field)));
        self.element(field, "clear", &json!({}));
        self.element(field, "value", &json!({"text": text}));
    }

    /// Chooses these files in a field.
    #[track_caller]
    fn chooses(&self, field: &str, files: &[PathBuf]) {
        let files: Vec<_> = files.iter().map(|it| it.to_str().unwrap()).collect();
        self.element(field, "value", &json!({"text": files.join("\n")}));
    }

    /// Clicks on a link or a button with exactly these words, once the page has one, also in a part that is folded.
    #[track_caller]
    fn follows(&self, words: &str) {
        let find = format!(
            "[...document.querySelectorAll('a, button')].find(it => it.textContent.trim() === {})",
            json!(words)
        );
        self.waits_for(&find);
        self.run(&format!(
            "const it = {find}; for (const part of document.querySelectorAll('details')) if (part.contains(it)) part.open = true;
            for (const other of document.querySelectorAll('[data-next]')) delete other.dataset.next; it.dataset.next = ''"
        ));
        self.click("[data-next]");
    }

    /// Who is signed in, to come back to later.
    fn cookies(&self) -> Value {
        self.tool("Network.getCookies", &json!({}))["cookies"].clone()
    }

    /// Puts others in place of who is signed in.
    fn takes_cookies(&self, cookies: &Value) {
        self.is_of_nobody();
        self.tool("Network.setCookies", &json!({"cookies": cookies}));
    }
}
