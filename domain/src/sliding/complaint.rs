//! Reads what a message says about discarded pieces: which ones, why, and how many.

/// A message that may be about a discarded piece.
pub(super) struct Complaint {
    /// Whether it may be about a discarded piece.
    pub(super) may_complain: bool,
    /// Whether it is certainly about a discarded piece.
    pub(super) complains: bool,
    /// The number of discarded pieces, if it states one.
    pub(super) count: Option<u32>,
    pub(super) faults: Faults,
    pub(super) mentions: Vec<Mention>,
    /// Whether it mentions the overlapped piece first.
    pub(super) begins_with_other: bool,
}

#[derive(Debug, PartialEq, Eq)]
pub(super) enum Mention {
    Line(usize),
    Piece(String),
    Goal,
    /// Four or more numbers in a row.
    Values(Vec<i64>),
    /// Two numbers in parentheses.
    Pair(i64, i64),
}

impl Complaint {
    pub(super) fn read(text: &str) -> Self {
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
}

/// The reasons for which a piece is discarded, or those that a message gives.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(super) struct Faults {
    pub(super) outside: bool,
    pub(super) direction: bool,
    pub(super) overlap: bool,
}

impl Faults {
    /// The faults that a text names. `has` tells whether it contains one of the given words.
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

    /// Whether a message that gives these reasons may be about a piece with the `real` ones. A message may give no reason.
    pub(super) fn may_be(self, real: Self) -> bool {
        self == Self::default()
            || self.outside && real.outside
            || self.direction && real.direction
            || self.overlap && real.overlap
    }

    pub(super) fn words(self) -> &'static str {
        match self {
            Self { outside: true, .. } => "is not inside the grid",
            Self { direction: true, .. } => "has no valid direction",
            Self { .. } => "overlaps another piece",
        }
    }
}

fn is_piece_word(word: &str) -> bool {
    ["piece", "block", "tile", "car", "vehicle"].iter().any(|name| word.eq_ignore_ascii_case(name))
}

/// The words, numbers (with their sign) and parentheses of a line.
pub(super) fn words(text: &str) -> Vec<String> {
    let mut words: Vec<String> = Vec::new();
    let mut before = ' ';
    for c in text.chars() {
        let is_sign = c == '-' && !before.is_alphanumeric();
        let goes_on = before.is_alphanumeric()
            || before == '-' && words.last().is_some_and(|word| word == "-");
        match words.last_mut() {
            Some(last) if c.is_alphanumeric() && goes_on => last.push(c),
            _ if c.is_alphanumeric() || is_sign || matches!(c, '(' | ')') => {
                words.push(c.to_string());
            }
            _ => {}
        }
        before = c;
    }
    words.retain(|word| word != "-");
    words
}

pub(super) fn mentions(words: &[String]) -> Vec<Mention> {
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
        } else if is_piece_word(&words[at]) && run(next).len() < 4 {
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

/// The number before a word such as `pieces` or `errors`.
fn count(words: &[String]) -> Option<u32> {
    const THINGS: [&str; 8] =
        ["pieces", "errors", "warnings", "messages", "problems", "piece", "error", "warning"];
    const BEFORE: [&str; 9] =
        ["found", "were", "was", "are", "is", "total", "discarded", "ignored", "with"];
    let is = |word: &String, any: &[&str]| any.iter().any(|other| word.eq_ignore_ascii_case(other));
    words.windows(2).enumerate().find_map(|(at, pair)| {
        let is_count = at.checked_sub(1).is_none_or(|before| is(&words[before], &BEFORE));
        pair[0].parse().ok().filter(|_| is_count && is(&pair[1], &THINGS))
    })
}
