//! Reads a line of the list of moves: a piece, a direction and a number of spaces, in any order and with words between them.

use super::words::{Word, words};

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
    let mut piece = None;
    let clauses = clauses(&words);
    let read = |words: &&[Word]| {
        let listed = clause(words, names, piece)?;
        piece = Some(listed.step.piece);
        Some(listed)
    };
    let mut moves: Vec<Listed> = clauses.iter().map_while(read).collect();
    if moves.len() != count {
        moves = words.windows(3).filter_map(triple).collect();
    }
    if moves.len() == count {
        Line::Moves(moves)
    } else if words.iter().any(|word| is_value(word, names)) {
        Line::Unclear
    } else {
        Line::Other
    }
}

/// The direction that the word at `at` names. `right` in `the right edge` names none.
fn direction(words: &[Word], at: usize) -> Option<Direction> {
    const NOUNS: &str = "side edge hand most end border wall answer order solution now away";
    let is_adjective = words.get(at + 1).is_some_and(|next| next.is(NOUNS));
    Direction::from_name(&words[at].text).filter(|_| !is_adjective)
}

/// Splits words into clauses with one direction each. A clause ends where the next one begins: at punctuation or a word such as `then`.
fn clauses(words: &[Word]) -> Vec<&[Word]> {
    let mut clauses = Vec::new();
    let mut start = 0;
    let has_direction =
        |from: usize, to: usize| (from..to).any(|at| direction(words, at).is_some());
    for at in 1..words.len() {
        let is_break = words[at].before.contains([',', ';', '.', '>', '→'])
            || words[at].is("then and followed");
        if is_break && has_direction(start, at) && has_direction(at, words.len()) {
            clauses.push(&words[start..at]);
            start = at;
        }
    }
    clauses.push(&words[start..]);
    clauses
}

/// A piece, a direction and a number in three consecutive words.
fn triple(words: &[Word]) -> Option<Listed> {
    let step = Move {
        piece: words[0].name()?,
        direction: Direction::from_name(&words[1].text)?,
        spaces: words[2].number()?,
    };
    Some(Listed { step, number: None, total: None })
}

/// Whether a word may name a piece or be a number.
fn is_value(word: &Word, names: &str) -> bool {
    word.integer().is_some() || word.name().is_some_and(|name| names.contains(name))
}

/// The move that a clause with one direction describes. `before` is the piece of the previous clause.
///
/// The values of a move come in this order: its number, the piece, the number of spaces. Only a value that a word marks may stand
/// elsewhere: `piece 7`, `2 spaces` or `by 2`.
fn clause(words: &[Word], names: &str, before: Option<char>) -> Option<Listed> {
    let (way, direction) = (0..words.len()).find_map(|at| Some((at, direction(words, at)?)))?;
    let named = (1..words.len()).find(|&at| is_marked_piece(words, at));
    let counted = (0..words.len()).find_map(|at| Some((at, marked_spaces(words, at)?)));
    let is_article = |at: usize| words[at].is("a") && words.get(at + 1).is_some_and(Word::is_piece);
    let is_taken = |at: usize| named == Some(at) || counted.is_some_and(|(other, _)| other == at);
    let is_free = |&at: &usize| is_value(&words[at], names) && !is_article(at) && !is_taken(at);
    let mut rest: Vec<usize> = (0..words.len()).filter(is_free).collect();
    let total = rest.get(1).map(|&at| &words[at]).filter(|word| {
        let is_total = word.before.trim() == "/" || words[rest[0] + 1].is("of");
        is_total && word.integer().is_some()
    });
    if total.is_some() {
        rest.remove(1);
    }
    // A move has a number if it has one value more than it needs, or if punctuation ends the first one.
    let needed = usize::from(named.is_none()) + usize::from(counted.is_none());
    let number = rest.first().filter(|&&at| at < way).map(|&at| &words[at]).filter(|word| {
        let is_closed = word.after.starts_with(['.', ')', ']']);
        word.integer().is_some() && (rest.len() > needed || is_closed)
    });
    let rest: Vec<&Word> =
        rest[usize::from(number.is_some())..].iter().map(|&at| &words[at]).collect();
    let mut piece = named.and_then(|at| words[at].name());
    let mut spaces = counted.map(|(_, spaces)| spaces);
    match rest[..] {
        [] => {}
        [only] if spaces.is_none() => spaces = only.number(),
        [only] if piece.is_none() => piece = only.name(),
        [first, second] if needed == 2 => {
            let is_turned =
                first.name().is_none() || first.integer().is_some() && second.integer().is_none();
            let (name, count) = if is_turned { (second, first) } else { (first, second) };
            (piece, spaces) = (name.name(), count.number());
        }
        _ => return None,
    }
    let is_goal = words.iter().any(|word| word.is("goal"));
    let piece = piece.or(before).or(is_goal.then_some('Z'))?;
    let step = Move { piece, direction, spaces: spaces? };
    Some(Listed {
        step,
        number: number.and_then(Word::number),
        total: total.and_then(Word::number),
    })
}

/// Whether the word at `at` names a piece after a word such as `piece`.
fn is_marked_piece(words: &[Word], at: usize) -> bool {
    let marker = at - 1 - usize::from(at > 1 && words[at - 1].is("no nr number"));
    words[marker].is_piece() && words[at].name().is_some()
}

/// The number of spaces at `at`, if it stands before a word such as `spaces` or after `by`, or is a word itself.
fn marked_spaces(words: &[Word], at: usize) -> Option<u32> {
    // In `2 cells to the left: 7` nothing else tells that 7 is the piece.
    const UNITS: &str =
        "space cell square unit position place spot slot row column step time blocks tiles";
    let has_unit = words[at].after.trim().is_empty()
        && words.get(at + 1).is_some_and(|next| next.begins(UNITS));
    let is_marked = has_unit || at > 0 && words[at - 1].is("by");
    let is_single = words[at].is("a an single") && is_marked;
    let is_number = is_marked || words[at].integer().is_none();
    words[at].number().filter(|_| is_number).or(is_single.then_some(1))
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
            ("Piece Z moves right 2.", ('Z', Right, 2, None)),
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
