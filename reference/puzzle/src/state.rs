//! A player's state: a color and a place on the map.

/// The player's color. Doors of this color are open, and all others are closed.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) struct Color(u8);

impl Color {
    /// No color, which is that of a trap and of the start: every door is closed.
    pub(crate) const NONE: Self = Self(0);

    /// The color of the letter at this place in the alphabet, counted from 1. Layer 0 is [`NONE`](Self::NONE).
    pub(crate) fn of_layer(layer: u8) -> Self {
        Self(layer)
    }

    /// The inverse of [`of_layer`](Self::of_layer).
    pub(crate) fn layer(self) -> u8 {
        self.0
    }

    /// The character for the color: that of its button.
    pub(crate) fn name(self) -> u8 {
        match self {
            Self::NONE => b'^',
            Self(layer) => b'a' + layer - 1,
        }
    }
}

/// A place on the map, as an index into its tiles.
pub(crate) type Cell = u32;

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct State {
    /// The color of the last button pressed.
    pub(crate) color: Color,
    pub(crate) cell: Cell,
}

/// A step on the map.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Direction {
    North,
    East,
    South,
    West,
}

impl Direction {
    /// All four, so that `ALL[d as usize] == d`.
    pub(crate) const ALL: [Self; 4] = [Self::North, Self::East, Self::South, Self::West];

    /// The opposite direction.
    pub(crate) fn reverse(self) -> Self {
        match self {
            Self::North => Self::South,
            Self::East => Self::West,
            Self::South => Self::North,
            Self::West => Self::East,
        }
    }
}
