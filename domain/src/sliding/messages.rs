//! Checks the messages about discarded pieces: each discarded piece needs one, and no message may be about another piece.

use super::answer::shortened;
use super::board::{self, Board, NAMES, Piece};
use super::complaint::{Complaint, Faults, Mention, mentions, words};
use crate::Flaw;

/// A piece that must be discarded, and everything that a message may say about it.
pub(super) struct Discarded {
    piece: Piece,
    /// Its line in the file, and its number among the lines that are not blank.
    lines: [usize; 2],
    own: Ids,
    /// The pieces that it overlaps.
    others: Vec<(Ids, Piece)>,
    faults: Faults,
    /// The size of the grid.
    size: (i64, i64),
}

/// How a message may name a piece: by its number in the list of pieces, from 1 or from 0, or by its name.
#[derive(Clone)]
struct Ids {
    ordinal: usize,
    name: Option<char>,
}

/// The pieces of a file that must be discarded.
pub(super) fn discarded(input: &[u8], board: &Board) -> Vec<Discarded> {
    let mut valid: Vec<(Ids, Piece)> = Vec::new();
    let mut discarded = Vec::new();
    let lines = board::lines(input).skip(1).map(|(line, _)| line);
    for ((ordinal, line), piece) in (1..).zip(lines).zip(&board.pieces) {
        let own = Ids { ordinal, name: NAMES.chars().nth(valid.len()) };
        let overlapped = valid.iter().filter(|(_, other)| covers_same_cell(piece, other));
        let others: Vec<_> = overlapped.map(|(ids, other)| (ids.clone(), *other)).collect();
        let faults = Faults {
            outside: !piece.is_inside(board.rows, board.columns),
            direction: !piece.has_direction(),
            overlap: !others.is_empty(),
        };
        if faults == Faults::default() {
            valid.push((own, *piece));
            continue;
        }
        let size = (board.rows.into(), board.columns.into());
        let lines = [line, ordinal + 1];
        discarded.push(Discarded { piece: *piece, lines, own, others, faults, size });
    }
    discarded
}

/// Checks the lines before the first grid, which begins at line `grid`.
pub(super) fn check<'a>(
    lines: impl Iterator<Item = (Option<usize>, &'a str)>,
    due: &[Discarded],
    grid: Option<usize>,
) -> Result<(), Flaw> {
    let flaw = |line, message| Flaw { line, column: None, message };
    let messages: Vec<_> = joined(lines)
        .into_iter()
        .map(|(line, text)| (line, Complaint::read(&text), text))
        .filter(|(_, message, _)| message.may_complain)
        .collect();
    // A message takes only a few lines.
    let most = 4 * due.len() + 4;
    let complaints = messages.iter().filter(|(_, message, _)| message.complains).count();
    if complaints > most {
        let counted = due.len();
        return Err(flaw(
            None,
            format!(
                "there are {complaints} lines of messages, but the number of discarded pieces is {counted}"
            ),
        ));
    }
    for (line, message, text) in messages.iter().filter(|(_, message, _)| message.complains) {
        let quoted = shortened(text);
        if let Some(count) = message.count {
            if count as usize != due.len() {
                let counted = due.len();
                return Err(flaw(
                    *line,
                    format!("`{quoted}`, but the number of discarded pieces is {counted}"),
                ));
            }
            continue;
        }
        let fitting = due.iter().filter(|piece| piece.fits(message)).count();
        if fitting == 0 {
            return Err(flaw(*line, format!("`{quoted}` fits no discarded piece")));
        }
        let same = messages.iter().filter(|(.., other)| other == text).count();
        if same > fitting {
            return Err(flaw(
                *line,
                format!(
                    "{same} messages say `{quoted}`, but the number of such pieces is {fitting}"
                ),
            ));
        }
    }
    let fits = |at: usize, piece: &Discarded| {
        let message = &messages[at].1;
        piece.fits(message) && message.count.is_none_or(|_| due.len() == 1)
    };
    match uncovered(due, messages.len(), fits) {
        None => Ok(()),
        Some(piece) => {
            let (line, why) = (piece.lines[0], piece.faults.words());
            Err(flaw(
                grid,
                format!(
                    "no message says that the piece in line {line} of the board is discarded: it {why}"
                ),
            ))
        }
    }
}

/// Joins lines to messages. A line continues in the next one if it ends in a colon or comma, or if the next one begins with a word
/// such as `it`.
fn joined<'a>(
    lines: impl Iterator<Item = (Option<usize>, &'a str)>,
) -> Vec<(Option<usize>, String)> {
    const GOES_ON: [&str; 9] =
        ["it", "this", "which", "so", "and", "because", "discarding", "ignoring", "skipping"];
    let first_word = |text: &str| words(text).first().map(|word| word.to_lowercase());
    let mut messages: Vec<(Option<usize>, String)> = Vec::new();
    for (line, text) in lines {
        if let Some((_, last)) = messages.last_mut() {
            let mentions_piece = |text: &str| !mentions(&words(text)).is_empty();
            let is_open = last.ends_with([':', ',']) && mentions_piece(last);
            let refers = first_word(text).is_some_and(|word| GOES_ON.contains(&word.as_str()))
                && first_word(text) != first_word(last);
            if (is_open || refers) && !mentions_piece(text) {
                last.push(' ');
                last.push_str(text);
                continue;
            }
        }
        messages.push((line, text.to_owned()));
    }
    messages
}

/// A piece without a message, if each message is about one piece: a maximum bipartite matching.
fn uncovered(
    due: &[Discarded],
    messages: usize,
    fits: impl Fn(usize, &Discarded) -> bool,
) -> Option<&Discarded> {
    fn assign(
        piece: usize,
        edges: &[Vec<usize>],
        taken: &mut [Option<usize>],
        seen: &mut [bool],
    ) -> bool {
        edges[piece].iter().any(|&message| {
            if std::mem::replace(&mut seen[message], true) {
                return false;
            }
            let is_free = taken[message].is_none_or(|other| assign(other, edges, taken, seen));
            if is_free {
                taken[message] = Some(piece);
            }
            is_free
        })
    }
    let edges: Vec<Vec<usize>> =
        due.iter().map(|piece| (0..messages).filter(|&at| fits(at, piece)).collect()).collect();
    let mut taken = vec![None; messages];
    let missed = (0..due.len())
        .find(|&piece| !assign(piece, &edges, &mut taken, &mut vec![false; messages]));
    missed.map(|at| &due[at])
}

impl Discarded {
    /// Whether everything that a message says is true for this piece.
    fn fits(&self, message: &Complaint) -> bool {
        let says = |mention: &Mention| self.is_named_by(mention);
        let says_other = |mention: &Mention| self.faults.overlap && self.overlaps_named(mention);
        let is_about = message.mentions.is_empty()
            || message.mentions.iter().any(says)
            || message.begins_with_other;
        message.faults.may_be(self.faults)
            && is_about
            && message.mentions.iter().all(|mention| says(mention) || says_other(mention))
    }

    fn is_named_by(&self, mention: &Mention) -> bool {
        match mention {
            Mention::Line(line) => self.lines.contains(line),
            Mention::Piece(name) => {
                self.own.are(name) || name.parse().is_ok_and(|line| self.lines.contains(&line))
            }
            Mention::Goal => self.own.ordinal == 1 || self.own.name == NAMES.chars().next(),
            Mention::Values(values) => has_values(&self.piece, values),
            Mention::Pair(first, second) => {
                let pair = (*first, *second);
                is_of(&self.piece, pair) || pair == self.size || pair == (self.size.1, self.size.0)
            }
        }
    }

    /// Whether a mention names a piece that this piece overlaps.
    fn overlaps_named(&self, mention: &Mention) -> bool {
        self.others.iter().any(|(ids, piece)| match mention {
            Mention::Line(line) => *line == ids.ordinal + 1,
            Mention::Piece(name) => ids.are(name),
            Mention::Goal => ids.name == NAMES.chars().next(),
            Mention::Values(values) => has_values(piece, values),
            Mention::Pair(first, second) => is_of(piece, (*first, *second)),
        })
    }
}

impl Ids {
    fn are(&self, name: &str) -> bool {
        let is_name = self.name.is_some_and(|own| name == own.to_string());
        is_name
            || name
                .parse()
                .is_ok_and(|number: usize| number == self.ordinal || number + 1 == self.ordinal)
    }
}

/// Whether two pieces cover the same cell, even outside the grid.
fn covers_same_cell(a: &Piece, b: &Piece) -> bool {
    let meet = |a: i32, a_length: i32, b: i32, b_length: i32| {
        let (a, a_length, b, b_length) =
            (i64::from(a), i64::from(a_length), i64::from(b), i64::from(b_length));
        a_length > 0 && b_length > 0 && a < b + b_length && b < a + a_length
    };
    meet(a.row, a.height, b.row, b.height) && meet(a.column, a.width, b.column, b.width)
}

/// Whether the numbers contain the four of a piece, with the width and the height in any order.
fn has_values(piece: &Piece, values: &[i64]) -> bool {
    let [row, column, width, height] =
        [piece.row, piece.column, piece.width, piece.height].map(i64::from);
    values
        .windows(4)
        .any(|four| four == [row, column, width, height] || four == [row, column, height, width])
}

/// Whether two numbers are a row and a column that the piece covers, counted from 1 or from 0.
fn is_of(piece: &Piece, (first, second): (i64, i64)) -> bool {
    let [row, column, width, height] =
        [piece.row, piece.column, piece.width, piece.height].map(i64::from);
    let rows = row - 1..=(row + height.max(1) - 1);
    let columns = column - 1..=(column + width.max(1) - 1);
    rows.contains(&first) && columns.contains(&second)
        || columns.contains(&first) && rows.contains(&second)
        || [(width, height), (height, width)].contains(&(first, second))
}
