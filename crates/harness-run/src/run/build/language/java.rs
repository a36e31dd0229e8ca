//! Programs in Java.

use super::{Build, Builder};
use crate::course::Language;
use crate::diagnostic::Failure;
use crate::run::build::classes::QUICK;
use crate::run::build::record::Traces;
use crate::run::build::{java, unwritable, with_ending};
use std::ffi::OsStr;
use std::fs;
use std::path::PathBuf;
use std::process::{Command, Output};

/// The options of `java`. They keep it within a limit on address space, since by default it reserves more than a gigabyte beside the heap.
/// And programs share no file: `java` maps one that is named by the process's number, which is the same in every PID namespace.
pub fn java_options(memory_mb: u64) -> [String; 6] {
    let heap = format!("-Xmx{}m", (memory_mb / 2).max(16));
    let rest = [
        "-XX:CompressedClassSpaceSize=64m",
        "-XX:ReservedCodeCacheSize=64m",
        "-XX:+UseSerialGC",
        "-XX:TieredStopAtLevel=1",
        "-XX:-UsePerfData",
    ];
    let [classes, code, collector, compiler, counters] = rest.map(str::to_owned);
    [heap, classes, code, collector, compiler, counters]
}

pub(super) struct Java;

impl Builder for Java {
    fn build(&self, build: &Build<'_>) -> Result<(), Failure> {
        build.build(&"javac", &["javac"], || {
            // Classes that no longer exist must not remain.
            let _ = fs::remove_dir_all(&build.output);
            fs::create_dir_all(&build.output)
                .map_err(|error| unwritable(&build.what, &build.output, &error))?;
            let mut command = Command::new("javac");
            command.args(QUICK).arg("-d").arg(&build.output).args(&build.flags);
            build.compile(command.args(files(build, main(build))?), "javac")?;
            Ok(Traces::default())
        })
    }

    fn words(&self, build: &Build<'_>) -> Result<Vec<String>, Failure> {
        let classes = Build::text(&build.output)?;
        let start = java(build.memory_mb).into_iter();
        let main = main(build).to_string_lossy().into_owned();
        Ok(start.chain(["-cp".to_owned(), classes, main]).collect())
    }

    /// Nothing: no bugs are proposed in Java, so nothing has to be checked.
    fn check(&self, _: &Build<'_>) -> Result<Vec<Output>, Failure> {
        Ok(Vec::new())
    }
}

/// The class that starts the program.
fn main<'a>(build: &'a Build<'_>) -> &'a OsStr {
    let is_given = build.given.language == Language::Java;
    let main = if is_given { &build.given.files[0] } else { &build.files[0] };
    main.file_stem().unwrap_or_default()
}

/// The files to compile. The file of a mutant has its id as its name, so a copy is named after its class, which is `main`.
fn files(build: &Build<'_>, main: &OsStr) -> Result<Vec<PathBuf>, Failure> {
    let [file] = build.files.as_slice() else { return Ok(build.files.clone()) };
    if file.file_stem() == Some(main) {
        return Ok(build.files.clone());
    }
    let folder = with_ending(&build.output, ".sources");
    let copy = folder.join(main).with_extension("java");
    fs::create_dir_all(&folder)
        .and_then(|()| fs::copy(file, &copy))
        .map_err(|error| unwritable(&build.what, &folder, &error))?;
    Ok(vec![copy])
}
