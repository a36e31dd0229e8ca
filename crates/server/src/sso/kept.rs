//! What others publish, such as their keys, kept for a while.

use super::Trouble;
use super::outside::blocking;
use std::sync::{Mutex, PoisonError};
use std::time::{Duration, Instant};

/// How long it is kept.
const FRESH: Duration = Duration::from_hours(1);

/// How often it is read again at most, because tokens name keys that are not known.
const PAUSE: Duration = Duration::from_secs(30);

/// What was published, and when it was read.
#[derive(Debug)]
pub struct Kept<T> {
    known: Mutex<Option<(T, Instant)>>,
    /// When it was last read again because a token named a key that was not known.
    again: Mutex<Option<Instant>>,
}

impl<T> Default for Kept<T> {
    fn default() -> Self {
        Self { known: Mutex::default(), again: Mutex::default() }
    }
}

impl<T: Clone + Send + 'static> Kept<T> {
    /// What is known, or else what `read` reads.
    ///
    /// # Errors
    /// If it cannot be read.
    pub async fn get(
        &self,
        read: impl FnOnce() -> Result<T, Trouble> + Send + 'static,
    ) -> Result<T, Trouble> {
        let known = self.known.lock().unwrap_or_else(PoisonError::into_inner).clone();
        match known.filter(|(_, read)| read.elapsed() < FRESH) {
            Some((known, _)) => Ok(known),
            None => self.renewed(read).await,
        }
    }

    /// What `read` reads, if it was not read again just now.
    ///
    /// # Errors
    /// If it cannot be read.
    pub async fn get_again(
        &self,
        read: impl FnOnce() -> Result<T, Trouble> + Send + 'static,
    ) -> Result<Option<T>, Trouble> {
        if !self.may_read_again() {
            return Ok(None);
        }
        self.renewed(read).await.map(Some)
    }

    async fn renewed(
        &self,
        read: impl FnOnce() -> Result<T, Trouble> + Send + 'static,
    ) -> Result<T, Trouble> {
        let known = blocking(read).await?;
        *self.known.lock().unwrap_or_else(PoisonError::into_inner) =
            Some((known.clone(), Instant::now()));
        Ok(known)
    }

    /// Whether it was not read again just now. Then it is.
    fn may_read_again(&self) -> bool {
        let mut again = self.again.lock().unwrap_or_else(PoisonError::into_inner);
        let may = again.is_none_or(|last| last.elapsed() >= PAUSE);
        if may {
            *again = Some(Instant::now());
        }
        may
    }
}
