//! The domain of an assignment whose inputs a shape describes. Every difference of outputs counts.

use crate::picture::{Picture, View, Viewer};
use crate::{
    CaseRules, Domain, Draft, Family, Flaw, Generator, Limit, LimitExceeded, Limits, TestRules,
};
use fastrand::Rng;
use problem::{Problem, visible};
use proptest::strategy::{Strategy, ValueTree};
use proptest::test_runner::TestRunner;
use shape::choice::{Choice, Random};
use shape::{Exceeded, Failure, Input, Options, Shape};
use std::collections::BTreeMap;
use std::sync::{Arc, OnceLock};
use subject::{Case, Outcome};

/// The most inputs of an area that are listed.
const MOST: usize = 200_000;
/// The most inputs of all areas up to the one that is always searched.
const MOST_IN_REACH: usize = 40_000;
/// The most that a size of a random input is above its least, in different draws.
const SIZES: [u64; 4] = [2, 4, 7, 10];

/// A domain that knows a shape.
pub(super) struct Described {
    shape: Shape,
    case: CaseRules,
    limits: &'static [Limit],
    reach: OnceLock<usize>,
}

impl Described {
    /// The domain of a shape, for the rest of the process. A course has few assignments, and is read once.
    pub(super) fn of(shape: Shape, case: CaseRules) -> &'static dyn Domain {
        let limit = |name: &str| Limit { name: String::leak(name.to_owned()), default: u64::MAX };
        let limits: Vec<_> = shape.numbers().into_iter().map(limit).collect();
        let described = Self { shape, case, limits: Vec::leak(limits), reach: OnceLock::new() };
        Box::leak(Box::new(described))
    }

    /// The limits that a course sets.
    fn options(limits: &Limits) -> Options {
        let set = limits.iter().filter(|(_, most)| **most < u64::MAX);
        let limit = |(name, most): (&&str, &u64)| {
            ((*name).to_owned(), i64::try_from(*most).unwrap_or(i64::MAX))
        };
        Options { limits: set.map(limit).collect(), ..Options::default() }
    }

    /// The options for a draft, whose flags end in the parameters, and its flags without them.
    fn options_of<'d>(&self, draft: &'d Draft, limits: &Limits) -> (Options, &'d str) {
        let count = self.shape.parameters.len();
        let mut words: Vec<&str> = draft.flags.rsplitn(count + 1, '-').collect();
        let flags = if words.len() > count { words.pop().unwrap_or_default() } else { "" };
        let parameters = words.iter().rev().filter_map(|word| word.parse().ok());
        let parameters = if count == 0 { Vec::new() } else { parameters.collect() };
        (Options { parameters, ..Self::options(limits) }, flags)
    }

    /// The choices behind a draft, with the options to make others and its flags; `None` if it is not valid.
    fn read<'d>(
        &self,
        draft: &'d Draft,
        limits: &Limits,
    ) -> Option<(Vec<Choice>, Options, &'d str)> {
        let (options, flags) = self.options_of(draft, limits);
        let choices = self.shape.choices(&draft.input, &options).ok()?;
        Some((choices, options, flags))
    }

    /// The values of the fields of an input; `None` if it is not valid.
    fn fields(&self, input: &[u8]) -> Option<BTreeMap<String, String>> {
        self.shape.fields(input, &Options::default()).ok()
    }

    /// The limits that a draft is known to keep: none. Smaller drafts keep them as well.
    fn unlimited() -> Limits {
        Limits::new()
    }

    fn draw(&self, rules: &TestRules, rng: &mut Rng) -> Draft {
        let flags = rules.flag_combinations();
        let flags = rng.choice(&flags).map_or("", String::as_str);
        let mut random = Random::new(rng.u64(..), SIZES[rng.usize(..SIZES.len())]);
        match self.shape.draw(&mut random, &Self::options(&rules.limits)) {
            Ok(input) => draft(flags, input.made.parameters.as_slice(), input.bytes),
            // The reference rejects it, and the report counts it.
            Err(_) => Draft { flags: flags.to_owned(), input: Vec::new() },
        }
    }
}

fn flaw(input: &[u8], failure: &Failure) -> Flaw {
    let (line, column) = shape::place(input, failure.in_input);
    Flaw { line: Some(line), column: Some(column), message: failure.message.clone() }
}

/// The draft of an input, with the parameters after the flags.
fn draft(flags: &str, parameters: &[i64], input: Vec<u8>) -> Draft {
    let words = parameters.iter().map(i64::to_string);
    let words: Vec<_> = std::iter::once(flags.to_owned())
        .filter(|flags| !flags.is_empty() || parameters.is_empty())
        .chain(words)
        .collect();
    Draft { flags: words.join("-"), input }
}

impl Domain for Described {
    fn name(&self) -> &'static str {
        "shape"
    }

    fn limits(&self) -> &'static [Limit] {
        self.limits
    }

    fn check(&self, input: &[u8], limits: &Limits) -> Result<(), LimitExceeded> {
        let Err(failure) = self.shape.check(input, &Self::options(limits)) else { return Ok(()) };
        let (line, column) = shape::place(input, failure.in_input);
        let message = match failure.exceeds {
            Some(Exceeded { name, number, limit }) => {
                format!("`{name}` is {number}; a test may have at most {limit}")
            }
            None => failure.message,
        };
        Err(LimitExceeded { line, column: Some(column), problem: Problem::new(message) })
    }

    fn case(&self, options: Vec<String>, parameters: &[u32], input: Vec<u8>) -> Case {
        let fields =
            if self.case.has_fields() { self.fields(&input) } else { Some(BTreeMap::new()) };
        self.case.case(&options, parameters, fields.as_ref(), input)
    }

    fn answer<'a>(&self, outcome: &'a Outcome) -> &'a [u8] {
        self.case.in_outcome(outcome)
    }

    fn outcome(&self, reference: &Outcome, answer: Vec<u8>) -> Outcome {
        self.case.outcome(reference, answer)
    }

    fn generator(&self) -> Option<&dyn Generator> {
        Some(self)
    }

    fn viewer(&self) -> Option<&dyn Viewer> {
        Some(self)
    }
}

impl Generator for Described {
    fn area(&self, input: &[u8]) -> usize {
        let area = self.shape.area(input, &Options::default());
        area.map_or(input.len(), |area| usize::try_from(area).unwrap_or(usize::MAX))
    }

    fn families(&self, area: usize, rules: &TestRules) -> Vec<Family> {
        let options = Self::options(&rules.limits);
        let inputs = Arc::new(self.shape.list(area as u64, MOST, &options).inputs);
        let family = |flags: String| {
            let count = inputs.len();
            let inputs = Arc::clone(&inputs);
            let make = move |index: usize| {
                let Input { bytes, made, .. } = &inputs[index];
                draft(&flags, &made.parameters, bytes.clone())
            };
            Family { count, make: Box::new(make) }
        };
        rules.flag_combinations().into_iter().map(family).collect()
    }

    fn reach(&self) -> usize {
        /// Larger inputs take longer to read than to shrink.
        const MOST_AREA: usize = 12;
        *self.reach.get_or_init(|| {
            let mut left = MOST_IN_REACH;
            let fits = |area: &usize| {
                let listed = self.shape.list(*area as u64, left, &Options::default());
                left -= listed.inputs.len();
                listed.is_whole
            };
            (1..=MOST_AREA).take_while(fits).last().unwrap_or(1)
        })
    }

    fn alphabet(&self) -> &'static str {
        "inputs of the shape, with few values of each number and each letter of a text, every letter of a grid, and at most 200,000 of each area; with all flags"
    }

    fn sample(&self, rules: &TestRules, runner: &mut TestRunner) -> Draft {
        let seed = proptest::num::u64::ANY.new_tree(runner).expect("any number can be drawn");
        self.draw(rules, &mut Rng::with_seed(seed.current()))
    }

    fn neighbour(&self, near: &Draft, rules: &TestRules, rng: &mut Rng) -> Draft {
        let Some((choices, options, flags)) = self.read(near, &rules.limits) else {
            return self.draw(rules, rng);
        };
        let all = rules.flag_combinations();
        let other = rng.choice(&all).map_or(flags, String::as_str);
        let flags = if rng.u8(..6) == 0 { other } else { flags };
        let mut random = Random::new(rng.u64(..), SIZES[rng.usize(..SIZES.len())]);
        match self.shape.neighbour(&choices, &mut random, &options) {
            Ok(input) => draft(flags, &input.made.parameters, input.bytes),
            Err(_) => near.clone(),
        }
    }

    fn smaller(&self, whole: &Draft) -> Vec<Draft> {
        let Some((choices, options, flags)) = self.read(whole, &Self::unlimited()) else {
            return Vec::new();
        };
        let smaller = self.shape.smaller(&choices, &options).into_iter();
        smaller.map(|input| draft(flags, &input.made.parameters, input.bytes)).collect()
    }

    fn describe(&self, draft: &Draft, _: &[u8]) -> String {
        let lines = String::from_utf8_lossy(&draft.input).lines().count();
        let area = self.area(&draft.input);
        let s = |count: usize| if count == 1 { "" } else { "s" };
        format!("{area} element{} in {lines} line{}", s(area), s(lines))
    }

    fn commented(&self, draft: &Draft, comment: &str) -> Option<Draft> {
        let prefix = String::from_utf8(self.shape.comment()?.to_vec()).ok()?;
        let text = std::str::from_utf8(&draft.input).ok()?;
        let line = format!("{prefix} {comment}\n");
        let ends = text.match_indices('\n').map(|(at, _)| at + 1);
        let (options, _) = self.options_of(draft, &Self::unlimited());
        let mut commented = std::iter::once(0).chain(ends).map(|at| {
            let input = format!("{}{line}{}", &text[..at], &text[at..]).into_bytes();
            Draft { flags: draft.flags.clone(), input }
        });
        commented.find(|draft| self.shape.check(&draft.input, &options).is_ok())
    }
}

impl Viewer for Described {
    fn recognizes(&self, input: &[u8]) -> bool {
        self.shape.check(input, &Options::default()).is_ok()
    }

    fn view(&self, draft: &Draft, _: Option<&[u8]>) -> View {
        let (options, _) = self.options_of(draft, &Self::unlimited());
        let failure = self.shape.check(&draft.input, &options).err();
        let input_flaws = failure.iter().map(|failure| flaw(&draft.input, failure));
        let picture = Lines(String::from_utf8_lossy(&draft.input).into_owned());
        View {
            input_flaws: input_flaws.collect(),
            answer_flaws: Vec::new(),
            picture: Some(Box::new(picture)),
        }
    }
}

/// An input as it is written.
struct Lines(String);

impl Picture for Lines {
    fn steps(&self) -> usize {
        0
    }

    fn text(&self, _: usize) -> String {
        self.0.clone()
    }

    fn svg(&self) -> String {
        /// The size of a character.
        const SIDE: usize = 16;
        let lines: Vec<_> = self.0.lines().map(visible).collect();
        let columns = lines.iter().map(|line| line.chars().count()).max().unwrap_or(0);
        let mut svg = crate::picture::Svg::new((columns + 1) * SIDE, (lines.len() + 1) * SIDE);
        for (row, line) in lines.iter().enumerate() {
            for (column, letter) in line.chars().enumerate().filter(|(_, letter)| *letter != ' ') {
                let place = ((column + 1) * SIDE, (row + 1) * SIDE);
                svg.text(place, &letter.to_string(), "font-size=\"14\"");
            }
        }
        svg.finish()
    }
}
