//! The domain of an assignment whose inputs a shape describes. Every difference of outputs counts.
//!
//! The puzzle's domain lists, draws, shrinks and changes its maps by a shape, from `docs/shapes/puzzle.yaml`, and keeps only what maps mean
//! in Rust. `case_rules.rs` applies the key `case:` of the course file: in which file and with which arguments a program gets a test,
//! and where its answer is. `described/drafts.rs` makes random tests, as a strategy of `proptest`. The interpreter notes where a cell
//! that has one of the shape's `colours:` stands, and `described/drawing.rs` draws the input with them, for a terminal and as SVG.

mod drafts;
mod drawing;
mod lists;

use crate::picture::{View, Viewer};
use crate::{
    Argument, CaseRules, Domain, Draft, Family, Flaw, Generator, InputLimits, Limit, LimitExceeded,
    Reason, Steps, TestRules,
};
use anstyle::Style;
use drafts::Drafts;
use drawing::Drawing;
use fastrand::Rng;
use harness_diagnostic::Problem;
use harness_shape::choice::Choice;
use harness_shape::random::Random;
use harness_shape::{Exceeded, Failure, Inputs, Options, Shape};
use lists::Lists;
use proptest::strategy::{Strategy, ValueTree};
use proptest::test_runner::TestRunner;
use std::collections::{BTreeMap, HashSet};
use std::sync::Arc;
use subject::{Case, Outcome};

/// A domain that knows a shape.
pub(super) struct Described {
    shape: Arc<Shape>,
    case: CaseRules,
    lists: Lists,
    wording: Option<&'static dyn Wording>,
}

/// What a domain in Rust knows about the inputs of its shape besides.
pub(super) trait Wording: Sync {
    /// As [`Generator::plain`].
    fn plain(&self, draft: &Draft) -> Draft;

    /// As [`Generator::lenient`].
    fn lenient(&self, draft: &Draft, rules: &TestRules) -> Vec<(&'static str, Draft)>;

    /// As [`Generator::describe`].
    fn describe(&self, draft: &Draft, stdout: &[u8]) -> String;
}

impl Described {
    pub(super) fn new(shape: Shape, case: CaseRules) -> Self {
        Self { shape: Arc::new(shape), case, lists: Lists::default(), wording: None }
    }

    /// The inputs of a domain in Rust, whose shape in YAML is a part of the program.
    pub(super) fn embedded(shape: &str, wording: &'static dyn Wording) -> Self {
        let shape = harness_shape::yaml::parse(shape.as_bytes()).expect("the shape is valid");
        Self { wording: Some(wording), ..Self::new(shape, CaseRules::default()) }
    }

    /// The limits that a course sets.
    fn options(limits: &InputLimits) -> Options {
        let set = limits.iter().filter(|(_, most)| **most < u64::MAX);
        let limit = |(name, most): (&String, &u64)| {
            (name.clone(), i64::try_from(*most).unwrap_or(i64::MAX))
        };
        Options { limits: set.map(limit).collect(), ..Options::default() }
    }

    /// The options for a draft, whose flags end in the parameters, and its flags without them.
    fn options_of<'d>(&self, draft: &'d Draft, limits: &InputLimits) -> (Options, &'d str) {
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
        limits: &InputLimits,
    ) -> Option<(Vec<Choice>, Options, &'d str)> {
        let (options, flags) = self.options_of(draft, limits);
        let choices = self.shape.choices(&draft.input, &options).ok()?;
        Some((choices, options, flags))
    }

    /// The values of the fields of an input, up to a mistake in it.
    fn fields(&self, input: &[u8]) -> BTreeMap<String, String> {
        if self.case.has_fields() {
            self.shape.fields(input, &Options::default())
        } else {
            BTreeMap::new()
        }
    }

    /// A field that is an argument of the program and has no value in this input.
    fn missing_argument(&self, input: &[u8]) -> Option<&str> {
        let fields = self.fields(input);
        let mut wanted = self.case.arguments.iter().flat_map(Argument::fields);
        wanted.find(|name| !fields.contains_key(*name))
    }

    /// The limits that a draft is known to keep: none. Smaller drafts keep them as well.
    fn unlimited() -> InputLimits {
        InputLimits::new()
    }

    /// All drafts, as a strategy.
    fn drafts(&self, rules: &TestRules) -> Drafts {
        let literals = rules.literals.clone();
        let options = Options { literals, ..Self::options(&rules.limits) };
        let inputs = Inputs::new(self.shape.clone()).with(options);
        Drafts { flags: rules.flag_combinations(), inputs }
    }
}

fn flaw(input: &[u8], failure: &Failure) -> Flaw {
    let (line, column) = harness_shape::place(input, failure.in_input);
    Flaw { line: Some(line), column: Some(column), message: failure.message.clone() }
}

/// The draft of an input, with the parameters after the flags.
fn draft(flags: &str, parameters: &[i64], input: Vec<u8>) -> Draft {
    Draft { flags: name(flags, parameters), input }
}

/// The part of a test's name with its flags and parameters.
fn name(flags: &str, parameters: &[i64]) -> String {
    let words = parameters.iter().map(i64::to_string);
    let words: Vec<_> = std::iter::once(flags.to_owned())
        .filter(|flags| !flags.is_empty() || parameters.is_empty())
        .chain(words)
        .collect();
    words.join("-")
}

impl Domain for Described {
    fn name(&self) -> &'static str {
        "shape"
    }

    fn limits(&self) -> Vec<Limit<'_>> {
        let limit = |name| Limit { name, default: u64::MAX };
        self.shape.numbers().into_iter().map(limit).collect()
    }

    fn check(&self, input: &[u8], limits: &InputLimits) -> Result<(), LimitExceeded> {
        if let Some(flaw) = self.case.flaw(input) {
            return Err(flaw);
        }
        let failure = match self.shape.check(input, &Self::options(limits)) {
            Err(failure) if failure.may_depend_on_choices => failure,
            // If the shape itself fails, the reference decides.
            _ => return Ok(()),
        };
        let (line, column) = harness_shape::place(input, failure.in_input);
        let missing = match failure.exceeds {
            Some(_) => None,
            None => self.missing_argument(input),
        };
        let reason = match (&failure.exceeds, missing) {
            (Some(_), _) => Reason::Limit,
            (None, Some(_)) => Reason::Unfit,
            (None, None) => Reason::Form,
        };
        let message = match failure.exceeds {
            Some(Exceeded { name, number, limit }) => {
                format!("`{name}` is {number}; a test may have at most {limit}")
            }
            None => failure.message,
        };
        let hint = missing.map(|name| {
            format!("`{name}` is an argument of the program, and has no value before this place")
        });
        let problem = Problem { hint, ..Problem::new(message) };
        Err(LimitExceeded { line, column: Some(column), reason, problem })
    }

    fn case(&self, options: Vec<String>, parameters: &[u32], input: Vec<u8>) -> Case {
        self.case.case(&options, parameters, &self.fields(&input), input)
    }

    fn case_with(&self, args: Vec<String>, input: Vec<u8>) -> Case {
        self.case.case_with(args, input)
    }

    fn draw<'a>(&self, input: &'a str) -> Vec<(Style, &'a str)> {
        drawing::pieces(input, &self.shape.colours(input.as_bytes(), &Options::default()))
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
    fn size(&self, input: &[u8]) -> usize {
        let size = self.shape.size(input, &Options::default());
        size.map_or(input.len(), |size| usize::try_from(size).unwrap_or(usize::MAX))
    }

    fn reads(&self, input: &[u8]) -> bool {
        self.shape.check(input, &Options::default()).is_ok()
    }

    fn is_usual(&self, draft: &Draft) -> bool {
        let (options, _) = self.options_of(draft, &Self::unlimited());
        self.shape.is_usual(&draft.input, &options)
    }

    fn families(&self, size: usize, rules: &TestRules) -> Vec<Family> {
        self.lists.families(&self.shape, size, &Self::options(&rules.limits), rules)
    }

    fn has_all(&self, size: usize, rules: &TestRules) -> bool {
        self.lists.is_whole(&self.shape, size, &Self::options(&rules.limits))
    }

    fn leaves_nothing_out(&self, size: usize, rules: &TestRules) -> bool {
        self.lists.leaves_nothing_out(&self.shape, size, &Self::options(&rules.limits))
    }

    fn reach(&self, rules: &TestRules) -> usize {
        self.lists.reach(&self.shape, &Self::options(&rules.limits))
    }

    fn alphabet(&self) -> &'static str {
        "inputs of the shape, of which the larger have few values of each number, four letters of a text, sixteen of a grid, and few nodes of a graph; with all flags"
    }

    fn sample(&self, rules: &TestRules, runner: &mut TestRunner) -> Draft {
        /// How often one is drawn, if what the shape asserts does not hold for those before.
        const TRIES: usize = 8;
        let drafts = self.drafts(rules);
        let drawn = (0..TRIES).find_map(|_| drafts.new_tree(runner).ok());
        drawn.map(|tree| tree.current()).or_else(|| self.plainest(1, rules).pop()).unwrap_or_else(
            || {
                // The shape makes no input. The reference rejects this one, and the report counts it.
                draft(drafts.flags.first().map_or("", String::as_str), &[], Vec::new())
            },
        )
    }

    fn largest(&self, rules: &TestRules, rng: &mut Rng) -> Option<Draft> {
        self.drafts(rules).largest(rules.bytes, rng)
    }

    fn neighbour(&self, near: &Draft, rules: &TestRules, rng: &mut Rng) -> Draft {
        let Some((choices, options, flags)) = self.read(near, &rules.limits) else {
            return self.sample_of(0, rules, rng);
        };
        let options = Options { literals: rules.literals.clone(), ..options };
        let all = rules.flag_combinations();
        let other = rng.choice(&all).map_or(flags, String::as_str);
        let flags = if rng.u8(..6) == 0 { other } else { flags };
        match self.shape.neighbour(&choices, &mut Random::any(rng), &options) {
            Ok(input) => draft(flags, &input.made.parameters, input.bytes),
            Err(_) => near.clone(),
        }
    }

    fn with_text_changed(&self, near: &Draft, rules: &TestRules, rng: &mut Rng) -> Draft {
        let (options, flags) = self.options_of(near, &rules.limits);
        match self.shape.with_text_changed(&near.input, &mut Random::any(rng), &options) {
            Some(input) => draft(flags, &options.parameters, input),
            None => self.neighbour(near, rules, rng),
        }
    }

    fn smaller(&self, whole: &Draft) -> Vec<Draft> {
        let mut seen = HashSet::new();
        self.steps(whole).all().filter(|draft| seen.insert(draft.clone())).collect()
    }

    fn steps(&self, whole: &Draft) -> Steps<'_> {
        let none = || Steps { count: 0, make: Box::new(|_| None) };
        let Some((choices, options, flags)) = self.read(whole, &Self::unlimited()) else {
            return none();
        };
        let Some(steps) = self.shape.steps(&choices, &options) else { return none() };
        let (flags, count) = (flags.to_owned(), steps.count());
        let make = move |at| {
            let input = steps.make(&self.shape, at)?;
            Some(draft(&flags, &input.made.parameters, input.bytes))
        };
        Steps { count, make: Box::new(make) }
    }

    fn words(&self) -> Vec<Vec<u8>> {
        self.shape.words()
    }

    fn plainest(&self, most: usize, rules: &TestRules) -> Vec<Draft> {
        let all = rules.flag_combinations();
        let flags = all.first().map_or("", String::as_str);
        lists::plainest(&self.shape, most, &Self::options(&rules.limits))
            .into_iter()
            .map(|input| draft(flags, &input.parameters, input.bytes))
            .collect()
    }

    fn mistaken(&self, draft: &Draft) -> Vec<Vec<u8>> {
        let (options, _) = self.options_of(draft, &Self::unlimited());
        self.shape.mistaken(&draft.input, &options)
    }

    fn any_mistaken(&self, draft: &Draft, rng: &mut Rng) -> Option<Vec<u8>> {
        let (options, _) = self.options_of(draft, &Self::unlimited());
        self.shape.draw_mistaken_like(&draft.input, &mut Random::any(rng), &options)
    }

    fn plain(&self, draft: &Draft) -> Draft {
        self.wording.map_or_else(|| draft.clone(), |wording| wording.plain(draft))
    }

    fn lenient(&self, draft: &Draft, rules: &TestRules) -> Vec<(&'static str, Draft)> {
        self.wording.map_or_else(Vec::new, |wording| wording.lenient(draft, rules))
    }

    fn describe(&self, draft: &Draft, stdout: &[u8]) -> String {
        if let Some(wording) = self.wording {
            return wording.describe(draft, stdout);
        }
        let lines = String::from_utf8_lossy(&draft.input).lines().count();
        let size = self.size(&draft.input);
        let s = |count: usize| if count == 1 { "" } else { "s" };
        format!("{size} element{} in {lines} line{}", s(size), s(lines))
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
        let colours = self.shape.colours(&draft.input, &Options::default());
        let picture = Drawing::new(&draft.input, &colours);
        View {
            input_flaws: input_flaws.collect(),
            answer_flaws: Vec::new(),
            picture: Some(Box::new(picture)),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_argument_has_the_value_before_a_mistake_or_there_is_no_test() {
        let shape = "input:\n  - line: [{ n: 1 .. 9 }]\n  - lines: n\n    line: [{ x: 1 .. 9 }]\n";
        let shape = harness_shape::yaml::parse(shape.as_bytes()).unwrap();
        let arguments = ["--n", "{n}"].map(Argument::of).to_vec();
        let domain = Described::new(shape, CaseRules { arguments, ..CaseRules::default() });
        let args = |input: &str| domain.case(Vec::new(), &[], input.into()).args;
        let exceeded = |input: &str| domain.check(input.as_bytes(), &InputLimits::new()).err();
        assert_eq!(args("2\n1\n1\n"), ["--n", "2"]);
        assert_eq!(args("2\n1\nx\n"), ["--n", "2"]);
        assert_eq!(exceeded("2\n1\nx\n").unwrap().reason, Reason::Form);
        let exceeded = exceeded("x\n1\n").unwrap();
        assert_eq!(exceeded.reason, Reason::Unfit, "the program would get no arguments");
        assert!(exceeded.problem.hint.unwrap().starts_with("`n` is an argument"));
    }

    #[test]
    fn each_case_that_is_drawn_is_an_input_of_the_shape() {
        let pair = "INT(1,1000000,a) SPACE INT(1,1000000,b) NEWLINE ASSERT(a * a * a == b + 7)";
        let shape = harness_shape::parse("pair.ctd".as_ref(), pair.as_bytes()).unwrap();
        let domain = Described::new(shape, CaseRules::default());
        let mut runner = TestRunner::deterministic();
        let rules = TestRules {
            files: 9,
            bytes: 100,
            convert_crlf: true,
            limits: InputLimits::new(),
            groups: Vec::new(),
            ordered: true,
            parameters: Vec::new(),
            accepts_empty: true,
            follows_links: false,
            joined_options: false,
            literals: std::sync::Arc::default(),
        };
        for _ in 0..100 {
            let input = domain.sample(&rules, &mut runner).input;
            assert!(domain.reads(&input), "{}", String::from_utf8_lossy(&input));
        }
    }
}
