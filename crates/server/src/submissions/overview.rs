//! How a student stands with one assignment: the day, the dates, and what counts. Home, page and client show the same.

use super::day::{Day, dates};
use super::group::Group;
use super::standing::{self, Standing};
use crate::database::{Connection, Result};
use crate::people::Person;
use crate::rules::{Assignment, Counts, Dates, Moment, Rules};

/// How a student stands with one assignment.
#[derive(Clone, Debug)]
pub struct Overview {
    pub now: Moment,
    /// With whom the student hands in.
    pub group: Group,
    pub rules: Assignment,
    pub phase: Phase,
    pub dates: Dates,
    pub day: Day,
    /// What stands, the first submission first.
    pub all: Vec<Standing>,
    pub counts: Counts,
    /// The one that counts.
    pub counting: Option<Standing>,
    /// When points are shown, if they are not yet.
    pub withheld_until: Option<Moment>,
}

/// Whether an assignment takes submissions.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Phase {
    NotYet,
    Open,
    /// After the due date, before the end.
    Late,
    Closed,
}

impl Phase {
    pub fn word(self) -> &'static str {
        match self {
            Self::NotYet => "not yet open",
            Self::Open => "open",
            Self::Late => "late",
            Self::Closed => "closed",
        }
    }

    /// The class of the style.
    pub fn class(self) -> &'static str {
        match self {
            Self::NotYet => "not-yet",
            Self::Open => "open",
            Self::Late => "late",
            Self::Closed => "closed",
        }
    }

    /// Whether it takes submissions of students.
    pub fn takes(self) -> bool {
        matches!(self, Self::Open | Self::Late)
    }
}

impl Overview {
    /// # Errors
    /// If the database fails.
    pub fn of(
        connection: &mut Connection<'_>,
        rules: &Rules,
        student: &Person,
        assignment: &str,
    ) -> Result<Self> {
        let now = Moment(connection.now()?);
        let group = Group::of(connection, assignment, student)?;
        let dates = dates(connection, rules, &group, assignment)?;
        let own = rules.of(assignment);
        let is_after = |moment: Option<Moment>| moment.is_some_and(|it| now > it);
        let phase = match () {
            () if dates.opens.is_some_and(|opens| now < opens) => Phase::NotYet,
            () if is_after(dates.closes) => Phase::Closed,
            () if is_after(dates.in_time()) => Phase::Late,
            () => Phase::Open,
        };
        let all = standing::all(connection, rules, group.keeper, assignment)?;
        let counts = standing::choice(connection, rules, group.keeper, assignment)?;
        let counting = standing::counting(&all, counts).cloned();
        Ok(Self {
            now,
            phase,
            dates,
            day: Day::of(connection, rules, &group, assignment, now)?,
            all,
            counts,
            counting,
            withheld_until: own.scores(&rules.time_zone).filter(|scores| now < *scores),
            rules: own,
            group,
        })
    }

    /// The most bugs that a submission exposed.
    pub fn most_exposed(&self) -> i64 {
        self.all.iter().filter_map(|it| it.exposed).max().unwrap_or(0)
    }
}
