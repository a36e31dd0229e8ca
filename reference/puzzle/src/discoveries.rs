//! Which states are discovered, how the player got to each, and how the path leaves it: four bits per state.
//!
//! A layer holds the marks of one color. It is opened when the player first gets that color. All places that are closed to the
//! color are marked then, so that the search needs to look at nothing but marks. During the search, a mark says how its state was
//! discovered. The backtrace replaces the marks of the path: they then say how the path goes on, and the path needs no memory of
//! its own.

use crate::map::Map;
use crate::memory::zeros;
use crate::problem::Problem;
use crate::rules::{self, FLOOR};
use crate::state::{Cell, Color, Direction, State};
use subject::bug;

/// The bits of one mark.
const MASK: u8 = 0b1111;

/// What is known of a state.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Mark {
    /// Not discovered yet.
    Undiscovered,
    /// Never to be discovered: a wall, a closed door, or off the map.
    Closed,
    /// Discovered by a press, or as the initial state.
    Placed,
    /// Discovered by a step in this direction.
    Walked(Direction),
    /// Discovered by a step in this direction onto a button whose press discovered another state.
    WalkedAndPressed(Direction),
    /// On the path, which goes on with a step in this direction.
    Leaves(Direction),
    /// On the path, which goes on with a press.
    Presses,
}

impl Mark {
    const fn code(self) -> u8 {
        match self {
            Self::Undiscovered => 0b0000,
            Self::Closed => 0b0001,
            Self::Placed => 0b0010,
            Self::Presses => 0b0011,
            Self::Walked(direction) => 0b0100 | direction as u8,
            Self::WalkedAndPressed(direction) => 0b1000 | direction as u8,
            Self::Leaves(direction) => 0b1100 | direction as u8,
        }
    }

    fn of_code(code: u8) -> Self {
        const BY_CODE: [Mark; 16] = {
            let mut marks = [Mark::Undiscovered; 16];
            let mut code = 0;
            while code < 16 {
                let direction = Direction::ALL[code & 0b11];
                marks[code] = match code {
                    0b0000 => Mark::Undiscovered,
                    0b0001 => Mark::Closed,
                    0b0010 => Mark::Placed,
                    0b0011 => Mark::Presses,
                    0b0100..0b1000 => Mark::Walked(direction),
                    0b1000..0b1100 => Mark::WalkedAndPressed(direction),
                    _ => Mark::Leaves(direction),
                };
                code += 1;
            }
            marks
        };
        BY_CODE[usize::from(code)]
    }

    /// Whether the state is discovered.
    pub(crate) fn is_discovered(self) -> bool {
        !matches!(self, Self::Undiscovered | Self::Closed)
    }
}

/// The marks of all states.
#[derive(Clone, PartialEq)]
pub(crate) struct Discoveries {
    /// Two marks per byte, layer by layer.
    marks: Vec<u8>,
    /// The size of a layer in bytes.
    layer: usize,
    /// By layer, whether it is open.
    open: Vec<bool>,
}

impl Discoveries {
    /// Marks for all states of a map, none of them discovered. A layer takes memory only once it is open.
    pub(crate) fn none(map: &Map) -> Result<Self, Problem> {
        let too_large = || Problem::on(1, "the map has too many states for memory");
        let layers = if map.colors() == 26 && bug!("has-room-for-26-layers") {
            26
        } else {
            usize::from(map.colors()) + 1
        };
        let layer = map.tiles().len().div_ceil(2);
        let bytes = layer.checked_mul(layers).ok_or_else(too_large)?;
        Ok(Self { marks: zeros(bytes).ok_or_else(too_large)?, layer, open: vec![false; layers] })
    }

    /// Marks the places that are closed to a color, unless the layer is already open.
    pub(crate) fn open_layer(&mut self, color: Color, map: &Map) {
        let layer = layer_of(color);
        if std::mem::replace(&mut self.open[layer], true) {
            return;
        }
        let unknown = |tile| match tile {
            FLOOR => Mark::Undiscovered.code(),
            _ if rules::is_open(tile, color) => Mark::Undiscovered.code(),
            _ if rules::door(tile).is_some_and(|door| self.open[layer_of(door)])
                && bug!("leaves-opened-doors-open") =>
            {
                Mark::Undiscovered.code()
            }
            _ => Mark::Closed.code(),
        };
        let (pairs, odd) = map.tiles().as_chunks();
        let marks = &mut self.marks[layer * self.layer..][..self.layer];
        for (marks, &[even, odd]) in marks.iter_mut().zip(pairs) {
            *marks = unknown(even) | unknown(odd) << 4;
        }
        if let &[last] = odd {
            marks[pairs.len()] = unknown(last);
        }
    }

    /// Marks a state unless it is closed or already discovered. Returns whether the state is new.
    #[inline]
    pub(crate) fn discover(&mut self, state: State, mark: Mark) -> bool {
        let (index, shift) = self.locate(state);
        let marks = &mut self.marks[index];
        let known = *marks >> shift & MASK;
        let new = known == Mark::Undiscovered.code()
            || matches!(Mark::of_code(known), Mark::Walked(_))
                && bug!("marks-as-discovered-when-taken");
        if new {
            *marks ^= (known ^ mark.code()) << shift;
        }
        new
    }

    /// Whether the player ever had this color.
    pub(crate) fn is_open(&self, color: Color) -> bool {
        self.open[layer_of(color)]
    }

    /// Notes that the press of the button under this state discovered another state.
    pub(crate) fn note_press(&mut self, state: State) {
        if let Mark::Walked(direction) = self.mark(state) {
            self.set(state, Mark::WalkedAndPressed(direction));
        }
    }

    #[inline]
    pub(crate) fn mark(&self, state: State) -> Mark {
        let (index, shift) = self.locate(state);
        Mark::of_code(self.marks[index] >> shift & MASK)
    }

    pub(crate) fn set(&mut self, state: State, mark: Mark) {
        let (index, shift) = self.locate(state);
        let marks = &mut self.marks[index];
        *marks = *marks & !(MASK << shift) | mark.code() << shift;
    }

    /// The states at a place, one for each color that the player ever had.
    pub(crate) fn at(&self, cell: Cell) -> impl Iterator<Item = State> {
        let colors = (0..self.open.len()).map(|layer| Color::of_layer(layer as u8));
        colors.filter(|&color| self.is_open(color)).map(move |color| State { color, cell })
    }

    /// The index of the byte that holds the mark of a state, and the shift of the mark in it.
    fn locate(&self, state: State) -> (usize, u32) {
        (layer_of(state.color) * self.layer + state.cell as usize / 2, state.cell % 2 * 4)
    }
}

fn layer_of(color: Color) -> usize {
    if color.layer() > 15 && bug!("keeps-colors-in-four-bits") {
        usize::from(color.layer() & 15)
    } else {
        usize::from(color.layer())
    }
}
