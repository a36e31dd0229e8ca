//! Spells the flags of a test as options of a command line.
//!
//! Options appear in a random mix of long and short forms, so that a program must support both. The mix depends only on the
//! file's name and the seed, so that everybody can repeat it.

use crate::domain::Flag;
use crate::hash::fnv1a;
use clap::ValueEnum;
use fastrand::Rng;

/// Which forms of the options to use.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub enum Spelling {
    /// Long options, as in `--stack --output list`.
    Long,
    /// Short options, as in `-s -o list`.
    Short,
    /// A random mix, in random order.
    Mixed,
}

/// The options for `flags` in the test `file`. A mix joins options only if the program knows them `joined`, as `getopt_long` does.
pub fn arguments(
    flags: &[&Flag],
    spelling: Spelling,
    joined: bool,
    file: &str,
    seed: u64,
) -> Vec<String> {
    match spelling {
        Spelling::Long => flags.iter().flat_map(|flag| flag.long.clone()).collect(),
        Spelling::Short => flags.iter().flat_map(|flag| flag.short.clone()).collect(),
        Spelling::Mixed => mixed(flags, joined, &mut Rng::with_seed(seed ^ fnv1a(file.as_bytes()))),
    }
}

fn mixed(flags: &[&Flag], joined: bool, rng: &mut Rng) -> Vec<String> {
    let mut flags = flags.to_vec();
    rng.shuffle(&mut flags);
    let mut words: Vec<String> = Vec::new();
    let mut can_be_joined = false;
    for flag in flags {
        let form = if rng.bool() { &flag.long } else { &flag.short };
        let is_long = form.first().is_some_and(|name| name.starts_with("--"));
        match form.as_slice() {
            [name] if can_be_joined && !is_long && rng.bool() => join(&mut words, name),
            [name] => words.push(name.clone()),
            [name, argument] if joined && is_long && rng.bool() => {
                words.push(format!("{name}={argument}"));
            }
            [name, argument] if can_be_joined && !is_long && rng.bool() => {
                join(&mut words, name);
                words.push(argument.clone());
            }
            [name, argument] if joined && !is_long && rng.bool() => {
                words.push(format!("{name}{argument}"));
            }
            more => words.extend(more.iter().cloned()),
        }
        // Only a short option without an argument can be followed by another in the same word.
        can_be_joined = joined && !is_long && form.len() == 1;
    }
    words
}

/// Appends the short option `name` to the last word, itself a short option: `-q` and `-o` make `-qo`.
fn join(words: &mut [String], name: &str) {
    if let Some(last) = words.last_mut() {
        last.push_str(name.trim_start_matches('-'));
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::collections::BTreeSet;

    fn spelled(spelling: Spelling, joined: bool, seed: u64) -> String {
        let words = |text: &str| text.split(' ').map(str::to_owned).collect();
        let queue = Flag { letter: 'q', long: words("--queue"), short: words("-q") };
        let list = Flag { letter: 'l', long: words("--output list"), short: words("-o list") };
        arguments(&[&queue, &list], spelling, joined, "test-1-ql.txt", seed).join(" ")
    }

    #[test]
    fn long_and_short_options_are_used_as_they_are() {
        assert_eq!(spelled(Spelling::Long, true, 0), "--queue --output list");
        assert_eq!(spelled(Spelling::Short, true, 0), "-q -o list");
    }

    #[test]
    fn a_mix_has_every_spelling_that_getopt_knows() {
        let all: BTreeSet<String> =
            (0..500).map(|seed| spelled(Spelling::Mixed, true, seed)).collect();
        let expected = [
            "--output list --queue",
            "--output list -q",
            "--output=list --queue",
            "--output=list -q",
            "--queue --output list",
            "--queue --output=list",
            "--queue -o list",
            "--queue -olist",
            "-o list --queue",
            "-o list -q",
            "-olist --queue",
            "-olist -q",
            "-q --output list",
            "-q --output=list",
            "-q -o list",
            "-q -olist",
            "-qo list",
        ];
        assert_eq!(all.iter().map(String::as_str).collect::<Vec<_>>(), expected);
    }

    #[test]
    fn options_are_joined_only_if_the_program_knows_that() {
        let all: BTreeSet<String> =
            (0..500).map(|seed| spelled(Spelling::Mixed, false, seed)).collect();
        let expected = [
            "--output list --queue",
            "--output list -q",
            "--queue --output list",
            "--queue -o list",
            "-o list --queue",
            "-o list -q",
            "-q --output list",
            "-q -o list",
        ];
        assert_eq!(all.iter().map(String::as_str).collect::<Vec<_>>(), expected);
    }

    #[test]
    fn an_option_whose_short_form_is_long_is_not_joined() {
        let flag = |letter: char, option: &str| Flag {
            letter,
            long: vec![option.to_owned()],
            short: vec![option.to_owned()],
        };
        let (quick, full) = (flag('q', "-q"), flag('f', "--full"));
        for seed in 0..100 {
            let words = arguments(&[&quick, &full], Spelling::Mixed, true, "test-1-qf.txt", seed);
            assert!(words.contains(&"--full".to_owned()), "{words:?}");
        }
    }

    #[test]
    fn the_same_name_and_seed_give_the_same_spelling() {
        assert_eq!(spelled(Spelling::Mixed, true, 7), spelled(Spelling::Mixed, true, 7));
    }
}
