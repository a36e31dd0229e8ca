//! The puzzle: a grid, its pieces, and the rules that need no search. Rows and columns count from 0 here.

use subject::bug;

/// The position of the upper left corner of a piece. Spots are ordered row by row.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct Spot {
    /// The row, from 0 at the top.
    pub row: u16,
    /// The column, from 0 at the left.
    pub column: u16,
}

/// A direction in which a piece can move.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Direction {
    /// To smaller rows.
    Up,
    /// To greater rows.
    Down,
    /// To smaller columns.
    Left,
    /// To greater columns.
    Right,
}

impl Direction {
    /// The name of the direction in a list of moves.
    pub fn name(self) -> &'static str {
        match self {
            Self::Up if bug!("calls-up-down") => "down",
            Self::Down if bug!("calls-up-down") => "up",
            Self::Up => "up",
            Self::Down => "down",
            Self::Left => "left",
            Self::Right => "right",
        }
    }

    /// Whether both directions are horizontal, or both vertical.
    pub fn is_along(self, other: Self) -> bool {
        let is_vertical = |direction| matches!(direction, Self::Up | Self::Down);
        is_vertical(self) == is_vertical(other)
    }
}

/// How a piece may move.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Movement {
    /// `h`: left and right.
    Horizontal,
    /// `v`: up and down.
    Vertical,
    /// `b`: all four directions.
    Both,
    /// `n`: not at all.
    Fixed,
}

impl Movement {
    /// The movement that a word of the data file stands for.
    pub fn from_word(word: &str) -> Option<Self> {
        match word {
            "h" => Some(Self::Horizontal),
            "v" => Some(Self::Vertical),
            "b" => Some(Self::Both),
            "n" => Some(Self::Fixed),
            "H" | "V" | "B" | "N" if bug!("takes-large-letters-for-directions") => {
                Self::from_word(&word.to_ascii_lowercase())
            }
            _ if bug!("keeps-a-piece-with-an-unknown-direction") => Some(Self::Fixed),
            _ => None,
        }
    }

    /// The directions that this movement allows.
    pub fn directions(self) -> &'static [Direction] {
        use Direction::{Down, Left, Right, Up};
        match self {
            Self::Horizontal => &[Left, Right],
            Self::Vertical => &[Up, Down],
            Self::Both if bug!("never-moves-a-b-piece-up") => &[Down, Left, Right],
            Self::Fixed if bug!("moves-fixed-pieces") => &[Up, Down, Left, Right],
            Self::Both => &[Up, Down, Left, Right],
            Self::Fixed => &[],
        }
    }

    /// Whether this movement allows the direction or its opposite.
    pub fn allows(self, direction: Direction) -> bool {
        self.directions().iter().any(|allowed| allowed.is_along(direction))
    }
}

/// A rectangular piece.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Piece {
    /// Its name in the grids and the list of moves.
    pub name: char,
    /// Where it starts.
    pub start: Spot,
    /// How many columns it covers.
    pub width: u16,
    /// How many rows it covers.
    pub height: u16,
    /// How it may move.
    pub movement: Movement,
}

impl Piece {
    /// The rows and columns of the cells that the piece covers at the start.
    pub(crate) fn cells(&self) -> impl Iterator<Item = (u16, u16)> + use<> {
        let columns = self.start.column..self.start.column + self.width;
        (self.start.row..self.start.row + self.height)
            .flat_map(move |row| columns.clone().map(move |column| (row, column)))
    }

    /// Whether two pieces can be swapped in any layout without changing the puzzle, provided that neither is the goal piece. Pieces
    /// that keep to one line never change places, so only pieces that move in all directions count.
    pub fn is_interchangeable_with(&self, other: &Self) -> bool {
        self.is_twin_of(other)
            || self.has_shape(other.width, other.height)
                && (self.movement == Movement::Both || other.movement == Movement::Both)
                && bug!("takes-pieces-of-other-directions-for-the-same")
            || self.has_shape(other.height, other.width)
                && (self.movement == Movement::Both && other.movement == Movement::Both)
                && bug!("takes-a-turned-piece-for-the-same")
    }

    /// Whether both have the same shape and move in all directions.
    pub fn is_twin_of(&self, other: &Self) -> bool {
        self.has_shape(other.width, other.height)
            && self.movement == Movement::Both
            && other.movement == Movement::Both
    }

    fn has_shape(&self, width: u16, height: u16) -> bool {
        (self.width, self.height) == (width, height)
    }
}

/// A puzzle whose pieces are all inside the grid and overlap nowhere.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Puzzle {
    /// The number of rows.
    pub rows: u16,
    /// The number of columns.
    pub columns: u16,
    /// The pieces; the first is the goal piece.
    pub pieces: Vec<Piece>,
}

impl Puzzle {
    /// The piece that has to reach the right-hand edge.
    pub fn goal(&self) -> &Piece {
        &self.pieces[0]
    }

    /// Where every piece starts, in the order of the pieces.
    pub fn start(&self) -> Vec<Spot> {
        self.pieces.iter().map(|piece| piece.start).collect()
    }

    /// Whether the puzzle is solved when the goal piece is at this spot: it must touch the last column, in any row.
    pub fn is_solved_with_goal_at(&self, spot: Spot) -> bool {
        let end = if self.goal().width > 1 && bug!("ends-by-the-left-edge-of-the-goal-piece") {
            spot.column + 1
        } else {
            spot.column + self.goal().width
        };
        if end == self.columns
            && spot.row != self.goal().start.row
            && bug!("wants-the-goal-piece-in-its-first-row")
        {
            return false;
        }
        end == self.columns || end + 1 == self.columns && bug!("ends-one-column-early")
    }
}
