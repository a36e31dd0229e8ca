//! Reads a line of the list of moves: a piece, a direction and a number of spaces, in any order and with words between them.

use super::clause::{Clause, Word, words};
use super::statement::number;

/// One slide of a piece.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Move {
    pub(super) piece: char,
    pub(super) direction: Direction,
    pub(super) spaces: u32,
}

/// A move in a list.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Listed {
    pub(super) step: Move,
    pub(super) number: Option<u32>,
    /// The number of moves that the line states: the 5 in `1 of 5`.
    pub(super) total: Option<u32>,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Direction {
    Up,
    Down,
    Left,
    Right,
}

/// The kind of a line of text.
#[derive(Debug, PartialEq, Eq)]
pub(super) enum Line {
    Moves(Vec<Listed>),
    /// It names a direction and a piece or a number, but is not a complete move.
    Unclear,
    Other,
}

impl Direction {
    pub(super) fn name(self) -> &'static str {
        match self {
            Self::Up => "up",
            Self::Down => "down",
            Self::Left => "left",
            Self::Right => "right",
        }
    }

    fn from_name(name: &str) -> Option<Self> {
        let is = |direction: &Self| {
            let parts = name.split_at_checked(direction.name().len());
            parts.is_some_and(|(stem, end)| {
                stem.eq_ignore_ascii_case(direction.name())
                    && ["", "ward", "wards"].iter().any(|ward| end.eq_ignore_ascii_case(ward))
            })
        };
        [Self::Up, Self::Down, Self::Left, Self::Right].into_iter().find(is)
    }
}

/// Reads a line. `names` are the names of the pieces on the board.
pub(super) fn read(line: &str, names: &str) -> Line {
    let words = words(line);
    let count = (0..words.len()).filter(|&at| direction(&words, at).is_some()).count();
    if count == 0 {
        return Line::Other;
    }
    let clauses = if count == 1 { vec![&words[..]] } else { clauses(&words) };
    let mut moves: Vec<Listed> = Vec::new();
    for clause in clauses {
        let piece = moves.last().map(|last| last.step.piece);
        match Clause::new(clause, names).read(piece) {
            Some(listed) => moves.push(listed),
            None => moves.clear(),
        }
        if moves.is_empty() {
            break;
        }
    }
    if moves.len() != count {
        moves = triples(&words);
    }
    let has_value = words.iter().any(|word| word.is_value(names));
    match moves.len() {
        found if found == count => Line::Moves(moves),
        _ if has_value => Line::Unclear,
        _ => Line::Other,
    }
}

/// The direction that the word at `at` names. `right` in `the right edge` names none.
pub(super) fn direction(words: &[Word], at: usize) -> Option<Direction> {
    const NOUNS: [&str; 12] = [
        "side", "edge", "hand", "most", "end", "border", "wall", "answer", "order", "solution",
        "now", "away",
    ];
    let direction = Direction::from_name(&words[at].text)?;
    let is_adjective = words.get(at + 1).is_some_and(|next| next.is(&NOUNS));
    (!is_adjective).then_some(direction)
}

/// Splits words into clauses with one direction each.
fn clauses(words: &[Word]) -> Vec<&[Word]> {
    let mut clauses = Vec::new();
    let mut start = 0;
    let has_direction =
        |from: usize, to: usize| (from..to).any(|at| direction(words, at).is_some());
    for at in 1..words.len() {
        let is_break = words[at].before.contains([',', ';', '.', '>', '→'])
            || words[at].is(&["then", "and", "followed"]);
        if is_break && has_direction(start, at) && has_direction(at, words.len()) {
            // Words after a direction still belong to its move, so a clause ends only here.
            clauses.push(&words[start..at]);
            start = at;
        }
    }
    clauses.push(&words[start..]);
    clauses
}

/// Every piece, direction and number in three consecutive words.
fn triples(words: &[Word]) -> Vec<Listed> {
    let read = |words: &[Word]| {
        let step = Move {
            piece: words[0].name()?,
            direction: Direction::from_name(&words[1].text)?,
            spaces: number(&words[2].text)?,
        };
        Some(Listed { step, number: None, total: None })
    };
    words.windows(3).filter_map(read).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn read_one(line: &str) -> Option<(char, Direction, u32, Option<u32>)> {
        match read(line, "Z123456789abc") {
            Line::Moves(moves) if moves.len() == 1 => {
                let Listed { step, number, .. } = moves[0];
                Some((step.piece, step.direction, step.spaces, number))
            }
            _ => None,
        }
    }

    #[test]
    fn a_move_is_read_in_any_order_and_with_any_words() {
        use Direction::{Down, Left, Right, Up};
        for (line, expected) in [
            ("1. Piece 4 up 1 space", ('4', Up, 1, Some(1))),
            ("Piece 2 moves 2 space(s) right", ('2', Right, 2, None)),
            ("Piece 4 moves up 1 space", ('4', Up, 1, None)),
            ("4 up by 1", ('4', Up, 1, None)),
            ("Step 1: 4 - up - 1", ('4', Up, 1, Some(1))),
            ("Step 12: Z - down - 3", ('Z', Down, 3, Some(12))),
            ("Move 3: move piece Z right 2 spaces", ('Z', Right, 2, Some(3))),
            ("Move piece 4 left one space,", ('4', Left, 1, None)),
            ("move 4 up 1", ('4', Up, 1, None)),
            ("move #2: 4 up 1", ('4', Up, 1, Some(2))),
            ("2 4 up 1", ('4', Up, 1, Some(2))),
            ("[2] 4 up 1", ('4', Up, 1, Some(2))),
            ("2) Piece a, Right 2 space", ('a', Right, 2, Some(2))),
            ("Move a piece: 4 up 1", ('4', Up, 1, None)),
            ("Piece a moves up a space", ('a', Up, 1, None)),
            ("UP 3: piece 7", ('7', Up, 3, None)),
            ("Right 2 spaces, piece Z", ('Z', Right, 2, None)),
            ("2 spaces to the left: 7", ('7', Left, 2, None)),
            ("4: up 1", ('4', Up, 1, None)),
            ("Z 2 right", ('Z', Right, 2, None)),
            ("2 right Z", ('Z', Right, 2, None)),
            ("The goal piece moves right 2 spaces", ('Z', Right, 2, None)),
            ("(4, up, 1)", ('4', Up, 1, None)),
            ("Piece4 -> up1", ('4', Up, 1, None)),
            ("Step 2 of 5: piece 4 upwards by 10", ('4', Up, 10, Some(2))),
            ("2/5: 4 up 1", ('4', Up, 1, Some(2))),
            ("Piece number 4 goes 1 row down", ('4', Down, 1, None)),
        ] {
            assert_eq!(read_one(line), Some(expected), "{line}");
        }
    }

    #[test]
    fn several_moves_may_share_a_line() {
        let steps = |line| match read(line, "Z1234567") {
            Line::Moves(moves) => moves
                .iter()
                .map(|Listed { step, .. }| {
                    format!("{}{}{}", step.piece, step.direction.name(), step.spaces)
                })
                .collect(),
            _ => Vec::new(),
        };
        assert_eq!(steps("then move piece 7 up 3 spaces and left 1 space"), ["7up3", "7left1"]);
        for line in [
            "4 up 1, 3 right 3",
            "4 up 1 -> 3 right 3",
            "1. 4 up 1 2. 3 right 3",
            "4 up 1; then piece 3 moves 3 right",
        ] {
            assert_eq!(steps(line), ["4up1", "3right3"], "{line}");
        }
    }

    #[test]
    fn a_line_that_is_not_a_complete_move_is_not_read_as_one() {
        for line in ["1. Piece 4 up", "Piece up 1 space", "2. Z right"] {
            assert_eq!(read(line, "Z1234567"), Line::Unclear, "{line}");
        }
        for line in [
            "Moves:",
            "Solved!",
            "Z reached the right edge",
            "That is the right answer",
            "Move up!",
        ] {
            assert_eq!(read(line, "Z1234567"), Line::Other, "{line}");
        }
    }
}
