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

#[derive(Clone, Deserialize)]
#[serde(untagged, expecting = "expected flags as a text or a list, or those of each validator")]
enum Words {
    Text(Word),
    List(Vec<Word>),
    /// Those of each program, by the name of its file or folder.
    Each(BTreeMap<String, Words>),
}

impl Group {
    /// The flags of validators of inputs.
    fn input(self) -> Option<Words> {
        self.input_validator_args.or(self.input_validator_flags)
    }
}

/// What a folder of data says of itself, with its file.
fn groups(tree: &Tree, folder: &Path) -> Result<Vec<(Group, PathBuf)>, Failure> {
    let mut groups = Vec::new();
    for name in ["testdata.yaml", "test_group.yaml"] {
        let file = folder.join(name);
        if !tree.files(&file)?.is_empty() {
            let source = Source::new(&tree.shown(&file), tree.text(&file)?);
            groups.push((source.parse().map_err(Failure::usage)?, file));
        }
    }
    Ok(groups)
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
    /// The flags for all data. Those of a group further in count, except for the groups of the secret data. Where only these have flags of
    /// a validator, those of the last one count, whose limits are usually the widest.
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
        let secret = Path::new("data/secret");
        for folder in [Path::new("data"), secret] {
            for (group, file) in groups(tree, folder)? {
                flags.add(group, file);
            }
        }
        if matches!(&flags.input, Words::List(words) if words.is_empty()) {
            let mut of_groups = Vec::new();
            for folder in tree.children(secret)? {
                of_groups.extend(groups(tree, &folder)?);
            }
            let last = of_groups.into_iter().filter_map(|(group, _)| group.input()).next_back();
            flags.input = last.unwrap_or(flags.input);
        }
        Ok(flags)
    }

    fn add(&mut self, group: Group, file: PathBuf) {
        let Group { output_validator_args, output_validator_flags, .. } = &group;
        if let Some(words) = output_validator_args.as_ref().or(output_validator_flags.as_ref()) {
            (self.output, self.output_file) = (words.clone(), file);
        }
        if let Some(words) = group.input() {
            self.input = words;
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
