//! Reads and writes numbers as files of classes have them: the most significant byte first.

#[derive(Clone, Copy)]
pub(super) struct Reader<'a> {
    bytes: &'a [u8],
    at: usize,
}

impl<'a> Reader<'a> {
    pub(super) fn new(bytes: &'a [u8]) -> Self {
        Self { bytes, at: 0 }
    }

    pub(super) fn position(&self) -> usize {
        self.at
    }

    pub(super) fn is_at_end(&self) -> bool {
        self.at == self.bytes.len()
    }

    pub(super) fn bytes(&mut self, count: usize) -> Option<&'a [u8]> {
        let found = self.bytes.get(self.at..self.at.checked_add(count)?)?;
        self.at += count;
        Some(found)
    }

    pub(super) fn skip(&mut self, count: usize) -> Option<()> {
        self.bytes(count).map(drop)
    }

    /// What was read since a position.
    pub(super) fn since(&self, position: usize) -> &'a [u8] {
        &self.bytes[position..self.at]
    }

    pub(super) fn u8(&mut self) -> Option<u8> {
        self.bytes(1).map(|found| found[0])
    }

    pub(super) fn u16(&mut self) -> Option<u16> {
        self.bytes(2)?.try_into().ok().map(u16::from_be_bytes)
    }

    pub(super) fn u32(&mut self) -> Option<u32> {
        self.bytes(4)?.try_into().ok().map(u32::from_be_bytes)
    }
}

/// Adds a number of so many bytes. `None` if it does not fit.
pub(super) fn put(out: &mut Vec<u8>, width: usize, number: usize) -> Option<()> {
    let bytes = number.to_be_bytes();
    let (zeros, used) = bytes.split_at(bytes.len() - width);
    out.extend(used);
    zeros.iter().all(|byte| *byte == 0).then_some(())
}
