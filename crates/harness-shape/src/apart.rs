//! Repetitions that are intervals, rectangles or boxes, of which no two overlap.
//!
//! Each number of a repetition that is made leaves room for the least that the numbers after it need. So a list is made without trying.

use crate::choice::Role;
use crate::number::Range;
use crate::run::{Done, Run};
use crate::stream::Stream;
use crate::tree::Variable;
use crate::value::Value;
use std::collections::BTreeMap;

/// In which fields the repetitions of a list say what they cover.
#[derive(Debug)]
pub struct ApartRule {
    pub sides: Vec<Covered>,
    /// Nearly all repetitions are apart, but any may overlap.
    pub is_usual: bool,
}

/// What a repetition covers in one direction.
#[derive(Debug)]
pub struct Covered {
    /// The variable that says where it begins.
    pub start: usize,
    pub length: Length,
}

#[derive(Debug, PartialEq, Eq)]
pub enum Length {
    Field(usize),
    Always(i64),
}

/// Where a repetition may be.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Place {
    /// Where none before it is.
    Free,
    /// Where one before it is.
    Taken,
    Any,
}

/// From the first to the last place, in each direction.
type Covers = Vec<(i64, i64)>;

/// Where a repetition begins and how long it is in each direction, as far as that is known.
type Known = Vec<(Option<i64>, Option<i64>)>;

/// The repetitions so far that are apart, and what is known of the one that is read or made.
pub(crate) struct Apart<'a> {
    pub(crate) rule: &'a ApartRule,
    /// By where they begin in the first direction, and by number.
    before: BTreeMap<(i64, usize), Covers>,
    /// The longest of them in the first direction.
    longest: i64,
    known: Known,
    /// Where this one may be.
    place: Place,
    /// Where this one cannot begin in the direction that is decided first, because there is no room for the rest of it.
    full: Vec<i64>,
    /// There was no room for a number.
    lacks_room: bool,
}

impl<'a> Apart<'a> {
    pub(crate) fn of(rule: &'a ApartRule) -> Self {
        Self {
            rule,
            before: BTreeMap::new(),
            longest: 0,
            known: Vec::new(),
            place: Place::Free,
            full: Vec::new(),
            lacks_room: false,
        }
    }

    pub(crate) fn begin(&mut self, place: Place) {
        let length = |side: &Covered| match side.length {
            Length::Field(_) => None,
            Length::Always(length) => Some(length),
        };
        self.known.clear();
        self.known.extend(self.rule.sides.iter().map(|side| (None, length(side))));
        (self.place, self.lacks_room) = (place, false);
    }

    /// Whether there are any before this one.
    pub(crate) fn has_any(&self) -> bool {
        !self.before.is_empty()
    }

    /// Ends a repetition. Says whether it overlaps one of those before.
    pub(crate) fn end(&mut self) -> bool {
        self.full.clear();
        let Some(covers) = covers(&self.known) else { return false };
        let overlaps = self.is_covered(&covers);
        // One mistake is enough: those after it do not overlap it.
        if overlaps && self.place != Place::Taken {
            return true;
        }
        let (first, last) = covers[0];
        self.longest = self.longest.max(last.saturating_sub(first));
        self.before.insert((first, self.before.len()), covers);
        overlaps
    }

    /// Whether the repetition failed because there was no room for it where it began, but may begin elsewhere.
    pub(crate) fn can_begin_elsewhere(&mut self) -> bool {
        let first = self.known.iter().find_map(|(start, _)| *start);
        let Some(first) = first.filter(|_| self.lacks_room) else { return false };
        // A number that is not a usual one does not give way.
        let is_new = !self.full.contains(&first);
        self.full.push(first);
        is_new
    }

    pub(crate) fn lacks_room(&self) -> bool {
        self.lacks_room
    }

    fn has(&self, field: usize) -> bool {
        self.rule
            .sides
            .iter()
            .any(|side| side.start == field || side.length == Length::Field(field))
    }

    fn known_with(&self, field: usize, number: i64) -> Known {
        let mut known = self.known.clone();
        for (side, (start, length)) in self.rule.sides.iter().zip(&mut known) {
            if side.start == field {
                *start = Some(number);
            } else if side.length == Length::Field(field) {
                *length = Some(number);
            }
        }
        known
    }

    /// Whether one of those before overlaps this.
    fn is_covered(&self, covers: &Covers) -> bool {
        let (first, last) = covers[0];
        let near = (first.saturating_sub(self.longest), 0)..=(last, usize::MAX);
        self.before.range(near).any(|(_, other)| {
            other.iter().zip(covers).all(|(one, other)| one.0 <= other.1 && other.0 <= one.1)
        })
    }

    /// Whether it can be where it may if this field is this number.
    fn has_room(&self, field: usize, number: i64) -> bool {
        let is_first = self.known.iter().all(|(start, _)| start.is_none());
        if is_first && self.full.contains(&number) {
            return false;
        }
        let covers = covers(&self.known_with(field, number));
        let is_taken = self.place == Place::Taken;
        covers.is_none_or(|covers| self.is_covered(&covers) == is_taken)
    }
}

/// What a repetition covers at least; `None` if it may still begin anywhere in some direction, or if it covers nothing.
fn covers(known: &Known) -> Option<Covers> {
    let side = |&(start, length): &(Option<i64>, Option<i64>)| {
        let (start, length): (i64, i64) = (start?, length.unwrap_or(1));
        (length > 0).then(|| (start, start.saturating_add(length - 1)))
    };
    known.iter().map(side).collect()
}

impl<M: Stream> Run<'_, M> {
    /// A number of a range. If it is one of those that say what a repetition covers, there is room for it.
    pub(crate) fn number(
        &mut self,
        range: &Range<'_>,
        role: Role,
        name: Option<&Variable>,
    ) -> Done<Value> {
        let Some((mut apart, field)) =
            self.apart.take_if(|apart| name.is_some_and(|name| apart.has(name.name))).zip(name)
        else {
            return self.stream.integer(range, role);
        };
        let field = field.name;
        let has_room = |number| apart.has_room(field, number);
        let is_free = (apart.place != Place::Any).then_some(&has_room as &dyn Fn(i64) -> bool);
        let number = self.stream.integer(&Range { is_free, ..range.clone() }, role);
        match &number {
            Ok(Value::Small(number)) => apart.known = apart.known_with(field, *number),
            _ => apart.lacks_room = self.stream.is_made(),
        }
        let overlaps = !apart.rule.is_usual
            && !self.stream.is_made()
            && covers(&apart.known).is_some_and(|covers| apart.is_covered(&covers));
        self.apart = Some(apart);
        if overlaps {
            return Err(
                "expected a number with which this overlaps none of those before it".to_owned()
            );
        }
        number
    }
}
