//! `harness score DIR --watch`: scores again whenever something changes, and shows only the differences.
//!
//! Programs are built once, workers stay alive, and unit tests that stay the same do not run again, until the course itself changes.

use super::changes::{Changed, Changes, Watched};
use super::request::Request;
use crate::catalogue::Mutant;
use crate::command::screen;
use crate::command::terminal::Terminal;
use crate::course::{Audience, Course};
use crate::diagnostic::progress::Progress;
use crate::diagnostic::{Failure, FailureKind};
use crate::exit::Exit;
use crate::grading::counted;
use crate::grading::scorer::{Scorer, Sink};
use crate::interrupt;
use crate::report::changes;
use crate::report::text::Text;
use crate::report::writer::{About, Writer};
use crate::result::reader::Reader;
use crate::result::{LeftOut, SuiteReport};
use crate::run::build;
use crate::suite::layout::{self, Group};
use std::collections::{BTreeMap, BTreeSet};
use std::io::{self, Write};

/// The results, by assignment and suite.
type Results = BTreeMap<(String, String), SuiteReport>;

/// Watches until Ctrl-C is pressed.
pub(super) fn run(request: &Request, audience: Option<Audience>) -> Result<Exit, Failure> {
    interrupt::end_at_once();
    let audience = audience.unwrap_or(Audience::Staff);
    let mut results = None;
    let mut watched = Watched::course_file(request);
    loop {
        if let Ok(course) = Course::read(&request.course) {
            watched = Watched::all(request, &course);
        }
        // The course may have changed before the watch began, so it is read once more.
        let changes = Changes::notice(&watched)?;
        match Course::read(&request.course) {
            Ok(course) => {
                let ready = BTreeMap::new();
                Session { request, audience, course: &course, ready }
                    .watch(changes, &mut results)?;
            }
            Err(failure) => {
                report(failure, results.is_some())?;
                changes.wait()?;
            }
        }
    }
}

/// What is kept while the course stays the same.
struct Session<'a> {
    request: &'a Request,
    audience: Audience,
    course: &'a Course,
    /// What scores each assignment, and what its reader may see.
    ready: BTreeMap<&'a str, (Scorer<'a>, Reader)>,
}

impl<'a> Session<'a> {
    /// Scores again and again, until the course changes.
    fn watch(
        &mut self,
        mut changes: Changes,
        results: &mut Option<Results>,
    ) -> Result<(), Failure> {
        loop {
            match self.score(results.as_ref()) {
                Ok(new) => *results = Some(new),
                Err(failure) => report(failure, results.is_some())?,
            }
            // Now that the programs are built, all their sources are known.
            let watched = Watched::all(self.request, self.course);
            changes.notice_sources(&watched)?;
            if changes.wait()? == Changed::Course {
                return print("\nThe course has changed.\n");
            }
            changes = Changes::notice(&watched)?;
        }
    }

    /// Scores all suites, and prints the whole report, or the differences from `before`.
    fn score(&mut self, before: Option<&Results>) -> Result<Results, Failure> {
        let (folder, id) = (&self.request.folder, self.request.assignment.as_deref());
        let groups = layout::find(folder, self.course, id, self.request.reading)?;
        self.prepare(&groups)?;
        let mut results = Results::new();
        for group in &groups {
            let assignment = &group.assignment.id;
            let (scorer, reader) = self.ready.get_mut(assignment.as_str()).expect("it is prepared");
            let _progress = Progress::new(&group.assignment.title, None);
            let mut visible = VisibleResults { assignment, reader, results: &mut results };
            scorer.score(&group.suites, &mut visible)?;
        }
        match before {
            None => self.print_all(&groups, &results)?,
            Some(before) => print_differences(before, &results, self.audience)?,
        }
        Ok(results)
    }

    /// Builds the programs that are not built yet.
    fn prepare(&mut self, groups: &[Group<'a>]) -> Result<(), Failure> {
        let is_new = |group: &&Group<'a>| !self.ready.contains_key(group.assignment.id.as_str());
        let on = Terminal::new(self.request.is_for_staff());
        let mut assignments = Vec::new();
        for group in groups.iter().filter(is_new) {
            let declared = counted::declared(self.course, group.assignment, &on)?;
            assignments.push((group.assignment, declared));
        }
        let ids: Vec<_> = assignments.iter().map(|(assignment, _)| *assignment).collect();
        let scorers = Scorer::build_all(self.course, assignments, &self.request.settings, &on)?;
        for (assignment, mut scorer) in ids.into_iter().zip(scorers) {
            scorer.remember();
            let reader = Reader::new(assignment, self.audience, &scorer.mutants)?;
            self.ready.insert(&assignment.id, (scorer, reader));
        }
        Ok(())
    }

    /// The first report is that of `score`.
    fn print_all(&self, groups: &[Group<'_>], results: &Results) -> Result<(), Failure> {
        let mut text = Text::new(io::stdout().lock(), screen());
        groups
            .iter()
            .try_for_each(|group| self.print_group(&mut text, group, results))
            .map_err(|error| Failure::unwritten("the report", &error))?;
        drop(text);
        let unwatched = groups.iter().map(|group| group.assignment);
        let unwatched =
            unwatched.filter(|assignment| build::sources(self.course, assignment).is_empty());
        let ids: Vec<_> = unwatched.map(|assignment| format!("`{}`", assignment.id)).collect();
        let note = match ids.as_slice() {
            [] => String::new(),
            ids => format!(
                " Files that the commands of {} build or run are not watched; restart when they change.",
                ids.join(", ")
            ),
        };
        let folder = self.request.folder.display();
        print(&format!("Watching {folder} and the course; press Ctrl-C to stop.{note}\n"))
    }

    fn print_group(
        &self,
        text: &mut impl Writer,
        group: &Group<'_>,
        results: &Results,
    ) -> io::Result<()> {
        let (Scorer { mutants, .. }, reader) = &self.ready[group.assignment.id.as_str()];
        let names: Vec<_> = group.suites.iter().map(|suite| suite.name.clone()).collect();
        text.assignment(&About {
            assignment: group.assignment,
            level: reader.level,
            mutants: &reader.mutants(mutants),
            shape: group.shape,
            mutant_names: &reader.names(mutants),
            catalogue: None,
            audience: self.audience,
            names: &names,
            inner_folders: group.inner_folders(),
            left_out: &group.strays.iter().cloned().map(LeftOut::from).collect::<Vec<_>>(),
            files: &BTreeMap::new(),
        })?;
        names.iter().try_for_each(|name| {
            text.suite(&results[&(group.assignment.id.clone(), name.clone())])
        })?;
        text.end_assignment()
    }
}

/// Collects the results of an assignment, cut down to what the reader may see.
struct VisibleResults<'a> {
    assignment: &'a str,
    reader: &'a Reader,
    results: &'a mut Results,
}

impl Sink for VisibleResults<'_> {
    fn suites(&mut self, suites: Vec<SuiteReport>, _: &[Mutant]) -> Result<(), Failure> {
        for suite in suites {
            let suite = self.reader.suite(suite);
            self.results.insert((self.assignment.to_owned(), suite.name.clone()), suite);
        }
        Ok(())
    }
}

/// Prints what is different, suite by suite.
fn print_differences(before: &Results, after: &Results, audience: Audience) -> Result<(), Failure> {
    let suites: BTreeSet<_> = before.keys().chain(after.keys()).collect();
    let mut printed = Vec::new();
    for key in &suites {
        let changes =
            changes::Changes { before: before.get(*key), after: after.get(*key), audience };
        if !changes.is_empty() {
            let heading =
                if suites.len() > 1 { format!("{} ({})\n", key.1, key.0) } else { String::new() };
            printed.push(format!("\n{heading}{changes}"));
        }
    }
    if printed.is_empty() { print("\nNothing has changed.\n") } else { print(&printed.concat()) }
}

/// Prints a failure that the next change may repair. Any other failure ends the watch.
fn report(failure: Failure, may_continue: bool) -> Result<(), Failure> {
    if !may_continue || failure.kind == FailureKind::Machine {
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
