//! Which works of a class are alike, and where. Pure: files go in, and matches come out. It decides nothing about anybody.
//!
//! The method is winnowing: S. Schleimer, D. S. Wilkerson, A. Aiken, *Winnowing: Local Algorithms for Document Fingerprinting*, SIGMOD
//! 2003, on which MOSS is built.
//!
//! 1. `language` and `symbol`: a file becomes a list of *symbols*, from which whatever is easily changed is left out: comments, white
//!    space, the names of variables, the values of constants, modifiers.
//! 2. `gram`: each `gram` symbols that follow each other have a hash. Of each `window` hashes that follow each other, the least is a
//!    *fingerprint*. So two works that have `gram + window - 1` symbols in common also have a fingerprint in common, wherever these
//!    symbols are, and only about two hashes of `window + 1` need to be remembered.
//! 3. `work`: what the course gave to students, and what many works have, is left out before fingerprints are chosen. So the guarantee
//!    holds for what is left.
//! 4. `compare`: an index of all fingerprints tells which works share some. From each that is shared, `tile` goes as far to both sides as
//!    the symbols agree, and covers both works with such matches, the longest first (*greedy string tiling*: M. J. Wise 1993, and
//!    `JPlag`). So an amount is exact, and no symbol counts twice.

mod compare;
mod gram;
mod language;
mod symbol;
mod tile;
mod work;

pub use compare::{Comparison, Lines, Pair, Region, compare};
pub use language::Language;
pub use work::{Given, Work};

/// How works are compared.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Settings {
    /// The symbols of the shortest match.
    pub gram: usize,
    /// How many hashes each have a fingerprint among them.
    pub window: usize,
    /// What more than this share of all works have is left out…
    pub common: f64,
    /// …if more than so many works have it.
    pub few: usize,
    /// The least share of the smaller work that must be found in the other, for a pair to be reported.
    pub least: f64,
    /// The most pairs that are reported.
    pub pairs: usize,
}

impl Default for Settings {
    fn default() -> Self {
        Self { gram: 12, window: 9, common: 0.1, few: 10, least: 0.3, pairs: 1000 }
    }
}
