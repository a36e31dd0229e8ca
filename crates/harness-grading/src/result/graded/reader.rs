//! Cuts a submission's result down to what one reader may see.

use super::{CaseReport, SubmissionReport};
use crate::course::{Audience, CaseLevel, Submission};
use std::collections::BTreeMap;

/// What one reader may see of the cases.
pub struct CaseReader {
    /// The level of each group, by its name.
    levels: BTreeMap<String, CaseLevel>,
    /// The level of the student's own tests.
    own: CaseLevel,
    /// Whether time and memory were asked for.
    shows_measures: bool,
}

impl CaseReader {
    pub fn new(submission: &Submission, audience: Audience, shows_measures: bool) -> Self {
        let most = submission.feedback.level(audience);
        let level =
            |show: CaseLevel| if audience == Audience::Staff { most } else { most.min(show) };
        let levels =
            submission.cases.iter().map(|group| (group.name.clone(), level(group.show))).collect();
        Self { levels, own: most, shows_measures }
    }
}

impl SubmissionReport {
    /// Removes what the reader may not see. The student's tests are cut by [`Reader`](crate::result::reader::Reader).
    #[must_use]
    pub fn for_reader(mut self, reader: &CaseReader) -> Self {
        for group in &mut self.groups {
            let level = reader.levels.get(&group.name).copied().unwrap_or(CaseLevel::None);
            if level < CaseLevel::Verdict {
                group.cases.clear();
            }
            for case in &mut group.cases {
                cut(case, level, reader.shows_measures);
            }
        }
        if reader.own < CaseLevel::Full {
            self.own = None;
        }
        if reader.own < CaseLevel::Verdict {
            self.leaks = self.leaks.map(|mut leaks| {
                leaks.leaks.clear();
                leaks.errors.clear();
                leaks
            });
        }
        self
    }
}

fn cut(case: &mut CaseReport, level: CaseLevel, shows_measures: bool) {
    if level < CaseLevel::Measures || !shows_measures {
        case.measures = None;
    }
    if level < CaseLevel::Full {
        case.shown = None;
        // The options are part of the input.
        case.command.truncate(1);
    }
}
