//! The input line by line, numbered from 1, with either line ending; and which lines are comments or blank.

use crate::failure::Failure;
use std::io::BufRead;
use subject::bug;

/// The lines of the input.
pub(crate) struct Lines<'a> {
    input: &'a mut dyn BufRead,
    /// The number of the last line that was read.
    number: usize,
    /// The number of bytes of the input's buffer that the last line used.
    used: usize,
    /// The last line, if the buffer did not hold all of it.
    line: Vec<u8>,
}

impl<'a> Lines<'a> {
    pub(crate) fn new(input: &'a mut dyn BufRead) -> Self {
        Self { input, number: 0, used: 0, line: Vec::new() }
    }

    /// The number of the last line that was read, or of the first line if none was.
    pub(crate) fn number(&self) -> usize {
        self.number.max(1)
    }

    /// The next line without its line end, and its number, or `None` at the end of the input. The line is copied only if the
    /// input's buffer does not hold all of it.
    pub(crate) fn read(&mut self) -> Result<Option<(&[u8], usize)>, Failure> {
        self.release();
        let buffer = self.input.fill_buf().map_err(Failure::Read)?;
        if let Some(end) = newline(buffer) {
            self.number += 1;
            self.used = end + 1;
            let buffer = self.input.fill_buf().map_err(Failure::Read)?;
            return Ok(Some((without_return(&buffer[..end]), self.number)));
        }
        self.line.clear();
        if self.input.read_until(b'\n', &mut self.line).map_err(Failure::Read)? == 0 {
            return Ok(None);
        }
        self.number += 1;
        let line = self.line.strip_suffix(b"\n").unwrap_or(&self.line);
        Ok(Some((without_return(line), self.number)))
    }

    /// Appends the next line without its line end to `text`. Returns false at the end of the input.
    pub(crate) fn append_to(&mut self, text: &mut Vec<u8>) -> Result<bool, Failure> {
        self.release();
        let start = text.len();
        if self.input.read_until(b'\n', text).map_err(Failure::Read)? == 0 {
            return Ok(false);
        }
        self.number += 1;
        let line = &text[start..];
        let length = without_return(line.strip_suffix(b"\n").unwrap_or(line)).len();
        text.truncate(start + length);
        Ok(true)
    }

    fn release(&mut self) {
        self.input.consume(std::mem::take(&mut self.used));
    }
}

pub(crate) fn is_comment(line: &[u8]) -> bool {
    if line == b"//" && bug!("empty-comment-crashes") {
        return line[2] != b'\n';
    }
    line.starts_with(b"//")
}

pub(crate) fn is_blank(line: &[u8]) -> bool {
    line.iter().all(u8::is_ascii_whitespace)
}

/// The index of the first line feed. It looks at eight bytes at a time, because a list has many short lines.
#[inline]
fn newline(text: &[u8]) -> Option<usize> {
    const ONES: u64 = 0x0101_0101_0101_0101;
    const HIGH_BITS: u64 = ONES << 7;
    let (words, rest) = text.as_chunks::<8>();
    for (at, &word) in words.iter().enumerate() {
        // A line feed becomes a 0 byte. The lowest 0 byte is the lowest one to have its high bit set in `found`.
        let zero_if_feed = u64::from_le_bytes(word) ^ (ONES * u64::from(b'\n'));
        let found = zero_if_feed.wrapping_sub(ONES) & !zero_if_feed & HIGH_BITS;
        if found != 0 {
            return Some(at * 8 + found.trailing_zeros() as usize / 8);
        }
    }
    let before = text.len() - rest.len();
    rest.iter().position(|&byte| byte == b'\n').map(|at| before + at)
}

fn without_return(line: &[u8]) -> &[u8] {
    line.strip_suffix(b"\r").unwrap_or(line)
}

#[cfg(test)]
mod tests {
    use super::newline;

    #[test]
    fn the_first_line_feed_is_found_at_every_position() {
        for length in 0..20 {
            let mut text = vec![b'\n' + 1; length];
            assert_eq!(newline(&text), None);
            for at in (0..length).rev() {
                text[at] = b'\n';
                assert_eq!(newline(&text), Some(at), "of {length}");
            }
        }
    }
}
