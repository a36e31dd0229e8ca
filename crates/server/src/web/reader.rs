//! A connection whose other end must read what it asked for. Otherwise, answers that nobody reads would fill the memory.

use std::future::Future;
use std::io;
use std::pin::Pin;
use std::task::{Context, Poll};
use std::time::Duration;
use tokio::io::{AsyncRead, AsyncWrite, ReadBuf};
use tokio::time::{Instant, Sleep, sleep_until};

/// At least how many bytes a second are read after the patience has ended.
const SLOWEST: u64 = 4 << 10;

/// A connection that is closed when its other end does not read for so long, or reads too slowly.
pub(super) struct Reader<S> {
    stream: S,
    patience: Duration,
    waiting: Option<Waiting>,
}

/// Since when not all could be written, and how much could.
struct Waiting {
    began: Instant,
    written: u64,
    timer: Pin<Box<Sleep>>,
}

impl<S> Reader<S> {
    pub(super) fn new(stream: S, patience: Duration) -> Self {
        Self { stream, patience, waiting: None }
    }

    fn in_time(
        &mut self,
        context: &mut Context<'_>,
        done: Poll<io::Result<usize>>,
    ) -> Poll<io::Result<usize>> {
        if let Poll::Ready(done) = done {
            if let (Some(waiting), Ok(count)) = (&mut self.waiting, &done) {
                waiting.written += *count as u64;
            }
            return Poll::Ready(done);
        }
        let patience = self.patience;
        let waiting = self.waiting.get_or_insert_with(|| {
            let began = Instant::now();
            Waiting { began, written: 0, timer: Box::pin(sleep_until(began + patience)) }
        });
        let end = waiting.began + patience + Duration::from_secs(waiting.written / SLOWEST);
        waiting.timer.as_mut().reset(end);
        waiting
            .timer
            .as_mut()
            .poll(context)
            .map(|()| Err(io::Error::new(io::ErrorKind::TimedOut, "the answer is read too slowly")))
    }
}

impl<S: AsyncRead + Unpin> AsyncRead for Reader<S> {
    fn poll_read(
        mut self: Pin<&mut Self>,
        context: &mut Context<'_>,
        buffer: &mut ReadBuf<'_>,
    ) -> Poll<io::Result<()>> {
        Pin::new(&mut self.stream).poll_read(context, buffer)
    }
}

impl<S: AsyncWrite + Unpin> AsyncWrite for Reader<S> {
    fn poll_write(
        mut self: Pin<&mut Self>,
        context: &mut Context<'_>,
        bytes: &[u8],
    ) -> Poll<io::Result<usize>> {
        let done = Pin::new(&mut self.stream).poll_write(context, bytes);
        self.in_time(context, done)
    }

    fn poll_write_vectored(
        mut self: Pin<&mut Self>,
        context: &mut Context<'_>,
        pieces: &[io::IoSlice<'_>],
    ) -> Poll<io::Result<usize>> {
        let done = Pin::new(&mut self.stream).poll_write_vectored(context, pieces);
        self.in_time(context, done)
    }

    fn is_write_vectored(&self) -> bool {
        self.stream.is_write_vectored()
    }

    /// It is called when all that there is was written.
    fn poll_flush(mut self: Pin<&mut Self>, context: &mut Context<'_>) -> Poll<io::Result<()>> {
        self.waiting = None;
        Pin::new(&mut self.stream).poll_flush(context)
    }

    fn poll_shutdown(mut self: Pin<&mut Self>, context: &mut Context<'_>) -> Poll<io::Result<()>> {
        Pin::new(&mut self.stream).poll_shutdown(context)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use tokio::io::{AsyncReadExt, AsyncWriteExt};

    #[tokio::test]
    async fn who_does_not_read_is_cut() {
        let (stream, _other) = tokio::io::duplex(100);
        let mut reader = Reader::new(stream, Duration::from_millis(50));
        let error = reader.write_all(&[0; 1_000]).await.unwrap_err();
        assert_eq!(error.kind(), io::ErrorKind::TimedOut);
    }

    #[tokio::test]
    async fn who_trickles_is_cut_and_who_only_paused_is_not() {
        let (stream, mut other) = tokio::io::duplex(100);
        let mut reader = Reader::new(stream, Duration::from_millis(100));
        let trickling = tokio::spawn(async move {
            while other.read_u8().await.is_ok() {
                tokio::time::sleep(Duration::from_millis(10)).await;
            }
        });
        assert!(reader.write_all(&[0; 10_000]).await.is_err());
        drop(reader);
        trickling.await.unwrap();
        let (stream, mut other) = tokio::io::duplex(100);
        let mut reader = Reader::new(stream, Duration::from_secs(60));
        let pausing = tokio::spawn(async move {
            tokio::time::sleep(Duration::from_millis(50)).await;
            other.read_exact(&mut [0; 1_000]).await.is_ok()
        });
        reader.write_all(&[0; 1_000]).await.unwrap();
        assert!(pausing.await.unwrap());
    }
}
