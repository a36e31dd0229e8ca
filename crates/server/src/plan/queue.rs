//! The queue without a database: the same order, with workers that take no time for anything but grading.

use crate::queue::FOR_EACH_OPEN;
use std::cmp::Reverse;
use std::collections::{BinaryHeap, HashMap};

/// A submission that arrives.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Arrival {
    pub student: usize,
    /// Milliseconds since the beginning.
    pub at: i64,
    /// How long it is graded. Milliseconds.
    pub takes: i64,
}

/// How long each of the submissions waits until a worker takes it, in milliseconds. They are in the order of their moments.
///
/// # Panics
/// If there are no workers.
pub fn waits(arrivals: &[Arrival], workers: usize) -> Vec<i64> {
    assert!(workers > 0, "somebody has to grade");
    let mut simulation = Simulation {
        arrivals,
        workers,
        queued: BinaryHeap::new(),
        running: BinaryHeap::new(),
        open: HashMap::new(),
        waits: vec![0; arrivals.len()],
    };
    for (number, arrival) in arrivals.iter().enumerate() {
        simulation.advance_to(arrival.at);
        simulation.arrive(number);
    }
    simulation.advance_to(i64::MAX);
    simulation.waits
}

struct Simulation<'a> {
    arrivals: &'a [Arrival],
    workers: usize,
    /// The rank and number of each submission that waits: the lowest comes first.
    queued: BinaryHeap<Reverse<(i64, usize)>>,
    /// The end and number of each that is being graded.
    running: BinaryHeap<Reverse<(i64, usize)>>,
    /// The open submissions of each student.
    open: HashMap<usize, i64>,
    waits: Vec<i64>,
}

impl Simulation<'_> {
    /// Lets end what ends until then. Each worker takes the next one at once.
    fn advance_to(&mut self, moment: i64) {
        while let Some(Reverse((end, number))) = self.running.peek().copied() {
            if end > moment {
                return;
            }
            self.running.pop();
            *self.open.entry(self.arrivals[number].student).or_default() -= 1;
            self.begin(end);
        }
    }

    fn arrive(&mut self, number: usize) {
        let Arrival { student, at, .. } = self.arrivals[number];
        let open = self.open.entry(student).or_default();
        self.queued.push(Reverse((at + FOR_EACH_OPEN * *open, number)));
        *open += 1;
        self.begin(at);
    }

    /// Takes the next submission if a worker is free.
    fn begin(&mut self, now: i64) {
        if self.running.len() == self.workers {
            return;
        }
        if let Some(Reverse((_, number))) = self.queued.pop() {
            self.waits[number] = now - self.arrivals[number].at;
            self.running.push(Reverse((now + self.arrivals[number].takes, number)));
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn arrival(student: usize, at: i64, takes: i64) -> Arrival {
        Arrival { student, at, takes }
    }

    #[test]
    fn a_worker_takes_one_after_the_other() {
        let arrivals = [arrival(0, 0, 10), arrival(1, 1, 10), arrival(2, 2, 10)];
        assert_eq!(waits(&arrivals, 1), [0, 9, 18]);
        assert_eq!(waits(&arrivals, 2), [0, 0, 8]);
        assert_eq!(waits(&arrivals, 3), [0, 0, 0]);
    }

    #[test]
    fn who_has_open_submissions_comes_a_minute_later_for_each() {
        let arrivals =
            [arrival(0, 0, 90_000), arrival(0, 1, 10), arrival(1, 2, 10), arrival(2, 60_002, 10)];
        // The second one of the first student has the rank 60,001.
        assert_eq!(waits(&arrivals, 1), [0, 90_009, 89_998, 30_018]);
    }
}
