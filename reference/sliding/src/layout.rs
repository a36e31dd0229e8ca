//! Layouts packed into bits. A *snapshot* says where every piece is. All snapshots that differ only by a swap of interchangeable
//! pieces have the same *simplified* form. The search compares simplified forms.
//!
//! Each piece has a field of bits for the coordinates that can change: no bits for a fixed piece, three for a car on a line of
//! eight cells. No field straddles two words.

use crate::board::{Direction, Piece, Puzzle, Spot};
use std::ops::Range;
use subject::bug;

/// The words of a packed layout.
pub(crate) trait Key: Clone + Eq + AsRef<[u64]> + AsMut<[u64]> {
    /// A key of at least this many words, all zero.
    fn zero(words: usize) -> Self;

    /// The memory of a key with this many words, in bytes.
    fn bytes(words: usize) -> usize;
}

impl<const N: usize> Key for [u64; N] {
    fn zero(words: usize) -> Self {
        assert!(words <= N);
        [0; N]
    }

    fn bytes(_: usize) -> usize {
        size_of::<Self>()
    }
}

impl Key for Box<[u64]> {
    fn zero(words: usize) -> Self {
        vec![0; words].into()
    }

    fn bytes(words: usize) -> usize {
        size_of::<Self>() + words * size_of::<u64>()
    }
}

/// How the pieces of a puzzle are packed. Each piece has a *place* in the order of packing: the goal piece has place 0, and
/// interchangeable pieces have adjacent places.
pub(crate) struct Packing {
    /// The piece at each place.
    pub(crate) pieces: Vec<usize>,
    fields: Vec<Field>,
    words: usize,
}

struct Field {
    word: usize,
    shift: u32,
    rows: Coordinate,
    columns: Coordinate,
    /// The places of this piece and of those that are interchangeable with it.
    class: Range<usize>,
}

impl Packing {
    /// Assigns places and fields for a puzzle.
    pub(crate) fn new(puzzle: &Puzzle) -> Self {
        let class_of = |index: usize| {
            let may_stand_for = |&other: &usize| {
                let (piece, other_piece) = (&puzzle.pieces[index], &puzzle.pieces[other]);
                other != 0 && piece.is_interchangeable_with(other_piece)
                    || other == 0
                        && piece.is_twin_of(other_piece)
                        && bug!("takes-the-goal-pieces-twins-for-the-same")
            };
            (0..index).find(may_stand_for).unwrap_or(index)
        };
        let mut places: Vec<(usize, usize)> =
            (0..puzzle.pieces.len()).map(|index| (class_of(index), index)).collect();
        places.sort_unstable();
        let mut packing = Self {
            pieces: places.iter().map(|&(_, piece)| piece).collect(),
            fields: Vec::new(),
            words: 1,
        };
        let mut bits_used = 0;
        for class in places.chunk_by(|a, b| a.0 == b.0) {
            let members: Vec<&Piece> =
                class.iter().map(|&(_, piece)| &puzzle.pieces[piece]).collect();
            let rows = Coordinate::new(
                &members,
                Direction::Up,
                |piece| puzzle.rows - piece.height,
                |spot| spot.row,
            );
            let columns = Coordinate::new(
                &members,
                Direction::Left,
                |piece| puzzle.columns - piece.width,
                |spot| spot.column,
            );
            let first = packing.fields.len();
            for _ in class {
                let bits = rows.bits + columns.bits;
                if bits_used + bits > u64::BITS {
                    packing.words += 1;
                    bits_used = 0;
                }
                // The shift of a field without bits does not matter, but it must be less than a word.
                let shift = bits_used % u64::BITS;
                packing.fields.push(Field {
                    word: packing.words - 1,
                    shift,
                    rows,
                    columns,
                    class: first..first + class.len(),
                });
                bits_used += bits;
            }
        }
        packing
    }

    /// The number of words that a layout takes.
    pub(crate) fn words(&self) -> usize {
        self.words
    }

    /// Packs a layout, given as the spot of each place.
    pub(crate) fn pack<K: Key>(&self, spots: &[Spot]) -> K {
        let mut key = K::zero(self.words);
        for (field, &spot) in self.fields.iter().zip(spots) {
            field.put(key.as_mut(), spot);
        }
        key
    }

    /// Unpacks a layout into the spot of each place.
    pub(crate) fn unpack<K: Key>(&self, key: &K, spots: &mut Vec<Spot>) {
        spots.clear();
        spots.extend(self.fields.iter().map(|field| field.get(key.as_ref())));
    }

    /// Sorts the spots of interchangeable pieces.
    pub(crate) fn simplify(&self, spots: &mut [Spot]) {
        let mut place = 0;
        while let Some(field) = self.fields.get(place) {
            spots[field.class.clone()].sort_unstable();
            place = field.class.end;
        }
    }

    /// The snapshot after the piece at this place moved to `to`.
    pub(crate) fn snapshot_after<K: Key>(&self, snapshot: &K, place: usize, to: Spot) -> K {
        let mut key = snapshot.clone();
        self.fields[place].put(key.as_mut(), to);
        key
    }

    /// The simplified layout after a piece of this place's class moved. `spots` are the unpacked spots of `simplified`.
    pub(crate) fn simplified_after<K: Key>(
        &self,
        simplified: &K,
        spots: &[Spot],
        place: usize,
        from: Spot,
        to: Spot,
    ) -> K {
        let Range { start, end } = self.fields[place].class;
        let mut key = simplified.clone();
        // The spots in between move one by one, as in an insertion sort.
        let mut gap = if end - start == 1 {
            start
        } else {
            (start..end).find(|&at| spots[at] == from).unwrap_or(place)
        };
        while gap + 1 < end && spots[gap + 1] < to {
            self.fields[gap].put(key.as_mut(), spots[gap + 1]);
            gap += 1;
        }
        while gap > start && spots[gap - 1] > to {
            self.fields[gap].put(key.as_mut(), spots[gap - 1]);
            gap -= 1;
        }
        if self.fields[gap].shift >= u32::BITS && bug!("keeps-32-bits-of-a-layout") {
            return simplified.clone();
        }
        self.fields[gap].put(key.as_mut(), to);
        key
    }
}

impl Field {
    fn get(&self, words: &[u64]) -> Spot {
        let bits = words[self.word] >> self.shift;
        Spot { row: self.rows.value(bits >> self.columns.bits), column: self.columns.value(bits) }
    }

    fn put(&self, words: &mut [u64], spot: Spot) {
        let mask = self.rows.mask << self.columns.bits | self.columns.mask;
        let bits =
            self.rows.offset(spot.row) << self.columns.bits | self.columns.offset(spot.column);
        let word = &mut words[self.word];
        *word = *word & !(mask << self.shift) | bits << self.shift;
    }
}

/// How a row or column is packed.
#[derive(Clone, Copy)]
struct Coordinate {
    bits: u32,
    mask: u64,
    /// The value that all bits 0 stand for.
    base: u16,
}

impl Coordinate {
    /// The coordinate for the members of a class. `line` is a direction along it, and `last` is the largest value for a member.
    fn new(
        members: &[&Piece],
        line: Direction,
        last: impl Fn(&Piece) -> u16,
        coordinate: fn(Spot) -> u16,
    ) -> Self {
        let first = coordinate(members[0].start);
        let last = members.iter().map(|piece| last(piece)).max().unwrap_or(0);
        if members
            .iter()
            .any(|piece| piece.movement.allows(line) || coordinate(piece.start) != first)
        {
            let bits = u16::BITS - last.leading_zeros();
            Self { bits, mask: (1 << bits) - 1, base: 0 }
        } else {
            Self { bits: 0, mask: 0, base: first }
        }
    }

    fn value(self, bits: u64) -> u16 {
        self.base + (bits & self.mask) as u16
    }

    fn offset(self, value: u16) -> u64 {
        u64::from(value - self.base)
    }
}
