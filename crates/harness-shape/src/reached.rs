//! What of a shape inputs have reached: bounds, alternatives, letters.

use crate::tree::{Command, Int, Noise, Shape, What};
use std::collections::{BTreeMap, BTreeSet};

/// Something that an input may reach at a command.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Fact {
    /// A number is its least.
    Least,
    /// A number is its most.
    Most,
    Then,
    Otherwise,
    /// Something is not there, or is not repeated at all.
    Never,
    /// Something is there at least once.
    Repeated,
    /// One of several words, by its number.
    Word(usize),
    /// A letter of a grid.
    Letter(u8),
}

/// What inputs have reached.
#[derive(Clone, Debug, Default)]
pub struct Reached {
    facts: BTreeMap<usize, BTreeSet<Fact>>,
}

/// Something that no input reaches.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Missing {
    /// The offset in the shape.
    pub at: usize,
    pub what: String,
}

impl Reached {
    pub(crate) fn add(&mut self, command: usize, fact: Fact) {
        self.facts.entry(command).or_default().insert(fact);
    }

    pub(crate) fn letters(&mut self, command: usize, cells: &[u8]) {
        let mut is_there = [false; 256];
        cells.iter().for_each(|&cell| is_there[usize::from(cell)] = true);
        for letter in (0..=u8::MAX).filter(|&letter| is_there[usize::from(letter)]) {
            self.add(command, Fact::Letter(letter));
        }
    }

    pub(crate) fn add_all(&mut self, other: Self) {
        for (command, facts) in other.facts {
            self.facts.entry(command).or_default().extend(facts);
        }
    }

    /// What was not reached, in the order of the shape.
    pub fn missing(&self, shape: &Shape) -> Vec<Missing> {
        let mut missing = Vec::new();
        self.find(&shape.commands, shape, &mut missing);
        missing
    }

    fn find(&self, commands: &[Command], shape: &Shape, missing: &mut Vec<Missing>) {
        for command in commands {
            let seen = self.facts.get(&command.at);
            let has = |fact: &Fact| seen.is_some_and(|seen| seen.contains(fact));
            let mut wanted: Vec<(Fact, String)> = Vec::new();
            let mut inner: Vec<&[Command]> = Vec::new();
            match &command.what {
                What::Int(Int { name, .. }) => {
                    let name = name.as_ref().map_or("the number", |name| &shape.names[name.name]);
                    wanted.push((Fact::Least, format!("`{name}` is never its least")));
                    wanted.push((Fact::Most, format!("`{name}` is never its most")));
                }
                What::Word { words, .. } => {
                    let never = |(at, word): (usize, &Vec<u8>)| {
                        (Fact::Word(at), format!("`{}` never occurs", word.escape_ascii()))
                    };
                    wanted.extend(words.iter().enumerate().map(never));
                }
                What::If { then, otherwise, .. } => {
                    wanted.push((Fact::Then, "this is never chosen".to_owned()));
                    if !otherwise.is_empty() {
                        wanted.push((Fact::Otherwise, "nothing else is ever chosen".to_owned()));
                    }
                    inner.extend([then.as_slice(), otherwise]);
                }
                What::Repeat { body, .. } => {
                    wanted.push((Fact::Repeated, "this never occurs".to_owned()));
                    inner.push(body);
                }
                What::Many(many) => {
                    wanted.push((Fact::Repeated, "this never occurs".to_owned()));
                    inner.push(&many.body);
                }
                What::Block(commands) => inner.push(commands),
                What::Cases { cases, .. } => {
                    for case in cases {
                        let facts = self.facts.get(&case.at);
                        if !facts.is_some_and(|facts| facts.contains(&Fact::Then)) {
                            let what = format!("the case `{}` never occurs", case.value);
                            missing.push(Missing { at: case.at, what });
                        }
                        inner.push(&case.commands);
                    }
                }
                What::Noise(noises) if noises.iter().any(Noise::is_made) => {
                    wanted.push((Fact::Repeated, "this never occurs".to_owned()));
                }
                What::Grid(grid) => {
                    let letters = grid.letters.iter().chain(grid.counts.iter().map(|c| &c.letter));
                    let name = &grid.name;
                    wanted.extend(letters.map(|&letter| {
                        let shown = letter.escape_ascii();
                        (Fact::Letter(letter), format!("`{name}` never has `{shown}`"))
                    }));
                }
                What::Edges(edges) => inner.push(&edges.after),
                _ => {}
            }
            let never = wanted.into_iter().filter(|(fact, _)| !has(fact));
            missing.extend(never.map(|(_, what)| Missing { at: command.at, what }));
            inner.into_iter().for_each(|commands| self.find(commands, shape, missing));
        }
    }
}
