//! The messages about discarded pieces: each discarded piece needs one that fits it, and none may blame another piece.

use super::answer::shortened;
use super::board::{self, Board, NAMES, Piece};
use crate::domain::Flaw;

/// A piece that must be discarded, and what a message may truly say of it.
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

/// How a message may name a piece: its place among the lines that describe pieces, from 1 or from 0, or its name.
#[derive(Clone)]
struct Ids {
    ordinal: usize,
    name: Option<char>,
}

/// Why a piece is discarded, or what a message says of that.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
struct Faults {
    outside: bool,
    direction: bool,
    overlap: bool,
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

/// Checks the lines before the first grid, which is at `grid`.
pub(super) fn check<'a>(
    lines: impl Iterator<Item = (Option<usize>, &'a str)>,
    due: &[Discarded],
    grid: Option<usize>,
) -> Result<(), Flaw> {
    let flaw = |line, message| Flaw { line, column: None, message };
    let messages: Vec<_> = joined(lines)
        .into_iter()
        .map(|(line, text)| (line, Message::read(&text), text))
        .filter(|(_, message, _)| message.may_complain)
        .collect();
    // A message takes a few lines at most.
    let most = 4 * due.len() + 4;
    let complaints = messages.iter().filter(|(_, message, _)| message.complains).count();
    if complaints > most {
        let counted = due.len();
        return Err(flaw(
            None,
            format!(
                "{complaints} lines of messages, and the number of discarded pieces is {counted}"
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
        let fitting = due.iter().filter(|piece| message.fits(piece)).count();
        if fitting == 0 {
            return Err(flaw(*line, format!("`{quoted}` fits no piece that is discarded")));
        }
        let same = messages.iter().filter(|(.., other)| other == text).count();
        if same > fitting {
            return Err(flaw(
                *line,
                format!("{same} messages say `{quoted}`, and {fitting} are due"),
            ));
        }
    }
    let fits = |at: usize, piece: &Discarded| {
        let message = &messages[at].1;
        message.fits(piece) && message.count.is_none_or(|_| due.len() == 1)
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

/// The lines in messages. A line goes on in the next one after a colon or comma, or if that begins with a word such as `it`.
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

/// A piece that is left without a message if each message is about one piece.
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

/// What a line says about a piece.
struct Message {
    /// Whether it may be about a discarded piece.
    may_complain: bool,
    /// Whether it cannot be anything else.
    complains: bool,
    /// How many pieces it says are discarded, if it counts them.
    count: Option<u32>,
    faults: Faults,
    mentions: Vec<Mention>,
    /// Whether the first thing it mentions is what the piece overlaps.
    begins_with_other: bool,
}

#[derive(Debug, PartialEq, Eq)]
enum Mention {
    Line(usize),
    Piece(String),
    Goal,
    /// Four or more numbers in a row.
    Values(Vec<i64>),
    /// Two numbers in parentheses.
    Pair(i64, i64),
}

impl Message {
    fn read(text: &str) -> Self {
        const SURE: [&str; 9] = [
            "error", "invalid", "illegal", "discard", "outside", "overlap", "out of", "ignor",
            "warning",
        ];
        const MAYBE: [&str; 34] = [
            "not ",
            "n't",
            "cannot",
            "beyond",
            "exceed",
            "stick",
            "bad",
            "wrong",
            "drop",
            "remov",
            "reject",
            "skip",
            "dismiss",
            "unable",
            "fail",
            "omit",
            "exclu",
            "throw",
            "delet",
            "left out",
            "problem",
            "occupied",
            "clash",
            "intersect",
            "conflict",
            "collid",
            "collision",
            "too large",
            "too wide",
            "too big",
            "too tall",
            "off the",
            "unknown",
            "already",
        ];
        let lower = text.to_lowercase();
        let has = |words: &[&str]| words.iter().any(|word| lower.contains(word));
        let words = words(text);
        let is_heading = text.ends_with(':') && mentions(&words).is_empty();
        let is_none = has(&[
            "no error",
            "none",
            "no invalid",
            "0 error",
            "no warning",
            "no piece",
            "without error",
        ]);
        let faults = Faults::read(&has);
        let complains = has(&SURE) && !is_heading && !is_none;
        let first_mention =
            words.iter().position(|word| is_piece_word(word) || word.eq_ignore_ascii_case("line"));
        let relation = words.iter().position(|word| {
            let word = word.to_lowercase();
            [
                "overlap",
                "with",
                "by",
                "on",
                "into",
                "collid",
                "conflict",
                "hit",
                "cover",
                "intersect",
            ]
            .iter()
            .any(|stem| word.starts_with(stem))
        });
        Self {
            may_complain: complains || has(&MAYBE) && !is_heading && !is_none,
            complains,
            count: count(&words),
            faults,
            mentions: mentions(&words),
            begins_with_other: relation
                .zip(first_mention)
                .is_some_and(|(relation, first)| relation < first),
        }
    }

    /// Whether everything that it says is true of this piece.
    fn fits(&self, piece: &Discarded) -> bool {
        let says = |mention: &Mention| piece.is_named_by(mention);
        let says_other = |mention: &Mention| piece.faults.overlap && piece.overlaps_named(mention);
        let is_about =
            self.mentions.is_empty() || self.mentions.iter().any(says) || self.begins_with_other;
        self.faults.may_be(piece.faults)
            && is_about
            && self.mentions.iter().all(|mention| says(mention) || says_other(mention))
    }
}

impl Discarded {
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

    /// Whether a mention names a piece that this one overlaps.
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

impl Faults {
    /// The faults that a text names, given whether it has one of some words.
    fn read(has: &impl Fn(&[&str]) -> bool) -> Self {
        Self {
            outside: has(&[
                "outside",
                "out of",
                "beyond",
                "exceed",
                "bounds",
                "off the",
                "stick",
                "too large",
                "too wide",
                "too big",
                "too tall",
                "fit",
            ]),
            direction: has(&["direction", "movement"]),
            overlap: has(&[
                "overlap",
                "collid",
                "collision",
                "clash",
                "intersect",
                "occupied",
                "conflict",
                "on top of",
            ]),
        }
    }

    /// Whether a message that names these faults, or none, may be about a piece with those.
    fn may_be(self, real: Self) -> bool {
        self == Self::default()
            || self.outside && real.outside
            || self.direction && real.direction
            || self.overlap && real.overlap
    }

    fn words(self) -> &'static str {
        match self {
            Self { outside: true, .. } => "is not inside the grid",
            Self { direction: true, .. } => "has no valid direction",
            Self { .. } => "overlaps another piece",
        }
    }
}

/// Whether two pieces have a cell in common, wherever they are.
fn covers_same_cell(a: &Piece, b: &Piece) -> bool {
    let meet = |a: i32, a_length: i32, b: i32, b_length: i32| {
        let (a, a_length, b, b_length) =
            (i64::from(a), i64::from(a_length), i64::from(b), i64::from(b_length));
        a_length > 0 && b_length > 0 && a < b + b_length && b < a + a_length
    };
    meet(a.row, a.height, b.row, b.height) && meet(a.column, a.width, b.column, b.width)
}

/// Whether numbers contain the four of a piece.
fn has_values(piece: &Piece, values: &[i64]) -> bool {
    let [row, column, width, height] =
        [piece.row, piece.column, piece.width, piece.height].map(i64::from);
    values
        .windows(4)
        .any(|four| four == [row, column, width, height] || four == [row, column, height, width])
}

/// Whether two numbers are the size of a piece or a place that it covers, counted from 1 or from 0, the row or the column first.
fn is_of(piece: &Piece, (first, second): (i64, i64)) -> bool {
    let [row, column, width, height] =
        [piece.row, piece.column, piece.width, piece.height].map(i64::from);
    let rows = row - 1..=(row + height.max(1) - 1);
    let columns = column - 1..=(column + width.max(1) - 1);
    rows.contains(&first) && columns.contains(&second)
        || columns.contains(&first) && rows.contains(&second)
        || [(width, height), (height, width)].contains(&(first, second))
}

fn is_piece_word(word: &str) -> bool {
    ["piece", "block", "tile", "car", "vehicle"].iter().any(|name| word.eq_ignore_ascii_case(name))
}

/// The words, numbers with their sign, and parentheses of a line.
fn words(text: &str) -> Vec<String> {
    let mut words: Vec<String> = Vec::new();
    let mut before = ' ';
    for c in text.chars() {
        let is_sign = c == '-' && !before.is_alphanumeric();
        let goes_on = before.is_alphanumeric()
            || before == '-' && words.last().is_some_and(|word| word == "-");
        match words.last_mut() {
            Some(last) if c.is_alphanumeric() && goes_on => last.push(c),
            _ if c.is_alphanumeric() || is_sign || matches!(c, '(' | ')') => {
                words.push(c.to_string())
            }
            _ => {}
        }
        before = c;
    }
    words.retain(|word| word != "-");
    words
}

fn mentions(words: &[String]) -> Vec<Mention> {
    let integer = |at: usize| words.get(at).and_then(|word: &String| word.parse::<i64>().ok());
    let run = |at: usize| (at..).map_while(integer).collect::<Vec<_>>();
    let mut mentions = Vec::new();
    let mut at = 0;
    while at < words.len() {
        let is_of = |word: &str| {
            ["no", "nr", "number", "id"].iter().any(|other| word.eq_ignore_ascii_case(other))
        };
        let next = at + 1 + usize::from(words.get(at + 1).is_some_and(|word| is_of(word)));
        let values = run(at);
        if values.len() >= 4 {
            at += values.len();
            mentions.push(Mention::Values(values));
            continue;
        }
        if words[at].eq_ignore_ascii_case("line")
            && let Some(line) = integer(next)
        {
            mentions.extend(usize::try_from(line).ok().map(Mention::Line));
        } else if is_piece_word(&words[at]) && run(next).len() != 4 {
            let name = words
                .get(next)
                .filter(|name| name.chars().count() == 1 || name.parse::<u32>().is_ok());
            mentions.extend(
                name.filter(|name| !"()".contains(name.as_str())).cloned().map(Mention::Piece),
            );
        } else if words[at].eq_ignore_ascii_case("goal") {
            mentions.push(Mention::Goal);
        } else if words[at] == "("
            && let [first, second] = run(at + 1)[..]
        {
            mentions.push(Mention::Pair(first, second));
        }
        at += 1;
    }
    mentions
}

/// How many pieces, errors or the like a line counts.
fn count(words: &[String]) -> Option<u32> {
    let things =
        ["pieces", "errors", "warnings", "messages", "problems", "piece", "error", "warning"];
    words.windows(2).enumerate().find_map(|(at, pair)| {
        let is_line =
            at > 0 && (words[at - 1].eq_ignore_ascii_case("line") || is_piece_word(&words[at - 1]));
        let is_thing = things.iter().any(|thing| pair[1].eq_ignore_ascii_case(thing));
        pair[0].parse().ok().filter(|_| is_thing && !is_line)
    })
}
