//! `harness serve invite`: prints a link with which a person sets a password.

use super::{Settings, of_database, say};
use crate::people::change::{Guest, invite};
use crate::people::{Role, invitation, login};
use harness::cli::serve::{Invite, Role as Named};
use harness::diagnostic::Failure;
use harness::exit::Exit;

pub(super) async fn run(settings: Settings, options: &Invite) -> Result<Exit, Failure> {
    let guest = Guest {
        login: login::checked(&options.login).map_err(Failure::usage)?,
        name: options.name.clone(),
        role: options.role.map(role),
    };
    let database = settings.open().await?;
    let made = database.write(move |connection| invite(connection, None, &guest)).await;
    let secret = made.map_err(of_database)?.map_err(Failure::usage)?;
    say(&invitation::link(settings.url().trim_end_matches('/'), &secret));
    Ok(Exit::Done)
}

fn role(named: Named) -> Role {
    match named {
        Named::Student => Role::Student,
        Named::Grader => Role::Grader,
        Named::Staff => Role::Staff,
        Named::Administrator => Role::Administrator,
    }
}
