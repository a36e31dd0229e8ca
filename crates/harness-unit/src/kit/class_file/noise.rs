//! Instructions without effect: constants that are computed with, and thrown away.

use super::Before;
use std::ops::RangeInclusive;

/// One of so many instructions has some before it.
const SOME: u8 = 4;
/// The most constants of one type.
const MOST: usize = 3;

/// Instructions of a type: those that push constants, those that make one value of two, and the one that throws a value away.
type Kind = (RangeInclusive<u8>, &'static [u8], u8);

const KINDS: [Kind; 4] = [
    // `int`: `iconst`, `iadd`, `isub`, `imul`, `ishl`, `ishr`, `iand`, `ior`, `ixor`, and `pop`.
    (0x02..=0x08, &[0x60, 0x64, 0x68, 0x78, 0x7a, 0x7e, 0x80, 0x82], 0x57),
    // `long`: the same without shifts, and `pop2`.
    (0x09..=0x0a, &[0x61, 0x65, 0x69, 0x7f, 0x81, 0x83], 0x58),
    // `float` and `double`: the first three and a division, which never fails.
    (0x0b..=0x0d, &[0x62, 0x66, 0x6a, 0x6e], 0x57),
    (0x0e..=0x0f, &[0x63, 0x67, 0x6b, 0x6f], 0x58),
];

/// Puts them in random places.
pub(super) struct Noise;

impl Before for Noise {
    /// Two values of two words each.
    const STACK: usize = 4;

    fn instruction(&mut self, _: Option<usize>) -> Option<Vec<u8>> {
        let mut out = Vec::new();
        if fastrand::u8(..SOME) > 0 {
            return Some(out);
        }
        let (constants, both, pop) = &KINDS[fastrand::usize(..KINDS.len())];
        let is_int = *constants.start() == 0x02;
        for at in 0..fastrand::usize(..=MOST) {
            if is_int && fastrand::bool() {
                // `sipush`.
                out.extend([0x11, fastrand::u8(..2), fastrand::u8(..)]);
            } else {
                out.push(fastrand::u8(constants.clone()));
            }
            if at > 0 {
                out.push(both[fastrand::usize(..both.len())]);
            }
        }
        // `nop`.
        out.push(if out.is_empty() { 0x00 } else { *pop });
        Some(out)
    }
}
