//! All small cases, in order of size: by area of the map, then by number of colours, then by how the file is written.

use super::map::{FLOOR, MOST_COLORS, Map, START, Style, TARGET, TRAP, WALL, button, door};
use crate::{Draft, Family, Limits};

/// Up to this area, try every number of colours and every way to write the file. Beyond it, try few colours and the plain form.
const WIDE_AREA: usize = 3;
/// The number of colours to try beyond [`WIDE_AREA`].
const FEW_COLORS: u8 = 2;

pub(super) const ALPHABET: &str = "every map with up to 2 colours, and up to area 3 with up to 26 colours and every way to write comments and line ends, with all flags";

/// The cases whose maps have this area, in order.
pub(super) fn families(area: usize, flags: &[String], limits: &Limits) -> Vec<Family> {
    let mut families = Vec::new();
    let most_colors = if area <= WIDE_AREA { MOST_COLORS } else { FEW_COLORS };
    for colors in 0..=most_colors {
        for style in styles(area, colors) {
            for rows in (1..=area).filter(|rows| area.is_multiple_of(*rows)) {
                let columns = area / rows;
                if rows as u64 > limits["rows"] || columns as u64 > limits["columns"] {
                    continue;
                }
                for flags in flags {
                    families.push(family(colors, columns, area, &style, flags));
                }
            }
        }
    }
    families
}

/// The ways to write a file, the plainest first.
fn styles(area: usize, colors: u8) -> Vec<Style> {
    let plain = Style::default();
    if area > WIDE_AREA || colors > 1 {
        return vec![plain];
    }
    let with = |comments: &[&str]| Style {
        comments: comments.iter().map(|&text| text.to_owned()).collect(),
        ..Style::default()
    };
    vec![
        plain.clone(),
        with(&[""]),
        with(&[" a"]),
        with(&[" +@?"]),
        with(&["", ""]),
        with(&["", "", ""]),
        Style { blank_after_header: true, ..plain.clone() },
        Style { open_end: true, ..plain.clone() },
        Style { blank_line_at_end: true, ..plain },
    ]
}

/// All maps of one shape: a start, a target, and any characters of the alphabet in the other cells.
fn family(colors: u8, columns: usize, area: usize, style: &Style, flags: &str) -> Family {
    let mut alphabet = vec![FLOOR, WALL, TRAP];
    alphabet.extend((0..colors).flat_map(|color| [button(color), door(color)]));
    let places = area * area.saturating_sub(1);
    let fillings = alphabet.len().checked_pow(area.saturating_sub(2) as u32).unwrap_or(usize::MAX);
    let (style, flags) = (style.clone(), flags.to_owned());
    Family {
        count: if area < 2 { 0 } else { places.saturating_mul(fillings) },
        make: Box::new(move |index| {
            let (mut filling, place) = (index / places, index % places);
            let start = place / (area - 1);
            // The target is on any cell but the start.
            let target = place % (area - 1) + usize::from(place % (area - 1) >= start);
            let mut map = Map { colors, columns, cells: vec![FLOOR; area], style: style.clone() };
            for (at, cell) in map.cells.iter_mut().enumerate() {
                if at == start {
                    *cell = START;
                } else if at == target {
                    *cell = TARGET;
                } else {
                    *cell = alphabet[filling % alphabet.len()];
                    filling /= alphabet.len();
                }
            }
            Draft { flags: flags.clone(), input: map.render() }
        }),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::collections::HashSet;

    #[test]
    fn every_case_of_an_area_occurs_once() {
        let limits = Limits::from([("rows".into(), 10), ("columns".into(), 10)]);
        let cases: Vec<_> = families(4, &["q".to_owned()], &limits)
            .iter()
            .flat_map(|family| {
                (0..family.count).map(|index| (family.make)(index)).collect::<Vec<_>>()
            })
            .collect();
        // Three shapes, twelve places for start and target, and two cells from 3, 5 or 7 characters.
        assert_eq!(cases.len(), 3 * 12 * (9 + 25 + 49));
        assert_eq!(cases.iter().collect::<HashSet<_>>().len(), cases.len());
    }
}
