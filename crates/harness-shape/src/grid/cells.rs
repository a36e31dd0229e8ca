//! The cells of a grid: made from choices, and turned into choices.

use super::Walls;
use crate::choice::{Choice, Role};
use crate::run::Done;

/// What the cells of one grid may be.
#[derive(Clone, Debug)]
pub struct Cells {
    pub rows: usize,
    pub columns: usize,
    /// The letters without a count.
    pub(super) letters: Vec<u8>,
    /// A letter, how often it occurs, and whether it must occur as often as that.
    pub(super) counts: Vec<(u8, usize, bool)>,
    pub(super) walls: Option<Walls>,
}

/// Stands for any letter without a count.
pub(crate) const FREE: u8 = 0;

impl Cells {
    /// The letters of repetitions, of which some have counts.
    pub(crate) fn of_letters(counts: Vec<(u8, usize, bool)>) -> Self {
        Self { rows: 0, columns: 1, letters: vec![FREE], counts, walls: None }
    }

    pub(crate) fn has_counts(&self) -> bool {
        !self.counts.is_empty()
    }

    pub(crate) fn counted_letters(&self) -> Vec<u8> {
        self.counts.iter().map(|count| count.0).collect()
    }

    /// The letters without a count.
    pub(crate) fn letters(&self) -> &[u8] {
        &self.letters
    }

    /// The same rules with some of these letters.
    pub(crate) fn with_letters(&self, keeps: impl Fn(u8) -> bool) -> Self {
        let letters = self.letters.iter().copied().filter(|&letter| keeps(letter));
        Self { letters: letters.collect(), ..self.clone() }
    }

    /// Makes cells from choices.
    pub(crate) fn make(&self, choose: &mut dyn FnMut(u64, Role) -> u64) -> Done<Vec<u8>> {
        let area = self.rows * self.columns;
        if let Some(walls) = self.walls {
            return self.make_walled(walls, choose);
        }
        let mut cells = vec![FREE; area];
        let mut free: Vec<usize> =
            if self.counts.is_empty() { Vec::new() } else { (0..area).collect() };
        for (at, &(letter, most, is_exact)) in self.counts.iter().enumerate() {
            let count = if is_exact {
                most
            } else {
                let room = free.len().saturating_sub(self.needed_after(at));
                choose(most.min(room) as u64 + 1, Role::Rare) as usize
            };
            if count > free.len() {
                return Err(self.no_room());
            }
            take(&mut free, count, choose, |at| cells[at] = letter);
        }
        for cell in &mut cells {
            if *cell == FREE {
                if self.letters.is_empty() {
                    return Err(self.no_room());
                }
                *cell = self.letters[choose(self.letters.len() as u64, Role::Cell) as usize];
            }
        }
        Ok(cells)
    }

    /// How many cells the letters after that one need.
    fn needed_after(&self, at: usize) -> usize {
        self.counts[at + 1..].iter().filter(|count| count.2).map(|count| count.1).sum()
    }

    fn no_room(&self) -> String {
        let (rows, columns) = (self.rows, self.columns);
        format!("{rows} rows and {columns} columns cannot have the letters as often as wanted")
    }

    fn make_walled(&self, walls: Walls, choose: &mut dyn FnMut(u64, Role) -> u64) -> Done<Vec<u8>> {
        let digits = self.digits(walls);
        let mut cells = Vec::with_capacity(self.rows * self.columns);
        let mut fitting = Vec::new();
        for at in 0..self.rows * self.columns {
            self.fitting(&digits, walls, &cells, at, &mut fitting);
            if fitting.is_empty() {
                return Err("no letter has the walls that the cells around it have".to_owned());
            }
            cells.push(fitting[choose(fitting.len() as u64, Role::Cell) as usize]);
        }
        if digits.len() < self.letters.len() {
            let mut others =
                cells.iter().positions(|&letter| self.other(letter).is_some()).collect();
            let count = choose(Vec::len(&others) as u64 + 1, Role::Rare) as usize;
            take(&mut others, count, choose, |at| {
                cells[at] = self.other(cells[at]).unwrap_or(cells[at]);
            });
        }
        Ok(cells)
    }

    /// The usual letters with their walls, those with the fewest walls first. Of letters with the same walls, the first is usual.
    fn digits(&self, walls: Walls) -> Vec<(u8, [bool; 4])> {
        let mut letters = self.letters.clone();
        letters.sort_by_key(|&letter| (bits(letter).count_ones(), bits(letter)));
        letters.dedup_by_key(|letter| bits(*letter));
        letters.into_iter().map(|letter| (letter, walls.of(letter))).collect()
    }

    /// A letter with the same walls that is not usual.
    fn other(&self, letter: u8) -> Option<u8> {
        self.letters.iter().copied().filter(|&other| bits(other) == bits(letter)).nth(1)
    }

    /// How many of these cells have a letter that is not usual.
    pub(crate) fn others(&self, cells: &[u8]) -> u64 {
        let is_other = |cell: &&u8| self.other(**cell) == Some(**cell);
        if self.walls.is_some() { cells.iter().filter(is_other).count() as u64 } else { 0 }
    }

    /// The letters that agree with the cells before.
    fn fitting(
        &self,
        digits: &[(u8, [bool; 4])],
        walls: Walls,
        cells: &[u8],
        at: usize,
        fitting: &mut Vec<u8>,
    ) {
        let around = self.around(walls, cells, at);
        let fits = |sides: &[bool; 4]| {
            around.iter().zip(sides).all(|(wanted, has)| wanted.is_none_or(|wanted| wanted == *has))
        };
        fitting.clear();
        fitting.extend(digits.iter().filter(|(_, sides)| fits(sides)).map(|(letter, _)| letter));
    }

    /// Whether a cell must have a wall in the west, north, east and south, as far as that is known from the cells before it.
    fn around(&self, walls: Walls, cells: &[u8], at: usize) -> [Option<bool>; 4] {
        let (row, column) = (at / self.columns, at % self.columns);
        let has = |letter: u8, wall: u8| bits(letter) & wall != 0;
        [
            Some(column == 0 || has(cells[at - 1], walls.east)),
            Some(row == 0 || has(cells[at - self.columns], walls.south)),
            (column + 1 == self.columns).then_some(true),
            (row + 1 == self.rows).then_some(true),
        ]
    }

    /// Which wall of a letter at a place contradicts the cells before it.
    pub(super) fn wall_flaw(
        &self,
        walls: Walls,
        cells: &[u8],
        at: usize,
        letter: u8,
    ) -> Option<&'static str> {
        let sides = ["west", "north", "east", "south"].into_iter().zip(walls.of(letter));
        let mut all = sides.zip(self.around(walls, cells, at));
        all.find(|((_, has), wanted)| wanted.is_some_and(|wanted| wanted != *has))
            .map(|((side, _), _)| side)
    }

    /// The choices that make these cells. Cells that cannot be made have the choices of similar ones.
    pub fn choices(&self, cells: &[u8]) -> Vec<Choice> {
        let mut choices = Vec::with_capacity(cells.len() + 2);
        if let Some(walls) = self.walls {
            let (digits, mut fitting) = (self.digits(walls), Vec::new());
            for (at, &cell) in cells.iter().enumerate() {
                self.fitting(&digits, walls, cells, at, &mut fitting);
                let position = fitting.iter().position(|&letter| bits(letter) == bits(cell));
                let value = position.unwrap_or(0) as u64;
                choices.push(Choice { value, options: fitting.len() as u64, role: Role::Cell });
            }
            if digits.len() < self.letters.len() {
                let others = cells.iter().positions(|&letter| self.other(letter).is_some());
                let mut others: Vec<_> = others.collect();
                let is_other = |at: &usize| self.other(cells[*at]) == Some(cells[*at]);
                let places: Vec<_> = others.iter().positions(is_other).collect();
                let options = others.len() as u64 + 1;
                choices.push(Choice { value: places.len() as u64, options, role: Role::Rare });
                place(&mut others, &places, &mut choices);
            }
            return choices;
        }
        let mut free: Vec<usize> = (0..cells.len()).collect();
        for (at, &(letter, most, is_exact)) in self.counts.iter().enumerate() {
            let mut places: Vec<usize> =
                free.iter().positions(|&place| cells[place] == letter).take(most).collect();
            if is_exact {
                let others = (0..free.len()).filter(|place| !places.contains(place));
                let others: Vec<_> = others.take(most - places.len()).collect();
                places.extend(others);
                places.sort_unstable();
            } else {
                let room = free.len().saturating_sub(self.needed_after(at));
                let options = most.min(room) as u64 + 1;
                let value = (places.len() as u64).min(options - 1);
                places.truncate(value as usize);
                choices.push(Choice { value, options, role: Role::Rare });
            }
            place(&mut free, &places, &mut choices);
        }
        for place in free {
            let letter = self.letters.iter().position(|&letter| letter == cells[place]);
            let options = self.letters.len() as u64;
            choices.push(Choice { value: letter.unwrap_or(0) as u64, options, role: Role::Cell });
        }
        choices
    }

    /// Checks how often letters occur in what is called `name`.
    pub(crate) fn check_counts(&self, name: &str, cells: &[u8]) -> Done<()> {
        for &(letter, count, is_exact) in &self.counts {
            let found = cells.iter().filter(|&&cell| cell == letter).count();
            if found > count || (is_exact && found < count) {
                let wanted = if is_exact { "exactly" } else { "at most" };
                let letter = letter.escape_ascii();
                return Err(format!(
                    "expected {wanted} {count} `{letter}` in {name}, found {found}"
                ));
            }
        }
        Ok(())
    }

    /// The same rules for a grid of another size.
    #[must_use]
    pub fn resized(&self, rows: usize, columns: usize) -> Self {
        Self { rows, columns, ..self.clone() }
    }
}

/// Takes this many of the free places, in order, by choices.
fn take(
    free: &mut Vec<usize>,
    count: usize,
    choose: &mut dyn FnMut(u64, Role) -> u64,
    mut taken: impl FnMut(usize),
) {
    let mut next = 0;
    for left in (1..=count).rev() {
        next += choose((free.len() - next - left) as u64 + 1, Role::Place) as usize;
        taken(free.remove(next));
    }
}

/// The choices by which [`take`] takes some of the free places, given by their indices in order.
fn place(free: &mut Vec<usize>, places: &[usize], choices: &mut Vec<Choice>) {
    let mut next = 0;
    for (taken, place) in places.iter().enumerate() {
        let place = place - taken;
        let left = places.len() - taken;
        let options = (free.len() - next - left) as u64 + 1;
        let value = ((place - next) as u64).min(options - 1);
        choices.push(Choice { value, options, role: Role::Place });
        next += value as usize;
        free.remove(next);
    }
}

/// The places of items that match.
trait Positions: Iterator + Sized {
    fn positions(self, is: impl Fn(Self::Item) -> bool) -> impl Iterator<Item = usize> {
        self.enumerate().filter_map(move |(at, item)| is(item).then_some(at))
    }
}

impl<I: Iterator> Positions for I {}

impl Walls {
    /// Whether a letter has a wall in the west, north, east and south.
    fn of(self, letter: u8) -> [bool; 4] {
        [self.west, self.north, self.east, self.south].map(|wall| bits(letter) & wall != 0)
    }
}

/// The bits of a hexadecimal digit.
fn bits(letter: u8) -> u8 {
    match letter {
        b'0'..=b'9' => letter - b'0',
        b'a'..=b'f' => letter - b'a' + 10,
        b'A'..=b'F' => letter - b'A' + 10,
        _ => 0,
    }
}
