//! The formats on the command line of `score`: `NAME`, or `NAME=FILE`.

use crate::problem::nearest;
use clap::ValueEnum;
use std::path::PathBuf;
use std::str::FromStr;

/// A format that is asked for, and where it goes.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Wanted {
    /// The format.
    pub name: FormatName,
    /// The file that it is written to; without one, it goes to standard output.
    pub file: Option<PathBuf>,
}

/// The name of a format.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub enum FormatName {
    /// For a person.
    Text,
    /// For a machine: docs/harness-report-1.schema.json.
    Json,
}

impl FormatName {
    /// The name as it is written.
    pub fn word(self) -> String {
        self.to_possible_value().expect("no format is hidden").get_name().to_owned()
    }
}

impl FromStr for Wanted {
    type Err = String;

    fn from_str(text: &str) -> Result<Self, String> {
        let (name, file) = text.split_once('=').map_or((text, None), |(name, file)| (name, Some(file)));
        let Ok(found) = FormatName::from_str(name, false) else {
            let names: Vec<_> = FormatName::value_variants().iter().map(|format| format.word()).collect();
            let hint = match nearest(name, names.iter().map(String::as_str)) {
                Some(near) => format!("did you mean `{near}`?"),
                None => format!("the formats are {}", names.join(", ")),
            };
            return Err(format!("there is no format `{name}`\nhint: {hint}"));
        };
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
        assert_eq!(wanted("jsn").unwrap_err(), "there is no format `jsn`\nhint: did you mean `json`?");
        assert!(wanted("text=").unwrap_err().starts_with("the file's name is missing"));
    }
}
