//! Compiles an expression into the states of an automaton.

use super::{MOST_STATES, Node, Refused, State, set_of};

impl Node {
    pub(super) fn compile(&self, states: &mut Vec<State>) -> Result<(), Refused> {
        if states.len() > MOST_STATES {
            return Err(Refused::TooLarge);
        }
        match self {
            Self::Bytes(bytes) => {
                states.extend(bytes.iter().map(|&byte| State::Byte(set_of(&[byte]))));
            }
            Self::Set(set) => states.push(State::Byte(set_of(set))),
            Self::Sequence(parts) => {
                for part in parts {
                    part.compile(states)?;
                }
            }
            Self::Either(parts) => return compile_either(parts, states),
            Self::Repeat { least, most, is_greedy, part } => {
                for _ in 0..*least {
                    part.compile(states)?;
                }
                match most {
                    None => {
                        let start = states.len();
                        states.push(State::Match);
                        part.compile(states)?;
                        states.push(State::Jump(start));
                        states[start] = split(*is_greedy, start + 1, states.len());
                    }
                    Some(most) => {
                        let mut exits = Vec::new();
                        for _ in *least..*most {
                            exits.push(states.len());
                            states.push(State::Match);
                            part.compile(states)?;
                        }
                        let end = states.len();
                        for exit in exits {
                            states[exit] = split(*is_greedy, exit + 1, end);
                        }
                    }
                }
            }
        }
        Ok(())
    }
}

fn compile_either(parts: &[Node], states: &mut Vec<State>) -> Result<(), Refused> {
    let mut jumps = Vec::new();
    for (at, part) in parts.iter().enumerate() {
        let start = states.len();
        let is_last = at + 1 == parts.len();
        if !is_last {
            states.push(State::Match);
        }
        part.compile(states)?;
        if !is_last {
            jumps.push(states.len());
            states.push(State::Match);
            states[start] = State::Split(start + 1, states.len());
        }
    }
    let end = states.len();
    jumps.into_iter().for_each(|jump| states[jump] = State::Jump(end));
    Ok(())
}

fn split(is_greedy: bool, go_on: usize, leave: usize) -> State {
    if is_greedy { State::Split(go_on, leave) } else { State::Split(leave, go_on) }
}
