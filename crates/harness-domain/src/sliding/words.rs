//! Splits a line into words. `moves`, `mention` and `statement` find pieces, directions and numbers among them.

/// A run of letters or a number, with the blanks and the punctuation around it.
#[derive(Clone, Debug)]
pub(super) struct Word {
    pub(super) text: String,
    pub(super) before: String,
    pub(super) after: String,
}

impl Word {
    /// Whether it is one of these words.
    pub(super) fn is(&self, any: &str) -> bool {
        each(any).any(|other| self.text.as_bytes().eq_ignore_ascii_case(other))
    }

    /// Whether it begins like one of these words.
    pub(super) fn begins(&self, stems: &str) -> bool {
        let text = self.text.to_lowercase();
        each(stems).any(|stem| text.as_bytes().starts_with(stem))
    }

    /// Whether it means a piece in general.
    pub(super) fn is_piece(&self) -> bool {
        self.is("piece block tile car vehicle")
    }

    /// The piece that it names, if it names one.
    pub(super) fn name(&self) -> Option<char> {
        let mut characters = self.text.chars();
        characters.next().filter(|_| characters.next().is_none())
    }

    /// Its value in digits. A number beyond all bounds is a number too.
    pub(super) fn integer(&self) -> Option<i64> {
        let digits = self.text.trim_start_matches('-');
        let most = if digits == self.text { i64::MAX } else { i64::MIN };
        digits.starts_with(|c: char| c.is_ascii_digit()).then(|| self.text.parse().unwrap_or(most))
    }

    /// Its value in digits or in words, if it may count something.
    pub(super) fn number(&self) -> Option<u32> {
        const WORDS: &str = "zero one two three four five six seven eight nine ten eleven twelve thirteen fourteen fifteen sixteen seventeen eighteen nineteen twenty";
        let is_this = |word: &[u8]| self.text.as_bytes().eq_ignore_ascii_case(word);
        let in_words = || each(WORDS).zip(0..).find(|(word, _)| is_this(word)).map(|(_, it)| it);
        self.text.parse().ok().or_else(in_words)
    }
}

/// The words in a list of them. Nearly every word of an answer is looked for in several lists, so these are split as bytes, which is
/// faster.
fn each(list: &str) -> impl Iterator<Item = &[u8]> {
    list.as_bytes().split(|&byte| byte == b' ')
}

/// The words of a line. Letters and digits are separate words.
pub(super) fn words(line: &str) -> Vec<Word> {
    let line = line.replace("(s)", "s").replace("(es)", "es");
    let mut words: Vec<Word> = Vec::new();
    let mut gap = String::new();
    let mut chars = line.chars().peekable();
    let mut last = ' ';
    while let Some(c) = chars.next() {
        // A program may give such a name to a piece that the specification does not name.
        let is_odd_name = "!?@$%^~".contains(c) && !last.is_alphanumeric();
        let is_sign =
            c == '-' && !last.is_alphanumeric() && chars.peek().is_some_and(char::is_ascii_digit);
        let goes_on = (last.is_alphabetic() && c.is_alphabetic())
            || (last.is_ascii_digit() || last == '-' && gap.is_empty()) && c.is_ascii_digit();
        last = c;
        match words.last_mut().filter(|_| goes_on) {
            Some(word) => word.text.push(c),
            None if c.is_alphanumeric() || is_odd_name || is_sign => {
                if let Some(word) = words.last_mut() {
                    word.after.clone_from(&gap);
                }
                let before = std::mem::take(&mut gap);
                words.push(Word { text: c.into(), before, after: String::new() });
            }
            None => gap.push(c),
        }
    }
    if let Some(word) = words.last_mut() {
        word.after = gap;
    }
    words
}
