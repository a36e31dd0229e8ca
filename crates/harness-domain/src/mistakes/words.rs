//! The mistakes in the words of a text: one is missing, there twice, another one, or exchanged with the next. Pure.

use super::slips::{Slip, lines};
use fastrand::Rng;
use std::collections::BTreeSet;
use std::ops::Range;

/// The most words that are tried in the place of another.
const MOST_OTHERS: usize = 20;

/// All mistakes in words. A word may be one of the text, or one that is `known` to occur in such texts.
pub(super) fn all(text: &[u8], known: &[Vec<u8>]) -> Vec<Slip> {
    let words = words(text);
    let own = words.iter().map(|word| &text[word.clone()]);
    let others: BTreeSet<&[u8]> = known.iter().map(Vec::as_slice).chain(own).collect();
    let others: Vec<_> = others.into_iter().take(MOST_OTHERS).collect();
    (0..words.len()).flat_map(|at| slips(text, &words, at, &others)).collect()
}

/// A mistake in a word, if there is one.
pub(super) fn any(text: &[u8], known: &[Vec<u8>], rng: &mut Rng) -> Option<Slip> {
    let words = words(text);
    if words.is_empty() {
        return None;
    }
    let own = &text[words[rng.usize(..words.len())].clone()];
    let other = rng.choice(known).filter(|_| rng.bool()).map_or(own, Vec::as_slice);
    let mut slips = slips(text, &words, rng.usize(..words.len()), &[other]);
    Some(slips.swap_remove(rng.usize(..slips.len())))
}

/// The mistakes in the word with this number. A word is exchanged with the next one, also if that is on the next line.
fn slips(text: &[u8], words: &[Range<usize>], at: usize, others: &[&[u8]]) -> Vec<Slip> {
    let place = words[at].clone();
    let word = &text[place.clone()];
    let with_blank = |word: &[u8]| [word, b" "].concat();
    let mut slips = vec![
        Slip(with_its_blank(text, &place), Vec::new()),
        Slip(place.start..place.start, with_blank(word)),
    ];
    if let Some(next) = words.get(at + 1) {
        let exchanged = [&text[next.clone()], &text[place.end..next.start], word].concat();
        slips.push(Slip(place.start..next.end, exchanged));
    }
    let is_last = text.get(place.end).is_none_or(|&byte| byte == b'\n');
    for other in others {
        slips.push(Slip(place.clone(), other.to_vec()));
        slips.push(Slip(place.start..place.start, with_blank(other)));
        if is_last {
            slips.push(Slip(place.end..place.end, [b" ", *other].concat()));
        }
    }
    slips
}

/// A word with the blank after it, or before it if it is the last of its line.
pub(super) fn with_its_blank(text: &[u8], word: &Range<usize>) -> Range<usize> {
    let is_blank = |at: usize| matches!(text.get(at), Some(b' ' | b'\t'));
    match word {
        _ if is_blank(word.end) => word.start..word.end + 1,
        _ if word.start > 0 && is_blank(word.start - 1) => word.start - 1..word.end,
        _ => word.clone(),
    }
}

/// Two lines that follow each other are exchanged.
pub(super) fn exchanged_lines(text: &[u8]) -> Vec<Slip> {
    let lines = lines(text);
    let pairs = lines.iter().zip(lines.iter().skip(1));
    let exchanged = |(line, next): (&Range<usize>, &Range<usize>)| {
        let both = [&text[next.clone()], &text[line.clone()]].concat();
        Slip(line.start..next.end, both)
    };
    pairs.map(exchanged).collect()
}

/// Where the words are, without the blanks around them.
pub(super) fn words(text: &[u8]) -> Vec<Range<usize>> {
    let mut start = 0;
    let words = text.split(u8::is_ascii_whitespace).map(|word| {
        start += word.len() + 1;
        start - 1 - word.len()..start - 1
    });
    words.filter(|word| !word.is_empty()).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_word_is_missing_there_twice_exchanged_or_another() {
        let text = b"begin ok\nend\n";
        let all: Vec<_> = all(text, &[b"--x".to_vec()])
            .into_iter()
            .chain(exchanged_lines(text))
            .map(|slip| String::from_utf8(slip.made(text)).unwrap())
            .collect();
        for expected in [
            "ok\nend\n",
            "begin\nend\n",
            "begin begin ok\nend\n",
            "ok begin\nend\n",
            "begin end\nok\n",
            "end\nbegin ok\n",
            "--x ok\nend\n",
            "begin --x ok\nend\n",
            "begin ok --x\nend\n",
            "begin ok\nend begin\n",
        ] {
            assert!(all.iter().any(|mistaken| mistaken == expected), "{expected:?}: {all:?}");
        }
    }
}
