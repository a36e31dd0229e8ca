//! Programs in C and C++ that are headers, such as templates: each variant is the text of the headers, with one bug or none. The tests are
//! compiled with each, so nothing is selected in the program.
//!
//! The headers are in a folder without a name that tests could know, and are read before the tests. What a test includes under their
//! names is empty, so that no macro of it changes or counts what the program says.

use super::compiler::{Compiler, PROGRAM, TELL};
use super::{Kit, bodies};
use crate::built::Built;
use crate::catalogue::sites;
use crate::coverage::Counter;
use crate::diagnostic::{Failure, Problem};
use crate::hash::Digest;
use crate::run::build::{self, Runnable};
use crate::run::coverage::{Coverage, Notes};
use crate::running::Pair;
use crate::variant::{Given, Variant, sources};
use crate::variants::Variants;
use std::fs;
use std::io;
use std::path::{Path, PathBuf};
use subject::Case;
use tempfile::TempDir;

/// How many functions each disguise has more than the program, and how it is optimized. They are few, because tests are
/// compiled for each.
const DISGUISES: [(usize, &str); 2] = [(1, "O1"), (7, "Os")];

pub(super) struct Headers {
    pub(super) compiler: Compiler,
}

impl Kit for Headers {
    fn variant(&self, given: Given<'_>, id: Option<&str>) -> Result<Variant, Failure> {
        match id {
            Some(id) => Variant::of_mutant(given.assignment, id),
            None => Variant::of_sources(sources(given.assignment)?, None),
        }
    }

    fn right(&self, given: Given<'_>, path: &Path, _name: &str) -> Result<Variant, Failure> {
        Variant::of_right(given.assignment, path)
    }

    fn disguises(&self) -> usize {
        DISGUISES.len()
    }

    fn disguised(&self, given: Given<'_>, at: usize, id: Option<&str>) -> Result<Variant, Failure> {
        Ok(disguised(&self.variant(given, id)?, DISGUISES[at]))
    }

    fn compiles_for_each(&self) -> bool {
        true
    }

    fn teller(&self, given: Given<'_>) -> Result<Option<Variant>, Failure> {
        let sources = sources(given.assignment)?;
        let mut variant = Variant::marked(sources)?;
        let (name, text) = sites::library(sources.language);
        variant.files.push((name.into(), format!("#define {TELL}\n{text}").into()));
        Ok(Some(variant))
    }

    fn counter(&self, given: Given<'_>) -> Result<Box<dyn Counter>, Failure> {
        let object = build::traced_object(given.course, given.assignment)?;
        let linked = object.to_string_lossy().into_owned();
        Ok(Box::new(CountingHeaders { compiler: self.compiler.clone(), linked }))
    }

    fn program(
        &self,
        built: Built<'_>,
        variant: &Variant,
    ) -> Result<Result<Runnable, Problem>, Failure> {
        let failed = |error| Failure::machine("write a temporary file", error);
        let contents = variant.files.iter().fold(Digest::default(), |digest, (name, text)| {
            digest.with(name.to_string_lossy().as_bytes()).with(text)
        });
        let path = built.folder.join(contents.hex());
        if !path.is_file() {
            let plain = Options::default();
            let folder = match compiled(&self.compiler, built, variant, &plain)? {
                Ok((folder, _)) => folder,
                Err(problem) => return Ok(Err(problem)),
            };
            fs::rename(folder.path().join(PROGRAM), &path).map_err(failed)?;
        }
        program(built.folder, &path).map(Ok)
    }
}

/// The same program with so many functions more that nothing uses, and optimized otherwise, if the compiler is GCC.
fn disguised(variant: &Variant, (many, optimized): (usize, &str)) -> Variant {
    let line = |at| format!("static inline int unused_{at}_() {{ return {at}; }}\n");
    let more: String = (0..many).map(line).collect();
    let text = format!(
        "#ifndef UNUSED_\n#define UNUSED_\n#if defined __GNUC__ && !defined __clang__\n\
         #pragma GCC optimize (\"{optimized}\")\n#endif\n{more}#endif\n"
    );
    variant.with_texts(variant.texts().take(1).map(|first| format!("{text}{first}")))
}

/// A program that was compiled, in a new folder.
fn program(place: &Path, compiled: &Path) -> Result<Runnable, Failure> {
    let lay = || -> io::Result<PathBuf> {
        let folder = tempfile::Builder::new().prefix("").tempdir_in(place)?.keep();
        // A link would tell by its count how many programs there were.
        fs::copy(compiled, folder.join(PROGRAM))?;
        Ok(folder)
    };
    let folder = lay().map_err(|error| Failure::machine("write a temporary file", error))?;
    let words = vec![folder.join(PROGRAM).to_string_lossy().into_owned()];
    Ok(Runnable::new(words, folder).hostile())
}

/// Options of the compiler, and what it links beside the tests.
#[derive(Default)]
struct Options<'a> {
    options: &'a [&'a str],
    linked: &'a [&'a str],
}

/// A folder in which the tests are compiled with a variant, and the name of the folder of its headers there.
fn compiled(
    compiler: &Compiler,
    built: Built<'_>,
    variant: &Variant,
    options: &Options<'_>,
) -> Result<Result<(TempDir, PathBuf), Problem>, Failure> {
    let folder_in = |folder: &Path| tempfile::Builder::new().prefix("").tempdir_in(folder);
    let lay = || -> io::Result<(TempDir, PathBuf)> {
        let folder = folder_in(built.folder)?;
        compiler.lay(built.file, folder.path())?;
        variant.with_no_contents().lay(folder.path())?;
        let headers = folder_in(folder.path())?.keep();
        variant.lay(&headers)?;
        Ok((folder, headers))
    };
    let (folder, headers) =
        lay().map_err(|error| Failure::machine("write a temporary file", error))?;
    let headers = PathBuf::from(headers.file_name().unwrap_or_default());
    let first = |(name, _): &(PathBuf, Vec<u8>)| {
        ["-include".to_owned(), headers.join(name).to_string_lossy().into_owned()]
    };
    let mut before: Vec<_> = variant.program().iter().flat_map(first).collect();
    before.extend(options.options.iter().map(|&option| option.to_owned()));
    let done = match compiler.compile(built, folder.path(), &before)? {
        Ok(()) => compiler.link(built, folder.path(), options.linked)?,
        Err(problem) => Err(problem),
    };
    Ok(done.map(|()| (folder, headers)))
}

/// Compiles tests with the reference so that they tell which lines are reached.
struct CountingHeaders {
    compiler: Compiler,
    /// What such a program is linked with.
    linked: String,
}

impl Counter for CountingHeaders {
    fn coverage(
        &self,
        variants: &Variants,
        pair: &mut Pair<'_>,
        cases: &[Case],
    ) -> Result<Result<Coverage, Problem>, Failure> {
        let linked = [&*self.linked, "--coverage"];
        let options = Options { options: &["-O0", "--coverage"], linked: &linked };
        let done = compiled(&self.compiler, pair.built, pair.variant, &options)?;
        let (folder, headers) = match done {
            Ok(done) => done,
            Err(problem) => return Ok(Err(problem)),
        };
        let program = program(pair.built.folder, &folder.path().join(PROGRAM))?;
        let notes = Notes::read(folder.path())?;
        // The compiler was told the names of the headers as they are in that folder.
        let whole = variants.counted(pair.built.work, &program, cases, &notes, Path::new(""))?;
        let mut coverage = whole.below(&headers);
        for (name, text) in pair.variant.program() {
            let text = String::from_utf8_lossy(text);
            bodies::add_unused(&mut coverage, &name.to_string_lossy(), &text);
        }
        Ok(Ok(coverage))
    }
}
