//! When the students of a class hand in.

use super::HOURS;
use super::past::Past;
use super::queue::Arrival;
use fastrand::Rng;

const HOUR: i64 = 3_600_000;

/// Without a history, half as many hand in for each two hours before the due date: half of the last day's submissions come in the last two.
const HALVED_EACH: f64 = 2.0 * HOUR as f64;

/// How far a submission is moved from its moment in the history, either way: nobody hands in at the same moment again.
const MOVED: i64 = 5 * 60_000;

/// A class of a size, which behaves as earlier ones did.
pub(super) struct Students<'a> {
    pub(super) past: &'a Past,
    pub(super) count: usize,
}

impl Students<'_> {
    /// What they hand in before a due date, in the order of the moments.
    pub(super) fn arrivals(&self, random: &mut Rng) -> Vec<Arrival> {
        let mut all = Vec::new();
        for student in 0..self.count {
            for before in self.moments(random) {
                let takes = self.past.durations[random.usize(..self.past.durations.len())];
                all.push(Arrival { student, at: (HOURS * HOUR - before).max(0), takes });
            }
        }
        all.sort_by_key(|it| (it.at, it.student));
        all
    }

    /// How many milliseconds before the due date a student hands in.
    fn moments(&self, random: &mut Rng) -> Vec<i64> {
        let Past { history, each, .. } = self.past;
        if history.is_empty() {
            return (0..*each).map(|_| on_the_curve(random)).collect();
        }
        let one = &history[random.usize(..history.len())];
        one.iter().map(|before| (before + random.i64(-MOVED..=MOVED)).max(0)).collect()
    }
}

/// A moment of the usual curve.
fn on_the_curve(random: &mut Rng) -> i64 {
    // What is earlier than the first hour is drawn again.
    loop {
        let before = -random.f64().max(f64::MIN_POSITIVE).log2() * HALVED_EACH;
        if before < (HOURS * HOUR) as f64 {
            return before as i64;
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn half_of_the_usual_submissions_come_in_the_last_two_hours() {
        let past = Past { durations: vec![1], each: 2, ..Past::default() };
        let all = Students { past: &past, count: 5_000 }.arrivals(&mut Rng::with_seed(1));
        assert_eq!(all.len(), 10_000);
        let late = all.iter().filter(|it| it.at > 22 * HOUR).count();
        assert!((4_800..5_200).contains(&late), "{late}");
        assert!(all.is_sorted_by_key(|it| it.at));
    }

    #[test]
    fn students_hand_in_as_earlier_ones_did() {
        let history = vec![vec![HOUR, 2 * HOUR], Vec::new()];
        let past = Past { durations: vec![1], history, ..Past::default() };
        let all = Students { past: &past, count: 1_000 }.arrivals(&mut Rng::with_seed(1));
        assert!((900..1_100).contains(&all.len()), "half of them hand in twice: {}", all.len());
        let near =
            |hours: i64| all.iter().filter(|it| (it.at - hours * HOUR).abs() <= MOVED).count();
        assert_eq!(near(22) + near(23), all.len());
    }
}
