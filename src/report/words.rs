//! Phrases for counts, points and reasons that all formats share.

use crate::course::{Audience, Points, ScoredBy};
use crate::diagnostic::command_line;
use crate::domain::shortened;
use crate::result::coverage::CoverageReport;
use crate::result::graded::SubmissionReport;
use crate::result::score::Score;
use crate::result::{Exposure, HintReport, Refusal, SuiteReport, TestReport};

/// `3 tests`, `1 test`.
pub fn counted(count: usize, noun: &str) -> String {
    format!("{count} {noun}{}", if count == 1 { "" } else { "s" })
}

/// The word for a mutant in a report: "mutant" for staff, "bug" for students.
pub(super) fn noun(audience: Audience) -> &'static str {
    if audience == Audience::Staff { "mutant" } else { "bug" }
}

/// A text with a capital letter at the start. The rest stays as it is.
pub fn capitalized(text: &str) -> String {
    let mut letters = text.chars();
    letters.next().map_or_else(String::new, |first| first.to_uppercase().chain(letters).collect())
}

/// A number of points without trailing zeros.
pub(super) fn number(points: f64) -> String {
    format!("{points:.2}").trim_end_matches('0').trim_end_matches('.').to_owned()
}

/// How many lines of the reference are reached.
pub(super) fn covered(coverage: &CoverageReport) -> String {
    let lines = coverage.lines.map_or_else(|| "lines".to_owned(), |lines| counted(lines, "line"));
    format!("{} % of the {lines} of the right program; no point depends on it", coverage.percent)
}

/// Lines such as `3, 7-9`.
pub fn lines(ranges: &[[usize; 2]]) -> String {
    let range = |[first, last]: &[usize; 2]| {
        if first == last { first.to_string() } else { format!("{first}-{last}") }
    };
    ranges.iter().map(range).collect::<Vec<_>>().join(", ")
}

/// Why a test was rejected, and where.
pub(super) fn reason(test: &TestReport) -> String {
    let reason = test.reason.as_deref().unwrap_or_default();
    place(test).map_or_else(|| reason.to_owned(), |place| format!("{place}: {reason}"))
}

/// What staff must know of a suite: where its tests are if not where they belong, and why it has no valid test.
pub(super) fn notes(suite: &SuiteReport) -> Vec<String> {
    let first = suite.rejected().next().filter(|_| suite.valid_tests() == 0);
    let why = first.map(|test| format!("{}: {}", test.file, reason(test)));
    suite.note.iter().cloned().chain(why).collect()
}

/// The place where a test breaks a rule, if it is known.
pub(super) fn place(test: &TestReport) -> Option<String> {
    match (test.line?, test.column) {
        (line, Some(column)) => Some(format!("line {line}, column {column}")),
        (line, None) => Some(format!("line {line}")),
    }
}

/// That a test exposes so many bugs that none of them counts.
pub(super) fn too_broad(bugs: usize) -> String {
    format!("exposes {bugs} bugs, more than count for one test")
}

/// That the program must refuse a test.
pub(super) fn refused(refusal: &Refusal) -> String {
    format!("refused with status {}", refusal.status)
}

/// The command line of a test, of which a long one is cut. Where no command runs it, `program` is empty.
pub(crate) fn command(program: &str, args: &[String]) -> String {
    let program = Some(program).filter(|program| !program.is_empty());
    line(program.into_iter().chain(args.iter().map(String::as_str)))
}

/// The words of a command as one line, which is cut if it is long.
pub(super) fn line(words: impl IntoIterator<Item = impl AsRef<str>>) -> String {
    const MOST: usize = 200;
    shortened(&command_line(words), MOST)
}

/// The first test that exposes a mutant, and how many more do.
pub(super) fn exposed_by(exposures: &[Exposure]) -> String {
    let Some((first, more)) = exposures.split_first() else { return String::new() };
    let more = if more.is_empty() { String::new() } else { format!(" and {} more", more.len()) };
    format!("{} ({}){more}", first.file, first.how.word())
}

/// The same in fewer columns.
pub(super) fn exposed_by_briefly(exposures: &[Exposure]) -> String {
    let Some((first, more)) = exposures.split_first() else { return String::new() };
    let more = if more.is_empty() { String::new() } else { format!(", +{}", more.len()) };
    format!("{} ({}){more}", first.file, first.how.word())
}

/// A hint, with its mutant if the reader may see that.
pub(super) fn hint(HintReport { mutant, hint, .. }: &HintReport) -> String {
    let mutant = mutant.as_ref().map(|id| format!(" ({id})")).unwrap_or_default();
    format!("{hint}{mutant}")
}

/// The word for what counts in a score. `noun` is the one for a mutant.
pub(super) fn scored(by: ScoredBy, noun: &str) -> &str {
    if by.is_mutants() { noun } else { "behaviour" }
}

/// The word for what counts in the scores of submissions.
pub(super) fn scored_in(submissions: &[SubmissionReport]) -> &'static str {
    let by = |report: &SubmissionReport| Some(report.tests.as_ref()?.score.as_ref()?.by);
    scored(submissions.iter().find_map(by).unwrap_or_default(), "bug")
}

/// `23 of 65 bugs exposed`, where `noun` is `bug`.
pub(super) fn share_exposed(score: &Score, noun: &str) -> String {
    let noun = scored(score.by, noun);
    format!("{} of {} exposed", score.exposed, counted(score.mutants as usize, noun))
}

/// The words for what thresholds count. `noun` is the one for a mutant.
pub(super) fn measured(score: &Score, noun: &str) -> String {
    let noun = scored(score.by, noun);
    if score.worth.is_some() { format!("points of {noun}s") } else { format!("{noun}s") }
}

/// The thresholds: what each is for, what it needs, and whether it is reached.
pub(super) fn thresholds(score: &Score) -> Vec<(&'static str, Points, String)> {
    let mut all = vec![("first points", score.start), ("full points", score.full)];
    all.extend(score.extra_submission.map(|extra| ("an extra submission", extra)));
    all.into_iter().map(|(what, needed)| (what, needed, met(score, needed))).collect()
}

/// Whether a threshold is reached, or how much is still missing.
pub(super) fn met(score: &Score, needed: Points) -> String {
    let missing = score.reached().missing_to(needed);
    if missing.is_zero() { "reached".to_owned() } else { format!("{missing} more") }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_command_line_is_quoted_and_cut() {
        let words = |words: &[&str]| words.iter().map(|&word| word.to_owned()).collect::<Vec<_>>();
        assert_eq!(command("roman", &words(&["5 5", ""])), "roman '5 5' ''");
        let long = command("roman", &words(&["x"; 500]));
        assert_eq!(long.chars().count(), 201);
        assert!(long.ends_with(" x …"), "{long}");
    }

    #[test]
    fn only_the_first_letter_becomes_a_capital() {
        let all = ["the test of Ann in src/A.cpp", "élan", ""].map(capitalized);
        assert_eq!(all, ["The test of Ann in src/A.cpp", "Élan", ""]);
    }
}
