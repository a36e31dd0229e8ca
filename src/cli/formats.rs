//! The values of `score --format`: `NAME` or `NAME=FILE`.

use crate::diagnostic::did_you_mean;
use clap::ValueEnum;
use clap::builder::{PossibleValue, TypedValueParser};
use clap::error::ErrorKind;
use std::ffi::OsStr;
use std::path::{Path, PathBuf};
use std::str::FromStr;

/// A format, and where to write it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Wanted {
    pub name: FormatName,
    /// Standard output if there is no file. A path that ends in `/` is a folder, with a file for each student.
    pub file: Option<PathBuf>,
}

/// The folder that gets a file for each student, if the path ends in `/`.
pub fn folder(file: Option<&Path>) -> Option<&Path> {
    file.filter(|path| path.as_os_str().as_encoded_bytes().ends_with(b"/"))
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
#[expect(clippy::doc_markdown, reason = "`--help` shows these names")]
pub enum FormatName {
    /// For a person.
    Text,
    /// For a machine: docs/harness-report-1.schema.json.
    Json,
    /// A gradebook with a row for each student and assignment.
    Csv,
    /// A summary in Markdown.
    Md,
    /// JUnit XML with a suite for each student and a case for each mutant.
    Junit,
    /// Gradescope's results.json.
    Gradescope,
    /// PrairieLearn's results.json.
    Prairielearn,
    /// The result of a step for GitHub Classroom.
    GithubClassroom,
    /// A mutation-testing report, for the viewer `mutation-testing-elements`.
    Stryker,
    /// One page that shows everything in a browser; --html FILE is short for it.
    Html,
}

impl FormatName {
    /// Whether a platform reads it, which stores the score even if students may not see it there.
    pub fn is_for_platform(self) -> bool {
        matches!(self, Self::Gradescope | Self::Prairielearn | Self::GithubClassroom)
    }

    /// How the file of a student ends that a platform's format writes for a class.
    pub fn ending(self) -> &'static str {
        if self == Self::GithubClassroom { "txt" } else { "json" }
    }

    /// The name on the command line.
    pub fn word(self) -> String {
        self.to_possible_value().expect("no format is hidden").get_name().to_owned()
    }
}

/// Parses a [`Wanted`], and lists the names in the help.
#[derive(Clone, Copy, Debug)]
pub struct WantedParser;

impl TypedValueParser for WantedParser {
    type Value = Wanted;

    fn parse_ref(
        &self,
        _: &clap::Command,
        _: Option<&clap::Arg>,
        value: &OsStr,
    ) -> Result<Wanted, clap::Error> {
        let wanted = value
            .to_str()
            .ok_or_else(|| "the file's name is not UTF-8 text".to_owned())
            .and_then(str::parse);
        wanted
            .map_err(|message: String| clap::Error::raw(ErrorKind::ValueValidation, message + "\n"))
    }

    fn possible_values(&self) -> Option<Box<dyn Iterator<Item = PossibleValue> + '_>> {
        Some(Box::new(FormatName::value_variants().iter().filter_map(ValueEnum::to_possible_value)))
    }
}

impl FromStr for Wanted {
    type Err = String;

    fn from_str(text: &str) -> Result<Self, String> {
        let (name, file) =
            text.split_once('=').map_or((text, None), |(name, file)| (name, Some(file)));
        let Ok(found) = FormatName::from_str(name, false) else {
            let names: Vec<_> =
                FormatName::value_variants().iter().map(|format| format.word()).collect();
            let all = || format!("the formats are {}", names.join(", "));
            let hint = did_you_mean(name, names.iter().map(String::as_str)).unwrap_or_else(all);
            return Err(format!("there is no format `{name}`\nhint: {hint}"));
        };
        if file.is_some_and(|file| file.ends_with('/')) && !found.is_for_platform() {
            return Err(format!(
                "`{name}` writes one file for all students, and {} is a folder\nhint: name a file in it",
                file.unwrap_or_default()
            ));
        }
        if file == Some("") {
            return Err(format!(
                "the file's name is missing\nhint: for example {name}=report.txt, or {name} for standard output"
            ));
        }
        Ok(Self { name: found, file: file.map(PathBuf::from) })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_format_has_a_name_and_may_have_a_file() {
        let wanted = |text: &str| text.parse::<Wanted>().map(|wanted| (wanted.name, wanted.file));
        assert_eq!(wanted("json"), Ok((FormatName::Json, None)));
        assert_eq!(wanted("text=a=b.txt"), Ok((FormatName::Text, Some("a=b.txt".into()))));
        assert_eq!(
            wanted("jsn").unwrap_err(),
            "there is no format `jsn`\nhint: did you mean `json`?"
        );
        assert_eq!(wanted("gradescope=a/"), Ok((FormatName::Gradescope, Some("a/".into()))));
        assert!(wanted("csv=a/").unwrap_err().ends_with("a/ is a folder\nhint: name a file in it"));
        assert!(wanted("text=").unwrap_err().starts_with("the file's name is missing"));
    }
}
