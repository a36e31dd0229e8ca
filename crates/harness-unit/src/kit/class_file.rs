//! Files of classes in Java, in which each line says that it is reached: a call stands before its first instruction. The Java virtual
//! machine specification describes the format in chapter 4.

mod code;
mod reader;

use code::Code;
use reader::{Reader, put};

/// The class and the method that is called, which gets a number.
const METHOD: (&str, &str) = ("line", "(I)V");
/// The largest number that one instruction can pass.
const MOST: usize = i16::MAX as usize;

/// A class whose lines say that they are reached.
pub(super) struct Marked {
    pub(super) class: Vec<u8>,
    /// The name of its source, after the folders of its package.
    pub(super) source: String,
    /// The line of each number that it says, from the first on.
    pub(super) lines: Vec<usize>,
}

/// Marks the lines of a class by calls of the class `teller`, with numbers from `first` on. `None` of a class that is too large for it, or
/// in a format that is not known.
pub(super) fn marked(class: &[u8], teller: &str, first: usize) -> Option<Marked> {
    let mut reader = Reader::new(class);
    if reader.u32()? != 0xcafe_babe {
        return None;
    }
    reader.skip(4)?;
    let constants = Constants::read(&mut reader)?;
    let mut end = reader.since(8);
    let mut marks = Marks { call: constants.add_call(&mut end, teller)?, first, lines: Vec::new() };
    let mut out = class[..8].to_vec();
    out.append(&mut end);
    let after = reader.position();
    reader.skip(2)?;
    let own = constants.class(reader.u16()?)?;
    reader.skip(2)?;
    for _ in 0..reader.u16()? {
        reader.skip(2)?;
    }
    for _ in 0..reader.u16()? {
        reader.skip(6)?;
        attributes(&mut reader, |_, _| Some(()))?;
    }
    let methods = reader.u16()?;
    out.extend(reader.since(after));
    for _ in 0..methods {
        let start = reader.position();
        reader.skip(6)?;
        out.extend(reader.since(start));
        let mut all = Vec::new();
        attributes(&mut reader, |name, body| {
            let is_code = constants.text(name)? == "Code";
            let code = if is_code { Some(Code::read(body, &constants)?) } else { None };
            all.push((name, code.map_or(Some(body.to_vec()), |code| code.marked(&mut marks))?));
            Some(())
        })?;
        put(&mut out, 2, all.len())?;
        for (name, body) in all {
            put(&mut out, 2, usize::from(name))?;
            put(&mut out, 4, body.len())?;
            out.extend(body);
        }
    }
    let rest = reader.position();
    let mut file = None;
    attributes(&mut reader, |name, body| {
        if constants.text(name)? == "SourceFile" {
            file = Some(constants.text(Reader::new(body).u16()?)?.to_owned());
        }
        Some(())
    })?;
    out.extend(reader.since(rest));
    let package = own.rfind('/').map_or("", |at| &own[..=at]);
    Some(Marked { class: out, source: format!("{package}{}", file?), lines: marks.lines })
}

/// Reads attributes: the number of the name of each, and what it holds.
fn attributes<'a>(
    reader: &mut Reader<'a>,
    mut each: impl FnMut(u16, &'a [u8]) -> Option<()>,
) -> Option<()> {
    for _ in 0..reader.u16()? {
        let name = reader.u16()?;
        let length = reader.u32()?;
        each(name, reader.bytes(length as usize)?)?;
    }
    Some(())
}

/// The constants of a class.
struct Constants<'a> {
    /// The texts, and the numbers of the names of classes, by their own numbers.
    all: Vec<Constant<'a>>,
}

#[derive(Clone, Copy)]
enum Constant<'a> {
    Text(&'a [u8]),
    Class(u16),
    Other,
}

impl<'a> Constants<'a> {
    fn read(reader: &mut Reader<'a>) -> Option<Self> {
        let count = usize::from(reader.u16()?);
        let mut all = vec![Constant::Other];
        while all.len() < count {
            let constant = match reader.u8()? {
                1 => {
                    let length = reader.u16()?;
                    Constant::Text(reader.bytes(length.into())?)
                }
                7 => Constant::Class(reader.u16()?),
                tag => {
                    let (size, places) = match tag {
                        3 | 4 | 9..=12 | 17 | 18 => (4, 1),
                        5 | 6 => (8, 2),
                        8 | 16 | 19 | 20 => (2, 1),
                        15 => (3, 1),
                        _ => return None,
                    };
                    reader.skip(size)?;
                    all.extend((1..places).map(|_| Constant::Other));
                    Constant::Other
                }
            };
            all.push(constant);
        }
        Some(Self { all })
    }

    fn text(&self, number: u16) -> Option<&'a str> {
        match self.all.get(usize::from(number))? {
            Constant::Text(text) => std::str::from_utf8(text).ok(),
            _ => None,
        }
    }

    fn class(&self, number: u16) -> Option<&'a str> {
        match self.all.get(usize::from(number))? {
            Constant::Class(name) => self.text(*name),
            _ => None,
        }
    }

    /// Adds a method of a class to the constants as they are written, and gives its number.
    fn add_call(&self, written: &mut Vec<u8>, class: &str) -> Option<u16> {
        let next = self.all.len();
        for text in [class, METHOD.0, METHOD.1] {
            written.push(1);
            put(written, 2, text.len())?;
            written.extend(text.as_bytes());
        }
        // The class, the name with the type, and both together.
        for (tag, numbers) in [(7, &[0][..]), (12, &[1, 2]), (10, &[3, 4])] {
            written.push(tag);
            numbers.iter().try_for_each(|number| put(written, 2, next + number))?;
        }
        written[..2].copy_from_slice(&u16::try_from(next + 6).ok()?.to_be_bytes());
        u16::try_from(next + 5).ok()
    }
}

/// The numbers that the lines say.
struct Marks {
    /// The number of the constant that is the method.
    call: u16,
    first: usize,
    lines: Vec<usize>,
}

impl Marks {
    /// The instructions that say that a line is reached: `sipush` and `invokestatic`.
    fn of(&mut self, line: usize) -> Option<[u8; 6]> {
        let number = self.first + self.lines.len();
        let [a, b] = u16::try_from(Some(number).filter(|it| *it <= MOST)?).ok()?.to_be_bytes();
        self.lines.push(line);
        let [c, d] = self.call.to_be_bytes();
        Some([0x11, a, b, 0xb8, c, d])
    }
}
