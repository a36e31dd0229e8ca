//! `harness score --watch`: scores again whenever something changes, and shows only what is different.
//!
//! Programs are built once, and workers stay alive, until the course itself changes.

use super::noticed::{Changed, Changes, Watched};
use super::{Scoring, TESTS_AT_ONCE, build, runner};
use crate::catalogue::Mutant;
use crate::cli;
use crate::command::screen;
use crate::course::{Audience, Course, Program};
use crate::problem::progress::Progress;
use crate::problem::{Exit, Failure};
use crate::report::changes;
use crate::report::format::{About, Format};
use crate::report::text::Text;
use crate::result::SuiteReport;
use crate::result::reader::Reader;
use crate::run::interrupt;
use crate::run::matrix::Runner;
use crate::run::prepare;
use crate::suite::layout::{self, Group};
use std::collections::{BTreeMap, BTreeSet};
use std::io::{self, Write};

/// The results, by assignment and suite.
type Results = BTreeMap<(String, String), SuiteReport>;

pub(super) fn run(options: &cli::Score) -> Result<Exit, Failure> {
    interrupt::end_at_once();
    let mut results = None;
    let mut watched =
        Watched { suites: options.folder.clone(), course: vec![options.course.clone()] };
    loop {
        if let Ok(course) = Course::read(&options.course) {
            watched = Watched::all(options, &course);
        }
        // What changes from here on is noticed, so the course is read once more.
        let changes = Changes::notice(&watched)?;
        match Course::read(&options.course) {
            Ok(course) => Session { options, course: &course, ready: BTreeMap::new() }.watch(
                changes,
                &watched,
                &mut results,
            )?,
            Err(failure) => {
                tell(failure, results.is_some())?;
                changes.wait()?;
            }
        }
    }
}

/// What is kept as long as the course is the same.
struct Session<'a> {
    options: &'a cli::Score,
    course: &'a Course,
    ready: BTreeMap<&'a str, Ready>,
}

/// What is needed to score an assignment again.
struct Ready {
    mutants: Vec<Mutant>,
    runner: Box<dyn Runner>,
    reader: Reader,
}

impl Session<'_> {
    /// Scores again and again, until the course changes.
    fn watch(
        &mut self,
        mut changes: Changes,
        watched: &Watched,
        results: &mut Option<Results>,
    ) -> Result<(), Failure> {
        loop {
            match self.score(results.as_ref()) {
                Ok(new) => *results = Some(new),
                Err(failure) => tell(failure, results.is_some())?,
            }
            if changes.wait()? == Changed::Course {
                return print("\nThe course has changed.\n");
            }
            changes = Changes::notice(watched)?;
        }
    }

    /// Scores everything, and tells all of it, or what is different from `before`.
    fn score(&mut self, before: Option<&Results>) -> Result<Results, Failure> {
        let groups =
            layout::find(&self.options.folder, self.course, self.options.assignment.as_deref())?;
        self.prepare(&groups)?;
        let mut results = Results::new();
        for group in &groups {
            for suite in self.suites(group)? {
                results.insert((group.assignment.id.clone(), suite.name.clone()), suite);
            }
        }
        match before {
            None => self.tell_all(&groups, &results)?,
            Some(before) => {
                tell_difference(
                    before,
                    &results,
                    self.options.audience.unwrap_or(Audience::Staff),
                )?;
            }
        }
        Ok(results)
    }

    /// Builds what is not built yet.
    fn prepare(&mut self, groups: &[Group<'_>]) -> Result<(), Failure> {
        let is_new = |group: &&Group<'_>| !self.ready.contains_key(group.assignment.id.as_str());
        let mut new = Vec::new();
        let mut catalogues = Vec::new();
        for group in groups.iter().filter(is_new) {
            let assignment = self.course.assignment(&group.assignment.id)?;
            catalogues.push(prepare::bugs(self.course, assignment)?);
            new.push(Group {
                assignment,
                shape: group.shape,
                folder: group.folder.clone(),
                suites: Vec::new(),
            });
        }
        let builds = build(self.course, &new, &catalogues, self.options)?;
        for ((group, mutants), built) in new.iter().zip(catalogues).zip(builds) {
            let runner = runner(group.assignment, &mutants, &built, self.options);
            let reader = Reader::new(
                group.assignment,
                self.options.audience.unwrap_or(Audience::Staff),
                &mutants,
            )?;
            self.ready.insert(&group.assignment.id, Ready { mutants, runner, reader });
        }
        Ok(())
    }

    /// The results of the suites of a group, as their reader may see them.
    fn suites(&mut self, group: &Group<'_>) -> Result<Vec<SuiteReport>, Failure> {
        let Ready { mutants, runner, reader } =
            self.ready.get_mut(group.assignment.id.as_str()).expect("it was prepared");
        let _progress = Progress::new(&group.assignment.title, None);
        let scoring = Scoring { options: self.options, assignment: group.assignment, mutants };
        let at_once = (TESTS_AT_ONCE / group.assignment.tests.files as usize).max(1);
        let mut all = Vec::new();
        for folders in group.suites.chunks(at_once) {
            all.extend(
                scoring
                    .suites(folders, runner.as_mut(), None)?
                    .into_iter()
                    .map(|suite| reader.suite(suite)),
            );
        }
        Ok(all)
    }

    /// The first report is that of `score`.
    fn tell_all(&self, groups: &[Group<'_>], results: &Results) -> Result<(), Failure> {
        let mut text = Text::new(io::stdout().lock(), screen());
        let mut write = || -> io::Result<()> {
            for group in groups {
                let Ready { mutants, reader, .. } = &self.ready[group.assignment.id.as_str()];
                let names: Vec<_> =
                    group.suites.iter().map(|folder| layout::folder_name(folder)).collect();
                let (assignment, level, shape) = (group.assignment, reader.level, group.shape);
                text.assignment(&About {
                    assignment,
                    level,
                    mutants: &reader.mutants(mutants),
                    shape,
                    audience: self.options.audience.unwrap_or(Audience::Staff),
                    names: &names,
                })?;
                names.iter().try_for_each(|name| {
                    text.suite(&results[&(assignment.id.clone(), name.clone())])
                })?;
                text.end_assignment()?;
            }
            Ok(())
        };
        write().map_err(|error| Failure::unwritten("the report", &error))?;
        drop(text);
        let by_commands = groups
            .iter()
            .filter(|group| matches!(group.assignment.program, Program::Commands { .. }))
            .map(|group| &group.assignment.id);
        let unnoticed: Vec<_> = by_commands.map(|id| format!("`{id}`")).collect();
        let unnoticed = match unnoticed.as_slice() {
            [] => String::new(),
            ids => format!(
                " What the commands of {} build or run is not watched: start anew when it changes.",
                ids.join(", ")
            ),
        };
        print(&format!(
            "Watching {} and the course; Ctrl-C ends.{unnoticed}\n",
            self.options.folder.display()
        ))
    }
}

/// Tells what is different, suite by suite.
fn tell_difference(before: &Results, after: &Results, audience: Audience) -> Result<(), Failure> {
    let suites: BTreeSet<_> = before.keys().chain(after.keys()).collect();
    let mut told = Vec::new();
    for key in &suites {
        let changes =
            changes::Changes { before: before.get(*key), after: after.get(*key), audience };
        if !changes.is_empty() {
            let heading =
                if suites.len() > 1 { format!("{} ({})\n", key.1, key.0) } else { String::new() };
            told.push(format!("\n{heading}{changes}"));
        }
    }
    if told.is_empty() { print("\nThe result is the same.\n") } else { print(&told.concat()) }
}

/// Says what went wrong, and goes on if that is because of a change.
fn tell(failure: Failure, goes_on: bool) -> Result<(), Failure> {
    if !goes_on || failure.exit == Exit::Machine {
        return Err(failure);
    }
    failure.problems.iter().try_for_each(|problem| print(&format!("\n{problem}\n")))
}

fn print(text: &str) -> Result<(), Failure> {
    let mut stdout = io::stdout().lock();
    stdout
        .write_all(screen().fit(text).as_bytes())
        .and_then(|()| stdout.flush())
        .map_err(|error| Failure::unwritten("the report", &error))
}
