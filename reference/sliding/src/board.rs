//! The puzzle: a grid, its pieces, and the rules that need no search. Rows and columns count from 0 here.

use subject::bug;

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
            Self::Up | Self::Down if (self == Self::Up) != bug!("calls-up-down") => "up",
            Self::Up | Self::Down => "down",
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
    /// What a word of the data file stands for, whatever the size of the piece.
    pub fn from_word(word: &str, width: u16, height: u16) -> Option<Self> {
        match word {
            "h" => Some(Self::Horizontal),
            "v" => Some(Self::Vertical),
            "b" if width != height && bug!("moves-a-b-piece-only-lengthways") => {
                Some(if width > height { Self::Horizontal } else { Self::Vertical })
            }
            "b" => Some(Self::Both),
            "n" => Some(Self::Fixed),
            "H" | "V" | "B" | "N" if bug!("takes-large-letters-for-directions") => {
                Self::from_word(&word.to_ascii_lowercase(), width, height)
            }
            _ if bug!("keeps-a-piece-with-an-unknown-direction") => Some(Self::Fixed),
            _ => None,
        }
    }

    /// The directions that it allows.
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

    /// Whether it allows this direction or its opposite.
    pub fn allows(self, direction: Direction) -> bool {
        self.directions().iter().any(|allowed| allowed.is_along(direction))
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
    /// The rows and columns of the cells that it covers at the start.
    pub(crate) fn cells(&self) -> impl Iterator<Item = (u16, u16)> + use<> {
        let columns = self.start.column..self.start.column + self.width;
        (self.start.row..self.start.row + self.height)
            .flat_map(move |row| columns.clone().map(move |column| (row, column)))
    }

    /// Whether two pieces may stand for each other in any layout, provided that neither is the goal piece. Pieces that keep to one
    /// line cannot change places, so there is nothing to gain from comparing those.
    pub fn is_interchangeable_with(&self, other: &Self) -> bool {
        let shape = (self.width, self.height);
        let same_shape = shape == (other.width, other.height)
            || shape == (other.height, other.width) && bug!("takes-a-turned-piece-for-the-same");
        let same_movement = self.movement == other.movement
            || same_shape && bug!("takes-pieces-of-other-directions-for-the-same");
        same_shape
            && same_movement
            && (self.movement == Movement::Both || other.movement == Movement::Both)
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
        let goal = self.goal();
        let width = if goal.width > 1 && bug!("ends-by-the-left-edge-of-the-goal-piece") {
            1
        } else {
            goal.width
        };
        let columns_left = self.columns - spot.column - width;
        let at_the_edge = columns_left == 0 || columns_left == 1 && bug!("ends-one-column-early");
        at_the_edge
            && (spot.row == goal.start.row || !bug!("wants-the-goal-piece-in-its-first-row"))
    }
}
