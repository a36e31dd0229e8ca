//! The kits: how the variants and the tests of a language become programs. Each is a file.

mod archives;
mod bodies;
mod class_file;
mod classes;
mod compiler;
mod crates;
mod header;
mod javac;
mod library;
mod machine;
mod module;
mod points;
mod reader;
mod rust_source;

pub(crate) use compiler::is_header;
pub(crate) use module::PREPARED;

use crate::built::Built;
use crate::course::language::Made;
use crate::course::{AssignmentProgram, UnitTests};
use crate::coverage::Counter;
use crate::diagnostic::{Failure, Problem};
use crate::forkserver::ForkServers;
use crate::framework::Framework;
use crate::run::build::Runnable;
use crate::run::process::ProcessLimits;
use crate::run::work::Work;
use crate::variant::{Given, Variant, sources};
use std::collections::BTreeMap;
use std::path::Path;

/// How tests run on variants of a program.
pub(crate) trait Kit: Send + Sync {
    /// The reference, or a mutant.
    fn variant(&self, given: Given<'_>, id: Option<&str>) -> Result<Variant, Failure>;

    /// Another right program, at `path`, which messages call `name`.
    fn right(&self, given: Given<'_>, path: &Path, name: &str) -> Result<Variant, Failure>;

    /// How many disguises there are.
    fn disguises(&self) -> usize;

    /// The reference, or the mutant with an id, in the disguise with a number: it does the same and looks otherwise. The reference in a
    /// disguise is a *decoy*. A test that fails on one, or on only one of a mutant and its disguise, looks at the program.
    fn disguised(&self, given: Given<'_>, at: usize, id: Option<&str>) -> Result<Variant, Failure>;

    /// Whether tests are compiled for each variant.
    fn compiles_for_each(&self) -> bool {
        false
    }

    /// The reference, telling which mutants' places it reaches, if it can.
    fn teller(&self, _given: Given<'_>) -> Result<Option<Variant>, Failure> {
        Ok(None)
    }

    /// The reference, telling which lines are reached. If its program cannot be so built, that is the course's failure.
    fn counter(&self, given: Given<'_>) -> Result<Box<dyn Counter>, Failure>;

    /// Servers for programs in Python, where they are.
    fn servers(&self, _work: &Work, _limits: &ProcessLimits) -> Option<ForkServers> {
        None
    }

    /// What a server gets: the files of the tests, which were built in a folder, and of a variant, by their names.
    fn files(
        &self,
        _built: Built<'_>,
        _variant: &Variant,
    ) -> Result<BTreeMap<String, Vec<u8>>, Failure> {
        Ok(BTreeMap::new())
    }

    /// What a program of a variant reads from standard input after its secret.
    fn input(&self, _variant: &Variant) -> Vec<u8> {
        Vec::new()
    }

    /// Bytes of address space that a program needs beside its memory.
    fn room(&self) -> u64 {
        0
    }

    /// Makes what is the same on each variant of a file of tests, in its folder, which is empty. What is wrong with the file is its
    /// author's problem. Where tests are compiled for each variant, that is told before they are compiled with others.
    fn build(&self, built: Built<'_>, reference: &Variant) -> Result<Result<(), Problem>, Failure> {
        Ok(self.program(built, reference)?.map(|_| ()))
    }

    /// What makes a room, which is a folder for the program of a file that may still have to be built, if a file is built once for all
    /// variants.
    fn makes_rooms(&self) -> Option<fn(Built<'_>) -> Result<Runnable, Failure>> {
        None
    }

    /// The program of a built file with a variant, in a room of the file, or a new folder whose name says nothing. If the file does not fit
    /// the variant, that is its author's problem.
    fn program(
        &self,
        built: Built<'_>,
        variant: &Variant,
    ) -> Result<Result<Runnable, Problem>, Failure>;
}

/// The kit for the tests of an assignment.
pub(crate) fn of(
    given: Given<'_>,
    unit: &UnitTests,
    framework: &'static dyn Framework,
) -> Result<Box<dyn Kit>, Failure> {
    if let AssignmentProgram::Cargo(package) = &given.assignment.program {
        return Ok(Box::new(crates::Crates::new(package, unit)?));
    }
    let sources = sources(given.assignment)?;
    Ok(match sources.language.rules().made {
        Made::Nothing => {
            framework.package().map_or(Ok(()), module::check_installed)?;
            let seconds = given.assignment.run.seconds;
            let with = unit.with.clone();
            Box::new(module::Modules {
                reader: reader::Reader::default(),
                framework,
                seconds,
                with,
            })
        }
        Made::Classes => Box::new(classes::Classes::new(given, unit, framework)?),
        Made::Linked(_) => {
            let compiler = compiler::Compiler::new(given, unit, framework)?;
            let is_header = sources.files.first().is_some_and(|file| compiler::is_header(file));
            if is_header {
                Box::new(header::Headers { compiler })
            } else {
                Box::new(library::Libraries { compiler })
            }
        }
    })
}

/// What is wrong with a file on which a limit stopped the compiler.
fn stopped() -> Problem {
    Problem::new("compiling the file takes too long or too much memory")
        .hint("does a macro or a template in it expand without end?")
}
