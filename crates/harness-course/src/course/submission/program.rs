//! The program of a submission: its language, or the commands that build and run it.

use super::Executables;
use crate::course::language::{HandedIn, rust};
use crate::course::{Commands, Language, pattern};
use crate::shape::yaml::Entries;
use serde::de::{Error, MapAccess, SeqAccess, Visitor};
use serde::{Deserialize, Deserializer};
use std::fmt;
use std::path::{Path, PathBuf};

/// The program that students hand in.
#[derive(Clone, Debug)]
pub struct Program {
    pub language: ProgramLanguage,
    /// What it is called, or what the program for each flag is called: what a Makefile makes, or the source that starts it.
    pub names: Executables,
    /// Options of the interpreter or compiler.
    pub flags: Vec<String>,
    /// A right program in the same language, a file or a folder, whose time counts instead of the reference's.
    pub reference: Option<PathBuf>,
}

/// What makes a program of what students hand in.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum ProgramLanguage {
    Of(Language),
    Rust,
    /// Any other language: commands of the course.
    Any(Commands),
}

impl ProgramLanguage {
    /// The key in the course file.
    pub fn key(&self) -> &'static str {
        match self {
            Self::Of(language) => language.key(),
            Self::Rust => "rust",
            Self::Any(_) => "run",
        }
    }

    /// What is known of the submissions in it. `None` if commands build and run them.
    pub(super) fn handed_in(&self) -> Option<&'static HandedIn> {
        match self {
            Self::Of(language) => Some(&language.rules().handed_in),
            Self::Rust => Some(&rust::HANDED_IN),
            Self::Any(_) => None,
        }
    }

    /// Whether students write a Makefile, which calls gcc or g++.
    pub fn has_makefile(&self) -> bool {
        self.handed_in().is_some_and(|it| it.has_makefile)
    }

    /// Whether valgrind sees the memory of the program.
    pub fn is_native(&self) -> bool {
        self.handed_in().is_some_and(|it| it.is_native)
    }

    /// How the names of sources end, except for headers. Empty if nothing is known of them.
    pub fn ending(&self) -> &'static str {
        self.handed_in().map_or("", |it| it.ending)
    }

    fn of_key(key: &str) -> Option<Self> {
        let mut known = Language::ALL.into_iter().map(Self::Of).chain([Self::Rust]);
        known.find(|language| language.key() == key)
    }
}

impl Default for Program {
    /// No program.
    fn default() -> Self {
        Self::of_names(Executables::default())
    }
}

impl Program {
    /// The program that runs a case with these flags.
    pub fn of(&self, flags: &str) -> &str {
        self.names.of(flags)
    }

    /// The names of all programs.
    pub fn names(&self) -> Vec<&str> {
        self.names.names()
    }

    /// The files that start it, if no Makefile makes it. Of commands, this is the first word that names one of `files`, the patterns of
    /// what students hand in. The program of the command is none of them.
    pub(super) fn starting(&self, files: &[String]) -> Vec<&str> {
        let ProgramLanguage::Any(Commands { build, run }) = &self.language else {
            return self.names();
        };
        let command = if build.is_empty() { run } else { build };
        let mut pairs = command.windows(2).map(|pair| (pair[0].as_str(), pair[1].as_str()));
        let fits = |word: &str| is_file(word) && pattern::fits(word, files);
        let sure = pairs.clone().find(|(before, word)| !may_take(before) && fits(word));
        // A last word that is run belongs to no option, unless that says where the output goes.
        let is_output = |option: &str| option.starts_with("-o") || option.starts_with("--out");
        let last = || {
            let is_run = |word: &str| run.iter().any(|other| other == word);
            pairs.next_back().filter(|(before, it)| !is_output(before) && is_run(it) && fits(it))
        };
        sure.or_else(last).map(|(_, word)| word).into_iter().collect()
    }

    /// What is wrong with it: the message and a hint. Paths are relative to `folder`.
    pub(in crate::course) fn problem(&self, folder: &Path) -> Option<(String, String)> {
        let (language, ending) = (&self.language, self.language.ending());
        let is_source = |name: &&str| name.ends_with(ending) && !name.contains('/');
        let is_file = !language.has_makefile() && !matches!(language, ProgramLanguage::Any(_));
        if let (true, Some(name)) =
            (is_file, self.names().into_iter().find(|name| !is_source(name)))
        {
            let message = format!("`{name}` is not the name of a source in {}", language.key());
            return Some((
                message,
                format!("name the file that starts the program, as in `main{ending}`"),
            ));
        }
        if self.reference.is_some() && matches!(self.names, Executables::ByFlag(_)) {
            let message = "`reference` needs one program for all flags".to_owned();
            return Some((message, "give one name, or no `reference`".to_owned()));
        }
        let missing = self.reference.as_ref().filter(|path| !folder.join(path).exists())?;
        let message = format!("there is no file or folder {}", missing.display());
        Some((message, "`reference` is a right program in the same language".to_owned()))
    }

    /// Reads the keys of a program.
    fn of_keys(keys: Vec<(String, Value)>) -> Result<Self, String> {
        let is_by_flag = |(key, _): &(String, Value)| key.len() == 1;
        if keys.iter().all(is_by_flag) && !matches!(keys.as_slice(), [(key, _)] if key == "c") {
            let names = keys.into_iter().map(|(key, value)| Ok((key, value.name()?)));
            return Ok(Self::of_names(Executables::ByFlag(Entries(
                names.collect::<Result<_, String>>()?,
            ))));
        }
        let (mut program, mut run, mut build) = (None, None, Vec::new());
        let (mut flags, mut reference) = (Vec::new(), None);
        for (key, value) in keys {
            match (key.as_str(), ProgramLanguage::of_key(&key)) {
                (_, Some(language)) if program.is_none() => {
                    program = Some((language, value.names()?));
                }
                (_, Some(_)) => return Err("a program has one language".to_owned()),
                ("run", _) => run = Some(value.words("run: [python3, rev.py]")?),
                ("build", _) => build = value.words("build: [go, build, rev.go]")?,
                ("flags", _) => flags = value.words("flags: [-O]")?,
                ("reference", _) => reference = Some(value.name()?.into()),
                _ => return Err(format!("unknown key `{key}` of a program; {KEYS}")),
            }
        }
        let (language, names) = match (program, run) {
            (Some(program), None) if build.is_empty() => program,
            (None, Some(run)) if !run.is_empty() => {
                let name = Executables::One(run.join(" "));
                (ProgramLanguage::Any(Commands { build, run }), name)
            }
            _ => return Err(format!("cannot tell how to run this program; {KEYS}")),
        };
        if !flags.is_empty() && (language.has_makefile() || language.key() == "run") {
            return Err("`flags` are for `python`, `java` and `rust`".to_owned());
        }
        Ok(Self { flags, reference, ..Self::of_names(names).written_in(language) })
    }

    /// Programs that a Makefile makes.
    fn of_names(names: Executables) -> Self {
        Self {
            language: ProgramLanguage::Of(Language::Cpp),
            names,
            flags: Vec::new(),
            reference: None,
        }
    }

    fn written_in(self, language: ProgramLanguage) -> Self {
        Self { language, ..self }
    }
}

const KEYS: &str = "give a name, a name for each flag, one of `c`, `cpp`, `python`, `java` and `rust`, or, for any other language, `run: [python3, rev.py]` with or without `build`";

impl<'de> Deserialize<'de> for Program {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        match Value::deserialize(deserializer)? {
            Value::Name(name) => Ok(Self::of_names(Executables::One(name))),
            Value::Keys(keys) => Self::of_keys(keys).map_err(D::Error::custom),
            Value::Words(_) => Err(D::Error::custom(KEYS)),
        }
    }
}

/// What the key of a program has as its value.
enum Value {
    Name(String),
    Words(Vec<String>),
    Keys(Vec<(String, Self)>),
}

impl Value {
    fn name(self) -> Result<String, String> {
        match self {
            Self::Name(name) => Ok(name),
            _ => Err("expected one name".to_owned()),
        }
    }

    fn words(self, example: &str) -> Result<Vec<String>, String> {
        match self {
            Self::Words(words) => Ok(words),
            _ => Err(format!("expected a list of words, as in `{example}`")),
        }
    }

    fn names(self) -> Result<Executables, String> {
        match self {
            Self::Keys(keys) => {
                let names = keys.into_iter().map(|(flag, value)| Ok((flag, value.name()?)));
                Ok(Executables::ByFlag(Entries(names.collect::<Result<_, String>>()?)))
            }
            other => other.name().map(Executables::One),
        }
    }
}

impl<'de> Deserialize<'de> for Value {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        deserializer.deserialize_any(ValueVisitor)
    }
}

struct ValueVisitor;

impl<'de> Visitor<'de> for ValueVisitor {
    type Value = Value;

    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("a name, a list of words, or keys")
    }

    fn visit_str<E: Error>(self, name: &str) -> Result<Value, E> {
        Ok(Value::Name(name.to_owned()))
    }

    fn visit_u64<E: Error>(self, word: u64) -> Result<Value, E> {
        Ok(Value::Name(word.to_string()))
    }

    fn visit_seq<A: SeqAccess<'de>>(self, mut items: A) -> Result<Value, A::Error> {
        let mut words = Vec::new();
        while let Some(word) = items.next_element::<Value>()? {
            words.push(word.name().map_err(A::Error::custom)?);
        }
        Ok(Value::Words(words))
    }

    fn visit_map<A: MapAccess<'de>>(self, mut entries: A) -> Result<Value, A::Error> {
        let mut keys: Vec<(String, Value)> = Vec::new();
        while let Some((key, value)) = entries.next_entry::<String, Value>()? {
            if keys.iter().any(|(other, _)| *other == key) {
                return Err(A::Error::custom(format!("duplicate key `{key}`")));
            }
            keys.push((key, value));
        }
        Ok(Value::Keys(keys))
    }
}

/// Whether a word of a command looks like a file in its folder. The ending of a version, as in `python3.11`, is a number.
fn is_file(word: &str) -> bool {
    let ending = word.rsplit_once('.').map_or("", |(_, ending)| ending);
    ending.starts_with(|c: char| c.is_alphabetic())
        && !word.contains('/')
        && !word.starts_with(['-', '.'])
}

/// Whether a word of a command is an option that may take the next word.
fn may_take(word: &str) -> bool {
    word.starts_with('-') && !word.contains('=')
}

#[cfg(test)]
mod tests {
    use super::*;

    fn read(text: &str) -> Result<(String, String), String> {
        let program: Program = serde_yaml::from_str(text).map_err(|error| error.to_string())?;
        Ok((program.language.key().to_owned(), program.names().join(" ")))
    }

    #[track_caller]
    fn check(text: &str, language: &str, names: &str) {
        assert_eq!(read(text), Ok((language.to_owned(), names.to_owned())), "{text}");
    }

    #[test]
    fn a_program_has_a_name_or_one_for_each_flag_in_any_language() {
        check("solver", "cpp", "solver");
        check("{ p: solver, c: solver_full }", "cpp", "solver solver_full");
        check("{ c: solver }", "c", "solver");
        check("{ c: { p: solver, f: full } }", "c", "solver full");
        check("{ python: tally.py, flags: [-O] }", "python", "tally.py");
        check("{ java: Tally.java, reference: right }", "java", "Tally.java");
        check("{ build: [go, build, tally.go], run: [./tally, 1] }", "run", "./tally 1");
    }

    #[test]
    fn a_command_may_run_what_another_one_builds() {
        let text = "{ build: [go, build, -o, tally, tally.go], run: [./tally] }";
        let program: Program = serde_yaml::from_str(text).unwrap();
        assert_eq!(program.problem(Path::new(".")), None);
    }

    #[test]
    fn the_file_that_starts_a_program_is_known_in_any_language() {
        let check = |text: &str, files: &[&str], expected: &[&str]| {
            let program: Program = serde_yaml::from_str(text).unwrap();
            let files: Vec<_> = files.iter().map(|&file| file.to_owned()).collect();
            assert_eq!(program.starting(&files), expected, "{text}");
        };
        check("{ python: { p: tally.py, f: full.py } }", &["*.py"], &["tally.py", "full.py"]);
        check("{ run: [node, tally.js, other.js] }", &["*.js"], &["tally.js"]);
        check("{ build: [go, build, -o, x, a.go], run: [./x] }", &["*.go"], &["a.go"]);
        check("{ build: [tsc, a.ts], run: [node, a.js] }", &["*.js", "*.ts"], &["a.ts"]);
        check("{ build: [make], run: [./tally] }", &["*"], &[]);
        check("{ run: [python3.11, main.py] }", &["*"], &["main.py"]);
        check("{ run: [env, python3.11, main.py] }", &["*"], &["main.py"]);
        check("{ run: [node, tally.js] }", &["tally*.js"], &["tally.js"]);
        let files = ["*.js", "*.ts"];
        check("{ build: [tsc, --outFile, b.js, a.ts], run: [node, b.js] }", &files, &["a.ts"]);
        check("{ build: [tsc, --outFile, b.js], run: [node, b.js] }", &files, &[]);
        check("{ build: [tsc, --target=es6, a.ts], run: [node, a.js] }", &files, &["a.ts"]);
        check("{ build: [node, --check, a.js], run: [node, a.js] }", &files, &["a.js"]);
    }

    #[test]
    fn a_program_without_one_language_is_a_mistake() {
        for (text, message) in [
            ("{ python: a.py, java: A.java }", "a program has one language"),
            ("{ python: a.py, run: [node] }", "cannot tell how to run this program"),
            ("{ build: [make] }", "cannot tell how to run this program"),
            ("{ ruby: a.rb }", "unknown key `ruby` of a program"),
            ("{ go: a.go }", "or, for any other language, `run: [python3, rev.py]`"),
            ("{ c: a, flags: [-g] }", "`flags` are for `python`"),
            ("{ run: node }", "expected a list of words, as in `run: [python3, rev.py]`"),
        ] {
            let error = read(text).unwrap_err();
            assert!(error.contains(message), "{text}: {error}");
        }
    }
}
