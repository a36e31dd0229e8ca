//! The bytes of a backup: texts of JSON and rows of values, each after its length, and at the end a digest of all of them.

use crate::database::Value;
use serde::Serialize;
use serde::de::DeserializeOwned;
use sha2::{Digest, Sha256};
use std::io::{self, Read, Write};

/// What a value begins with.
const NULL: u8 = 0;
const INT: u8 = 1;
const TEXT: u8 = 2;
const BYTES: u8 = 3;
/// What is in place of a row after the last one, and before a row.
const END: u8 = 4;
const ROW: u8 = 5;

/// A longer text or file is a damaged length.
const LONGEST: u64 = 1 << 30;

pub(super) struct Writer<W> {
    out: W,
    digest: Sha256,
}

impl<W: Write> Writer<W> {
    pub(super) fn new(out: W) -> Self {
        Self { out, digest: Sha256::new() }
    }

    fn put(&mut self, bytes: &[u8]) -> io::Result<()> {
        self.digest.update(bytes);
        self.out.write_all(bytes)
    }

    fn long(&mut self, kind: u8, bytes: &[u8]) -> io::Result<()> {
        self.put(&[kind])?;
        self.put(&(bytes.len() as u64).to_be_bytes())?;
        self.put(bytes)
    }

    pub(super) fn json(&mut self, value: &impl Serialize) -> io::Result<()> {
        let text = serde_json::to_vec(value)?;
        self.long(TEXT, &text)
    }

    pub(super) fn row(&mut self, values: &[Value]) -> io::Result<()> {
        self.put(&[ROW])?;
        for value in values {
            match value {
                Value::Null => self.put(&[NULL])?,
                Value::Int(number) => {
                    self.put(&[INT])?;
                    self.put(&number.to_be_bytes())?;
                }
                Value::Text(text) => self.long(TEXT, text.as_bytes())?,
                Value::Bytes(bytes) => self.long(BYTES, bytes)?,
            }
        }
        Ok(())
    }

    pub(super) fn end_of_rows(&mut self) -> io::Result<()> {
        self.put(&[END])
    }

    /// Writes the digest.
    pub(super) fn finish(mut self) -> io::Result<W> {
        let digest = self.digest.finalize();
        self.out.write_all(&digest)?;
        Ok(self.out)
    }
}

pub(super) struct Reader<R> {
    input: R,
    digest: Sha256,
}

impl<R: Read> Reader<R> {
    pub(super) fn new(input: R) -> Self {
        Self { input, digest: Sha256::new() }
    }

    fn take<const N: usize>(&mut self) -> io::Result<[u8; N]> {
        let mut bytes = [0; N];
        self.input.read_exact(&mut bytes)?;
        self.digest.update(bytes);
        Ok(bytes)
    }

    fn long(&mut self) -> io::Result<Vec<u8>> {
        let length = u64::from_be_bytes(self.take()?);
        if length > LONGEST {
            return Err(wrong("a length"));
        }
        // What is there is read: a wrong length reserves no memory.
        let mut bytes = Vec::new();
        (&mut self.input).take(length).read_to_end(&mut bytes)?;
        if bytes.len() as u64 != length {
            return Err(io::ErrorKind::UnexpectedEof.into());
        }
        self.digest.update(&bytes);
        Ok(bytes)
    }

    pub(super) fn json<T: DeserializeOwned>(&mut self) -> io::Result<T> {
        match self.value()? {
            Value::Text(text) => Ok(serde_json::from_str(&text)?),
            _ => Err(wrong("a head")),
        }
    }

    fn value(&mut self) -> io::Result<Value> {
        Ok(match self.take::<1>()?[0] {
            NULL => Value::Null,
            INT => Value::Int(i64::from_be_bytes(self.take()?)),
            TEXT => {
                let text = String::from_utf8(self.long()?);
                Value::Text(text.map_err(|_| wrong("a text"))?)
            }
            BYTES => Value::Bytes(self.long()?),
            _ => return Err(wrong("a value")),
        })
    }

    /// The next row of a table, until there is none.
    pub(super) fn row(&mut self, columns: usize) -> io::Result<Option<Vec<Value>>> {
        match self.take::<1>()?[0] {
            END => Ok(None),
            ROW => (0..columns).map(|_| self.value()).collect::<io::Result<_>>().map(Some),
            _ => Err(wrong("a row")),
        }
    }

    /// Checks the digest, after which nothing follows.
    pub(super) fn finish(mut self) -> io::Result<()> {
        let digest = self.digest.finalize();
        let mut rest = Vec::new();
        (&mut self.input).take(64).read_to_end(&mut rest)?;
        if rest == digest.as_slice() { Ok(()) } else { Err(wrong("its digest")) }
    }
}

/// Checks the digest of a file without looking at what it holds.
pub(super) fn check(mut input: impl Read) -> io::Result<()> {
    const LENGTH: usize = 32;
    let (mut digest, mut last, mut part) = (Sha256::new(), Vec::new(), vec![0; 1 << 16]);
    loop {
        let read = input.read(&mut part)?;
        if read == 0 {
            break;
        }
        last.extend_from_slice(&part[..read]);
        let rest = last.len().saturating_sub(LENGTH);
        digest.update(&last[..rest]);
        last.drain(..rest);
    }
    if last == digest.finalize().as_slice() { Ok(()) } else { Err(wrong("its digest")) }
}

fn wrong(what: &str) -> io::Error {
    io::Error::other(format!("{what} is wrong"))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn written() -> Vec<u8> {
        let mut out = Writer::new(Vec::new());
        out.json(&["head"]).unwrap();
        let row =
            [Value::Null, Value::Int(-7), Value::Text("ü\0".into()), Value::Bytes(vec![0, 255])];
        out.row(&row).unwrap();
        out.end_of_rows().unwrap();
        out.finish().unwrap()
    }

    fn read(bytes: &[u8]) -> io::Result<Vec<Vec<Value>>> {
        let mut input = Reader::new(bytes);
        let _: Vec<String> = input.json()?;
        let mut rows = Vec::new();
        while let Some(row) = input.row(4)? {
            rows.push(row);
        }
        input.finish().map(|()| rows)
    }

    #[test]
    fn rows_are_read_as_they_were_written_and_no_byte_can_change_or_be_missing() {
        let bytes = written();
        assert_eq!(read(&bytes).unwrap()[0][1], Value::Int(-7));
        for at in 0..bytes.len() {
            let mut changed = bytes.clone();
            changed[at] ^= 1;
            assert!(read(&changed).is_err(), "byte {at} was changed");
            assert!(read(&bytes[..at]).is_err(), "only {at} bytes are left");
        }
        assert!(read(&[bytes, vec![0]].concat()).is_err());
    }
}
