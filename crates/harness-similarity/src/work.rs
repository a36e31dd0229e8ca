//! What one person handed in, as it is compared.

use crate::gram::{NONE, grams};
use crate::symbol::{EDGE, Symbol, symbols};
use crate::{Language, Lines, Settings};
use harness_course::hash::Digest;
use std::collections::HashSet;

/// What one person handed in.
#[derive(Clone, Debug)]
pub struct Work {
    /// Those of all files, with an edge after each file.
    pub(crate) symbols: Vec<Symbol>,
    /// The path of each file, and where its symbols begin.
    files: Vec<(String, usize)>,
    digest: String,
}

impl Work {
    /// Reads files with their paths, of which only those count that have a language. Files that were given as they are do not count.
    pub fn read<'a>(
        files: impl IntoIterator<Item = (&'a str, &'a [u8])>,
        language: impl Fn(&str) -> Option<Language>,
        given: &Given,
    ) -> Self {
        let mut work = Self { symbols: Vec::new(), files: Vec::new(), digest: String::new() };
        let mut contents = Vec::new();
        for (path, bytes) in files {
            let digest = Digest::default().with(bytes).hex();
            let Some(language) = language(path).filter(|_| !given.files.contains(&digest)) else {
                continue;
            };
            contents.push(digest);
            work.files.push((path.to_owned(), work.symbols.len()));
            work.symbols.extend(symbols(language, &String::from_utf8_lossy(bytes)));
            work.symbols.push(Symbol { code: EDGE, line: 0 });
        }
        contents.sort();
        work.digest = contents.iter().fold(Digest::default(), Digest::with).hex();
        work
    }

    /// The digest of what its files contain, whatever they are called.
    pub fn digest(&self) -> &str {
        &self.digest
    }

    /// The lines of these symbols, which are in one file.
    pub(crate) fn lines(&self, start: usize, length: usize) -> Lines {
        let file = self.files.partition_point(|(_, first)| *first <= start) - 1;
        let line = |at: usize| self.symbols[at].line;
        Lines {
            file: self.files[file].0.clone(),
            first: line(start),
            last: line(start + length - 1),
        }
    }

    /// The codes of its symbols, and the hash at each position.
    pub(crate) fn grams(&self, size: usize) -> (Vec<u32>, Vec<u64>) {
        let codes: Vec<_> = self.symbols.iter().map(|symbol| symbol.code).collect();
        let grams = grams(&codes, size);
        (codes, grams)
    }
}

/// What the course gave to students, which does not count.
#[derive(Clone, Debug, Default)]
pub struct Given {
    /// The digests of the files.
    files: HashSet<String>,
    works: Vec<Work>,
}

impl Given {
    /// Adds files with their paths.
    pub fn add<'a>(
        &mut self,
        files: impl IntoIterator<Item = (&'a str, &'a [u8])> + Clone,
        language: impl Fn(&str) -> Option<Language>,
    ) {
        self.works.push(Work::read(files.clone(), language, &Self::default()));
        self.files.extend(files.into_iter().map(|(_, bytes)| Digest::default().with(bytes).hex()));
    }

    /// The hashes of all that was given, in order.
    pub(crate) fn grams(&self, settings: &Settings) -> Vec<u64> {
        let all = self.works.iter().flat_map(|work| work.grams(settings.gram).1);
        let mut all: Vec<_> = all.filter(|&gram| gram != NONE).collect();
        all.sort_unstable();
        all.dedup();
        all
    }
}
