//! Converts the course file into the types of [`super`], and collects its problems.

use super::input::About;
use super::{
    Assignment, AssignmentProgram, FILE, Language, Package, Scoring, Sources, UnitTests, raw,
};
use crate::course::yaml::{Entries, Source, Spanned};
use crate::diagnostic::similar_path;
use crate::diagnostic::{Problem, did_you_mean, printable};
use crate::domain::{
    self, CaseRules, Domain, Flag, FlagGroup, InputLimits, Mistakes, Refusals, TestRules,
};
use std::path::{Path, PathBuf};
use std::sync::Arc;

/// Converts the file's contents, and collects problems.
pub(super) struct Check<'a> {
    pub(super) source: &'a Source,
    pub(super) folder: &'a Path,
    pub(super) problems: Vec<Problem>,
}

/// What tests are: inputs of a domain, or programs.
struct Tests {
    domain: Arc<dyn Domain>,
    unit: Option<UnitTests>,
    rules: TestRules,
    refusals: Refusals,
}

impl Check<'_> {
    pub(super) fn assignment(&mut self, id: String, raw: raw::Assignment) -> Option<Assignment> {
        let (is_unit, tests) = (raw.tests.unit.is_some(), self.tests(&raw));
        let shape = raw.input.as_ref().or(raw.tests.calls.as_ref());
        let shape = shape.and_then(|input| input.value.file());
        let shape = shape.map(|path| self.folder.join(path));
        let program = self.program(&raw.program);
        let mutants = self.folder_at(&raw.mutants);
        let corpus = raw.corpus.as_ref().and_then(|folder| self.corpus(folder, is_unit));
        let judge = self.judge(raw.judge.as_ref());
        let validators = self.validators(&raw.validators);
        // If something is wrong with unit tests, their files are unknown, and nothing else is wrong.
        let unit = tests.as_ref().and_then(|tests| tests.unit.as_ref());
        let files = is_unit.then(|| unit.map_or(&[][..], |unit| &unit.files));
        let submission = raw.submission.map(|submission| self.submission(submission, files));
        self.scoring(&raw.scoring, is_unit);
        let Tests { domain, unit, rules: tests, refusals } = tests?;
        let (program, references) = (program?, self.references(&raw.references, is_unit)?);
        if let (Some(written), Some(unit)) = (&raw.tests.unit, &unit) {
            self.check_framework(written, unit.framework, &program);
        }
        let mistakes = refusals.are_tests().then(|| Mistakes::of(&domain, &tests)).flatten();
        Some(Assignment {
            title: raw.title.unwrap_or_else(|| id.clone()),
            id,
            domain,
            references: self.with_sources(references, &program)?,
            program,
            mutants: mutants?,
            corpus,
            judge: judge?,
            shape,
            validators,
            tests,
            unit,
            refusals,
            mistakes: mistakes.map(Arc::new),
            run: raw.run,
            scoring: raw.scoring.value,
            feedback: raw.feedback,
            submission: submission.flatten(),
        })
    }

    /// The folder of tests near which a search looks for others, if there is one.
    fn corpus(&mut self, folder: &Spanned<PathBuf>, is_unit: bool) -> Option<PathBuf> {
        if is_unit {
            let problem = self.source.problem(folder, "`corpus` is for tests that are inputs");
            self.problems.push(problem.hint("remove it"));
        }
        self.folder_at(folder)
    }

    /// The other right programs of an assignment whose tests are inputs.
    fn references(
        &mut self,
        references: &[Spanned<PathBuf>],
        is_unit: bool,
    ) -> Option<Vec<(Spanned<PathBuf>, PathBuf)>> {
        if is_unit {
            return Some(Vec::new());
        }
        let found = references.iter().map(|it| Some((it.clone(), self.file_or_folder(it)?)));
        let found: Vec<_> = found.collect();
        found.into_iter().collect()
    }

    /// The paths of `references`, if each has a source, and the program has one too.
    fn with_sources(
        &mut self,
        references: Vec<(Spanned<PathBuf>, PathBuf)>,
        program: &AssignmentProgram,
    ) -> Option<Vec<PathBuf>> {
        let before = self.problems.len();
        for (written, path) in &references {
            let problem = if let AssignmentProgram::Sources(sources) = program {
                let main = sources.files.first().and_then(|file| file.file_name());
                let is_found = Sources::at(path, sources.language, main).is_some();
                (!is_found).then(|| {
                    let message = format!("there is no source in {}", path.display());
                    let problem = self.source.problem(written, message);
                    problem.hint("name a source in C, C++, Python or Java, or a folder of them")
                })
            } else {
                let message = "`references` needs a program whose sources the course names";
                let problem = self.source.problem(written, message);
                Some(problem.hint("remove it, or name sources in `program`, such as `cpp:`"))
            };
            self.problems.extend(problem);
        }
        let paths = references.into_iter().map(|(_, path)| path);
        (self.problems.len() == before).then(|| paths.collect())
    }

    /// What tests are.
    fn tests(&mut self, raw: &raw::Assignment) -> Option<Tests> {
        if let Some(framework) = &raw.tests.unit {
            self.no_inputs(&raw.tests, framework);
            let (unit, rules) = self.unit(&raw.tests, framework, &raw.references)?;
            raw.program.value.languages().for_each(|(_, files)| self.check_places(&files));
            let domain = match &raw.tests.calls {
                Some(calls) => {
                    domain::described(self.shape(framework, Some(calls))?, CaseRules::default())
                }
                None => domain::named("text")?,
            };
            let refusals = Refusals::default();
            return Some(Tests { domain, unit: Some(unit), rules, refusals });
        }
        if let Some(path) = &raw.tests.witnesses {
            let problem = self.source.problem(path, "`witnesses` is for unit tests");
            self.problems.push(problem.hint("remove it: each mutant's file has its own witness"));
        }
        if let Some(seconds) = &raw.tests.suite_seconds {
            let problem = self.source.problem(seconds, "`suite_seconds` is for unit tests");
            self.problems.push(problem.hint("remove it: `run` limits each run of a program"));
        }
        if let Some(coverage) = &raw.tests.coverage {
            let problem = self.source.problem(coverage, "`coverage` is for unit tests");
            self.problems.push(problem.hint("remove it"));
        }
        if let Some(calls) = &raw.tests.calls {
            let problem = self.source.problem(calls, "`calls` is for unit tests");
            self.problems.push(problem.hint("describe inputs with `domain: shape` and `input:`"));
        }
        let domain = self.domain(&About {
            domain: raw.domain.as_ref(),
            tests: &raw.tests.files,
            input: raw.input.as_ref(),
            case: raw.case.as_ref(),
        });
        let tests = &raw.tests;
        let files = match tests.files.value {
            raw::TestFiles::Count(count @ 1..) => Some(count),
            raw::TestFiles::Count(0) => {
                let problem = self.source.problem(&tests.files, "`files` must be at least 1");
                self.problems.push(problem);
                None
            }
            raw::TestFiles::Other(ref found) => {
                let message = format!("expected a number of files, found `{}`", printable(found));
                self.problems.push(self.source.problem(&tests.files, message));
                None
            }
            raw::TestFiles::Names(_) => {
                let problem = self.source.problem(&tests.files, "expected a number of files");
                let hint = "the names of files are for unit tests, which have a `unit:`";
                self.problems.push(problem.hint(hint));
                None
            }
        };
        let groups = self.groups(tests.flags.as_deref().unwrap_or_default());
        let refusals = self.refusals(tests.rejected.as_ref(), &groups);
        let limits = self.limits(domain.as_deref()?, &tests.limits);
        let rules = TestRules {
            files: files?,
            bytes: tests.bytes,
            convert_crlf: tests.crlf == raw::Crlf::Convert,
            limits: limits?,
            groups,
            ordered: tests.order == raw::Order::Listed,
            parameters: tests.parameters.clone(),
            accepts_empty: tests.empty == raw::Empty::Accept,
            follows_links: tests.links == raw::Links::Follow,
            joined_options: tests.options == raw::Options::Getopt,
            literals: Arc::default(),
        };
        Some(Tests { domain: domain?, unit: None, rules, refusals: refusals? })
    }

    fn program(&mut self, program: &Spanned<raw::ProgramKeys>) -> Option<AssignmentProgram> {
        let raw = &program.value;
        let sources: Vec<_> = raw.languages().collect();
        self.unfitting(program, !sources.is_empty());
        match (&raw.cargo, sources.as_slice(), &raw.reference, &raw.mutant) {
            (Some(folder), [], None, None) => self.package(raw, folder),
            (None, [(language, files)], None, None) if !files.is_empty() => {
                self.sources(raw, *language, files)
            }
            (None, [], Some(reference), Some(mutant)) => {
                let (reference, mutant) = (reference.clone(), mutant.clone());
                let declared = raw.sources.iter().filter_map(|path| self.file_or_folder(path));
                Some(AssignmentProgram::Commands { reference, mutant, sources: declared.collect() })
            }
            _ => {
                let hint = "give one of `cargo:`, `c:`, `cpp:`, `python:` and `java:`, or both `reference:` and `mutant:`";
                self.problems.push(
                    self.source
                        .problem(program, "cannot tell how to build this program")
                        .hint(hint),
                );
                None
            }
        }
    }

    /// Reports keys that have no effect on such a program.
    fn unfitting(&mut self, program: &Spanned<raw::ProgramKeys>, has_sources: bool) {
        let raw = &program.value;
        let (is_crate, is_commands) = (raw.cargo.is_some(), raw.reference.is_some());
        let keys = [
            ("flags", !raw.flags.is_empty() && !has_sources, "`c:`, `cpp:`, `python:` and `java:`"),
            ("binary", raw.binary.is_some() && !is_crate, "`cargo:`"),
            ("features", !raw.features.is_empty() && !is_crate, "`cargo:`"),
            ("sources", !raw.sources.is_empty() && !is_commands, "`reference:` and `mutant:`"),
        ];
        for (key, _, programs) in keys.into_iter().filter(|(_, is_unfitting, _)| *is_unfitting) {
            let problem = self.source.problem(program, format!("`{key}:` has no effect here"));
            self.problems.push(problem.hint(format!("remove it; it belongs to {programs}")));
        }
    }

    fn package(
        &mut self,
        raw: &raw::ProgramKeys,
        folder: &Spanned<PathBuf>,
    ) -> Option<AssignmentProgram> {
        let package = self.folder_at(folder)?;
        if !package.join("Cargo.toml").is_file() {
            let message = format!("there is no Cargo.toml in {}", package.display());
            self.problems.push(self.source.problem(folder, message));
            return None;
        }
        Some(AssignmentProgram::Cargo(Package {
            folder: package,
            binary: raw.binary.clone(),
            features: raw.features.clone(),
        }))
    }

    fn sources(
        &mut self,
        raw: &raw::ProgramKeys,
        language: Language,
        files: &[Spanned<PathBuf>],
    ) -> Option<AssignmentProgram> {
        let found: Vec<_> =
            files.iter().filter_map(|file| self.file_at(file, &file.value)).collect();
        (found.len() == files.len()).then(|| {
            AssignmentProgram::Sources(Sources { language, files: found, flags: raw.flags.clone() })
        })
    }

    pub(super) fn file_or_folder(&mut self, path: &Spanned<PathBuf>) -> Option<PathBuf> {
        let found = self.folder.join(&path.value);
        if found.exists() {
            return Some(found);
        }
        self.not_found("file or folder", path, &path.value);
        None
    }

    /// The file that the course file names as `path`, in the value `at`.
    pub(super) fn file_at<T>(&mut self, at: &Spanned<T>, path: &Path) -> Option<PathBuf> {
        let file = self.folder.join(path);
        if file.is_file() {
            return Some(file);
        }
        self.not_found("file", at, path);
        None
    }

    fn folder_at(&mut self, path: &Spanned<PathBuf>) -> Option<PathBuf> {
        let folder = self.folder.join(&path.value);
        if folder.is_dir() {
            return Some(folder);
        }
        self.not_found("folder", path, &path.value);
        None
    }

    fn not_found<T>(&mut self, kind: &str, at: &Spanned<T>, path: &Path) {
        let hint = similar_path::hint_in(self.folder, path)
            .unwrap_or_else(|| format!("paths are relative to the folder of {FILE}"));
        let message = format!("there is no {kind} {}", path.display());
        self.problems.push(self.source.problem(at, message).hint(hint));
    }

    fn limits(&mut self, domain: &dyn Domain, raw: &Entries<Spanned<u64>>) -> Option<InputLimits> {
        let (all, mut fine) = (domain.limits(), true);
        let known: Vec<_> = all.iter().map(|limit| limit.name).collect();
        let mut limits: InputLimits =
            all.iter().map(|limit| (limit.name.to_owned(), limit.default)).collect();
        for (name, value) in &raw.0 {
            if let Some(limit) = limits.get_mut(name) {
                *limit = value.value;
                continue;
            }
            let all = || match known.as_slice() {
                [] => format!("the domain `{}` has no limits", domain.name()),
                known => format!("the limits of `{}` are {}", domain.name(), known.join(", ")),
            };
            let hint = did_you_mean(name, known.iter().copied()).unwrap_or_else(all);
            self.problems
                .push(self.source.problem(value, format!("there is no limit `{name}`")).hint(hint));
            fine = false;
        }
        fine.then_some(limits)
    }

    fn groups(&mut self, raw: &[raw::Group]) -> Vec<FlagGroup> {
        let mut taken: Vec<String> = Vec::new();
        let mut groups = Vec::new();
        for group in raw {
            let mut letters = Vec::new();
            for (letter, spelling) in &group.letters.0 {
                if let Some(problem) = self.bad_letter(letter, spelling, &taken) {
                    self.problems.push(problem);
                }
                taken.push(letter.clone());
                let words = |option: &str| option.split_whitespace().map(str::to_owned).collect();
                letters.extend(letter.chars().next().map(|letter| Flag {
                    letter,
                    long: words(&spelling.value.long),
                    short: words(&spelling.value.short),
                }));
            }
            groups.push(FlagGroup { name: group.group.clone(), required: group.required, letters });
        }
        groups
    }

    fn bad_letter(
        &self,
        letter: &str,
        spelling: &Spanned<raw::Spelling>,
        taken: &[String],
    ) -> Option<Problem> {
        if letter.len() != 1 || !letter.chars().all(|c| c.is_ascii_alphabetic()) {
            return Some(
                self.source.problem(
                    spelling,
                    format!("a flag must be one ASCII letter, found `{letter}`"),
                ),
            );
        }
        if taken.iter().any(|other| other == letter) {
            return Some(
                self.source.problem(spelling, format!("the letter `{letter}` is used twice")),
            );
        }
        let (long, short) = (&spelling.value.long, &spelling.value.short);
        let is_no_option = long.is_empty() && short.is_empty();
        let is_option = long.starts_with('-') && short.starts_with('-');
        if !is_no_option && !is_option {
            let hint = "for example { long: --output list, short: -o list }, or { } for a letter without an option";
            return Some(
                self.source
                    .problem(
                        spelling,
                        format!("the letter `{letter}` needs both a long and a short option"),
                    )
                    .hint(hint),
            );
        }
        None
    }

    fn scoring(&mut self, scoring: &Spanned<Scoring>, has_unit_tests: bool) {
        let Scoring { start, full, extra_submission, bugs_per_test, thresholds, .. } =
            scoring.value;
        if bugs_per_test == Some(0) {
            let problem = self.source.problem(scoring, "with `bugs_per_test: 0`, no test counts");
            self.problems.push(problem.hint("it must be at least 1; 1 is one bug at a time"));
        }
        if bugs_per_test.is_some() && !has_unit_tests {
            let problem = self.source.problem(scoring, "`bugs_per_test` is for unit tests");
            self.problems.push(problem.hint("remove it, or write `unit:` in `tests`"));
        }
        let mut all = [Some(start), Some(full), extra_submission].into_iter().flatten();
        if let Some(part) = all.find(|it| thresholds.are_bugs() && !it.is_whole()) {
            let message = format!("{part} is no number of bugs");
            let hint = "write a whole number, or `thresholds: points`";
            self.problems.push(self.source.problem(scoring, message).hint(hint));
        }
        if full.is_zero() || start > full {
            let message = format!("invalid thresholds: `start` is {start} and `full` is {full}");
            self.problems.push(
                self.source
                    .problem(scoring, message)
                    .hint("`full` must be more than 0, and `start` at most `full`"),
            );
        }
    }
}
