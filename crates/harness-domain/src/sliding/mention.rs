//! Finds what a message names: lines of the file, pieces, places and other numbers. `messages` decides whether they fit.

use super::words::Word;

/// Something that a message names.
#[derive(Debug, PartialEq, Eq)]
pub(super) struct Mention {
    pub(super) what: What,
    /// Whether it follows a word such as `overlaps`, so that it may be what the piece overlaps.
    pub(super) is_object: bool,
}

#[derive(Debug, PartialEq, Eq)]
pub(super) enum What {
    Line(usize),
    Piece(String),
    Goal,
    /// Four or more numbers in a row.
    Values(Vec<i64>),
    Place(Place),
    Row(i64),
    Column(i64),
}

/// Two numbers that may be a row and a column.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Place {
    pub(super) first: i64,
    pub(super) second: i64,
    /// Whether the words say that the row is first.
    pub(super) is_labelled: bool,
    /// Whether the words say that a piece begins there.
    pub(super) is_start: bool,
}

/// The stems of the words that relate a piece to another one.
pub(super) const OVERLAPS: &str = "overlap colli conflict clash intersect hit cover occupied";

/// What a line names, in order.
pub(super) fn mentions(words: &[Word]) -> Vec<Mention> {
    let first = |is: &dyn Fn(&Word) -> bool| words.iter().position(is);
    let relation = first(&|word| word.begins(OVERLAPS))
        .or_else(|| first(&|word| word.is("with by on into onto")));
    let mut mentions = Vec::new();
    let mut at = 0;
    while at < words.len() {
        let (what, length) = mention(words, at);
        let is_object = relation.is_some_and(|relation| relation < at);
        mentions.extend(what.map(|what| Mention { what, is_object }));
        at += length;
    }
    mentions
}

/// What the words at `at` name, if anything, and the number of these words.
fn mention(words: &[Word], at: usize) -> (Option<What>, usize) {
    let word = &words[at];
    let has_label = words.get(at + 1).is_some_and(|word| word.is("no nr number id"));
    let next = at + 1 + usize::from(has_label);
    let behind = together(words, next);
    if word.is("line")
        && let Some(line) = behind.first()
    {
        return (Some(What::Line(usize::try_from(*line).unwrap_or(0))), next + 1 - at);
    }
    let is_name = |word: &&Word| word.name().is_some() || word.integer().is_some();
    if word.is_piece()
        && let Some(name) = words.get(next).filter(is_name)
    {
        // `piece 1 2` and `piece 1, 2 wide` are piece 1 and another number. `piece (1, 2)` and `piece 1,2` are a place.
        let is_pair = name.before.contains(['(', '[']) || name.after == ",";
        // The values of a piece tell more than its number does.
        let has_values = [next, next + 1].iter().any(|&at| together(words, at).len() >= 4);
        if !(has_values || behind.len() == 2 && is_pair) {
            return (Some(What::Piece(name.text.clone())), next + behind.len().max(1) - at);
        }
    }
    if word.is("goal") {
        return (Some(What::Goal), 1);
    }
    if let Some((what, length)) = labelled(words, at) {
        return (Some(what), length);
    }
    let is_list = at > 0 && words[at - 1].is("pieces blocks tiles lines");
    let numbers = together(words, at);
    let length = numbers.len().max(1);
    match numbers[..] {
        [first, second] if !is_list => (Some(place(words, at, (first, second), false)), 2),
        [_, _, _, _, ..] => (Some(What::Values(numbers)), length),
        _ => (None, length),
    }
}

/// The numbers that stand together from `at` on, such as `(2, 1)`.
fn together(words: &[Word], at: usize) -> Vec<i64> {
    let goes_on = |place: &usize| {
        let between = words[*place].before.trim_matches([' ', '\t']);
        *place == at || ["", ",", ";", "/", "]["].contains(&between)
    };
    (at..words.len()).take_while(goes_on).map_while(|place| words[place].integer()).collect()
}

/// `row 2, column 1`, or one of them.
fn labelled(words: &[Word], at: usize) -> Option<(What, usize)> {
    let value = |at: usize, names: &str| {
        words.get(at).filter(|word| word.is(names))?;
        words.get(at + 1).and_then(Word::integer)
    };
    let both = |first: &str, second: &str| {
        let skipped = usize::from(words.get(at + 2).is_some_and(|word| word.is("and")));
        Some(((value(at, first)?, value(at + 2 + skipped, second)?), 4 + skipped))
    };
    let column_first = || both("column col c", "row r").map(|((c, r), length)| ((r, c), length));
    if let Some((pair, length)) = both("row r", "column col c").or_else(column_first) {
        return Some((place(words, at, pair, true), length));
    }
    if let Some((pair, length)) = both("x", "y").or_else(|| both("y", "x")) {
        return Some((place(words, at, pair, false), length));
    }
    let row = value(at, "row").map(What::Row);
    row.or_else(|| value(at, "column col").map(What::Column)).map(|what| (what, 2))
}

/// The place that two numbers at `at` mean. A piece begins there after `starting position of` or `piece at`.
fn place(words: &[Word], at: usize, (first, second): (i64, i64), is_labelled: bool) -> What {
    let is_between = |word: &&Word| word.is("of at is in on the row column col x y cell from");
    let mut before = words[..at].iter().rev().skip_while(is_between);
    let is_start = before.next().is_some_and(|last| {
        let is_name = last.name().is_some() || last.integer().is_some();
        last.begins("start position locat corner origin begin")
            || last.is_piece()
            || is_name && before.next().is_some_and(Word::is_piece)
    });
    What::Place(Place { first, second, is_labelled, is_start })
}

#[cfg(test)]
mod tests {
    use super::super::words::words;
    use super::*;

    fn read(text: &str) -> Vec<What> {
        mentions(&words(text)).into_iter().map(|mention| mention.what).collect()
    }

    fn place(first: i64, second: i64, is_labelled: bool, is_start: bool) -> What {
        What::Place(Place { first, second, is_labelled, is_start })
    }

    #[test]
    fn two_numbers_are_a_place_however_they_are_written() {
        for text in ["2,1 overlaps", "(2, 1) overlaps", "[2][1] overlaps", "cell 2 1 overlaps"] {
            assert_eq!(read(text), [place(2, 1, false, false)], "{text}");
        }
        for text in [
            "Piece with starting position of 2,1 overlaps",
            "Piece at (2,1) overlaps",
            "Piece (2,1) overlaps",
            "starting position (2, 1) overlaps",
        ] {
            assert_eq!(read(text), [place(2, 1, false, true)], "{text}");
        }
        for text in ["Piece at row 2, column 1 overlaps", "Piece at column 1 and row 2 overlaps"] {
            assert_eq!(read(text), [place(2, 1, true, true)], "{text}");
        }
        assert_eq!(
            read("Piece 2 at -1, 99999999999999999999 is outside"),
            [What::Piece("2".to_owned()), place(-1, i64::MAX, false, true)]
        );
    }

    #[test]
    fn other_numbers_are_no_place() {
        assert_eq!(read("Pieces 1, 2 overlap"), []);
        assert_eq!(read("Read 3 lines, 2 pieces"), []);
        assert_eq!(read("line 4: 9 9 1 1 n"), [What::Line(4), What::Values(vec![9, 9, 1, 1])]);
        for text in ["Piece 3 1 overlaps", "Piece 3, 2 wide, overlaps"] {
            assert_eq!(read(text), [What::Piece("3".to_owned())], "{text}");
        }
    }

    #[test]
    fn what_follows_the_verb_is_its_object() {
        let objects = |text: &str| -> Vec<bool> {
            mentions(&words(text)).iter().map(|mention| mention.is_object).collect()
        };
        assert_eq!(objects("Piece 3 overlaps piece 1"), [false, true]);
        assert_eq!(objects("The piece with 2,1 as its start overlaps"), [false]);
        assert_eq!(objects("Piece 3 is on top of piece 1"), [false, true]);
    }
}
