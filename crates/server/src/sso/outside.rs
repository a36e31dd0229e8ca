//! Asking a provider or a platform over HTTP.

use super::Trouble;
use crate::authorities;
use serde::de::DeserializeOwned;
use std::time::Duration;

/// How long it may take to answer.
const PATIENCE: Duration = Duration::from_secs(10);

/// The longest answer, in bytes.
const MOST_BYTES: u64 = 4 << 20;

/// What an answer was.
pub type Answered = Result<ureq::http::Response<ureq::Body>, ureq::Error>;

/// Who asks. A redirection would take the secret elsewhere.
pub fn agent() -> ureq::Agent {
    let config = ureq::Agent::config_builder().max_redirects(0).http_status_as_error(false);
    let config = config.timeout_global(Some(PATIENCE));
    // The server does not start with a file that cannot be read.
    config.tls_config(authorities::tls().unwrap_or_default()).build().into()
}

/// The body of an answer.
///
/// # Errors
/// If there is none, or it is not what was asked for. What the other side says of a mistake goes into the log.
pub fn answered<T: DeserializeOwned>(answer: Answered) -> Result<T, Trouble> {
    page(answer).map(|(body, _)| body)
}

/// The same with the address of the next page, if there is one (RFC 8288).
///
/// # Errors
/// If there is none, or it is not what was asked for.
pub fn page<T: DeserializeOwned>(answer: Answered) -> Result<(T, Option<String>), Trouble> {
    let away = |error: ureq::Error| Trouble::Away(error.to_string());
    let mut answer = answer.map_err(away)?;
    let next = answer.headers().get_all("link").iter().filter_map(|it| it.to_str().ok());
    let next = next.flat_map(|it| it.split('<').skip(1)).find_map(next_of);
    let status = answer.status();
    let body = answer.body_mut().with_config().limit(MOST_BYTES).read_to_vec().map_err(away)?;
    if status.is_success() {
        let body = serde_json::from_slice(&body);
        return body.map(|body| (body, next)).map_err(|error| Trouble::Away(error.to_string()));
    }
    let said = String::from_utf8_lossy(&body).chars().take(200).collect::<String>();
    let said = format!("the answer is {status}: {said}");
    Err(if status.is_client_error() { Trouble::Refused(said) } else { Trouble::Away(said) })
}

/// The address of a link to the next page, without the `<` before it.
fn next_of(link: &str) -> Option<String> {
    let (address, rest) = link.split_once('>')?;
    let mut relation = rest
        .trim_end_matches([',', ' '])
        .split(';')
        .filter_map(|it| it.trim().strip_prefix("rel="));
    let is_next = |it: &str| it.trim_matches('"').split(' ').any(|it| it == "next");
    relation.any(is_next).then(|| address.to_owned())
}

/// Does what waits on a thread that may wait.
///
/// # Errors
/// Those of the work.
pub async fn blocking<T: Send + 'static>(
    work: impl FnOnce() -> Result<T, Trouble> + Send + 'static,
) -> Result<T, Trouble> {
    let done = tokio::task::spawn_blocking(work).await;
    done.unwrap_or_else(|_| Err(Trouble::Away("the request was not finished".to_owned())))
}
