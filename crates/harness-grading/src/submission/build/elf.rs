//! The sections of a program in ELF, as far as they tell how it was made. Pure. What cannot be read has no sections.

use std::collections::BTreeSet;

/// A program of 64 bits.
pub(super) struct Elf<'a> {
    bytes: &'a [u8],
    sections: Vec<Section<'a>>,
}

struct Section<'a> {
    name: &'a [u8],
    contents: &'a [u8],
}

/// The length of an entry of the table of sections, and of symbols.
const ENTRY: usize = 64;
const SYMBOL: usize = 24;
/// A section without contents in the file.
const NOBITS: u32 = 8;
/// The kind of a symbol that names a source.
const FILE: u8 = 4;
/// The most bytes of a section of texts and of the name of a source, and the most sources. A compiler writes far less.
const MOST_BYTES: usize = 1 << 20;
const LONGEST: usize = 4096;
const MOST_SOURCES: usize = 10_000;

impl<'a> Elf<'a> {
    pub(super) fn read(bytes: &'a [u8]) -> Self {
        let sections = sections(bytes).unwrap_or_default();
        Self { bytes, sections }
    }

    /// Whether there is a section with this name.
    pub(super) fn has(&self, name: &str) -> bool {
        self.sections.iter().any(|section| section.name == name.as_bytes())
    }

    /// The texts in a section of texts. `None` if it has more of them than a compiler writes.
    pub(super) fn texts(&self, name: &str) -> Option<Vec<String>> {
        let section = self.sections.iter().find(|section| section.name == name.as_bytes());
        let contents = section.map_or(&[][..], |section| section.contents);
        let texts = contents.split(|&byte| byte == 0).filter(|text| !text.is_empty());
        let texts = texts.map(|text| String::from_utf8_lossy(text).into_owned());
        (contents.len() <= MOST_BYTES).then(|| texts.collect())
    }

    /// The names of the sources in its table of symbols, if it has one. `None` if it has more of them than a compiler writes.
    pub(super) fn sources(&self) -> Option<BTreeSet<String>> {
        let contents = |name: &[u8]| {
            let section = self.sections.iter().find(|section| section.name == name);
            section.map_or(&[][..], |section| section.contents)
        };
        let (symbols, names) = (contents(b".symtab"), contents(b".strtab"));
        let files = symbols.chunks_exact(SYMBOL).filter(|symbol| symbol[4] & 0xf == FILE);
        let names = files.filter_map(|symbol| text_at(names, number(symbol, 0, 4)?));
        let mut sources = BTreeSet::new();
        for name in names {
            sources.insert(String::from_utf8_lossy(name).into_owned());
            if sources.len() > MOST_SOURCES {
                return None;
            }
        }
        Some(sources)
    }

    /// Whether the libraries are part of the program.
    pub(super) fn is_static(&self) -> bool {
        !self.bytes.is_empty() && !self.has(".interp")
    }
}

/// Why valgrind cannot see the leaks of a program that was made in this way.
pub(super) fn unseen_by_valgrind(program: &[u8]) -> Option<&'static str> {
    if !program.starts_with(b"\x7fELF") {
        return None;
    }
    if Elf::read(program).is_static() {
        return Some(
            "the program contains its libraries (-static), so valgrind sees no memory of it",
        );
    }
    let has_orders = program.windows(ORDER).any(|bytes| ORDERS.contains(&bytes));
    has_orders.then_some("the program contains orders to valgrind")
}

/// Instructions without an effect that valgrind takes for orders, such as to look for no leaks: on x86-64 and on ARM64.
const ORDER: usize = 16;
const ORDERS: [&[u8]; 2] = [
    b"\x48\xc1\xc7\x03\x48\xc1\xc7\x0d\x48\xc1\xc7\x3d\x48\xc1\xc7\x33",
    b"\x8c\x0d\xcc\x93\x8c\x35\xcc\x93\x8c\xcd\xcc\x93\x8c\xf5\xcc\x93",
];

fn sections(bytes: &[u8]) -> Option<Vec<Section<'_>>> {
    // 64 bits, and the lowest byte of a number comes first.
    if !bytes.starts_with(b"\x7fELF\x02\x01") {
        return None;
    }
    let start = number(bytes, 0x28, 8)?;
    let (count, of_names) = (number(bytes, 0x3c, 2)?, number(bytes, 0x3e, 2)?);
    let entry = |at: usize| bytes.get(start.checked_add(at.checked_mul(ENTRY)?)?..)?.get(..ENTRY);
    let contents = |entry: &[u8]| {
        if number(entry, 4, 4)? == NOBITS as usize {
            return Some(&[][..]);
        }
        bytes.get(number(entry, 0x18, 8)?..)?.get(..number(entry, 0x20, 8)?)
    };
    let names = contents(entry(of_names)?)?;
    (0..count)
        .map(|at| {
            let entry = entry(at)?;
            Some(Section {
                name: text_at(names, number(entry, 0, 4)?)?,
                contents: contents(entry)?,
            })
        })
        .collect()
}

/// The number in `length` bytes at `at`.
fn number(bytes: &[u8], at: usize, length: usize) -> Option<usize> {
    let bytes = bytes.get(at..)?.get(..length)?;
    let number =
        bytes.iter().rev().try_fold(0_u64, |sum, &byte| Some((sum << 8) | u64::from(byte)));
    usize::try_from(number?).ok()
}

/// The text at `at`, up to a zero.
fn text_at(bytes: &[u8], at: usize) -> Option<&[u8]> {
    let bytes = bytes.get(at..)?;
    bytes[..bytes.len().min(LONGEST)].split(|&byte| byte == 0).next()
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::{env, fs};

    #[test]
    fn a_program_has_sections_and_damage_does_no_harm() {
        let program = fs::read(env::current_exe().unwrap()).unwrap();
        let elf = Elf::read(&program);
        assert!(elf.has(".text") && !elf.has(".no-such-section") && !elf.is_static());
        assert!(elf.texts(".comment").unwrap().iter().any(|text| text.contains("rustc")));
        assert!(!elf.sources().unwrap().is_empty());
        let mut damaged = program[..4096].to_vec();
        assert!(!Elf::read(&damaged).has(".text"));
        damaged[0x28..0x30].fill(0xff);
        assert_eq!(Elf::read(&damaged).sources(), Some(BTreeSet::new()));
        assert_eq!(Elf::read(b"#!/bin/sh\n").texts(".comment"), Some(Vec::new()));
        let section = Section { name: b".comment", contents: &vec![b'a'; MOST_BYTES + 1] };
        assert_eq!(Elf { bytes: b"", sections: vec![section] }.texts(".comment"), None);
    }
}
