//! Choices: the decisions by which a shape makes one input.
//!
//! Every decision is a number below the number of its options, and a lower number is a simpler decision: a smaller count, a number closer
//! to zero, an earlier letter. So an input is a sequence of numbers. Lowering or deleting some of them and making the input again shrinks
//! it, and the result is valid by construction.

/// What a choice decides, which tells a source of choices what to prefer.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Role {
    /// How many of something there are: a number that becomes a count or a length.
    Size,
    /// Any other number.
    Number,
    /// A character, or one of a few equal alternatives.
    Letter,
    /// Whether a loop goes on, or which branch is taken.
    Branch,
}

/// A choice that was made.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Choice {
    pub value: u64,
    /// How many values were possible. `u64::MAX` also stands for more.
    pub options: u64,
    pub role: Role,
}

/// A source of choices.
pub trait Choose {
    /// A number below `options`, which is at least 1.
    fn choose(&mut self, options: u64, role: Role) -> u64;
}

/// Choices that were made before, and then those of another source. It records them all.
pub struct Tape<'a> {
    before: &'a [Choice],
    then: &'a mut dyn Choose,
    pub made: Vec<Choice>,
}

impl<'a> Tape<'a> {
    pub fn new(before: &'a [Choice], then: &'a mut dyn Choose) -> Self {
        Self { before, then, made: Vec::new() }
    }
}

impl Choose for Tape<'_> {
    fn choose(&mut self, options: u64, role: Role) -> u64 {
        let value = match self.before.get(self.made.len()) {
            Some(choice) => choice.value.min(options - 1),
            None if options == 1 => 0,
            None => self.then.choose(options, role),
        };
        self.made.push(Choice { value, options, role });
        value
    }
}

/// The simplest choice each time.
pub struct Simplest;

impl Choose for Simplest {
    fn choose(&mut self, _: u64, _: Role) -> u64 {
        0
    }
}

/// Random choices: sizes are small, and numbers are often small and sometimes the largest.
pub struct Random {
    random: fastrand::Rng,
    /// The most that a size is above its least.
    pub most: u64,
}

impl Random {
    pub fn new(seed: u64, most: u64) -> Self {
        Self { random: fastrand::Rng::with_seed(seed), most }
    }
}

impl Random {
    /// An index below `count`, which is at least 1.
    pub fn below(&mut self, count: usize) -> usize {
        self.random.usize(..count)
    }
}

impl Choose for Random {
    fn choose(&mut self, options: u64, role: Role) -> u64 {
        let below = |random: &mut fastrand::Rng, most: u64| random.u64(..most.max(1));
        match role {
            Role::Size => below(&mut self.random, options.min(self.most.saturating_add(1))),
            // A set of nearly all bytes stands for text.
            Role::Letter if options > 100 && self.random.u8(..10) > 0 => {
                below(&mut self.random, 94)
            }
            Role::Letter | Role::Branch => below(&mut self.random, options),
            Role::Number => match self.random.u8(..16) {
                0 => options - 1,
                1 => below(&mut self.random, options),
                2 => options.saturating_sub(2),
                3..=6 => below(&mut self.random, options.min(self.most * 8 + 8)),
                _ => below(&mut self.random, options.min(self.most * 2 + 2)),
            },
        }
    }
}
