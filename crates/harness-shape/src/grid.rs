//! Grids: rows of cells, each cell a letter. What is said of how often a letter occurs holds by construction: letters with a count are
//! placed first, then the other cells are filled.

mod cells;

pub(crate) use cells::Cells;
pub(crate) use cells::FREE;

use crate::choice::{Choice, Role};
use crate::colour::Colours;
use crate::run::{Done, GridMade, Limited, Run};
use crate::stream::{Row, Stream};
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
    pub(crate) colours: Colours,
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

/// A grid that is being read or made.
struct Grid<'a> {
    rule: &'a GridRule,
    is_letter: [bool; 256],
    layers: usize,
    layers_choice: Option<usize>,
    limited: Vec<Limited>,
    /// Its rows are those of all layers.
    cells: Cells,
}

impl<'a, M: Stream> Run<'a, M> {
    pub(crate) fn grid(&mut self, rule: &'a GridRule) -> Done<()> {
        let mut letters = rule.letters.clone();
        let mut limited = Vec::new();
        for (first, number) in &rule.limited {
            let count = self.count(number)?.min(u64::from(u8::MAX - first)) as u8;
            letters.extend((0..count).map(|at| first + at));
            let to = self.counted_by(number).map(|(to, _)| to);
            limited.extend(to.map(|to| Limited { first: *first, count, to }));
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
        self.read.clear();
        let layers =
            rule.layers.as_ref().map(|layers| self.count(layers)).transpose()?.unwrap_or(1);
        let layers_choice = self.origin();
        let cells = Cells { rows: 0, columns: 0, letters, counts, walls: rule.walls };
        let layers = layers as usize;
        let grid = Grid { rule, is_letter, layers, layers_choice, limited, cells };
        if self.stream.is_made() { self.make_grid(grid) } else { self.read_grid(grid) }
    }

    fn make_grid(&mut self, mut grid: Grid<'a>) -> Done<()> {
        let rule = grid.rule;
        let (rows, rows_choice) = self.side(&rule.rows)?;
        let (columns, columns_choice) = match &rule.columns {
            Side::Own { least, name, .. } if rows == 0 => {
                let choice = self.stream.choices();
                (self.own_count(least, least, name.as_ref())?, Some(choice))
            }
            side => self.side(side)?,
        };
        check_size(grid.layers as u64, rows, columns)?;
        (grid.cells.rows, grid.cells.columns) = (grid.layers * rows as usize, columns as usize);
        let start = self.stream.choices();
        self.element((grid.cells.rows * grid.cells.columns) as u64)?;
        let letters = grid.cells.letters.len() as u64;
        self.stream.begin_cells(if rule.walls.is_some() { 4 } else { letters });
        let made = grid.cells.make(&mut |options, role| self.stream.choose(options, role))?;
        self.noise_element(grid.cells.others(&made))?;
        let end = self.stream.choices();
        let mut rows_at = Vec::with_capacity(grid.cells.rows + 1);
        for row in 0..grid.cells.rows {
            rows_at.push(self.stream.choices());
            self.noise(&rule.noise)?;
            let first = row * grid.cells.columns;
            self.row(&grid, &made[first..first + grid.cells.columns], None)?;
        }
        rows_at.push(self.stream.choices());
        self.noise(&rule.noise)?;
        if let Some(reached) = &mut self.reached {
            reached.letters(self.command, &made);
        }
        self.log_grid(|| GridMade {
            start,
            end,
            rows_at,
            layers: grid.layers,
            layers_choice: grid.layers_choice,
            rows_choice,
            columns_choice,
            limited: grid.limited,
            rule: grid.cells,
            cells: made,
        });
        Ok(())
    }

    fn read_grid(&mut self, mut grid: Grid<'a>) -> Done<()> {
        let rule = grid.rule;
        let mark = self.stream.choices();
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
                let start = self.stream.position();
                let row = self.row(&grid, &[], Some(width.unwrap_or(columns)))?;
                self.paint(&rule.colours, start, &row);
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
        if let Some(walls) = rule.walls.filter(|_| height > 0) {
            check_walls(&grid.cells, walls, &cells)?;
        }
        self.element(cells.len() as u64)?;
        self.noise_element(grid.cells.others(&cells))?;
        self.own_side(&rule.rows, rows, height, &mut sides)?;
        // A grid without rows does not tell its columns: it has as few as it may.
        let (most, width) = width.map_or((columns.0, columns.0), |width| (columns.1, width.0));
        self.own_side(&rule.columns, (columns.0, most), width, &mut sides)?;
        if self.stream.has_choices() {
            sides.extend(grid.cells.choices(&cells));
            self.stream.record(mark, &sides);
        }
        if let Some(reached) = &mut self.reached {
            reached.letters(self.command, &cells);
        }
        Ok(())
    }

    fn row(&mut self, grid: &Grid<'a>, made: &[u8], width: Option<(u64, u64)>) -> Done<Vec<u8>> {
        let (least, most) = width.unwrap_or_default();
        let row = Row { letters: &grid.is_letter, least: least as usize, most: most as usize };
        let read = self.stream.row(&row, made);
        let read = read.map_err(|message| named(&grid.rule.name, &message))?;
        self.stream.newline()?;
        Ok(read)
    }

    fn begins_row(&self, grid: &Grid<'a>) -> bool {
        self.stream.peek().is_some_and(|byte| grid.is_letter[usize::from(byte)])
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
                let choice = self.stream.choices();
                let count = self.own_count(least, most, name.as_ref())?;
                Ok((count, Some(choice)))
            }
        }
    }

    pub(crate) fn bounds(&mut self, side: &'a Side) -> Done<(u64, u64)> {
        match side {
            Side::Given(count) => self.count(count).map(|count| (count, count)),
            Side::Own { least, most, .. } => {
                let (least, most) = (self.count(least)?, self.count(most)?);
                if least > most {
                    return Err(format!("there is no number from {least} to {most}"));
                }
                Ok((least, most))
            }
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
        let role = if self.apart.is_some() { Role::Filling } else { Role::Size };
        choices.push(Choice { value: count - least, options: most - least + 1, role });
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
            text.extend([shown(first), "-".to_owned(), shown(rest[run - 1])]);
        } else {
            rest[..run.max(1)].iter().for_each(|&byte| text.push_str(&shown(byte)));
        }
        rest = &rest[run.max(1)..];
    }
    format!("`{text}`")
}
