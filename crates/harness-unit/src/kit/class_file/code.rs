//! The instructions of a method. What is put before some of them moves the others, and all that names their places.

use super::reader::{Reader, put};
use super::{Before, Constants, attributes};
use std::collections::BTreeMap;

/// The attribute `Code` of a method.
pub(super) struct Code<'a> {
    stack: u16,
    locals: u16,
    instructions: &'a [u8],
    /// The first instruction, the end, the handler, and the class of what is caught.
    handlers: Vec<[u16; 4]>,
    /// The lines by their first instructions.
    lines: BTreeMap<usize, usize>,
    /// The number of the name `StackMapTable`, and what that holds.
    frames: Option<(u16, &'a [u8])>,
}

/// An offset in an instruction that was moved.
struct Jump {
    /// Where it is written, in how many bytes.
    at: usize,
    width: usize,
    /// Where its instruction is now.
    from: usize,
    /// Where it led before.
    to: usize,
}

/// The instructions of a method after something was put before some of them.
struct Moved {
    instructions: Vec<u8>,
    /// Where what led to an instruction leads now: to what was put before it, if something was.
    targets: BTreeMap<usize, usize>,
    /// Where the instruction itself is now.
    places: BTreeMap<usize, usize>,
}

impl<'a> Code<'a> {
    pub(super) fn read(body: &'a [u8], constants: &Constants<'_>) -> Option<Self> {
        let mut reader = Reader::new(body);
        let (stack, locals) = (reader.u16()?, reader.u16()?);
        let length = reader.u32()?;
        let instructions = reader.bytes(length as usize)?;
        let mut handlers = Vec::new();
        for _ in 0..reader.u16()? {
            handlers.push([reader.u16()?, reader.u16()?, reader.u16()?, reader.u16()?]);
        }
        let (mut lines, mut frames) = (BTreeMap::new(), None);
        attributes(&mut reader, |name, body| {
            match constants.text(name)? {
                "StackMapTable" => frames = Some((name, body)),
                "LineNumberTable" => {
                    let mut table = Reader::new(body);
                    for _ in 0..table.u16()? {
                        let place = table.u16()?;
                        lines.insert(place.into(), table.u16()?.into());
                    }
                }
                // The others are for debuggers.
                _ => {}
            }
            Some(())
        })?;
        Some(Self { stack, locals, instructions, handlers, lines, frames })
    }

    /// What the attribute holds with more instructions.
    pub(super) fn with<B: Before>(&self, before: &mut B) -> Option<Vec<u8>> {
        let moved = self.moved(before)?;
        let mut out = Vec::new();
        put(&mut out, 2, usize::from(self.stack) + B::STACK)?;
        put(&mut out, 2, self.locals.into())?;
        put(&mut out, 4, moved.instructions.len())?;
        out.extend(&moved.instructions);
        put(&mut out, 2, self.handlers.len())?;
        for [first, end, handler, class] in &self.handlers {
            for place in [first, end, handler] {
                put(&mut out, 2, *moved.targets.get(&usize::from(*place))?)?;
            }
            put(&mut out, 2, usize::from(*class))?;
        }
        put(&mut out, 2, usize::from(self.frames.is_some()))?;
        if let Some((name, frames)) = self.frames {
            let frames = moved.frames(frames)?;
            put(&mut out, 2, name.into())?;
            put(&mut out, 4, frames.len())?;
            out.extend(frames);
        }
        Some(out)
    }

    fn moved(&self, before: &mut impl Before) -> Option<Moved> {
        let (mut targets, mut places) = (BTreeMap::new(), BTreeMap::new());
        let (mut out, mut jumps) = (Vec::new(), Vec::new());
        let mut reader = Reader::new(self.instructions);
        while !reader.is_at_end() {
            let start = reader.position();
            targets.insert(start, out.len());
            out.extend(before.instruction(self.lines.get(&start).copied())?);
            places.insert(start, out.len());
            copy(&mut reader, &mut out, &mut jumps)?;
        }
        targets.insert(reader.position(), out.len());
        for Jump { at, width, from, to } in jumps {
            let offset = targets.get(&to)?.cast_signed() - from.cast_signed();
            match width {
                2 => out[at..at + 2].copy_from_slice(&i16::try_from(offset).ok()?.to_be_bytes()),
                _ => out[at..at + 4].copy_from_slice(&i32::try_from(offset).ok()?.to_be_bytes()),
            }
        }
        // A method cannot be longer.
        u16::try_from(out.len()).ok()?;
        Some(Moved { instructions: out, targets, places })
    }
}

/// Copies an instruction, and notes the offsets in it.
fn copy(reader: &mut Reader<'_>, out: &mut Vec<u8>, jumps: &mut Vec<Jump>) -> Option<()> {
    let (start, from) = (reader.position(), out.len());
    let code = reader.u8()?;
    let mut jump = |at: usize, width: usize, offset: i32| {
        let to = start.checked_add_signed(offset as isize)?;
        jumps.push(Jump { at, width, from, to });
        Some(())
    };
    match code {
        // Jumps.
        0x99..=0xa8 | 0xc6 | 0xc7 => {
            jump(from + 1, 2, reader.u16()?.cast_signed().into())?;
        }
        0xc8 | 0xc9 => jump(from + 1, 4, reader.u32()?.cast_signed())?,
        // `tableswitch` and `lookupswitch`: the place of their numbers is a multiple of 4.
        0xaa | 0xab => {
            reader.skip((4 - reader.position() % 4) % 4)?;
            out.push(code);
            out.resize(out.len().next_multiple_of(4), 0);
            let mut number = |is_offset: bool| {
                let found = reader.u32()?.cast_signed();
                if is_offset {
                    jump(out.len(), 4, found)?;
                }
                out.extend(found.to_be_bytes());
                Some(found)
            };
            number(true)?;
            if code == 0xaa {
                let (low, high) = (number(false)?, number(false)?);
                return (low..=high).try_for_each(|_| number(true).map(drop));
            }
            return (0..number(false)?).try_for_each(|_| {
                number(false)?;
                number(true).map(drop)
            });
        }
        // `wide`, of which only `iinc` has two numbers.
        0xc4 => {
            let more = if reader.u8()? == 0x84 { 4 } else { 2 };
            reader.skip(more)?;
        }
        _ => reader.skip(operands(code)?)?,
    }
    out.extend(reader.since(start));
    Some(())
}

/// How many bytes follow an instruction that has always as many.
fn operands(code: u8) -> Option<usize> {
    match code {
        0x10 | 0x12 | 0x15..=0x19 | 0x36..=0x3a | 0xa9 | 0xbc => Some(1),
        0x11 | 0x13 | 0x14 | 0x84 | 0xb2..=0xb8 | 0xbb | 0xbd | 0xc0 | 0xc1 => Some(2),
        0xc5 => Some(3),
        0xb9 | 0xba => Some(4),
        0x00..=0xc3 => Some(0),
        _ => None,
    }
}

impl Moved {
    /// What `StackMapTable` holds: the types on the stack and of the variables where jumps lead.
    fn frames(&self, frames: &[u8]) -> Option<Vec<u8>> {
        let mut reader = Reader::new(frames);
        let count = reader.u16()?;
        let mut out = count.to_be_bytes().to_vec();
        // The first instruction after the one before, then and now.
        let (mut old, mut new) = (0, 0);
        for _ in 0..count {
            let tag = reader.u8()?;
            let (offset, tag) = match tag {
                // What holds its offset itself becomes what has it behind it.
                0..=63 => (tag.into(), 251),
                64..=127 => (u16::from(tag) - 64, 247),
                247..=255 => (reader.u16()?, tag),
                _ => return None,
            };
            let place = old + usize::from(offset);
            let target = *self.targets.get(&place)?;
            out.push(tag);
            put(&mut out, 2, target.checked_sub(new)?)?;
            (old, new) = (place + 1, target + 1);
            match tag {
                247 => self.types(1, &mut reader, &mut out)?,
                252..=254 => self.types(u16::from(tag) - 251, &mut reader, &mut out)?,
                255 => {
                    for _ in ["the variables", "the stack"] {
                        let many = reader.u16()?;
                        put(&mut out, 2, many.into())?;
                        self.types(many, &mut reader, &mut out)?;
                    }
                }
                _ => {}
            }
        }
        Some(out)
    }

    fn types(&self, count: u16, reader: &mut Reader<'_>, out: &mut Vec<u8>) -> Option<()> {
        for _ in 0..count {
            let tag = reader.u8()?;
            out.push(tag);
            match tag {
                0..=6 => {}
                7 => put(out, 2, reader.u16()?.into())?,
                // An object before its constructor is called, by the instruction that made it.
                8 => put(out, 2, *self.places.get(&usize::from(reader.u16()?))?)?,
                _ => return None,
            }
        }
        Some(())
    }
}
