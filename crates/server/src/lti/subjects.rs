//! Which account of a platform is which person.

use super::Launch;
use crate::audit;
use crate::database::{Connection, Result};
use crate::people::{Person, Role};

/// Why nobody is let in, in words for who reads it.
pub type Refused = (String, &'static str);

/// The person who follows a link. An account that is not known yet becomes that of the person with its login. So an account stays with its
/// person, whatever is written there later.
///
/// # Errors
/// If the database fails.
pub fn person(
    connection: &mut Connection<'_>,
    platform: &str,
    launch: &Launch,
) -> Result<std::result::Result<Person, Refused>> {
    const ASK: &str = "ask the staff of your course to add you";
    if let Some(known) = known(connection, platform, &launch.subject)? {
        let gone = (format!("`{}` may not sign in", known.login), ASK);
        return Ok(if known.is_active { Ok(known) } else { Err(gone) });
    }
    let Some(login) = &launch.login else {
        let hint = "staff: let the platform share what `claim` names with this tool";
        return Ok(Err(("the platform does not say who you are".to_owned(), hint)));
    };
    let person = Person::by_login(connection, login)?.filter(|person| person.is_active);
    let Some(person) = person else {
        return Ok(Err((format!("`{login}` is not in this course"), ASK)));
    };
    if person.role > Role::Student && !launch.teaches {
        let what = format!("`{login}` is staff here, and does not teach the course there");
        return Ok(Err((what, "sign in with your password instead")));
    }
    let sql = "select 1 from lti_subject where platform = $1 and person = $2";
    if connection.first(sql, &[platform.into(), person.id.into()])?.is_some() {
        let what = format!("`{login}` has another account there");
        return Ok(Err((what, "staff: forget the other account on the page of platforms")));
    }
    link(connection, platform, &launch.subject, person.id)?;
    Ok(Ok(person))
}

fn known(connection: &mut Connection<'_>, platform: &str, subject: &str) -> Result<Option<Person>> {
    let sql = format!(
        "select {} from lti_subject join person on person.id = lti_subject.person \
         where lti_subject.platform = $1 and lti_subject.subject = $2",
        Person::COLUMNS
    );
    Ok(connection.first(&sql, &[platform.into(), subject.into()])?.map(|row| Person::of(&row)))
}

/// Notes an account of a person. If the account or the person has another one, nothing changes.
pub(super) fn link(
    connection: &mut Connection<'_>,
    platform: &str,
    subject: &str,
    person: i64,
) -> Result<u64> {
    let now = connection.now()?;
    let sql = "insert into lti_subject (platform, subject, person, at) values ($1, $2, $3, $4) \
        on conflict do nothing";
    connection.execute(sql, &[platform.into(), subject.into(), person.into(), now.into()])
}

/// Forgets the accounts of a person. The next launch may link another one.
///
/// # Errors
/// If the database fails.
pub fn forget(connection: &mut Connection<'_>, by: i64, person: &Person) -> Result<u64> {
    let sql = "delete from lti_subject where person = $1";
    let count = connection.execute(sql, &[person.id.into()])?;
    let object = format!("person {}", person.login);
    let entry =
        audit::Entry { person: Some(by), action: "forget accounts", object: &object, reason: "" };
    audit::add(connection, &entry, count, 0)?;
    Ok(count)
}
