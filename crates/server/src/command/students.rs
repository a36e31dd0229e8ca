//! `harness serve students`: reads the students of the course from a table.

use super::{Settings, of_database, say};
use crate::people::roster::{self, Plan, Roster, plan::links};
use harness::cli::serve::Students;
use harness::command::terminal;
use harness::diagnostic::{Failure, Problem, Warning};
use harness::exit::Exit;

/// The most lines of one kind that are printed.
const MOST: usize = 20;

pub(super) async fn run(settings: Settings, options: &Students) -> Result<Exit, Failure> {
    let name = options.file.display();
    let bytes = std::fs::read(&options.file).map_err(|error| {
        let problem = Problem::new(format!("cannot read {name}: {error}"));
        Failure::usage(problem.hint("name a table with the columns login, name and section"))
    })?;
    let Roster { entries, unused } = roster::parse(&bytes).map_err(wrong)?;
    for note in unused {
        terminal::say(&Warning(note));
    }
    let database = settings.open().await?;
    let (apply, deactivate) = (options.apply, options.deactivate);
    let done = database.write(move |connection| {
        let plan = match roster::plan(connection, &entries)? {
            Ok(plan) => plan,
            Err(problems) => return Ok(Err(problems)),
        };
        let gone = plan.missing.iter().filter(|_| deactivate).map(|it| it.login.clone()).collect();
        let invited =
            if apply { Some(roster::apply(connection, &plan, &gone, None)?) } else { None };
        Ok(Ok((plan, invited)))
    });
    let (plan, invited) = done.await.map_err(of_database)?.map_err(wrong)?;
    for line in told(&plan, options) {
        eprintln!("{line}");
    }
    match invited {
        Some(invited) => say(links(&settings.url(), &invited).trim_end()),
        None => eprintln!("Nothing is changed yet. --apply changes it."),
    }
    Ok(Exit::Done)
}

fn wrong(problems: Vec<Problem>) -> Failure {
    let mut problems = problems.into_iter();
    let first = problems.next().unwrap_or_else(|| Problem::new("the table cannot be used"));
    let mut failure = Failure::usage(first);
    failure.problems.extend(problems);
    failure
}

/// What the table changes, in lines.
fn told(plan: &Plan, options: &Students) -> Vec<String> {
    let Plan { new, changed, same, missing } = plan;
    let counts = (new.len(), changed.len(), missing.len());
    let (new_ones, changed_ones, gone) = counts;
    let first =
        format!("{new_ones} new, {changed_ones} changed, {same} as before, {gone} not in the file");
    let changed: Vec<_> = changed
        .iter()
        .flat_map(|it| it.differences().into_iter().map(|one| (it.before.login.clone(), one)))
        .map(|(login, it)| {
            format!("  {login}: {} `{}` instead of `{}`", it.what, it.after, it.before)
        })
        .collect();
    let kept = if options.deactivate { "can no longer sign in" } else { "not in the file, kept" };
    let lists = [
        new.iter().map(|it| format!("  {}: new", it.login)).collect(),
        changed,
        missing.iter().map(|it| format!("  {}: {kept}", it.login)).collect::<Vec<_>>(),
    ];
    let mut lines = vec![first];
    for list in lists {
        let more = list.len().saturating_sub(MOST);
        lines.extend(list.into_iter().take(MOST));
        lines.extend((more > 0).then(|| format!("  … and {more} more")));
    }
    lines
}
