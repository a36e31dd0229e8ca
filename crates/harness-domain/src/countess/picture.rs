//! Draws a castle and a path through it, in either output mode, and checks that the path can be walked. It does not check that a
//! search would find this path.

use super::castle::{COUNTESS, Castle, FLOOR, MINION, START, WALL, pipe};
use crate::Flaw;
use crate::picture::{Picture, Svg, View, look};
use harness_diagnostic::printable;

struct CastlePicture {
    castle: Castle,
    /// The numbers of the tiles of the path. The Countess's comes last.
    path: Vec<usize>,
}

pub(super) fn view(input: &[u8], answer: Option<&[u8]>) -> View {
    let Some(castle) = Castle::parse(input) else {
        let message = "the file is not a valid castle: expected the input mode, the number of rooms, their size, and the rooms or coordinates";
        let flaw = Flaw { line: None, column: None, message: message.to_owned() };
        return View { input_flaws: vec![flaw], answer_flaws: Vec::new(), picture: None };
    };
    let text = answer.map(|answer| String::from_utf8_lossy(answer).into_owned());
    let (path, answer_flaws) = match &text {
        Some(text) if text.starts_with("Start in room ") => from_map(&castle, text),
        Some(text) if !text.starts_with("No solution") => from_list(&castle, text),
        _ => (Vec::new(), Vec::new()),
    };
    View {
        input_flaws: Vec::new(),
        answer_flaws,
        picture: Some(Box::new(CastlePicture { castle, path })),
    }
}

/// The path in a list. Each coordinate must be where the previous one leads.
fn from_list(castle: &Castle, text: &str) -> (Vec<usize>, Vec<Flaw>) {
    let (mut path, mut flaws) = (Vec::new(), Vec::new());
    let mut expected = castle.tiles.iter().position(|&tile| tile == START);
    let lines = text.trim_end().lines().enumerate();
    for (at, line) in lines.skip_while(|(at, line)| *at == 0 && line.starts_with("Path taken")) {
        let flaw = |message| Flaw { line: Some(at + 1), column: None, message };
        let Some((tile, mark)) = super::file::coordinate(line.trim(), castle.rooms(), castle.size)
        else {
            flaws.push(flaw(format!(
                "expected a coordinate `(room,row,column,character)` in the castle, found `{}`",
                printable(line)
            )));
            continue;
        };
        if let Some(expected) = expected.filter(|&expected| expected != tile) {
            flaws.push(flaw(format!(
                "the path is at {}, but the previous step leads to {}",
                name(castle, tile),
                name(castle, expected)
            )));
        }
        path.push(tile);
        expected = next(castle, tile, mark);
        flaws.extend(wrong_step(castle, tile, mark).map(flaw));
    }
    path.extend(expected);
    (path, end(castle, expected, flaws))
}

/// The path on a map: from the start, from mark to mark.
fn from_map(castle: &Castle, text: &str) -> (Vec<usize>, Vec<Flaw>) {
    let marks: Vec<u8> =
        text.lines().skip(1).filter(|line| !line.starts_with("//")).flat_map(str::bytes).collect();
    if marks.len() != castle.tiles.len() {
        let message =
            format!("the map has {} tiles, but the castle has {}", marks.len(), castle.tiles.len());
        return (Vec::new(), vec![Flaw { line: None, column: None, message }]);
    }
    let mut path = Vec::new();
    let mut here = castle.tiles.iter().position(|&tile| tile == START);
    // A path with more steps than there are tiles goes in a circle.
    while let Some(at) =
        here.filter(|&at| castle.tiles[at] != COUNTESS && path.len() <= castle.tiles.len())
    {
        path.push(at);
        if let Some(message) = wrong_step(castle, at, marks[at]) {
            return (
                path,
                vec![Flaw {
                    line: None,
                    column: None,
                    message: format!("at {}, {message}", name(castle, at)),
                }],
            );
        }
        here = next(castle, at, marks[at]);
    }
    path.extend(here);
    (path, end(castle, here, Vec::new()))
}

fn end(castle: &Castle, last: Option<usize>, mut flaws: Vec<Flaw>) -> Vec<Flaw> {
    if last.is_none_or(|last| castle.tiles[last] != COUNTESS) {
        flaws.push(Flaw {
            line: None,
            column: None,
            message: "the path does not reach the Countess".to_owned(),
        });
    }
    flaws
}

/// The tile that a mark leads to.
fn next(castle: &Castle, at: usize, mark: u8) -> Option<usize> {
    let (size, area) = (castle.size, castle.room_area());
    let (row, column) = (at % area / size, at % size);
    match mark {
        b'n' => (row > 0).then(|| at - size),
        b's' => (row + 1 < size).then_some(at + size),
        b'w' => (column > 0).then(|| at - 1),
        b'e' => (column + 1 < size).then_some(at + 1),
        b'p' => pipe(castle.tiles[at])
            .filter(|&room| room < castle.rooms())
            .map(|room| room * area + at % area),
        _ => None,
    }
}

fn wrong_step(castle: &Castle, at: usize, mark: u8) -> Option<String> {
    let Some(to) = next(castle, at, mark) else {
        return Some(format!("`{}` leads nowhere", mark.escape_ascii()));
    };
    match castle.tiles[to] {
        WALL => Some(format!("the path enters the wall at {}", name(castle, to))),
        MINION => Some(format!("the path meets the minion at {}", name(castle, to))),
        _ => None,
    }
}

fn name(castle: &Castle, at: usize) -> String {
    let (room, row, column) = place(castle, at);
    format!("room {room}, row {row}, column {column}")
}

fn place(castle: &Castle, at: usize) -> (usize, usize, usize) {
    let area = castle.room_area();
    (at / area, at % area / castle.size, at % castle.size)
}

impl CastlePicture {
    fn tile(&self, room: usize, row: usize, column: usize) -> (usize, u8) {
        let at = room * self.castle.room_area() + row * self.castle.size + column;
        (at, self.castle.tiles[at])
    }
}

impl Picture for CastlePicture {
    fn steps(&self) -> usize {
        self.path.len().saturating_sub(1)
    }

    fn text(&self, step: usize) -> String {
        const WIDTH: usize = 78;
        let size = self.castle.size;
        let shown = &self.path[..self.path.len().min(step + 1)];
        let present = shown.last().filter(|_| step < self.steps());
        let across = (WIDTH / (2 * size + 4)).max(1);
        let rooms: Vec<_> = (0..self.castle.rooms()).collect();
        let mut text = String::new();
        for rooms in rooms.chunks(across) {
            let line = |part: &dyn Fn(usize) -> String| {
                rooms.iter().map(|&room| part(room)).collect::<Vec<_>>().join(" ") + "\n"
            };
            text += &line(&|room| format!("┌─{room}{}┐", "─".repeat(2 * size - 1)));
            for row in 0..size {
                text += &line(&|room| {
                    let cell = |column| match self.tile(room, row, column) {
                        (at, _) if present == Some(&at) => "☺ ".to_owned(),
                        (_, WALL) => "██".to_owned(),
                        (at, FLOOR) => if shown.contains(&at) { "• " } else { "  " }.to_owned(),
                        (_, tile) => format!("{} ", char::from(tile)),
                    };
                    format!("│ {}│", (0..size).map(cell).collect::<String>())
                });
            }
            text += &line(&|_| format!("└─{}┘", "─".repeat(2 * size)));
        }
        text
    }

    fn svg(&self) -> String {
        const TILE: usize = 24;
        const GAP: usize = 16;
        const CAPTION: usize = 16;
        const ACROSS: usize = 4;
        let side = self.castle.size * TILE;
        let across = self.castle.rooms().min(ACROSS);
        let corner = |at: usize| {
            let (room, row, column) = place(&self.castle, at);
            let (left, top) =
                (room % across * (side + GAP), room / across * (side + GAP + CAPTION));
            (GAP + left + column * TILE, GAP + CAPTION + top + row * TILE)
        };
        let middle = |at: &usize| (corner(*at).0 + TILE / 2, corner(*at).1 + TILE / 2);
        let height = self.castle.rooms().div_ceil(across) * (side + GAP + CAPTION) + GAP;
        let mut svg = Svg::new(GAP + across * (side + GAP), height);
        for (at, &tile) in self.castle.tiles.iter().enumerate() {
            draw_tile(&mut svg, tile, corner(at), TILE);
        }
        for room in 0..self.castle.rooms() {
            let (x, y) = corner(room * self.castle.room_area());
            svg.rectangle((x, y), (side, side), &format!("fill=\"none\" {}", look::EDGE));
            svg.text((x + side / 2, y - CAPTION / 2), &format!("room {room}"), look::CAPTION);
        }
        let same_room =
            |a: &usize, b: &usize| a / self.castle.room_area() == b / self.castle.room_area();
        for path in self.path.chunk_by(same_room) {
            let points: Vec<_> = path.iter().map(middle).collect();
            svg.line(
                &points,
                "stroke=\"#2878b8\" stroke-width=\"5\" stroke-linecap=\"round\" stroke-linejoin=\"round\" opacity=\"0.75\"",
            );
        }
        // Letters are drawn last, so that they stay readable on the path.
        for (at, &tile) in
            self.castle.tiles.iter().enumerate().filter(|(_, tile)| ![FLOOR, WALL].contains(tile))
        {
            svg.text(middle(&at), &char::from(tile).to_string(), look::ON_COLOUR);
        }
        svg.finish()
    }
}

fn draw_tile(svg: &mut Svg, tile: u8, corner: (usize, usize), size: usize) {
    let middle = (corner.0 + size / 2, corner.1 + size / 2);
    svg.rectangle(corner, (size, size), if tile == WALL { look::WALL } else { look::CELL });
    let look = match tile {
        START => "fill=\"#2e9e4f\"",
        COUNTESS => "fill=\"#d43d3d\"",
        MINION => "fill=\"#b8741a\"",
        _ if pipe(tile).is_some() => "fill=\"#7a4fb0\"",
        _ => return,
    };
    svg.circle(middle, size / 2 - 3, look);
}

#[cfg(test)]
mod tests {
    use super::*;

    const CASTLE: &[u8] = b"M\n2\n2\nS1\n##\nC.\n!#\n";
    const LIST: &str = "Path taken:\n(0,0,0,e)\n(0,0,1,p)\n(1,0,1,w)\n";
    const MAP: &str =
        "Start in room 0, row 0, column 0\n//castle room 0\nep\n##\n//castle room 1\nCw\n!#\n";

    fn flaws(answer: &str) -> Vec<String> {
        view(CASTLE, Some(answer.as_bytes())).answer_flaws.iter().map(ToString::to_string).collect()
    }

    #[test]
    fn a_path_is_the_same_in_both_forms() {
        for answer in [LIST, MAP] {
            assert_eq!(flaws(answer), [""; 0]);
            let picture = view(CASTLE, Some(answer.as_bytes())).picture.unwrap();
            assert_eq!(picture.steps(), 3);
            assert_eq!(
                picture.text(2),
                "┌─0───┐ ┌─1───┐\n│ S 1 │ │ C ☺ │\n│ ████│ │ ! ██│\n└─────┘ └─────┘\n"
            );
        }
        assert!(flaws("No solution, 3 tiles discovered.\n").is_empty());
    }

    #[test]
    fn each_wrong_step_is_reported() {
        assert_eq!(
            flaws("Path taken:\n(0,0,0,s)\n(0,0,1,p)\n(1,0,1,n)\nx\n"),
            [
                "line 2: the path enters the wall at room 0, row 1, column 0",
                "line 3: the path is at room 0, row 0, column 1, but the previous step leads to room 0, row 1, column 0",
                "line 4: `n` leads nowhere",
                "line 5: expected a coordinate `(room,row,column,character)` in the castle, found `x`",
                "the path does not reach the Countess"
            ]
        );
        assert_eq!(
            flaws(&MAP.replace("Cw", "C.")),
            ["at room 1, row 0, column 1, `.` leads nowhere"]
        );
        assert_eq!(flaws(&MAP.replace("!#\n", "")), ["the map has 6 tiles, but the castle has 8"]);
    }
}
