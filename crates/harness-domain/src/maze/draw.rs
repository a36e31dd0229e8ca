//! Draws a maze and a route through it. In a broken maze, a wall that only one of two rooms has is dashed, a missing room is
//! grey, and an open border is a gap.

use super::grid::{Direction, HOLE, Maze, Room};
use super::route::{Ends, RouteKind};
use crate::picture::{Picture, Svg, look};
use std::collections::HashSet;

/// A maze, and the rooms of a route in order.
pub(super) struct MazePicture {
    pub(super) maze: Maze,
    pub(super) route: Vec<Room>,
    pub(super) kind: RouteKind,
    pub(super) ends: Option<Ends>,
}

/// What is between two rooms, or between a room and the outside.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Side {
    Open,
    Wall,
    /// A wall that only one of the rooms has.
    Half,
    /// An opening to the outside.
    Gap,
}

/// The state of a route after some steps.
struct Progress {
    /// The rooms on the current path, each entered from the one before.
    trail: Vec<Room>,
    /// The rooms that turned out to be dead ends.
    failed: HashSet<Room>,
    /// Every pair of rooms between which the route went, the north-western room first.
    crossed: HashSet<(Room, Room)>,
}

impl MazePicture {
    fn wall_west_of(&self, x: usize, y: usize) -> Side {
        self.side(x.checked_sub(1).map(|x| Room { x, y }), Room { x, y }, Direction::East)
    }

    fn wall_north_of(&self, x: usize, y: usize) -> Side {
        self.side(y.checked_sub(1).map(|y| Room { x, y }), Room { x, y }, Direction::South)
    }

    fn side(&self, near: Option<Room>, far: Room, direction: Direction) -> Side {
        let far = self.maze.contains(far).then_some(far);
        let is_hole = |room: Option<Room>| room.is_some_and(|room| self.maze.walls(room) == HOLE);
        let near_is_open = near.map(|room| self.maze.is_open(room, direction));
        let far_is_open = far.map(|room| self.maze.is_open(room, direction.opposite()));
        match (near_is_open, far_is_open) {
            _ if is_hole(near) || is_hole(far) => Side::Wall,
            (Some(true), Some(true)) => Side::Open,
            (Some(false) | None, Some(false) | None) => Side::Wall,
            (Some(_), Some(_)) => Side::Half,
            (Some(true), None) | (None, Some(true)) => Side::Gap,
        }
    }

    fn progress(&self, step: usize) -> Progress {
        let mut progress =
            Progress { trail: Vec::new(), failed: HashSet::new(), crossed: HashSet::new() };
        for &room in self.route.iter().take(step + 1) {
            let previous = progress.trail.last().copied();
            progress.crossed.extend(previous.map(|previous| pair(previous, room)));
            if self.kind == RouteKind::Walk && progress.trail.iter().rev().nth(1) == Some(&room) {
                progress.failed.extend(progress.trail.pop());
            } else {
                progress.trail.push(room);
            }
        }
        progress
    }

    /// The line of text with the walls north of row `y`.
    fn wall_line(&self, y: usize, inside: usize, marks: &Marks<'_>) -> String {
        let mut line = String::new();
        for x in 0..=self.maze.width() {
            line.push(self.corner(x, y));
            if x == self.maze.width() {
                break;
            }
            let mark = y
                .checked_sub(1)
                .and_then(|north| marks.between(Room { x, y: north }, Room { x, y }));
            push_filled(
                &mut line,
                inside,
                mark,
                match self.wall_north_of(x, y) {
                    Side::Open | Side::Gap => ' ',
                    Side::Wall => '─',
                    Side::Half => '╌',
                },
            );
        }
        line
    }

    /// The line of text with the rooms of row `y`.
    fn room_line(&self, y: usize, inside: usize, marks: &Marks<'_>) -> String {
        let mut line = String::new();
        for x in 0..=self.maze.width() {
            let room = Room { x, y };
            let mark = x.checked_sub(1).and_then(|west| marks.between(Room { x: west, y }, room));
            line.push(mark.unwrap_or(match self.wall_west_of(x, y) {
                Side::Open | Side::Gap => ' ',
                Side::Wall => '│',
                Side::Half => '╎',
            }));
            if x < self.maze.width() {
                let fill = if self.maze.walls(room) == HOLE { '░' } else { ' ' };
                push_filled(&mut line, inside, marks.at(room), fill);
            }
        }
        line
    }

    /// The character where up to four walls meet.
    fn corner(&self, x: usize, y: usize) -> char {
        const ARMS: [char; 16] =
            [' ', '╵', '╶', '└', '╷', '│', '┌', '├', '╴', '┘', '─', '┴', '┐', '┤', '┬', '┼'];
        let (width, height) = (self.maze.width(), self.maze.height());
        let is_wall = |side: Side| matches!(side, Side::Wall | Side::Half);
        let north = y > 0 && is_wall(self.wall_west_of(x, y - 1));
        let east = x < width && is_wall(self.wall_north_of(x, y));
        let south = y < height && is_wall(self.wall_west_of(x, y));
        let west = x > 0 && is_wall(self.wall_north_of(x - 1, y));
        ARMS[usize::from(north)
            + 2 * usize::from(east)
            + 4 * usize::from(south)
            + 8 * usize::from(west)]
    }
}

/// A mark in the middle of `width` blanks or walls.
fn push_filled(line: &mut String, width: usize, mark: Option<char>, fill: char) {
    line.extend((0..width).map(|at| if at == width / 2 { mark.unwrap_or(fill) } else { fill }));
}

fn pair(a: Room, b: Room) -> (Room, Room) {
    if (a.y, a.x) < (b.y, b.x) { (a, b) } else { (b, a) }
}

/// The marks of a route in a picture.
struct Marks<'a> {
    progress: &'a Progress,
    present: Option<Room>,
    on_trail: HashSet<Room>,
    trail_pairs: HashSet<(Room, Room)>,
    ends: Option<Ends>,
}

impl<'a> Marks<'a> {
    fn new(progress: &'a Progress, moves: bool, ends: Option<Ends>) -> Self {
        let trail = &progress.trail;
        Self {
            progress,
            present: trail.last().copied().filter(|_| moves),
            on_trail: trail.iter().copied().collect(),
            trail_pairs: trail.windows(2).map(|rooms| pair(rooms[0], rooms[1])).collect(),
            ends,
        }
    }

    fn at(&self, room: Room) -> Option<char> {
        let is = |wanted: Option<Room>| wanted == Some(room);
        match () {
            () if is(self.present) => Some('☺'),
            () if is(self.ends.map(|ends| ends.start)) => Some('S'),
            () if is(self.ends.map(|ends| ends.goal)) => Some('G'),
            () if self.on_trail.contains(&room) => Some('•'),
            () if self.progress.failed.contains(&room) => Some('◦'),
            () => None,
        }
    }

    fn between(&self, a: Room, b: Room) -> Option<char> {
        let pair = pair(a, b);
        if self.trail_pairs.contains(&pair) {
            Some('•')
        } else {
            self.progress.crossed.contains(&pair).then_some('◦')
        }
    }
}

impl Picture for MazePicture {
    fn steps(&self) -> usize {
        self.route.len().saturating_sub(1)
    }

    fn text(&self, step: usize) -> String {
        // Up to this width, square rooms fit on a terminal of 80 columns.
        const SQUARE: usize = 19;
        let inside = if self.maze.width() <= SQUARE { 3 } else { 1 };
        let progress = self.progress(step);
        let marks = Marks::new(&progress, step < self.steps(), self.ends);
        let mut text = String::new();
        for y in 0..self.maze.height() {
            for line in [self.wall_line(y, inside, &marks), self.room_line(y, inside, &marks)] {
                text.push_str(line.trim_end());
                text.push('\n');
            }
        }
        text.push_str(self.wall_line(self.maze.height(), inside, &marks).trim_end());
        text.push('\n');
        text
    }

    fn svg(&self) -> String {
        const ROOM: usize = 24;
        const MARGIN: usize = 12;
        let (width, height) = (self.maze.width(), self.maze.height());
        let corner = |x: usize, y: usize| (MARGIN + x * ROOM, MARGIN + y * ROOM);
        let middle = |room: &Room| {
            (corner(room.x, room.y).0 + ROOM / 2, corner(room.x, room.y).1 + ROOM / 2)
        };
        let mut svg = Svg::new(2 * MARGIN + width * ROOM, 2 * MARGIN + height * ROOM);
        for room in self.maze.rooms().filter(|&room| self.maze.walls(room) == HOLE) {
            svg.rectangle(corner(room.x, room.y), (ROOM, ROOM), look::MISSING);
        }
        let progress = self.progress(self.steps());
        let mut crossed: Vec<_> = progress.crossed.iter().collect();
        crossed.sort_by_key(|(a, b)| (a.y, a.x, b.y, b.x));
        for (a, b) in crossed {
            svg.line(
                &[middle(a), middle(b)],
                "stroke=\"#f2c078\" stroke-width=\"6\" stroke-linecap=\"round\"",
            );
        }
        let trail: Vec<_> = progress.trail.iter().map(middle).collect();
        svg.line(&trail, "stroke=\"#2878b8\" stroke-width=\"6\" stroke-linecap=\"round\" stroke-linejoin=\"round\"");
        if let Some(Ends { start, goal }) = self.ends {
            // They have letters too, because not everybody can tell the colours apart.
            let inner = if start == goal { ROOM / 3 } else { ROOM / 2 - 2 };
            let ends = [(goal, ROOM / 2 - 2, look::TARGET, "G"), (start, inner, look::START, "S")];
            for (room, radius, fill, letter) in ends {
                svg.circle(middle(&room), radius, fill);
                svg.text(middle(&room), letter, look::ON_COLOUR);
            }
        }
        for y in 0..=height {
            for x in 0..=width {
                let wall_west_of = (y < height)
                    .then(|| (self.wall_west_of(x, y), [corner(x, y), corner(x, y + 1)]));
                let level = (x < width)
                    .then(|| (self.wall_north_of(x, y), [corner(x, y), corner(x + 1, y)]));
                for (side, line) in wall_west_of.into_iter().chain(level) {
                    match side {
                        Side::Open => (),
                        Side::Wall => svg.line(&line, look::EDGE),
                        Side::Half => svg.line(
                            &line,
                            "stroke=\"#d43d3d\" stroke-width=\"3\" stroke-dasharray=\"4 4\"",
                        ),
                        Side::Gap => svg.line(
                            &line,
                            "stroke=\"#d43d3d\" stroke-width=\"3\" stroke-dasharray=\"1 5\"",
                        ),
                    }
                }
            }
        }
        svg.finish()
    }
}

#[cfg(test)]
mod tests {
    use super::super::file;
    use super::*;

    fn picture(maze: &str, kind: RouteKind, rooms: &[(usize, usize)]) -> MazePicture {
        let route: Vec<_> = rooms.iter().map(|&(x, y)| Room { x, y }).collect();
        let ends = route.first().zip(route.last()).map(|(&start, &goal)| Ends { start, goal });
        MazePicture { maze: file::read(maze.as_bytes()).0, route, kind, ends }
    }

    #[test]
    fn a_path_is_drawn_through_the_openings() {
        let picture = picture("53b\n63b\n", RouteKind::Path, &[(0, 0), (0, 1), (1, 1)]);
        let expected = "\
┌───────────┐
│ S         │
│ • ╶───────┤
│ • • G     │
└───────────┘
";
        assert_eq!(picture.text(picture.steps()), expected);
    }

    #[test]
    fn a_walk_shows_its_position_and_its_dead_ends() {
        let picture = picture(
            "53b\n63b\n",
            RouteKind::Walk,
            &[(0, 0), (1, 0), (2, 0), (1, 0), (0, 0), (0, 1), (1, 1)],
        );
        assert_eq!(picture.steps(), 6);
        assert_eq!(picture.text(3).lines().nth(1), Some("│ S • ☺ ◦ ◦ │"));
        assert_eq!(picture.text(6).lines().nth(1), Some("│ S ◦ ◦ ◦ ◦ │"));
    }

    #[test]
    fn a_broken_maze_is_drawn_with_its_errors() {
        let picture = picture("73\n7\n", RouteKind::Path, &[]);
        let expected = "\
┌───────╴
│
├───┬───┐
│   │░░░│
└───┴───┘
";
        assert_eq!(picture.text(0), expected);
        let half = self::picture("7f\n", RouteKind::Path, &[]).text(0);
        assert_eq!(half.lines().nth(1), Some("│   ╎   │"));
    }

    #[test]
    fn the_svg_has_a_line_for_every_wall() {
        let svg = picture("f\n", RouteKind::Path, &[(0, 0)]).svg();
        assert_eq!(svg.matches("#222").count(), 4);
        // Start and goal differ by more than their colours.
        assert!(svg.contains(">S</text>") && svg.contains(">G</text>"), "{svg}");
        assert!(svg.starts_with("<svg ") && svg.ends_with("</svg>\n"));
    }
}
