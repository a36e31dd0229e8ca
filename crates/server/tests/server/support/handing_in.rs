//! Handing in over HTTP, as a client does.

use std::time::Duration;

/// Sends a form. Gives the status, the submission and the text of the answer.
pub(crate) fn send(
    url: &str,
    assignment: &str,
    token: &str,
    key: &str,
    archive: &[u8],
) -> Result<(u16, Option<i64>, String), ureq::Error> {
    const BOUNDARY: &str = "boundary-of-a-form";
    let mut body = format!(
        "--{BOUNDARY}\r\ncontent-disposition: form-data; name=\"request\"\r\n\r\n{key}\r\n\
         --{BOUNDARY}\r\ncontent-disposition: form-data; name=\"files\"; filename=\"submit.tar.gz\"\r\n\
         content-type: application/gzip\r\n\r\n"
    )
    .into_bytes();
    body.extend_from_slice(archive);
    body.extend_from_slice(format!("\r\n--{BOUNDARY}--\r\n").as_bytes());
    let config = ureq::Agent::config_builder().http_status_as_error(false).max_redirects(0);
    let agent: ureq::Agent = config.timeout_global(Some(Duration::from_secs(30))).build().into();
    let request = agent.post(format!("{url}/assignments/{assignment}/submissions"));
    let request = request.header("authorization", format!("Bearer {token}"));
    let request = request.header("accept", "application/json");
    let request =
        request.header("content-type", format!("multipart/form-data; boundary={BOUNDARY}"));
    let mut answer = request.send(&body[..])?;
    let location = answer.headers().get("location").and_then(|it| it.to_str().ok());
    let located = location.and_then(|it| it.rsplit('/').next()?.parse().ok());
    let text = answer.body_mut().read_to_string()?;
    let json: serde_json::Value = serde_json::from_str(&text).unwrap_or_default();
    let named = ["submission", "id"].iter().find_map(|name| json[name].as_i64());
    Ok((answer.status().as_u16(), located.or(named), text))
}
