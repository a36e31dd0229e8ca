//! The flags of a package's validators, for all of its data.

use super::settings::{FILE, Settings, Word};
use super::tree::Tree;
use harness::course::yaml::Source;
use harness::diagnostic::Failure;
use serde::Deserialize;
use std::collections::BTreeMap;
use std::path::{Path, PathBuf};

/// The flags of the validators of inputs and of outputs.
pub(super) struct Flags {
    input: Words,
    output: Words,
    /// The file that gives those of outputs.
    pub(super) output_file: PathBuf,
}

/// The flags of a group of data, as they are written in both formats.
#[derive(Deserialize)]
struct Group {
    input_validator_flags: Option<Words>,
    output_validator_flags: Option<Words>,
    input_validator_args: Option<Words>,
    output_validator_args: Option<Words>,
}

#[derive(Deserialize)]
#[serde(untagged, expecting = "expected flags as a text or a list, or those of each validator")]
enum Words {
    Text(Word),
    List(Vec<Word>),
    /// Those of each program, by the name of its file or folder.
    Each(BTreeMap<String, Words>),
}

impl Words {
    fn of(&self, program: &Path) -> Vec<String> {
        let name = |name: &str| {
            [program.file_name(), program.file_stem()].into_iter().flatten().any(|it| it == name)
        };
        match self {
            Self::Text(text) => text.0.split_whitespace().map(str::to_owned).collect(),
            Self::List(words) => words.iter().map(|word| word.0.clone()).collect(),
            Self::Each(all) => {
                let own = all.iter().find(|(key, _)| name(key));
                own.map(|(_, words)| words.of(program)).unwrap_or_default()
            }
        }
    }
}

impl Flags {
    /// The flags for all data. Those of a group further in count, except for the groups of the secret data.
    ///
    /// # Errors
    /// If a file cannot be read.
    pub(super) fn read(tree: &Tree, settings: &Settings) -> Result<Self, Failure> {
        let general = Word(settings.validator_flags.clone().unwrap_or_default());
        let mut flags = Self {
            input: Words::List(Vec::new()),
            output: Words::Text(general),
            output_file: PathBuf::from(FILE),
        };
        for folder in ["data", "data/secret"] {
            for name in ["testdata.yaml", "test_group.yaml"] {
                let file = Path::new(folder).join(name);
                if !tree.files(&file)?.is_empty() {
                    let source = Source::new(&tree.shown(&file), tree.text(&file)?);
                    flags.add(source.parse().map_err(Failure::usage)?, file);
                }
            }
        }
        Ok(flags)
    }

    fn add(&mut self, group: Group, file: PathBuf) {
        if let Some(words) = group.input_validator_args.or(group.input_validator_flags) {
            self.input = words;
        }
        if let Some(words) = group.output_validator_args.or(group.output_validator_flags) {
            (self.output, self.output_file) = (words, file);
        }
    }

    /// Those of a validator of inputs.
    pub(super) fn of_validator(&self, program: &Path) -> Vec<String> {
        self.input.of(program)
    }

    /// Those of the checker, or of the default one.
    pub(super) fn of_checker(&self, program: Option<&Path>) -> Vec<String> {
        self.output.of(program.unwrap_or_else(|| Path::new("default")))
    }
}
