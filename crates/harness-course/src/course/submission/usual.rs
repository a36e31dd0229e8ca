//! What is usual for the submissions in each language, where the course file says nothing.

use super::{ProgramLanguage, Submission};

/// Headers that are banned in C and C++.
const HEADERS: [&str; 11] = [
    "regex",
    "regex.h",
    "thread",
    "atomic",
    "stdatomic.h",
    "pthread.h",
    "threads.h",
    "bits/*regex*",
    "bits/*thread*",
    "bits/*atomic*",
    "boost/",
];
/// Words that are banned there.
const WORDS: [&str; 2] = ["unique_ptr", "shared_ptr"];
/// The points for cases and for leaks. The cases earn both where there is no check for leaks.
const POINTS: (f64, f64) = (80.0, 10.0);

impl Submission {
    /// Takes what is usual in the language of the program. Gives what is written but makes no sense there: the message and a hint.
    pub(in crate::course) fn settle(&mut self) -> Option<(String, String)> {
        let unfit = self.unfit();
        let language = &self.program.language;
        if language.has_makefile() {
            self.build.settle();
            self.flags.get_or_insert_default();
            self.banned.headers.get_or_insert_with(|| owned(&HEADERS));
            self.banned.words.get_or_insert_with(|| owned(&WORDS));
        }
        if self.files.is_empty() {
            self.files = language.handed_in().map_or_else(Vec::new, |it| owned(it.files));
        }
        if self.needed.is_none() {
            self.needed = Some(if language.has_makefile() {
                owned(&["Makefile"])
            } else {
                owned(&self.program.starting(&self.files))
            });
        }
        let leaks =
            *self.points.leaks.get_or_insert(if language.has_makefile() { POINTS.1 } else { 0.0 });
        let freed = if leaks == 0.0 && !language.has_makefile() { POINTS.1 } else { 0.0 };
        self.points.cases.get_or_insert(POINTS.0 + freed);
        unfit
    }

    /// What is written but makes no sense in the language of the program.
    fn unfit(&self) -> Option<(String, String)> {
        let language = &self.program.language;
        let key = language.key();
        if language.has_makefile() {
            let imports = !self.banned.imports.is_empty();
            let hint = || "name what may not be included in `banned.headers`".to_owned();
            return imports
                .then(|| (format!("`banned.imports` means nothing for `{key}`"), hint()));
        }
        let makefile =
            [(self.flags.is_some(), "flags"), (self.banned.headers.is_some(), "banned.headers")];
        let makefile = makefile.into_iter().find_map(|(is_written, key)| is_written.then_some(key));
        if let Some(written) = makefile.or(self.build.of_makefile()) {
            let hint = format!(
                "remove it, or give `cpp: NAME` or `c: NAME` as the program instead of `{key}`"
            );
            return Some((format!("`{written}` is for programs that a Makefile makes"), hint));
        }
        if self.points.leaks.is_some_and(|points| points > 0.0) && !language.is_native() {
            let message = "valgrind sees no leaks of this program".to_owned();
            return Some((message, "remove `leaks` of the points".to_owned()));
        }
        let is_any = matches!(language, ProgramLanguage::Any(_));
        (is_any && self.files.is_empty()).then(|| {
            let hint =
                "a course with `run` lists the files of a submission, as in `files: [\"*.js\"]`";
            ("the key `files` is missing".to_owned(), hint.to_owned())
        })
    }
}

fn owned(words: &[&str]) -> Vec<String> {
    words.iter().map(|&word| word.to_owned()).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_course_may_say_that_no_file_of_its_commands_is_needed() {
        let check = |text: &str, expected: &[&str]| {
            let mut submission: Submission = serde_yaml::from_str(text).unwrap();
            assert_eq!(submission.settle(), None, "{text}");
            assert_eq!(submission.starting(), expected, "{text}");
        };
        check("{ program: { run: [node, a.js] }, files: ['*'] }", &["a.js"]);
        check("{ program: { run: [node, a.js] }, files: ['*'], needed: [] }", &[]);
        check("{ program: { python: a.py }, needed: [] }", &["a.py"]);
    }
}
