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
        let limit = |times: f64, least: f64, why: &dyn Fn(String) -> String| {
            let seconds = (reference * times).max(least);
            // The same words whatever the reference took this time.
            let why = if seconds < time.seconds {
                why(format!(
                    "it was stopped after {times} times the reference's time, or after {} if that is longer",
                    in_seconds(least)
                ))
            } else {
                format!("it was stopped after {}", in_seconds(time.seconds))
            };
            Limit { seconds: seconds.min(time.seconds), why }
        };
        if !self.has_finished && self.late >= MOST_LATE {
            return limit(time.full, time.least * time.full, &|stopped| {
                format!(
                    "it finished none of the first {MOST_LATE} cases, so {stopped}, within which it earns all points"
                )
            });
        }
        limit(time.none, (time.least * time.none).max(LEAST), &|stopped| {
            format!("{stopped}, from where on it earns nothing")
        })
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

/// A number of seconds, for people.
fn in_seconds(seconds: f64) -> String {
    let thousandths = (seconds * 1000.0).round();
    let plural = if thousandths as u64 == 1000 { "" } else { "s" };
    format!("{} second{plural}", thousandths / 1000.0)
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
    fn the_reason_names_the_least_time_that_counts() {
        let why = |seconds, patience: &Patience| {
            patience.limit(seconds, &Time { least: 1.0, full: 2.0, none: 6.0, ..TIME }).why
        };
        let mut patience = Patience::default();
        let nothing = "it was stopped after 6 times the reference's time, or after 6 seconds if that is longer, from where on it earns nothing";
        assert_eq!([0.06, 2.0].map(|seconds| why(seconds, &patience)), [nothing; 2]);
        patience.late = MOST_LATE;
        let less = "it finished none of the first 3 cases, so it was stopped after 2 times the reference's time, or after 2 seconds if that is longer, within which it earns all points";
        assert_eq!(why(0.06, &patience), less);
        let least = Time { least: 0.1, none: 4.0, ..TIME };
        let why = Patience::default().limit(0.01, &least).why;
        assert!(why.contains("or after 1 second if that is longer"), "{why}");
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
