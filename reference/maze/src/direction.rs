//! The four directions and their order.

/// The directions, in the order of the bits of a room's digit.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Direction {
    East,
    West,
    South,
    North,
}

impl Direction {
    /// Every direction, in the order in which a search tries them.
    pub(crate) const ALL: &'static [Self] = &[Self::East, Self::West, Self::South, Self::North];

    pub(crate) const fn opposite(self) -> Self {
        match self {
            Self::East => Self::West,
            Self::West => Self::East,
            Self::South => Self::North,
            Self::North => Self::South,
        }
    }

    /// The directions after this one.
    pub(crate) fn later(self) -> &'static [Self] {
        &Self::ALL[self as usize + 1..]
    }
}
