//! The style and the scripts of the pages. Their addresses hold their digest, so a browser keeps them for ever.

use super::{Answer, Refusal};
use crate::secret;
use axum::extract::Path;
use axum::http::header;
use axum::response::IntoResponse;
use harness::report::html::graded;
use std::sync::LazyLock;

/// A file that pages load.
struct Asset {
    /// Its name, with its digest.
    name: String,
    kind: &'static str,
    contents: &'static str,
}

impl Asset {
    fn new(stem: &str, ending: &str, kind: &'static str, contents: &'static str) -> Self {
        let digest = secret::sha256(contents.as_bytes());
        Self { name: format!("{stem}-{}.{ending}", &digest[..16]), kind, contents }
    }
}

const STYLE: &str = concat!(
    include_str!("../../../../src/report/html/page.css"),
    include_str!("../../../../src/report/html/graded.css"),
    include_str!("../../../../src/report/html/body.css"),
    include_str!("../pages/serve.css"),
    include_str!("../pages/students.css"),
    include_str!("../pages/accounts.css"),
    include_str!("../pages/staff.css"),
    include_str!("../pages/similar.css"),
    include_str!("../pages/mining.css"),
    include_str!("../pages/requests.css"),
    include_str!("../pages/by_hand.css")
);
const SCRIPT: &str = concat!(
    include_str!("../pages/serve.js"),
    include_str!("../pages/hand_in.js"),
    include_str!("../pages/live.js"),
    include_str!("../pages/by_hand.js"),
    include_str!("../pages/platform.js")
);

static ALL: LazyLock<[Asset; 3]> = LazyLock::new(|| {
    [
        Asset::new("style", "css", "text/css; charset=utf-8", STYLE),
        Asset::new("script", "js", "text/javascript; charset=utf-8", SCRIPT),
        Asset::new("report", "js", "text/javascript; charset=utf-8", graded::SCRIPT),
    ]
});

/// The address of the style.
pub fn style() -> String {
    format!("/assets/{}", ALL[0].name)
}

/// The address of the script.
pub fn script() -> String {
    format!("/assets/{}", ALL[1].name)
}

/// The address of the script of reports.
pub fn report_script() -> String {
    format!("/assets/{}", ALL[2].name)
}

pub(super) async fn asset(Path(name): Path<String>) -> Answer {
    let asset = ALL.iter().find(|asset| asset.name == name).ok_or(Refusal::NotFound)?;
    let headers = [
        (header::CONTENT_TYPE, asset.kind),
        (header::CACHE_CONTROL, "public, max-age=31536000, immutable"),
    ];
    Ok((headers, asset.contents).into_response())
}
