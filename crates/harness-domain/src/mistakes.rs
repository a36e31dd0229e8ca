//! Makes inputs that a program may have to refuse: one mistake away from those that a domain makes. Whether one is refused decides the
//! reference. `mistakes/slips.rs` and `mistakes/words.rs` know the mistakes of any text, and a domain may know more.

mod form;
mod slips;
mod words;

use crate::{Domain, Draft, Family, Generator, LimitExceeded, Reason, Steps, TestRules};
use fastrand::Rng;
use proptest::prelude::Rng as _;
use proptest::test_runner::TestRunner;
use std::collections::{BTreeMap, BTreeSet, HashSet};
use std::sync::{Arc, OnceLock};

/// The most inputs whose mistakes are listed.
const MOST_LISTED: usize = 300;
/// The most of the plainest inputs, of which only those mistakes are listed that the domain knows.
const MOST_PLAIN: usize = 60;

/// Makes the inputs of a domain, and others with a mistake.
#[derive(Debug)]
pub struct Mistakes {
    domain: Arc<dyn Domain>,
    /// The course's rules for tests. A search may draw by narrower ones.
    rules: TestRules,
    /// The inputs with one mistake near the smallest inputs of the domain, by their sizes, those in the usual form first, and
    /// among these those of which the domain knows that they have one.
    listed: OnceLock<BTreeMap<usize, Vec<Vec<u8>>>>,
}

impl Mistakes {
    /// Mistakes in the inputs of `domain`; `None` if it makes none.
    pub fn of(domain: &Arc<dyn Domain>, rules: &TestRules) -> Option<Self> {
        domain.generator()?;
        let (domain, rules) = (domain.clone(), rules.clone());
        Some(Self { domain, rules, listed: OnceLock::new() })
    }

    /// What makes inputs without mistakes.
    fn inputs(&self) -> &dyn Generator {
        self.domain.generator().expect("the domain makes inputs")
    }

    /// Whether an input can be a test. The catalogue could not write one that is no text.
    fn is_allowed(&self, input: &[u8], rules: &TestRules) -> bool {
        let exceeds = |exceeded: LimitExceeded| exceeded.reason != Reason::Form;
        let is_empty = input.is_empty() && !rules.accepts_empty;
        let is_converted = rules.convert_crlf && input.windows(2).any(|two| two == b"\r\n");
        let is_large = input.len() as u64 > rules.bytes;
        let is_text = std::str::from_utf8(input).is_ok_and(|text| !text.contains('\0'));
        let is_beyond = || self.domain.check(input, &rules.limits).is_err_and(exceeds);
        is_text && !(is_empty || is_converted || is_large || is_beyond())
    }

    /// A copy of `draft` with a mistake, if one is found that can be a test.
    fn mistaken(&self, draft: &Draft, rules: &TestRules, rng: &mut Rng) -> Option<Draft> {
        const TRIES: usize = 8;
        let words = self.inputs().words();
        let input = (0..TRIES)
            .map(|_| {
                let known = if rng.bool() { self.inputs().any_mistaken(draft, rng) } else { None };
                known.unwrap_or_else(|| slips::any(&draft.input, &words, rng))
            })
            .find(|input| self.is_allowed(input, rules))?;
        Some(Draft { flags: draft.flags.clone(), input })
    }

    fn listed(&self, rules: &TestRules) -> &BTreeMap<usize, Vec<Vec<u8>>> {
        self.listed.get_or_init(|| {
            let (smallest, words) = (self.smallest(rules), self.inputs().words());
            let plain = self.inputs().plainest(MOST_PLAIN, rules);
            let near = smallest.values().chain(&plain);
            let known = near.flat_map(|draft| self.inputs().mistaken(draft));
            let any: BTreeSet<_> =
                smallest.keys().flat_map(|input| slips::all(input, &words)).collect();
            let mut all: Vec<_> = known.chain(any).collect();
            all.sort_by_key(|input| form::oddities(input));
            let (mut by_size, mut seen) = (BTreeMap::<_, Vec<_>>::new(), HashSet::new());
            for input in all.into_iter().filter(|input| self.is_allowed(input, rules)) {
                if seen.insert(input.clone()) {
                    by_size.entry(self.size(&input)).or_default().push(input);
                }
            }
            by_size
        })
    }

    /// All inputs up to a size without mistakes, as many as there is room for, each with a draft of it.
    fn smallest(&self, rules: &TestRules) -> BTreeMap<Vec<u8>, Draft> {
        let most = MOST_LISTED * rules.flag_combinations().len();
        let (mut inputs, mut cases) = (BTreeMap::new(), 0_usize);
        for size in 0..=self.inputs().reach(rules) {
            if !self.inputs().has_all(size, rules) {
                break;
            }
            let families = self.inputs().families(size, rules);
            cases = families.iter().fold(cases, |sum, family| sum.saturating_add(family.count));
            if cases > most {
                break;
            }
            let drafts = families.iter().flat_map(|family| (0..family.count).map(&family.make));
            inputs.extend(drafts.flatten().map(|draft| (draft.input.clone(), draft)));
        }
        inputs
    }
}

impl Generator for Mistakes {
    /// An input with a mistake has no size of its own, so that its words count. If the only mistake is that it is not in the usual form,
    /// it is larger than in that form.
    fn size(&self, input: &[u8]) -> usize {
        if self.inputs().reads(input) {
            return self.inputs().size(input);
        }
        let usual = form::usual(input);
        if self.inputs().reads(&usual) {
            return self.inputs().size(&usual) + 1;
        }
        words::words(input).len()
    }

    fn reads(&self, _input: &[u8]) -> bool {
        true
    }

    fn is_usual(&self, draft: &Draft) -> bool {
        self.inputs().is_usual(draft)
    }

    fn families(&self, size: usize, rules: &TestRules) -> Vec<Family> {
        let mut families = self.inputs().families(size, rules);
        let listed: Arc<[Vec<u8>]> =
            self.listed(rules).get(&size).map_or_else(Arc::default, |all| all.as_slice().into());
        families.extend(rules.flag_combinations().into_iter().map(|flags| {
            let listed = listed.clone();
            Family {
                count: listed.len(),
                make: Box::new(move |at| {
                    Some(Draft { flags: flags.clone(), input: listed[at].clone() })
                }),
            }
        }));
        families
    }

    fn reach(&self, rules: &TestRules) -> usize {
        self.inputs().reach(rules)
    }

    fn has_all(&self, size: usize, rules: &TestRules) -> bool {
        self.inputs().has_all(size, rules)
    }

    fn alphabet(&self) -> &'static str {
        "inputs without a mistake, of which the larger have few values of each number, and inputs with one mistake near the smallest of them, whose size is their number of words; with all flags"
    }

    fn sample(&self, rules: &TestRules, runner: &mut TestRunner) -> Draft {
        let draft = self.inputs().sample(rules, runner);
        let mut rng = Rng::with_seed(runner.new_rng().next_u64());
        let mistaken = if rng.bool() { self.mistaken(&draft, rules, &mut rng) } else { None };
        mistaken.unwrap_or(draft)
    }

    fn kinds(&self) -> &'static [&'static str] {
        self.inputs().kinds()
    }

    fn sample_of(&self, kind: usize, rules: &TestRules, rng: &mut Rng) -> Draft {
        let draft = self.inputs().sample_of(kind, rules, rng);
        let mistaken = if rng.bool() { self.mistaken(&draft, rules, rng) } else { None };
        mistaken.unwrap_or(draft)
    }

    fn largest(&self, rules: &TestRules, rng: &mut Rng) -> Option<Draft> {
        self.inputs().largest(rules, rng)
    }

    fn neighbour(&self, draft: &Draft, rules: &TestRules, rng: &mut Rng) -> Draft {
        if rng.bool() && self.inputs().reads(&draft.input) {
            return self.inputs().neighbour(draft, rules, rng);
        }
        let mut near = self.mistaken(draft, rules, rng).unwrap_or_else(|| draft.clone());
        let all = rules.flag_combinations();
        if rng.u8(..6) == 0
            && let Some(flags) = rng.choice(&all)
        {
            near.flags.clone_from(flags);
        }
        near
    }

    fn smaller(&self, draft: &Draft) -> Vec<Draft> {
        if self.inputs().reads(&draft.input) {
            return self.inputs().smaller(draft);
        }
        let simpler = slips::simpler(&draft.input).into_iter();
        let simpler = simpler.filter(|input| self.is_allowed(input, &self.rules));
        simpler.map(|input| Draft { flags: draft.flags.clone(), input }).collect()
    }

    fn steps(&self, draft: &Draft) -> Steps<'_> {
        if self.inputs().reads(&draft.input) {
            return self.inputs().steps(draft);
        }
        let smaller = self.smaller(draft);
        Steps { count: smaller.len(), make: Box::new(move |at| Some(smaller[at].clone())) }
    }

    fn plain(&self, draft: &Draft) -> Draft {
        self.inputs().plain(draft)
    }

    fn lenient(&self, draft: &Draft, rules: &TestRules) -> Vec<(&'static str, Draft)> {
        self.inputs().lenient(draft, rules)
    }

    fn resized(&self, draft: &Draft, columns: usize, rows: usize) -> Option<Draft> {
        self.inputs().resized(draft, columns, rows)
    }

    fn describe(&self, draft: &Draft, stdout: &[u8]) -> String {
        if self.inputs().reads(&draft.input) {
            return self.inputs().describe(draft, stdout);
        }
        "an input with a mistake".to_owned()
    }

    fn commented(&self, draft: &Draft, comment: &str) -> Option<Draft> {
        // A comment could take the place of the mistake.
        let reads = self.inputs().reads(&draft.input);
        reads.then(|| self.inputs().commented(draft, comment)).flatten()
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{CaseRules, described};
    use std::slice;

    fn rules() -> TestRules {
        TestRules {
            files: 9,
            bytes: 100,
            convert_crlf: true,
            limits: [("n".to_owned(), 3)].into(),
            groups: Vec::new(),
            ordered: true,
            parameters: Vec::new(),
            accepts_empty: false,
            follows_links: false,
            joined_options: false,
            literals: Arc::default(),
        }
    }

    fn mistakes() -> Mistakes {
        let shape = b"input:\n  - line: [{ n: 1 .. 5 }]\n  - lines: n\n    line: [{ x: 0 .. 9 }]\n";
        let shape = harness_shape::yaml::parse(shape).unwrap();
        Mistakes::of(&described(shape, CaseRules::default()), &rules()).unwrap()
    }

    #[test]
    fn all_mistakes_near_small_inputs_are_listed() {
        let (mistakes, rules) = (mistakes(), rules());
        let families = (0..6).flat_map(|size| mistakes.families(size, &rules));
        let drafts = families
            .flat_map(|family| (0..family.count).filter_map(family.make).collect::<Vec<_>>());
        let inputs: BTreeSet<_> =
            drafts.map(|draft| String::from_utf8(draft.input).unwrap()).collect();
        for input in
            ["1\n0\n", "1\n", "x\n0\n", "1\nx\n", "2\n0\n", "0\n0\n", "1\n0\n0\n", "-1\n0\n"]
        {
            assert!(inputs.contains(input), "{input:?}");
        }
        assert!(!inputs.contains(""), "an empty file is no test");
        assert!(!inputs.contains("4\n0\n0\n0\n0\n"), "it exceeds a limit");
    }

    /// Mistakes in commands that a bank reads, of which the numbers are usually small.
    fn bank() -> Mistakes {
        let shape = b"input:
  - lines: 1 .. 9
    line:
      - kind: { one of: [open, put] }
      - name: { text: \"[a-c]{1,3}\" }
      - choose: kind
        cases: { open: [], put: [{ x: { range: 1 .. 1000, usual: 1 .. 9 } }] }
";
        let shape = harness_shape::yaml::parse(shape).unwrap();
        Mistakes::of(&described(shape, CaseRules::default()), &rules()).unwrap()
    }

    fn listed(mistakes: &Mistakes, size: usize) -> Vec<String> {
        let listed = mistakes.listed(&rules()).get(&size).cloned().unwrap_or_default();
        listed.into_iter().map(|input| String::from_utf8(input).unwrap()).collect()
    }

    #[test]
    fn a_number_beyond_the_bounds_of_its_field_is_listed_early_and_drawn() {
        let bank = bank();
        for (size, input) in [(3, "put a 1001\n"), (5, "open a\nput a 1001\n")] {
            let at = listed(&bank, size).iter().position(|listed| listed == input);
            assert!(at.expect("it is listed") < 200, "{at:?}");
        }
        let mut runner = TestRunner::deterministic();
        let samples = (0..2000).map(|_| bank.sample(&rules(), &mut runner).input);
        let has = |input: &Vec<u8>| String::from_utf8_lossy(input).contains(" 1001\n");
        let count = samples.filter(has).count();
        assert!(count > 1, "{count}");
    }

    #[test]
    fn mistakes_in_words_are_listed_and_drawn() {
        let shape = b"input:\n  - line: [{ a: { one of: [begin, done] } }, ok]\n";
        let shape = harness_shape::yaml::parse(shape).unwrap();
        let mistakes = Mistakes::of(&described(shape, CaseRules::default()), &rules()).unwrap();
        let mut runner = TestRunner::deterministic();
        let drawn: Vec<_> =
            (0..2000).map(|_| mistakes.sample(&rules(), &mut runner).input).collect();
        for (size, input) in [
            (1, "begin\n"),
            (1, "ok\n"),
            (2, "ok begin\n"),
            (3, "begin begin ok\n"),
            (3, "begin done ok\n"),
            (2, "begin done\n"),
        ] {
            assert!(listed(&mistakes, size).iter().any(|listed| listed == input), "{input:?}");
            assert!(drawn.iter().any(|drawn| drawn == input.as_bytes()), "{input:?}");
        }
    }

    #[test]
    fn a_draft_with_a_mistake_becomes_smaller_by_its_text() {
        let draft = Draft { flags: String::new(), input: b"2\n7\nx\n".to_vec() };
        let mistakes = mistakes();
        let smaller = mistakes.smaller(&draft);
        assert!(smaller.iter().any(|draft| draft.input == b"2\nx\n"));
        assert!(smaller.iter().all(|smaller| smaller.input.len() <= draft.input.len()));
        assert_eq!(mistakes.size(&draft.input), 3);
        assert!(mistakes.size(b" 1\n0\n") > mistakes.size(b"1\n0\n"));
        assert!(mistakes.size(b"1\n0") > mistakes.size(b"1\n0\n"));
    }

    #[test]
    fn a_draft_with_a_mistake_becomes_no_file_that_is_no_test() {
        let smaller = |input: &str| {
            let draft = Draft { flags: String::new(), input: input.into() };
            let smaller = mistakes().smaller(&draft).into_iter();
            smaller.map(|draft| String::from_utf8(draft.input).unwrap()).collect::<Vec<_>>()
        };
        assert!(!smaller("x").contains(&String::new()), "an empty file is no test");
        let smaller = smaller("x4\n0\n");
        assert!(smaller.contains(&"x\n0\n".to_owned()));
        assert!(!smaller.contains(&"4\n0\n".to_owned()), "it exceeds a limit");
    }

    #[test]
    fn half_of_the_samples_have_a_mistake() {
        let (mistakes, rules) = (mistakes(), rules());
        let mut runner = TestRunner::deterministic();
        let samples: Vec<_> = (0..200).map(|_| mistakes.sample(&rules, &mut runner)).collect();
        let is_right = |draft: &&Draft| mistakes.inputs().reads(&draft.input);
        let right = samples.iter().filter(is_right).count();
        assert!((60..160).contains(&right), "{right}");
        for draft in &samples {
            assert!(mistakes.is_allowed(&draft.input, &rules), "{:?}", slice::from_ref(draft));
        }
    }
}
