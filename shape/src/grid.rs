//! Grids: rows of cells, each cell a letter. What is said of how often a letter occurs holds by construction: letters with a count are
//! placed first, then the other cells are filled.

use crate::choice::{Choice, Role};
use crate::medium::{Medium, Row};
use crate::run::{Done, GridMade, Run};
use crate::tree::{Expr, Noise, Variable};
use crate::value::Value;

/// The most cells, so that a number in an input cannot ask for a lot of memory.
const MOST_CELLS: u64 = 1 << 26;

/// What a grid must be.
#[derive(Debug)]
pub struct GridRule {
    pub name: String,
    pub rows: Side,
    pub columns: Side,
    /// Grids of this size one after the other, if there are several.
    pub layers: Option<Expr>,
    /// What may stand before, between and after the rows.
    pub noise: Vec<Noise>,
    /// The letters that any cell may have.
    pub letters: Vec<u8>,
    /// Letters that begin with one of these, and how many there are.
    pub limited: Vec<(u8, Expr)>,
    pub counts: Vec<Count>,
    pub walls: Option<Walls>,
}

/// The number of rows or columns: an expression, or whatever an input has, within bounds.
#[derive(Debug)]
pub enum Side {
    Given(Expr),
    Own { least: Expr, most: Expr, name: Option<Variable> },
}

/// How often a letter occurs.
#[derive(Debug)]
pub struct Count {
    pub letter: u8,
    pub count: Expr,
    pub is_exact: bool,
}

/// The bits of a cell's hexadecimal digit that are its walls. Two cells agree about the wall between them, and the grid has walls all
/// around it.
#[derive(Clone, Copy, Debug)]
pub struct Walls {
    pub north: u8,
    pub east: u8,
    pub south: u8,
    pub west: u8,
}

/// What the cells of one grid may be.
#[derive(Clone, Debug)]
pub struct Cells {
    pub rows: usize,
    pub columns: usize,
    /// The letters without a count.
    letters: Vec<u8>,
    /// A letter, how often it occurs, and whether it must occur as often as that.
    counts: Vec<(u8, usize, bool)>,
    walls: Option<Walls>,
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
            let count = match is_exact {
                true => most,
                false => {
                    let room = free.len().saturating_sub(self.needed_after(at));
                    choose(most.min(room) as u64 + 1, Role::Rare) as usize
                }
            };
            if count > free.len() {
                return Err(self.no_room());
            }
            let mut next = 0;
            for left in (1..=count).rev() {
                next += choose((free.len() - next - left) as u64 + 1, Role::Place) as usize;
                cells[free.remove(next)] = letter;
            }
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
        let mut cells = Vec::with_capacity(self.rows * self.columns);
        for at in 0..self.rows * self.columns {
            let fitting = self.fitting(walls, &cells, at);
            if fitting.is_empty() {
                return Err("no letter has the walls that the cells around it have".to_owned());
            }
            cells.push(fitting[choose(fitting.len() as u64, Role::Cell) as usize]);
        }
        Ok(cells)
    }

    /// The letters that agree with the cells before, the one with the fewest walls first.
    fn fitting(&self, walls: Walls, cells: &[u8], at: usize) -> Vec<u8> {
        let mut fitting: Vec<u8> = self.letters.clone();
        fitting.retain(|&letter| self.wall_flaw(walls, cells, at, letter).is_none());
        fitting.sort_by_key(|&letter| (bits(letter).count_ones(), letter));
        fitting
    }

    /// Which wall of a letter at a place contradicts the cells before it.
    fn wall_flaw(&self, walls: Walls, cells: &[u8], at: usize, letter: u8) -> Option<&'static str> {
        let (row, column) = (at / self.columns, at % self.columns);
        let has = |letter: u8, wall: u8| bits(letter) & wall != 0;
        let west = column == 0 || has(cells[at - 1], walls.east);
        let north = row == 0 || has(cells[at - self.columns], walls.south);
        let sides = [
            ("west", has(letter, walls.west) == west),
            ("north", has(letter, walls.north) == north),
            ("east", column + 1 < self.columns || has(letter, walls.east)),
            ("south", row + 1 < self.rows || has(letter, walls.south)),
        ];
        sides.into_iter().find(|(_, agrees)| !agrees).map(|(side, _)| side)
    }

    /// The choices that make these cells. Cells that cannot be made have the choices of similar ones.
    pub fn choices(&self, cells: &[u8]) -> Vec<Choice> {
        let mut choices = Vec::with_capacity(cells.len() + 2);
        if let Some(walls) = self.walls {
            for (at, &cell) in cells.iter().enumerate() {
                let fitting = self.fitting(walls, cells, at);
                let value = fitting.iter().position(|&letter| letter == cell).unwrap_or(0) as u64;
                choices.push(Choice { value, options: fitting.len() as u64, role: Role::Cell });
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

/// The places of items that match.
trait Positions: Iterator + Sized {
    fn positions(self, is: impl Fn(Self::Item) -> bool) -> impl Iterator<Item = usize> {
        self.enumerate().filter_map(move |(at, item)| is(item).then_some(at))
    }
}

impl<I: Iterator> Positions for I {}

/// The bits of a hexadecimal digit.
fn bits(letter: u8) -> u8 {
    char::from(letter).to_digit(16).unwrap_or(0) as u8
}

/// A grid that is being read or made.
struct Grid<'a> {
    rule: &'a GridRule,
    is_letter: [bool; 256],
    listed: String,
    layers: usize,
    /// Its rows are those of all layers.
    cells: Cells,
}

impl<'a, M: Medium> Run<'a, M> {
    pub(crate) fn grid(&mut self, rule: &'a GridRule) -> Done<()> {
        let mut letters = rule.letters.clone();
        for (first, count) in &rule.limited {
            let count = self.count(count)?.min(u64::from(u8::MAX - first));
            letters.extend((0..count as u8).map(|at| first + at));
        }
        let mut counts = Vec::new();
        for Count { letter, count, is_exact } in &rule.counts {
            counts.push((*letter, self.count(count)? as usize, *is_exact));
        }
        let all: Vec<u8> =
            letters.iter().chain(counts.iter().map(|count| &count.0)).copied().collect();
        letters.retain(|letter| counts.iter().all(|count| count.0 != *letter));
        let mut is_letter = [false; 256];
        all.iter().for_each(|&letter| is_letter[usize::from(letter)] = true);
        let layers =
            rule.layers.as_ref().map(|layers| self.count(layers)).transpose()?.unwrap_or(1);
        let cells = Cells { rows: 0, columns: 0, letters, counts, walls: rule.walls };
        let listed = listed(&all);
        let grid = Grid { rule, is_letter, listed, layers: layers as usize, cells };
        if self.medium.is_made() { self.make_grid(grid) } else { self.read_grid(grid) }
    }

    fn make_grid(&mut self, mut grid: Grid<'a>) -> Done<()> {
        let rule = grid.rule;
        let (rows, rows_choice) = self.side(&rule.rows)?;
        let (columns, columns_choice) = self.side(&rule.columns)?;
        check_size(grid.layers as u64, rows, columns)?;
        (grid.cells.rows, grid.cells.columns) = (grid.layers * rows as usize, columns as usize);
        let start = self.medium.choices();
        self.element((grid.cells.rows * grid.cells.columns) as u64)?;
        let letters = grid.cells.letters.len() as u64;
        self.medium.begin_cells(if rule.walls.is_some() { 4 } else { letters });
        let made = grid.cells.make(&mut |options, role| self.medium.choose(options, role))?;
        let end = self.medium.choices();
        for layer in 0..grid.layers {
            for row in 0..rows as usize {
                self.noise(&rule.noise)?;
                let first = (layer * rows as usize + row) * grid.cells.columns;
                self.row(&grid, &made[first..first + grid.cells.columns], None)?;
            }
        }
        self.noise(&rule.noise)?;
        if let Some(reached) = &mut self.reached {
            reached.letters(self.command, &made);
        }
        let several = grid.layers > 1;
        self.log_grid(|| GridMade {
            start,
            end,
            rows_choice: rows_choice.filter(|_| !several),
            columns_choice: columns_choice.filter(|_| !several && rows_choice != columns_choice),
            side_choice: columns_choice.filter(|_| !several && rows_choice == columns_choice),
            rule: grid.cells,
            cells: made,
        });
        Ok(())
    }

    fn read_grid(&mut self, mut grid: Grid<'a>) -> Done<()> {
        let rule = grid.rule;
        let mark = self.medium.choices();
        let mut sides = Vec::new();
        let rows = self.bounds(&rule.rows)?;
        let columns = self.bounds(&rule.columns)?;
        check_size(grid.layers as u64, rows.0, columns.0)?;
        let (mut cells, mut width) = (Vec::new(), None);
        let mut height = 0;
        self.noise(&rule.noise)?;
        for _ in 0..grid.layers {
            height = 0;
            while height < rows.0 || (height < rows.1 && self.begins_row(&grid)) {
                self.spend(1)?;
                let row = self.row(&grid, &[], Some(width.unwrap_or(columns)))?;
                width = Some((row.len() as u64, row.len() as u64));
                height += 1;
                cells.extend(row);
                check_row(&mut grid.cells, &cells, height, rows.1)?;
                self.noise(&rule.noise)?;
            }
        }
        grid.cells.rows = grid.layers * height as usize;
        grid.cells.columns = width.map_or(0, |width| width.0 as usize);
        grid.cells.check_counts(&format!("`{}`", rule.name), &cells)?;
        if let Some(walls) = rule.walls {
            check_walls(&grid.cells, walls, &cells)?;
        }
        self.element(cells.len() as u64)?;
        self.own_side(&rule.rows, rows, height, &mut sides)?;
        self.own_side(&rule.columns, columns, grid.cells.columns as u64, &mut sides)?;
        if self.medium.has_choices() {
            sides.extend(grid.cells.choices(&cells));
            self.medium.record(mark, &sides);
        }
        if let Some(reached) = &mut self.reached {
            reached.letters(self.command, &cells);
        }
        Ok(())
    }

    fn row(&mut self, grid: &Grid<'a>, made: &[u8], width: Option<(u64, u64)>) -> Done<Vec<u8>> {
        let (least, most) = width.unwrap_or_default();
        let row = Row {
            letters: &grid.is_letter,
            listed: &grid.listed,
            least: least as usize,
            most: most as usize,
        };
        let read = self.medium.row(&row, made);
        let read = read.map_err(|message| named(&grid.rule.name, &message))?;
        self.medium.newline()?;
        Ok(read)
    }

    fn begins_row(&self, grid: &Grid<'a>) -> bool {
        self.medium.peek().is_some_and(|byte| grid.is_letter[usize::from(byte)])
    }

    /// The number of rows or columns of a grid that is made, and the choice behind it.
    pub(crate) fn side(&mut self, side: &'a Side) -> Done<(u64, Option<usize>)> {
        match side {
            Side::Given(count) => {
                self.read.clear();
                let count = self.count(count)?;
                Ok((count, self.origin()))
            }
            Side::Own { least, most, name } => {
                let choice = self.medium.choices();
                let count = self.own_count(least, most, name.as_ref())?;
                Ok((count, Some(choice)))
            }
        }
    }

    pub(crate) fn bounds(&mut self, side: &'a Side) -> Done<(u64, u64)> {
        match side {
            Side::Given(count) => self.count(count).map(|count| (count, count)),
            Side::Own { least, most, .. } => Ok((self.count(least)?, self.count(most)?)),
        }
    }

    pub(crate) fn own_side(
        &mut self,
        side: &'a Side,
        (least, most): (u64, u64),
        count: u64,
        choices: &mut Vec<Choice>,
    ) -> Done<()> {
        let Side::Own { name, .. } = side else { return Ok(()) };
        choices.push(Choice { value: count - least, options: most - least + 1, role: Role::Size });
        match name {
            Some(name) => self.set_number(name, Value::from(count as i64)),
            None => Ok(()),
        }
    }
}

/// Checks the walls of the row that was read last.
fn check_row(rule: &mut Cells, cells: &[u8], height: u64, most: u64) -> Done<()> {
    let Some(walls) = rule.walls else { return Ok(()) };
    // The row may not be the last one.
    (rule.rows, rule.columns) = (most.max(height) as usize + 1, cells.len() / height as usize);
    check_walls(rule, walls, cells)
}

/// Checks the walls of the last row, which has walls to the south.
fn check_walls(rule: &Cells, walls: Walls, cells: &[u8]) -> Done<()> {
    for at in cells.len() - rule.columns..cells.len() {
        if let Some(side) = rule.wall_flaw(walls, &cells[..at], at, cells[at]) {
            return Err(wall_message(rule, at, cells[at], side));
        }
    }
    Ok(())
}

fn check_size(layers: u64, rows: u64, columns: u64) -> Done<()> {
    let area = layers.checked_mul(rows).and_then(|area| area.checked_mul(columns));
    match area {
        Some(area) if area <= MOST_CELLS => Ok(()),
        _ => Err(format!("a grid has at most {MOST_CELLS} cells")),
    }
}

fn wall_message(rule: &Cells, at: usize, letter: u8, side: &str) -> String {
    let (row, column) = (at / rule.columns + 1, at % rule.columns + 1);
    let letter = letter.escape_ascii();
    format!(
        "the cell `{letter}` in row {row}, column {column} and what is {side} of it disagree about their wall"
    )
}

/// Puts the name of what was expected into a message.
pub(crate) fn named(name: &str, message: &str) -> String {
    match message.strip_prefix("expected ") {
        Some(rest) => format!("expected `{name}`, {rest}"),
        None => format!("`{name}`: {message}"),
    }
}

/// Letters for a message: `.#a-f`.
pub(crate) fn listed(letters: &[u8]) -> String {
    let mut sorted = letters.to_vec();
    sorted.sort_unstable();
    sorted.dedup();
    let mut text = String::new();
    let mut rest = sorted.as_slice();
    while let Some(&first) = rest.first() {
        let is_word = |byte: u8| byte.is_ascii_alphanumeric();
        let run = rest
            .iter()
            .zip(first..)
            .take_while(|(byte, next)| **byte == *next && is_word(**byte))
            .count();
        let shown = |byte: u8| byte.escape_ascii().to_string();
        if run > 2 {
            text.push_str(&format!("{}-{}", shown(first), shown(rest[run - 1])));
        } else {
            rest[..run.max(1)].iter().for_each(|&byte| text.push_str(&shown(byte)));
        }
        rest = &rest[run.max(1)..];
    }
    format!("`{text}`")
}
