//! The places of the pieces after some moves.

use super::answer::{BLANK, Grid};
use super::board::{Board, NAMES, Piece};
use super::moves::{Direction, Move};

/// The valid pieces with their names, each in its current place.
#[derive(Clone)]
pub(super) struct Layout {
    rows: i32,
    columns: i32,
    pub(super) pieces: Vec<(char, Piece)>,
}

impl Layout {
    /// The layout at the start. Pieces that the specification does not name have the names that `grid` shows.
    pub(super) fn new(board: &Board, grid: &Grid) -> Self {
        let shown = |piece: &Piece| {
            let row = grid.get(piece.row as usize - 1)?;
            row.get(piece.column as usize - 1).copied()
        };
        let mut names = NAMES.chars();
        let name = |piece: &Piece| names.next().or_else(|| shown(piece)).unwrap_or(BLANK);
        let pieces = board.valid().into_iter().map(named(name)).collect();
        Self { rows: board.rows, columns: board.columns, pieces }
    }

    /// Whether the goal piece, which is the first, covers the last column.
    pub(super) fn is_solved(&self) -> bool {
        self.pieces.first().is_some_and(|(_, goal)| goal.column + goal.width > self.columns)
    }

    /// Makes the move `step`, or says why it is impossible.
    pub(super) fn apply(&mut self, step: Move) -> Result<(), String> {
        let Move { piece: name, direction, spaces } = step;
        let Some(at) = self.pieces.iter().position(|(piece, _)| *piece == name) else {
            return Err(format!("is of piece {name}, which does not exist"));
        };
        let way = direction.name();
        let mut piece = self.pieces[at].1;
        if !may_go(&piece, direction) {
            return Err(format!(
                "takes piece {name} {way}, but its direction is {}",
                piece.direction as char
            ));
        }
        if spaces == 0 {
            return Err(format!("takes piece {name} 0 spaces {way}"));
        }
        for space in 1..=spaces {
            match direction {
                Direction::Up => piece.row -= 1,
                Direction::Down => piece.row += 1,
                Direction::Left => piece.column -= 1,
                Direction::Right => piece.column += 1,
            }
            if !piece.is_inside(self.rows, self.columns) {
                return Err(format!("takes piece {name} {way} off the grid at space {space}"));
            }
            let is_in_the_way = |(other, _): &(usize, &(char, Piece))| *other != at;
            let mut others = self.pieces.iter().enumerate().filter(is_in_the_way);
            if let Some((_, (other, _))) = others.find(|(_, (_, other))| other.overlaps(&piece)) {
                return Err(format!(
                    "takes piece {name} {way} into piece {other} at space {space}"
                ));
            }
        }
        self.pieces[at].1 = piece;
        Ok(())
    }

    /// Checks that `grid` shows each piece where it is.
    pub(super) fn is_shown_by(&self, grid: &Grid) -> Result<(), String> {
        if grid.len() != self.rows as usize {
            return Err(format!("has {} rows, not {}", grid.len(), self.rows));
        }
        let mut cells = vec![BLANK; self.rows as usize * self.columns as usize];
        for (name, piece) in &self.pieces {
            for row in piece.row..piece.row + piece.height {
                let first = ((row - 1) * self.columns + piece.column - 1) as usize;
                cells[first..first + piece.width as usize].fill(*name);
            }
        }
        for ((row, shown), cells) in (1..).zip(grid).zip(cells.chunks(self.columns as usize)) {
            for column in 0..shown.len().max(cells.len()) {
                let is = shown.get(column).copied().unwrap_or(BLANK);
                match cells.get(column) {
                    None if is != BLANK => {
                        return Err(format!("has more than {} columns in row {row}", self.columns));
                    }
                    Some(&cell) if is != cell => {
                        return Err(format!(
                            "shows `{is}`, not `{cell}`, in row {row}, column {}",
                            column + 1
                        ));
                    }
                    _ => {}
                }
            }
        }
        Ok(())
    }
}

fn named(mut name: impl FnMut(&Piece) -> char) -> impl FnMut(Piece) -> (char, Piece) {
    move |piece| (name(&piece), piece)
}

/// Whether the direction of a piece allows it to move this way.
fn may_go(piece: &Piece, direction: Direction) -> bool {
    match direction {
        Direction::Up | Direction::Down => b"vb".contains(&piece.direction),
        Direction::Left | Direction::Right => b"hb".contains(&piece.direction),
    }
}
