//! How a submission is built.

use crate::course::limits;
use serde::de::{Error, SeqAccess, Visitor};
use serde::{Deserialize, Deserializer};
use std::fmt;
use std::path::Path;

/// How a submission is built.
#[derive(Clone, Debug, Deserialize)]
#[serde(deny_unknown_fields, default)]
pub struct Build {
    /// The command that builds by the student's Makefile.
    pub(super) command: Option<BuildCommands>,
    /// The command that removes what was built; empty if there is none.
    pub(super) clean: Option<Vec<String>>,
    /// Whether each source must be compiled to an object file of its own.
    pub separate: bool,
    /// Seconds of wall-clock time.
    #[serde(deserialize_with = "limits::seconds")]
    pub seconds: f64,
    /// Megabytes of memory.
    #[serde(deserialize_with = "limits::memory")]
    pub memory_mb: u64,
}

impl Default for Build {
    fn default() -> Self {
        Self { command: None, clean: None, separate: false, seconds: 120.0, memory_mb: 2048 }
    }
}

impl Build {
    /// The commands of which one builds by the student's Makefile.
    pub fn commands(&self) -> &[Vec<String>] {
        self.command.as_ref().map_or(&[], |commands| &commands.0)
    }

    /// The command that removes what was built; empty if there is none.
    pub fn clean(&self) -> &[String] {
        self.clean.as_deref().unwrap_or_default()
    }

    /// What is written about a Makefile.
    pub(super) fn of_makefile(&self) -> Option<&'static str> {
        let keys = [
            (self.command.is_some(), "build.command"),
            (self.clean.is_some(), "build.clean"),
            (self.separate, "build.separate"),
        ];
        keys.into_iter().find_map(|(is_written, key)| is_written.then_some(key))
    }

    /// Takes what is usual for a Makefile where nothing is written.
    pub(super) fn settle(&mut self) {
        self.command.get_or_insert_with(|| BuildCommands(vec![words("make -R -r")]));
        self.clean.get_or_insert_with(|| words("make -R -r clean"));
    }

    /// What is wrong with the commands: the message and a hint.
    pub(in crate::course) fn problem(&self) -> Option<(String, &'static str)> {
        self.command.as_ref()?.problem()
    }
}

fn words(line: &str) -> Vec<String> {
    line.split(' ').map(str::to_owned).collect()
}

/// A command, as a list of words which no shell interprets, or a list of such commands. The first one counts whose targets the Makefile
/// has.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct BuildCommands(Vec<Vec<String>>);

impl BuildCommands {
    /// What is wrong with these commands: the message and a hint.
    fn problem(&self) -> Option<(String, &'static str)> {
        if self.0.is_empty()
            || self.0.iter().any(|words| words.first().is_none_or(String::is_empty))
        {
            let hint = "give the words of a command, as in `[make, -R, -r]`";
            return Some(("the `command` of the build is empty".to_owned(), hint));
        }
        let (_, others) = self.0.split_last()?;
        let certain = others.iter().find(|words| targets(words).is_empty())?;
        let message =
            format!("`{}` always counts, so the commands after it never do", certain.join(" "));
        Some((message, "put it last; before it, name commands of `make` with a target"))
    }
}

/// The targets that a call of `make` names. None if it makes the first target of the Makefile, or calls another program.
pub fn targets(command: &[String]) -> Vec<&str> {
    /// Options that are followed by a word.
    const FOLLOWED: [&str; 9] =
        ["-C", "-f", "-I", "-o", "-W", "--directory", "--file", "--makefile", "--include-dir"];
    let Some((program, words)) = command.split_first() else { return Vec::new() };
    let name = Path::new(program).file_name().unwrap_or_default();
    if name != "make" && name != "gmake" {
        return Vec::new();
    }
    let mut is_value = false;
    let is_target = |word: &&str| {
        let is_followed = !is_value && FOLLOWED.contains(word);
        let counts = !is_value && !word.starts_with('-') && !word.contains('=');
        is_value = is_followed;
        counts
    };
    words.iter().map(String::as_str).filter(is_target).collect()
}

impl<'de> Deserialize<'de> for BuildCommands {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        deserializer.deserialize_seq(CommandsVisitor)
    }
}

struct CommandsVisitor;

impl<'de> Visitor<'de> for CommandsVisitor {
    type Value = BuildCommands;

    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("a sequence")
    }

    fn visit_seq<A: SeqAccess<'de>>(self, mut items: A) -> Result<BuildCommands, A::Error> {
        let (mut words, mut commands) = (Vec::new(), Vec::new());
        while let Some(item) = items.next_element()? {
            match item {
                Item::Word(word) => words.push(word),
                Item::Command(command) => commands.push(command),
            }
        }
        match (words.is_empty(), commands.is_empty()) {
            (true, _) => Ok(BuildCommands(commands)),
            (false, true) => Ok(BuildCommands(vec![words])),
            (false, false) => Err(A::Error::custom(
                "a command is a list of words, and several commands are a list of such lists",
            )),
        }
    }
}

/// What a list of words or commands holds.
enum Item {
    Word(String),
    Command(Vec<String>),
}

impl<'de> Deserialize<'de> for Item {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        deserializer.deserialize_any(ItemVisitor)
    }
}

struct ItemVisitor;

impl<'de> Visitor<'de> for ItemVisitor {
    type Value = Item;

    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("a word, or a command as a list of words")
    }

    fn visit_str<E: Error>(self, word: &str) -> Result<Item, E> {
        Ok(Item::Word(word.to_owned()))
    }

    fn visit_bool<E: Error>(self, word: bool) -> Result<Item, E> {
        Ok(Item::Word(word.to_string()))
    }

    fn visit_u64<E: Error>(self, word: u64) -> Result<Item, E> {
        Ok(Item::Word(word.to_string()))
    }

    fn visit_i64<E: Error>(self, word: i64) -> Result<Item, E> {
        Ok(Item::Word(word.to_string()))
    }

    fn visit_f64<E: Error>(self, word: f64) -> Result<Item, E> {
        Ok(Item::Word(word.to_string()))
    }

    fn visit_seq<A: SeqAccess<'de>>(self, mut items: A) -> Result<Item, A::Error> {
        let mut command = Vec::new();
        while let Some(word) = items.next_element()? {
            command.push(word);
        }
        Ok(Item::Command(command))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_command_is_a_list_of_words_and_several_are_a_list_of_lists() {
        let read = |text: &str| serde_yaml::from_str::<BuildCommands>(text).map(|it| it.0);
        assert_eq!(read("[make, -j, 2, -R]").unwrap(), [words("make -j 2 -R")]);
        let both = [words("make -j 2 release"), words("make")];
        assert_eq!(read("- [make, -j, 2, release]\n- [make]\n").unwrap(), both);
        let mixed = read("[make, [make, all]]").unwrap_err().to_string();
        assert!(mixed.contains("a command is a list of words"), "{mixed}");
        assert!(read("make").is_err());
    }

    #[test]
    fn the_targets_of_make_are_neither_options_nor_variables() {
        let targets = |line: &str| super::targets(&words(line)).join(" ");
        assert_eq!(targets("make -R -r"), "");
        assert_eq!(targets("/usr/bin/make -C src -f own.mk CXX=g++ -j release all"), "release all");
        assert_eq!(targets("ninja release"), "");
    }

    #[test]
    fn a_command_that_always_counts_comes_last() {
        let problem = |lines: &[&str]| {
            let commands = lines.iter().map(|line| words(line)).collect();
            BuildCommands(commands).problem().map(|(message, _)| message)
        };
        assert_eq!(problem(&["make release", "make"]), None);
        let message = "`make -r` always counts, so the commands after it never do";
        assert_eq!(problem(&["make -r", "make release"]).as_deref(), Some(message));
        assert_eq!(problem(&[]).as_deref(), Some("the `command` of the build is empty"));
        assert!(problem(&["make release", ""]).is_some());
    }
}
