//! Which states are discovered, and how the player comes to each of them and leaves it: four bits a state.
//!
//! During the search a mark says how its state was discovered. The backtrace then turns the marks of the path round: they say how
//! the path goes on. So a path of any length needs no memory of its own.

use crate::map::Map;
use crate::problem::Problem;
use crate::state::{Cell, Color, Direction, State};

/// The bits of one mark.
const MASK: u8 = 0b1111;

/// What is known of a state.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Mark {
    /// Nobody has been there.
    Undiscovered,
    /// Discovered by a press, or as the initial state.
    Placed,
    /// Discovered by a step in this direction.
    Walked(Direction),
    /// Discovered by a step in this direction; the press of the button there discovered another state.
    WalkedAndPressed(Direction),
    /// On the path, which goes on with a step in this direction.
    Leaves(Direction),
    /// On the path, which goes on with a press.
    Presses,
    /// The end of the path.
    Ends,
}

impl Mark {
    const fn code(self) -> u8 {
        match self {
            Self::Undiscovered => 0b0000,
            Self::Placed => 0b0001,
            Self::Presses => 0b0010,
            Self::Ends => 0b0011,
            Self::Walked(direction) => 0b0100 | direction as u8,
            Self::WalkedAndPressed(direction) => 0b1000 | direction as u8,
            Self::Leaves(direction) => 0b1100 | direction as u8,
        }
    }

    fn of_code(code: u8) -> Self {
        let direction = Direction::ALL[usize::from(code & 0b11)];
        match code {
            0b0000 => Self::Undiscovered,
            0b0001 => Self::Placed,
            0b0010 => Self::Presses,
            0b0011 => Self::Ends,
            0b0100..0b1000 => Self::Walked(direction),
            0b1000..0b1100 => Self::WalkedAndPressed(direction),
            _ => Self::Leaves(direction),
        }
    }

    /// Whether the mark is one that the backtrace leaves on the path.
    pub(crate) fn is_on_path(self) -> bool {
        matches!(self, Self::Leaves(_) | Self::Presses | Self::Ends)
    }
}

/// The marks of all states, one layer of cells for each color.
pub(crate) struct Discoveries {
    /// Two marks a byte.
    marks: Vec<u8>,
    cells: usize,
    colors: u8,
}

impl Discoveries {
    /// Marks for all states of a map, none of them discovered. Memory follows as states are discovered.
    pub(crate) fn none(map: &Map) -> Result<Self, Problem> {
        let too_large = || Problem::on(1, "the map has too many states for memory");
        let cells = map.tiles().len();
        let bytes = cells.checked_mul(usize::from(map.colors()) + 1).ok_or_else(too_large)?.div_ceil(2);
        // `vec!` gets zeros for nothing but would abort if there is no room, so ask first.
        Vec::<u8>::new().try_reserve_exact(bytes).map_err(|_| too_large())?;
        Ok(Self { marks: vec![0; bytes], cells, colors: map.colors() })
    }

    /// Marks a state, if it is not discovered yet. Returns whether it was not.
    pub(crate) fn discover(&mut self, state: State, mark: Mark) -> bool {
        let (index, shift) = self.locate(state);
        let byte = &mut self.marks[index];
        let undiscovered = *byte >> shift & MASK == Mark::Undiscovered.code();
        if undiscovered {
            *byte |= mark.code() << shift;
        }
        undiscovered
    }

    /// Notes that the press of the button under this state discovered another one.
    pub(crate) fn note_press(&mut self, state: State) {
        if let Mark::Walked(direction) = self.mark(state) {
            self.set(state, Mark::WalkedAndPressed(direction));
        }
    }

    /// The mark of a state.
    pub(crate) fn mark(&self, state: State) -> Mark {
        let (index, shift) = self.locate(state);
        Mark::of_code(self.marks[index] >> shift & MASK)
    }

    /// Changes the mark of a state.
    pub(crate) fn set(&mut self, state: State, mark: Mark) {
        let (index, shift) = self.locate(state);
        let byte = &mut self.marks[index];
        *byte = *byte & !(MASK << shift) | mark.code() << shift;
    }

    /// The marks of a place in each color.
    pub(crate) fn at(&self, cell: Cell) -> impl Iterator<Item = (State, Mark)> + '_ {
        (0..=self.colors).map(move |layer| {
            let state = State { color: Color::of_layer(layer), cell };
            (state, self.mark(state))
        })
    }

    /// The byte that holds the mark of a state, and how far to shift it.
    fn locate(&self, state: State) -> (usize, usize) {
        let index = usize::from(state.color.layer()) * self.cells + state.cell as usize;
        (index / 2, index % 2 * 4)
    }
}
