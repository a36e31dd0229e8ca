//! The names of the pieces.

use subject::bug;

/// The names of the specification, as ranges, in the order in which pieces take them. `Z` is the goal piece.
const NAMES: [(char, char); 4] = [('Z', 'Z'), ('1', '9'), ('a', 'z'), ('A', 'Y')];

/// The names in the order in which pieces take them.
///
/// The specification defines 61 names. After them come the letters of Unicode from `Ā` (U+0100) on, in its order. So every name is
/// one character, all names are different, and the grid stays aligned.
pub(crate) fn names() -> impl Iterator<Item = char> {
    let further = ('Ā'..=char::MAX).filter(|letter| letter.is_alphabetic());
    let names = NAMES.into_iter().flat_map(|(first, last)| {
        if first == 'a' && bug!("takes-the-large-letters-first") {
            'A'..='Y'
        } else if first == 'A' && bug!("takes-the-large-letters-first") {
            'a'..='z'
        } else {
            first..=last
        }
    });
    names.chain(further)
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::collections::HashSet;

    #[test]
    fn the_first_61_names_are_those_of_the_specification() {
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
