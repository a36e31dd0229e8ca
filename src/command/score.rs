//! `harness score DIR`: runs every test on every mutant, and reports which bugs are exposed.

mod changes;
mod failed;
mod formats;
mod hints;
mod output;
mod request;
mod sources;
mod watch;

use crate::catalogue::Mutant;
use crate::cli;
use crate::command::terminal::Terminal;
use crate::course::{Assignment, Course};
use crate::diagnostic::progress::Progress;
use crate::diagnostic::{Failure, FailureKind, Problem};
use crate::exit::Exit;
use crate::grading::counted;
use crate::grading::scorer::{Scorer, Sink};
use crate::result::SuiteReport;
use crate::result::drawn::{DrawnTest, Shows};
use crate::run::work::Work;
use crate::suite::layout::{self, Group};
use formats::Scored;
use hints::Hints;
use output::Output;
use request::Request;

pub(super) fn run(work: &Work, options: &cli::Score) -> Result<Exit, Failure> {
    let request = Request::new(work, options)?;
    if options.watch {
        return watch::run(&request, options.audience);
    }
    let (output, tally) = score(&request)?;
    output.end()?;
    tally.exit()
}

/// Scores everything, and writes it to the reports. They also say so if the course is broken, but not if an option is refused.
fn score(request: &Request) -> Result<(Output, Tally), Failure> {
    let is_broken = |failure: &Failure| failed::write(request, failure);
    let is_there = request.course.exists();
    let course = Course::read(&request.course).inspect_err(|failure| {
        if is_there {
            is_broken(failure);
        }
    })?;
    let groups =
        layout::find(&request.folder, &course, request.assignment.as_deref(), request.reading)?;
    let on = Terminal::new(request.is_for_staff());
    let catalogues: Vec<_> = groups
        .iter()
        .map(|group| counted::declared(&course, group.assignment, &on))
        .collect::<Result<_, _>>()
        .inspect_err(is_broken)?;
    let hints = Hints::open(request, groups.iter().map(|group| group.assignment))?;
    let scored = Scored { course: &course, groups: &groups, catalogues: &catalogues };
    let output = Output::open(request, &scored)?;
    all(request, &course, &groups, catalogues, (hints.as_ref(), output), &on).inspect_err(is_broken)
}

/// Scores all groups.
fn all(
    request: &Request,
    course: &Course,
    groups: &[Group<'_>],
    catalogues: Vec<Vec<Mutant>>,
    (hints, mut output): (Option<&Hints>, Output),
    on: &Terminal,
) -> Result<(Output, Tally), Failure> {
    let assignments = groups.iter().map(|group| group.assignment).zip(catalogues).collect();
    let scorers = Scorer::build_all(course, assignments, &request.settings, on)?;
    output.begin(course)?;
    let mut tally = Tally::default();
    for (group, mut scorer) in groups.iter().zip(scorers) {
        output.assignment(group, &scorer.mutants)?;
        let progress = Progress::new(&group.assignment.title, Some(group.suites.len() as u64));
        scorer.score(
            &group.suites,
            &mut Reports {
                assignment: group.assignment,
                fail_under: request.fail_under,
                hints,
                output: &mut output,
                tally: &mut tally,
                progress: &progress,
            },
        )?;
        drop(progress);
        output.engines(&scorer.engines())?;
        output.end_assignment()?;
    }
    Ok((output, tally))
}

/// Writes the results of one assignment to the reports.
struct Reports<'a> {
    assignment: &'a Assignment,
    fail_under: Option<f64>,
    hints: Option<&'a Hints>,
    output: &'a mut Output,
    tally: &'a mut Tally,
    progress: &'a Progress,
}

impl Sink for Reports<'_> {
    fn shows(&self) -> Shows {
        self.output.shows()
    }

    fn test(&mut self, test: &DrawnTest<'_>) -> Result<(), Failure> {
        self.output.test(test)
    }

    fn suites(&mut self, mut suites: Vec<SuiteReport>, mutants: &[Mutant]) -> Result<(), Failure> {
        if let Some(hints) = self.hints {
            hints.give(self.assignment, mutants, &mut suites)?;
        }
        for suite in &suites {
            self.tally.add(suite, self.fail_under);
            self.progress.aside(|| self.output.suite(suite))?;
        }
        self.progress.add(suites.len() as u64);
        Ok(())
    }
}

/// What decides the exit status.
#[derive(Default)]
struct Tally {
    valid_tests: usize,
    is_under: bool,
}

impl Tally {
    fn add(&mut self, suite: &SuiteReport, fail_under: Option<f64>) {
        self.valid_tests += suite.valid_tests();
        let points = suite.score.as_ref().map_or(0.0, |score| score.points);
        self.is_under |= fail_under.is_some_and(|least| points < least);
    }

    fn exit(&self) -> Result<Exit, Failure> {
        if self.valid_tests == 0 {
            let problem = Problem::new("there is no valid test");
            let hint = "the report says why each file was rejected";
            return Err(Failure::new(FailureKind::NothingValid, problem.hint(hint)));
        }
        Ok(if self.is_under { Exit::UnderThreshold } else { Exit::Done })
    }
}
