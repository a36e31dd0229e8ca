//! Files of classes in Java with more instructions: calls that say which lines are reached, or what has no effect. The Java virtual machine
//! specification describes the format in chapter 4.

mod code;
mod noise;
mod reader;

use code::Code;
use noise::Noise;
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
    let class = Class::read(class)?;
    let mut pool = class.pool.to_vec();
    let call = class.constants.add_call(&mut pool, teller)?;
    let mut marks = Marks { call, first, lines: Vec::new() };
    let written = class.written(&pool, &mut marks)?;
    let package = class.name.rfind('/').map_or("", |at| &class.name[..=at]);
    let source = format!("{package}{}", class.source?);
    Some(Marked { class: written, source, lines: marks.lines })
}

/// A class that does the same by other instructions each time, without its lines. `None` of one that is too large for it, or in a format
/// that is not known.
pub(super) fn varied(class: &[u8]) -> Option<Vec<u8>> {
    let mut class = Class::read(class)?;
    fastrand::shuffle(&mut class.methods);
    class.written(class.pool, &mut Noise)
}

/// What puts instructions before others.
trait Before {
    /// How many more words of the stack they need.
    const STACK: usize;

    /// Those before an instruction, which may begin a line.
    fn instruction(&mut self, line: Option<usize>) -> Option<Vec<u8>>;
}

/// The parts of a class in their order.
struct Class<'a> {
    begin: &'a [u8],
    /// The bytes of its constants, with their count.
    pool: &'a [u8],
    /// What comes before the methods, with their count.
    middle: &'a [u8],
    methods: Vec<Method<'a>>,
    end: &'a [u8],
    constants: Constants<'a>,
    name: &'a str,
    source: Option<&'a str>,
}

struct Method<'a> {
    begin: &'a [u8],
    /// The number of the name of each attribute, and what it holds.
    attributes: Vec<(u16, &'a [u8])>,
}

impl<'a> Class<'a> {
    fn read(class: &'a [u8]) -> Option<Self> {
        let mut reader = Reader::new(class);
        if reader.u32()? != 0xcafe_babe {
            return None;
        }
        reader.skip(4)?;
        let constants = Constants::read(&mut reader)?;
        let after = reader.position();
        reader.skip(2)?;
        let name = constants.class(reader.u16()?)?;
        reader.skip(2)?;
        let interfaces = reader.u16()?;
        reader.skip(2 * usize::from(interfaces))?;
        for _ in 0..reader.u16()? {
            reader.skip(6)?;
            attributes(&mut reader, |_, _| Some(()))?;
        }
        let count = reader.u16()?;
        let middle = reader.since(after);
        let methods = (0..count).map(|_| Method::read(&mut reader)).collect::<Option<_>>()?;
        let rest = reader.position();
        let mut source = None;
        attributes(&mut reader, |name, body| {
            if constants.text(name)? == "SourceFile" {
                source = Some(constants.text(Reader::new(body).u16()?)?);
            }
            Some(())
        })?;
        let end = reader.since(rest);
        let (begin, pool) = class[..after].split_at(8);
        Some(Self { begin, pool, middle, methods, end, constants, name, source })
    }

    /// The file with these constants, and with more instructions.
    fn written(&self, pool: &[u8], before: &mut impl Before) -> Option<Vec<u8>> {
        let mut out = [self.begin, pool, self.middle].concat();
        for Method { begin, attributes } in &self.methods {
            out.extend(*begin);
            put(&mut out, 2, attributes.len())?;
            for (name, body) in attributes {
                let is_code = self.constants.text(*name)? == "Code";
                let code = if is_code { Some(Code::read(body, &self.constants)?) } else { None };
                let body = code.map_or(Some(body.to_vec()), |code| code.with(before))?;
                put(&mut out, 2, usize::from(*name))?;
                put(&mut out, 4, body.len())?;
                out.extend(body);
            }
        }
        out.extend(self.end);
        Some(out)
    }
}

impl<'a> Method<'a> {
    fn read(reader: &mut Reader<'a>) -> Option<Self> {
        let begin = reader.bytes(6)?;
        let mut all = Vec::new();
        attributes(reader, |name, body| {
            all.push((name, body));
            Some(())
        })?;
        Some(Self { begin, attributes: all })
    }
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

impl Before for Marks {
    const STACK: usize = 1;

    /// The instructions that say that a line is reached: `sipush` and `invokestatic`.
    fn instruction(&mut self, line: Option<usize>) -> Option<Vec<u8>> {
        let Some(line) = line else { return Some(Vec::new()) };
        let number = self.first + self.lines.len();
        let [a, b] = u16::try_from(Some(number).filter(|it| *it <= MOST)?).ok()?.to_be_bytes();
        self.lines.push(line);
        let [c, d] = self.call.to_be_bytes();
        Some(vec![0x11, a, b, 0xb8, c, d])
    }
}
