//! Checks the messages about discarded pieces: each discarded piece needs one, and no message may be about another piece.

use super::board::{self, Board, NAMES, Piece};
use super::complaint::{Complaint, Faults};
use super::mention::{Mention, Place, What, mentions};
use super::words::words;
use crate::Flaw;
use std::collections::HashSet;
use std::ops::RangeInclusive;

/// A piece that must be discarded, and everything that a message may say about it.
pub(super) struct Discarded {
    own: Known,
    /// The pieces that it overlaps.
    others: Vec<Known>,
    faults: Faults,
    /// The size of the grid.
    size: (i64, i64),
}

/// A piece as a message may name it.
#[derive(Clone)]
struct Known {
    piece: Piece,
    /// Its number in the list of pieces, from 1. A message may also count from 0.
    ordinal: usize,
    /// Its line in the file, and its number among the lines that are not blank.
    lines: [usize; 2],
    /// The name that it has if it is valid.
    name: Option<char>,
}

/// The pieces of a file that must be discarded.
pub(super) fn discarded(input: &[u8], board: &Board) -> Vec<Discarded> {
    let mut valid: Vec<Known> = Vec::new();
    let mut discarded = Vec::new();
    let lines = board::lines(input).skip(1).map(|(line, _)| line);
    for ((ordinal, line), piece) in (1..).zip(lines).zip(&board.pieces) {
        let name = NAMES.chars().nth(valid.len());
        let own = Known { piece: *piece, ordinal, lines: [line, ordinal + 1], name };
        let is_shared = |other: &&Known| other.piece.overlaps(piece);
        let others: Vec<_> = valid.iter().filter(is_shared).cloned().collect();
        let faults = Faults {
            outside: !piece.is_inside(board.rows, board.columns),
            direction: !piece.has_direction(),
            overlap: !others.is_empty(),
        };
        if faults == Faults::default() {
            valid.push(own);
        } else {
            let size = (board.rows.into(), board.columns.into());
            discarded.push(Discarded { own, others, faults, size });
        }
    }
    discarded
}

/// Checks the lines before the first grid, which begins at line `grid`.
pub(super) fn check<'a>(
    lines: impl Iterator<Item = (Option<usize>, &'a str)>,
    due: &[Discarded],
    grid: Option<usize>,
) -> Result<(), Flaw> {
    let mut messages: Vec<_> = joined(lines).into_iter().filter_map(Complaint::read).collect();
    let fitting = |message: &Complaint| due.iter().filter(|piece| piece.fits(message)).count();
    let number = due.len();
    let certain = || messages.iter().filter(|message| message.is_certain);
    // A message takes only a few lines.
    if certain().count() > 4 * number + 4 {
        let lines = certain().count();
        let message = format!(
            "there are {lines} lines of messages, but the number of discarded pieces is {number}"
        );
        return Err(Flaw::whole(message));
    }
    for message in certain() {
        if message.count.is_some_and(|count| count as usize != number) {
            return Err(message.flaw(&format!(", but the number of discarded pieces is {number}")));
        }
        let fitting = fitting(message);
        let same = certain().filter(|other| other.text == message.text).count();
        if message.count.is_none() && fitting == 0 {
            return Err(message.flaw(&unknown(message, due)));
        }
        if message.count.is_none() && same > fitting {
            return Err(message.flaw(&format!(
                " stands {same} times, but the number of such pieces is {fitting}"
            )));
        }
    }
    // A program may print all pieces in the same form, also those that it keeps.
    let kept: HashSet<_> =
        messages.iter().filter(|message| fitting(message) == 0).map(Complaint::form).collect();
    messages.retain(|message| message.is_certain || !kept.contains(&message.form()));
    let fits = |message: &Complaint, piece: &Discarded| {
        piece.fits(message) && (message.count.is_none() || number == 1)
    };
    let edges: Vec<Vec<usize>> = due
        .iter()
        .map(|piece| (0..messages.len()).filter(|&at| fits(&messages[at], piece)).collect())
        .collect();
    let mut taken = vec![None; messages.len()];
    // Each message is about one piece: this is a bipartite matching.
    let missed = (0..number)
        .find(|&piece| !assign(piece, &edges, &mut taken, &mut vec![false; messages.len()]));
    missed.map_or(Ok(()), |at| {
        let (line, why) = (due[at].own.lines[0], due[at].faults.words());
        Err(Flaw::at(
            grid,
            format!(
                "no message says that the piece in line {line} of the board is discarded: it {why}"
            ),
        ))
    })
}

/// Assigns a message to a piece, and other messages to the pieces that had it.
fn assign(
    piece: usize,
    edges: &[Vec<usize>],
    taken: &mut [Option<usize>],
    seen: &mut [bool],
) -> bool {
    edges[piece].iter().any(|&message| {
        let is_new = !std::mem::replace(&mut seen[message], true);
        let is_free =
            is_new && taken[message].is_none_or(|other| assign(other, edges, taken, seen));
        if is_free {
            taken[message] = Some(piece);
        }
        is_free
    })
}

/// Joins lines to messages. A line that names nothing continues the one before it, unless it is a message itself.
fn joined<'a>(
    lines: impl Iterator<Item = (Option<usize>, &'a str)>,
) -> Vec<(Option<usize>, String)> {
    let mut messages: Vec<(Option<usize>, String)> = Vec::new();
    let mut is_named = false;
    for (line, text) in lines {
        let words = words(text);
        let is_new = !mentions(&words).is_empty();
        let begins = words.iter().any(|word| word.is_piece() || word.begins("error warning"));
        match messages.last_mut() {
            Some((_, last)) if is_named && !is_new && (!begins || last.ends_with([':', ','])) => {
                last.push(' ');
                last.push_str(text);
            }
            _ => {
                messages.push((line, text.to_owned()));
                is_named = is_new;
            }
        }
    }
    messages
}

/// Why a message fits no piece: it names a place where no discarded piece is, or something else.
fn unknown(message: &Complaint, due: &[Discarded]) -> String {
    let is_unknown = |what: &&What| !due.iter().any(|piece| piece.is_named_by(what));
    let place =
        message.mentions.iter().map(|mention| &mention.what).filter(is_unknown).find_map(|what| {
            match what {
                What::Place(place) => Some(place),
                _ => None,
            }
        });
    place.map_or_else(
        || " fits no discarded piece".to_owned(),
        |Place { first, second, .. }| format!(", but no discarded piece is at {first},{second}"),
    )
}

impl Discarded {
    /// Whether everything that a message says is true for this piece.
    fn fits(&self, message: &Complaint) -> bool {
        let is_own = |mention: &Mention| self.is_named_by(&mention.what);
        let mut mentions = message.mentions.iter();
        let is_told = message.is_told || mentions.clone().any(|mention| self.own.is(&mention.what));
        is_told
            && message.faults.may_be(self.faults)
            && mentions.clone().all(|mention| is_own(mention) || self.overlaps(&mention.what))
            && (mentions.clone().all(|mention| mention.is_object) || mentions.any(is_own))
    }

    fn is_named_by(&self, what: &What) -> bool {
        self.own.is(what) || matches!(what, What::Place(place) if self.may_name(*place))
    }

    /// Whether two numbers, where the piece does not begin, may still be about it: its size, that of the grid, its last cell, a cell
    /// outside of the grid or one that another piece covers.
    fn may_name(&self, place: Place) -> bool {
        let Piece { row, column, width, height, .. } = self.own.piece;
        let is_size = |pair| pair == (width.into(), height.into()) || pair == self.size;
        let (first, second) = (place.first, place.second);
        let is_any_size =
            !place.is_labelled && (is_size((first, second)) || is_size((second, first)));
        let corner = (*covered(row, height).end(), *covered(column, width).end());
        let is_reason = |(row, column)| {
            let is_inside = (1..=self.size.0).contains(&row) && (1..=self.size.1).contains(&column);
            !is_inside || self.others.iter().any(|other| other.has((row, column)))
        };
        !place.is_start
            && (is_any_size
                || cells(place).any(|cell| cell == corner || self.own.has(cell) && is_reason(cell)))
    }

    /// Whether a message names a piece that this piece overlaps.
    fn overlaps(&self, what: &What) -> bool {
        self.others.iter().any(|other| {
            other.is(what) || matches!(what, What::Place(place) if !place.is_start && cells(*place).any(|cell| other.has(cell)))
        })
    }
}

impl Known {
    /// Whether a message may mean this piece by `what`.
    fn is(&self, what: &What) -> bool {
        let Piece { row, column, width, height, .. } = self.piece;
        // Numbers may count from 0.
        let meets = |start: i32, length: i32, at: i64| {
            covered(start, length).contains(&at) || i64::from(start) == at + 1
        };
        match what {
            What::Line(line) => self.lines.contains(line),
            What::Piece(name) => {
                let ids = [self.ordinal, self.ordinal - 1, self.lines[0], self.lines[1]];
                self.name.is_some_and(|own| *name == own.to_string())
                    || name.parse().is_ok_and(|number| ids.contains(&number))
            }
            What::Goal => self.ordinal == 1 || self.name == NAMES.chars().next(),
            What::Values(values) => values.windows(4).any(|four| {
                [[row, column, width, height], [row, column, height, width]]
                    .iter()
                    .any(|own| four == own.map(i64::from))
            }),
            What::Place(place) => cells(*place).any(|cell| cell == (row.into(), column.into())),
            What::Row(at) => meets(row, height, *at),
            What::Column(at) => meets(column, width, *at),
        }
    }

    /// Whether it covers a cell. A piece without cells counts as one cell long.
    fn has(&self, (row, column): (i64, i64)) -> bool {
        covered(self.piece.row, self.piece.height).contains(&row)
            && covered(self.piece.column, self.piece.width).contains(&column)
    }
}

/// The rows or columns of a piece.
fn covered(start: i32, length: i32) -> RangeInclusive<i64> {
    i64::from(start)..=i64::from(start) + i64::from(length.max(1)) - 1
}

/// The cells that two numbers may mean, by rows and columns from 1: they may count from 0, and the column may be first.
fn cells(place: Place) -> impl Iterator<Item = (i64, i64)> {
    let Place { first, second, is_labelled, .. } = place;
    let orders = [Some((first, second)), (!is_labelled).then_some((second, first))];
    orders.into_iter().flatten().flat_map(|(row, column)| {
        [(row, column), (row.saturating_add(1), column.saturating_add(1))]
    })
}
