//! Checks the messages about discarded pieces: each discarded piece needs one, and no message may be about another piece.

use super::board::{self, Board, NAMES, Piece};
use super::complaint::{ABOUT_PIECES, Complaint, Faults};
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
    let messages: Vec<_> = joined(lines).into_iter().filter_map(Complaint::read).collect();
    let certain: Vec<_> = messages.iter().filter(|message| message.is_certain).collect();
    let (lines, number) = (certain.len(), due.len());
    // A message takes only a few lines.
    if lines > 4 * number + 4 {
        return Err(Flaw::whole(format!(
            "there are {lines} lines of messages, but the number of discarded pieces is {number}"
        )));
    }
    certain.iter().try_for_each(|message| is_true(message, &certain, due))?;
    missed(&messages, due).map_or(Ok(()), |Discarded { own, faults, .. }| {
        let (line, why) = (own.lines[0], faults.words());
        Err(Flaw::at(
            grid,
            format!(
                "no message says that the piece in line {line} of the board is discarded: it {why}"
            ),
        ))
    })
}

/// Whether a message is true of as many discarded pieces as `all` the messages say the same.
fn is_true(message: &Complaint, all: &[&Complaint], due: &[Discarded]) -> Result<(), Flaw> {
    let number = due.len();
    match message.count {
        Some(count) if count as usize == number => return Ok(()),
        Some(_) => {
            return Err(message.flaw(&format!(", but the number of discarded pieces is {number}")));
        }
        None => {}
    }
    let fitting = due.iter().filter(|piece| piece.fits(message)).count();
    let same = all.iter().filter(|other| other.text == message.text).count();
    if same <= fitting {
        return Ok(());
    }
    let is_unknown = |what: &What| !due.iter().any(|piece| piece.is_named_by(what));
    let unknown = message.mentions.iter().find_map(|mention| match &mention.what {
        What::Place(place) if is_unknown(&mention.what) => Some(place),
        _ => None,
    });
    Err(message.flaw(&match unknown {
        _ if fitting > 0 => format!(" stands {same} times, but for {fitting} such pieces"),
        Some(Place { first, second, .. }) => {
            format!(", but no discarded piece is at {first},{second}")
        }
        None => " fits no discarded piece".to_owned(),
    }))
}

/// A piece without a message, if each message is about one piece: this is a bipartite matching.
fn missed<'a>(messages: &[Complaint], due: &'a [Discarded]) -> Option<&'a Discarded> {
    // A program may print all pieces in the same form, also those that it keeps.
    let is_kept = |message: &&Complaint| !due.iter().any(|piece| piece.fits(message));
    let kept: HashSet<_> = messages.iter().filter(is_kept).map(Complaint::form).collect();
    let may_count = |message: &Complaint| {
        (message.is_certain || !kept.contains(&message.form()))
            && (message.count.is_none() || due.len() == 1)
    };
    let messages: Vec<_> = messages.iter().filter(|message| may_count(message)).collect();
    let fitting =
        |piece: &Discarded| (0..messages.len()).filter(|&at| piece.fits(messages[at])).collect();
    let edges: Vec<Vec<usize>> = due.iter().map(fitting).collect();
    let mut taken = vec![None; messages.len()];
    let mut is_missed =
        |at: &usize| !assign(*at, &edges, &mut taken, &mut vec![false; messages.len()]);
    (0..due.len()).find(|at| is_missed(at)).map(|at| &due[at])
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

/// Joins lines to messages. A line that tells nothing of a piece or an error continues the message before it.
fn joined<'a>(
    lines: impl Iterator<Item = (Option<usize>, &'a str)>,
) -> Vec<(Option<usize>, String)> {
    let mut messages: Vec<(Option<usize>, String)> = Vec::new();
    let (mut was_message, mut was_named) = (false, false);
    for (line, text) in lines {
        let words = words(text);
        let is_named = !mentions(&words).is_empty();
        let is_message = is_named || words.iter().any(|word| word.begins(ABOUT_PIECES));
        match messages.last_mut() {
            Some((_, last))
                if was_message && !is_message && !text.ends_with(':')
                    || was_named && !is_named && last.ends_with([':', ',']) =>
            {
                last.push(' ');
                last.push_str(text);
            }
            _ => {
                messages.push((line, text.to_owned()));
                (was_message, was_named) = (is_message, is_named);
            }
        }
    }
    messages
}

impl Discarded {
    /// Whether everything that a message says is true for this piece.
    fn fits(&self, message: &Complaint) -> bool {
        let mentions = &message.mentions;
        let is_own = |mention: &Mention| self.is_named_by(&mention.what);
        let is_true = |mention: &Mention| is_own(mention) || self.overlaps(&mention.what);
        let is_told = message.is_told || mentions.iter().any(|mention| self.own.is(&mention.what));
        let is_about =
            mentions.iter().all(|mention| mention.is_object) || mentions.iter().any(is_own);
        is_told && is_about && message.faults.may_be(self.faults) && mentions.iter().all(is_true)
    }

    fn is_named_by(&self, what: &What) -> bool {
        self.own.is(what) || matches!(what, What::Place(place) if self.may_name(*place))
    }

    /// Whether two numbers, where the piece does not begin, may still be about it: its size, that of the grid, its last cell, a cell
    /// outside of the grid or one that another piece covers.
    fn may_name(&self, place: Place) -> bool {
        let Piece { row, column, width, height, .. } = self.own.piece;
        let is_size = |pair| pair == (width.into(), height.into()) || pair == self.size;
        let Place { first, second, is_labelled, is_start } = place;
        let is_any_size = !is_labelled && (is_size((first, second)) || is_size((second, first)));
        let corner = (*covered(row, height).end(), *covered(column, width).end());
        let is_reason = |(row, column)| {
            let is_inside = (1..=self.size.0).contains(&row) && (1..=self.size.1).contains(&column);
            !is_inside || self.others.iter().any(|other| other.has((row, column)))
        };
        let is_cell = |cell| cell == corner || self.own.has(cell) && is_reason(cell);
        !is_start && (is_any_size || cells(place).any(is_cell))
    }

    /// Whether a message names a piece that this piece overlaps.
    fn overlaps(&self, what: &What) -> bool {
        self.others.iter().any(|other| match what {
            What::Place(place) if !place.is_start => cells(*place).any(|cell| other.has(cell)),
            _ => other.is(what),
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
