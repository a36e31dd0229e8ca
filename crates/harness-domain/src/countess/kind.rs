//! The tiles of random castles, by kind.

use super::castle::{COUNTESS, Castle, FLOOR, MINION, START, WALL, pipe_to};
use super::random_castles::any_pipe;
use fastrand::Rng;

/// What a random castle looks like.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum CastleKind {
    Open,
    Mazes,
    Crowded,
    Chained,
    Corridors,
    Wide,
    Striped,
}

pub(super) const KINDS: [CastleKind; 7] = [
    CastleKind::Open,
    CastleKind::Mazes,
    CastleKind::Crowded,
    CastleKind::Chained,
    CastleKind::Corridors,
    CastleKind::Wide,
    CastleKind::Striped,
];
pub(super) const KIND_NAMES: [&str; 7] =
    ["open", "mazes", "crowded", "chained", "corridors", "wide", "striped"];

/// A random castle of a kind, in map form.
pub(super) fn castle(kind: CastleKind, rooms: usize, size: usize, rng: &mut Rng) -> Castle {
    let mut castle = Castle::floor(rooms, size);
    match kind {
        CastleKind::Open => open(&mut castle, rng),
        CastleKind::Mazes => mazes(&mut castle, rng),
        CastleKind::Crowded => crowded(&mut castle, rng),
        CastleKind::Chained => chained(&mut castle, rng),
        CastleKind::Corridors => corridors(&mut castle, rng),
        CastleKind::Wide => wide(&mut castle, rng),
        CastleKind::Striped => striped(&mut castle, rng),
    }
    if rng.u8(..5) == 0 {
        desert(&mut castle, rng);
    }
    place_ends(&mut castle, rng);
    if rng.u8(..5) == 0 {
        lock_in(&mut castle, rng);
    }
    castle
}

/// Rooms with a few things in them.
fn open(castle: &mut Castle, rng: &mut Rng) {
    let (rooms, obstacles, pipes) = (castle.rooms(), rng.u8(..45), rng.u8(..30));
    for tile in &mut castle.tiles {
        let roll = rng.u8(..100);
        if roll < obstacles {
            *tile = obstacle(rng);
        } else if roll < obstacles + pipes {
            *tile = any_pipe(rooms, rng);
        }
    }
}

fn obstacle(rng: &mut Rng) -> u8 {
    if rng.u8(..3) == 0 { MINION } else { WALL }
}

/// Passages one tile wide, with pipes in them.
fn mazes(castle: &mut Castle, rng: &mut Rng) {
    let (size, area) = (castle.size, castle.room_area());
    for room in 0..castle.rooms() {
        let tiles = &mut castle.tiles[room * area..(room + 1) * area];
        tiles.fill(WALL);
        let mut stack = vec![(0_usize, 0_usize)];
        tiles[0] = FLOOR;
        while let Some(&(row, column)) = stack.last() {
            let mut ways: Vec<(usize, usize)> = Vec::new();
            ways.extend(row.checked_sub(2).map(|row| (row, column)));
            ways.extend(column.checked_sub(2).map(|column| (row, column)));
            ways.extend((row + 2 < size).then_some((row + 2, column)));
            ways.extend((column + 2 < size).then_some((row, column + 2)));
            ways.retain(|&(row, column)| tiles[row * size + column] == WALL);
            match rng.choice(&ways) {
                Some(&(to_row, to_column)) => {
                    tiles[usize::midpoint(row, to_row) * size
                        + usize::midpoint(column, to_column)] = FLOOR;
                    tiles[to_row * size + to_column] = FLOOR;
                    stack.push((to_row, to_column));
                }
                None => drop(stack.pop()),
            }
        }
    }
    scatter(castle, rng, 30);
}

/// Places pipes on some of the floor.
fn scatter(castle: &mut Castle, rng: &mut Rng, most_percent: u8) {
    let (rooms, percent) = (castle.rooms(), rng.u8(..=most_percent));
    for tile in &mut castle.tiles {
        if *tile == FLOOR && rng.u8(..100) < percent {
            *tile = any_pipe(rooms, rng);
        }
    }
}

/// Pipes nearly everywhere, many of which lead to each other.
fn crowded(castle: &mut Castle, rng: &mut Rng) {
    let (rooms, percent) = (castle.rooms(), rng.u8(25..90));
    for tile in &mut castle.tiles {
        if rng.u8(..100) < percent {
            *tile = any_pipe(rooms, rng);
        } else if rng.u8(..4) == 0 {
            *tile = obstacle(rng);
        }
    }
}

/// Chains of pipes from room to room, some of them circular.
fn chained(castle: &mut Castle, rng: &mut Rng) {
    open(castle, rng);
    for _ in 0..rng.usize(1..=4) {
        lead_on(castle, rng);
    }
}

/// Makes a chain of pipes in the same place of several rooms.
pub(super) fn lead_on(castle: &mut Castle, rng: &mut Rng) {
    let mut rooms: Vec<usize> = (0..castle.rooms()).collect();
    rng.shuffle(&mut rooms);
    rooms.truncate(rng.usize(1..=rooms.len()).min(4));
    let in_room = rng.usize(..castle.room_area());
    for step in 0..rooms.len() {
        // The chain ends in floor, or leads back to the first room.
        let to = rooms.get(step + 1).map_or_else(
            || if rng.bool() { pipe_to(rooms[0]) } else { FLOOR },
            |&room| pipe_to(room),
        );
        let at = rooms[step] * castle.room_area() + in_room;
        if ![START, COUNTESS].contains(&castle.tiles[at]) {
            castle.put(at, to);
        }
    }
}

/// One long path back and forth through each room, with a pipe to the next room at its end.
fn corridors(castle: &mut Castle, rng: &mut Rng) {
    let (rooms, size, area) = (castle.rooms(), castle.size, castle.room_area());
    for at in 0..castle.tiles.len() {
        let (room, row, column) = (at / area, at % area / size, at % size);
        let gap = if row / 2 % 2 == room % 2 { size - 1 } else { 0 };
        if row % 2 == 1 && column != gap {
            castle.tiles[at] = obstacle(rng);
        }
        let is_end = if room % 2 == 0 { at % area == area - 1 } else { at % area == 0 };
        if is_end && room + 1 < rooms {
            castle.tiles[at] = pipe_to(room + 1);
        }
    }
    scatter(castle, rng, 8);
}

/// Nearly all floor, with a pipe from each room to the next, so that most tiles are discovered.
fn wide(castle: &mut Castle, rng: &mut Rng) {
    let (rooms, area) = (castle.rooms(), castle.room_area());
    for room in 0..rooms {
        castle.tiles[room * area + rng.usize(..area)] = pipe_to((room + 1) % rooms);
        castle.tiles[room * area + rng.usize(..area)] = any_pipe(rooms, rng);
    }
}

/// Rows that each repeat one tile.
fn striped(castle: &mut Castle, rng: &mut Rng) {
    let (rooms, size) = (castle.rooms(), castle.size);
    for row in castle.tiles.chunks_mut(size) {
        row.fill(match rng.u8(..4) {
            0 => any_pipe(rooms, rng),
            1 => obstacle(rng),
            _ => FLOOR,
        });
    }
    for tile in &mut castle.tiles {
        if rng.u8(..6) == 0 {
            *tile = if rng.bool() { FLOOR } else { any_pipe(rooms, rng) };
        }
    }
}

/// Leaves only floor in the last rooms, so that a list does not name them.
fn desert(castle: &mut Castle, rng: &mut Rng) {
    let first = rng.usize(castle.rooms().div_ceil(2)..=castle.rooms()) * castle.room_area();
    castle.tiles[first..].fill(FLOOR);
}

/// Places the start and the Countess, sometimes side by side, far apart, or in the same place of two rooms.
fn place_ends(castle: &mut Castle, rng: &mut Rng) {
    let (last, area) = (castle.tiles.len() - 1, castle.room_area());
    let (start, countess) = match rng.u8(..8) {
        0 => (0, last),
        1 => (last, 0),
        2 => {
            let start = rng.usize(..last);
            (start, start + 1)
        }
        3 if castle.rooms() > 1 => {
            let start = rng.usize(..=last);
            (start, (start + area) % castle.tiles.len())
        }
        _ => {
            let start = rng.usize(..=last);
            (start, (start + rng.usize(1..=last)) % (last + 1))
        }
    };
    castle.tiles[start] = START;
    castle.tiles[countess] = COUNTESS;
}

/// Surrounds the Countess with walls or minions, so that only a pipe can lead to her.
fn lock_in(castle: &mut Castle, rng: &mut Rng) {
    let (size, area) = (castle.size, castle.room_area());
    let Some(at) = castle.tiles.iter().position(|&tile| tile == COUNTESS) else { return };
    let in_room = at % area;
    let beside = [
        (in_room >= size).then(|| at - size),
        (in_room + size < area).then_some(at + size),
        (!in_room.is_multiple_of(size)).then(|| at - 1),
        (in_room % size + 1 < size).then_some(at + 1),
    ];
    for to in beside.into_iter().flatten() {
        if castle.tiles[to] != START {
            castle.tiles[to] = obstacle(rng);
        }
    }
}
