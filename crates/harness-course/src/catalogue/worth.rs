//! Writes other points into the text of a catalogue file. Pure. The caller checks that the result is read back correctly.

use crate::course::Points;

const KEY: &str = "points:";

/// The file `text` with other points, and everything else unchanged, comments included. `None` if no line has the points.
pub(super) fn text(text: &str, points: Points) -> Option<String> {
    let is_key = |line: &str| line.starts_with(KEY);
    let start = text.split_inclusive('\n').position(is_key)?;
    let mut lines: Vec<_> = text.split_inclusive('\n').map(str::to_owned).collect();
    let value = &lines[start][KEY.len()..];
    let rest = value.trim_start_matches(' ').trim_start_matches(|c: char| !c.is_whitespace());
    lines[start] = format!("{KEY} {points}{rest}");
    Some(lines.concat())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_the_number_changes() {
        let file =
            "# A bug.\nsummary: s\npoints:  3   # hard\nwitness:\n  input: |\n    points: 2\n";
        let half = Points::of_hundredths(150);
        assert_eq!(text(file, half).unwrap(), file.replace(":  3 ", ": 1.5 "));
        assert_eq!(text("points: 2\r\n", Points::ONE).unwrap(), "points: 1\r\n");
        assert_eq!(text("points: 2", half).unwrap(), "points: 1.5");
        assert_eq!(text("summary: s\n", half), None);
    }
}
