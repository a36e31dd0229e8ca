//! A route through a maze, as a path file has it: a line `x, y` for each room. Finds all errors in it.

use super::grid::{Maze, Room};
use crate::Flaw;
use harness_diagnostic::printable;

/// What a path file contains.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum RouteKind {
    /// Only the rooms of the path.
    Path,
    /// The whole walk: each room when it is entered, and again each time the search returns to it from a dead end.
    Walk,
}

/// The start and the goal of a route.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub(super) struct Ends {
    pub(super) start: Room,
    pub(super) goal: Room,
}

impl Ends {
    pub(super) fn reversed(self) -> Self {
        Self { start: self.goal, goal: self.start }
    }
}

/// A room in a path file.
#[derive(Clone, Copy, Debug)]
struct Stop {
    line: usize,
    room: Room,
}

/// The rooms of a path file, in its order.
pub(super) struct Route {
    stops: Vec<Stop>,
    header: Option<RouteKind>,
    /// The errors in the file's form.
    flaws: Vec<Flaw>,
}

impl Route {
    /// Parses a path file, with an optional header line `PRUNED` or `FULL`.
    pub(super) fn read(file: &[u8]) -> Self {
        let mut route = Self { stops: Vec::new(), header: None, flaws: Vec::new() };
        let text = String::from_utf8_lossy(file);
        for (at, line) in text.trim_end().lines().enumerate() {
            match (room(line), line.trim()) {
                (Some(room), _) => route.stops.push(Stop { line: at + 1, room }),
                (None, "PRUNED") if at == 0 => route.header = Some(RouteKind::Path),
                (None, "FULL") if at == 0 => route.header = Some(RouteKind::Walk),
                (None, line) => {
                    let message = format!("expected a room `x, y`, found `{}`", excerpt(line));
                    route.flaws.push(Flaw { line: Some(at + 1), column: None, message });
                }
            }
        }
        route
    }

    /// The kind that the header gives.
    pub(super) fn header(&self) -> Option<RouteKind> {
        self.header
    }

    pub(super) fn rooms(&self) -> Vec<Room> {
        self.stops.iter().map(|stop| stop.room).collect()
    }

    /// The first and the last room.
    pub(super) fn ends(&self) -> Option<Ends> {
        Some(Ends { start: self.stops.first()?.room, goal: self.stops.last()?.room })
    }

    /// All errors in the route from `ends.start` to `ends.goal` through `maze`, in the order of the lines.
    ///
    /// A route may also be written from the goal to the start.
    pub(super) fn flaws(mut self, maze: &Maze, kind: RouteKind, ends: Ends) -> Vec<Flaw> {
        let Some(own) = self.ends() else {
            let message = if self.flaws.is_empty() {
                "the route is empty"
            } else {
                "no line has the form `x, y`"
            };
            self.flaws.insert(0, Flaw { line: None, column: None, message: message.to_owned() });
            return self.flaws;
        };
        if ends.start != ends.goal && own == ends.reversed() {
            self.stops.reverse();
        }
        let steps = Steps::new(maze, kind, ends.goal).flaws(&self.stops);
        let mut flaws = std::mem::take(&mut self.flaws);
        flaws.extend(steps);
        flaws.sort_by_key(|flaw| flaw.line);
        flaws.extend(self.wrong_ends(ends));
        flaws
    }

    fn wrong_ends(&self, ends: Ends) -> impl Iterator<Item = Flaw> {
        let flaw = |at: usize, message| {
            let line = self.stops.get(at).map(|stop| stop.line);
            Flaw { line, column: None, message }
        };
        let count = self.stops.len();
        let own = self.ends().unwrap_or(ends);
        let (start, goal) = (ends.start, ends.goal);
        let wrong_start = (own.start != start).then(|| {
            flaw(0, format!("the route begins at {}, not at the start {start}", own.start))
        });
        let wrong_goal = (own.goal != goal).then(|| {
            flaw(count - 1, format!("the route ends at {}, not at the goal {goal}", own.goal))
        });
        let too_long = (start == goal && count > 1).then(|| {
            flaw(1, format!("the route has {count} rooms, but the start {start} is the goal"))
        });
        [wrong_start, wrong_goal, too_long].into_iter().flatten()
    }
}

/// Parses a line `x, y`, with any blanks around the numbers.
fn room(line: &str) -> Option<Room> {
    let number = |text: &str| {
        let text = text.trim();
        text.bytes().all(|byte| byte.is_ascii_digit()).then(|| text.parse().ok()).flatten()
    };
    let (x, y) = line.split_once(',')?;
    Some(Room { x: number(x)?, y: number(y)? })
}

/// The beginning of a line, escaped.
fn excerpt(line: &str) -> String {
    const MOST: usize = 30;
    let shown: String = line.chars().take(MOST).collect();
    let dots = if shown.len() < line.len() { "…" } else { "" };
    format!("{}{dots}", printable(&shown))
}

/// Follows a route step by step.
struct Steps<'a> {
    maze: &'a Maze,
    kind: RouteKind,
    goal: Room,
    entered: Vec<bool>,
    /// The rooms on the current path, each entered from the one before.
    trail: Vec<Room>,
}

impl<'a> Steps<'a> {
    fn new(maze: &'a Maze, kind: RouteKind, goal: Room) -> Self {
        Self { maze, kind, goal, entered: vec![false; maze.area()], trail: Vec::new() }
    }

    /// The errors, at most one for each line.
    fn flaws(mut self, stops: &[Stop]) -> Vec<Flaw> {
        let flaw = |stop: &Stop, message| Flaw { line: Some(stop.line), column: None, message };
        stops
            .iter()
            .filter_map(|stop| self.step(stop.room).map(|message| flaw(stop, message)))
            .collect()
    }

    /// Goes to `room`, and returns the error in that step, if any.
    fn step(&mut self, room: Room) -> Option<String> {
        if !self.maze.contains(room) {
            return Some(format!(
                "room {room} is outside the maze of {}x{} rooms",
                self.maze.width(),
                self.maze.height()
            ));
        }
        let wrong = self.trail.last().copied().and_then(|from| self.wrong_step(from, room));
        self.follow(room);
        wrong
    }

    fn wrong_step(&self, from: Room, to: Room) -> Option<String> {
        let Some(direction) = self.maze.direction(from, to) else {
            return Some(if from == to {
                format!("room {to} is listed twice in a row")
            } else {
                format!("the route jumps from {from} to {to}")
            });
        };
        if self.maze.beyond(from, direction).is_none() {
            return Some(format!("the route goes through a wall from {from} to {to}"));
        }
        let was_entered = self.has_entered(to);
        match self.kind {
            RouteKind::Path => was_entered.then(|| format!("the path visits room {to} twice")),
            RouteKind::Walk if from == self.goal => {
                Some(format!("the walk continues from the goal to {to}"))
            }
            RouteKind::Walk if !was_entered => None,
            RouteKind::Walk if self.trail.iter().rev().nth(1) != Some(&to) => {
                Some(format!("the walk enters room {to} a second time"))
            }
            RouteKind::Walk => {
                let left = self.maze.ways(from).find(|&room| !self.has_entered(room))?;
                Some(format!("the walk goes back from {from} before it tries {left}"))
            }
        }
    }

    /// Makes `room` the current one, whether or not the step to it was valid.
    fn follow(&mut self, room: Room) {
        let number = self.maze.number(room);
        let is_new = !std::mem::replace(&mut self.entered[number], true);
        if self.kind == RouteKind::Walk && !is_new && self.trail.iter().rev().nth(1) == Some(&room)
        {
            self.trail.pop();
        } else {
            self.trail.push(room);
        }
    }

    fn has_entered(&self, room: Room) -> bool {
        self.entered[self.maze.number(room)]
    }
}

#[cfg(test)]
mod tests {
    use super::super::file;
    use super::*;

    const START: Room = Room { x: 0, y: 0 };

    /// A maze with a dead end of two rooms to the east of the start, and the goal (1, 1) reached through the south.
    const MAZE: &str = "53b\n63b\n";

    fn flaws_in(maze: &str, kind: RouteKind, goal: Room, lines: &str) -> Vec<String> {
        let (maze, broken) = file::read(maze.as_bytes());
        assert!(broken.is_empty() && maze.flaws().next().is_none());
        let lines = lines.replace(' ', "\n").replace(',', ", ");
        let flaws = Route::read(lines.as_bytes()).flaws(&maze, kind, Ends { start: START, goal });
        flaws.iter().map(ToString::to_string).collect()
    }

    fn flaws(kind: RouteKind, lines: &str) -> Vec<String> {
        flaws_in(MAZE, kind, Room { x: 1, y: 1 }, lines)
    }

    #[test]
    fn a_correct_path_passes_in_either_order_and_with_a_header() {
        for lines in ["0,0 0,1 1,1", "1,1 0,1 0,0", "PRUNED 0,0 0,1 1,1", "0,0 0,1 1,1   "] {
            assert_eq!(flaws(RouteKind::Path, lines), [""; 0], "{lines}");
        }
        assert!(Route::read(b"0,0\r\n0 , 1 \r\n\r\n").flaws.is_empty());
    }

    #[test]
    fn any_path_without_a_room_twice_passes_in_a_maze_with_loops() {
        for lines in ["0,0 1,0 1,1", "0,0 0,1 1,1"] {
            assert_eq!(flaws_in("59\n6a\n", RouteKind::Path, Room { x: 1, y: 1 }, lines), [""; 0]);
        }
    }

    #[test]
    fn each_kind_of_wrong_path_is_reported_with_its_line() {
        for (lines, reason) in [
            ("", "the route is empty"),
            ("0,0 1,0 1,1", "line 3: the route goes through a wall from (1, 0) to (1, 1)"),
            ("0,0 1,1", "line 2: the route jumps from (0, 0) to (1, 1)"),
            ("0,0 1,0 0,0 0,1 1,1", "line 3: the path visits room (0, 0) twice"),
            ("0,0 0,0 0,1 1,1", "line 2: room (0, 0) is listed twice in a row"),
            ("0,1 1,1", "line 1: the route begins at (0, 1), not at the start (0, 0)"),
            ("0,0 0,1", "line 2: the route ends at (0, 1), not at the goal (1, 1)"),
            ("0,0 0,1 1,1 2,1", "line 4: the route ends at (2, 1), not at the goal (1, 1)"),
            ("0,0 0,2 0,1 1,1", "line 2: room (0, 2) is outside the maze of 3x2 rooms"),
            ("0,0 0;1 0,1 1,1", "line 2: expected a room `x, y`, found `0;1`"),
            ("PRUNED", "the route is empty"),
            ("0,0 PRUNED 0,1 1,1", "line 2: expected a room `x, y`, found `PRUNED`"),
            ("-1,0", "no line has the form `x, y`"),
        ] {
            assert_eq!(
                flaws(RouteKind::Path, lines).first().map(String::as_str),
                Some(reason),
                "{lines}"
            );
        }
    }

    #[test]
    fn a_walk_passes_with_either_order_of_directions() {
        for lines in
            ["0,0 0,1 1,1", "0,0 1,0 2,0 1,0 0,0 0,1 1,1", "FULL 0,0 1,0 2,0 1,0 0,0 0,1 1,1"]
        {
            assert_eq!(flaws(RouteKind::Walk, lines), [""; 0], "{lines}");
        }
        assert_eq!(flaws(RouteKind::Walk, "1,1 0,1 0,0 1,0 2,0 1,0 0,0"), [""; 0], "backwards");
    }

    #[test]
    fn each_kind_of_wrong_walk_is_reported_with_its_line() {
        for (lines, reason) in [
            ("0,0 1,0 2,0 0,0 0,1 1,1", "line 4: the route jumps from (2, 0) to (0, 0)"),
            (
                "0,0 1,0 0,0 0,1 1,1",
                "line 3: the walk goes back from (1, 0) before it tries (2, 0)",
            ),
            (
                "0,0 1,0 2,0 1,0 2,0 1,0 0,0 0,1 1,1",
                "line 5: the walk enters room (2, 0) a second time",
            ),
            ("0,0 0,1 1,1 2,1", "line 4: the walk continues from the goal to (2, 1)"),
            ("0,0 0,1", "line 2: the route ends at (0, 1), not at the goal (1, 1)"),
        ] {
            assert_eq!(
                flaws(RouteKind::Walk, lines).first().map(String::as_str),
                Some(reason),
                "{lines}"
            );
        }
        let square = |lines| flaws_in("519\n62a\n", RouteKind::Walk, Room { x: 2, y: 1 }, lines);
        assert_eq!(
            square("0,0 0,1 1,1 1,0 0,0 1,0 2,0 2,1").first().unwrap(),
            "line 5: the walk enters room (0, 0) a second time"
        );
    }

    #[test]
    fn a_route_from_a_room_to_itself_is_one_line() {
        for kind in [RouteKind::Path, RouteKind::Walk] {
            assert_eq!(flaws_in(MAZE, kind, START, "0,0"), [""; 0]);
            assert_eq!(
                flaws_in(MAZE, kind, START, "0,0 1,0 2,0 1,0 0,0").last().unwrap(),
                "line 2: the route has 5 rooms, but the start (0, 0) is the goal"
            );
        }
        assert_eq!(
            flaws_in(MAZE, RouteKind::Path, START, "0,0 0,0").last().unwrap(),
            "line 2: the route has 2 rooms, but the start (0, 0) is the goal"
        );
    }

    #[test]
    fn every_error_in_a_route_is_found() {
        assert_eq!(
            flaws(RouteKind::Path, "0,0 1,1 x 0,1 0,1 5,5 1,1"),
            [
                "line 2: the route jumps from (0, 0) to (1, 1)",
                "line 3: expected a room `x, y`, found `x`",
                "line 5: room (0, 1) is listed twice in a row",
                "line 6: room (5, 5) is outside the maze of 3x2 rooms",
                "line 7: the path visits room (1, 1) twice"
            ]
        );
    }
}
