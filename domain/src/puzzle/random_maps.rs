//! Random maps of several kinds, as a `proptest` strategy. A map shrinks as a whole, by [`smaller::steps`].

use super::map::{FLOOR, MOST_COLORS, Map, START, Style, TARGET, TRAP, WALL, button, door};
use super::smaller;
use crate::tree::Tree;
use fastrand::Rng;
use proptest::prelude::Rng as _;
use proptest::strategy::{NewTree, Strategy};
use proptest::test_runner::TestRunner;

/// What a random map looks like.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum MapKind {
    Open,
    Maze,
    Rooms,
    Chain,
    Traps,
    Stripes,
}

pub(super) const KINDS: [MapKind; 6] = [
    MapKind::Open,
    MapKind::Maze,
    MapKind::Rooms,
    MapKind::Chain,
    MapKind::Traps,
    MapKind::Stripes,
];
pub(super) const KIND_NAMES: [&str; 6] = ["open", "maze", "rooms", "chain", "traps", "stripes"];

/// Creates maps up to a size.
#[derive(Clone, Debug)]
pub(super) struct Maps {
    pub(super) rows: usize,
    pub(super) columns: usize,
}

impl Strategy for Maps {
    type Value = Map;
    type Tree = Tree<Map>;

    fn new_tree(&self, runner: &mut TestRunner) -> NewTree<Self> {
        Ok(Tree::new(self.draw(&mut Rng::with_seed(runner.rng().next_u64())), smaller::steps))
    }
}

impl Maps {
    /// A random map of any kind; open maps are twice as frequent as others.
    pub(super) fn draw(&self, rng: &mut Rng) -> Map {
        let kind = usize::from(rng.u8(..7));
        self.draw_kind(KINDS[kind.saturating_sub(1)], rng)
    }

    pub(super) fn draw_kind(&self, kind: MapKind, rng: &mut Rng) -> Map {
        let (rows, columns) = self.shape(rng);
        let mut map = Map::floor(colors(rng), rows, columns);
        match kind {
            MapKind::Open => open(&mut map, rng),
            MapKind::Maze => maze(&mut map, rng),
            MapKind::Rooms => rooms(&mut map, rng),
            MapKind::Chain => chain(&mut map, rng),
            MapKind::Traps => traps(&mut map, rng),
            MapKind::Stripes => stripes(&mut map, rng),
        }
        place_ends(&mut map, rng);
        map.style = style(rng);
        map
    }

    /// A random size, usually large, sometimes long and thin.
    fn shape(&self, rng: &mut Rng) -> (usize, usize) {
        let mut side = |most: usize| match rng.u8(..8) {
            0 => 1,
            1..=4 => rng.usize(most.div_ceil(2)..=most),
            _ => rng.usize(1..=most),
        };
        let (rows, columns) = (side(self.rows), side(self.columns));
        // The start and the target need a cell each.
        if rows * columns < 2 { (1, self.columns.max(2)) } else { (rows, columns) }
    }

    /// A copy of `map` with a few random changes.
    pub(super) fn neighbour(&self, map: &Map, rng: &mut Rng) -> Map {
        let mut near = map.clone();
        for _ in 0..rng.usize(1..=3) {
            match rng.u8(..12) {
                0 if near.rows() < self.rows => double_row(&mut near, rng),
                1 if near.columns < self.columns => double_column(&mut near, rng),
                2 => near.colors = near.highest_color().max(colors(rng)),
                3 => near.style = style(rng),
                4 | 5 => swap(&mut near, rng),
                _ => change(&mut near, rng),
            }
        }
        near
    }
}

/// A random number of colours, usually few, sometimes none or all.
fn colors(rng: &mut Rng) -> u8 {
    match rng.u8(..10) {
        0 => 0,
        1 => MOST_COLORS,
        2 => rng.u8(..=MOST_COLORS),
        _ => rng.u8(1..=5),
    }
}

fn style(rng: &mut Rng) -> Style {
    const COMMENTS: [&str; 6] = ["", " a map", " @ and ? +", "/", " 1 2 3", "a.#"];
    let comments = if rng.u8(..3) == 0 { rng.usize(1..=3) } else { 0 };
    let comments =
        (0..comments).map(|_| COMMENTS[rng.usize(..COMMENTS.len())].to_owned()).collect();
    let blank_after_header = rng.u8(..12) == 0;
    let open_end = rng.u8(..6) == 0;
    // Without a final newline, there cannot be a blank line after the map.
    let blank_line_at_end = rng.u8(..12) == 0 && !open_end;
    Style { comments, blank_after_header, open_end, blank_line_at_end }
}

/// A button or door of a random colour, or a trap if the map has no colours.
fn thing(map: &Map, rng: &mut Rng) -> u8 {
    if map.colors == 0 {
        return TRAP;
    }
    let color = rng.u8(..map.colors);
    match rng.u8(..7) {
        0 => TRAP,
        1..=3 => door(color),
        _ => button(color),
    }
}

fn open(map: &mut Map, rng: &mut Rng) {
    let (walls, things) = (rng.u8(..45), rng.u8(..40));
    for at in 0..map.cells.len() {
        let roll = rng.u8(..100);
        if roll < walls {
            map.cells[at] = WALL;
        } else if roll < walls + things {
            map.cells[at] = thing(map, rng);
        }
    }
}

/// Passages one cell wide, with random things in them.
fn maze(map: &mut Map, rng: &mut Rng) {
    let (rows, columns) = (map.rows(), map.columns);
    map.cells.fill(WALL);
    let mut stack = vec![(0_usize, 0_usize)];
    map.cells[0] = FLOOR;
    while let Some(&(row, column)) = stack.last() {
        let mut ways: Vec<(usize, usize)> = Vec::new();
        ways.extend(row.checked_sub(2).map(|row| (row, column)));
        ways.extend(column.checked_sub(2).map(|column| (row, column)));
        ways.extend((row + 2 < rows).then_some((row + 2, column)));
        ways.extend((column + 2 < columns).then_some((row, column + 2)));
        ways.retain(|&(row, column)| map.cells[row * columns + column] == WALL);
        match rng.choice(&ways) {
            Some(&(to_row, to_column)) => {
                map.cells
                    [usize::midpoint(row, to_row) * columns + usize::midpoint(column, to_column)] =
                    FLOOR;
                map.cells[to_row * columns + to_column] = FLOOR;
                stack.push((to_row, to_column));
            }
            None => drop(stack.pop()),
        }
    }
    scatter(map, rng, 25);
}

/// Puts random things on some of the floor cells.
fn scatter(map: &mut Map, rng: &mut Rng, most_percent: u8) {
    let percent = rng.u8(..=most_percent);
    for at in 0..map.cells.len() {
        if map.cells[at] == FLOOR && rng.u8(..100) < percent {
            map.cells[at] = thing(map, rng);
        }
    }
}

/// Rooms with walls around them and doors between them.
fn rooms(map: &mut Map, rng: &mut Rng) {
    let columns = map.columns;
    let (wall_row, wall_column) = (rng.usize(..map.rows()), rng.usize(..columns));
    for at in 0..map.cells.len() {
        if at / columns == wall_row || at % columns == wall_column {
            map.cells[at] =
                if map.colors > 0 && rng.u8(..4) == 0 { door(rng.u8(..map.colors)) } else { WALL };
        }
    }
    scatter(map, rng, 30);
}

/// A path along the rows on which each button opens the next door.
fn chain(map: &mut Map, rng: &mut Rng) {
    if map.colors == 0 {
        return traps(map, rng);
    }
    let gap = rng.usize(1..=4);
    let mut color = rng.u8(..map.colors);
    for at in 0..map.cells.len() {
        match at % (2 * gap) {
            0 => map.cells[at] = button(color),
            step if step == gap => {
                map.cells[at] = door(color);
                color = rng.u8(..map.colors);
            }
            _ => {}
        }
    }
    if rng.bool() {
        let columns = map.columns;
        for row in (1..map.rows()).step_by(2) {
            for column in 0..columns - 1 {
                map.cells[row * columns + (column + row / 2) % columns] = WALL;
            }
        }
    }
}

/// Many traps, and a few buttons and doors.
fn traps(map: &mut Map, rng: &mut Rng) {
    let percent = rng.u8(10..70);
    map.cells.iter_mut().for_each(|cell| {
        if rng.u8(..100) < percent {
            *cell = TRAP;
        }
    });
    scatter(map, rng, 30);
}

/// Rows that each repeat one cell.
fn stripes(map: &mut Map, rng: &mut Rng) {
    let columns = map.columns;
    for row in 0..map.rows() {
        let cell = if rng.bool() { FLOOR } else { thing(map, rng) };
        map.cells[row * columns..(row + 1) * columns].fill(cell);
    }
    for at in 0..map.cells.len() {
        if rng.u8(..5) == 0 {
            map.cells[at] = if rng.bool() { WALL } else { FLOOR };
        }
    }
}

/// Places the start and the target, sometimes side by side or in opposite corners.
fn place_ends(map: &mut Map, rng: &mut Rng) {
    let last = map.cells.len() - 1;
    let (start, target) = match rng.u8(..6) {
        0 => (0, last),
        1 => (last, 0),
        2 => {
            let start = rng.usize(..last);
            (start, start + 1)
        }
        _ => {
            let start = rng.usize(..=last);
            (start, (start + rng.usize(1..=last)) % (last + 1))
        }
    };
    map.cells[start] = START;
    map.cells[target] = TARGET;
}

fn double_row(map: &mut Map, rng: &mut Rng) {
    let row = rng.usize(..map.rows());
    let copy: Vec<u8> = map.cells[row * map.columns..(row + 1) * map.columns]
        .iter()
        .map(|&cell| without_ends(cell))
        .collect();
    let at = row * map.columns;
    map.cells.splice(at..at, copy);
}

fn double_column(map: &mut Map, rng: &mut Rng) {
    let column = rng.usize(..map.columns);
    let mut cells = Vec::with_capacity(map.cells.len() + map.rows());
    for row in map.cells.chunks(map.columns) {
        cells.extend_from_slice(&row[..column]);
        cells.push(without_ends(row[column]));
        cells.extend_from_slice(&row[column..]);
    }
    map.cells = cells;
    map.columns += 1;
}

fn without_ends(cell: u8) -> u8 {
    if cell == START || cell == TARGET { FLOOR } else { cell }
}

fn swap(map: &mut Map, rng: &mut Rng) {
    let (a, b) = (rng.usize(..map.cells.len()), rng.usize(..map.cells.len()));
    map.cells.swap(a, b);
}

/// Replaces a random cell, unless it is the start or the target.
fn change(map: &mut Map, rng: &mut Rng) {
    let at = rng.usize(..map.cells.len());
    if map.cells[at] != START && map.cells[at] != TARGET {
        map.cells[at] = match rng.u8(..4) {
            0 => FLOOR,
            1 => WALL,
            _ => thing(map, rng),
        };
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use fastrand::Rng;
    use proptest::prelude::*;
    use proptest::strategy::ValueTree;

    fn maps() -> Maps {
        Maps { rows: 10, columns: 10 }
    }

    fn is_fine(map: &Map) -> bool {
        let count = |wanted| map.cells.iter().filter(|&&cell| cell == wanted).count();
        count(START) == 1
            && count(TARGET) == 1
            && map.rows() <= 10
            && map.columns <= 10
            && map.highest_color() <= map.colors
    }

    proptest! {
        #[test]
        fn every_map_and_every_neighbour_of_it_is_valid_and_can_be_read_back(seed: u64) {
            let mut rng = Rng::with_seed(seed);
            let map = maps().draw(&mut rng);
            prop_assert!(is_fine(&map));
            let near = maps().neighbour(&map, &mut rng);
            prop_assert!(is_fine(&near));
            prop_assert_eq!(Map::parse(&near.render()), Some(near));
        }
    }

    #[test]
    fn a_tree_finds_the_smallest_map_that_still_has_a_trap() {
        let mut runner = TestRunner::deterministic();
        let has_trap = |map: &Map| map.cells.contains(&TRAP);
        let mut tree = loop {
            let tree = maps().new_tree(&mut runner).unwrap();
            if has_trap(&tree.current()) {
                break tree;
            }
        };
        let mut smaller = tree.simplify();
        while smaller {
            smaller = if has_trap(&tree.current()) { tree.simplify() } else { tree.complicate() };
        }
        assert_eq!(tree.current().cells, [TRAP]);
    }
}
