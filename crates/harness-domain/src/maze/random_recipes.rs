//! Random recipes of several kinds.

use super::recipe::Recipe;
use fastrand::Rng;

/// The form of a random maze.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum RecipeKind {
    Small,
    Usual,
    Corridor,
    Long,
}

pub(super) const KINDS: [RecipeKind; 4] =
    [RecipeKind::Small, RecipeKind::Usual, RecipeKind::Corridor, RecipeKind::Long];
pub(super) const KIND_NAMES: [&str; 4] = ["small", "usual", "corridor", "long"];

/// A random seed and size. Most sizes are usual.
pub(super) fn random(most: u64, rng: &mut Rng) -> Recipe {
    let kind = match rng.u8(..20) {
        0..=6 => RecipeKind::Small,
        7..=16 => RecipeKind::Usual,
        17..=18 => RecipeKind::Corridor,
        _ => RecipeKind::Long,
    };
    random_of(kind, most, rng)
}

/// A random seed and size of a kind. Sometimes a long maze is as large as the limit allows.
pub(super) fn random_of(kind: RecipeKind, most: u64, rng: &mut Rng) -> Recipe {
    let seed = rng.u64(..1000);
    let long = most.min(400);
    let (width, height) = match kind {
        RecipeKind::Small => (side(rng, most.min(4)), side(rng, 4)),
        RecipeKind::Usual => (side(rng, 30), side(rng, 15)),
        RecipeKind::Corridor if rng.bool() => (side(rng, long), 1),
        RecipeKind::Corridor => (1, side(rng, long)),
        RecipeKind::Long if rng.u8(..60) == 0 => return largest(most, rng),
        RecipeKind::Long if rng.bool() => (side(rng, long), side(rng, (most / long).min(8))),
        RecipeKind::Long => (side(rng, (most / long).min(8)), side(rng, long)),
    };
    let width = width.min(most).max(1);
    Recipe { seed, width, height: height.min(most / width).max(1) }
}

/// A random seed and a size of about `most` rooms.
pub(super) fn largest(most: u64, rng: &mut Rng) -> Recipe {
    let (seed, width) = (rng.u64(..1000), side(rng, most));
    Recipe { seed, width, height: (most / width).max(1) }
}

fn side(rng: &mut Rng, longest: u64) -> u64 {
    rng.u64(1..=longest.max(1))
}
