//! The single steps that make a map smaller or plainer, the largest first.

use super::map::{FLOOR, Map, START, TARGET, WALL};

/// The maps one step smaller than `map`. The reference decides whether they are valid.
pub(super) fn steps(map: &Map) -> Vec<Map> {
    let mut steps = Vec::new();
    steps.extend((0..map.rows()).map(|row| without_row(map, row)));
    steps.extend((0..map.columns).map(|column| without_column(map, column)));
    steps.retain(|smaller| !smaller.cells.is_empty());
    steps.extend(with_fewer_colors(map));
    steps.extend(with_plainer_style(map));
    steps.extend(with_plainer_cells(map));
    steps.extend(with_ends_closer(map));
    steps
}

fn without_row(map: &Map, row: usize) -> Map {
    let mut smaller = map.clone();
    smaller.cells.drain(row * map.columns..(row + 1) * map.columns);
    smaller
}

fn without_column(map: &Map, column: usize) -> Map {
    let mut at = 0..;
    let mut smaller = map.clone();
    smaller.cells.retain(|_| at.next().is_some_and(|at: usize| at % map.columns != column));
    smaller.columns -= 1;
    smaller
}

/// Lowers the header's number to what the map needs, or removes each colour in turn and renames the later ones.
fn with_fewer_colors(map: &Map) -> Vec<Map> {
    let highest = map.highest_color();
    let mut smaller: Vec<_> = [highest, map.colors.saturating_sub(1)]
        .into_iter()
        .filter(|&colors| colors < map.colors && colors >= highest)
        .map(|colors| Map { colors, ..map.clone() })
        .collect();
    for color in 0..highest {
        let renamed = |&cell: &u8| {
            let number = cell.to_ascii_lowercase().wrapping_sub(b'a');
            match cell.is_ascii_alphabetic() {
                true if number == color => FLOOR,
                true if number > color => cell - 1,
                _ => cell,
            }
        };
        smaller.push(Map {
            cells: map.cells.iter().map(renamed).collect(),
            colors: map.colors.saturating_sub(1),
            ..map.clone()
        });
    }
    smaller
}

fn with_plainer_style(map: &Map) -> Vec<Map> {
    let style = &map.style;
    let mut styles = Vec::new();
    for at in 0..style.comments.len() {
        let mut plainer = style.clone();
        plainer.comments.remove(at);
        styles.push(plainer);
        if !style.comments[at].is_empty() {
            let mut plainer = style.clone();
            plainer.comments[at].pop();
            styles.push(plainer);
        }
    }
    if style.blank_after_header {
        styles.push(super::map::Style { blank_after_header: false, ..style.clone() });
    }
    if style.open_end {
        styles.push(super::map::Style { open_end: false, ..style.clone() });
    }
    if style.blank_line_at_end {
        styles.push(super::map::Style { blank_line_at_end: false, ..style.clone() });
    }
    styles.into_iter().map(|style| Map { style, ..map.clone() }).collect()
}

/// Replaces each cell by floor or by a wall. A wall is the plainest, because nothing is discovered there.
fn with_plainer_cells(map: &Map) -> Vec<Map> {
    let mut smaller = Vec::new();
    for plainer in [WALL, FLOOR] {
        for (at, &cell) in map.cells.iter().enumerate() {
            if ![START, TARGET, WALL, plainer].contains(&cell) {
                let mut map = map.clone();
                map.cells[at] = plainer;
                smaller.push(map);
            }
        }
    }
    smaller
}

/// Moves the start or the target one step towards the first cell by swapping it with floor or a wall.
fn with_ends_closer(map: &Map) -> Vec<Map> {
    let mut smaller = Vec::new();
    for thing in [START, TARGET] {
        let Some(at) = map.cells.iter().position(|&cell| cell == thing) else { continue };
        let west = (at % map.columns > 0).then(|| at - 1);
        let north = at.checked_sub(map.columns);
        for to in [north, west].into_iter().flatten() {
            if [FLOOR, WALL].contains(&map.cells[to]) {
                let mut map = map.clone();
                map.cells.swap(at, to);
                smaller.push(map);
            }
        }
    }
    smaller
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_step_is_a_different_map_that_can_be_read_back() {
        let map = Map::parse(b"3 2 3 \n// x\n@aB\n?^#\n\n").unwrap();
        let steps = steps(&map);
        assert!(steps.len() > 10);
        for smaller in steps {
            assert_ne!(smaller, map);
            assert_eq!(Map::parse(&smaller.render()), Some(smaller));
        }
    }

    #[test]
    fn removing_a_colour_renames_the_later_ones() {
        let map = Map::parse(b"3 1 6\n@aBcC?\n").unwrap();
        let files: Vec<_> = with_fewer_colors(&map)
            .iter()
            .map(|map| String::from_utf8(map.render()).unwrap())
            .collect();
        assert!(files.contains(&"2 1 6\n@a.bB?\n".to_owned()), "{files:?}");
    }
}
