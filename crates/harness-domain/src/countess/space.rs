//! All small cases, in order of size: by the number of tiles in all rooms, then by contents and by how the file is written.

use super::castle::{
    COUNTESS, Castle, Comment, Ending, FLOOR, Form, MINION, MOST_ROOMS, START, Style, WALL, pipe_to,
};
use crate::{Draft, Family, InputLimits};

/// Up to this size, try every pipe in both input modes. Beyond it, try maps with pipes to each room and to one missing room.
const WIDE_AREA: usize = 4;
/// More cases than any search reaches, but few enough that sums of them do not overflow.
const MOST_CASES: usize = usize::MAX >> 16;

pub(super) const ALPHABET: &str = "every castle of floor, walls, minions and pipes to each room and to one that is missing, as a map (of floor only where more than 4 rooms have one tile each); \
     up to size 4 with every pipe and also as a list; those of floor also as a list in several orders, and with comments and blank lines; all with all flags";

/// The cases whose castles have so many tiles, in order.
pub(super) fn families(area: usize, flags: &[String], limits: &InputLimits) -> Vec<Family> {
    let mut families = Vec::new();
    for size in (1..=area).rev().filter(|size| area.is_multiple_of(size * size)) {
        let rooms = area / (size * size);
        if size as u64 > limits["size"] || rooms as u64 > limits["rooms"].min(MOST_ROOMS as u64) {
            continue;
        }
        for (alphabet, listing, style) in kinds(rooms, size) {
            families.extend(
                flags.iter().map(|flags| family(rooms, size, &alphabet, listing, &style, flags)),
            );
        }
    }
    families
}

/// The form in which a castle is written.
#[derive(Clone, Copy, Debug)]
enum Listing {
    Map,
    /// A list of the tiles that are not floor.
    List,
    /// The same list in reverse.
    Backwards,
    /// A list of all tiles.
    Everything,
}

impl Listing {
    fn write(self, castle: &mut Castle) {
        castle.form = match self {
            Self::Map => Form::Map,
            Self::List => Form::List(castle.things()),
            Self::Backwards => Form::List(castle.things().into_iter().rev().collect()),
            Self::Everything => Form::List((0..castle.tiles.len()).collect()),
        };
    }
}

/// The alphabets of such castles, and how they are written. Floor alone comes first: what a comment or a list exposes by itself
/// is then found without walls and pipes.
fn kinds(rooms: usize, size: usize) -> Vec<(Vec<u8>, Listing, Style)> {
    const MANNERS: [Listing; 4] =
        [Listing::Map, Listing::List, Listing::Backwards, Listing::Everything];
    let mut kinds: Vec<_> = MANNERS.map(|listing| (vec![FLOOR], listing, Style::default())).into();
    for style in styles(&["", "S"], &[0, 1, size, rooms * size]) {
        kinds.push((vec![FLOOR], Listing::Map, style));
    }
    // A list of such a castle has two lines, for the start and the Countess.
    for style in styles(&["", "S", "(0,0,0,#)"], &[0, 1, 2]) {
        kinds.push((vec![FLOOR], Listing::List, style));
    }
    let mut alphabet = vec![FLOOR, WALL, MINION];
    if rooms * size * size <= WIDE_AREA {
        alphabet.extend((0..MOST_ROOMS).map(pipe_to));
        kinds.extend(MANNERS.map(|listing| (alphabet.clone(), listing, Style::default())));
    } else if size > 1 {
        alphabet.extend((0..=rooms).filter(|&room| room < MOST_ROOMS).map(pipe_to));
        kinds.push((alphabet, Listing::Map, Style::default()));
    }
    kinds
}

/// Unusual ways to write a file: each comment in each place, and blank lines at the end.
fn styles(texts: &[&str], places: &[usize]) -> Vec<Style> {
    let mut places = places.to_vec();
    places.dedup();
    let comment = |after, text: &&str| Style {
        comments: vec![Comment { after, text: (*text).to_owned() }],
        ending: Ending::Newline,
    };
    let mut styles: Vec<_> = places
        .iter()
        .flat_map(|&after| texts.iter().map(move |text| comment(after, text)))
        .collect();
    styles.extend([1, 2].map(Ending::Blank).map(|ending| Style { ending, ..Style::default() }));
    styles
}

/// All castles of one shape: a start, a Countess, and any tiles of the alphabet elsewhere.
fn family(
    rooms: usize,
    size: usize,
    alphabet: &[u8],
    listing: Listing,
    style: &Style,
    flags: &str,
) -> Family {
    let area = rooms * size * size;
    let places = area * (area - 1);
    let fillings = alphabet.len().checked_pow(area.saturating_sub(2) as u32).unwrap_or(MOST_CASES);
    let (alphabet, style, flags) = (alphabet.to_owned(), style.clone(), flags.to_owned());
    Family {
        count: places.saturating_mul(fillings).min(MOST_CASES),
        make: Box::new(move |index| {
            let (mut filling, place) = (index / places, index % places);
            let start = place / (area - 1);
            // The Countess is on any tile but the start.
            let countess = place % (area - 1) + usize::from(place % (area - 1) >= start);
            let mut castle = Castle { style: style.clone(), ..Castle::floor(rooms, size) };
            for (at, tile) in castle.tiles.iter_mut().enumerate() {
                if at == start {
                    *tile = START;
                } else if at == countess {
                    *tile = COUNTESS;
                } else {
                    *tile = alphabet[filling % alphabet.len()];
                    filling /= alphabet.len();
                }
            }
            listing.write(&mut castle);
            Some(Draft { flags: flags.clone(), input: castle.render() })
        }),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::collections::HashSet;

    fn cases(area: usize) -> Vec<Draft> {
        let limits = InputLimits::from([("rooms".into(), 10), ("size".into(), 8)]);
        families(area, &["q".to_owned()], &limits)
            .iter()
            .flat_map(|family| {
                (0..family.count).filter_map(|index| (family.make)(index)).collect::<Vec<_>>()
            })
            .collect()
    }

    #[test]
    fn the_smallest_castle_has_two_rooms_of_one_tile() {
        assert!(cases(1).is_empty());
        assert_eq!(String::from_utf8(cases(2)[0].input.clone()).unwrap(), "M\n2\n1\nS\nC\n");
    }

    #[test]
    fn every_map_of_an_area_occurs() {
        let cases: HashSet<_> = cases(4).into_iter().map(|draft| draft.input).collect();
        let plain_maps = cases.iter().filter(|file| {
            file.starts_with(b"M") && !file.contains(&b'/') && file.ends_with(b"\n")
        });
        let plain_maps = plain_maps.filter(|file| !file.ends_with(b"\n\n")).count();
        // Two shapes, twelve places for start and Countess, and two tiles from 13 characters.
        assert_eq!(plain_maps, 2 * 12 * 13 * 13);
        for file in [
            "M\n1\n2\n..\n//S\nSC\n",
            "L\n1\n2\n(0,1,1,C)\n(0,1,0,9)\n(0,0,0,S)\n",
            "M\n4\n1\n9\nC\n!\nS\n",
        ] {
            assert!(cases.contains(file.as_bytes()), "{file}");
        }
    }

    #[test]
    fn a_castle_stays_within_its_limits() {
        let limits = InputLimits::from([("rooms".into(), 2), ("size".into(), 2)]);
        let areas: Vec<_> = (1..=20)
            .filter(|&area| !families(area, &["q".to_owned()], &limits).is_empty())
            .collect();
        assert_eq!(areas, [1, 2, 4, 8]);
    }
}
