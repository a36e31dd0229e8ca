//! `harness serve invite`: prints a link with which a person sets a password.

use super::{Settings, of_database, say};
use crate::database::{Connection, Fault};
use crate::people::change::{Guest, invite};
use crate::people::{Person, Role, invitation, login};
use harness::cli::serve::{Invite, Role as Named};
use harness::diagnostic::{Failure, Problem, did_you_mean};
use harness::exit::Exit;

pub(super) async fn run(settings: Settings, options: &Invite) -> Result<Exit, Failure> {
    let guest = Guest {
        login: login::checked(&options.login).map_err(Failure::usage)?,
        name: options.name.clone(),
        role: options.role.map(role),
    };
    let database = settings.open().await?;
    let is_new = options.new;
    let made = database.write(move |connection| {
        if !is_new && Person::by_login(connection, &guest.login)?.is_none() {
            return Ok(Err(unknown(connection, &guest.login)?));
        }
        invite(connection, None, &guest)
    });
    let made = made.await;
    let secret = made.map_err(of_database)?.map_err(Failure::usage)?;
    say(&invitation::link(settings.url().trim_end_matches('/'), &secret));
    Ok(Exit::Done)
}

/// Nobody has this login, perhaps because it was typed wrong.
fn unknown(connection: &mut Connection<'_>, login: &str) -> Result<Problem, Fault> {
    let rows = connection.query("select login from person order by login", &[])?;
    let known: Vec<_> = rows.iter().map(|row| row.text(0)).collect();
    let near = did_you_mean(login, known.iter().map(String::as_str));
    let near = near.map(|near| format!("{near} ")).unwrap_or_default();
    let problem = Problem::new(format!("nobody has the login `{login}`"));
    Ok(problem.hint(format!("{near}`--new` makes a new person")))
}

fn role(named: Named) -> Role {
    match named {
        Named::Student => Role::Student,
        Named::Grader => Role::Grader,
        Named::Staff => Role::Staff,
        Named::Administrator => Role::Administrator,
    }
}
