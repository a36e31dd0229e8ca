//! Random choices.
//!
//! Sizes are small, and numbers are often small and sometimes the last of their range. A few inputs are large: one or two of their sizes
//! are, as far as there is room.

use crate::choice::{Choose, Role};
use crate::literals::Literals;
use crate::structure::Structure;
use crate::usual::Preferred;
use crate::value::Value;
use fastrand::Rng;
use std::sync::Arc;

/// The most that a size of an input is above its least, in different draws.
const SIZES: [u64; 4] = [2, 4, 7, 10];
/// About the most elements of a large input.
pub const ROOM: u64 = 2000;

/// A source of random choices.
pub struct Random {
    random: Rng,
    /// The most that a size is above its least, unless it is large.
    most: u64,
    /// How much larger the sizes that are still to come may make the input. They are all small if this is 0.
    room: u64,
    /// Whether a size that is not small takes all of the room.
    is_largest: bool,
    /// How many of 256 things that are rare are there.
    rare: u8,
    /// How many of 32 numbers may be anywhere in their range. The others are small.
    extreme: u8,
    /// Most numbers are anywhere below this, if there is such a bound: programs know distances, ages and prices, which are neither small
    /// nor extreme.
    scale: Option<u64>,
    /// How many of 16 numbers of a list are the simplest.
    simple: u8,
    cells: Cells,
    common: CommonLetter,
    /// What the next list or text rather has.
    preferred: Vec<Preferred>,
    structure: Structure,
    literals: Arc<Literals>,
    /// How many of 32 numbers and texts are literals.
    literal: u8,
}

/// How the cells of one grid are drawn.
#[derive(Default)]
struct Cells {
    /// How many of 16 cells have the simplest letter.
    simple: u8,
    /// The letters of the other cells. All, if there are none.
    letters: Vec<u64>,
}

/// A letter that is common in one input.
struct CommonLetter {
    /// How many of 16 letters it is.
    share: u8,
    /// Its number among the letters, if there are so many. Otherwise, it is the last one.
    letter: u64,
}

impl CommonLetter {
    /// In most inputs, no letter is common.
    fn any(random: &mut Rng) -> Self {
        Self {
            share: [0, 0, 0, 0, 6, 10, 13][random.usize(..7)],
            letter: [0, u64::MAX, random.u64(..26)][random.usize(..3)],
        }
    }
}

impl Random {
    pub fn new(seed: u64, most: u64) -> Self {
        let mut random = Rng::with_seed(seed);
        // Much that is rare in one input hides what the rest of it does.
        let rare = [0, 0, 4, 12, 24, 48][random.usize(..6)];
        // A program often takes long for large numbers.
        let extreme = [0, 0, 0, 0, 0, 0, 1, 8][random.usize(..8)];
        let scale = (random.u8(..5) == 0).then(|| 1 << random.u32(6..=14));
        let common = CommonLetter::any(&mut Rng::with_seed(seed.rotate_left(32)));
        let (cells, structure) = (Cells::default(), Structure::of_fields(Rng::with_seed(!seed)));
        Self {
            random,
            most,
            room: 0,
            is_largest: false,
            rare,
            extreme,
            scale,
            simple: 0,
            cells,
            common,
            preferred: Vec::new(),
            structure,
            literals: Arc::default(),
            literal: 0,
        }
    }

    /// Some numbers and texts are among these from now on.
    pub(crate) fn know(&mut self, literals: &Arc<Literals>) {
        if **literals != Literals::default() {
            self.literals = literals.clone();
            self.literal = [0, 0, 1, 8][self.random.usize(..4)];
        }
    }

    /// Mostly choices that make small inputs of different sizes, and sometimes those that make a large one.
    pub fn any(rng: &mut Rng) -> Self {
        let random = Self::new(rng.u64(..), SIZES[rng.usize(..SIZES.len())]);
        if rng.u8(..6) == 0 { random.large(ROOM) } else { random }
    }

    /// Choices that make a large input, of about this many elements.
    #[must_use]
    pub fn large(self, room: u64) -> Self {
        Self { room, ..self }
    }

    /// Choices that make one of the largest inputs of about this many elements: a size or two are as large as they can be.
    #[must_use]
    pub fn largest(self, room: u64) -> Self {
        Self { room, is_largest: true, ..self }
    }

    /// An index below `count`, which is at least 1.
    pub fn below(&mut self, count: usize) -> usize {
        self.random.usize(..count)
    }

    fn up_to(&mut self, most: u64) -> u64 {
        self.random.u64(..most.max(1))
    }

    fn cell(&mut self, options: u64) -> u64 {
        if self.random.u8(..16) < self.cells.simple {
            return 0;
        }
        match self.random.choice(&self.cells.letters) {
            Some(&letter) if letter < options => letter,
            _ => self.up_to(options),
        }
    }

    /// A size, often a small one.
    fn size(&mut self, options: u64) -> u64 {
        let is_large = self.room > 1 && self.random.bool();
        let size = if is_large {
            // Each order of magnitude is as likely as the others.
            let bits = self.room.ilog2() + 1;
            let most = 1 << self.random.u32(1..=bits);
            let size = if self.is_largest { self.room } else { self.up_to(most) };
            size.min(options - 1)
        } else {
            let most = options.min(self.most.saturating_add(1));
            self.lower(most)
        };
        self.room /= size + 1;
        size
    }

    /// A number below `most`, rather a low one.
    fn lower(&mut self, most: u64) -> u64 {
        let first = self.up_to(most);
        if self.random.bool() { first } else { first.min(self.up_to(most)) }
    }

    /// A number near a power of two, or near its square root, where sums and products leave the range of a type.
    fn near_a_power(&mut self, options: u64) -> u64 {
        let power = 2_f64.powf(f64::from(self.random.u32(1..=2 * options.ilog2().max(1))) / 2.0);
        let near = (power as u64).saturating_add(self.random.u64(..3));
        near.saturating_sub(1).min(options - 1)
    }

    fn number(&mut self, options: u64) -> u64 {
        if self.random.u8(..16) < self.simple {
            return 0;
        }
        let extreme = if self.room > 0 { 12 } else { self.extreme };
        if self.random.u8(..32) < extreme {
            return match self.random.u8(..4) {
                0 => options - 1,
                1 => options.saturating_sub(2),
                2 => self.near_a_power(options),
                _ => self.up_to(options),
            };
        }
        if let Some(scale) = self.scale
            && self.random.u8(..4) > 0
        {
            return self.up_to(options.min(scale));
        }
        if self.random.u8(..3) == 0 {
            self.up_to(options.min(self.most * 8 + 8))
        } else {
            self.lower(options.min(self.most * 2 + 2))
        }
    }
}

impl Choose for Random {
    fn choose(&mut self, options: u64, role: Role) -> u64 {
        if !matches!(role, Role::Number | Role::Letter) {
            return self.independent(options, role);
        }
        let mut structure = std::mem::take(&mut self.structure);
        let number = structure.number(options, || self.independent(options, role));
        self.structure = structure;
        number
    }

    fn begin_cells(&mut self, letters: u64) {
        self.cells.simple = [0, 3, 6, 9, 12, 14, 16][self.random.usize(..7)];
        // Few different letters in a grid occur together more often.
        let count = if self.random.bool() { 0 } else { 1 + self.random.usize(..4) };
        let random = &mut self.random;
        self.cells.letters = (0..count).map(|_| random.u64(..letters.max(1))).collect();
    }

    fn prefer(&mut self, usual: &[Preferred]) {
        self.preferred.clear();
        self.preferred.extend(usual);
    }

    fn begin_list(&mut self, letters: u64, rows: Option<u64>) {
        self.begin_cells(letters);
        self.simple = [0, 0, 0, 4, 8, 12][self.random.usize(..6)];
        self.structure = Structure::any(self.random.fork(), &self.preferred, rows);
    }

    fn begin_repetition(&mut self) {
        self.structure.begin_row();
    }

    fn literal_number(&mut self, least: &Value, most: &Value) -> Option<i64> {
        let is_literal = self.literal > 0 && self.random.u8(..32) < self.literal;
        is_literal.then(|| self.literals.number(least, most, &mut self.random)).flatten()
    }

    fn literal_text(&mut self) -> Option<(Vec<u8>, u64)> {
        let is_literal = self.literal > 0 && self.random.u8(..32) < self.literal;
        let text = is_literal.then(|| self.random.choice(&self.literals.texts).cloned());
        text.flatten().map(|text| (text, self.random.u64(..)))
    }

    fn wished(&mut self, options: u64) -> Option<u64> {
        let random = &mut self.random;
        self.structure.wished(options, || random.u64(..options.max(1)))
    }
}

impl Random {
    /// A choice that depends on no other.
    fn independent(&mut self, options: u64, role: Role) -> u64 {
        match role {
            // The last letter is where mistakes are.
            Role::Variety if self.random.u8(..8) == 0 => options - 1,
            Role::Filling if self.random.bool() => {
                self.up_to(options.min(self.most.saturating_mul(3)))
            }
            Role::Size | Role::Filling | Role::Variety => self.size(options),
            Role::Cell => self.cell(options),
            Role::Rare if self.random.u8(..) >= self.rare => 0,
            // A set of nearly all bytes stands for text.
            Role::Letter if options > 100 && self.random.u8(..10) > 0 => self.up_to(94),
            Role::Letter if self.random.u8(..16) < self.common.share => {
                self.common.letter.min(options - 1)
            }
            Role::Letter | Role::Branch | Role::Place => self.up_to(options),
            Role::Rare => self.up_to(options.min(4)),
            Role::Number => self.number(options),
        }
    }
}
