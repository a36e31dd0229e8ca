//! `harness serve audit`: checks that nobody has changed the log of what was done.

use super::{Settings, of_database, say};
use crate::audit;
use harness::diagnostic::{Failure, Problem, print};
use harness::exit::Exit;

pub(super) async fn run(settings: Settings) -> Result<Exit, Failure> {
    let database = settings.open().await?;
    match database.read(audit::verify).await.map_err(of_database)? {
        Ok(1) => say("The log is whole: 1 entry"),
        Ok(count) => say(&format!("The log is whole: {count} entries")),
        Err(id) => {
            let problem = Problem::new(format!("the log was changed: entry {id} does not fit"));
            let hint = "compare it, and the entry before it, with a backup";
            print(&[problem.hint(hint)]);
            return Ok(Exit::UnderThreshold);
        }
    }
    Ok(Exit::Done)
}
