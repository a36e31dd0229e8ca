//! Work that several threads share, with results in the order of the items.

use crate::diagnostic::Failure;
use std::sync::Mutex;
use std::sync::atomic::{AtomicBool, AtomicUsize, Ordering};

/// Items, numbered from 0, that threads take one after the other, and the result of each.
pub struct Queue<T> {
    next: AtomicUsize,
    results: Vec<Mutex<Option<T>>>,
    has_failed: AtomicBool,
}

impl<T> Queue<T> {
    /// The number of the next item. `None` if there is none, or if a thread has failed.
    pub fn take(&self) -> Option<usize> {
        if self.has_failed.load(Ordering::Relaxed) {
            return None;
        }
        Some(self.next.fetch_add(1, Ordering::Relaxed)).filter(|&at| at < self.results.len())
    }

    /// Stores the result of an item.
    pub fn put(&self, at: usize, result: T) {
        *self.results[at].lock().expect("no thread panics while it stores a result") = Some(result);
    }
}

/// Starts a thread for each of `workers`, but no more than there are items. Each takes items from the queue and puts results into it.
///
/// # Errors
/// With the error of a thread. The other threads stop at their next item.
pub fn share<W: Send, T: Send, E: Send>(
    workers: &mut [W],
    count: usize,
    work: impl Fn(&mut W, &Queue<T>) -> Result<(), E> + Sync,
) -> Result<Vec<T>, E> {
    let queue = Queue {
        next: AtomicUsize::new(0),
        results: (0..count).map(|_| Mutex::default()).collect(),
        has_failed: AtomicBool::new(false),
    };
    let run = |worker: &mut W| {
        work(worker, &queue).inspect_err(|_| queue.has_failed.store(true, Ordering::Relaxed))
    };
    let used = count.min(workers.len());
    std::thread::scope(|scope| {
        let threads: Vec<_> =
            workers[..used].iter_mut().map(|worker| scope.spawn(|| run(worker))).collect();
        threads.into_iter().try_for_each(|thread| thread.join().expect("no thread panics"))
    })?;
    let result = |slot: Mutex<Option<T>>| {
        slot.into_inner().expect("no thread panicked").expect("every item was worked on")
    };
    Ok(queue.results.into_iter().map(result).collect())
}

/// Does two things, at the same time if there are at least two jobs.
pub fn both<A: Send, B>(
    jobs: usize,
    first: impl FnOnce() -> A + Send,
    second: impl FnOnce() -> B,
) -> (A, B) {
    if jobs < 2 {
        return (first(), second());
    }
    std::thread::scope(|scope| {
        let first = scope.spawn(first);
        let second = second();
        (first.join().expect("no thread panics"), second)
    })
}

/// Applies `work` to the numbers below `count`, on at most `jobs` threads.
///
/// # Errors
/// With the error of an item. No further items are started.
pub fn map<T: Send>(
    count: usize,
    jobs: usize,
    work: impl Fn(usize) -> Result<T, Failure> + Sync,
) -> Result<Vec<T>, Failure> {
    share(&mut vec![(); jobs.max(1)], count, |(), queue| {
        while let Some(at) = queue.take() {
            queue.put(at, work(at)?);
        }
        Ok(())
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn results_are_in_order_for_any_number_of_threads() {
        for jobs in [0, 1, 3, 100] {
            let squares = map(20, jobs, |at| Ok(at * at)).unwrap();
            assert_eq!(squares, (0..20).map(|at| at * at).collect::<Vec<_>>(), "{jobs} jobs");
        }
    }

    #[test]
    fn a_failure_ends_the_work() {
        let fail = |at| if at == 3 { Err(Failure::machine("work", "broken")) } else { Ok(at) };
        assert!(map(1000, 2, fail).is_err());
    }
}
