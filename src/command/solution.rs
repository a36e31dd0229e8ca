//! `harness solution ASSIGNMENT --out DIR`: the reference without its bugs, as a package or sources that build alone.

use crate::catalogue::solution::{SourceFile, solution};
use crate::cli::Solution;
use crate::course::language::Made;
use crate::course::{AssignmentProgram, Course, Sources};
use crate::diagnostic::Failure;
use crate::exit::Exit;
use crate::files;
use std::borrow::Cow;
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
    let next = if let AssignmentProgram::Sources(program) = &assignment.program {
        next(program, &sources, &options.out)
    } else {
        if !format(&options.out) {
            let note = "note: the files are not formatted, because `cargo fmt` does not run here";
            // The note is not worth a failure.
            let _ = writeln!(io::stderr(), "{note}");
        }
        format!("Test it:\n\n    cargo test --manifest-path {folder}/Cargo.toml")
    };
    writeln!(io::stdout(), "The solution of `{id}` is in {folder}. {next}")
        .map_err(|error| Failure::unwritten("where the solution is", &error))?;
    Ok(Exit::Done)
}

/// How to build or run sources in `out`.
fn next(program: &Sources, sources: &[SourceFile], out: &Path) -> String {
    let path = |path: &Path| out.join(path).display().to_string();
    let files = sources.iter().filter(|file| program.language.has_source(&file.path));
    let files = files.map(|file| path(&file.path));
    let output = ["-o".to_owned(), path(Path::new("program"))];
    let line = |tool: &str, files: Vec<String>| {
        let words = [tool.to_owned()].into_iter().chain(program.flags.iter().cloned()).chain(files);
        let quoted = words.map(|word| shlex::try_quote(&word).map(Cow::into_owned).unwrap_or(word));
        quoted.collect::<Vec<_>>().join(" ")
    };
    let rules = program.language.rules();
    let tool = rules.tools[0].name;
    let (verb, line) = match &rules.made {
        Made::Linked(_) => ("Build", line(tool, files.chain(output).collect())),
        Made::Classes => ("Build", line(tool, files.collect())),
        Made::Nothing => ("Run", line(tool, files.take(1).collect())),
    };
    format!("{verb} it:\n\n    {line}")
}

/// Formats a package; whether that succeeded.
fn format(package: &Path) -> bool {
    let manifest = package.join("Cargo.toml");
    let output = Command::new("cargo").arg("fmt").arg("--manifest-path").arg(manifest).output();
    output.is_ok_and(|output| output.status.success())
}
