//! How long a body may be, and how slowly it may come.

use axum::body::Body;
use axum::extract::{DefaultBodyLimit, Request};
use axum::http::{StatusCode, header};
use futures_util::{StreamExt, stream};
use std::io;
use std::time::Duration;
use tokio::time::{Instant, timeout_at};

/// The longest body with files, in bytes: an archive of a submission or a course, and the form around it.
const LONGEST_UPLOAD: u64 = 64 << 20;

/// The longest form without files, and all that somebody may send who is not signed in.
const LONGEST_FORM: u64 = 256 << 10;

/// How long a body may take to begin with, and at least how many bytes a second come after that.
const PATIENCE: Duration = Duration::from_secs(20);
const SLOWEST: u64 = 4 << 10;

/// The same request, with a body that fails when it becomes too long or comes too slowly.
///
/// # Errors
/// If the request says itself that it is too long.
pub(super) fn bounded(request: Request, is_public: bool) -> Result<Request, StatusCode> {
    let header = |name| request.headers().get(name).and_then(|value| value.to_str().ok());
    let kind = header(header::CONTENT_TYPE).unwrap_or_default();
    let is_form = kind.starts_with("application/x-www-form-urlencoded");
    let longest = if is_public || is_form { LONGEST_FORM } else { LONGEST_UPLOAD };
    let length = header(header::CONTENT_LENGTH).and_then(|length| length.parse::<u64>().ok());
    if length.is_some_and(|length| length > longest) {
        return Err(StatusCode::PAYLOAD_TOO_LARGE);
    }
    let mut request = request.map(|body| in_time(body, longest, PATIENCE));
    // It answers as it should if a body without a length becomes too long.
    DefaultBodyLimit::max(usize::try_from(longest).unwrap_or(usize::MAX)).apply(&mut request);
    Ok(request)
}

fn in_time(body: Body, longest: u64, patience: Duration) -> Body {
    let begun = (body.into_data_stream(), 0u64, Instant::now());
    Body::from_stream(stream::try_unfold(begun, move |(mut data, mut count, began)| async move {
        let end = began + patience + Duration::from_secs(count / SLOWEST);
        let late = |_| io::Error::new(io::ErrorKind::TimedOut, "the body comes too slowly");
        let Some(piece) = timeout_at(end, data.next()).await.map_err(late)? else {
            return Ok(None);
        };
        let piece = piece.map_err(io::Error::other)?;
        count += piece.len() as u64;
        if count > longest + SLOWEST {
            return Err(io::Error::other("the body is too long"));
        }
        Ok(Some((piece, (data, count, began))))
    }))
}

#[cfg(test)]
mod tests {
    use super::*;
    use axum::body::to_bytes;

    async fn read(pieces: usize, pause: u64, longest: u64) -> bool {
        let pieces = stream::iter(0..pieces).then(move |_| async move {
            tokio::time::sleep(Duration::from_millis(pause)).await;
            Ok::<_, io::Error>(vec![0u8; 100])
        });
        let body = in_time(Body::from_stream(pieces), longest, Duration::from_millis(200));
        to_bytes(body, usize::MAX).await.is_ok()
    }

    #[tokio::test]
    async fn a_body_that_trickles_or_does_not_end_is_cut() {
        assert!(read(10, 1, 1_000).await);
        assert!(!read(50, 20, 1_000_000).await, "it comes too slowly");
        assert!(!read(100, 0, 1_000).await, "it is too long");
    }
}
