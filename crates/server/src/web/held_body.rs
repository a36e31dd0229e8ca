//! An answer that counts among those of a person until its last byte is written.

use super::Held;
use axum::body::{Body, Bytes};
use axum::response::Response;
use hyper::body::{Frame, SizeHint};
use std::pin::Pin;
use std::task::{Context, Poll};

struct HeldBody {
    body: Body,
    has_begun: bool,
    _held: Held,
}

/// The same answer, which holds this until it is sent or its connection is closed.
pub(super) fn holding(response: Response, held: Held) -> Response {
    response.map(|body| Body::new(HeldBody { body, has_begun: false, _held: held }))
}

impl hyper::body::Body for HeldBody {
    type Data = Bytes;
    type Error = axum::Error;

    fn poll_frame(
        mut self: Pin<&mut Self>,
        context: &mut Context<'_>,
    ) -> Poll<Option<Result<Frame<Bytes>, axum::Error>>> {
        self.has_begun = true;
        Pin::new(&mut self.body).poll_frame(context)
    }

    /// Not yet after the last piece, so that who writes it comes back when there is room for more, and drops it only then.
    fn is_end_stream(&self) -> bool {
        !self.has_begun && self.body.is_end_stream()
    }

    fn size_hint(&self) -> SizeHint {
        self.body.size_hint()
    }
}
