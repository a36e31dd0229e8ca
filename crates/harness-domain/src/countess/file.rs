//! Reads and writes the file of a castle in both input modes.

use super::castle::{Castle, Comment, Ending, FLOOR, Form, MOST_ROOMS, Style};

impl Castle {
    /// Parses a file that the reference accepts. The result for any other file is unspecified.
    ///
    /// Comments after the first blank line, which no program reads, are moved before it.
    pub(super) fn parse(input: &[u8]) -> Option<Self> {
        let text = std::str::from_utf8(input).ok()?;
        let mut lines = text.lines();
        let mode = lines.next()?.trim_end();
        let [rooms, size] =
            [lines.next()?, lines.next()?].map(|line| line.trim_end().parse::<usize>().ok());
        let (rooms, size) = (
            rooms.filter(|rooms| (1..=MOST_ROOMS).contains(rooms))?,
            size.filter(|&size| size > 0)?,
        );
        let (mut body, mut style, mut blank) = (Vec::new(), Style::default(), 0);
        for line in lines {
            if let Some(comment) = line.strip_prefix("//") {
                style.comments.push(Comment { after: body.len(), text: comment.to_owned() });
            } else if line.trim_ascii().is_empty() {
                blank += 1;
            } else {
                body.push(line);
            }
        }
        style.ending = match blank {
            0 if text.ends_with('\n') => Ending::Newline,
            0 => Ending::Open,
            blank => Ending::Blank(blank),
        };
        // A header alone must not be able to ask for a lot of memory.
        let area = size.checked_mul(size)?.checked_mul(rooms).filter(|&area| area <= 1 << 24)?;
        let mut castle = Self { size, tiles: Vec::new(), form: Form::Map, style };
        match mode {
            "M" if body.len() == rooms * size => castle.tiles = body.concat().into_bytes(),
            "L" => {
                castle.tiles = vec![FLOOR; area];
                let mut order = Vec::with_capacity(body.len());
                for line in body {
                    let (at, tile) = coordinate(line, rooms, size)?;
                    castle.tiles[at] = tile;
                    order.push(at);
                }
                castle.form = Form::List(order);
            }
            _ => return None,
        }
        (castle.tiles.len() == area).then_some(castle)
    }

    /// The contents of the file.
    pub(super) fn render(&self) -> Vec<u8> {
        let mut file = Vec::with_capacity(self.tiles.len() + self.lines() * 12 + 16);
        file.extend_from_slice(if self.form == Form::Map { b"M\n" } else { b"L\n" });
        for number in [self.rooms(), self.size] {
            push_number(&mut file, number);
            file.push(b'\n');
        }
        let lines = self.lines();
        let mut comments = self.style.comments.iter().peekable();
        for line in 0..=lines {
            while let Some(comment) =
                comments.next_if(|comment| comment.after <= line || line == lines)
            {
                file.extend_from_slice(b"//");
                file.extend_from_slice(comment.text.as_bytes());
                file.push(b'\n');
            }
            if line < lines {
                self.push_line(&mut file, line);
            }
        }
        match self.style.ending {
            Ending::Newline => {}
            Ending::Open => drop(file.pop()),
            Ending::Blank(count) => file.resize(file.len() + count, b'\n'),
        }
        file
    }

    fn push_line(&self, file: &mut Vec<u8>, line: usize) {
        match &self.form {
            Form::Map => {
                file.extend_from_slice(&self.tiles[line * self.size..(line + 1) * self.size]);
            }
            Form::List(order) => {
                let at = order[line];
                let in_room = at % self.room_area();
                file.push(b'(');
                for number in [at / self.room_area(), in_room / self.size, in_room % self.size] {
                    push_number(file, number);
                    file.push(b',');
                }
                file.extend_from_slice(&[self.tiles[at], b')']);
            }
        }
        file.push(b'\n');
    }
}

/// Parses a coordinate into the number of its tile, and the character.
pub(super) fn coordinate(line: &str, rooms: usize, size: usize) -> Option<(usize, u8)> {
    let inner = line.strip_prefix('(')?.strip_suffix(')')?;
    let mut parts = inner.splitn(4, ',');
    let mut number =
        |limit: usize| parts.next()?.parse::<usize>().ok().filter(|&number| number < limit);
    let (room, row, column) = (number(rooms)?, number(size)?, number(size)?);
    match parts.next()?.as_bytes() {
        &[tile] => Some(((room * size + row) * size + column, tile)),
        _ => None,
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
    fn a_castle_survives_being_written_and_read() {
        for file in [
            "M\n2\n2\n//two rooms\nS.\n//\n1.\n#!\n//C\n9C\n//end\n\n\n",
            "M\n1\n2\nSC\n..",
            "L\n10\n12\n//list\n(9,11,10,S)\n// (0,0,0,C)\n(0,0,0,C)\n(3,1,2,.)\n",
            "L\n2\n1\n(1,0,0,S)\n(0,0,0,C)\n//",
        ] {
            let castle = Castle::parse(file.as_bytes()).unwrap();
            assert_eq!(String::from_utf8(castle.render()).unwrap(), file);
        }
    }

    #[test]
    fn comments_after_a_blank_line_are_moved_before_it() {
        let castle = Castle::parse(b"M \r\n1\r\n2 \r\nSC\r\n..\r\n  \r\n// end\r\n").unwrap();
        assert_eq!(String::from_utf8(castle.render()).unwrap(), "M\n1\n2\nSC\n..\n// end\n\n");
    }

    #[test]
    fn a_file_whose_size_differs_from_its_header_is_not_a_castle() {
        for file in [
            "M\n1\n2\nSC\n",
            "M\n1\n2\nSC.\n.\n.\n",
            "L\n1\n2\n(0,2,0,S)\n",
            "L\n4294967295\n4294967295\n",
            "castle",
            "",
        ] {
            assert_eq!(Castle::parse(file.as_bytes()), None, "{file}");
        }
    }
}
