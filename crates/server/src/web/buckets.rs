//! How many requests one person or address may send: a bucket of tokens for each, which fills again with time.

use std::collections::HashMap;
use std::hash::Hash;
use std::sync::{Arc, Mutex, PoisonError};
use std::time::Instant;

/// How many requests may come at once, and how many a second after that.
#[derive(Clone, Copy, Debug)]
pub(super) struct Rate {
    pub(super) burst: u32,
    pub(super) a_second: u32,
}

/// A bucket for each key. A clone is the same one.
#[derive(Clone)]
pub(super) struct Buckets<K> {
    rate: Rate,
    buckets: Arc<Mutex<HashMap<K, Bucket>>>,
}

struct Bucket {
    tokens: f64,
    at: Instant,
}

/// With so many buckets, the full ones are removed: who has one of these is as good as new.
const MANY: usize = 10_000;

impl<K: Eq + Hash> Buckets<K> {
    pub(super) fn new(rate: Rate) -> Self {
        Self { rate, buckets: Arc::default() }
    }

    /// Takes a token, or says in how many seconds there will be one.
    pub(super) fn take(&self, key: K) -> Result<(), u64> {
        self.take_at(key, Instant::now())
    }

    fn take_at(&self, key: K, now: Instant) -> Result<(), u64> {
        let (burst, a_second) = (f64::from(self.rate.burst), f64::from(self.rate.a_second));
        let held = |it: &Bucket| {
            (it.tokens + now.saturating_duration_since(it.at).as_secs_f64() * a_second).min(burst)
        };
        let mut buckets = self.buckets.lock().unwrap_or_else(PoisonError::into_inner);
        if buckets.len() >= MANY {
            buckets.retain(|_, bucket| held(bucket) < burst);
        }
        let bucket = buckets.entry(key).or_insert(Bucket { tokens: burst, at: now });
        bucket.tokens = held(bucket);
        bucket.at = now;
        if bucket.tokens < 1.0 {
            return Err(1);
        }
        bucket.tokens -= 1.0;
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::time::Duration;

    #[test]
    fn after_a_burst_requests_pass_as_fast_as_the_bucket_fills() {
        let buckets = Buckets::new(Rate { burst: 5, a_second: 2 });
        let now = Instant::now();
        let passed = |key, at| (0..100).filter(|_| buckets.take_at(key, at).is_ok()).count();
        assert_eq!(passed("ann", now), 5);
        assert_eq!(passed("ann", now + Duration::from_millis(400)), 0);
        assert_eq!(passed("bob", now), 5, "others notice nothing");
        assert_eq!(passed("ann", now + Duration::from_millis(1_500)), 3);
        assert_eq!(passed("ann", now + Duration::from_hours(1)), 5);
    }

    #[test]
    fn buckets_that_are_full_again_are_forgotten() {
        let buckets = Buckets::new(Rate { burst: 2, a_second: 1 });
        let now = Instant::now();
        for key in 0..MANY {
            buckets.take_at(key, now).unwrap();
        }
        buckets.take_at(MANY, now + Duration::from_secs(2)).unwrap();
        assert_eq!(buckets.buckets.lock().unwrap().len(), 1);
    }
}
