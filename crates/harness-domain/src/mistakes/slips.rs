//! The mistakes of any text: what is missing, what is too much, what is something else. Pure.

use fastrand::Rng;
use std::ops::Range;

/// What takes the place of a character, or is inserted before one.
const OTHERS: &[u8] = b"x~-. 9\n";
/// What takes the place of a number, besides its neighbours.
const NUMBERS: [&str; 4] = ["0", "-1", "x", "99999999999999999999"];

/// One mistake: what is at a place is replaced by this.
struct Slip(Range<usize>, Vec<u8>);

impl Slip {
    fn made(self, text: &[u8]) -> Vec<u8> {
        let Self(place, by) = self;
        [&text[..place.start], &by, &text[place.end..]].concat()
    }
}

/// Every text with one mistake.
pub(super) fn all(text: &[u8]) -> Vec<Vec<u8>> {
    let mut slips = Vec::new();
    for at in 0..=text.len() {
        slips.extend(OTHERS.iter().map(|&other| Slip(at..at, vec![other])));
        slips.push(Slip(at..text.len(), Vec::new()));
    }
    for at in 0..text.len() {
        slips.push(Slip(at..at + 1, Vec::new()));
        slips.extend(OTHERS.iter().map(|&other| Slip(at..at + 1, vec![other])));
    }
    for line in lines(text) {
        slips.push(Slip(line.end..line.end, text[line.clone()].to_vec()));
        slips.push(Slip(line, Vec::new()));
    }
    for number in numbers(text) {
        slips.extend(other_numbers(&text[number.clone()]).map(|other| Slip(number.clone(), other)));
    }
    let mistaken = slips.into_iter().map(|slip| slip.made(text));
    mistaken.filter(|mistaken| mistaken != text).collect()
}

/// A text with one mistake. Each sort of mistake is as likely as any other.
pub(super) fn any(text: &[u8], rng: &mut Rng) -> Vec<u8> {
    let at = rng.usize(..=text.len());
    let next = (at + 1).min(text.len());
    let other = vec![OTHERS[rng.usize(..OTHERS.len())]];
    let (lines, numbers) = (lines(text), numbers(text));
    let line = rng.choice(&lines).cloned().unwrap_or(at..next);
    let slip = match rng.u8(..8) {
        0 => Slip(at..next, Vec::new()),
        1 => Slip(at..next, other),
        2 => Slip(at..at, other),
        3 => Slip(at..text.len(), Vec::new()),
        4 => Slip(line.end..line.end, text[line.clone()].to_vec()),
        5 => Slip(line, Vec::new()),
        _ => match rng.choice(&numbers) {
            Some(number) => {
                let others: Vec<_> = other_numbers(&text[number.clone()]).collect();
                Slip(number.clone(), others[rng.usize(..others.len())].clone())
            }
            None => Slip(at..at, other),
        },
    };
    slip.made(text)
}

/// Shorter texts: without a line, without a word, without a character, the largest step first.
pub(super) fn shorter(text: &[u8]) -> Vec<Vec<u8>> {
    /// The longest text of which each character is left out.
    const MOST: usize = 400;
    let mut places = lines(text);
    places.extend(words(text));
    if text.len() <= MOST {
        places.extend((0..text.len()).map(|at| at..at + 1));
    }
    places.into_iter().map(|place| Slip(place, Vec::new()).made(text)).collect()
}

/// Where the lines are, with their ends.
fn lines(text: &[u8]) -> Vec<Range<usize>> {
    let mut start = 0;
    let lines = text.split_inclusive(|&byte| byte == b'\n').map(|line| {
        start += line.len();
        start - line.len()..start
    });
    lines.collect()
}

/// Where the words are, with a blank after them.
fn words(text: &[u8]) -> Vec<Range<usize>> {
    let mut start = 0;
    let words = text.split_inclusive(u8::is_ascii_whitespace).map(|word| {
        start += word.len();
        start - word.len()..start
    });
    words.collect()
}

/// Where the numbers are.
fn numbers(text: &[u8]) -> Vec<Range<usize>> {
    let mut numbers: Vec<Range<usize>> = Vec::new();
    for at in (0..text.len()).filter(|&at| text[at].is_ascii_digit()) {
        match numbers.last_mut() {
            Some(number) if number.end == at => number.end = at + 1,
            _ => numbers.push(at..at + 1),
        }
    }
    numbers
}

/// What may stand in the place of a number: its neighbours, and what is never right.
fn other_numbers(number: &[u8]) -> impl Iterator<Item = Vec<u8>> {
    let value = std::str::from_utf8(number).ok().and_then(|text| text.parse::<u64>().ok());
    let near = value.into_iter().flat_map(|value| [value.checked_add(1), value.checked_sub(1)]);
    let near = near.flatten().map(|value| value.to_string());
    near.chain(NUMBERS.map(str::to_owned)).map(String::into_bytes)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn each_mistake_that_is_drawn_is_listed() {
        let text = b"2\n10 x\n";
        let all = all(text);
        let mut rng = Rng::with_seed(0);
        for _ in 0..1000 {
            let drawn = any(text, &mut rng);
            assert!(drawn == text || all.contains(&drawn), "{:?}", String::from_utf8_lossy(&drawn));
        }
    }
}
