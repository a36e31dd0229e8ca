//! Handing in over HTTP, as a client does.

use std::time::Duration;
use ureq::config::ConfigBuilder;
use ureq::typestate::AgentScope;

/// A client that follows no redirects, and takes every status for an answer. Its buffers are small, because filling large ones takes long.
pub(crate) fn client() -> ConfigBuilder<AgentScope> {
    const BUFFER: usize = 1 << 14;
    let client = ureq::Agent::config_builder().http_status_as_error(false).max_redirects(0);
    client.input_buffer_size(BUFFER).output_buffer_size(BUFFER)
}

/// Sends a form. Gives the status, the submission and the text of the answer.
pub(crate) fn send(
    url: &str,
    assignment: &str,
    token: &str,
    key: &str,
    archive: &[u8],
) -> Result<(u16, Option<i64>, String), ureq::Error> {
    let body = form(key, &[("submit.tar.gz", archive)]);
    let config = client().timeout_global(Some(Duration::from_secs(30)));
    let agent: ureq::Agent = config.build().into();
    let request = agent.post(format!("{url}/assignments/{assignment}/submissions"));
    let request = request.header("authorization", format!("Bearer {token}"));
    let request = request.header("accept", "application/json");
    let request = request.header("content-type", FORM);
    let mut answer = request.send(&body[..])?;
    let location = answer.headers().get("location").and_then(|it| it.to_str().ok());
    let located = location.and_then(|it| it.rsplit('/').next()?.parse().ok());
    let text = answer.body_mut().read_to_string()?;
    let json: serde_json::Value = serde_json::from_str(&text).unwrap_or_default();
    let named = ["submission", "id"].iter().find_map(|name| json[name].as_i64());
    Ok((answer.status().as_u16(), located.or(named), text))
}

/// The kind of a [`form`].
pub(crate) const FORM: &str = "multipart/form-data; boundary=boundary-of-a-form";

/// A form with files.
pub(crate) fn form(key: &str, files: &[(&str, &[u8])]) -> Vec<u8> {
    const START: &str = "--boundary-of-a-form\r\ncontent-disposition: form-data";
    let mut body = format!("{START}; name=\"request\"\r\n\r\n{key}\r\n").into_bytes();
    for (name, bytes) in files {
        let head = format!("{START}; name=\"files\"; filename=\"{name}\"\r\n\r\n");
        body.extend_from_slice(head.as_bytes());
        body.extend_from_slice(bytes);
        body.extend_from_slice(b"\r\n");
    }
    body.extend_from_slice(b"--boundary-of-a-form--\r\n");
    body
}
