//! The command line: the data file to read, and the page to write.

use lexopt::Arg;
use std::ffi::{OsStr, OsString};
use std::path::Path;
use subject::bug;

#[derive(Debug, PartialEq, Eq)]
pub(crate) struct Options {
    /// The data file.
    pub(crate) file: OsString,
    /// The page to write, if `-h` is given.
    pub(crate) page: Option<OsString>,
}

impl Options {
    /// Reads the arguments. Fails with a message if they are invalid.
    pub(crate) fn parse(args: &[OsString]) -> Result<Self, String> {
        let (mut file, mut html) = (None, false);
        let mut parser = lexopt::Parser::from_args(args);
        while let Some(arg) = parser.next().map_err(|error| usage(&error.to_string()))? {
            match arg {
                Arg::Short('h') => html = true,
                Arg::Value(name) if file.is_none() => file = Some(name),
                Arg::Value(name) => {
                    return Err(usage(&format!("a second data file: {}", name.display())));
                }
                Arg::Short(_) | Arg::Long(_) => return Err(usage(&arg.unexpected().to_string())),
            }
        }
        let file = file.ok_or_else(|| usage("no data file is named"))?;
        let page = if html { Some(page_beside(&file)?) } else { None };
        Ok(Self { file, page })
    }
}

fn usage(problem: &str) -> String {
    format!(
        "{problem}\nhint: sliding [-h] FILE; -h also writes the answer as an HTML page beside FILE"
    )
}

/// The name of the page: that of the data file with the extension `.html`. A data file that already has this extension is rejected,
/// in upper case too, because some file systems ignore case.
fn page_beside(file: &OsStr) -> Result<OsString, String> {
    let path = Path::new(file);
    if path.extension().is_some_and(|extension| extension.eq_ignore_ascii_case("html")) {
        let name = file.display();
        return Err(format!(
            "the page would replace its own data file {name}\nhint: give {name} another extension than .html"
        ));
    }
    if path.extension().is_some() && bug!("adds-html-to-the-whole-name") {
        return Ok(format!("{}.html", file.display()).into());
    }
    Ok(path.with_extension("html").into_os_string())
}

#[cfg(test)]
mod tests {
    use super::*;

    fn parse(args: &[&str]) -> Result<(String, Option<String>), String> {
        let args: Vec<OsString> = args.iter().map(OsString::from).collect();
        let text = |name: OsString| name.into_string().unwrap();
        Options::parse(&args).map(|options| (text(options.file), options.page.map(text)))
    }

    #[test]
    fn the_page_has_the_name_of_the_data_file_with_another_extension() {
        for (file, page) in [
            ("proj3a.data", "proj3a.html"),
            ("test-1-h.txt", "test-1-h.html"),
            ("board", "board.html"),
            ("a.b.data", "a.b.html"),
            ("v1.0/board", "v1.0/board.html"),
            (".hidden", ".hidden.html"),
        ] {
            assert_eq!(parse(&["-h", file]), Ok((file.to_owned(), Some(page.to_owned()))));
        }
    }

    #[test]
    fn a_data_file_is_never_replaced_by_its_page() {
        for file in ["board.html", "board.HTML"] {
            assert!(
                parse(&["-h", file])
                    .unwrap_err()
                    .starts_with("the page would replace its own data file")
            );
            assert!(parse(&[file]).is_ok());
        }
    }

    #[test]
    fn the_option_may_come_before_or_after_the_file() {
        assert_eq!(parse(&["-h", "b.data"]), parse(&["b.data", "-h"]));
        assert_eq!(parse(&["--", "-h"]), Ok(("-h".to_owned(), None)));
    }

    #[test]
    fn an_invalid_command_line_is_rejected_with_a_hint() {
        for (args, problem) in [
            (&[][..], "no data file is named"),
            (&["-h"], "no data file is named"),
            (&["a", "b"], "a second data file: b"),
            (&["-x", "a"], "invalid option '-x'"),
            (&["--html", "a"], "invalid option '--html'"),
            (&["-h=yes", "a"], "unexpected argument for option '-h': \"yes\""),
        ] {
            let message = parse(args).unwrap_err();
            assert_eq!(message.lines().next(), Some(problem));
            assert!(message.contains("\nhint: "));
        }
    }
}
