//! `harness similar FOLDER`: which works of a class are alike. It needs no course, and runs nothing.

use super::print;
use crate::cli::similar::Similar;
use crate::diagnostic::{Failure, Problem, similar_path};
use crate::exit::Exit;
use crate::files::upload::{Upload, without_ending};
use crate::report::similar::{Alike, Region, SCHEMA, Share, SimilarWork, Unread};
use crate::similarity::{self, Comparison, Given, Language, Settings, Work};
use crate::suite::layout::{self, Entry, EntryKind};
use std::collections::BTreeSet;
use std::path::Path;

/// The most kilobytes of a work that are read, before [`Upload`] gives some more.
const KILOBYTES: u64 = 8192;

pub(super) fn run(options: &Similar) -> Result<Exit, Failure> {
    let language =
        |path: &str| Language::of(path).filter(|it| options.texts || *it != Language::Text);
    let mut given = Given::default();
    for path in &options.given {
        let upload = read(path).map_err(|problem| Failure::usage(*problem))?;
        given.add(files(&upload), language);
    }
    let mut class = Class::default();
    class.add(&options.folder, None, language, &given)?;
    let earlier = class.works.len();
    for folder in &options.earlier {
        class.add(folder, Some(&layout::folder_name(folder)), language, &given)?;
    }
    let settings = Settings {
        least: f64::from(options.least) / 100.0,
        pairs: options.pairs.into(),
        ..Settings::default()
    };
    let found = similarity::compare(&class.works, earlier, &given, &settings);
    print("the report", &class.report(earlier, &found), options.format)?;
    Ok(Exit::Done)
}

/// What to give where works are read.
const OF_WORKS: &str = "give a folder that has a folder, an archive or a source for each student";

/// The works of a class, and of earlier ones.
#[derive(Default)]
struct Class {
    names: Vec<String>,
    works: Vec<Work>,
    unread: Vec<Unread>,
}

impl Class {
    /// Adds the works in a folder. The names of an earlier `term` begin with its name.
    fn add(
        &mut self,
        folder: &Path,
        term: Option<&str>,
        language: impl Fn(&str) -> Option<Language> + Copy,
        given: &Given,
    ) -> Result<(), Failure> {
        layout::check_folder(folder, OF_WORKS)?;
        let entries = layout::entries(folder)
            .map_err(|error| Failure::machine(format!("read {}", folder.display()), error))?;
        let entries = works(entries, language);
        if entries.is_empty() {
            let message = format!("there are no works in {}", folder.display());
            return Err(Failure::usage(Problem::new(message).hint(OF_WORKS)));
        }
        for (name, entry) in names(&entries).into_iter().zip(&entries) {
            let name = term.map_or_else(|| name.clone(), |term| format!("{term}/{name}"));
            match read(&entry.path) {
                Ok(upload) => self.works.push(Work::read(files(&upload), language, given)),
                Err(problem) => {
                    self.unread.push(Unread { name, why: problem.message });
                    continue;
                }
            }
            self.names.push(name);
        }
        Ok(())
    }

    fn report(self, earlier: usize, found: &Comparison) -> SimilarWork {
        let name = |work: usize| self.names[work].clone();
        let nothing = (0..self.names.len()).filter(|&work| found.counted[work] == 0);
        let pair = |pair: &similarity::Pair| {
            let (one, other) = found.shares(pair);
            Alike {
                one: Share::new(name(pair.one), one),
                other: Share::new(name(pair.other), other),
                symbols: pair.symbols,
                regions: pair.regions.iter().map(Region::from).collect(),
            }
        };
        SimilarWork {
            schema: SCHEMA.to_owned(),
            works: earlier,
            earlier: self.names.len() - earlier,
            equal: found
                .equal
                .iter()
                .map(|group| group.iter().map(|&it| name(it)).collect())
                .collect(),
            pairs: found.pairs.iter().map(pair).collect(),
            nothing: nothing.map(name).collect(),
            unread: self.unread,
        }
    }
}

/// The entries of a folder that are works: folders and archives, or if there are none, sources.
fn works(entries: Vec<Entry>, language: impl Fn(&str) -> Option<Language>) -> Vec<Entry> {
    let (folders, files): (Vec<_>, Vec<_>) = entries.into_iter().partition(|entry| {
        matches!(entry.kind, EntryKind::Folder | EntryKind::LinkToFolder | EntryKind::Archive)
    });
    if !folders.is_empty() {
        return folders;
    }
    let is_source =
        |entry: &Entry| entry.kind == EntryKind::File && language(&entry.name).is_some();
    files.into_iter().filter(is_source).collect()
}

/// A name of its own for each entry: without the ending of an archive, if no other has this name.
fn names(entries: &[Entry]) -> Vec<String> {
    let whole: Vec<_> = entries
        .iter()
        .map(|entry| layout::shown(entry.path.file_name().unwrap_or_default()))
        .collect();
    let mut taken: BTreeSet<_> = whole.iter().map(String::as_str).collect();
    let name = |whole| match without_ending(whole) {
        Some(short) if taken.insert(short) => short.to_owned(),
        _ => String::from(whole),
    };
    whole.iter().map(String::as_str).map(name).collect()
}

/// Reads a folder, an archive or a source.
fn read(path: &Path) -> Result<Upload, Box<Problem>> {
    if path.symlink_metadata().is_err() {
        let hint =
            similar_path::hint(path).unwrap_or_else(|| "give the path of a folder".to_owned());
        return Err(Box::new(
            Problem::new(format!("{} does not exist", path.display())).hint(hint),
        ));
    }
    let upload = match Language::of(&path.to_string_lossy()) {
        Some(_) if path.is_file() => Upload::of_source(path, KILOBYTES),
        _ => Upload::read(path, KILOBYTES),
    };
    match upload.problem {
        Some(problem) if upload.files.is_empty() => Err(Box::new(problem)),
        _ => Ok(upload),
    }
}

/// The files with their paths, as far as these are text.
fn files(upload: &Upload) -> impl Iterator<Item = (&str, &[u8])> + Clone {
    upload.files.iter().filter_map(|(path, bytes)| Some((str::from_utf8(path).ok()?, &bytes[..])))
}
