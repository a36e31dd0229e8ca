//! What a roster changes, and the change itself: one transaction, in the audit log. Nobody is removed: passwords, submissions and roles
//! stay.

use super::Entry;
use crate::audit;
use crate::database::{Connection, Result};
use crate::people::{Person, Role, invitation, session};
use crate::rules::lengths::whole;
use harness::diagnostic::Problem;
use serde::Serialize;
use std::collections::{BTreeMap, BTreeSet};

/// What a roster changes.
#[derive(Clone, Debug, Default)]
pub struct Plan {
    pub new: Vec<Entry>,
    pub changed: Vec<Changed>,
    /// How many people stay as they are.
    pub same: usize,
    /// The students who are not in the file.
    pub missing: Vec<Person>,
}

/// A person whom the roster changes.
#[derive(Clone, Debug)]
pub struct Changed {
    pub before: Person,
    pub after: Person,
}

/// One thing that changes, in words.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct Difference {
    pub what: &'static str,
    pub before: String,
    pub after: String,
}

impl Changed {
    pub fn differences(&self) -> Vec<Difference> {
        let active = |person: &Person| if person.is_active { "active" } else { "not active" };
        let pair = |what, of: &dyn Fn(&Person) -> String| {
            let (before, after) = (of(&self.before), of(&self.after));
            (before != after).then_some(Difference { what, before, after })
        };
        let all = [
            pair("name", &|person| person.name.clone()),
            pair("section", &|person| person.section.clone()),
            pair("extra time", &|person| whole(person.extra_minutes)),
            pair("state", &|person| active(person).to_owned()),
        ];
        all.into_iter().flatten().collect()
    }
}

/// The link with which a new student begins.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Invited {
    pub login: String,
    pub name: String,
    pub secret: String,
}

/// What the entries change.
///
/// # Errors
/// If the database fails.
pub fn plan(
    connection: &mut Connection<'_>,
    entries: &[Entry],
) -> Result<std::result::Result<Plan, Vec<Problem>>> {
    let sql = format!("select {} from person order by login", Person::COLUMNS);
    let people: Vec<_> = connection.query(&sql, &[])?.iter().map(Person::of).collect();
    let known: BTreeMap<_, _> =
        people.iter().map(|person| (person.login.to_lowercase(), person)).collect();
    let (mut plan, mut problems, mut named) = (Plan::default(), Vec::new(), BTreeSet::new());
    for entry in entries {
        let Some(person) = known.get(&entry.login.to_lowercase()) else {
            plan.new.push(entry.clone());
            continue;
        };
        if person.login != entry.login {
            let (line, login, other) = (entry.line, &entry.login, &person.login);
            let message = format!("line {line}: `{login}` is known as `{other}`");
            problems.push(Problem::new(message).hint(format!("write `{other}`")));
        }
        named.insert(person.id);
        let after = with(person, entry);
        if after == **person {
            plan.same += 1;
        } else {
            plan.changed.push(Changed { before: (*person).clone(), after });
        }
    }
    plan.missing = people
        .into_iter()
        .filter(|it| it.role == Role::Student && it.is_active && !named.contains(&it.id))
        .collect();
    Ok(if problems.is_empty() { Ok(plan) } else { Err(problems) })
}

/// The person, as an entry says. Who was kept from signing in and is in the file again may do so again.
fn with(person: &Person, entry: &Entry) -> Person {
    let mut after = person.clone();
    after.name.clone_from(entry.name.as_ref().unwrap_or(&person.name));
    after.section.clone_from(entry.section.as_ref().unwrap_or(&person.section));
    after.extra_minutes = entry.extra_minutes.unwrap_or(person.extra_minutes);
    after.is_active = true;
    after
}

/// Changes what the plan says, and keeps those `deactivated` from signing in who are missing in the file. Gives the links of those who are
/// new: nobody can read them again.
///
/// # Errors
/// If the database fails.
pub fn apply(
    connection: &mut Connection<'_>,
    plan: &Plan,
    deactivated: &BTreeSet<String>,
    by: Option<i64>,
) -> Result<Vec<Invited>> {
    let mut invited = Vec::new();
    for entry in &plan.new {
        invited.push(add(connection, entry)?);
    }
    for Changed { before, after } in &plan.changed {
        change(connection, before, after, by)?;
    }
    let gone: Vec<_> =
        plan.missing.iter().filter(|person| deactivated.contains(&person.login)).collect();
    for person in &gone {
        let after = Person { is_active: false, ..(*person).clone() };
        change(connection, person, &after, by)?;
        session::end_all(connection, person.id)?;
    }
    let entry =
        audit::Entry { person: by, action: "read students", object: "students", reason: "" };
    let logins: Vec<_> = invited.iter().map(|it| &it.login).collect();
    let after = serde_json::json!({
        "new": logins, "changed": plan.changed.len(), "same": plan.same,
        "not_in_the_file": plan.missing.len(), "deactivated": gone.len(),
    });
    audit::add(connection, &entry, (), after)?;
    Ok(invited)
}

fn add(connection: &mut Connection<'_>, entry: &Entry) -> Result<Invited> {
    let now = connection.now()?;
    let name = entry.name.clone().unwrap_or_else(|| entry.login.clone());
    let id = connection.insert(
        "insert into person (login, name, section, role, extra_minutes, created) \
         values ($1, $2, $3, 'student', $4, $5)",
        &[
            (&entry.login).into(),
            (&name).into(),
            entry.section.clone().unwrap_or_default().into(),
            entry.extra_minutes.unwrap_or_default().into(),
            now.into(),
        ],
    )?;
    let secret = invitation::make(connection, id)?;
    Ok(Invited { login: entry.login.clone(), name, secret })
}

fn change(
    connection: &mut Connection<'_>,
    before: &Person,
    after: &Person,
    by: Option<i64>,
) -> Result<()> {
    connection.execute(
        "update person set name = $1, section = $2, extra_minutes = $3, active = $4 where id = $5",
        &[
            (&after.name).into(),
            (&after.section).into(),
            after.extra_minutes.into(),
            after.is_active.into(),
            after.id.into(),
        ],
    )?;
    let object = format!("student {}", before.login);
    let entry = audit::Entry { person: by, action: "change student", object: &object, reason: "" };
    let changed = Changed { before: before.clone(), after: after.clone() };
    let all = changed.differences();
    let values = |of: fn(&Difference) -> &String| -> BTreeMap<_, _> {
        all.iter().map(|it| (it.what, of(it).clone())).collect()
    };
    audit::add(connection, &entry, values(|it| &it.before), values(|it| &it.after))
}

/// New links for all active students who have not set a password yet. Earlier links of theirs end.
///
/// # Errors
/// If the database fails.
pub fn invite_again(connection: &mut Connection<'_>, by: Option<i64>) -> Result<Vec<Invited>> {
    let sql = "select id, login, name from person \
        where role = 'student' and active = 1 and password is null order by login";
    let mut invited = Vec::new();
    for row in connection.query(sql, &[])? {
        let secret = invitation::make(connection, row.int(0))?;
        invited.push(Invited { login: row.text(1), name: row.text(2), secret });
    }
    let entry =
        audit::Entry { person: by, action: "invite students", object: "students", reason: "" };
    let logins: Vec<_> = invited.iter().map(|it| &it.login).collect();
    audit::add(connection, &entry, (), serde_json::json!({ "invited": logins }))?;
    Ok(invited)
}

/// The links as a table: login, name and link.
pub fn links(url: &str, all: &[Invited]) -> String {
    let rows =
        all.iter().map(|it| [it.login.clone(), it.name.clone(), invitation::link(url, &it.secret)]);
    crate::sheet::text(&["login", "name", "link"], rows)
}
