//! A line of the list of moves: a piece, a direction and a number of spaces, in any order and with words between them.

use super::statement::number;

/// One slide of a piece.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Move {
    pub(super) piece: char,
    pub(super) direction: Direction,
    pub(super) spaces: u32,
}

/// A move, and the number that it has in the list.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Listed {
    pub(super) step: Move,
    pub(super) number: Option<u32>,
    /// How many moves it says there are: 5 of `1 of 5`.
    pub(super) total: Option<u32>,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Direction {
    Up,
    Down,
    Left,
    Right,
}

/// What a line of text is.
#[derive(Debug, PartialEq, Eq)]
pub(super) enum Line {
    Moves(Vec<Listed>),
    /// It names a direction, and a piece or number as well, and is no whole move.
    Unclear,
    Other,
}

impl Direction {
    /// Its name in a list of moves.
    pub(super) fn name(self) -> &'static str {
        match self {
            Self::Up => "up",
            Self::Down => "down",
            Self::Left => "left",
            Self::Right => "right",
        }
    }

    fn from_name(name: &str) -> Option<Self> {
        let name = name.to_lowercase();
        let stem = name.strip_suffix("wards").or(name.strip_suffix("ward")).unwrap_or(&name);
        [Self::Up, Self::Down, Self::Left, Self::Right]
            .into_iter()
            .find(|direction| stem == direction.name())
    }
}

/// Reads a line; `names` are those of the pieces on the board.
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

/// A word of a line, and the punctuation around it.
#[derive(Clone, Debug)]
struct Word {
    text: String,
    before: String,
    after: String,
}

impl Word {
    fn is(&self, any: &[&str]) -> bool {
        any.iter().any(|word| self.text.eq_ignore_ascii_case(word))
    }

    fn name(&self) -> Option<char> {
        let mut characters = self.text.chars();
        characters.next().filter(|_| characters.next().is_none())
    }

    fn is_integer(&self) -> bool {
        self.text.bytes().all(|byte| byte.is_ascii_digit())
    }

    /// Whether it may be a piece or a number.
    fn is_value(&self, names: &str) -> bool {
        self.is_integer() || self.name().is_some_and(|name| names.contains(name))
    }
}

const PIECES: [&str; 5] = ["piece", "block", "tile", "car", "vehicle"];
const LABELS: [&str; 6] = ["step", "move", "no", "nr", "number", "turn"];
const UNITS: [&str; 26] = [
    "space",
    "spaces",
    "cell",
    "cells",
    "square",
    "squares",
    "step",
    "steps",
    "unit",
    "units",
    "position",
    "positions",
    "place",
    "places",
    "spot",
    "spots",
    "slot",
    "slots",
    "row",
    "rows",
    "column",
    "columns",
    "blocks",
    "tiles",
    "time",
    "times",
];

/// The words: runs of letters, or of digits. A slash counts as `of`.
fn words(line: &str) -> Vec<Word> {
    let line = line.replace("(s)", "s").replace("(es)", "es").replace('/', " of ");
    let mut words: Vec<Word> = Vec::new();
    let mut gap = String::new();
    let mut is_open = false;
    for c in line.chars() {
        if !c.is_alphanumeric() && !matches!(c, '!' | '?' | '@' | '$' | '%' | '^' | '~') {
            gap.push(c);
            is_open = false;
            continue;
        }
        if let Some(last) = words.last_mut() {
            if is_open && last.is_integer() == c.is_ascii_digit() {
                last.text.push(c);
                continue;
            }
            last.after.clone_from(&gap);
        }
        words.push(Word {
            text: c.to_string(),
            before: std::mem::take(&mut gap),
            after: String::new(),
        });
        is_open = true;
    }
    if let Some(last) = words.last_mut() {
        last.after = gap;
    }
    for word in &mut words {
        let plain = word.text.trim_end_matches(['!', '?']);
        if !plain.is_empty() {
            word.text = plain.to_owned();
        }
    }
    words
}

/// The direction that the word at `at` names: not in `the right edge`.
fn direction(words: &[Word], at: usize) -> Option<Direction> {
    const NOUNS: [&str; 12] = [
        "side", "edge", "hand", "most", "end", "border", "wall", "answer", "order", "solution",
        "now", "away",
    ];
    let direction = Direction::from_name(&words[at].text)?;
    let is_adjective = words.get(at + 1).is_some_and(|next| next.is(&NOUNS));
    (!is_adjective).then_some(direction)
}

/// The words in clauses with one direction each.
fn clauses(words: &[Word]) -> Vec<&[Word]> {
    let mut clauses = Vec::new();
    let mut start = 0;
    let has_direction =
        |from: usize, to: usize| (from..to).any(|at| direction(words, at).is_some());
    for at in 1..words.len() {
        let is_break = words[at].before.contains([',', ';', '.', '>', '→'])
            || words[at].is(&["then", "and", "followed"]);
        if is_break && has_direction(start, at) && has_direction(at, words.len()) {
            // What stands behind the direction belongs to it: only a whole clause may end here.
            clauses.push(&words[start..at]);
            start = at;
        }
    }
    clauses.push(&words[start..]);
    clauses
}

/// Every piece, direction and number that stand side by side.
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

/// Words with one direction, and what each may stand for.
struct Clause<'a> {
    words: &'a [Word],
    /// The words that may be a piece or a number and are not yet assigned.
    rest: Vec<usize>,
}

impl<'a> Clause<'a> {
    fn new(words: &'a [Word], names: &str) -> Self {
        let is_article = |at: usize| {
            words[at].is(&["a"]) && words.get(at + 1).is_some_and(|next| next.is(&PIECES))
        };
        let is_value = |&at: &usize| words[at].is_value(names) && !is_article(at);
        Self { words, rest: (0..words.len()).filter(is_value).collect() }
    }

    /// The move, if the clause has all of it; `before` is the piece of the clause before.
    fn read(mut self, before: Option<char>) -> Option<Listed> {
        let direction = (0..self.words.len()).find_map(|at| direction(self.words, at))?;
        let mut piece = self.marked_piece();
        let mut spaces = self.marked_spaces();
        let total = self.total();
        let needed = usize::from(piece.is_none()) + usize::from(spaces.is_none());
        let number = self.number(needed);
        let is_goal = self.words.iter().any(|word| word.is(&["goal"]));
        let otherwise = before.or(is_goal.then_some('Z'));
        match (self.rest.as_slice(), piece, spaces) {
            ([], _, _) => {}
            ([only], None, Some(_)) => piece = self.words[*only].name(),
            ([only], _, None) => spaces = self.words[*only].text.parse().ok(),
            ([first, second], None, None) => {
                let (first, second) = (&self.words[*first], &self.words[*second]);
                let is_turned = second.name().is_some()
                    && first.is_integer()
                    && (first.name().is_none() || !second.is_integer());
                let (name, count) = if is_turned { (second, first) } else { (first, second) };
                (piece, spaces) = (name.name(), count.text.parse().ok());
            }
            _ => return None,
        }
        let step = Move { piece: piece.or(otherwise)?, direction, spaces: spaces? };
        Some(Listed { step, number, total })
    }

    fn take(&mut self, at: usize) {
        self.rest.retain(|&other| other != at);
    }

    /// The piece behind a word such as `piece`.
    fn marked_piece(&mut self) -> Option<char> {
        let words = self.words;
        let at = (1..words.len()).find(|&at| {
            let marker =
                if words[at - 1].is(&["no", "nr", "number"]) && at > 1 { at - 2 } else { at - 1 };
            words[marker].is(&PIECES) && words[at].name().is_some()
        })?;
        self.take(at);
        words[at].name()
    }

    /// The number before a word such as `spaces`, or behind `by`, or in words.
    fn marked_spaces(&mut self) -> Option<u32> {
        let words = self.words;
        let first = self.rest.first().copied();
        let is_marked = |at: usize| {
            let is_first = at == first.unwrap_or(at) && words[at].after.contains(['.', ')', ':']);
            let has_unit = words.get(at + 1).is_some_and(|next| next.is(&UNITS)) && !is_first;
            has_unit || at > 0 && words[at - 1].is(&["by"])
        };
        let value = |at: usize| {
            let is_single = words[at].is(&["a", "an", "single"]) && is_marked(at);
            number(&words[at].text).or(is_single.then_some(1))
        };
        let in_words = |at: usize| !words[at].is_integer() && number(&words[at].text).is_some();
        let at =
            (0..words.len()).find(|&at| (is_marked(at) || in_words(at)) && value(at).is_some())?;
        let spaces = value(at);
        self.take(at);
        spaces
    }

    /// The number behind `of` behind the first number.
    fn total(&mut self) -> Option<u32> {
        let first = *self.rest.first()?;
        let at = first + 2;
        let is_total = self.words.get(first + 1)?.is(&["of"]) && self.words.get(at)?.is_integer();
        if !is_total {
            return None;
        }
        self.take(at);
        self.words[at].text.parse().ok()
    }

    /// The number of the move: the first value, if it is marked as one or others are left for the piece and the spaces.
    fn number(&mut self, needed: usize) -> Option<u32> {
        let first = *self.rest.first()?;
        let word = &self.words[first];
        let is_in_front = self.words[..first].iter().all(|word| {
            word.is(&LABELS) || word.is(&["then", "and", "next", "first", "finally", "now"])
        });
        if !word.is_integer() || !is_in_front {
            return None;
        }
        let is_closed = word.after.starts_with(['.', ')', ']']) && !word.before.contains('(');
        if !is_closed && self.rest.len() <= needed {
            return None;
        }
        self.take(first);
        word.text.parse().ok()
    }
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
    fn a_line_that_is_no_whole_move_is_not_read_as_one() {
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
