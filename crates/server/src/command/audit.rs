//! `harness serve audit`: checks that nobody has changed the log of what was done.

use super::{Settings, of_database, say};
use crate::audit;
use harness::cli::serve::Audit;
use harness::command::terminal;
use harness::diagnostic::{Failure, Problem};
use harness::exit::Exit;

pub(super) async fn run(settings: Settings, options: &Audit) -> Result<Exit, Failure> {
    let known = options.known.clone().map(|it| it.trim().to_lowercase()).unwrap_or_default();
    if options.known.is_some() && known.len() < 8 {
        let problem = Problem::new("--known is too short to be of one entry only");
        return Err(Failure::usage(problem.hint("give at least the first 8 letters of a digest")));
    }
    let looked_for = known.clone();
    let database = settings.open().await?;
    let found = database.read(move |connection| {
        let has = looked_for.is_empty() || audit::has(connection, &looked_for)?;
        Ok((audit::verify(connection)?, audit::head(connection)?, has))
    });
    let (whole, head, has) = found.await.map_err(of_database)?;
    let count = match whole {
        Ok(count) => count,
        Err(id) => {
            return Ok(changed(
                &format!("entry {id} does not fit"),
                "it, and the entry before it,",
            ));
        }
    };
    if !has {
        return Ok(changed(&format!("there is no entry {known} any more"), "the last entries"));
    }
    let entries = if count == 1 { "entry" } else { "entries" };
    say(&format!("The log is whole: {count} {entries}{}", last(&head)));
    Ok(Exit::Done)
}

fn changed(how: &str, what: &str) -> Exit {
    let problem = Problem::new(format!("the log was changed: {how}"));
    terminal::say(&problem.hint(format!("compare {what} with a backup")));
    Exit::UnderThreshold
}

/// How a log is told apart from one whose last entries were removed.
pub(super) fn last(head: &str) -> String {
    if head.is_empty() { String::new() } else { format!(", the last is {head}") }
}
