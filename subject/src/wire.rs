//! What the harness and a worker say to each other.
//!
//! A frame is its length as a `u32`, then that many bytes; all numbers are little-endian. The first frame to a worker is a
//! [`Hello`]; each one after it is a [`Request`], answered by one [`Answer`], in order. A worker ends when its input ends.

use crate::{Case, End, How, Outcome};
use std::collections::BTreeMap;
use std::io::{self, Read, Write};

/// The version of this protocol, as [`WORKER_VARIABLE`](crate::WORKER_VARIABLE) carries it.
pub const VERSION: &str = "1";

/// The longest frame that is accepted, in bytes: more is a broken stream.
const MAX_FRAME: usize = 1 << 30;

/// A set of mutants, by index.
#[derive(Clone, Debug, Default, PartialEq, Eq, Hash)]
pub struct MutantSet(Vec<u64>);

impl MutantSet {
    /// The set of the first `count` mutants.
    pub fn all(count: usize) -> Self {
        (0..count).collect()
    }

    /// Adds a mutant.
    pub fn insert(&mut self, mutant: usize) {
        if self.0.len() <= mutant / 64 {
            self.0.resize(mutant / 64 + 1, 0);
        }
        self.0[mutant / 64] |= 1 << (mutant % 64);
    }

    /// Takes a mutant out.
    pub fn remove(&mut self, mutant: usize) {
        if let Some(word) = self.0.get_mut(mutant / 64) {
            *word &= !(1 << (mutant % 64));
        }
    }

    /// Whether the mutant is in the set.
    pub fn contains(&self, mutant: usize) -> bool {
        self.0.get(mutant / 64).is_some_and(|word| word >> (mutant % 64) & 1 == 1)
    }

    /// Adds all the mutants of another set.
    pub fn add_all(&mut self, other: &Self) {
        other.iter().for_each(|mutant| self.insert(mutant));
    }

    /// Whether every mutant of this set is in the other.
    pub fn is_subset(&self, other: &Self) -> bool {
        self.0.iter().enumerate().all(|(at, word)| word & !other.0.get(at).copied().unwrap_or(0) == 0)
    }

    /// The mutants of this set that are not in the other.
    #[must_use]
    pub fn without(&self, other: &Self) -> Self {
        Self(self.0.iter().enumerate().map(|(at, word)| word & !other.0.get(at).copied().unwrap_or(0)).collect())
    }

    /// The mutants that are in both sets.
    #[must_use]
    pub fn both(&self, other: &Self) -> Self {
        Self(self.0.iter().zip(&other.0).map(|(a, b)| a & b).collect())
    }

    /// The mutants of the set, in order.
    pub fn iter(&self) -> impl Iterator<Item = usize> + '_ {
        self.0
            .iter()
            .enumerate()
            .flat_map(|(at, &word)| (0..64).filter(move |bit| word >> bit & 1 == 1).map(move |bit| at * 64 + bit))
    }

    /// How many mutants are in the set.
    pub fn len(&self) -> usize {
        self.0.iter().map(|word| word.count_ones() as usize).sum()
    }

    /// Whether the set is empty.
    pub fn is_empty(&self) -> bool {
        self.0.iter().all(|&word| word == 0)
    }
}

impl FromIterator<usize> for MutantSet {
    fn from_iter<I: IntoIterator<Item = usize>>(mutants: I) -> Self {
        let mut set = Self::default();
        mutants.into_iter().for_each(|mutant| set.insert(mutant));
        set
    }
}

/// The first frame: the mutants' ids, whose order gives them their indices, and the limits of every run.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Hello {
    /// The ids.
    pub ids: Vec<String>,
    /// The limits.
    pub limits: Limits,
}

/// What a run may use. Time and memory are the harness's to watch.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Limits {
    /// The reference may take this many steps itself.
    pub reference_steps: u64,
    /// A mutant may take this many steps however few the reference took.
    pub step_floor: u64,
    /// A mutant may take this many times the steps of the reference.
    pub step_factor: u64,
    /// Bytes of standard output.
    pub output: u64,
}

/// How much an [`Answer`] tells.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Detail {
    /// Which mutants differ, and how. The reference's outcome comes without its output.
    Verdicts,
    /// The reference's whole outcome too.
    Reference,
    /// The whole outcome of each mutant that differs too.
    Outcomes,
}

/// One case, and the mutants to run on it if the reference reaches them.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Request {
    /// The case.
    pub case: Case,
    /// The mutants.
    pub mutants: MutantSet,
    /// How much to answer.
    pub detail: Detail,
}

/// One row of the matrix.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Answer {
    /// What the program did with nothing selected.
    pub reference: Outcome,
    /// The steps that it took.
    pub steps: u64,
    /// The mutants that it reached; no other can differ.
    pub reached: MutantSet,
    /// The mutants that differ, in order. None is run where the reference rejects the case.
    pub differing: Vec<Difference>,
    /// The mutants that took another number of steps, and yet did what the reference did.
    pub near: MutantSet,
}

/// A mutant that differs from the reference.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Difference {
    /// The mutant's index.
    pub mutant: usize,
    /// How it differs.
    pub how: How,
    /// What it did, where the request asked for that.
    pub outcome: Option<Outcome>,
}

/// A message of the protocol.
pub trait Message: Sized {
    /// Appends the message to `bytes`.
    fn encode(&self, bytes: &mut Vec<u8>);

    /// Takes the message off the front of `bytes`.
    ///
    /// # Errors
    /// `InvalidData` where the bytes end too soon or hold no such message.
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

/// Reads one frame into `buffer`, and the message out of it. `None` where the stream ends before a frame begins.
pub fn read_frame<M: Message>(reader: &mut impl Read, buffer: &mut Vec<u8>) -> io::Result<Option<M>> {
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
    let (taken, rest) = bytes.split_at_checked(count).ok_or_else(|| broken("a frame ends too soon"))?;
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

fn encode_all<'a, M: Message + 'a>(items: impl ExactSizeIterator<Item = &'a M>, bytes: &mut Vec<u8>) {
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
        Ok(Self { args: decode_all(bytes)?, input: Vec::decode(bytes)?, files: BTreeMap::decode(bytes)? })
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

const HOWS: [How; 6] = [How::Output, How::Exit, How::Crash, How::Timeout, How::Memory, How::OutputLimit];
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
    }

    fn decode(bytes: &mut &[u8]) -> io::Result<Self> {
        let ids = decode_all(bytes)?;
        let (reference_steps, step_floor, step_factor) = (u64::decode(bytes)?, u64::decode(bytes)?, u64::decode(bytes)?);
        Ok(Self { ids, limits: Limits { reference_steps, step_floor, step_factor, output: u64::decode(bytes)? } })
    }
}

impl Message for Request {
    fn encode(&self, bytes: &mut Vec<u8>) {
        self.case.encode(bytes);
        self.mutants.encode(bytes);
        self.detail.encode(bytes);
    }

    fn decode(bytes: &mut &[u8]) -> io::Result<Self> {
        Ok(Self { case: Case::decode(bytes)?, mutants: MutantSet::decode(bytes)?, detail: Detail::decode(bytes)? })
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
        self.reached.encode(bytes);
        encode_all(self.differing.iter(), bytes);
        self.near.encode(bytes);
    }

    fn decode(bytes: &mut &[u8]) -> io::Result<Self> {
        Ok(Self {
            reference: Outcome::decode(bytes)?,
            steps: u64::decode(bytes)?,
            reached: MutantSet::decode(bytes)?,
            differing: decode_all(bytes)?,
            near: MutantSet::decode(bytes)?,
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn check<M: Message + PartialEq + std::fmt::Debug>(message: &M) {
        let mut bytes = Vec::new();
        write_frame(&mut bytes, message).unwrap();
        assert_eq!(read_frame::<M>(&mut bytes.as_slice(), &mut Vec::new()).unwrap().as_ref(), Some(message));
        for length in 4..bytes.len() {
            let mut cut = bytes[..length].to_vec();
            cut[..4].copy_from_slice(&(length as u32 - 4).to_le_bytes());
            assert!(read_frame::<M>(&mut cut.as_slice(), &mut Vec::new()).is_err(), "cut at {length}");
        }
    }

    fn outcome(end: End) -> Outcome {
        Outcome { end, stdout: b"out".to_vec(), stderr: vec![0xff], files: BTreeMap::from([("f".to_owned(), vec![1])]) }
    }

    #[test]
    fn a_request_survives_the_wire_and_a_cut_one_is_refused() {
        let case = Case { args: vec!["-q".into()], input: b"1 1 2\n@?".to_vec(), files: BTreeMap::new() };
        check(&Request { case, mutants: MutantSet::from_iter([0, 3, 70]), detail: Detail::Outcomes });
    }

    #[test]
    fn a_hello_and_an_answer_survive_the_wire() {
        let limits = Limits { reference_steps: 4, step_floor: 1, step_factor: 2, output: 3 };
        check(&Hello { ids: vec!["a".into(), "b".into()], limits });
        let differing = [End::Crash("at line 3".into()), End::Timeout, End::Memory, End::OutputLimit, End::Exit(1)]
            .into_iter()
            .enumerate()
            .map(|(mutant, end)| Difference { mutant, how: HOWS[mutant], outcome: (mutant > 0).then(|| outcome(end)) })
            .collect();
        check(&Answer {
            reference: outcome(End::Exit(0)),
            steps: 9,
            reached: MutantSet::all(65),
            differing,
            near: MutantSet::all(1),
        });
    }
}
