//! Programs in C and C++, or another language whose compiler has the options of GCC.

use super::{Build, Builder};
use crate::course::Language;
use crate::course::language::Compiler;
use crate::diagnostic::Failure;
use crate::run::build::compiler::Compilation;
use crate::run::prepare;
use std::process::Output;

pub(super) struct Native(&'static Compiler);

impl Native {
    /// What builds programs in a language that has a compiler.
    pub(super) fn of(language: Language) -> Self {
        Self(language.compiler().expect("its file says which compiler it has"))
    }
}

impl Builder for Native {
    fn build(&self, build: &Build<'_>) -> Result<(), Failure> {
        let compilation = Compilation::new(build, self.0);
        let tools = [compilation.compiler(), "ld"];
        build.build(&compilation.words(), &tools, || compilation.run())
    }

    fn words(&self, build: &Build<'_>) -> Result<Vec<String>, Failure> {
        Ok(vec![Build::text(&build.output)?])
    }

    fn check(&self, build: &Build<'_>) -> Result<Vec<Output>, Failure> {
        Compilation::new(build, self.0).check(prepare::jobs(None))
    }
}
