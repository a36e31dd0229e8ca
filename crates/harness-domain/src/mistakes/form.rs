//! The usual form of a text: one blank between words, none elsewhere, and a newline after each line. A text in another form has one more
//! mistake than it seems. Pure.

/// How many blanks and newlines are too many or missing.
pub(super) fn oddities(text: &[u8]) -> usize {
    let is_blank = |byte: u8| byte.is_ascii_whitespace();
    let starts = std::iter::once(b'\n').chain(text.iter().copied());
    let pairs = starts.zip(text.iter().copied());
    let is_odd = |(before, byte): (u8, u8)| {
        (is_blank(before) && is_blank(byte)) || (is_blank(byte) && !matches!(byte, b' ' | b'\n'))
    };
    // A blank before the end of the line is odd together with the newline.
    pairs.filter(|&pair| is_odd(pair)).count() + usize::from(!text.ends_with(b"\n"))
}

/// The text in its usual form.
pub(super) fn usual(text: &[u8]) -> Vec<u8> {
    let lines = text.split(|&byte| byte == b'\n').map(|line| {
        let words = line.split(u8::is_ascii_whitespace).filter(|word| !word.is_empty());
        words.collect::<Vec<_>>().join(b" ".as_slice())
    });
    lines.filter(|line| !line.is_empty()).flat_map(|line| [line, b"\n".to_vec()].concat()).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_is_not_in_the_usual_form_is_counted_and_mended() {
        for (text, count, mended) in [
            ("a b\nc\n", 0, "a b\nc\n"),
            (" a b\n", 1, "a b\n"),
            ("a  b\n", 1, "a b\n"),
            ("a b \n", 1, "a b\n"),
            ("a b", 1, "a b\n"),
            ("a\tb\n", 1, "a b\n"),
            ("a\n\n b", 3, "a\nb\n"),
        ] {
            assert_eq!(oddities(text.as_bytes()), count, "{text:?}");
            assert_eq!(usual(text.as_bytes()), mended.as_bytes());
        }
    }
}
