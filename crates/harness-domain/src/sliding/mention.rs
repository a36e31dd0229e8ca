//! Finds what a message names: lines of the file, pieces, places and other numbers. `messages` decides whether they fit.

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

/// A word or a number with its sign, and what stands before it: blanks and punctuation.
pub(super) struct Word {
    pub(super) text: String,
    before: String,
}

impl Word {
    pub(super) fn is(&self, any: &[&str]) -> bool {
        any.iter().any(|other| self.text.eq_ignore_ascii_case(other))
    }

    fn begins(&self, stems: &[&str]) -> bool {
        let text = self.text.to_lowercase();
        stems.iter().any(|stem| text.starts_with(stem))
    }

    /// Its value. A number beyond all bounds is a number too.
    fn integer(&self) -> Option<i64> {
        let digits = self.text.strip_prefix('-').unwrap_or(&self.text);
        let is_number = !digits.is_empty() && digits.bytes().all(|byte| byte.is_ascii_digit());
        let most = if digits == self.text { i64::MAX } else { i64::MIN };
        is_number.then(|| self.text.parse().unwrap_or(most))
    }

    fn is_piece(&self) -> bool {
        self.is(&["piece", "block", "tile", "car", "vehicle"])
    }
}

/// The words and numbers of a line.
pub(super) fn words(text: &str) -> Vec<Word> {
    let mut words: Vec<Word> = Vec::new();
    let mut before = String::new();
    let mut chars = text.chars().peekable();
    while let Some(c) = chars.next() {
        let is_digit_next = chars.peek().is_some_and(char::is_ascii_digit);
        let was_inside = before.is_empty() && !words.is_empty();
        match words.last_mut().filter(|_| was_inside) {
            Some(last) if c.is_alphanumeric() => last.text.push(c),
            _ if c.is_alphanumeric() || c == '-' && is_digit_next && !was_inside => {
                words.push(Word { text: c.to_string(), before: std::mem::take(&mut before) });
            }
            _ => before.push(c),
        }
    }
    words
}

/// What a line names, in order.
pub(super) fn mentions(words: &[Word]) -> Vec<Mention> {
    let relation = relation(words);
    let mut mentions = Vec::new();
    let mut at = 0;
    while at < words.len() {
        let Some((what, length)) = mention(words, at) else {
            at += 1;
            continue;
        };
        let is_object = relation.is_some_and(|relation| relation < at);
        mentions.push(Mention { what, is_object });
        at += length;
    }
    mentions
}

/// The word that relates a piece to another one.
fn relation(words: &[Word]) -> Option<usize> {
    const VERBS: [&str; 7] =
        ["overlap", "collid", "collision", "conflict", "hit", "cover", "intersect"];
    let first = |stems: &[&str]| words.iter().position(|word| word.begins(stems));
    first(&VERBS)
        .or_else(|| first(&["clash", "occupied"]))
        .or_else(|| words.iter().position(|word| word.is(&["with", "by", "on", "into", "onto"])))
}

/// What the words at `at` name, and the number of these words.
fn mention(words: &[Word], at: usize) -> Option<(What, usize)> {
    let integer = |at: usize| words.get(at).and_then(Word::integer);
    let values = run(words, at);
    if values.len() >= 4 {
        let length = values.len();
        return Some((What::Values(values), length));
    }
    let is_of = |word: &Word| word.is(&["no", "nr", "number", "id"]);
    let next = at + 1 + usize::from(words.get(at + 1).is_some_and(is_of));
    let word = &words[at];
    if word.is(&["line"])
        && let Some(line) = integer(next)
    {
        return Some((What::Line(usize::try_from(line).unwrap_or(0)), next + 1 - at));
    }
    if word.is_piece()
        && let Some(name) = words.get(next).filter(|_| run(words, next).len() < 4)
        && (name.text.chars().count() == 1 || name.text.parse::<u64>().is_ok())
        && pair(words, next).is_none()
    {
        return Some((What::Piece(name.text.clone()), next + 1 - at));
    }
    if word.is(&["goal"]) {
        return Some((What::Goal, 1));
    }
    labelled(words, at).or_else(|| {
        let (first, second) = pair(words, at)?;
        let is_start = is_start(words, at);
        Some((What::Place(Place { first, second, is_labelled: false, is_start }), 2))
    })
}

/// The numbers from `at` on that no parenthesis separates.
fn run(words: &[Word], at: usize) -> Vec<i64> {
    let is_next = |place: usize| place == at || !words[place].before.contains(['(', ')']);
    let integers = (at..words.len()).take_while(|&place| is_next(place));
    integers.map_while(|place| words[place].integer()).collect()
}

/// Two numbers that stand together, such as `(2, 1)`. A list of pieces or lines is none.
fn pair(words: &[Word], at: usize) -> Option<(i64, i64)> {
    let is_together = |at: usize| {
        let between = words[at].before.trim_matches([' ', '\t']);
        ["", ",", ";", "/", "x", "]["].contains(&between)
    };
    let [first, second] = [at, at + 1].map(|at| words.get(at).and_then(Word::integer));
    let before = at.checked_sub(1).map(|before| &words[before]);
    let is_list = before.is_some_and(|word| word.is(&["pieces", "blocks", "tiles", "lines"]));
    let ends =
        words.get(at + 2).is_none_or(|word| word.integer().is_none() || !is_together(at + 2));
    let begins = before.is_none_or(|word| word.integer().is_none() || !is_together(at));
    let (first, second) = (first?, second?);
    // `piece 1 2` and `piece 1, 2 wide` are piece 1 and another number.
    let is_name = before.is_some_and(Word::is_piece)
        && !words[at].before.contains(['(', '['])
        && words[at + 1].before != ",";
    (is_together(at + 1) && !is_list && !is_name && ends && begins).then_some((first, second))
}

/// `row 2, column 1`, or one of them.
fn labelled(words: &[Word], at: usize) -> Option<(What, usize)> {
    const ROW: [&str; 2] = ["row", "r"];
    const COLUMN: [&str; 3] = ["column", "col", "c"];
    let value = |at: usize, names: &[&str]| {
        words.get(at).filter(|word| word.is(names))?;
        words.get(at + 1).and_then(Word::integer)
    };
    let is_start = is_start(words, at);
    let place =
        |first, second, is_labelled| What::Place(Place { first, second, is_labelled, is_start });
    let both = |first: &[&str], second: &[&str]| {
        let one = value(at, first)?;
        let skipped = usize::from(words.get(at + 2).is_some_and(|word| word.is(&["and"])));
        Some((one, value(at + 2 + skipped, second)?, 4 + skipped))
    };
    if let Some((row, column, length)) = both(&ROW, &COLUMN) {
        return Some((place(row, column, true), length));
    }
    if let Some((column, row, length)) = both(&COLUMN, &ROW) {
        return Some((place(row, column, true), length));
    }
    if let Some((x, y, length)) = both(&["x"], &["y"]).or_else(|| both(&["y"], &["x"])) {
        return Some((place(x, y, false), length));
    }
    let row = value(at, &ROW[..1]).map(What::Row);
    row.or_else(|| value(at, &COLUMN[..2]).map(What::Column)).map(|what| (what, 2))
}

/// Whether the words before `at` say that a piece begins there: `starting position of`, or `piece at`.
fn is_start(words: &[Word], at: usize) -> bool {
    const STARTS: [&str; 6] = ["start", "position", "locat", "corner", "origin", "begin"];
    const BETWEEN: [&str; 14] = [
        "of", "at", "is", "in", "on", "the", "row", "column", "col", "x", "y", "cell", "square",
        "from",
    ];
    let mut before = words[..at].iter().rev().skip_while(|word| word.is(&BETWEEN));
    let Some(last) = before.next() else { return false };
    let names_piece = |word: &Word| word.text.chars().count() == 1 || word.integer().is_some();
    last.begins(&STARTS)
        || last.is_piece()
        || names_piece(last) && before.next().is_some_and(Word::is_piece)
}

#[cfg(test)]
mod tests {
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
