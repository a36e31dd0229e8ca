//! How long a program may run on a case: not longer than it can earn anything. Pure.

use crate::course::submission::Time;
use crate::result::graded::Verdict;

/// How many cases a program may not finish before it is known to finish none.
const MOST_LATE: usize = 3;
/// The least seconds of a run, so that the start of a program is never what counts.
const LEAST: f64 = 1.0;

/// What is known of a submission's program from its runs until now.
#[derive(Debug, Default)]
pub(super) struct Patience {
    /// Whether a run that was stopped was stopped again when nothing else ran.
    pub(super) is_confirmed: bool,
    /// The number of cases that it did not finish, as long as it has finished none.
    late: usize,
    has_finished: bool,
}

/// When a run is stopped, and why then.
#[derive(Clone, Debug, PartialEq)]
pub(super) struct Limit {
    pub(super) seconds: f64,
    /// Of a run that is stopped.
    pub(super) why: String,
}

impl Patience {
    /// The limit on a run on a case for which the reference takes `reference` seconds.
    pub(super) fn limit(&self, reference: f64, time: &Time) -> Limit {
        let reference = reference.max(time.least);
        let limit = |seconds: f64, why: String| {
            let why = if seconds < time.seconds {
                why
            } else {
                format!("it was stopped after {} seconds", time.seconds)
            };
            Limit { seconds: seconds.min(time.seconds), why }
        };
        if !self.has_finished && self.late >= MOST_LATE {
            let why = format!(
                "it finished none of the first {MOST_LATE} cases, so it was stopped after {} times the reference's time, within which it earns all points",
                time.full
            );
            return limit(reference * time.full, why);
        }
        let why = format!(
            "it was stopped after {} times the reference's time, from where on it earns nothing",
            time.none
        );
        limit((reference * time.none).max(LEAST), why)
    }

    /// Learns from the verdict on a case.
    pub(super) fn learn(&mut self, verdict: Verdict) {
        match verdict {
            Verdict::Timeout => self.late += 1,
            Verdict::NotRun => {}
            _ => self.has_finished = true,
        }
    }
}

#[cfg(test)]
#[expect(clippy::float_cmp, reason = "these are exact")]
mod tests {
    use super::*;

    const TIME: Time = Time { seconds: 35.0, full: 4.0, none: 30.0, least: 0.125, runs: 3 };

    #[test]
    fn a_run_stops_where_it_earns_nothing_any_more() {
        let seconds = |reference| Patience::default().limit(reference, &TIME).seconds;
        assert_eq!([0.001, 0.5, 2.0].map(seconds), [3.75, 15.0, 35.0]);
        let short = Time { none: 4.0, ..TIME };
        assert_eq!(Patience::default().limit(0.001, &short).seconds, LEAST);
        assert!(Patience::default().limit(2.0, &TIME).why.contains("35 seconds"));
    }

    #[test]
    fn only_a_program_that_finishes_nothing_gets_less_time() {
        let mut patience = Patience::default();
        for _ in 0..MOST_LATE {
            assert_eq!(patience.limit(0.25, &TIME).seconds, 7.5);
            patience.learn(Verdict::Timeout);
        }
        assert_eq!(patience.limit(0.25, &TIME).seconds, 1.0);
        patience.learn(Verdict::Wrong);
        assert_eq!(patience.limit(0.25, &TIME).seconds, 7.5);
    }
}
