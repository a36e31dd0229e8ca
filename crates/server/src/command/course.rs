//! `harness serve course`: gives the server a new version of the course.

use super::{Settings, of_database, say};
use crate::audit;
use crate::courses::{self, short};
use crate::database::{Connection, Result};
use harness::cli::serve::NewCourse;
use harness::command::pack;
use harness::course::Course;
use harness::diagnostic::Failure;
use harness::exit::Exit;
use harness::run::prepare;

pub(super) async fn run(settings: Settings, new: &NewCourse) -> std::result::Result<Exit, Failure> {
    let folder = new.folder.as_ref().unwrap_or(&settings.course);
    let course = Course::read(folder)?;
    for assignment in &course.assignments {
        // What the server could not read later is refused now.
        prepare::bugs(&course, assignment)?;
    }
    let bytes = pack::course(&course)?;
    let (size, title, apply) = (bytes.len().div_ceil(1024), course.title.clone(), new.apply);
    let database = settings.open().await?;
    let stored = database.write(move |connection| store(connection, &bytes, &title, apply));
    let stored = stored.await.map_err(of_database)?;
    let version = short(&stored.digest);
    if stored.is_new {
        say(&format!("Stored version {version} of {}, {size} kB", course.title));
    } else {
        say(&format!("Version {version} of {} was stored before", course.title));
    }
    if stored.was_in_force {
        say("It is in force.");
    } else if apply {
        say("Submissions from now on are graded with it. Earlier ones keep their results.");
    } else {
        say("It is not in force. `harness serve course --apply` uses it from now on.");
    }
    Ok(Exit::Done)
}

struct Stored {
    digest: String,
    is_new: bool,
    was_in_force: bool,
}

fn store(
    connection: &mut Connection<'_>,
    bytes: &[u8],
    title: &str,
    apply: bool,
) -> Result<Stored> {
    let digest = crate::secret::sha256(bytes);
    let known = "select 1 from course where digest = $1";
    let is_new = connection.first(known, &[(&digest).into()])?.is_none();
    courses::add(connection, bytes, title, None)?;
    let before = courses::in_force(connection)?;
    let was_in_force = before.as_ref() == Some(&digest);
    let entry = |action| audit::Entry { person: None, action, object: title, reason: "" };
    if is_new {
        audit::add(connection, &entry("store course"), None::<&str>, &digest)?;
    }
    if apply && !was_in_force {
        courses::put_in_force(connection, &digest, None)?;
        audit::add(connection, &entry("put course in force"), &before, &digest)?;
    }
    Ok(Stored { digest, is_new, was_in_force })
}
