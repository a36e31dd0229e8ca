//! How many submissions have to be graded at the same time in the hours before a due date: the queue is simulated, with the durations that
//! were measured and the arrivals of earlier due dates. Whatever is random follows from the seed.

mod arrivals;
pub mod past;
pub mod queue;

use arrivals::Students;
use fastrand::Rng;
use past::Past;
use queue::{Arrival, waits};
use serde::Serialize;

/// The hours before the due date that are simulated.
pub const HOURS: i64 = 24;

/// Half of the submissions start within so many milliseconds.
const HALF_WITHIN: i64 = 10_000;

/// And 99 of 100 within so many.
const NEARLY_ALL_WITHIN: i64 = 5 * 60_000;

/// How often a due date is simulated. The waits of all of them are taken together.
const REPEATS: usize = 5;

/// What a class of some size needs, or gets.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct Need {
    pub students: usize,
    /// In the last [`HOURS`], on average over the repetitions, as are the next ones.
    pub submissions: usize,
    pub in_the_busiest_hour: usize,
    /// How many submissions are graded at the same time.
    pub workers: usize,
    /// Within how many seconds half of the submissions start.
    pub half_start_in: f64,
    /// And 99 of 100.
    pub nearly_all_start_in: f64,
}

/// What a class needs so that students need not wait, or what it gets from so many workers.
pub fn need(past: &Past, students: usize, workers: Option<usize>, seed: u64) -> Need {
    let mut random = Rng::with_seed(seed);
    let drawn = Students { past, count: students };
    let evenings: Vec<_> = (0..REPEATS).map(|_| drawn.arrivals(&mut random)).collect();
    let workers = workers.unwrap_or_else(|| fewest(|it| is_enough(&all_waits(&evenings, it))));
    let waits = all_waits(&evenings, workers);
    let seconds = |share| at(&waits, share) as f64 / 1000.0;
    Need {
        students,
        submissions: evenings.iter().map(Vec::len).sum::<usize>() / REPEATS,
        in_the_busiest_hour: evenings.iter().map(|it| busiest_hour(it)).sum::<usize>() / REPEATS,
        workers,
        half_start_in: seconds(0.5),
        nearly_all_start_in: seconds(0.99),
    }
}

/// The waits of all evenings, in ascending order.
fn all_waits(evenings: &[Vec<Arrival>], workers: usize) -> Vec<i64> {
    let mut all: Vec<_> = evenings.iter().flat_map(|it| waits(it, workers)).collect();
    all.sort_unstable();
    all
}

fn is_enough(waits: &[i64]) -> bool {
    at(waits, 0.5) <= HALF_WITHIN && at(waits, 0.99) <= NEARLY_ALL_WITHIN
}

/// The wait within which this share of the submissions starts.
fn at(waits: &[i64], share: f64) -> i64 {
    let number = (waits.len() as f64 * share).ceil() as usize;
    waits.get(number.saturating_sub(1)).copied().unwrap_or(0)
}

/// The smallest number that is enough, where every larger one is enough too.
fn fewest(is_enough: impl Fn(usize) -> bool) -> usize {
    let mut enough = 1;
    while !is_enough(enough) {
        enough *= 2;
    }
    let mut too_few = enough / 2;
    while enough - too_few > 1 {
        let middle = too_few.midpoint(enough);
        if is_enough(middle) {
            enough = middle;
        } else {
            too_few = middle;
        }
    }
    enough
}

/// The most arrivals within an hour. They are in the order of their moments.
fn busiest_hour(arrivals: &[Arrival]) -> usize {
    let within = |at: usize| arrivals.partition_point(|it| it.at <= arrivals[at].at + 3_600_000);
    (0..arrivals.len()).map(|at| within(at) - at).max().unwrap_or(0)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn known(students: usize, workers: Option<usize>) -> Need {
        let past = Past { durations: vec![4_000, 6_000, 20_000], each: 3, ..Past::default() };
        need(&past, students, workers, 1)
    }

    #[test]
    fn more_students_need_more_workers() {
        let needs = [100, 300, 1_000, 3_000].map(|students| known(students, None));
        assert!(needs.is_sorted_by(|one, other| one.workers <= other.workers), "{needs:?}");
        assert!(needs[0].workers < needs[3].workers, "{needs:?}");
        for need in &needs {
            assert!(need.half_start_in <= 10.0 && need.nearly_all_start_in <= 300.0, "{need:?}");
        }
    }

    #[test]
    fn one_worker_less_is_too_few() {
        let enough = known(3_000, None);
        let fewer = known(3_000, Some(enough.workers - 1));
        assert_eq!(fewer.submissions, enough.submissions, "the same evenings");
        assert!(fewer.half_start_in > 10.0 || fewer.nearly_all_start_in > 300.0, "{fewer:?}");
    }

    #[test]
    fn the_same_seed_gives_the_same_plan() {
        assert_eq!(known(300, None), known(300, None));
    }

    #[test]
    fn the_busiest_hour_has_the_most_arrivals() {
        let at = |minutes: i64| Arrival { student: 0, at: minutes * 60_000, takes: 1 };
        assert_eq!(busiest_hour(&[at(0), at(50), at(70), at(100), at(300)]), 3);
        assert_eq!(busiest_hour(&[]), 0);
    }
}
