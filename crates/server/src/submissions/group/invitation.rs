//! Students invite each other, and accept or decline. Nobody comes into a group unasked, and groups are made before anybody of them hands
//! in: afterwards, somebody would gain attempts, or the points of others.

use super::change::join;
use super::{Group, handed_in, lock};
use crate::audit;
use crate::database::{Connection, Result};
use crate::people::{Person, Role};
use crate::rules::{Moment, Rules};
use crate::submissions::day::dates;
use harness::diagnostic::Problem;

/// What became of what a student asked for: done, or why not.
pub type Done = std::result::Result<(), Problem>;

/// How many a student may invite. The table holds no more.
const MOST: i64 = 10;

fn no(message: impl Into<String>, hint: &str) -> Done {
    Err(Problem::new(message).hint(hint))
}

/// An invitation that is open.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Invitation {
    pub id: i64,
    pub at: Moment,
    pub inviter: Person,
    /// The login of who is invited.
    pub login: String,
    /// The group of the inviter.
    pub group: Group,
}

/// The open invitations to a student, and those from the student.
///
/// # Errors
/// If the database fails.
pub fn open(
    connection: &mut Connection<'_>,
    assignment: &str,
    student: i64,
) -> Result<(Vec<Invitation>, Vec<Invitation>)> {
    let sql = format!(
        "select {}, group_invitation.id, group_invitation.at, invited.login \
         from group_invitation join person on person.id = group_invitation.inviter \
         join person invited on invited.id = group_invitation.person \
         where group_invitation.assignment = $1 and group_invitation.state = 'open' \
         and (group_invitation.person = $2 or group_invitation.inviter = $2) \
         order by group_invitation.id",
        Person::COLUMNS
    );
    let mut all = Vec::new();
    for row in connection.query(&sql, &[assignment.into(), student.into()])? {
        let inviter = Person::of(&row);
        let group = Group::of(connection, assignment, &inviter)?;
        let (id, at, login) = (row.int(8), Moment(row.int(9)), row.text(10));
        all.push(Invitation { id, at, inviter, login, group });
    }
    Ok(all.into_iter().partition(|it| it.inviter.id != student))
}

/// The invitations that a student can accept.
///
/// # Errors
/// If the database fails.
pub fn acceptable(
    connection: &mut Connection<'_>,
    rules: &Rules,
    assignment: &str,
    student: &Person,
) -> Result<Vec<Invitation>> {
    let (to_me, _) = open(connection, assignment, student.id)?;
    let own = Group::of(connection, assignment, student)?;
    if to_me.is_empty() || may_grow(connection, rules, assignment, &own)?.is_err() {
        return Ok(Vec::new());
    }
    let mut all = Vec::new();
    for it in to_me {
        if own.is_alone() && may_grow(connection, rules, assignment, &it.group)?.is_ok() {
            all.push(it);
        }
    }
    Ok(all)
}

/// Until when the students of a group decide with whom they hand in.
///
/// # Errors
/// If the database fails.
pub fn until(
    connection: &mut Connection<'_>,
    rules: &Rules,
    assignment: &str,
    group: &Group,
) -> Result<Option<Moment>> {
    let until = rules.of(assignment).groups_until(&rules.time_zone);
    Ok(match until {
        Some(until) => Some(until),
        None => dates(connection, rules, group, assignment)?.due,
    })
}

/// Whether a student may add others to a group, or why not.
///
/// # Errors
/// If the database fails.
pub fn may_grow(
    connection: &mut Connection<'_>,
    rules: &Rules,
    assignment: &str,
    group: &Group,
) -> Result<Done> {
    let Some(groups) = rules.of(assignment).groups else {
        return Ok(no("each student works alone", "the course has no groups for this assignment"));
    };
    let until = until(connection, rules, assignment, group)?;
    let now = Moment(connection.now()?);
    if let Some(until) = until.filter(|until| now > *until) {
        let until = rules.time_zone.shown(until);
        return Ok(no(format!("groups were made until {until}"), "ask the staff"));
    }
    if let Some(login) = handed_in(connection, assignment, &group.ids())? {
        return Ok(no(
            format!("{login} handed in already"),
            "from then on, only staff change a group",
        ));
    }
    if group.members.len() as i64 >= groups.value.most {
        let most = groups.value.most;
        return Ok(no("the group is full", &format!("it has {most} students at most")));
    }
    Ok(Ok(()))
}

/// Invites a student by login.
///
/// # Errors
/// If the database fails.
pub fn invite(
    connection: &mut Connection<'_>,
    rules: &Rules,
    assignment: &str,
    inviter: &Person,
    login: &str,
) -> Result<Done> {
    connection.hold(&lock(assignment))?;
    let group = Group::of(connection, assignment, inviter)?;
    if let Err(problem) = may_grow(connection, rules, assignment, &group)? {
        return Ok(Err(problem));
    }
    let invited = Person::by_login(connection, login.trim())?;
    let Some(invited) = invited.filter(|it| it.role == Role::Student && it.is_active) else {
        return Ok(no(
            "no student has this login",
            "write the login with which the other signs in",
        ));
    };
    if invited.id == inviter.id {
        return Ok(no("this is your own login", "write that of the other"));
    }
    if !Group::of(connection, assignment, &invited)?.is_alone() {
        return Ok(no(format!("{login} is in a group already"), "only staff change that"));
    }
    if handed_in(connection, assignment, &[invited.id])?.is_some() {
        return Ok(no(
            format!("{login} handed in alone already"),
            "then only staff put you together",
        ));
    }
    let (to_me, _) = open(connection, assignment, inviter.id)?;
    if to_me.iter().any(|it| it.group.ids().contains(&invited.id)) {
        return Ok(no(format!("{login} invited you already"), "accept that invitation instead"));
    }
    add(connection, assignment, inviter, &invited)
}

fn add(
    connection: &mut Connection<'_>,
    assignment: &str,
    inviter: &Person,
    invited: &Person,
) -> Result<Done> {
    let sql = "select person, number, state from group_invitation \
        where assignment = $1 and inviter = $2";
    let all = connection.query(sql, &[assignment.into(), inviter.id.into()])?;
    if let Some(before) = all.iter().find(|row| row.int(0) == invited.id) {
        return match before.text(2).as_str() {
            "open" => Ok(Ok(())),
            _ => Ok(no(format!("{} declined", invited.login), "only they can invite you")),
        };
    }
    let free = (1..=MOST).find(|number| !all.iter().any(|row| row.int(1) == *number));
    let Some(number) = free else {
        return Ok(no(format!("you invited {MOST} students"), "take an invitation back"));
    };
    let now = connection.now()?;
    let sql = "insert into group_invitation (assignment, inviter, person, number, state, at) \
        values ($1, $2, $3, $4, 'open', $5)";
    let values =
        [assignment.into(), inviter.id.into(), invited.id.into(), number.into(), now.into()];
    connection.execute(sql, &values)?;
    Ok(Ok(()))
}

/// Accepts an invitation, if the group is still the one that the student saw: these logins.
///
/// # Errors
/// If the database fails.
pub fn accept(
    connection: &mut Connection<'_>,
    rules: &Rules,
    assignment: &str,
    student: &Person,
    (id, seen): (i64, &str),
) -> Result<Done> {
    connection.hold(&lock(assignment))?;
    let (to_me, _) = open(connection, assignment, student.id)?;
    let Some(it) = to_me.into_iter().find(|it| it.id == id) else { return Ok(over()) };
    if !Group::of(connection, assignment, student)?.is_alone() {
        return Ok(no("you are in a group already", "only staff change that"));
    }
    if it.group.logins() != seen {
        return Ok(no("the group has changed", "look who is in it, and accept again"));
    }
    let active = it.group.members.iter().all(|it| it.role == Role::Student && it.is_active);
    if !active {
        return Ok(no("one of them has left the course", "ask the staff"));
    }
    let may = may_grow(connection, rules, assignment, &it.group)?;
    if may.is_err() {
        return Ok(may);
    }
    if handed_in(connection, assignment, &[student.id])?.is_some() {
        return Ok(no("you handed in alone already", "then only staff put you together"));
    }
    let most = rules.of(assignment).groups.map_or(0, |it| it.value.most);
    let entry = audit::Entry {
        person: Some(student.id),
        action: "accept group invitation",
        object: &format!("student {}, {assignment}", student.login),
        reason: "",
    };
    join(connection, assignment, &it.group, student, most, &entry)?;
    Ok(Ok(()))
}

/// Declines an invitation. The same student cannot invite again.
///
/// # Errors
/// If the database fails.
pub fn decline(connection: &mut Connection<'_>, student: &Person, id: i64) -> Result<Done> {
    let sql = "update group_invitation set state = 'declined' \
        where id = $1 and person = $2 and state = 'open'";
    Ok(changed(connection.execute(sql, &[id.into(), student.id.into()])?))
}

/// Takes an invitation back.
///
/// # Errors
/// If the database fails.
pub fn withdraw(connection: &mut Connection<'_>, student: &Person, id: i64) -> Result<Done> {
    let sql = "delete from group_invitation where id = $1 and inviter = $2 and state = 'open'";
    Ok(changed(connection.execute(sql, &[id.into(), student.id.into()])?))
}

fn changed(rows: u64) -> Done {
    if rows == 0 { over() } else { Ok(()) }
}

fn over() -> Done {
    no("this invitation is not open any more", "it was answered or taken back")
}
