//! Colours a map for a terminal. The characters stay as they are.

use super::map::{START, TARGET, TRAP, WALL};
use anstyle::{AnsiColor, Style};

/// The terminal's colours, used in turn. A button and its doors have the same one.
const HUES: [AnsiColor; 5] =
    [AnsiColor::Blue, AnsiColor::Magenta, AnsiColor::Cyan, AnsiColor::Yellow, AnsiColor::Green];

/// Splits the file into pieces, each with its style.
pub(super) fn draw(input: &str) -> Vec<(Style, &str)> {
    let mut pieces = Vec::new();
    for (number, line) in input.split_inclusive('\n').enumerate() {
        if number == 0 || line.starts_with("//") {
            pieces.push((Style::new().dimmed(), line));
        } else {
            pieces.extend(
                line.split_inclusive(|_| true).map(|cell| (style(cell.as_bytes()[0]), cell)),
            );
        }
    }
    pieces
}

fn style(cell: u8) -> Style {
    let hue = |base: u8| HUES[usize::from(cell - base) % HUES.len()].on_default();
    match cell {
        WALL => AnsiColor::BrightBlack.on_default(),
        START | TARGET => Style::new().bold().invert(),
        TRAP => AnsiColor::Red.on_default().bold(),
        b'a'..=b'z' => hue(b'a'),
        b'A'..=b'Z' => hue(b'A').bold().underline(),
        _ => Style::new(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_text_is_kept_and_a_button_has_the_colour_of_its_door() {
        let input = "2 1 4\n// Aa ^\n@aA?";
        let pieces = draw(input);
        assert_eq!(pieces.iter().map(|(_, text)| *text).collect::<String>(), input);
        let style_of = |cell| pieces.iter().find(|(_, text)| *text == cell).unwrap().0;
        assert_eq!(style_of("a").get_fg_color(), style_of("A").get_fg_color());
        assert_ne!(style_of("a"), style_of("A"));
    }
}
