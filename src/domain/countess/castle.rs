//! A castle as a value: its rooms tile by tile, and how its file is to be written, which `file` does. Whether it is valid is for the
//! reference to say.

/// Room space.
pub(super) const FLOOR: u8 = b'.';
/// A wall.
pub(super) const WALL: u8 = b'#';
/// One of Louser's minions.
pub(super) const MINION: u8 = b'!';
/// Marco's starting location.
pub(super) const START: u8 = b'S';
/// The location of the Countess.
pub(super) const COUNTESS: u8 = b'C';

/// The rooms that a digit can name.
pub(super) const MOST_ROOMS: usize = 10;

/// A castle, and how its file is written. The tiles stand room by room, and row by row in each.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub(super) struct Castle {
    /// Rows, and also columns, of each room.
    pub(super) size: usize,
    pub(super) tiles: Vec<u8>,
    pub(super) form: Form,
    pub(super) style: Style,
}

/// The input mode.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub(super) enum Form {
    /// Every row of every room.
    Map,
    /// Coordinates: the numbers of their tiles, in the order of the file. Each tile that is no floor has to be there.
    List(Vec<usize>),
}

/// How a file is written, where the document leaves a choice.
#[derive(Clone, Debug, Default, PartialEq, Eq, Hash)]
pub(super) struct Style {
    pub(super) comments: Vec<Comment>,
    pub(super) ending: Ending,
}

/// A comment.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub(super) struct Comment {
    /// How many rows or coordinates stand before it.
    pub(super) after: usize,
    /// What it says, without its `//`.
    pub(super) text: String,
}

/// How a file ends.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub(super) enum Ending {
    /// With the newline of the last line.
    #[default]
    Newline,
    /// Without it.
    Open,
    /// With so many blank lines more.
    Blank(usize),
}

impl Castle {
    /// A castle of floor: not valid before it has a start and a Countess.
    pub(super) fn floor(rooms: usize, size: usize) -> Self {
        Self {
            size,
            tiles: vec![FLOOR; rooms * size * size],
            form: Form::Map,
            style: Style::default(),
        }
    }

    /// The number of rooms.
    pub(super) fn rooms(&self) -> usize {
        self.tiles.len() / self.room_area()
    }

    /// The tiles of a room.
    pub(super) fn room_area(&self) -> usize {
        self.size * self.size
    }

    /// The rows or coordinates of the file.
    pub(super) fn lines(&self) -> usize {
        match &self.form {
            Form::Map => self.tiles.len() / self.size,
            Form::List(order) => order.len(),
        }
    }

    /// Puts a tile somewhere. In a list, its coordinate comes last if there was none yet, and goes if it is no longer needed.
    pub(super) fn put(&mut self, at: usize, tile: u8) {
        self.tiles[at] = tile;
        let Form::List(order) = &mut self.form else { return };
        if tile == FLOOR {
            while let Some(line) = order.iter().position(|&listed| listed == at) {
                order.remove(line);
                self.style
                    .comments
                    .iter_mut()
                    .filter(|comment| comment.after > line)
                    .for_each(|comment| comment.after -= 1);
            }
        } else if !order.contains(&at) {
            order.push(at);
        }
    }

    /// Lets a tile and another one change places. In a list, the first one's coordinate keeps its line.
    pub(super) fn swap(&mut self, from: usize, to: usize) {
        self.tiles.swap(from, to);
        let Form::List(order) = &mut self.form else { return };
        if !order.contains(&to) {
            order.iter_mut().filter(|listed| **listed == from).for_each(|listed| *listed = to);
        } else if !order.contains(&from) && self.tiles[from] != FLOOR {
            order.push(from);
        }
    }

    /// The numbers of the tiles that are no floor, in their own order: the shortest list.
    pub(super) fn things(&self) -> Vec<usize> {
        (0..self.tiles.len()).filter(|&at| self.tiles[at] != FLOOR).collect()
    }

    /// The same castle in the other form, or in this one anew; each comment as near to its place as it can be.
    pub(super) fn in_form(&self, form: Form) -> Self {
        let (before, mut castle) = (self.lines(), Self { form, ..self.clone() });
        let lines = castle.lines();
        for comment in &mut castle.style.comments {
            comment.after = if comment.after >= before {
                lines
            } else {
                comment.after.min(lines.saturating_sub(1))
            };
        }
        castle
    }

    /// The castle without the tiles that `keep` does not want, its rooms of a new size; and without the lines that told of them.
    pub(super) fn only(&self, size: usize, keep: impl Fn(usize) -> bool) -> Self {
        let numbers: Vec<Option<usize>> = (0..self.tiles.len())
            .scan(0, |next, at| {
                let number = *next;
                *next += usize::from(keep(at));
                Some(keep(at).then_some(number))
            })
            .collect();
        let (form, keeps_line): (_, Vec<bool>) = match &self.form {
            Form::Map => (
                Form::Map,
                numbers.chunks(self.size).map(|row| row.iter().any(Option::is_some)).collect(),
            ),
            Form::List(order) => (
                Form::List(order.iter().filter_map(|&at| numbers[at]).collect()),
                order.iter().map(|&at| numbers[at].is_some()).collect(),
            ),
        };
        let mut style = self.style.clone();
        for comment in &mut style.comments {
            comment.after = keeps_line.iter().take(comment.after).filter(|keeps| **keeps).count();
        }
        let tiles = self
            .tiles
            .iter()
            .zip(&numbers)
            .filter(|(_, number)| number.is_some())
            .map(|(&tile, _)| tile)
            .collect();
        Self { size, tiles, form, style }
    }

    /// Whether there is just one start and one Countess.
    pub(super) fn has_ends(&self) -> bool {
        [START, COUNTESS].iter().all(|end| {
            let mut places = self.tiles.iter().filter(|tile| *tile == end);
            places.next().is_some() && places.next().is_none()
        })
    }
}

/// The room that a pipe leads to, whether or not there is one.
pub(super) fn pipe(tile: u8) -> Option<usize> {
    tile.is_ascii_digit().then(|| usize::from(tile - b'0'))
}

/// The pipe that leads to a room.
pub(super) fn pipe_to(room: usize) -> u8 {
    b'0' + room as u8
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_list_keeps_what_it_needs() {
        let mut castle = Castle::parse(b"L\n1\n3\n(0,0,1,S)\n(0,0,2,C)\n").unwrap();
        castle.swap(1, 0);
        castle.put(8, WALL);
        castle.put(7, WALL);
        castle.put(8, FLOOR);
        assert_eq!(
            String::from_utf8(castle.render()).unwrap(),
            "L\n1\n3\n(0,0,0,S)\n(0,0,2,C)\n(0,2,1,#)\n"
        );
        let map = castle.in_form(Form::Map);
        assert_eq!(String::from_utf8(map.render()).unwrap(), "M\n1\n3\nS.C\n...\n.#.\n");
    }
}
