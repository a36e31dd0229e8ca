//! Regular expressions over bytes: matching in linear time, and making texts that match.
//!
//! A dot matches every byte, a newline too, and a bracket, group or repetition means what it means in POSIX extended expressions and
//! in Perl. Matching prefers what Perl prefers: earlier alternatives and more repetitions.

mod compile;
mod derive;
mod make;

use crate::choice::{Choice, Choose};
use regex_syntax::ParserBuilder;
use regex_syntax::hir::{Class, Hir, HirKind, Look, Repetition};
use std::fmt;

/// The most states of a compiled expression: `((a{99}){99}){99}` has more.
const MOST_STATES: usize = 100_000;

/// A compiled regular expression.
#[derive(Debug)]
pub struct Pattern {
    root: Node,
    states: Vec<State>,
    /// The same as simple parts, if that is possible.
    simple: Option<Vec<Simple>>,
}

/// Why an expression cannot be used.
#[derive(Debug)]
pub enum Refused {
    /// It is no expression, for this reason.
    Wrong(String),
    /// It has more than [`MOST_STATES`].
    TooLarge,
}

impl Refused {
    /// A hint to do something else `instead`, if the expression is only too large.
    pub fn hint(&self, instead: &str) -> Option<String> {
        matches!(self, Self::TooLarge).then(|| instead.to_owned())
    }
}

impl fmt::Display for Refused {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Wrong(why) => f.write_str(why),
            Self::TooLarge => {
                write!(f, "the regular expression has more than {MOST_STATES} states")
            }
        }
    }
}

/// Bytes of a set, as many as there are.
#[derive(Debug)]
struct Simple {
    set: Box<[bool; 256]>,
    least: usize,
    most: Option<usize>,
}

/// A part of an expression.
#[derive(Debug)]
enum Node {
    Bytes(Vec<u8>),
    /// One byte of a set, the simplest first.
    Set(Vec<u8>),
    Repeat {
        least: u32,
        most: Option<u32>,
        is_greedy: bool,
        part: Box<Node>,
    },
    Sequence(Vec<Node>),
    Either(Vec<Node>),
}

/// A state of the automaton.
#[derive(Debug)]
enum State {
    /// Goes to the next state if the byte is in the set.
    Byte(Box<[bool; 256]>),
    /// Goes to both states. The first is preferred.
    Split(usize, usize),
    Jump(usize),
    Match,
}

impl Pattern {
    /// Compiles an expression.
    ///
    /// # Errors
    /// If it is not a regular expression, or too large.
    pub fn new(expression: &[u8]) -> Result<Self, Refused> {
        let text: String = expression.iter().map(|&byte| escaped(byte)).collect();
        let parsed = ParserBuilder::new()
            .utf8(false)
            .unicode(false)
            .dot_matches_new_line(true)
            .nest_limit(100)
            .build()
            .parse(&text)
            .map_err(|error| {
                let error = error.to_string();
                Refused::Wrong(format!("not a regular expression: {}", last_line(&error)))
            })?;
        let root = Node::from(&parsed).map_err(Refused::Wrong)?;
        let mut states = Vec::new();
        root.compile(&mut states)?;
        states.push(State::Match);
        let simple = root.simple();
        Ok(Self { root, states, simple })
    }

    /// The length of the preferred match at the beginning of `text`. It may cost as much as `work`.
    ///
    /// # Errors
    /// If it costs more.
    pub fn match_at(&self, text: &[u8], work: &mut u64) -> Result<Option<usize>, String> {
        if let Some(simple) = &self.simple {
            return Ok(match_simple(simple, text));
        }
        let mut end = None;
        let (mut now, mut next) =
            (Threads::new(self.states.len()), Threads::new(self.states.len()));
        *work = work.saturating_sub(self.states.len() as u64 / 16);
        now.add(&self.states, 0);
        for at in 0..=text.len() {
            if now.list.is_empty() {
                break;
            }
            *work = work.saturating_sub(now.seen.len() as u64);
            if *work == 0 {
                return Err("matching the regular expression takes too long".to_owned());
            }
            next.clear();
            for &state in &now.list {
                match &self.states[state] {
                    State::Match => {
                        end = Some(at);
                        // The later threads are less preferred than this match.
                        break;
                    }
                    State::Byte(set)
                        if text.get(at).is_some_and(|&byte| set[usize::from(byte)]) =>
                    {
                        next.add(&self.states, state + 1);
                    }
                    _ => {}
                }
            }
            std::mem::swap(&mut now, &mut next);
        }
        Ok(end)
    }

    /// A text that matches, of `length` bytes if that is given and possible. It stops soon after `most` bytes.
    pub fn make(&self, length: Option<usize>, most: usize, choose: &mut dyn Choose) -> Vec<u8> {
        let mut text = Vec::new();
        self.root.make(length, most, choose, &mut text);
        text
    }

    /// The bytes that can begin a match, and whether a match can be empty.
    pub(crate) fn first(&self) -> ([bool; 256], bool) {
        let (mut first, mut is_optional) = ([false; 256], false);
        let mut threads = Threads::new(self.states.len());
        threads.add(&self.states, 0);
        for &state in &threads.list {
            match &self.states[state] {
                State::Byte(set) => (0..256).for_each(|byte| first[byte] |= set[byte]),
                State::Match => is_optional = true,
                State::Split(..) | State::Jump(_) => {}
            }
        }
        (first, is_optional)
    }

    /// The choices that make `text`; `None` if they are not found soon.
    pub fn choices(&self, text: &[u8], length: Option<usize>) -> Option<Vec<Choice>> {
        let mut search = derive::Search::new(text);
        let is_found = search.derive(&self.root, length);
        is_found.then_some(search.choices)
    }
}

/// Matches parts of which each has no choice but to take what it can.
fn match_simple(parts: &[Simple], text: &[u8]) -> Option<usize> {
    let mut at = 0;
    for part in parts {
        let most = part.most.unwrap_or(usize::MAX);
        let fits = |byte: &&u8| part.set[usize::from(**byte)];
        let count = text[at..].iter().take(most).take_while(fits).count();
        if count < part.least {
            return None;
        }
        at += count;
    }
    Some(at)
}

/// The threads of the automaton at one place of a text, the preferred first.
struct Threads {
    list: Vec<usize>,
    is_in: Vec<bool>,
    /// The states that are marked in `is_in`.
    seen: Vec<usize>,
    stack: Vec<usize>,
}

impl Threads {
    fn new(states: usize) -> Self {
        Self { list: Vec::new(), is_in: vec![false; states], seen: Vec::new(), stack: Vec::new() }
    }

    fn clear(&mut self) {
        self.list.clear();
        self.seen.drain(..).for_each(|state| self.is_in[state] = false);
    }

    /// Adds a state and those that follow it without a byte.
    fn add(&mut self, states: &[State], state: usize) {
        self.stack.push(state);
        while let Some(state) = self.stack.pop() {
            if std::mem::replace(&mut self.is_in[state], true) {
                continue;
            }
            self.seen.push(state);
            match states[state] {
                State::Jump(to) => self.stack.push(to),
                State::Split(first, second) => self.stack.extend([second, first]),
                State::Byte(_) | State::Match => self.list.push(state),
            }
        }
    }
}

impl Node {
    fn from(hir: &Hir) -> Result<Self, String> {
        Ok(match hir.kind() {
            HirKind::Empty | HirKind::Look(Look::Start | Look::End) => Self::Bytes(Vec::new()),
            HirKind::Look(_) => return Err("`\\b` and its kin are not supported".to_owned()),
            HirKind::Literal(literal) => Self::Bytes(literal.0.to_vec()),
            HirKind::Class(class) => Self::Set(members(class)),
            HirKind::Capture(capture) => Self::from(&capture.sub)?,
            HirKind::Repetition(repetition) => {
                let Repetition { min, max, greedy, sub } = repetition;
                let part = Box::new(Self::from(sub)?);
                Self::Repeat { least: *min, most: *max, is_greedy: *greedy, part }
            }
            HirKind::Concat(parts) => {
                Self::Sequence(parts.iter().map(Self::from).collect::<Result<_, _>>()?)
            }
            HirKind::Alternation(parts) => {
                Self::Either(parts.iter().map(Self::from).collect::<Result<_, _>>()?)
            }
        })
    }

    /// The expression as simple parts: each but the last is as often as it must be, or ends where the next one begins.
    fn simple(&self) -> Option<Vec<Simple>> {
        let mut parts = Vec::new();
        self.add_simple(&mut parts)?;
        let ends = |pair: &[Simple]| {
            let [part, next] = pair else { return true };
            let is_apart = part.set.iter().zip(next.set.iter()).all(|(a, b)| !(a & b));
            Some(part.least) == part.most || (next.least > 0 && is_apart)
        };
        parts.windows(2).all(ends).then_some(parts)
    }

    fn add_simple(&self, parts: &mut Vec<Simple>) -> Option<()> {
        /// Long literals and fixed repetitions would take much memory as parts.
        const MOST_PARTS: usize = 200;
        match self {
            _ if parts.len() > MOST_PARTS => return None,
            Self::Bytes(bytes) => {
                let one = |&byte: &u8| Simple { set: set_of(&[byte]), least: 1, most: Some(1) };
                parts.extend(bytes.iter().map(one));
            }
            Self::Set(set) => parts.push(Simple { set: set_of(set), least: 1, most: Some(1) }),
            Self::Sequence(all) => all.iter().try_for_each(|part| part.add_simple(parts))?,
            Self::Repeat { least, most, is_greedy: true, part } => {
                let Self::Set(set) = &**part else { return None };
                parts.push(Simple {
                    set: set_of(set),
                    least: *least as usize,
                    most: most.map(|most| most as usize),
                });
            }
            Self::Repeat { .. } | Self::Either(_) => return None,
        }
        Some(())
    }

    /// The least and the most bytes of a text. `None` is no limit.
    fn lengths(&self) -> (usize, Option<usize>) {
        match self {
            Self::Bytes(bytes) => (bytes.len(), Some(bytes.len())),
            Self::Set(_) => (1, Some(1)),
            Self::Repeat { least, most, part, .. } => {
                let (shortest, longest) = part.lengths();
                let longest = match (longest, most) {
                    (Some(0), _) => Some(0),
                    (Some(longest), Some(most)) => longest.checked_mul(*most as usize),
                    _ => None,
                };
                (shortest.saturating_mul(*least as usize), longest)
            }
            Self::Sequence(parts) => {
                parts.iter().map(Self::lengths).fold((0, Some(0)), |sum, one| {
                    let most = sum.1.zip(one.1).and_then(|(a, b)| a.checked_add(b));
                    (sum.0.saturating_add(one.0), most)
                })
            }
            Self::Either(parts) => {
                let lengths = parts.iter().map(Self::lengths);
                let least = lengths.clone().map(|(least, _)| least).min().unwrap_or(0);
                let most = lengths.map(|(_, most)| most).try_fold(0, |a, b| Some(a.max(b?)));
                (least, most)
            }
        }
    }

    fn can_have(&self, length: usize) -> bool {
        let (least, most) = self.lengths();
        least <= length && most.is_none_or(|most| length <= most)
    }
}

fn set_of(bytes: &[u8]) -> Box<[bool; 256]> {
    let mut set = Box::new([false; 256]);
    bytes.iter().for_each(|&byte| set[usize::from(byte)] = true);
    set
}

/// The bytes of a class, letters and digits first and control characters last.
fn members(class: &Class) -> Vec<u8> {
    let mut bytes: Vec<u8> = match class {
        Class::Bytes(class) => {
            class.ranges().iter().flat_map(|range| range.start()..=range.end()).collect()
        }
        Class::Unicode(class) => {
            let ranges = class.ranges().iter().flat_map(|range| range.start()..=range.end());
            ranges.filter_map(|letter| u8::try_from(letter).ok()).collect()
        }
    };
    bytes.sort_by_key(|byte| match byte {
        b'a'..=b'z' => 0,
        b'A'..=b'Z' => 1,
        b'0'..=b'9' => 2,
        b'!'..=b'~' => 3,
        b' ' => 4,
        _ => 5,
    });
    bytes
}

/// A byte of an expression as the parser reads it: bytes beyond ASCII stand for themselves.
fn escaped(byte: u8) -> String {
    if byte.is_ascii() { char::from(byte).to_string() } else { format!("\\x{byte:02x}") }
}

fn last_line(text: &str) -> &str {
    text.lines().last().unwrap_or_default().trim_start_matches("error: ")
}
