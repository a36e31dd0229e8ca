//! The values of `score --format` and `grade --format`: `NAME` or `NAME=FILE`.

use crate::diagnostic::did_you_mean;
use crate::report::formats::{FORMATS, Format};
use clap::builder::{PossibleValue, TypedValueParser};
use clap::error::ErrorKind;
use std::ffi::OsStr;
use std::path::{Path, PathBuf};
use std::str::FromStr;

/// A format, and where to write it.
#[derive(Clone, Debug)]
pub struct Wanted {
    pub format: &'static Format,
    /// Standard output if there is no file. A path that ends in `/` is a folder, with a file for each student.
    pub file: Option<PathBuf>,
}

impl Wanted {
    /// The folder that gets a file for each student, if the path ends in `/`.
    pub fn folder(&self) -> Option<&Path> {
        let file = self.file.as_deref();
        file.filter(|path| path.as_os_str().as_encoded_bytes().ends_with(b"/"))
    }
}

/// The help of `--audience`.
pub fn audience_help() -> String {
    let platforms = FORMATS.iter().filter(|format| format.is_for_platform());
    let platforms: Vec<_> = platforms.map(|format| format.name).collect();
    let (last, others) = platforms.split_last().expect("there are platforms");
    let others = others.join(", ");
    format!("Who reads the report [default: staff; students for {others} and {last}]")
}

/// Parses a [`Wanted`], and lists in the help the formats that a command writes.
#[derive(Clone, Copy, Debug)]
pub struct WantedParser(pub fn(&Format) -> bool);

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
        let written = FORMATS.iter().filter(|format| self.0(format));
        Some(Box::new(written.map(|format| PossibleValue::new(format.name).help(format.help))))
    }
}

impl FromStr for Wanted {
    type Err = String;

    fn from_str(text: &str) -> Result<Self, String> {
        let (name, file) =
            text.split_once('=').map_or((text, None), |(name, file)| (name, Some(file)));
        let Some(format) = Format::named(name) else {
            let names = FORMATS.iter().map(|format| format.name);
            let all =
                || format!("the formats are {}", names.clone().collect::<Vec<_>>().join(", "));
            let hint = did_you_mean(name, names.clone()).unwrap_or_else(all);
            return Err(format!("there is no format `{name}`\nhint: {hint}"));
        };
        if file.is_some_and(|file| file.ends_with('/')) && !format.is_for_platform() {
            return Err(format!(
                "`{name}` writes one file for all students, and {} is a folder\nhint: name a file in it",
                file.unwrap_or_default()
            ));
        }
        if file == Some("") {
            let ending = format.ending;
            return Err(format!(
                "the file's name is missing\nhint: for example {name}=report.{ending}, or {name} for standard output"
            ));
        }
        Ok(Self { format, file: file.map(PathBuf::from) })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_format_has_a_name_and_may_have_a_file() {
        let wanted =
            |text: &str| text.parse::<Wanted>().map(|wanted| (wanted.format.name, wanted.file));
        assert_eq!(wanted("json"), Ok(("json", None)));
        assert_eq!(wanted("text=a=b.txt"), Ok(("text", Some("a=b.txt".into()))));
        assert_eq!(
            wanted("jsn").unwrap_err(),
            "there is no format `jsn`\nhint: did you mean `json`?"
        );
        assert_eq!(wanted("gradescope=a/"), Ok(("gradescope", Some("a/".into()))));
        assert!(wanted("csv=a/").unwrap_err().ends_with("a/ is a folder\nhint: name a file in it"));
        assert!(wanted("text=").unwrap_err().starts_with("the file's name is missing"));
    }
}
