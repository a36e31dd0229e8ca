//! Pictures of the pages, for people who look at them: `SCREENSHOTS=1 cargo test -p server browser` puts them into `target/screenshots`.

use super::driver::Browser;
use serde_json::json;
use std::path::{Path, PathBuf};
use std::{env, fs};

/// Where pictures are put, if somebody wants them.
pub(super) struct Album(Option<PathBuf>);

impl Album {
    pub(super) fn new() -> Self {
        Self(env::var_os("SCREENSHOTS").map(|_| {
            let repository = Path::new(env!("CARGO_MANIFEST_DIR")).ancestors().nth(2).unwrap();
            let folder = repository.join("target/screenshots");
            fs::create_dir_all(&folder).unwrap();
            folder
        }))
    }

    pub(super) fn is_wanted(&self) -> bool {
        self.0.is_some()
    }

    /// Takes a picture of the whole page, also of what is below the window.
    pub(super) fn take(&self, browser: &Browser, name: &str) {
        let Some(folder) = &self.0 else { return };
        let picture =
            browser.tool("Page.captureScreenshot", &json!({"captureBeyondViewport": true}));
        let bytes = base64(picture["data"].as_str().expect("it is text"));
        fs::write(folder.join(format!("{name}.png")), bytes).unwrap();
    }
}

/// The bytes that this text means in Base64.
fn base64(text: &str) -> Vec<u8> {
    const DIGITS: &[u8; 64] = b"ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";
    let values = text.bytes().filter_map(|it| DIGITS.iter().position(|digit| *digit == it));
    let values: Vec<_> = values.map(|value| u8::try_from(value).unwrap()).collect();
    let bytes = values.chunks(4).flat_map(|four| {
        let bits = four.iter().enumerate().map(|(at, value)| u32::from(*value) << (18 - 6 * at));
        let all = bits.sum::<u32>().to_be_bytes();
        all[1..four.len()].to_vec()
    });
    bytes.collect()
}
