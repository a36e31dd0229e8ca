//! The members of a course on a platform: Names and Role Provisioning Services 2.0.

use super::{Context, Outside, launch::teaches, launch::without_nulls, subjects};
use crate::database::{Connection, Database, Result};
use crate::people::Role;
use crate::rules::{Claim, Platform};
use crate::sheet;
use crate::sso::Trouble;
use crate::sso::outside::{agent, blocking, page};
use crate::sso::token::within;
use serde::Deserialize;
use serde_json::Value;
use std::collections::BTreeSet;

const SCOPE: &str = "https://purl.imsglobal.org/spec/lti-nrps/scope/contextmembership.readonly";
const KIND: &str = "application/vnd.ims.lti-nrps.v2.membershipcontainer+json";

/// The most pages that are read.
const MOST_PAGES: usize = 500;

/// A member.
#[derive(Clone, Debug, Deserialize)]
pub struct Member {
    /// Text, or a number of Moodle.
    user_id: Value,
    #[serde(default)]
    name: String,
    #[serde(default)]
    given_name: String,
    #[serde(default)]
    family_name: String,
    email: Option<String>,
    lis_person_sourcedid: Option<String>,
    status: Option<String>,
    #[serde(default)]
    roles: Vec<String>,
}

#[derive(Deserialize)]
struct Page {
    #[serde(default)]
    members: Vec<Member>,
}

impl Member {
    /// What the settings call the login. None if the platform does not say it.
    pub fn login(&self, platform: &Platform) -> Option<String> {
        let named = match platform.claim {
            Claim::Email => &self.email,
            Claim::Sourcedid => &self.lis_person_sourcedid,
            // Moodle says it at a launch alone.
            Claim::Username => &None,
        };
        within(named.as_deref()?, platform.domain.as_deref()).filter(|it| !it.is_empty())
    }

    /// What the platform calls it at a launch.
    fn subject(&self) -> String {
        self.user_id.as_str().map_or_else(|| self.user_id.to_string(), str::to_owned)
    }

    pub fn teaches(&self) -> bool {
        teaches(&self.roles)
    }

    fn is_learner(&self) -> bool {
        let is = |role: &String| role == "Learner" || role.ends_with("membership#Learner");
        self.roles.iter().any(is) && !self.teaches()
    }

    fn is_active(&self) -> bool {
        self.status.as_deref().is_none_or(|status| status.eq_ignore_ascii_case("active"))
    }

    fn full_name(&self) -> String {
        if self.name.is_empty() {
            format!("{} {}", self.given_name, self.family_name).trim().to_owned()
        } else {
            self.name.clone()
        }
    }
}

/// What was read of the members.
#[derive(Debug, Default)]
pub struct Read {
    /// The students as a table with the columns login and name.
    pub table: String,
    /// Who teaches: name, and login if it is known.
    pub teachers: Vec<String>,
    /// Learners of whom the platform does not say the login.
    pub unnamed: Vec<String>,
}

/// Sorts members by what they are.
pub fn sorted(members: &[Member], platform: &Platform) -> Read {
    let (mut read, mut seen) = (Read::default(), BTreeSet::new());
    read.table = sheet::line(["login", "name"]);
    for it in members.iter().filter(|it| it.is_active()) {
        match it.login(platform) {
            Some(login) if it.is_learner() && seen.insert(login.to_lowercase()) => {
                read.table.push_str(&sheet::line([login, it.full_name()]));
            }
            None if it.is_learner() => read.unnamed.push(it.full_name()),
            _ if it.teaches() => read.teachers.push(it.full_name()),
            _ => {}
        }
    }
    read
}

impl Outside {
    /// All members of a course.
    ///
    /// # Errors
    /// If the platform does not answer, or does not let this server in.
    pub async fn members(
        &self,
        database: &Database,
        platform: &Platform,
        address: &str,
    ) -> std::result::Result<Vec<Member>, Trouble> {
        let token = self.token(database, platform, SCOPE).await?;
        let first = address.to_owned();
        blocking(move || {
            let (mut all, mut next) = (Vec::new(), Some(first.clone()));
            for _ in 0..MOST_PAGES {
                let Some(address) = next else { return Ok(all) };
                // The token is for this platform alone.
                if origin(&address) != origin(&first) {
                    return Err(Trouble::refused(format!("the next page is elsewhere: {address}")));
                }
                let request = agent().get(&address).header("accept", KIND);
                let request = request.header("authorization", format!("Bearer {token}"));
                let (read, after) = page(request.call())?;
                let read = serde_json::from_value(without_nulls(read));
                let Page { members } = read.map_err(|it| Trouble::Away(it.to_string()))?;
                all.extend(members);
                next = after;
            }
            Err(Trouble::refused("the list of members has no end"))
        })
        .await
    }
}

fn origin(address: &str) -> Option<&str> {
    let (_, rest) = address.split_once("://")?;
    let host = rest.split(['/', '?', '#']).next().unwrap_or(rest);
    Some(&address[..address.len() - rest.len() + host.len()])
}

/// Keeps who is who in a course, so that accounts are known before their first launch.
///
/// # Errors
/// If the database fails.
pub fn keep(
    connection: &mut Connection<'_>,
    context: &Context,
    platform: &Platform,
    members: &[Member],
) -> Result<()> {
    connection.execute("delete from lti_member where context = $1", &[context.id.into()])?;
    let sql = "insert into lti_member (context, subject, login) values ($1, $2, $3) on conflict do nothing";
    for it in members.iter().filter(|it| it.is_active() && it.is_learner()) {
        let Some(login) = it.login(platform) else { continue };
        connection.execute(sql, &[context.id.into(), it.subject().into(), login.into()])?;
    }
    link(connection)
}

/// Links the accounts that were read to students who are in the roster.
///
/// # Errors
/// If the database fails.
pub fn link(connection: &mut Connection<'_>) -> Result<()> {
    let sql = "select lti_context.platform, lti_member.subject, person.id from lti_member \
        join lti_context on lti_context.id = lti_member.context \
        join person on person.login = lti_member.login and person.role = $1 and person.active = 1 \
        where lti_context.connected is not null and not exists (select 1 from lti_subject \
        where lti_subject.platform = lti_context.platform and lti_subject.person = person.id)";
    for row in connection.query(sql, &[Role::Student.word().into()])? {
        subjects::link(connection, &row.text(0), &row.text(1), row.int(2))?;
    }
    Ok(())
}
