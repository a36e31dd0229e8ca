//! Lists all inputs of a size: the simplest choices first, then the last choice that can still be raised.

use crate::choice::{Choice, Role, Simplest};
use crate::make::Input;
use crate::run::{Failure, Made, Most, Options};
use crate::tree::{Leeway, Shape};
use std::collections::HashSet;

/// How many values of a choice a list tries.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd)]
enum Width {
    /// The simplest number and letter.
    Plain,
    /// Few: for inputs in which something means nothing.
    Narrow,
    Usual,
    /// All letters of cells.
    Wide,
    /// All values, if there are not very many.
    All,
    /// The same, and many of those that are more.
    Many,
}

/// The inputs of a size.
pub struct Listed {
    pub inputs: Vec<ListedInput>,
    /// Whether these are all that the list tries: of a range of numbers, it may try a few.
    pub is_whole: bool,
    /// Whether there is no other input of this size: all values were tried, and the shape has nothing that means nothing.
    pub leaves_nothing_out: bool,
    /// A mistake of the shape itself, which makes no input of any size.
    pub failure: Option<Failure>,
}

/// An input without its choices: there may be hundreds of thousands.
#[derive(Debug)]
pub struct ListedInput {
    pub bytes: Vec<u8>,
    /// The numbers in the name of the test.
    pub parameters: Vec<i64>,
    /// How much of it means nothing.
    pub noise: u64,
    /// How many of its numbers are the last of a long range.
    extremes: usize,
}

/// How many values of a number are tried: the simplest ones, and the last.
const NUMBERS: u64 = 4;
const LETTERS: u64 = 4;
/// How many letters of a cell, and how many numbers of different letters, are tried in a list that is not wide.
const CELLS: u64 = 16;
const VARIETIES: u64 = 3;
/// How many values of a number are tried where something means nothing.
const NOISY_NUMBERS: u64 = 2;
/// All values of a number are tried in a list of all values, if there are no more than this.
const ALL_NUMBERS: u64 = 1000;
/// So many of them are tried first, and the last, if there are more.
const MANY_NUMBERS: u64 = 250;
/// A list of inputs of at most this size is wide or has all values, if that makes it no longer than this.
const WIDE_SIZE: u64 = 3;
const WIDE: usize = 20_000;
/// How much that means nothing inputs of at most this size have.
const NOISE: u64 = 2;

impl Shape {
    /// The inputs with exactly this many elements, those with the least that means nothing first, then those with the fewest numbers at
    /// the end of a long range, on which programs take long, and then in order of their choices; at most `most`.
    ///
    /// Up to a small size, all numbers and letters are tried, if these are not too many. Otherwise, of a range of numbers, a few are tried,
    /// and of a text's letters the first. No count is larger than the size.
    pub fn list(&self, size: u64, most: usize, options: &Options) -> Listed {
        let plain = Most { size, noise: 0, growth: growth(size) };
        if size > WIDE_SIZE {
            return self.listed(plain, most, Width::Usual, options).ordered();
        }
        let few = most.min(WIDE);
        let wide = [Width::Many, Width::All, Width::Wide].into_iter();
        let wide = wide.map(|width| self.listed(plain, few, width, options));
        let wide = wide.into_iter().find(|listed| listed.is_whole || listed.failure.is_some());
        let listed = wide.unwrap_or_else(|| self.listed(plain, most, Width::Usual, options));
        let listed = listed.ordered();
        let noisy = self.listed(Most { noise: NOISE, ..plain }, few, Width::Narrow, options);
        if listed.is_whole && noisy.is_whole { listed.and(noisy, most) } else { listed }
    }

    /// The inputs with exactly this many elements in which each number and letter is the simplest, but for the numbers that say how many
    /// of something there are; at most `most`.
    pub fn list_plain(&self, size: u64, most: usize, options: &Options) -> Listed {
        let at_most = Most { size, noise: 0, growth: growth(size) };
        self.listed(at_most, most, Width::Plain, options)
    }

    fn listed(&self, at_most: Most, most: usize, width: Width, options: &Options) -> Listed {
        let size = at_most.size;
        let mut inputs = Vec::new();
        let mut before: Vec<Choice> = Vec::new();
        // Much that is too large or fails may lie between two inputs.
        let mut runs_left = 20 * most + 10_000;
        let mut leaves_nothing_out = self.open_end != Leeway::Both && self.crlf != Leeway::Both;
        loop {
            if inputs.len() == most || runs_left == 0 {
                return Listed {
                    inputs,
                    is_whole: false,
                    leaves_nothing_out: false,
                    failure: None,
                };
            }
            runs_left -= 1;
            match self.make_only(&before, &mut Simplest, at_most, options) {
                // There was no room for these choices, and others were made, which came before.
                Ok(Input { choices, .. }) | Err((_, choices)) if is_earlier(&choices, &before) => {}
                Ok(Input { bytes, choices, made }) => {
                    before = choices;
                    if made.size == size {
                        let Made { parameters, noise, .. } = made;
                        let extremes = before.iter().filter(|choice| is_extreme(choice)).count();
                        inputs.push(ListedInput { bytes, parameters, noise, extremes });
                    }
                }
                Err((failure, choices))
                    if !failure.may_depend_on_choices
                        || (choices.is_empty() && !failure.is_too_large) =>
                {
                    return Listed {
                        inputs,
                        is_whole: false,
                        leaves_nothing_out: false,
                        failure: Some(failure),
                    };
                }
                Err((failure, choices)) => {
                    leaves_nothing_out = leaves_nothing_out
                        && !failure.is_too_noisy
                        && !(failure.is_too_large && self.has_room(&choices, at_most, options));
                    before = choices;
                    if failure.is_too_large {
                        drop_growth(&mut before);
                    }
                }
            }
            let is_raised = raise(&mut before, size, width, &mut |left_out| {
                leaves_nothing_out = leaves_nothing_out
                    && counts(left_out)
                    && !self.has_room(left_out, at_most, options);
            });
            if !is_raised {
                return Listed { inputs, is_whole: true, leaves_nothing_out, failure: None };
            }
        }
    }

    /// Whether a simple input begins with these choices, however large its counts are: the nodes of a graph are no elements.
    fn has_room(&self, choices: &[Choice], at_most: Most, options: &Options) -> bool {
        let at_most = Most { growth: u64::MAX, ..at_most };
        self.make_only(choices, &mut Simplest, at_most, options).is_ok()
    }
}

impl Listed {
    /// These, the simplest first.
    fn ordered(mut self) -> Self {
        self.inputs.sort_by_key(|input| input.extremes);
        self
    }

    /// These, and then those of the other list in which something means nothing, if there is room for all.
    fn and(mut self, mut noisy: Self, most: usize) -> Self {
        let before = self.inputs.len();
        noisy.inputs.sort_by_key(|input| input.noise);
        // A blank line at the end, but no newline there, is nothing at all.
        let mut seen: HashSet<_> = self.inputs.iter().map(|input| input.bytes.clone()).collect();
        let others = noisy.inputs.into_iter().filter(|input| input.noise > 0);
        self.inputs.extend(others.filter(|input| seen.insert(input.bytes.clone())));
        if self.inputs.len() > most {
            self.inputs.truncate(before);
        }
        self
    }
}

/// By how much a count of an input of this size may exceed its least.
fn growth(size: u64) -> u64 {
    size.max(NOISE)
}

/// Whether a number is the last of a long range.
fn is_extreme(choice: &Choice) -> bool {
    choice.role == Role::Number && choice.options > NUMBERS && choice.value + 1 == choice.options
}

/// Whether choices come before others in the list.
fn is_earlier(choices: &[Choice], others: &[Choice]) -> bool {
    let values = |choices: &[Choice]| choices.iter().map(|choice| choice.value).collect::<Vec<_>>();
    let count = choices.len().min(others.len());
    values(&choices[..count]) < values(&others[..count])
}

/// Drops what makes every input with these choices too large: the last choices of sizes that could not be smaller, and the one before.
fn drop_growth(choices: &mut Vec<Choice>) {
    let grows = |choice: &Choice| {
        matches!(choice.role, Role::Size | Role::Filling | Role::Rare | Role::Branch)
    };
    while let Some(last) = choices.iter().rposition(grows) {
        let Choice { role, value, .. } = choices[last];
        if role == Role::Branch {
            choices.truncate(last + 1);
            return;
        }
        choices.truncate(last);
        if value > 0 {
            return;
        }
    }
    choices.clear();
}

/// Raises the last choice that can be raised, and drops those after it. Tells `leave_out` the first choices that this leaves out.
fn raise(
    choices: &mut Vec<Choice>,
    size: u64,
    width: Width,
    leave_out: &mut dyn FnMut(&[Choice]),
) -> bool {
    while let Some(&choice) = choices.last() {
        let next = next(choice, size, width);
        let last = choices.len() - 1;
        if choice.value + 1 < next.unwrap_or(choice.options) {
            choices[last].value += 1;
            leave_out(choices);
        }
        if let Some(next) = next {
            choices[last].value = next;
            return true;
        }
        choices.pop();
    }
    false
}

/// Whether the last of these choices is how many of something there are.
fn counts(choices: &[Choice]) -> bool {
    choices
        .last()
        .is_some_and(|choice| matches!(choice.role, Role::Size | Role::Filling | Role::Rare))
}

/// The next value of a choice that is tried.
fn next(choice: Choice, size: u64, width: Width) -> Option<u64> {
    let Choice { value, options, role } = choice;
    let next = value + 1;
    let most = match role {
        Role::Number | Role::Letter | Role::Cell | Role::Variety | Role::Rare
            if width == Width::Plain =>
        {
            1
        }
        Role::Number if width >= Width::All && options <= ALL_NUMBERS => u64::MAX,
        Role::Number if width == Width::Many && next < MANY_NUMBERS => u64::MAX,
        Role::Number if width == Width::Narrow => NOISY_NUMBERS,
        Role::Number if next >= NUMBERS - 1 => {
            return (value < options - 1 && options > 1).then_some(options - 1);
        }
        Role::Number | Role::Branch | Role::Place => u64::MAX,
        Role::Letter if width >= Width::All => u64::MAX,
        Role::Cell | Role::Variety if width >= Width::Wide => u64::MAX,
        Role::Size | Role::Filling | Role::Rare => growth(size).saturating_add(1),
        Role::Variety => VARIETIES,
        Role::Letter => LETTERS,
        Role::Cell => CELLS,
    };
    (next < options.min(most)).then_some(next)
}
