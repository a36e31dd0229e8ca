//! Encodes messages as bytes and decodes them.

use super::{Answer, Detail, Difference, Hello, MAX_FRAME, Request, WorkerLimits};
use crate::{Case, End, How, MutantSet, Outcome};
use std::collections::BTreeMap;
use std::io::{self, Read, Write};

/// A message of the protocol.
pub trait Message: Sized {
    /// Appends the message to `bytes`.
    fn encode(&self, bytes: &mut Vec<u8>);

    /// Removes the message from the front of `bytes`.
    ///
    /// # Errors
    /// `InvalidData` if the bytes end too soon or are not such a message.
    fn decode(bytes: &mut &[u8]) -> io::Result<Self>;
}

/// Appends `message` to `bytes` as one frame.
pub fn put_frame(bytes: &mut Vec<u8>, message: &impl Message) {
    let start = bytes.len();
    bytes.extend_from_slice(&[0; 4]);
    message.encode(bytes);
    let length = (bytes.len() - start - 4) as u32;
    bytes[start..start + 4].copy_from_slice(&length.to_le_bytes());
}

/// Writes `message` as one frame.
pub fn write_frame(writer: &mut impl Write, message: &impl Message) -> io::Result<()> {
    let mut bytes = Vec::new();
    put_frame(&mut bytes, message);
    writer.write_all(&bytes)
}

/// Reads one frame into `buffer` and decodes its message. Returns `None` if the stream ends before a frame begins.
pub fn read_frame<M: Message>(
    reader: &mut impl Read,
    buffer: &mut Vec<u8>,
) -> io::Result<Option<M>> {
    let mut length = [0; 4];
    match reader.read_exact(&mut length) {
        Err(error) if error.kind() == io::ErrorKind::UnexpectedEof => return Ok(None),
        read => read?,
    }
    let length = u32::from_le_bytes(length) as usize;
    if length > MAX_FRAME {
        return Err(broken("a frame is too long"));
    }
    buffer.resize(length, 0);
    reader.read_exact(buffer)?;
    let mut rest = buffer.as_slice();
    let message = M::decode(&mut rest)?;
    if rest.is_empty() { Ok(Some(message)) } else { Err(broken("a frame has bytes left over")) }
}

fn broken(what: &str) -> io::Error {
    io::Error::new(io::ErrorKind::InvalidData, what)
}

fn take<'a>(bytes: &mut &'a [u8], count: usize) -> io::Result<&'a [u8]> {
    let (taken, rest) =
        bytes.split_at_checked(count).ok_or_else(|| broken("a frame ends too soon"))?;
    *bytes = rest;
    Ok(taken)
}

impl Message for u8 {
    fn encode(&self, bytes: &mut Vec<u8>) {
        bytes.push(*self);
    }

    fn decode(bytes: &mut &[u8]) -> io::Result<Self> {
        Ok(take(bytes, 1)?[0])
    }
}

impl Message for u64 {
    fn encode(&self, bytes: &mut Vec<u8>) {
        bytes.extend_from_slice(&self.to_le_bytes());
    }

    fn decode(bytes: &mut &[u8]) -> io::Result<Self> {
        Ok(Self::from_le_bytes(take(bytes, 8)?.try_into().expect("eight bytes were taken")))
    }
}

impl Message for usize {
    fn encode(&self, bytes: &mut Vec<u8>) {
        bytes.extend_from_slice(&(*self as u32).to_le_bytes());
    }

    fn decode(bytes: &mut &[u8]) -> io::Result<Self> {
        Ok(u32::from_le_bytes(take(bytes, 4)?.try_into().expect("four bytes were taken")) as Self)
    }
}

impl Message for Vec<u8> {
    fn encode(&self, bytes: &mut Vec<u8>) {
        self.len().encode(bytes);
        bytes.extend_from_slice(self);
    }

    fn decode(bytes: &mut &[u8]) -> io::Result<Self> {
        let length = usize::decode(bytes)?;
        Ok(take(bytes, length)?.to_vec())
    }
}

impl Message for String {
    fn encode(&self, bytes: &mut Vec<u8>) {
        self.len().encode(bytes);
        bytes.extend_from_slice(self.as_bytes());
    }

    fn decode(bytes: &mut &[u8]) -> io::Result<Self> {
        Self::from_utf8(Vec::decode(bytes)?).map_err(|_| broken("a text is not UTF-8"))
    }
}

fn encode_all<'a, M: Message + 'a>(
    items: impl ExactSizeIterator<Item = &'a M>,
    bytes: &mut Vec<u8>,
) {
    items.len().encode(bytes);
    items.for_each(|item| item.encode(bytes));
}

fn decode_all<M: Message, C: FromIterator<M>>(bytes: &mut &[u8]) -> io::Result<C> {
    let count = usize::decode(bytes)?;
    (0..count).map(|_| M::decode(bytes)).collect()
}

impl Message for BTreeMap<String, Vec<u8>> {
    fn encode(&self, bytes: &mut Vec<u8>) {
        self.len().encode(bytes);
        for (name, contents) in self {
            name.encode(bytes);
            contents.encode(bytes);
        }
    }

    fn decode(bytes: &mut &[u8]) -> io::Result<Self> {
        let count = usize::decode(bytes)?;
        (0..count).map(|_| Ok((String::decode(bytes)?, Vec::decode(bytes)?))).collect()
    }
}

impl Message for Case {
    fn encode(&self, bytes: &mut Vec<u8>) {
        encode_all(self.args.iter(), bytes);
        self.input.encode(bytes);
        self.files.encode(bytes);
    }

    fn decode(bytes: &mut &[u8]) -> io::Result<Self> {
        Ok(Self {
            args: decode_all(bytes)?,
            input: Vec::decode(bytes)?,
            files: BTreeMap::decode(bytes)?,
        })
    }
}

impl Message for End {
    fn encode(&self, bytes: &mut Vec<u8>) {
        match self {
            Self::Exit(status) => bytes.extend_from_slice(&[0, *status]),
            Self::Crash(how) => {
                bytes.push(1);
                how.encode(bytes);
            }
            Self::Timeout => bytes.push(2),
            Self::Memory => bytes.push(3),
            Self::OutputLimit => bytes.push(4),
        }
    }

    fn decode(bytes: &mut &[u8]) -> io::Result<Self> {
        Ok(match u8::decode(bytes)? {
            0 => Self::Exit(u8::decode(bytes)?),
            1 => Self::Crash(String::decode(bytes)?),
            2 => Self::Timeout,
            3 => Self::Memory,
            4 => Self::OutputLimit,
            _ => return Err(broken("no such end")),
        })
    }
}

impl Message for Outcome {
    fn encode(&self, bytes: &mut Vec<u8>) {
        self.end.encode(bytes);
        self.stdout.encode(bytes);
        self.stderr.encode(bytes);
        self.files.encode(bytes);
    }

    fn decode(bytes: &mut &[u8]) -> io::Result<Self> {
        Ok(Self {
            end: End::decode(bytes)?,
            stdout: Vec::decode(bytes)?,
            stderr: Vec::decode(bytes)?,
            files: BTreeMap::decode(bytes)?,
        })
    }
}

const HOWS: [How; 8] = [
    How::Output,
    How::Exit,
    How::Crash,
    How::Timeout,
    How::Memory,
    How::OutputLimit,
    How::Accepts,
    How::Message,
];
const DETAILS: [Detail; 3] = [Detail::Verdicts, Detail::Reference, Detail::Outcomes];

impl Message for How {
    fn encode(&self, bytes: &mut Vec<u8>) {
        bytes.push(*self as u8);
    }

    fn decode(bytes: &mut &[u8]) -> io::Result<Self> {
        HOWS.get(u8::decode(bytes)? as usize).copied().ok_or_else(|| broken("no such difference"))
    }
}

impl Message for Detail {
    fn encode(&self, bytes: &mut Vec<u8>) {
        bytes.push(*self as u8);
    }

    fn decode(bytes: &mut &[u8]) -> io::Result<Self> {
        DETAILS.get(u8::decode(bytes)? as usize).copied().ok_or_else(|| broken("no such detail"))
    }
}

impl Message for MutantSet {
    fn encode(&self, bytes: &mut Vec<u8>) {
        encode_all(self.0.iter(), bytes);
    }

    fn decode(bytes: &mut &[u8]) -> io::Result<Self> {
        Ok(Self(decode_all(bytes)?))
    }
}

impl Message for Hello {
    fn encode(&self, bytes: &mut Vec<u8>) {
        encode_all(self.ids.iter(), bytes);
        self.limits.reference_steps.encode(bytes);
        self.limits.step_floor.encode(bytes);
        self.limits.step_factor.encode(bytes);
        self.limits.output.encode(bytes);
        self.limits.memory.encode(bytes);
        self.limits.time.encode(bytes);
        self.limits.processes.encode(bytes);
        u8::from(self.runs_refused).encode(bytes);
    }

    fn decode(bytes: &mut &[u8]) -> io::Result<Self> {
        let ids = decode_all(bytes)?;
        let (reference_steps, step_floor, step_factor) =
            (u64::decode(bytes)?, u64::decode(bytes)?, u64::decode(bytes)?);
        Ok(Self {
            ids,
            limits: WorkerLimits {
                reference_steps,
                step_floor,
                step_factor,
                output: u64::decode(bytes)?,
                memory: u64::decode(bytes)?,
                time: u64::decode(bytes)?,
                processes: u64::decode(bytes)?,
            },
            runs_refused: u8::decode(bytes)? != 0,
        })
    }
}

impl Message for Request {
    fn encode(&self, bytes: &mut Vec<u8>) {
        self.case.encode(bytes);
        self.mutants.encode(bytes);
        self.detail.encode(bytes);
        encode_all(self.steps.iter(), bytes);
    }

    fn decode(bytes: &mut &[u8]) -> io::Result<Self> {
        Ok(Self {
            case: Case::decode(bytes)?,
            mutants: MutantSet::decode(bytes)?,
            detail: Detail::decode(bytes)?,
            steps: decode_all::<u64, Vec<_>>(bytes)?.pop(),
        })
    }
}

impl Message for Difference {
    fn encode(&self, bytes: &mut Vec<u8>) {
        self.mutant.encode(bytes);
        self.how.encode(bytes);
        encode_all(self.outcome.iter(), bytes);
    }

    fn decode(bytes: &mut &[u8]) -> io::Result<Self> {
        let (mutant, how) = (usize::decode(bytes)?, How::decode(bytes)?);
        Ok(Self { mutant, how, outcome: decode_all::<Outcome, Vec<_>>(bytes)?.pop() })
    }
}

impl Message for Answer {
    fn encode(&self, bytes: &mut Vec<u8>) {
        self.reference.encode(bytes);
        self.steps.encode(bytes);
        self.written.encode(bytes);
        self.reached.encode(bytes);
        encode_all(self.differing.iter(), bytes);
        self.near.encode(bytes);
        self.endless.encode(bytes);
    }

    fn decode(bytes: &mut &[u8]) -> io::Result<Self> {
        Ok(Self {
            reference: Outcome::decode(bytes)?,
            steps: u64::decode(bytes)?,
            written: u64::decode(bytes)?,
            reached: MutantSet::decode(bytes)?,
            differing: decode_all(bytes)?,
            near: MutantSet::decode(bytes)?,
            endless: MutantSet::decode(bytes)?,
        })
    }
}
