//! A castle as a value, and how its file is written. The reference decides whether it is valid.

pub(super) const FLOOR: u8 = b'.';
pub(super) const WALL: u8 = b'#';
/// One of Louser's minions.
pub(super) const MINION: u8 = b'!';
/// The start.
pub(super) const START: u8 = b'S';
pub(super) const COUNTESS: u8 = b'C';

/// The maximum number of rooms: a pipe names its room with one digit.
pub(super) const MOST_ROOMS: usize = 10;

/// A castle. The tiles are in order of rooms, then of rows.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub(super) struct Castle {
    /// The number of rows and of columns of each room.
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
    /// Coordinates: the numbers of their tiles in the order of the file. Every tile that is not floor must be listed.
    List(Vec<usize>),
}

/// How the file is written, where the assignment leaves a choice.
#[derive(Clone, Debug, Default, PartialEq, Eq, Hash)]
pub(super) struct Style {
    pub(super) comments: Vec<Comment>,
    pub(super) ending: Ending,
}

#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub(super) struct Comment {
    /// The number of rows or coordinates before it.
    pub(super) after: usize,
    /// The text without `//`.
    pub(super) text: String,
}

#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub(super) enum Ending {
    /// With a newline.
    #[default]
    Newline,
    /// Without a final newline.
    Open,
    /// With this many blank lines.
    Blank(usize),
}

impl Ending {
    /// The ending without what the document does not promise. It promises blank lines, but says nothing of a last line without a newline.
    pub(super) fn plain(self) -> Self {
        if self == Self::Open { Self::Newline } else { self }
    }
}

impl Castle {
    /// A castle of floor. It is invalid until it has a start and a Countess.
    pub(super) fn floor(rooms: usize, size: usize) -> Self {
        Self {
            size,
            tiles: vec![FLOOR; rooms * size * size],
            form: Form::Map,
            style: Style::default(),
        }
    }

    pub(super) fn rooms(&self) -> usize {
        self.tiles.len() / self.room_area()
    }

    /// The number of tiles in a room.
    pub(super) fn room_area(&self) -> usize {
        self.size * self.size
    }

    /// The number of rows or coordinates in the file.
    pub(super) fn lines(&self) -> usize {
        match &self.form {
            Form::Map => self.tiles.len() / self.size,
            Form::List(order) => order.len(),
        }
    }

    /// Sets a tile. In a list, a new coordinate is appended, and one that is no longer needed is removed.
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

    /// Swaps two tiles. In a list, the first one's coordinate keeps its line.
    pub(super) fn swap(&mut self, from: usize, to: usize) {
        self.tiles.swap(from, to);
        let Form::List(order) = &mut self.form else { return };
        if !order.contains(&to) {
            order.iter_mut().filter(|listed| **listed == from).for_each(|listed| *listed = to);
        } else if !order.contains(&from) && self.tiles[from] != FLOOR {
            order.push(from);
        }
    }

    /// The numbers of the tiles that are not floor, in order: the shortest list.
    pub(super) fn things(&self) -> Vec<usize> {
        (0..self.tiles.len()).filter(|&at| self.tiles[at] != FLOOR).collect()
    }

    /// The same castle in another form. Each comment stays as near to its place as possible.
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

    /// Keeps the tiles that `keep` wants, in rooms of a new size, and the lines that name them.
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

    /// Whether there are exactly one start and one Countess.
    pub(super) fn has_ends(&self) -> bool {
        [START, COUNTESS].iter().all(|end| {
            let mut places = self.tiles.iter().filter(|tile| *tile == end);
            places.next().is_some() && places.next().is_none()
        })
    }
}

/// The room that a pipe leads to, even if it does not exist.
pub(super) fn pipe(tile: u8) -> Option<usize> {
    tile.is_ascii_digit().then(|| usize::from(tile - b'0'))
}

pub(super) fn pipe_to(room: usize) -> u8 {
    b'0' + room as u8
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_list_names_every_tile_that_is_not_floor() {
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
