//! What is to be graded of an assignment: the submission of each student or group that counts, with how far it is.

use super::claim::{claim, give_back};
use crate::database::{Connection, Result, Row};
use crate::people::Person;
use crate::rules::{Moment, Rules};
use crate::submissions::{Submission, class};
use std::collections::BTreeMap;

/// How far a submission is.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum State {
    NotBegun,
    Draft,
    Graded,
    /// Its student sees all of it.
    Released,
}

impl State {
    pub fn word(self) -> &'static str {
        match self {
            Self::NotBegun => "not begun",
            Self::Draft => "draft",
            Self::Graded => "graded",
            Self::Released => "released",
        }
    }

    /// Whether nobody has to grade it any more.
    pub fn is_over(self) -> bool {
        matches!(self, Self::Graded | Self::Released)
    }
}

/// The submission of a student or a group that counts.
#[derive(Clone, Debug)]
pub struct Listed {
    /// Those of the group whom the viewer may see.
    pub students: Vec<Person>,
    pub submission: i64,
    pub at: Moment,
    pub state: State,
    /// What each part has, in hundredths, by name.
    pub points: BTreeMap<String, i64>,
    /// Who changed it last.
    pub by: Option<String>,
    /// Who has it open.
    pub claimed: Option<(i64, String)>,
    /// Another submission of theirs, which was graded before this one counted.
    pub graded_before: Option<i64>,
}

/// What the database has of a submission.
struct Known {
    student: i64,
    is_done: bool,
    by: Option<String>,
    claimed: Option<(i64, String, i64)>,
    /// Each part with its points, and whether it is released.
    grades: BTreeMap<String, (i64, bool)>,
}

/// The submissions that count of those whom `viewer` may see: by their logins, or by their numbers if graders see no names. Then, the
/// students without one.
///
/// # Errors
/// If the database fails.
pub fn list(
    connection: &mut Connection<'_>,
    rules: &Rules,
    viewer: &Person,
    assignment: &str,
) -> Result<(Vec<Listed>, Vec<Person>)> {
    let students = class::students(connection, viewer)?;
    let ids: Vec<_> = students.iter().map(|it| it.id).collect();
    let counting = class::counting(connection, rules, assignment, Some(&ids))?;
    let now = connection.now()?;
    let known = known(connection, assignment)?;
    let own = rules.of(assignment);
    let parts: Vec<_> = own.rubrics.0.iter().map(|(part, _)| part.as_str()).collect();
    let (mut all, mut without) = (Vec::<Listed>::new(), Vec::new());
    let mut places: BTreeMap<i64, usize> = BTreeMap::new();
    for student in students {
        let Some(it) = counting.get(&student.id) else {
            without.push(student);
            continue;
        };
        let submission = it.standing.submission;
        if let Some(at) = places.get(&submission) {
            all[*at].students.push(student);
            continue;
        }
        places.insert(submission, all.len());
        let state = known.get(&submission);
        let claimed = state.and_then(|it| it.claimed.clone()).filter(|(.., until)| *until > now);
        all.push(Listed {
            students: vec![student],
            submission,
            at: it.at,
            state: state.map_or(State::NotBegun, |it| it.state(&parts)),
            points: state.map_or_else(BTreeMap::new, Known::points),
            by: state.and_then(|it| it.by.clone()),
            claimed: claimed.map(|(id, name, _)| (id, name)),
            graded_before: None,
        });
    }
    for it in all.iter_mut().filter(|it| it.state == State::NotBegun) {
        it.graded_before = graded_before(&known, it);
    }
    if own.anonymous {
        all.sort_by_key(|it| it.submission);
    }
    Ok((all, without))
}

/// The last submission that was graded of those who handed in another one, which counts.
fn graded_before(known: &BTreeMap<i64, Known>, it: &Listed) -> Option<i64> {
    let is_theirs = |of: &Known| it.students.iter().any(|student| student.id == of.student);
    let mut earlier = known.iter().rev().filter(|(_, of)| !of.grades.is_empty() && is_theirs(of));
    earlier.next().map(|(id, _)| *id)
}

impl Known {
    fn state(&self, parts: &[&str]) -> State {
        let has = |part: &&str| self.grades.contains_key(*part);
        let shows = |part: &&str| self.grades.get(*part).is_some_and(|(_, released)| *released);
        match () {
            () if self.grades.is_empty() => State::NotBegun,
            () if !self.is_done || !parts.iter().all(has) => State::Draft,
            () if parts.iter().all(shows) => State::Released,
            () => State::Graded,
        }
    }

    fn points(&self) -> BTreeMap<String, i64> {
        self.grades.iter().map(|(part, (points, _))| (part.clone(), *points)).collect()
    }
}

fn known(connection: &mut Connection<'_>, assignment: &str) -> Result<BTreeMap<i64, Known>> {
    let sql = "select hand_grading.submission, submission.person, hand_grading.done, \
        changer.name, hand_grading.claimed_by, claimer.name, hand_grading.claimed_until \
        from hand_grading join submission on submission.id = hand_grading.submission \
        left join person changer on changer.id = hand_grading.changed_by \
        left join person claimer on claimer.id = hand_grading.claimed_by \
        where hand_grading.assignment = $1";
    let of = |row: &Row| {
        let claimed = row.maybe_int(4).map(|id| (id, row.text(5), row.int(6)));
        let (student, is_done, by) = (row.int(1), row.is(2), row.maybe_text(3));
        (row.int(0), Known { student, is_done, by, claimed, grades: BTreeMap::new() })
    };
    let rows = connection.query(sql, &[assignment.into()])?;
    let mut all: BTreeMap<_, _> = rows.iter().map(of).collect();
    let sql = "select submission, part, points, released from hand_grade where assignment = $1";
    for row in connection.query(sql, &[assignment.into()])? {
        if let Some(known) = all.get_mut(&row.int(0)) {
            known.grades.insert(row.text(1), (row.int(2), row.maybe_int(3).is_some()));
        }
    }
    Ok(all)
}

/// Claims the next submission that is not graded and that nobody else has open: after one, in the order of the list, and from its
/// beginning again. None: there is none.
///
/// # Errors
/// If the database fails.
pub fn next(
    connection: &mut Connection<'_>,
    rules: &Rules,
    viewer: &Person,
    assignment: &str,
    after: Option<i64>,
) -> Result<Option<i64>> {
    let (mut all, _) = list(connection, rules, viewer, assignment)?;
    if let Some(at) = all.iter().position(|it| Some(it.submission) == after) {
        all.rotate_left(at + 1);
    }
    let is_free = |it: &Listed| it.claimed.as_ref().is_none_or(|(id, _)| *id == viewer.id);
    let is_other = |it: &Listed| Some(it.submission) != after;
    for it in all.iter().filter(|it| !it.state.is_over() && is_other(it) && is_free(it)) {
        let Some(submission) = Submission::find(connection, it.submission)? else { continue };
        // Another grader may be faster.
        if claim(connection, &submission, viewer.id)?.is_some() {
            continue;
        }
        // Another grader may have graded it since the list was read. Now that it is claimed, nobody else does.
        let (now, _) = list(connection, rules, viewer, assignment)?;
        if now.iter().any(|now| now.submission == it.submission && !now.state.is_over()) {
            return Ok(Some(it.submission));
        }
        give_back(connection, it.submission, viewer.id)?;
    }
    Ok(None)
}
