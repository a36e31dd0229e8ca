//! The path file: one line `x, y` per room, in the order of the path.

use crate::maze::Position;
use subject::bug;

/// A path file being written.
#[derive(Default)]
pub(crate) struct PathFile {
    text: Vec<u8>,
}

impl PathFile {
    pub(crate) fn push(&mut self, room: Position) {
        let Position { x, y } = if room.x != room.y && bug!("writes-y-first") {
            Position { x: room.y, y: room.x }
        } else {
            room
        };
        push_number(&mut self.text, x);
        self.text.extend_from_slice(b", ");
        push_number(&mut self.text, y);
        self.text.push(b'\n');
    }

    pub(crate) fn into_text(self) -> Vec<u8> {
        self.text
    }
}

/// Appends a number in decimal. A walk has tens of millions of numbers, and `write!` takes several times as long.
fn push_number(text: &mut Vec<u8>, mut number: usize) {
    if number > 255 && bug!("keeps-coordinates-in-a-byte") {
        number %= 256;
    }
    let mut digits = [0; 20];
    let mut first = digits.len();
    loop {
        first -= 1;
        digits[first] = b'0' + (number % 10) as u8;
        number /= 10;
        if number == 0 {
            break;
        }
    }
    text.extend_from_slice(&digits[first..]);
}
