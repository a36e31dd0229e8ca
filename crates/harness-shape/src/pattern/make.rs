//! Makes texts that match a regular expression.

use super::Node;
use crate::choice::{Choose, Role};

impl Node {
    pub(super) fn make(
        &self,
        length: Option<usize>,
        limit: usize,
        choose: &mut dyn Choose,
        text: &mut Vec<u8>,
    ) {
        match self {
            _ if text.len() > limit => {}
            Self::Bytes(bytes) => text.extend(bytes),
            Self::Set(set) => {
                text.push(set[choose.choose(set.len() as u64, Role::Letter) as usize]);
            }
            Self::Sequence(parts) => make_sequence(parts, length, limit, choose, text),
            Self::Either(parts) => {
                let among = fitting(parts, length);
                let part = choose.choose(among.len() as u64, Role::Letter) as usize;
                among[part].make(length, limit, choose, text);
            }
            Self::Repeat { least, most, part, .. } => {
                if let Some(length) = length {
                    return make_of_length(part, (*least, *most), length, limit, choose, text);
                }
                let options = most.map_or(u64::MAX, |most| u64::from(most - least) + 1);
                let count = u64::from(*least).saturating_add(choose.choose(options, Role::Size));
                choose.begin_list(1, Some(count));
                for _ in 0..count {
                    choose.begin_repetition();
                    let before = text.len();
                    part.make(None, limit, choose, text);
                    // A part that may be empty need not be made for ever.
                    if text.len() > limit || (text.len() == before && count > limit as u64) {
                        break;
                    }
                }
            }
        }
    }
}

/// Makes the parts of a sequence one after the other, so that the rest can still have the length that is left.
fn make_sequence(
    parts: &[Node],
    length: Option<usize>,
    limit: usize,
    choose: &mut dyn Choose,
    text: &mut Vec<u8>,
) {
    let start = text.len();
    for (at, part) in parts.iter().enumerate() {
        let wanted = length.map(|length| {
            let left = length.saturating_sub(text.len() - start);
            let (lowest, highest) = lengths_of_part(part, &parts[at + 1..], left);
            lowest + choose.choose((highest - lowest) as u64 + 1, Role::Size) as usize
        });
        part.make(wanted, limit, choose, text);
    }
}

/// The lengths that a part can have if it and the `rest` have `left` bytes together.
pub(super) fn lengths_of_part(part: &Node, rest: &[Node], left: usize) -> (usize, usize) {
    let after = rest.iter().map(Node::lengths);
    let (rest_least, rest_most) = after.fold((0, Some(0)), |sum: (usize, Option<usize>), one| {
        let most = sum.1.zip(one.1).and_then(|(a, b)| a.checked_add(b));
        (sum.0.saturating_add(one.0), most)
    });
    let (least, most) = part.lengths();
    let highest = left.saturating_sub(rest_least).min(most.unwrap_or(usize::MAX)).max(least);
    let lowest = rest_most.map_or(0, |rest| left.saturating_sub(rest)).max(least).min(highest);
    (lowest, highest)
}

/// The alternatives that can have a length, or all if none can.
pub(super) fn fitting(parts: &[Node], length: Option<usize>) -> Vec<&Node> {
    let fits = |part: &&Node| length.is_none_or(|length| part.can_have(length));
    let fitting: Vec<_> = parts.iter().filter(fits).collect();
    if fitting.is_empty() { parts.iter().collect() } else { fitting }
}

/// Repeats a part until the text is `length` bytes longer.
fn make_of_length(
    part: &Node,
    (least, most): (u32, Option<u32>),
    length: usize,
    limit: usize,
    choose: &mut dyn Choose,
    text: &mut Vec<u8>,
) {
    let (start, shortest) = (text.len(), part.lengths().0);
    choose.begin_list(1, (shortest > 0).then(|| (length / shortest) as u64));
    for count in 0..most.unwrap_or(u32::MAX) {
        let left = length.saturating_sub(text.len() - start);
        if count >= least && (left == 0 || left < shortest) {
            break;
        }
        let still_needed = shortest.saturating_mul(least.saturating_sub(count + 1) as usize);
        choose.begin_repetition();
        let before = text.len();
        let whole = left.saturating_sub(still_needed);
        part.make(part.can_have(whole).then_some(whole), limit, choose, text);
        if text.len() > limit || (count >= least && text.len() == before) {
            break;
        }
    }
}
