//! The single steps that make a castle smaller or plainer, the largest first. Floor is the plainest tile, followed by a wall.

use super::castle::{COUNTESS, Castle, Ending, FLOOR, Form, START, Style, WALL, pipe, pipe_to};
use std::ops::Range;

/// The castles one step smaller than `castle`. The reference decides whether they are valid.
pub(super) fn steps(castle: &Castle) -> Vec<Castle> {
    let mut steps = in_plainer_form(castle);
    steps.extend((0..castle.rooms()).flat_map(|room| without_room(castle, room)));
    if castle.size > 1 {
        steps.extend(
            (0..castle.room_area())
                .map(|at| without_row_and_column(castle, at / castle.size, at % castle.size)),
        );
    }
    // The start and the Countess may have been moved to the same tile.
    steps.retain(Castle::has_ends);
    steps.extend(with_plainer_style(castle));
    steps.extend(with_plainer_tiles(castle));
    steps.extend(with_ends_closer(castle));
    steps
}

/// Removes a room. A start or Countess in it moves to another room, and pipes to later rooms are renumbered. Pipes to the removed
/// room become floor or a wall, lead nowhere, or lead to another room.
fn without_room(castle: &Castle, room: usize) -> Vec<Castle> {
    let area = castle.room_area();
    let others: Vec<usize> = (0..castle.rooms()).filter(|&other| other != room).collect();
    let has_ends = castle.tiles[room * area..(room + 1) * area].iter().any(|&tile| is_end(tile));
    let hosts = if has_ends { others.as_slice() } else { &others[..others.len().min(1)] };
    let mut smaller = Vec::new();
    for host in hosts {
        let moved =
            with_ends_moved(
                castle,
                |at| if at / area == room { host * area + at % area } else { at },
            );
        let rest = moved.only(castle.size, |at| at / area != room);
        let orphans: Vec<_> =
            (0..rest.tiles.len()).filter(|&at| pipe(rest.tiles[at]) == Some(room)).collect();
        let fates = [FLOOR, WALL].into_iter().chain((0..castle.rooms()).map(pipe_to));
        for fate in fates.take(if orphans.is_empty() { 1 } else { usize::MAX }) {
            let mut renamed = rest.clone();
            for tile in &mut renamed.tiles {
                *tile = pipe(*tile).filter(|&to| to > room).map_or(*tile, |to| pipe_to(to - 1));
            }
            for &at in &orphans {
                renamed.put(at, fate);
            }
            smaller.push(renamed);
        }
    }
    smaller
}

/// Removes a row and a column from every room, because rooms stay square and pipes join equal places. A start or Countess there
/// moves.
fn without_row_and_column(castle: &Castle, row: usize, column: usize) -> Castle {
    let size = castle.size;
    let beside = |gone: usize, number: usize| match number {
        number if number != gone => number,
        0 => 1,
        number => number - 1,
    };
    let moved = with_ends_moved(castle, |at| {
        let (room, from_row, from_column) = (at / castle.room_area(), at / size % size, at % size);
        (room * size + beside(row, from_row)) * size + beside(column, from_column)
    });
    moved.only(size - 1, |at| at / size % size != row && at % size != column)
}

fn is_end(tile: u8) -> bool {
    [START, COUNTESS].contains(&tile)
}

/// Moves the start and then the Countess to where `to` sends them.
fn with_ends_moved(castle: &Castle, to: impl Fn(usize) -> usize) -> Castle {
    let mut moved = castle.clone();
    for at in (0..castle.tiles.len())
        .filter(|&at| is_end(castle.tiles[at]) && to(at) < castle.tiles.len() && to(at) != at)
    {
        moved.swap(at, to(at));
    }
    moved
}

/// Replaces a list by a map, or by a list with fewer needless coordinates or in a plainer order.
fn in_plainer_form(castle: &Castle) -> Vec<Castle> {
    let Form::List(order) = &castle.form else { return Vec::new() };
    let is_needless = |line: &usize| {
        castle.tiles[order[*line]] == FLOOR || order[..*line].contains(&order[*line])
    };
    let needless: Vec<_> = (0..order.len()).filter(is_needless).collect();
    let mut forms = vec![Form::Map];
    for part in parts(needless.len()) {
        let gone = &needless[part];
        let kept = (0..order.len()).filter(|line| !gone.contains(line));
        forms.push(Form::List(kept.map(|line| order[line]).collect()));
    }
    for part in parts(order.len()).filter(|part| !order[part.clone()].is_sorted()) {
        let mut sorted = order.clone();
        sorted[part].sort_unstable();
        forms.push(Form::List(sorted));
    }
    forms.into_iter().map(|form| castle.in_form(form)).collect()
}

/// The range of all things, then its halves, its quarters, and so on, down to each single thing.
fn parts(count: usize) -> impl Iterator<Item = Range<usize>> {
    let lengths = std::iter::successors((count > 0).then_some(count), |&length| {
        (length > 1).then(|| length.div_ceil(2))
    });
    lengths.flat_map(move |length| {
        (0..count).step_by(length).map(move |first| first..(first + length).min(count))
    })
}

/// How much plainer a tile can become; 0 for the start and the Countess, which must stay.
fn weight(tile: u8) -> u8 {
    match tile {
        START | COUNTESS | FLOOR => 0,
        WALL => 1,
        _ => 2,
    }
}

fn with_plainer_style(castle: &Castle) -> Vec<Castle> {
    let style = &castle.style;
    let mut styles = Vec::new();
    for at in 0..style.comments.len() {
        let mut plainer = style.clone();
        plainer.comments.remove(at);
        styles.push(plainer);
    }
    for (at, comment) in style.comments.iter().enumerate() {
        if !comment.text.is_empty() {
            let mut plainer = style.clone();
            plainer.comments[at].text.pop();
            styles.push(plainer);
            let mut plainer = style.clone();
            plainer.comments[at].text.remove(0);
            styles.push(plainer);
        }
    }
    let ending = match style.ending {
        Ending::Newline => None,
        Ending::Open | Ending::Blank(0 | 1) => Some(Ending::Newline),
        Ending::Blank(count) => Some(Ending::Blank(count - 1)),
    };
    styles.extend(ending.map(|ending| Style { ending, ..style.clone() }));
    styles.into_iter().map(|style| Castle { style, ..castle.clone() }).collect()
}

/// Replaces tiles by floor or walls, many at once and each alone. Also replaces a pipe to a missing room by one to the first
/// missing room.
fn with_plainer_tiles(castle: &Castle) -> Vec<Castle> {
    let mut smaller = Vec::new();
    for plainer in [FLOOR, WALL] {
        let things: Vec<_> = (0..castle.tiles.len())
            .filter(|&at| weight(castle.tiles[at]) > weight(plainer))
            .collect();
        for part in parts(things.len()) {
            let mut plain = castle.clone();
            for &at in &things[part] {
                plain.put(at, plainer);
            }
            smaller.push(plain);
        }
    }
    for at in 0..castle.tiles.len() {
        if pipe(castle.tiles[at]).is_some_and(|to| to > castle.rooms()) {
            let mut plain = castle.clone();
            plain.tiles[at] = pipe_to(castle.rooms());
            smaller.push(plain);
        }
    }
    smaller
}

/// Moves the start or the Countess one step towards the first tile by swapping it with floor or a wall.
fn with_ends_closer(castle: &Castle) -> Vec<Castle> {
    let mut smaller = Vec::new();
    for end in [START, COUNTESS] {
        let Some(at) = castle.tiles.iter().position(|&tile| tile == end) else { continue };
        let in_room = at % castle.room_area();
        let west = (!in_room.is_multiple_of(castle.size)).then(|| at - 1);
        let north = (in_room >= castle.size).then(|| at - castle.size);
        let other_room = at.checked_sub(castle.room_area());
        for to in [other_room, north, west]
            .into_iter()
            .flatten()
            .filter(|&to| [FLOOR, WALL].contains(&castle.tiles[to]))
        {
            let mut closer = castle.clone();
            closer.swap(at, to);
            smaller.push(closer);
        }
    }
    smaller
}

#[cfg(test)]
mod tests {
    use super::*;
    use fastrand::Rng;
    use std::collections::HashSet;

    fn castle(file: &str) -> Castle {
        Castle::parse(file.as_bytes()).unwrap()
    }

    fn files(castles: &[Castle]) -> Vec<String> {
        castles.iter().map(|castle| String::from_utf8(castle.render()).unwrap()).collect()
    }

    #[test]
    fn every_step_is_a_different_castle_that_can_be_read_back() {
        for file in [
            "M\n3\n2\n//x\nS1\n//\n#!\n2C\n..\n90\n..\n\n\n",
            "L\n2\n3\n//(\n(1,2,2,C)\n//y\n(0,0,0,.)\n(0,1,1,S)\n(0,2,1,8)\n//z",
        ] {
            let castle = castle(file);
            let steps = steps(&castle);
            assert!(steps.len() > 10);
            for smaller in steps {
                assert_ne!(smaller, castle);
                assert!(smaller.has_ends());
                assert_eq!(Castle::parse(&smaller.render()), Some(smaller));
            }
        }
    }

    #[test]
    fn removing_a_room_renumbers_the_pipes_to_later_ones() {
        let castle = castle("M\n3\n2\nS1\n29\n..\n..\n//last\nC0\n.2\n");
        let files = files(&without_room(&castle, 1));
        assert_eq!(files[0], "M\n2\n2\nS.\n18\n//last\nC0\n.1\n");
        assert_eq!(files[1], "M\n2\n2\nS#\n18\n//last\nC0\n.1\n");
        assert!(
            files.contains(&"M\n2\n2\nS2\n18\n//last\nC0\n.1\n".to_owned()),
            "one that leads nowhere"
        );
        assert!(
            files.contains(&"M\n2\n2\nS0\n18\n//last\nC0\n.1\n".to_owned()),
            "one that leads elsewhere"
        );
    }

    #[test]
    fn parts_are_halved_down_to_single_things() {
        assert_eq!(parts(3).collect::<Vec<_>>(), [0..3, 0..2, 2..3, 0..1, 1..2, 2..3]);
        assert_eq!(parts(0).count(), 0);
    }

    #[test]
    fn a_row_and_a_column_are_removed_together() {
        let list = castle("L\n1\n3\n(0,0,0,S)\n//\n(0,1,1,!)\n(0,2,2,C)\n//end\n");
        assert_eq!(
            files(&[without_row_and_column(&list, 1, 1)]),
            ["L\n1\n2\n(0,0,0,S)\n//\n(0,1,1,C)\n//end\n"]
        );
    }

    #[test]
    fn a_start_in_a_removed_room_or_row_is_moved() {
        let castle = castle("M\n2\n2\nS0\n..\n.1\n.C\n");
        assert!(files(&without_room(&castle, 0)).contains(&"M\n1\n2\nS0\n.C\n".to_owned()));
        assert_eq!(files(&[without_row_and_column(&castle, 0, 1)]), ["M\n2\n1\nS\nC\n"]);
    }

    #[test]
    fn no_sequence_of_steps_returns_to_a_castle() {
        let first =
            castle("L\n2\n2\n//a\n(1,1,1,C)\n(1,0,0,9)\n(0,0,1,#)\n(0,0,0,.)\n(0,1,1,S)\n\n");
        for seed in 0..50 {
            let (mut rng, mut castle) = (Rng::with_seed(seed), first.clone());
            let mut seen = HashSet::new();
            while let Some(step) = rng.choice(&steps(&castle)) {
                assert!(seen.insert(castle), "{seen:?}");
                castle = step.clone();
            }
            assert!(!seen.is_empty());
        }
    }
}
