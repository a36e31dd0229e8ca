//! The page of `mutants mine`: programs × deviations × mutants. It is for staff.

use super::{DeviationMined, Mined, ProgramMined, SuitesMined};
use askama::Template;
use harness::report::html;

/// Mutants that are named beside a deviation.
const MOST_LIKE: usize = 5;

#[derive(Template)]
#[template(path = "mined.html")]
struct MinedPage<'a> {
    title: &'a str,
    mined: &'a Mined,
    /// The programs that differ, without those that are `apart`.
    differing: Vec<&'a ProgramMined>,
    right: Vec<&'a ProgramMined>,
    untried: Vec<&'a ProgramMined>,
    apart: Vec<&'a ProgramMined>,
    deviations: Vec<Row<'a>>,
    suites: Option<&'a SuitesMined>,
}

/// A deviation.
struct Row<'a> {
    deviation: &'a DeviationMined,
    /// How it differs on its smallest test.
    how: &'static str,
    /// The mutant that it is, or the one that is most like it.
    mutant: &'a str,
    /// The mutants that show on the most of its cases, with the part in percent.
    like: Vec<(&'a str, usize)>,
}

/// The page of a report.
pub fn page(course: &str, title: &str, mined: &Mined) -> String {
    let programs = mined.programs.iter();
    let differs = |it: &&ProgramMined| it.is_compared() && it.differing > 0;
    let page = MinedPage {
        title,
        mined,
        differing: programs.clone().filter(differs).collect(),
        right: programs.clone().filter(|program| program.is_right()).collect(),
        apart: programs.clone().filter(|program| program.is_apart()).collect(),
        untried: programs.filter(|program| program.tried == 0).collect(),
        deviations: mined.deviations.iter().map(row).collect(),
        suites: mined.suites.as_ref(),
    };
    html::page(course, title, page.render().expect("a `String` takes any text"))
}

fn row(deviation: &DeviationMined) -> Row<'_> {
    let part = |both: usize, all: usize| (100 * both).checked_div(all).unwrap_or_default();
    let like = deviation.mutants.iter().take(MOST_LIKE).map(|like| {
        let all = like.both + like.only_deviation + like.only_mutant;
        (like.mutant.as_str(), part(like.both, all))
    });
    let like: Vec<_> = like.collect();
    let nearest = like.first().map_or("", |(mutant, _)| mutant);
    Row {
        deviation,
        how: deviation.smallest.as_ref().map_or("output", |it| it.outcomes.how.word()),
        mutant: deviation.mutant.as_deref().unwrap_or(nearest),
        like,
    }
}
