//! A minimal `WebDriver` client, for the tests of pages.
//!
//! The tests of `harness` and those of `harness serve` share this file. Each of them has a function `skip` at its root.

use crate::skip;
use serde_json::{Value, json};
use std::io::{self, BufRead, BufReader, Read, Write};
use std::net::TcpStream;
use std::process::{Child, Command, Stdio};
use std::time::Duration;
use tempfile::TempDir;

/// A headless Chromium with one page. Dropping it ends the browser.
pub(crate) struct Browser {
    driver: Child,
    port: u16,
    /// The path of the session's URL.
    session: String,
    profile: TempDir,
}

/// No request takes longer, even on a busy machine.
const LONGEST: Duration = Duration::from_secs(300);

/// Flags that keep the browser from using the network, and from making better code for scripts that no page runs for long.
const FLAGS: [&str; 10] = [
    "--js-flags=--no-opt,--no-maglev",
    "--headless",
    "--no-sandbox",
    "--disable-gpu",
    "--disable-quic",
    "--no-first-run",
    "--disable-background-networking",
    "--disable-component-update",
    "--disable-sync",
    "--disable-dev-shm-usage",
];

/// Starts a driver, and gives its port, unless it ends at once.
fn driver() -> Option<(Child, u16)> {
    let mut driver = Command::new("chromedriver")
        .arg("--port=0")
        .stdout(Stdio::piped())
        .stderr(Stdio::null())
        .spawn()
        .expect("it was there just now");
    let mut lines = BufReader::new(driver.stdout.take().unwrap()).lines().map(Result::unwrap);
    let port = lines.find_map(|line| {
        line.strip_suffix('.')?.rsplit_once("started successfully on port ")?.1.parse().ok()
    });
    // Read the rest of the output, so that the driver never blocks on a full pipe.
    std::thread::spawn(move || lines.for_each(drop));
    if port.is_none() {
        driver.wait().unwrap();
    }
    Some((driver, port?))
}

impl Browser {
    /// Starts the browser, or skips the test if there is none.
    pub(crate) fn start() -> Option<Self> {
        for program in ["chromium", "chromedriver"] {
            if Command::new(program).arg("--version").output().is_err() {
                skip(&format!(
                    "there is no {program}; on Debian, `apt-get install chromium chromium-driver` installs it"
                ));
                return None;
            }
        }
        // One that finds a port of IPv4 to be free ends if that of IPv6 is not.
        let (driver, port) = (0..10).find_map(|_| driver()).expect("chromedriver says its port");
        let mut browser =
            Self { driver, port, session: String::new(), profile: tempfile::tempdir().unwrap() };
        let profile = format!("--user-data-dir={}", browser.profile.path().display());
        let flags: Vec<_> = FLAGS.into_iter().chain([profile.as_str()]).collect();
        let options =
            json!({"goog:chromeOptions": {"args": flags}, "goog:loggingPrefs": {"browser": "ALL"}});
        let session = browser.ask("/session", &json!({"capabilities": {"alwaysMatch": options}}));
        browser.session = format!("/session/{}", session["sessionId"].as_str().unwrap());
        Some(browser)
    }

    /// Opens a page.
    pub(crate) fn visit(&self, url: &str) {
        self.ask("/url", &json!({"url": url}));
    }

    /// Makes the window of this size, and light or dark.
    pub(crate) fn looks(&self, (width, height): (u32, u32), theme: &str) {
        let metrics =
            json!({"width": width, "height": height, "deviceScaleFactor": 1, "mobile": false});
        self.tool("Emulation.setDeviceMetricsOverride", &metrics);
        // A page that moves is not yet where a click is aimed at.
        let features = json!({"features": [{"name": "prefers-color-scheme", "value": theme},
            {"name": "prefers-reduced-motion", "value": "reduce"}]});
        self.tool("Emulation.setEmulatedMedia", &features);
    }

    /// Runs a script in the page, and returns its result.
    pub(crate) fn run(&self, script: &str) -> Value {
        self.ask("/execute/sync", &json!({"script": script, "args": []}))
    }

    /// Runs a script in the page, and returns its result as text.
    pub(crate) fn text(&self, script: &str) -> String {
        match self.run(&format!("return {script}")) {
            Value::String(text) => text,
            other => other.to_string(),
        }
    }

    /// Presses and releases keys one after another, at the current focus.
    pub(crate) fn press(&self, keys: &[&str]) {
        let code = |key: &str| match key {
            "Tab" => '\u{e004}',
            "Enter" => '\u{e007}',
            "Escape" => '\u{e00c}',
            "ArrowLeft" => '\u{e012}',
            "ArrowUp" => '\u{e013}',
            "ArrowRight" => '\u{e014}',
            "ArrowDown" => '\u{e015}',
            letter => letter.chars().next().unwrap(),
        };
        let both = |key: &&str| {
            [
                json!({"type": "keyDown", "value": code(key)}),
                json!({"type": "keyUp", "value": code(key)}),
            ]
        };
        let actions: Vec<_> = keys.iter().flat_map(both).collect();
        self.ask(
            "/actions",
            &json!({"actions": [{"type": "key", "id": "keyboard", "actions": actions}]}),
        );
    }

    /// Clicks on the first element that a selector finds.
    #[track_caller]
    pub(crate) fn click(&self, selector: &str) {
        self.element(selector, "click", &json!({}));
    }

    /// Does something with the first element that a selector finds.
    #[track_caller]
    pub(crate) fn element(&self, selector: &str, action: &str, parameters: &Value) {
        let found = self.ask("/element", &json!({"using": "css selector", "value": selector}));
        let id = found.as_object().and_then(|found| found.values().next()).and_then(Value::as_str);
        let id = id.unwrap_or_else(|| panic!("{selector}: {found}"));
        self.ask(&format!("/element/{id}/{action}"), parameters);
    }

    /// The messages in the browser's log.
    pub(crate) fn complaints(&self) -> Value {
        self.ask("/se/log", &json!({"type": "browser"}))
    }

    /// Runs a command of the browser's developer tools, and returns its result.
    #[track_caller]
    pub(crate) fn tool(&self, command: &str, parameters: &Value) -> Value {
        self.ask("/goog/cdp/execute", &json!({"cmd": command, "params": parameters}))
    }

    /// Sends a request of the session, and returns its result.
    #[track_caller]
    pub(crate) fn ask(&self, path: &str, body: &Value) -> Value {
        self.answer(path, body).unwrap_or_else(|message| panic!("{path} {body}: {message}"))
    }

    /// Sends a request of the session. The result, or why there is none: a page that is being left has no elements.
    pub(crate) fn answer(&self, path: &str, body: &Value) -> Result<Value, String> {
        let answer = self.send("POST", path, &body.to_string());
        let (is_fine, mut answer) = answer.map_err(|error| error.to_string())?;
        if is_fine {
            Ok(answer["value"].take())
        } else {
            Err(answer["value"]["message"].to_string())
        }
    }

    /// Whether a request of the session succeeded, and the response.
    fn send(&self, method: &str, path: &str, body: &str) -> io::Result<(bool, Value)> {
        let mut stream = TcpStream::connect(("127.0.0.1", self.port))?;
        stream.set_read_timeout(Some(LONGEST))?;
        let (session, length) = (&self.session, body.len());
        let head = format!(
            "{method} {session}{path} HTTP/1.1\r\nHost: localhost\r\nContent-Length: {length}\r\n\r\n"
        );
        stream.write_all((head + body).as_bytes())?;
        let mut stream = BufReader::new(stream);
        let (mut line, mut is_fine, mut length) = (String::new(), false, 0);
        while stream.read_line(&mut line)? > 2 {
            is_fine |= line.starts_with("HTTP/1.1 200 ");
            if let Some((name, value)) = line.split_once(':')
                && name.eq_ignore_ascii_case("content-length")
            {
                length = value.trim().parse().map_err(io::Error::other)?;
            }
            line.clear();
        }
        let mut answer = vec![0; length];
        stream.read_exact(&mut answer)?;
        Ok((is_fine, serde_json::from_slice(&answer)?))
    }
}

impl Drop for Browser {
    fn drop(&mut self) {
        // Deleting the session ends the browser. The driver is this process's child.
        let _ = self.send("DELETE", "", "");
        let _ = self.driver.kill();
        let _ = self.driver.wait();
    }
}
