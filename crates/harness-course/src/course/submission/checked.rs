//! Checks what the course file says of submissions, and reads their cases.

use super::{Arguments, Leaks, Parts, Submission, Time};
use crate::course::FILE;
use crate::course::cases::{self, CaseGroup};
use crate::course::check::Check;
use crate::course::yaml::Spanned;
use crate::diagnostic::Problem;

impl Check<'_> {
    /// A submission. That of unit tests, in the files `tests`, has no program.
    pub(in crate::course) fn submission(
        &mut self,
        written: Spanned<Submission>,
        tests: Option<&[String]>,
    ) -> Option<Submission> {
        let (source, whole) = (self.source, self.source.place(&written));
        let place = |key: &str| source.place_of_key(&whole, key);
        let mut submission = written.value;
        let (read, unfit) = if let Some(tests) = tests {
            let read = no_program(&submission).map_err(|(key, problem)| problem.at(place(key)));
            submission.settle_tests(tests);
            (read, None)
        } else {
            let read = self.cases(&submission).map_err(|problem| Problem {
                place: problem.place.clone().or_else(|| Some(place("cases"))),
                ..problem
            });
            (read, submission.program.problem(self.folder).or_else(|| submission.settle()))
        };
        let paths = submission.pack.iter().map(|path| ("pack", path));
        for (key, path) in paths.chain(submission.given.iter().map(|path| ("given", path))) {
            if self.folder.join(path).exists() {
                continue;
            }
            let problem = Problem::new(format!("there is no file or folder {}", path.display()));
            let hint = format!("paths are relative to the folder of {FILE}");
            self.problems.push(problem.hint(hint).at(place(key)));
        }
        if let Some(message) = unfit_time(&submission.time) {
            self.problems.push(Problem::new(message).at(place("time")));
        }
        if let Some((message, hint)) = submission.build.problem() {
            self.problems.push(Problem::new(message).hint(hint).at(place("build")));
        }
        if let Some((message, hint)) = unfit {
            // The message begins with the key, or is about the program.
            let place = place(message.split(['`', '.']).nth(1).unwrap_or_default());
            self.problems.push(Problem::new(message).hint(hint).at(place));
        }
        match read {
            Ok(groups) => {
                submission.cases = groups;
                Some(submission)
            }
            Err(problem) => {
                self.problems.push(problem);
                None
            }
        }
    }

    /// The cases on which the program of a submission runs.
    fn cases(&self, submission: &Submission) -> Result<Vec<CaseGroup>, Problem> {
        let (Some(name), true) = (&submission.cases_file, submission.has_program()) else {
            let key = if submission.has_program() { "cases" } else { "program" };
            let hint = "`program` is what the build makes, and `cases` the file of its cases";
            return Err(Problem::new(format!("missing field `{key}`")).hint(hint));
        };
        let file = self.folder.join(name);
        if file.is_file() {
            return cases::read(&file);
        }
        let hint = format!("paths are relative to the folder of {FILE}");
        Err(Problem::new(format!("there is no file {}", name.display())).hint(hint))
    }
}

/// What is wrong with the limits on time.
fn unfit_time(time: &Time) -> Option<String> {
    let Time { seconds, full, none, least, runs } = *time;
    let positive = [("seconds", seconds), ("full", full), ("runs", f64::from(runs))];
    if let Some((key, value)) =
        positive.into_iter().find(|(_, value)| value.is_nan() || *value <= 0.0)
    {
        return Some(format!("`{key}` is {value}, and must be more than 0"));
    }
    if none.is_nan() || none <= full {
        return Some(format!("`none` is {none}, and must be more than `full`, which is {full}"));
    }
    (least.is_nan() || least < 0.0).then(|| format!("`least` is {least}, and must be at least 0"))
}

/// The cases of a submission of unit tests: none, since they test functions, and no program is run on inputs. If that is wrong, the first
/// key that means nothing is told too.
fn no_program(submission: &Submission) -> Result<Vec<CaseGroup>, (&'static str, Problem)> {
    let keys = keys_of_programs(submission);
    let message = match &*keys {
        [] => return Ok(Vec::new()),
        [key] => format!("`{key}` has no effect where tests are unit tests"),
        keys => format!("`{}` have no effect where tests are unit tests", keys.join("`, `")),
    };
    let problem = Problem::new(message);
    Err((keys[0], problem.hint("remove what is for programs: what is graded is the tests")))
}

/// The keys of settings for programs that are built and run, where they differ from what is usual.
fn keys_of_programs(submission: &Submission) -> Vec<&'static str> {
    let Parts { cases, leaks, .. } = submission.points;
    let has_points = |points: Option<f64>| points.is_some_and(|points| points > 0.0);
    let keys = [
        ("program", submission.has_program()),
        ("arguments", submission.arguments != Arguments::default()),
        ("flags", submission.flags.is_some()),
        ("cases", submission.cases_file.is_some()),
        ("time", submission.time != Time::default()),
        ("memory_mb", submission.memory_mb != super::one_gigabyte()),
        ("output_kb", submission.output_kb != super::thirty_two_megabytes()),
        ("stderr_kb", submission.stderr_kb != super::sixty_four_kilobytes()),
        ("leaks", submission.leaks != Leaks::default()),
        ("points.cases", has_points(cases)),
        ("points.leaks", has_points(leaks)),
        ("scoreboard", submission.scoreboard.is_some()),
    ];
    keys.into_iter().filter(|(_, is_set)| *is_set).map(|(key, _)| key).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_limit_on_time_that_is_wrong_is_named_with_its_value() {
        let unfit = |text: &str| unfit_time(&serde_yaml::from_str(text).unwrap());
        assert_eq!(unfit("{ full: 2, none: 4 }"), None);
        let message = "`none` is 3, and must be more than `full`, which is 9";
        assert_eq!(unfit("{ full: 9, none: 3 }").as_deref(), Some(message));
        let message = unfit("{ runs: 0 }");
        assert_eq!(message.as_deref(), Some("`runs` is 0, and must be more than 0"));
    }
}
