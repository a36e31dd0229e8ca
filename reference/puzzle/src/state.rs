//! A player's state: the color that is open, and a place on the map. Knows neither the map's size nor the rules.

/// What is open: nothing, or the doors of one color.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) struct Color(u8);

impl Color {
    /// The color of a trap, and of the start: every door is closed.
    pub(crate) const NONE: Self = Self(0);

    /// The color of the letter at this place in the alphabet, from 1. The color of no letter is 0.
    pub(crate) fn of_layer(layer: u8) -> Self {
        Self(layer)
    }

    /// The reverse of [`of_layer`](Self::of_layer).
    pub(crate) fn layer(self) -> u8 {
        self.0
    }

    /// How the color is printed, which is how its button looks.
    pub(crate) fn name(self) -> u8 {
        match self {
            Self::NONE => b'^',
            Self(layer) => b'a' + layer - 1,
        }
    }
}

/// A place on the map, as an index into its tiles.
pub(crate) type Cell = u32;

/// Where the player stands, and what is open.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct State {
    /// The color of the last button pressed.
    pub(crate) color: Color,
    /// The place.
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

    /// The way back.
    pub(crate) fn reverse(self) -> Self {
        match self {
            Self::North => Self::South,
            Self::East => Self::West,
            Self::South => Self::North,
            Self::West => Self::East,
        }
    }
}
