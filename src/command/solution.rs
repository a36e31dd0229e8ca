//! `harness solution ASSIGNMENT --out DIR`: the reference without its bugs, as a package or sources that build alone.

use crate::catalogue::solution::{SourceFile, solution};
use crate::cli::Solution;
use crate::course::{Course, Language, Program, Sources};
use crate::files;
use crate::problem::{Exit, Failure};
use std::io::{self, Write};
use std::path::Path;
use std::process::Command;

pub(super) fn run(options: &Solution) -> Result<Exit, Failure> {
    let course = Course::read(&options.course)?;
    let assignment = course.assignment(&options.assignment)?;
    let sources = solution(&course, assignment)?;
    files::write_tree(
        &options.out,
        sources.iter().map(|file| (file.path.as_path(), file.text.as_str())),
    )?;
    let (id, folder) = (&assignment.id, options.out.display());
    let next = match &assignment.program {
        Program::Sources(program) => next(program, &sources, &options.out),
        _ => {
            if !format(&options.out) {
                let note =
                    "note: the files are not formatted, because `cargo fmt` does not run here";
                // The note is not worth a failure.
                let _ = writeln!(io::stderr(), "{note}");
            }
            format!("Test it:\n\n    cargo test --manifest-path {folder}/Cargo.toml")
        }
    };
    writeln!(io::stdout(), "The solution of `{id}` is in {folder}. {next}")
        .map_err(|error| Failure::unwritten("where the solution is", &error))?;
    Ok(Exit::Done)
}

/// How to build or run sources in `out`.
fn next(program: &Sources, sources: &[SourceFile], out: &Path) -> String {
    // The files of the course file come first.
    let files = sources.iter().take(program.files.len());
    let files: Vec<_> = files.map(|file| out.join(&file.path).display().to_string()).collect();
    let words = |compiler: &str, files: &[String]| {
        let flags = program.flags.iter().map(String::as_str);
        let words = [compiler].into_iter().chain(flags).chain(files.iter().map(String::as_str));
        words
            .map(|word| shlex::try_quote(word).map_or(word.into(), |word| word))
            .collect::<Vec<_>>()
            .join(" ")
    };
    match program.language {
        Language::C => {
            format!("Build it:\n\n    {} -o {}/program", words("cc", &files), out.display())
        }
        Language::Cpp => {
            format!("Build it:\n\n    {} -o {}/program", words("c++", &files), out.display())
        }
        Language::Python => format!("Run it:\n\n    {}", words("python3", &files[..1])),
        Language::Java => format!("Build it:\n\n    {}", words("javac", &files)),
    }
}

/// Formats a package; whether that succeeded.
fn format(package: &Path) -> bool {
    let manifest = package.join("Cargo.toml");
    let output = Command::new("cargo").arg("fmt").arg("--manifest-path").arg(manifest).output();
    output.is_ok_and(|output| output.status.success())
}
