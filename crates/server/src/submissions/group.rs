//! Who hands in together for an assignment. One member keeps what all of them hand in: it is stored as that student's. So a group has one
//! limit, one set of submissions and one grade, as a student has who works alone.
//!
//! Nothing moves when a student joins: what the student handed in alone stays where it is, and does not count meanwhile.

pub mod change;
pub mod invitation;

use super::Submission;
use crate::database::{Connection, Result};
use crate::people::{Person, sight};
use std::collections::BTreeMap;

/// Who hands in together. A student who works alone is a group of one.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Group {
    /// The member under whom its submissions are stored.
    pub keeper: i64,
    /// Never empty. The keeper comes first.
    pub members: Vec<Person>,
}

impl Group {
    pub fn alone(student: &Person) -> Self {
        Self { keeper: student.id, members: vec![student.clone()] }
    }

    /// The group of a student.
    ///
    /// # Errors
    /// If the database fails.
    pub fn of(connection: &mut Connection<'_>, assignment: &str, student: &Person) -> Result<Self> {
        let sql = format!(
            "select {}, member.keeper from member own \
             join member on member.assignment = own.assignment and member.keeper = own.keeper \
             join person on person.id = member.person \
             where own.assignment = $1 and own.person = $2 order by member.place",
            Person::COLUMNS
        );
        let rows = connection.query(&sql, &[assignment.into(), student.id.into()])?;
        Ok(match rows.first() {
            Some(row) => {
                Self { keeper: row.int(8), members: rows.iter().map(Person::of).collect() }
            }
            None => Self::alone(student),
        })
    }

    /// The same. It stays as it is until this transaction ends.
    ///
    /// # Errors
    /// If the database fails.
    pub fn shared(
        connection: &mut Connection<'_>,
        assignment: &str,
        student: &Person,
    ) -> Result<Self> {
        connection.share(&lock(assignment))?;
        Self::of(connection, assignment, student)
    }

    /// Those whose submission it is: the group of its keeper, or a student who handed it in alone.
    ///
    /// # Errors
    /// If the database fails.
    pub fn of_submission(
        connection: &mut Connection<'_>,
        submission: &Submission,
    ) -> Result<Option<Self>> {
        let Some(student) = Person::find(connection, submission.person)? else { return Ok(None) };
        let group = Self::of(connection, &submission.assignment, &student)?;
        Ok(Some(if group.keeper == student.id { group } else { Self::alone(&student) }))
    }

    pub fn is_alone(&self) -> bool {
        self.members.len() == 1
    }

    pub fn ids(&self) -> Vec<i64> {
        self.members.iter().map(|it| it.id).collect()
    }

    /// The logins, with spaces between them.
    pub fn logins(&self) -> String {
        let all: Vec<_> = self.members.iter().map(|it| it.login.as_str()).collect();
        all.join(" ")
    }

    /// The other members.
    pub fn others(&self, than: i64) -> Vec<&Person> {
        self.members.iter().filter(|it| it.id != than).collect()
    }
}

/// The name of the lock of all groups of an assignment. Whoever hands in shares it, and whoever changes a group holds it.
fn lock(assignment: &str) -> String {
    format!("groups of {assignment}")
}

/// The groups of an assignment, by their keepers. Students who work alone are in none.
///
/// # Errors
/// If the database fails.
pub fn all(connection: &mut Connection<'_>, assignment: &str) -> Result<BTreeMap<i64, Group>> {
    let sql = format!(
        "select {}, member.keeper from member join person on person.id = member.person \
         where member.assignment = $1 order by member.keeper, member.place",
        Person::COLUMNS
    );
    let mut groups: BTreeMap<i64, Group> = BTreeMap::new();
    for row in connection.query(&sql, &[assignment.into()])? {
        let keeper = row.int(8);
        let group = groups.entry(keeper).or_insert_with(|| Group { keeper, members: Vec::new() });
        group.members.push(Person::of(&row));
    }
    Ok(groups)
}

/// The keeper of each member of these groups.
pub fn keepers(groups: &BTreeMap<i64, Group>) -> BTreeMap<i64, i64> {
    groups.values().flat_map(|it| it.ids().into_iter().map(|id| (id, it.keeper))).collect()
}

/// The names of some students, as a page lists them.
pub fn names(students: &[Person]) -> String {
    let all: Vec<_> = students.iter().map(|it| it.name.as_str()).collect();
    all.join(", ")
}

/// Which of these students handed something in for an assignment, alone or in a group: the first login.
///
/// # Errors
/// If the database fails.
pub fn handed_in(
    connection: &mut Connection<'_>,
    assignment: &str,
    students: &[i64],
) -> Result<Option<String>> {
    let sql = format!(
        "select person.login from submission join person on person.id = submission.person \
         where submission.assignment = $1 and submission.person in ({}) limit 1",
        sight::numbers(2, students.len())
    );
    let mut values = vec![assignment.into()];
    values.extend(students.iter().map(|id| (*id).into()));
    Ok(connection.first(&sql, &values)?.map(|row| row.text(0)))
}
