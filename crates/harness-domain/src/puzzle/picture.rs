//! Draws a map and an answer, and checks an answer in list form. An answer in map form is drawn as marks.

use super::map::{FLOOR, Map, START, TARGET, TRAP, WALL};
use crate::Flaw;
use crate::picture::{Picture, Svg, look};
use harness_diagnostic::printable;

/// A place, and the colour that is active there: a lower-case letter, or `^` for none.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
struct State {
    color: u8,
    row: usize,
    column: usize,
}

/// A map, and the states of an answer.
pub(super) struct MapPicture {
    map: Map,
    states: Vec<State>,
    /// Whether the states form a route. Those of a list do.
    is_route: bool,
}

/// The picture of a map with an answer, and the errors in the answer.
pub(super) fn draw(map: Map, answer: Option<&[u8]>) -> (MapPicture, Vec<Flaw>) {
    let text = String::from_utf8_lossy(answer.unwrap_or_default()).into_owned();
    let mut picture = MapPicture { map, states: Vec::new(), is_route: text.starts_with('(') };
    let flaws = if answer.is_none() || text.starts_with("No solution") {
        Vec::new()
    } else if text.starts_with("// color ") {
        picture.read_maps(&text)
    } else {
        picture.read_list(&text)
    };
    (picture, flaws)
}

impl MapPicture {
    fn read_list(&mut self, text: &str) -> Vec<Flaw> {
        let mut flaws = Vec::new();
        for (at, line) in text.trim_end().lines().enumerate() {
            let flaw = |message| Flaw { line: Some(at + 1), column: None, message };
            let Some(state) = state(line) else {
                flaws.push(flaw(format!(
                    "expected a state `(color, (row, column))`, found `{}`",
                    printable(line)
                )));
                continue;
            };
            flaws.extend(self.wrong_step(state).map(flaw));
            self.states.push(state);
        }
        let end = self.states.last().and_then(|state| self.cell(state.row, state.column));
        if end != Some(TARGET) {
            flaws.push(Flaw {
                line: None,
                column: None,
                message: "the list does not end at the target".to_owned(),
            });
        }
        flaws
    }

    /// The error in a step to this state, if any.
    fn wrong_step(&self, to: State) -> Option<String> {
        let State { color, row, column } = to;
        let Some(cell) = self.cell(row, column) else {
            return Some(format!("row {row}, column {column} is outside the map"));
        };
        let Some(from) = self.states.last() else {
            return (cell != START || color != TRAP)
                .then(|| "the list must begin at the start, with the color `^`".to_owned());
        };
        if from.color != color {
            let is_pressed = (from.row, from.column) == (row, column) && cell == color;
            return (!is_pressed).then(|| {
                format!(
                    "the color changes to {0}, but there is no button {0} here",
                    char::from(color)
                )
            });
        }
        let is_next = from.row.abs_diff(row) + from.column.abs_diff(column) == 1;
        match cell {
            _ if !is_next => Some(format!("the list jumps to row {row}, column {column}")),
            WALL => Some(format!("the list enters the wall at row {row}, column {column}")),
            b'A'..=b'Z' if cell.to_ascii_lowercase() != color => Some(format!(
                "the list enters the closed door {} at row {row}, column {column}",
                char::from(cell)
            )),
            _ => None,
        }
    }

    fn read_maps(&mut self, text: &str) -> Vec<Flaw> {
        let (mut color, mut row, mut flaws) = (TRAP, 0, Vec::new());
        for (at, line) in text.trim_end().lines().enumerate() {
            if let Some(name) = line.strip_prefix("// color ") {
                (color, row) = (name.bytes().next().unwrap_or(TRAP), 0);
                continue;
            }
            if line.len() != self.map.columns || row >= self.map.rows() {
                let message = "this line is not a row of the map".to_owned();
                flaws.push(Flaw { line: Some(at + 1), column: None, message });
            }
            for (column, mark) in line.bytes().enumerate() {
                if mark != TARGET
                    && matches!(mark, b'+' | b'%' | START)
                    && self.cell(row, column).is_some()
                {
                    self.states.push(State { color, row, column });
                }
            }
            row += 1;
        }
        flaws
    }

    fn cell(&self, row: usize, column: usize) -> Option<u8> {
        (row < self.map.rows() && column < self.map.columns)
            .then(|| self.map.cells[row * self.map.columns + column])
    }
}

/// The state of a line `(color, (row, column))`.
fn state(line: &str) -> Option<State> {
    let (color, place) = line.trim().strip_prefix('(')?.strip_suffix("))")?.split_once(", (")?;
    let (row, column) = place.split_once(", ")?;
    let &[color] = color.as_bytes() else { return None };
    let is_color = color == TRAP || color.is_ascii_lowercase();
    Some(State { color, row: row.parse().ok()?, column: column.parse().ok()? }).filter(|_| is_color)
}

impl Picture for MapPicture {
    fn steps(&self) -> usize {
        if self.is_route { self.states.len().saturating_sub(1) } else { 0 }
    }

    fn text(&self, step: usize) -> String {
        let shown = if self.is_route {
            &self.states[..self.states.len().min(step + 1)]
        } else {
            &self.states
        };
        let present = shown.last().filter(|_| step < self.steps());
        let edge = "──".repeat(self.map.columns);
        let mut text = format!("┌─{edge}┐\n");
        for row in 0..self.map.rows() {
            text.push_str("│ ");
            for column in 0..self.map.columns {
                let is_here = |state: &State| (state.row, state.column) == (row, column);
                match self.cell(row, column) {
                    _ if present.is_some_and(is_here) => text.push_str("☺ "),
                    Some(WALL) => text.push_str("██"),
                    Some(FLOOR) => {
                        text.push_str(if shown.iter().any(is_here) { "• " } else { "  " });
                    }
                    cell => text.extend([char::from(cell.unwrap_or(FLOOR)), ' ']),
                }
            }
            text.push_str("│\n");
        }
        let state = shown.last().filter(|_| self.is_route);
        let caption = state.map_or_else(String::new, |state| {
            format!(
                "color {}, state {} of {}\n",
                char::from(state.color),
                shown.len(),
                self.states.len()
            )
        });
        text + &format!("└─{edge}┘\n{caption}")
    }

    fn svg(&self) -> String {
        let mut svg =
            Svg::new(2 * MARGIN + self.map.columns * CELL, 2 * MARGIN + self.map.rows() * CELL);
        let corner = |at: usize| {
            (MARGIN + at % self.map.columns * CELL, MARGIN + at / self.map.columns * CELL)
        };
        for (at, &cell) in self.map.cells.iter().enumerate() {
            draw_cell(&mut svg, cell, corner(at));
        }
        if self.is_route {
            for states in self.states.chunk_by(|a, b| a.color == b.color) {
                let points: Vec<_> = states.iter().map(aside).collect();
                let look = format!(
                    "stroke=\"{}\" stroke-width=\"4\" stroke-linecap=\"round\" stroke-linejoin=\"round\" opacity=\"0.8\"",
                    hue(states[0].color)
                );
                svg.line(&points, &look);
            }
        } else {
            for state in &self.states {
                svg.circle(aside(state), 4, &format!("fill=\"{}\"", hue(state.color)));
            }
        }
        // Letters are drawn last, so that they stay readable on the path.
        for (at, &cell) in self.map.cells.iter().enumerate() {
            draw_letter(&mut svg, cell, corner(at));
        }
        svg.finish()
    }
}

const CELL: usize = 28;
const MARGIN: usize = 12;

fn draw_cell(svg: &mut Svg, cell: u8, corner: (usize, usize)) {
    let middle = (corner.0 + CELL / 2, corner.1 + CELL / 2);
    svg.rectangle(corner, (CELL, CELL), if cell == WALL { look::WALL } else { look::CELL });
    match cell {
        START => svg.circle(middle, CELL / 3, look::START),
        TARGET => svg.circle(middle, CELL / 3, look::TARGET),
        b'A'..=b'Z' => {
            let look = format!("rx=\"3\" fill=\"{}\"", hue(cell.to_ascii_lowercase()));
            svg.rectangle((corner.0 + 2, corner.1 + 2), (CELL - 4, CELL - 4), &look);
        }
        b'a'..=b'z' | TRAP => {
            svg.circle(
                middle,
                CELL / 3,
                &format!("{} stroke-width=\"3\" stroke=\"{}\"", look::GROUND, hue(cell)),
            );
        }
        _ => (),
    }
}

fn draw_letter(svg: &mut Svg, cell: u8, corner: (usize, usize)) {
    let middle = (corner.0 + CELL / 2, corner.1 + CELL / 2);
    let look = match cell {
        // Start and target have letters too, because not everybody can tell the colours apart.
        START | TARGET | b'A'..=b'Z' => look::ON_COLOUR,
        b'a'..=b'z' | TRAP => look::LETTER,
        _ => return,
    };
    svg.text(middle, &char::from(cell).to_string(), look);
}

/// The middle of a state's cell, shifted a little for each colour, so that a path that is taken in two colours shows both.
fn aside(state: &State) -> (usize, usize) {
    let shift = if state.color == TRAP { 0 } else { 3 * (1 + usize::from(state.color - b'a') % 3) };
    (
        MARGIN + state.column * CELL + CELL / 2 + shift - 3,
        MARGIN + state.row * CELL + CELL / 2 + shift - 3,
    )
}

/// The hue of a colour; grey for none.
fn hue(color: u8) -> String {
    // Steps of the golden angle make neighbouring letters look different.
    const GOLDEN: usize = 137;
    match color {
        b'a'..=b'z' => {
            format!("hsl({}, 70%, 42%)", (210 + usize::from(color - b'a') * GOLDEN) % 360)
        }
        _ => "#777".to_owned(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const MAP: &[u8] = b"1 2 3\n@aA\n.#?\n";
    const LIST: &str = "(^, (0, 0))\n(^, (0, 1))\n(a, (0, 1))\n(a, (0, 2))\n(a, (1, 2))\n";

    fn flaws(answer: &str) -> Vec<String> {
        let (_, flaws) = draw(Map::parse(MAP).unwrap(), Some(answer.as_bytes()));
        flaws.iter().map(ToString::to_string).collect()
    }

    #[test]
    fn a_correct_list_is_played_to_its_end() {
        let (picture, flaws) = draw(Map::parse(MAP).unwrap(), Some(LIST.as_bytes()));
        assert_eq!((flaws, picture.steps()), (Vec::new(), 4));
        assert_eq!(
            picture.text(3),
            "┌───────┐\n│ @ a ☺ │\n│   ██? │\n└───────┘\ncolor a, state 4 of 5\n"
        );
    }

    #[test]
    fn each_wrong_state_of_a_list_is_reported() {
        assert_eq!(
            flaws("(^, (0, 0))\n(^, (1, 0))\n(^, (1, 1))\n(a, (1, 1))\n(a, (5, 1))\nx\n"),
            [
                "line 3: the list enters the wall at row 1, column 1",
                "line 4: the color changes to a, but there is no button a here",
                "line 5: row 5, column 1 is outside the map",
                "line 6: expected a state `(color, (row, column))`, found `x`",
                "the list does not end at the target"
            ]
        );
        assert_eq!(flaws("(^, (0, 1))\n(^, (0, 2))\n(^, (1, 2))\n").len(), 2);
    }

    #[test]
    fn an_answer_in_map_form_is_drawn_as_marks() {
        let (picture, flaws) =
            draw(Map::parse(MAP).unwrap(), Some(b"// color ^\n@%A\n.#?\n// color a\n.@+\n.#?\n"));
        assert_eq!((flaws, picture.states.len(), picture.steps()), (Vec::new(), 4, 0));
        assert!(draw(Map::parse(MAP).unwrap(), Some(b"No solution.\nDiscovered:\n")).1.is_empty());
    }
}
