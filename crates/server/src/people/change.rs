//! Inviting people and changing what they may do. All of it is in the audit log, and one administrator always stays.

use super::{Person, Role, invitation, session};
use crate::audit;
use crate::database::{Connection, Result};
use harness::diagnostic::Problem;
use serde::Serialize;

/// What administrators decide about a person.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct Standing {
    pub role: &'static str,
    /// The sections that a grader sees. Empty: all.
    pub sees: Vec<String>,
    pub is_active: bool,
}

impl Standing {
    pub fn of(person: &Person) -> Self {
        Self { role: person.role.word(), sees: person.sees.clone(), is_active: person.is_active }
    }
}

/// Changes what a person may do. Who may not sign in any more is signed out.
///
/// # Errors
/// If the database fails. The inner one is for who asks: nobody may remove the last administrator.
pub fn set(
    connection: &mut Connection<'_>,
    by: Option<i64>,
    login: &str,
    after: &Standing,
) -> Result<std::result::Result<(), Problem>> {
    // Two administrators could remove each other at the same time.
    connection.hold("administrators")?;
    let Some(person) = Person::by_login(connection, login)? else {
        return Ok(Err(Problem::new("there is no such person")));
    };
    let before = Standing::of(&person);
    if before == *after {
        return Ok(Ok(()));
    }
    let is_administrator = after.role == Role::Administrator.word() && after.is_active;
    if !is_administrator && is_last_administrator(connection, &person)? {
        let problem = Problem::new(format!("nobody but {} is an administrator", person.name));
        return Ok(Err(problem.hint("make somebody else an administrator first")));
    }
    connection.execute(
        "update person set role = $1, sees = $2, active = $3 where id = $4",
        &[
            after.role.into(),
            after.sees.join(", ").into(),
            after.is_active.into(),
            person.id.into(),
        ],
    )?;
    if !after.is_active {
        session::end_all(connection, person.id)?;
        connection.execute("delete from invitation where person = $1", &[person.id.into()])?;
    }
    let object = format!("person {login}");
    let entry = audit::Entry { person: by, action: "change role", object: &object, reason: "" };
    audit::add(connection, &entry, before, after)?;
    Ok(Ok(()))
}

fn is_last_administrator(connection: &mut Connection<'_>, person: &Person) -> Result<bool> {
    if person.role != Role::Administrator || !person.is_active {
        return Ok(false);
    }
    let sql =
        "select 1 from person where role = 'administrator' and active = 1 and id <> $1 limit 1";
    Ok(connection.first(sql, &[person.id.into()])?.is_none())
}

/// Who is invited. What is not said of a person that exists stays as it is.
#[derive(Clone, Debug)]
pub struct Guest {
    pub login: String,
    pub name: Option<String>,
    pub role: Option<Role>,
}

/// Makes the person, if there is no such login, and an invitation, whose secret is given.
///
/// # Errors
/// If the database fails. The inner one is for who asks.
pub fn invite(
    connection: &mut Connection<'_>,
    by: Option<i64>,
    guest: &Guest,
) -> Result<std::result::Result<String, Problem>> {
    let login = guest.login.as_str();
    let name = guest.name.as_deref().map(str::trim).filter(|name| !name.is_empty());
    match Person::by_login(connection, login)? {
        None => add(connection, by, guest, name.unwrap_or(login))?,
        Some(person) => {
            let role = guest.role.unwrap_or(person.role).word();
            let standing = Standing { role, is_active: true, ..Standing::of(&person) };
            if let Err(problem) = set(connection, by, login, &standing)? {
                return Ok(Err(problem));
            }
            if let Some(name) = name {
                let sql = "update person set name = $1 where id = $2";
                connection.execute(sql, &[name.into(), person.id.into()])?;
            }
        }
    }
    let person = Person::by_login(connection, login)?;
    let person = person.expect("the person was found or added in this transaction");
    invitation::send(connection, by, &person).map(Ok)
}

fn add(connection: &mut Connection<'_>, by: Option<i64>, guest: &Guest, name: &str) -> Result<()> {
    let role = guest.role.unwrap_or(Role::Student).word();
    let now = connection.now()?;
    connection.execute(
        "insert into person (login, name, role, created) values ($1, $2, $3, $4)",
        &[(&guest.login).into(), name.into(), role.into(), now.into()],
    )?;
    let object = format!("person {}", guest.login);
    let entry = audit::Entry { person: by, action: "add person", object: &object, reason: "" };
    let standing = Standing { role, sees: Vec::new(), is_active: true };
    audit::add(connection, &entry, (), standing)
}
