//! Runs the repetitions of a list, and the letters that are counted in it.

use super::{Done, Full, LettersMade, Run};
use crate::apart::{Apart, Place};
use crate::choice::{Choice, Role};
use crate::distinct::Distinct;
use crate::grid::{Cells, Count, FREE, Side};
use crate::reached::Fact;
use crate::stream::Stream;
use crate::tree::{Command, Many, Variable, What};
use crate::value::Value;

impl<'a, M: Stream> Run<'a, M> {
    pub(super) fn many(&mut self, at: usize, many: &'a Many) -> Done<()> {
        many.sets.iter().for_each(|&set| *self.distinct_set(set) = Distinct::default());
        let mut counts = Vec::new();
        for Count { letter, count, is_exact } in &many.counts {
            counts.push((*letter, self.count(count)? as usize, *is_exact));
        }
        let counted = Cells::of_letters(counts);
        let outer = std::mem::replace(&mut self.apart, many.apart.as_ref().map(Apart::of));
        let result = if self.stream.is_made() {
            self.make_many(at, many, &counted)
        } else {
            self.read_many(at, many, &counted)
        };
        self.apart = outer;
        self.counted = None;
        result
    }

    pub(super) fn make_many(&mut self, at: usize, many: &'a Many, counted: &Cells) -> Done<()> {
        let (count, choice) = self.side(&many.count)?;
        let letters = counted.resized(count as usize, 1);
        self.spend(1 + if letters.has_counts() { count } else { 0 })?;
        let letters = if letters.has_counts() {
            let start = self.stream.choices();
            let made = letters.make(&mut |options, role| self.stream.choose(options, role))?;
            self.log_counted(LettersMade {
                start,
                end: self.stream.choices(),
                count: choice,
                rule: letters,
                letters: made.clone(),
            });
            made
        } else {
            Vec::new()
        };
        self.begin_list_of(at, &many.body, Some(count));
        let (list, mut starts) = (self.new_list(), Vec::new());
        for number in 0..count as usize {
            let start = self.stream.choices();
            self.stream.begin_repetition();
            self.counted = letters.get(number).copied();
            self.noise(&many.noise)?;
            let size = self.made.size;
            let made = self.make_one(many).and_then(|()| self.count_repetition(size));
            if let Err(message) = made {
                let is_full = self.apart.as_ref().is_some_and(Apart::lacks_room);
                if let (true, Side::Own { .. }, Some(count)) = (is_full, &many.count, choice) {
                    let least = self.bounds(&many.count)?.0 as usize;
                    starts.push(start);
                    self.full = Some(Full { count, least, starts });
                }
                return Err(message);
            }
            starts.extend(self.apart.is_some().then_some(start));
            self.command = at;
            self.log_span(start, choice, list);
        }
        self.noise(&many.noise)?;
        self.note(if count == 0 { Fact::Never } else { Fact::Repeated });
        Ok(())
    }

    /// Makes one repetition, where there is room for it.
    fn make_one(&mut self, many: &'a Many) -> Done<()> {
        let (position, choices) = (self.stream.position(), self.stream.choices());
        let size = (self.made.size, self.made.noise);
        let (spans, grids) = (self.made.spans.len(), self.made.grids.len());
        let graphs = self.made.graphs.len();
        let (letters, references) = (self.made.letters.len(), self.made.references.len());
        let is_mistake = self.is_mistake_to_overlap();
        loop {
            if let Some(apart) = &mut self.apart {
                let may_overlap = apart.rule.is_usual && self.stream.choose(2, Role::Rare) == 1;
                apart.begin(match may_overlap {
                    true => Place::Any,
                    false if is_mistake => Place::Taken,
                    false => Place::Free,
                });
            }
            let result = self.commands(&many.body);
            let Some(apart) = &mut self.apart else { return result };
            if result.is_ok() {
                let overlaps = apart.end();
                if apart.rule.is_usual {
                    self.stream.amend(choices, u64::from(overlaps));
                }
                return result;
            }
            if !apart.lacks_room() {
                return result;
            }
            let is_over = !apart.can_begin_elsewhere();
            self.spend(1)?;
            self.stream.rewind(position, choices);
            (self.made.size, self.made.noise) = size;
            self.made.spans.truncate(spans);
            self.made.grids.truncate(grids);
            self.made.graphs.truncate(graphs);
            self.made.letters.truncate(letters);
            self.made.references.truncate(references);
            if is_over {
                return result;
            }
        }
    }

    /// Whether the next repetition makes the mistake to overlap one before it, and says so.
    fn is_mistake_to_overlap(&mut self) -> bool {
        let is_possible =
            self.apart.as_ref().is_some_and(|apart| apart.has_any() && !apart.rule.is_usual);
        let is_mistake = is_possible && self.stream.is_place_for_mistake();
        if is_mistake {
            let what = "one that overlaps another before it instead of one that does not";
            self.stream.tell_mistake(what.to_owned());
        }
        is_mistake
    }

    pub(super) fn read_many(&mut self, at: usize, many: &'a Many, counted: &Cells) -> Done<()> {
        let mark = self.stream.choices();
        let (least, most) = self.bounds(&many.count)?;
        let mut letters = Vec::new();
        let mut count = 0;
        self.noise(&many.noise)?;
        while count < least || (least < most && self.goes_on(many)) {
            let position = self.stream.position();
            if count == most {
                let what = match &many.count {
                    Side::Own { name: Some(name), .. } => &self.shape.names[name.name],
                    _ => "of these",
                };
                return Err(format!("expected at most {most} {what}, found more"));
            }
            self.counted = Some(FREE);
            self.read_letters = counted.counted_letters();
            let start = self.stream.choices();
            if let Some(apart) = &mut self.apart {
                apart.begin(Place::Any);
            }
            let size = self.made.size;
            self.commands(&many.body)?;
            self.count_repetition(size)?;
            if let Some(apart) = self
                .apart
                .as_mut()
                .filter(|apart| self.stream.has_choices() || !apart.rule.is_usual)
            {
                let overlaps =
                    Choice { value: u64::from(apart.end()), options: 2, role: Role::Rare };
                let count = usize::from(apart.rule.is_usual);
                self.stream.record(start, &[overlaps][..count]);
            }
            self.command = at;
            letters.extend(self.counted.filter(|_| counted.has_counts()));
            if self.stream.position() == position {
                self.is_hopeless = true;
                return Err("this can repeat without end, because it may be empty".to_owned());
            }
            count += 1;
            self.noise(&many.noise)?;
        }
        self.read_letters.clear();
        counted.check_counts("these", &letters)?;
        let mut choices = Vec::new();
        self.own_side(&many.count, (least, most), count, &mut choices)?;
        if self.stream.has_choices() && counted.has_counts() {
            choices.extend(counted.resized(count as usize, 1).choices(&letters));
        }
        self.stream.record(mark, &choices);
        self.note(if count == 0 { Fact::Never } else { Fact::Repeated });
        Ok(())
    }

    pub(super) fn goes_on(&self, many: &Many) -> bool {
        let next = self.stream.peek();
        next.is_some_and(|byte| many.is_last || many.first[usize::from(byte)])
    }

    /// A letter. One that is counted in the repetitions around it was chosen by its count.
    pub(super) fn letter(
        &mut self,
        letters: &'a [u8],
        usual: usize,
        name: Option<&'a Variable>,
    ) -> Done<()> {
        let letter = if !self.stream.is_made() {
            FREE
        } else if let Some(letter) = self.counted.filter(|&letter| letter != FREE) {
            // As many choices as for any other letter, so that letters can change their places.
            for _ in 0..choices_of(letters, usual) {
                self.stream.choose(1, Role::Cell);
            }
            letter
        } else {
            let is_other = has_others(letters, usual) && self.stream.choose(2, Role::Rare) == 1;
            let part = part(letters, usual, is_other);
            part[self.stream.choose(part.len() as u64, Role::Cell) as usize]
        };
        let all: Vec<u8> = letters.iter().chain(&self.read_letters).copied().collect();
        let letter =
            self.stream.letter(&all, letter).map_err(|message| self.named(name, message))?;
        if self.read_letters.contains(&letter) {
            self.counted = Some(letter);
            let none = Choice { value: 0, options: 1, role: Role::Cell };
            self.stream.record(self.stream.choices(), &[none; 2][..choices_of(letters, usual)]);
        } else if let Some(at) = letters.iter().position(|&other| other == letter) {
            let is_other = has_others(letters, usual) && at >= usual;
            let part = part(letters, usual, is_other);
            let value = if is_other { at - usual } else { at } as u64;
            let rare = Choice { value: u64::from(is_other), options: 2, role: Role::Rare };
            let choice = Choice { value, options: part.len() as u64, role: Role::Cell };
            let first = 2 - choices_of(letters, usual);
            self.stream.record(self.stream.choices(), &[rare, choice][first..]);
        }
        self.element(1)?;
        name.map_or(Ok(()), |name| self.set(name, Value::text(&[letter])))
    }
}

/// How many letters the first letter of a repetition usually is one of.
pub(super) fn letters_of(body: &[Command]) -> u64 {
    let count = |command: &Command| match &command.what {
        What::Letter { letters, usual: 0, .. } => Some(letters.len()),
        What::Letter { usual, .. } => Some(*usual),
        _ => None,
    };
    body.iter().find_map(count).unwrap_or(1) as u64
}

/// Whether some of the letters are usual, and some are not.
fn has_others(letters: &[u8], usual: usize) -> bool {
    usual > 0 && usual < letters.len()
}

/// How many choices make a letter.
fn choices_of(letters: &[u8], usual: usize) -> usize {
    1 + usize::from(has_others(letters, usual))
}

/// The usual letters, or the others.
fn part(letters: &[u8], usual: usize, is_other: bool) -> &[u8] {
    match (has_others(letters, usual), is_other) {
        (false, _) => letters,
        (true, false) => &letters[..usual],
        (true, true) => &letters[usual..],
    }
}
