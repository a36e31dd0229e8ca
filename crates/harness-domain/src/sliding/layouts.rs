//! Finds all layouts that a board can reach. Random boards use their number, to stay cheap to search, and the one that is farthest from
//! a solution, to be hard. No verdict depends on this.

use super::board::{Board, Piece};

/// Every layout that a board can reach, in the order of a breadth-first search. Two pieces of the same shape and direction are
/// interchangeable: layouts that differ only in them are the same.
pub(super) struct Layouts {
    pieces: Vec<Piece>,
    columns: i32,
    ways: [Way; 4],
    /// The cells of each piece, moved to the upper left corner, as bits.
    shapes: Vec<u64>,
    /// A number for each piece. Interchangeable pieces have the same one.
    kinds: Vec<u8>,
    /// The place of each piece in the first layout, then in the second one, and so on.
    spots: Vec<u8>,
    numbers: Numbers,
    /// The layouts that one move leads to from the first layout, then from the second one, and so on, and where those of each end.
    moves: Vec<u32>,
    ends: Vec<usize>,
}

impl Layouts {
    /// The layouts of the valid pieces of `board`. `None` if there are more than `most`, or if the grid has more than 64 cells.
    pub(super) fn of(board: &Board, most: usize) -> Option<Self> {
        if board.area() > CELLS {
            return None;
        }
        let pieces = board.valid();
        let spot = |piece: &Piece| ((piece.row - 1) * board.columns + piece.column - 1) as u8;
        let start: Vec<u8> = pieces.iter().map(spot).collect();
        let mut layouts = Self {
            shapes: pieces.iter().map(|piece| shape(piece, board.columns)).collect(),
            kinds: kinds(&pieces),
            pieces,
            columns: board.columns,
            ways: Way::all(board),
            spots: Vec::new(),
            numbers: Numbers::new(),
            moves: Vec::new(),
            ends: Vec::new(),
        };
        layouts.numbers.add(layouts.key(&start));
        layouts.spots.extend_from_slice(&start);
        let mut at = 0;
        while at < layouts.count() {
            if layouts.count() > most {
                return None;
            }
            layouts.add_moves(at);
            at += 1;
        }
        Some(layouts)
    }

    /// The number of layouts.
    pub(super) fn count(&self) -> usize {
        self.numbers.keys.len()
    }

    /// The layout whose shortest solution takes the most moves, and the number of these moves. `None` if there is no solution, or if every
    /// layout is solved.
    pub(super) fn farthest(&self) -> Option<(usize, Vec<Piece>)> {
        let mut reached: Vec<usize> = (0..self.count()).filter(|&at| self.is_solved(at)).collect();
        let mut moves = vec![None; self.count()];
        reached.iter().for_each(|&at| moves[at] = Some(0));
        let mut first = 0;
        while let Some(&at) = reached.get(first) {
            let further = moves[at].map(|moves: usize| moves + 1);
            // Every move can be reversed.
            for &to in self.moves_from(at) {
                let to = to as usize;
                if moves[to].is_none() {
                    moves[to] = further;
                    reached.push(to);
                }
            }
            first += 1;
        }
        let last = *reached.last()?;
        let place = |(piece, &spot): (&Piece, &u8)| {
            let (row, column) = self.place(spot);
            Piece { row, column, ..*piece }
        };
        let pieces = self.pieces.iter().zip(self.layout(last)).map(place).collect();
        moves[last].filter(|&moves| moves > 0).map(|moves| (moves, pieces))
    }

    /// The numbers of the layouts that one move leads to.
    fn moves_from(&self, at: usize) -> &[u32] {
        let start = at.checked_sub(1).map_or(0, |before| self.ends[before]);
        &self.moves[start..self.ends[at]]
    }

    /// A hash of a layout. Equal layouts have the same one.
    fn key(&self, spots: &[u8]) -> u64 {
        self.kinds
            .iter()
            .zip(spots)
            .map(|(&kind, &spot)| mixed(kind, spot))
            .fold(0, u64::wrapping_add)
    }

    fn layout(&self, at: usize) -> &[u8] {
        let count = self.pieces.len();
        &self.spots[at * count..(at + 1) * count]
    }

    fn place(&self, spot: u8) -> (i32, i32) {
        (i32::from(spot) / self.columns + 1, i32::from(spot) % self.columns + 1)
    }

    /// Whether the goal piece, the first, is in the last column.
    fn is_solved(&self, at: usize) -> bool {
        let goal = self.pieces.first().zip(self.layout(at).first());
        goal.is_some_and(|(goal, &spot)| self.place(spot).1 + goal.width > self.columns)
    }

    /// Adds every move from a layout, and the layouts that these lead to.
    fn add_moves(&mut self, at: usize) {
        let count = self.pieces.len();
        let mut spots = [0; CELLS];
        let spots = &mut spots[..count];
        spots.copy_from_slice(self.layout(at));
        let key = self.numbers.keys[at];
        let cells = self.shapes.iter().zip(&*spots);
        let occupied = cells.fold(0, |occupied, (shape, spot)| occupied | shape << spot);
        for (piece, of) in self.pieces.iter().enumerate() {
            let (kind, before) = (self.kinds[piece], spots[piece]);
            let cells = self.shapes[piece] << before;
            let without = key.wrapping_sub(mixed(kind, before));
            for &way in ways(of.direction) {
                let Way { turn, step, last } = self.ways[way];
                let (mut cells, mut spot, others) = (cells, before, occupied & !cells);
                while cells & last | cells.rotate_left(turn) & others == 0 {
                    cells = cells.rotate_left(turn);
                    spot = spot.wrapping_add(step);
                    let (to, is_new) = self.numbers.add(without.wrapping_add(mixed(kind, spot)));
                    self.moves.push(to);
                    if is_new {
                        spots[piece] = spot;
                        self.spots.extend_from_slice(spots);
                        spots[piece] = before;
                    }
                }
            }
        }
        self.ends.push(self.moves.len());
    }
}

/// A direction, in terms of bits.
#[derive(Clone, Copy)]
struct Way {
    /// How far one space turns the bits.
    turn: u32,
    /// What one space adds to a place.
    step: u8,
    /// The cells at this edge of the grid.
    last: u64,
}

impl Way {
    /// Left, right, up and down on a board of up to 64 cells.
    fn all(board: &Board) -> [Self; 4] {
        let (area, columns) = (board.area() as i32, board.columns);
        let way = |step: i32, is_last: &dyn Fn(i32) -> bool| Self {
            turn: step.rem_euclid(u64::BITS as i32) as u32,
            step: step as u8,
            last: (0..area).filter(|&cell| is_last(cell)).fold(0, |last, cell| last | 1 << cell),
        };
        [
            way(-1, &|cell| cell % columns == 0),
            way(1, &|cell| (cell + 1) % columns == 0),
            way(-columns, &|cell| cell < columns),
            way(columns, &|cell| cell + columns >= area),
        ]
    }
}

/// The key of each layout, by its number, and a table that finds the number of a key.
struct Numbers {
    keys: Vec<u64>,
    /// Each key, which is a hash, at or after the place that it gives, with its number plus one. The length is a power of two.
    slots: Vec<(u64, u32)>,
}

impl Numbers {
    const FREE: (u64, u32) = (0, 0);

    fn new() -> Self {
        Self { keys: Vec::new(), slots: vec![Self::FREE; 128] }
    }

    /// The number of a key, which is the next one if the key is new. Says whether it is.
    fn add(&mut self, key: u64) -> (u32, bool) {
        let slot = self.slot(key);
        if self.slots[slot] != Self::FREE {
            return (self.slots[slot].1 - 1, false);
        }
        self.keys.push(key);
        let number = self.keys.len() as u32;
        self.slots[slot] = (key, number);
        if self.keys.len() * 2 > self.slots.len() {
            self.grow();
        }
        (number - 1, true)
    }

    /// The slot of a key, or the one where it belongs.
    fn slot(&self, key: u64) -> usize {
        let mask = self.slots.len() - 1;
        let mut slot = key as usize & mask;
        while self.slots[slot] != Self::FREE && self.slots[slot].0 != key {
            slot = (slot + 1) & mask;
        }
        slot
    }

    fn grow(&mut self) {
        self.slots = vec![Self::FREE; self.slots.len() * 4];
        for (number, &key) in (1..).zip(&self.keys) {
            let slot = self.slot(key);
            self.slots[slot] = (key, number);
        }
    }
}

/// What a piece contributes to a key.
fn mixed(kind: u8, spot: u8) -> u64 {
    MIXED[usize::from(kind) % CELLS][usize::from(spot) % CELLS]
}

/// The most cells of a board. There are at most as many pieces, because they do not overlap.
const CELLS: usize = u64::BITS as usize;

/// What each piece contributes at each place.
static MIXED: [[u64; CELLS]; CELLS] = {
    let mut all = [[0; CELLS]; CELLS];
    let mut at = 0;
    while at < CELLS * CELLS {
        let z = (at as u64 + 1).wrapping_mul(0x9e37_79b9_7f4a_7c15);
        let z = (z ^ (z >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        all[at / CELLS][at % CELLS] = z ^ (z >> 31);
        at += 1;
    }
    all
};

/// A number for each piece, the same for interchangeable ones. The goal piece, which is the first, has its own.
fn kinds(pieces: &[Piece]) -> Vec<u8> {
    let kind = |piece: &Piece| (piece.width, piece.height, piece.direction);
    let first = |at: usize| {
        (1..at).find(|&other| kind(&pieces[other]) == kind(&pieces[at])).unwrap_or(at) as u8
    };
    (0..pieces.len()).map(first).collect()
}

/// The cells of a piece, moved to the upper left corner of the grid, as bits.
fn shape(piece: &Piece, columns: i32) -> u64 {
    let row = ((1_u128 << piece.width) - 1) as u64;
    (0..piece.height).fold(0, |shape, below| shape | row << (below * columns))
}

/// The directions in which a piece may move, by their place in [`Way::all`].
fn ways(direction: u8) -> &'static [usize] {
    match direction {
        b'h' => &[0, 1],
        b'v' => &[2, 3],
        b'b' => &[0, 1, 2, 3],
        _ => &[],
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn layouts(file: &[u8]) -> Option<Layouts> {
        Layouts::of(&Board::read(file).unwrap(), 99)
    }

    #[test]
    fn layouts_are_counted_up_to_the_bound() {
        let check = |file: &[u8], expected| {
            assert_eq!(layouts(file).map(|layouts| layouts.count()), expected);
        };
        check(b"1 3\n1 1 1 1 v\n", Some(1));
        check(b"3 3\n2 2 1 1 v\n", Some(3));
        check(b"3 3\n2 2 1 1 b\n", Some(9));
        check(b"3 3\n2 2 1 1 n\n", Some(1));
        check(b"1 4\n1 1 1 1 h\n1 4 1 1 v\n", Some(3));
        check(b"8 8\n1 1 1 1 v\n1 8 1 1 v\n8 7 1 1 v\n1 5 1 1 v\n", None);
        check(b"9 8\n1 1 1 1 n\n", None);
        check(b"0 1\n1 1 1 1 v\n", Some(1));
    }

    #[test]
    fn pieces_of_the_same_shape_and_direction_are_interchangeable_except_for_the_goal_piece() {
        let count = |file: &[u8]| layouts(file).unwrap().count();
        assert_eq!(count(b"2 2\n1 1 1 1 v\n1 2 1 1 b\n2 2 1 1 b\n"), 2 * 3);
        assert_eq!(count(b"2 2\n1 1 1 1 b\n1 2 1 1 b\n"), 4 * 3);
        assert_eq!(count(b"3 2\n1 1 1 1 v\n2 1 1 1 v\n3 2 1 1 h\n"), 3 + 1);
    }

    #[test]
    fn the_farthest_layout_takes_the_most_moves() {
        let farthest = |file: &[u8]| layouts(file).unwrap().farthest();
        // Left, down, right.
        let (moves, pieces) = farthest(b"3 3\n3 1 1 1 b\n1 3 1 1 n\n2 2 1 1 n\n").unwrap();
        assert_eq!((moves, pieces[0].row, pieces[0].column), (3, 1, 2));
        assert_eq!(farthest(b"1 3\n1 1 1 1 h\n1 2 1 1 v\n"), None, "there is no solution");
        assert_eq!(farthest(b"1 1\n1 1 1 1 h\n"), None, "none is needed");
    }
}
