//! The names of the pieces.

use std::iter;
use subject::bug;

/// The names in the order in which pieces take them: `Z` for the goal piece, then `1` to `9`, `a` to `z` and `A` to `Y`.
///
/// Past these 61 the document leaves the scheme to us: the letters of Unicode from `Ā` (U+0100) on, in its order. So a name is always
/// one character and no two are the same, and a grid stays a grid.
pub(crate) fn names() -> impl Iterator<Item = char> {
    let further = ('Ā'..=char::MAX).filter(|letter| letter.is_alphabetic());
    // The letters are not asked for before the tenth piece.
    iter::once('Z').chain('1'..='9').chain(iter::once_with(letters).flatten()).chain(further)
}

fn letters() -> impl Iterator<Item = char> {
    let (small, large) = ('a'..='z', 'A'..='Y');
    if bug!("takes-the-large-letters-first") { large.chain(small) } else { small.chain(large) }
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::collections::HashSet;

    #[test]
    fn the_first_61_names_are_those_of_the_document() {
        let first: String = names().take(61).collect();
        assert_eq!(first, "Z123456789abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXY");
    }

    #[test]
    fn a_thousand_pieces_have_a_thousand_names() {
        assert_eq!(names().take(1000).collect::<HashSet<_>>().len(), 1000);
        assert_eq!(names().nth(61), Some('Ā'));
        assert_eq!(names().nth(127), Some('ł'));
    }

    #[test]
    fn there_is_a_name_for_every_cell_of_the_largest_grid() {
        assert!(names().count() > usize::from(crate::data::MAX_CELLS));
    }
}
