//! Programs in C and C++ that are headers, such as templates: each variant is the text of the headers, with one bug or none. The tests are
//! compiled with each, so nothing is selected in the program.
//!
//! The headers are in a folder without a name that tests could know, and are read before the tests. What a test includes under their
//! names is empty, so that no macro of it changes or counts what the program says.

use super::Kit;
use super::compiler::{Compiler, PROGRAM, TELL};
use crate::catalogue::sites;
use crate::diagnostic::{Failure, Problem};
use crate::hash::Digest;
use crate::run::build::Runnable;
use crate::run::work::Work;
use crate::suite::TestProgram;
use crate::variant::{Given, Variant, sources};
use std::fs;
use std::io;
use std::path::{Path, PathBuf};
use tempfile::TempDir;

/// How many functions a decoy has more than the reference.
const DECOYS: [usize; 2] = [1, 7];

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

    fn decoys(&self, _given: Given<'_>, reference: &Variant) -> Result<Vec<Variant>, Failure> {
        let decoy = |many: usize| {
            let line = |at| format!("static inline int unused_{at}_() {{ return {at}; }}\n");
            let more: String = (0..many).map(line).collect();
            let text = format!("#ifndef UNUSED_\n#define UNUSED_\n{more}#endif\n");
            reference.clone().with_text(text + &reference.text())
        };
        Ok(DECOYS.map(decoy).to_vec())
    }

    fn teller(&self, given: Given<'_>) -> Result<Option<Variant>, Failure> {
        let sources = sources(given.assignment)?;
        let mut variant = Variant::marked(sources)?;
        let (name, text) = sites::library(sources.language);
        variant.files.push((name.into(), format!("#define {TELL}\n{text}").into()));
        Ok(Some(variant))
    }

    fn build(
        &self,
        work: &Work,
        place: &Path,
        tests: &TestProgram,
        reference: &Variant,
    ) -> Result<Result<(), Problem>, Failure> {
        // This says what is wrong with the file before it is compiled with any other variant.
        let compiled = self.program(work, place, tests, reference)?;
        Ok(compiled.map(|_| ()))
    }

    fn program(
        &self,
        work: &Work,
        built: &Path,
        tests: &TestProgram,
        variant: &Variant,
    ) -> Result<Result<Runnable, Problem>, Failure> {
        let failed = |error| Failure::machine("write a temporary file", error);
        let contents = variant.files.iter().fold(Digest::default(), |digest, (name, text)| {
            digest.with(name.to_string_lossy().as_bytes()).with(text)
        });
        let compiled = built.join(contents.hex());
        if !compiled.is_file() {
            let folder = match self.compiled(work, built, tests, variant)? {
                Ok(folder) => folder,
                Err(problem) => return Ok(Err(problem)),
            };
            fs::rename(folder.path().join(PROGRAM), &compiled).map_err(failed)?;
        }
        let lay = || -> io::Result<PathBuf> {
            let folder = tempfile::Builder::new().prefix("").tempdir_in(built)?.keep();
            fs::hard_link(&compiled, folder.join(PROGRAM))?;
            Ok(folder)
        };
        let folder = lay().map_err(failed)?;
        let words = vec![folder.join(PROGRAM).to_string_lossy().into_owned()];
        Ok(Ok(Runnable::new(words, folder).hostile()))
    }
}

impl Headers {
    /// A folder in which the tests are compiled with a variant.
    fn compiled(
        &self,
        work: &Work,
        built: &Path,
        tests: &TestProgram,
        variant: &Variant,
    ) -> Result<Result<TempDir, Problem>, Failure> {
        let folder_in = |folder: &Path| tempfile::Builder::new().prefix("").tempdir_in(folder);
        let lay = || -> io::Result<(TempDir, PathBuf)> {
            let folder = folder_in(built)?;
            self.compiler.lay(tests, folder.path())?;
            variant.with_no_contents().lay(folder.path())?;
            let headers = folder_in(folder.path())?.keep();
            variant.lay(&headers)?;
            Ok((folder, headers))
        };
        let (folder, headers) =
            lay().map_err(|error| Failure::machine("write a temporary file", error))?;
        let headers = Path::new(headers.file_name().unwrap_or_default());
        let first = |(name, _): &(PathBuf, Vec<u8>)| {
            ["-include".to_owned(), headers.join(name).to_string_lossy().into_owned()]
        };
        let before: Vec<_> = variant.program().iter().flat_map(first).collect();
        let done = match self.compiler.compile(work, tests, folder.path(), &before)? {
            Ok(()) => self.compiler.link(work, tests, folder.path(), &[])?,
            Err(problem) => Err(problem),
        };
        Ok(done.map(|()| folder))
    }
}
