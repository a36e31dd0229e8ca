//! Draws an input as it is written, with the cells of its grids in the colours that the shape gives them.

use crate::picture::{Picture, Svg, look};
use anstyle::{AnsiColor, Style};
use harness_diagnostic::visible;
use harness_shape::Colour;
use std::collections::{BTreeMap, BTreeSet};

/// An input, and the colours of its cells.
pub(super) struct Drawing {
    text: String,
    /// By line and column, both from 0.
    colours: BTreeMap<(usize, usize), Colour>,
}

impl Drawing {
    /// The drawing of an input, whose colours come with offsets.
    pub(super) fn new(input: &[u8], colours: &[(usize, Colour)]) -> Self {
        let text = String::from_utf8_lossy(input).into_owned();
        let by_offset: BTreeMap<_, _> = colours.iter().copied().collect();
        let (mut colours, mut start) = (BTreeMap::new(), 0);
        for (row, line) in input.split_inclusive(|&byte| byte == b'\n').enumerate() {
            // The rows of a grid are ASCII, so that a byte is a column.
            let here = by_offset.range(start..start + line.len());
            colours.extend(here.map(|(at, colour)| ((row, at - start), *colour)));
            start += line.len();
        }
        Self { text, colours }
    }
}

impl Picture for Drawing {
    fn steps(&self) -> usize {
        0
    }

    fn text(&self, _: usize) -> String {
        self.text.clone()
    }

    fn style(&self, place: (usize, usize), _: char) -> Style {
        self.colours.get(&place).map_or(Style::new(), |&colour| painted(colour))
    }

    fn svg(&self) -> String {
        /// The size of a character.
        const SIDE: usize = 16;
        let lines: Vec<_> = self.text.lines().map(visible).collect();
        let columns = lines.iter().map(|line| line.chars().count()).max().unwrap_or(0);
        // Other rows of a grid are as wide as those with colours.
        let coloured = self.colours.keys().map(|(row, _)| lines[*row].chars().count());
        let grids: BTreeSet<_> = coloured.collect();
        let mut svg = Svg::new((columns + 1) * SIDE, (lines.len() + 1) * SIDE);
        for (row, line) in lines.iter().enumerate() {
            if !grids.contains(&line.chars().count()) {
                // It is no row of a grid, so its letters belong to words.
                svg.written((SIDE, (row + 1) * SIDE), line);
                continue;
            }
            for (column, letter) in line.chars().enumerate().filter(|(_, letter)| *letter != ' ') {
                let (x, y) = ((column + 1) * SIDE, (row + 1) * SIDE);
                let mut look = look::LETTER;
                if let Some(&colour) = self.colours.get(&(row, column)) {
                    let corner = (x - SIDE / 2, y - SIDE / 2);
                    svg.rectangle(corner, (SIDE, SIDE), &format!("fill=\"{}\"", paint(colour)));
                    look = "font-size=\"14\" fill=\"#fff\"";
                }
                svg.text((x, y), &letter.to_string(), look);
            }
        }
        svg.finish()
    }
}

/// Splits an input into pieces for a terminal, each with its style. The colours come with offsets, in order.
pub(super) fn pieces<'a>(input: &'a str, colours: &[(usize, Colour)]) -> Vec<(Style, &'a str)> {
    let (mut pieces, mut end) = (Vec::new(), 0);
    for &(at, colour) in colours {
        pieces.push((Style::new(), &input[end..at]));
        pieces.push((painted(colour), &input[at..=at]));
        end = at + 1;
    }
    pieces.push((Style::new(), &input[end..]));
    pieces.retain(|(_, text)| !text.is_empty());
    pieces
}

fn painted(colour: Colour) -> Style {
    Style::new().fg_color(Some(ansi(colour).into()))
}

fn ansi(colour: Colour) -> AnsiColor {
    match colour {
        Colour::Black => AnsiColor::Black,
        Colour::Gray => AnsiColor::BrightBlack,
        Colour::Red => AnsiColor::Red,
        Colour::Green => AnsiColor::Green,
        Colour::Yellow => AnsiColor::Yellow,
        Colour::Blue => AnsiColor::Blue,
        Colour::Magenta => AnsiColor::Magenta,
        Colour::Cyan => AnsiColor::Cyan,
    }
}

/// Dark enough for a white letter.
fn paint(colour: Colour) -> &'static str {
    match colour {
        Colour::Black => "#111",
        Colour::Gray => "#6b7280",
        Colour::Red => "#c53030",
        Colour::Green => "#2f855a",
        Colour::Yellow => "#a16207",
        Colour::Blue => "#2563eb",
        Colour::Magenta => "#a21caf",
        Colour::Cyan => "#0e7490",
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn cells_with_a_colour_are_painted_where_they_stand() {
        let input = "2\n.#\n@.\n";
        let colours = vec![(3, Colour::Gray), (5, Colour::Green)];
        let pieces = pieces(input, &colours);
        assert_eq!(pieces.iter().map(|(_, text)| *text).collect::<String>(), input);
        let painted: Vec<_> = pieces.iter().filter(|(style, _)| *style != Style::new()).collect();
        assert_eq!(painted.iter().map(|(_, text)| *text).collect::<Vec<_>>(), ["#", "@"]);
        let svg = Drawing::new(input.as_bytes(), &colours).svg();
        assert!(
            svg.contains("<rect x=\"24\" y=\"24\" width=\"16\" height=\"16\" fill=\"#6b7280\"/>"),
            "{svg}"
        );
        assert!(svg.contains("fill=\"#2f855a\""), "{svg}");
    }

    #[test]
    fn a_line_that_is_no_row_of_a_grid_is_one_text() {
        let svg = Drawing::new(b"deposit 5\n.#\n", &[(11, Colour::Gray)]).svg();
        assert!(svg.contains(">deposit 5</text>"), "{svg}");
        assert!(svg.contains(">.</text>") && svg.contains(">#</text>"), "{svg}");
    }
}
