//! Checks the messages about discarded pieces: each discarded piece needs one, and no message may be about another piece.

use super::answer::shortened;
use super::board::{self, Board, NAMES, Piece};
use super::complaint::{Complaint, Faults};
use super::mention::{Mention, Place, What, mentions, words};
use crate::Flaw;
use std::ops::RangeInclusive;

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
            let place = unknown_place(message, due);
            let why = place.map_or_else(
                || " fits no discarded piece".to_owned(),
                |Place { first, second, .. }| {
                    format!(", but no discarded piece is at {first},{second}")
                },
            );
            return Err(flaw(*line, format!("`{quoted}`{why}")));
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
    let first_word = |text: &str| words(text).first().map(|word| word.text.to_lowercase());
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

/// A place in the message where no discarded piece is.
fn unknown_place(message: &Complaint, due: &[Discarded]) -> Option<Place> {
    message.mentions.iter().find_map(|mention| match mention.what {
        What::Place(place)
            if !due.iter().any(|piece| piece.is_named_by(&mention.what, message.faults)) =>
        {
            Some(place)
        }
        _ => None,
    })
}

impl Discarded {
    /// Whether everything that a message says is true for this piece.
    fn fits(&self, message: &Complaint) -> bool {
        let says = |mention: &Mention| self.is_named_by(&mention.what, message.faults);
        let says_other =
            |mention: &Mention| self.faults.overlap && self.overlaps_named(&mention.what);
        let is_about = message.mentions.iter().all(|mention| mention.is_object)
            || message.mentions.iter().any(says);
        message.faults.may_be(self.faults)
            && is_about
            && message.mentions.iter().all(|mention| says(mention) || says_other(mention))
    }

    /// Whether a message that gives the reasons `faults` may name this piece so.
    fn is_named_by(&self, what: &What, faults: Faults) -> bool {
        match what {
            What::Line(line) => self.lines.contains(line),
            What::Piece(name) => {
                self.own.are(name) || name.parse().is_ok_and(|line| self.lines.contains(&line))
            }
            What::Goal => self.own.ordinal == 1 || self.own.name == NAMES.chars().next(),
            What::Values(values) => has_values(&self.piece, values),
            What::Place(place) => begins_at(&self.piece, *place) || self.may_name(*place, faults),
            What::Row(row) => covered(self.piece.row, self.piece.height).contains(row),
            What::Column(column) => covered(self.piece.column, self.piece.width).contains(column),
        }
    }

    /// Whether two numbers, where the piece does not begin, may still be about it: its size, that of the grid, its last cell, a cell
    /// outside of the grid or one that another piece covers.
    fn may_name(&self, place: Place, faults: Faults) -> bool {
        if place.is_start {
            return false;
        }
        let own = (self.piece.width.into(), self.piece.height.into());
        let is_size = |pair| pair == own || pair == self.size;
        let (first, second) = (place.first, place.second);
        let is_any_size = is_size((first, second)) || is_size((second, first));
        let any_fault = faults == Faults::default();
        let last = |start: i32, length: i32| i64::from(start) + i64::from(length.max(1)) - 1;
        let Piece { row, column, width, height, .. } = self.piece;
        let corner = (last(row, height), last(column, width));
        is_any_size && !place.is_labelled
            || cells(place).any(|(row, column)| {
                let is_outside =
                    !(1..=self.size.0).contains(&row) || !(1..=self.size.1).contains(&column);
                let is_shared = self.others.iter().any(|(_, other)| has_cell(other, (row, column)));
                let is_reason = (faults.outside || any_fault) && is_outside
                    || (faults.overlap || any_fault) && is_shared;
                (row, column) == corner || has_cell(&self.piece, (row, column)) && is_reason
            })
    }

    /// Whether a mention names a piece that this piece overlaps.
    fn overlaps_named(&self, what: &What) -> bool {
        self.others.iter().any(|(ids, piece)| match what {
            What::Line(line) => *line == ids.ordinal + 1,
            What::Piece(name) => ids.are(name),
            What::Goal => ids.name == NAMES.chars().next(),
            What::Values(values) => has_values(piece, values),
            What::Place(place) if place.is_start => begins_at(piece, *place),
            What::Place(place) => cells(*place).any(|cell| has_cell(piece, cell)),
            What::Row(row) => covered(piece.row, piece.height).contains(row),
            What::Column(column) => covered(piece.column, piece.width).contains(column),
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

/// The cells that two numbers may mean, by rows and columns from 1: they may count from 0, and the column may be first.
fn cells(place: Place) -> impl Iterator<Item = (i64, i64)> {
    let Place { first, second, is_labelled, .. } = place;
    let orders = [Some((first, second)), (!is_labelled).then_some((second, first))];
    orders.into_iter().flatten().flat_map(|(row, column)| {
        [(row, column), (row.saturating_add(1), column.saturating_add(1))]
    })
}

fn begins_at(piece: &Piece, place: Place) -> bool {
    cells(place).any(|cell| cell == (piece.row.into(), piece.column.into()))
}

fn has_cell(piece: &Piece, (row, column): (i64, i64)) -> bool {
    let covers = |start: i32, length: i32, at: i64| {
        at >= i64::from(start) && at < i64::from(start) + i64::from(length.max(1))
    };
    covers(piece.row, piece.height, row) && covers(piece.column, piece.width, column)
}

/// The rows or columns of a piece, counted from 1 or from 0.
fn covered(start: i32, length: i32) -> RangeInclusive<i64> {
    let start = i64::from(start);
    start - 1..=start + i64::from(length.max(1)) - 1
}
