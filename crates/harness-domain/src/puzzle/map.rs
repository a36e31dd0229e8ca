//! A map as a value, and how its file is written.

pub(super) const FLOOR: u8 = b'.';
pub(super) const WALL: u8 = b'#';
pub(super) const START: u8 = b'@';
pub(super) const TARGET: u8 = b'?';
/// A trapped button.
pub(super) const TRAP: u8 = b'^';

/// The maximum number of colours: one for each letter.
pub(super) const MOST_COLORS: u8 = 26;

/// A map. The cells are in row order.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub(super) struct Map {
    pub(super) colors: u8,
    pub(super) columns: usize,
    pub(super) cells: Vec<u8>,
    pub(super) style: Style,
}

/// How the file is written, where the assignment leaves a choice.
#[derive(Clone, Debug, Default, PartialEq, Eq, Hash)]
pub(super) struct Style {
    /// The comments between the header and the map, without `//`.
    pub(super) comments: Vec<String>,
    /// A space after the header.
    pub(super) blank_after_header: bool,
    /// No newline after the last row.
    pub(super) open_end: bool,
    /// A blank line after the map.
    pub(super) blank_line_at_end: bool,
}

impl Style {
    /// What the document does not promise: the form of the file, and the style in that form.
    pub(super) const LENIENT: [(&'static str, fn(Self) -> Self); 3] = [
        ("a blank after the header", |style| Self { blank_after_header: true, ..style }),
        ("no newline at the end", |style| Self { open_end: true, ..style }),
        ("a blank line at the end", |style| Self { blank_line_at_end: true, ..style }),
    ];

    /// The style without what the document does not promise. It promises comments.
    pub(super) fn plain(self) -> Self {
        Self { comments: self.comments, ..Self::default() }
    }
}

impl Map {
    pub(super) fn rows(&self) -> usize {
        self.cells.len() / self.columns
    }

    /// Parses a file that the reference accepts. The result for any other file is unspecified.
    pub(super) fn parse(input: &[u8]) -> Option<Self> {
        let text = std::str::from_utf8(input).ok()?;
        let mut lines =
            text.split('\n').map(|line| line.strip_suffix('\r').unwrap_or(line)).peekable();
        let header = lines.next()?;
        let mut sizes = header.split_ascii_whitespace().map(str::parse::<usize>);
        let (colors, rows, columns) =
            (sizes.next()?.ok()?, sizes.next()?.ok()?, sizes.next()?.ok()?);
        let mut style = Style { blank_after_header: header.ends_with(' '), ..Style::default() };
        while let Some(comment) = lines.next_if(|line| line.starts_with("//")) {
            style.comments.push(comment["//".len()..].to_owned());
        }
        let mut cells = Vec::new();
        for row in lines.by_ref().take(rows) {
            cells.extend_from_slice(row.as_bytes());
        }
        style.open_end = !text.ends_with('\n');
        style.blank_line_at_end = !style.open_end && lines.count() > 1;
        let is_whole = columns > 0 && rows > 0 && cells.len() == rows * columns;
        is_whole.then(|| Self {
            colors: colors.try_into().unwrap_or(u8::MAX),
            columns,
            cells,
            style,
        })
    }

    /// The contents of the file.
    pub(super) fn render(&self) -> Vec<u8> {
        let mut file = Vec::with_capacity(self.cells.len() + self.rows() + 16);
        for size in [self.colors.into(), self.rows(), self.columns] {
            push_number(&mut file, size);
            file.push(b' ');
        }
        if !self.style.blank_after_header {
            file.pop();
        }
        file.push(b'\n');
        for comment in &self.style.comments {
            file.extend_from_slice(b"//");
            file.extend_from_slice(comment.as_bytes());
            file.push(b'\n');
        }
        for row in self.cells.chunks(self.columns) {
            file.extend_from_slice(row);
            file.push(b'\n');
        }
        if self.style.blank_line_at_end {
            file.push(b'\n');
        }
        if self.style.open_end {
            file.pop();
        }
        file
    }
}

fn push_number(file: &mut Vec<u8>, number: usize) {
    if number >= 10 {
        push_number(file, number / 10);
    }
    file.push(b'0' + (number % 10) as u8);
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_map_survives_being_written_and_read() {
        for file in ["2 2 3 \n// one\n//two\n@aB\n?^#\n\n", "0 1 2\n@?", "26 1 12\n@..........?\n"]
        {
            let map = Map::parse(file.as_bytes()).unwrap();
            assert_eq!(String::from_utf8(map.render()).unwrap(), file);
        }
    }

    #[test]
    fn a_file_whose_size_differs_from_its_header_is_not_a_map() {
        assert_eq!(Map::parse(b"1 2 2\n@?\n"), None);
        assert_eq!(Map::parse(b"map"), None);
    }
}
