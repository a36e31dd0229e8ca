//! Programs in Rust: one crate, compiled by `rustc`, with the standard library alone.

use super::known::Known;
use super::{Language, Note, qualified, stem};
use crate::course::language::tokens::{self, Token, TokenKind};
use crate::course::submission::Program;
use crate::diagnostic::{Failure, FailureKind, Problem};
use crate::result::graded::Diagnostic;
use crate::submission::SourceFile;
use std::path::PathBuf;
use std::process::Command;
use std::sync::OnceLock;

pub(super) struct Rust;

/// Options of `rustc` unless the course gives some.
const USUAL: [&str; 2] = ["--edition=2021", "-O"];

impl Language for Rust {
    fn build(&self, program: &Program, _: &[&str], _: u64) -> Result<Vec<String>, Failure> {
        let Some(toolchain) = toolchain() else {
            let problem = Problem::new("there is no `rustc`, which compiles the submissions");
            let hint = "install it, for example by `apt-get install rustc`";
            return Err(Failure::new(FailureKind::Machine, problem.hint(hint)));
        };
        let main = program.names();
        let main = main.first().copied().unwrap_or_default();
        let given = !program.flags.is_empty();
        let usual = USUAL.iter().filter(|_| !given).map(|&flag| flag.to_owned());
        let rest = ["--error-format=short", "-o", stem(main), main].map(str::to_owned);
        let compiler = toolchain.join("bin/rustc").display().to_string();
        Ok([compiler]
            .into_iter()
            .chain(usual)
            .chain(program.flags.iter().cloned())
            .chain(rest)
            .collect())
    }

    fn shown(&self) -> Vec<PathBuf> {
        toolchain().filter(|folder| !folder.starts_with("/usr")).cloned().into_iter().collect()
    }

    fn made(&self, name: &str) -> Option<String> {
        Some(stem(name).to_owned())
    }

    fn why_missing(&self, name: &str, _: &SourceFile) -> Diagnostic {
        Diagnostic::plain(format!("the build made no program of {name}"))
    }

    fn keeps(&self, name: &str, file: &str) -> bool {
        file == stem(name)
    }

    fn start(&self, _: &Program, name: &str, _: u64) -> Vec<String> {
        vec![format!("./{}", stem(name))]
    }

    fn tokens(&self, source: &str) -> Vec<Token> {
        tokens::rust(source)
    }

    fn imports<'a>(&self, source: &'a str, tokens: &[Token], note: Note<'_, 'a>) {
        let mut known = Known::default();
        for (at, token) in tokens.iter().enumerate() {
            if token.kind == TokenKind::Name && token.text(source) == "use" {
                // A path that is used outside a `use` has its place, too.
                let place = tokens.get(at + 1).unwrap_or(token).range.start;
                used(source, &tokens[at + 1..], &mut |parts, name| {
                    note(place, parts, 0);
                    known.note_name(name, parts);
                });
            }
        }
        qualified(source, tokens, "::", &mut |place, parts| {
            if parts.len() > 1 {
                note(place, parts, 0);
            }
        });
        known.used(source, tokens, "::", note);
    }
}

/// Notes the paths of a `use`, with those in its braces, and what each is called here.
fn used<'a>(source: &'a str, tokens: &[Token], note: &mut dyn FnMut(&[&'a str], &'a str)) {
    let mut path: Vec<&str> = Vec::new();
    // How long the path before each open brace is.
    let mut open: Vec<usize> = Vec::new();
    let mut renamed = None;
    let mut noted = |path: &[&'a str], renamed: Option<&'a str>| {
        // `{self}` is the module itself.
        let path = path.strip_suffix(&["self"]).unwrap_or(path);
        note(path, renamed.or(path.last().copied()).unwrap_or_default());
    };
    for token in tokens {
        match token.text(source) {
            "{" => open.push(path.len()),
            ";" => return noted(&path, renamed.flatten()),
            end @ ("," | "}") => {
                noted(&path, renamed.take().flatten());
                path.truncate(open.last().copied().unwrap_or_default());
                if end == "}" {
                    open.pop();
                }
            }
            "as" => renamed = Some(None),
            name if token.kind == TokenKind::Name => match &mut renamed {
                Some(renamed) => *renamed = Some(name),
                None => path.push(name),
            },
            _ => {}
        }
    }
}

/// The folder of the compiler and its library.
fn toolchain() -> Option<&'static PathBuf> {
    /// It stays where it is while this program runs.
    static FOLDER: OnceLock<Option<PathBuf>> = OnceLock::new();
    FOLDER
        .get_or_init(|| {
            let output = Command::new("rustc").args(["--print", "sysroot"]).output().ok()?;
            let folder = PathBuf::from(String::from_utf8(output.stdout).ok()?.trim());
            folder.join("bin/rustc").is_file().then_some(folder)
        })
        .as_ref()
}
