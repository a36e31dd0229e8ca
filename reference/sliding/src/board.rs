//! The puzzle: a grid, its pieces, and the rules that need no search. Rows and columns count from 0 here.

/// Where the upper left corner of a piece is. Spots are ordered row by row.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct Spot {
    /// The row, from 0 at the top.
    pub row: u16,
    /// The column, from 0 at the left.
    pub column: u16,
}

/// One straight way to go.
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
    /// Its name in a list of moves.
    pub fn name(self) -> &'static str {
        match self {
            Self::Up => "up",
            Self::Down => "down",
            Self::Left => "left",
            Self::Right => "right",
        }
    }

    /// Whether both directions lie on one line.
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
    /// What a word of the data file stands for.
    pub fn from_word(word: &str) -> Option<Self> {
        match word {
            "h" => Some(Self::Horizontal),
            "v" => Some(Self::Vertical),
            "b" => Some(Self::Both),
            "n" => Some(Self::Fixed),
            _ => None,
        }
    }

    /// The directions that it allows.
    pub fn directions(self) -> &'static [Direction] {
        use Direction::{Down, Left, Right, Up};
        match self {
            Self::Horizontal => &[Left, Right],
            Self::Vertical => &[Up, Down],
            Self::Both => &[Up, Down, Left, Right],
            Self::Fixed => &[],
        }
    }

    /// Whether it allows both directions of this line.
    pub fn allows(self, direction: Direction) -> bool {
        self.directions().contains(&direction)
    }
}

/// A rectangular piece.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Piece {
    /// Its name in the grids and the moves.
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
    /// Whether two pieces cover a common cell at the start.
    pub fn overlaps(&self, other: &Self) -> bool {
        let rows_meet = self.start.row < other.start.row + other.height && other.start.row < self.start.row + self.height;
        let columns_meet =
            self.start.column < other.start.column + other.width && other.start.column < self.start.column + self.width;
        rows_meet && columns_meet
    }

    /// Whether two pieces may stand for each other in any layout, provided that neither is the goal piece. Pieces that keep to one
    /// line cannot change places, so there is nothing to gain from comparing those.
    pub fn is_interchangeable_with(&self, other: &Self) -> bool {
        let same_shape = (self.width, self.height) == (other.width, other.height);
        same_shape && self.movement == Movement::Both && other.movement == Movement::Both
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

    /// Whether the puzzle is solved with the goal piece at this spot: the piece touches the last column, in any row.
    pub fn is_solved_with_goal_at(&self, spot: Spot) -> bool {
        spot.column + self.goal().width == self.columns
    }
}
