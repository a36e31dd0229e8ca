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

/// The options for `flags` in the test `file`.
pub fn arguments(flags: &[&Flag], spelling: Spelling, file: &str, seed: u64) -> Vec<String> {
    match spelling {
        Spelling::Long => flags.iter().flat_map(|flag| flag.long.clone()).collect(),
        Spelling::Short => flags.iter().flat_map(|flag| flag.short.clone()).collect(),
        Spelling::Mixed => mixed(flags, &mut Rng::with_seed(seed ^ fnv1a(file.as_bytes()))),
    }
}

fn mixed(flags: &[&Flag], rng: &mut Rng) -> Vec<String> {
    let mut flags = flags.to_vec();
    rng.shuffle(&mut flags);
    let mut words: Vec<String> = Vec::new();
    let mut can_be_joined = false;
    for flag in flags {
        let (form, long) = if rng.bool() { (&flag.long, true) } else { (&flag.short, false) };
        match form.as_slice() {
            [name] if !long && can_be_joined && rng.bool() => join(&mut words, name),
            [name] => words.push(name.clone()),
            [name, argument] if long && rng.bool() => words.push(format!("{name}={argument}")),
            [name, argument] if !long && can_be_joined && rng.bool() => {
                join(&mut words, name);
                words.push(argument.clone());
            }
            [name, argument] if !long && rng.bool() => words.push(format!("{name}{argument}")),
            more => words.extend(more.iter().cloned()),
        }
        // Only a short option without an argument can be followed by another in the same word.
        can_be_joined = !long && form.len() == 1;
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

    fn spelled(spelling: Spelling, seed: u64) -> String {
        let words = |text: &str| text.split(' ').map(str::to_owned).collect();
        let queue = Flag { letter: 'q', long: words("--queue"), short: words("-q") };
        let list = Flag { letter: 'l', long: words("--output list"), short: words("-o list") };
        arguments(&[&queue, &list], spelling, "test-1-ql.txt", seed).join(" ")
    }

    #[test]
    fn long_and_short_options_are_used_as_they_are() {
        assert_eq!(spelled(Spelling::Long, 0), "--queue --output list");
        assert_eq!(spelled(Spelling::Short, 0), "-q -o list");
    }

    #[test]
    fn a_mix_has_every_spelling_that_getopt_knows() {
        let all: BTreeSet<String> = (0..500).map(|seed| spelled(Spelling::Mixed, seed)).collect();
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
    fn the_same_name_and_seed_give_the_same_spelling() {
        assert_eq!(spelled(Spelling::Mixed, 7), spelled(Spelling::Mixed, 7));
    }
}
