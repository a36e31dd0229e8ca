//! A person of the course.

use crate::database::{Connection, Result, Row};

/// What a person may do. Each role may do what those before it may.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Role {
    Student,
    /// Sees the students of some sections.
    Grader,
    /// Sees and changes everything but people's roles.
    Staff,
    Administrator,
}

impl Role {
    pub const ALL: [Self; 4] = [Self::Student, Self::Grader, Self::Staff, Self::Administrator];

    pub fn word(self) -> &'static str {
        match self {
            Self::Student => "student",
            Self::Grader => "grader",
            Self::Staff => "staff",
            Self::Administrator => "administrator",
        }
    }

    /// The role that this word names.
    pub fn of(word: &str) -> Option<Self> {
        Self::ALL.into_iter().find(|role| role.word() == word)
    }
}

/// A person of the course.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Person {
    pub id: i64,
    pub login: String,
    pub name: String,
    pub section: String,
    pub role: Role,
    /// The sections that a grader sees. Empty: all.
    pub sees: Vec<String>,
    /// Minutes that each due date is later.
    pub extra_minutes: i64,
    pub is_active: bool,
}

impl Person {
    /// The columns of a query that [`of`](Self::of) reads first. The table is called `person`.
    pub const COLUMNS: &str = "person.id, person.login, person.name, person.section, person.role, \
        person.sees, person.extra_minutes, person.active";

    /// The person in the first columns of a row.
    pub fn of(row: &Row) -> Self {
        let sees = row.text(5);
        Self {
            id: row.int(0),
            login: row.text(1),
            name: row.text(2),
            section: row.text(3),
            role: Role::of(&row.text(4)).expect("the database allows only roles"),
            sees: sees
                .split(',')
                .map(str::trim)
                .filter(|it| !it.is_empty())
                .map(Into::into)
                .collect(),
            extra_minutes: row.int(6),
            is_active: row.is(7),
        }
    }

    /// # Errors
    /// If the database fails.
    pub fn find(connection: &mut Connection<'_>, id: i64) -> Result<Option<Self>> {
        let sql = format!("select {} from person where id = $1", Self::COLUMNS);
        Ok(connection.first(&sql, &[id.into()])?.map(|row| Self::of(&row)))
    }

    /// # Errors
    /// If the database fails.
    pub fn by_login(connection: &mut Connection<'_>, login: &str) -> Result<Option<Self>> {
        let sql = format!("select {} from person where login = $1", Self::COLUMNS);
        Ok(connection.first(&sql, &[login.into()])?.map(|row| Self::of(&row)))
    }

    /// Whether this person may see what `other` handed in.
    pub fn may_see(&self, other: &Self) -> bool {
        match self.role {
            _ if self.id == other.id => true,
            Role::Student => false,
            Role::Grader => {
                other.role == Role::Student
                    && (self.sees.is_empty() || self.sees.contains(&other.section))
            }
            Role::Staff | Role::Administrator => true,
        }
    }
}
