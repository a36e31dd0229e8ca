//! What is known of cases that ran before. Someone who writes tests changes one case, and then scores all of them again. A case does the same
//! as before if its own lines are the same, and all lines of the file that are no case's.

use crate::built::Built;
use crate::code::{code, function, has_word, is_python};
use crate::columns::{Column, TestCase, Tried};
use crate::diagnostic::Failure;
use crate::hash::Digest;
use crate::rooms::Rooms;
use crate::variants::Variants;
use std::collections::{BTreeSet, HashMap};
use std::sync::{Mutex, MutexGuard, PoisonError};
use subject::End;

/// With more cases than these, all are forgotten.
const MOST: usize = 10_000;

/// What cases did on each program, by what they depend on.
#[derive(Default)]
pub(crate) struct Known(Mutex<HashMap<String, Vec<Tried>>>);

impl Known {
    fn all(&self) -> MutexGuard<'_, HashMap<String, Vec<Tried>>> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }

    pub(crate) fn is_empty(&self) -> bool {
        self.all().is_empty()
    }

    /// Keeps what the case with a number did, if all programs that are right passed it: only that says nothing of its lines in the file.
    fn keep(&self, key: String, at: usize, columns: &[Column], right: usize) {
        let tried = columns.iter().map(|column| Some(column.as_ref().ok()?[at].clone()));
        let Some(tried) = tried.collect::<Option<Vec<_>>>() else { return };
        if tried[..right].iter().all(|it| it.outcome.end == End::Exit(0)) {
            let mut all = self.all();
            if all.len() >= MOST {
                all.clear();
            }
            all.insert(key, tried);
        }
    }
}

impl Variants {
    /// The same variants, which remember what cases did, so that those that stay the same need not run again. That is for the person who
    /// writes the tests: what earns points runs each time, because a guess that was lucky once must not stay so.
    pub fn remember(&mut self) {
        self.known = Some(Known::default());
    }

    /// Runs the cases on each of the programs, but those that are known. `names` are those of all cases in the file.
    pub(crate) fn columns_with_known(
        &self,
        built: Built<'_>,
        rooms: &Rooms,
        names: &[String],
        cases: &[TestCase],
    ) -> Result<Vec<Column>, Failure> {
        let Some(known) = &self.known else {
            return self.columns(built, rooms, &cases.iter().collect::<Vec<_>>());
        };
        let keys = keys(&String::from_utf8_lossy(&built.file.source), names);
        let keys: Vec<_> = cases.iter().map(|case| keys[case.name].clone()).collect();
        let before: Vec<_> = keys.iter().map(|key| known.all().get(key).cloned()).collect();
        let is_new = |(case, before): (_, &Option<_>)| before.is_none().then_some(case);
        let new: Vec<_> = cases.iter().zip(&before).filter_map(is_new).collect();
        let columns = self.columns(built, rooms, &new)?.into_iter().enumerate();
        let columns: Vec<_> =
            columns.map(|(program, column)| Ok(with(column?, program, &before))).collect();
        let right = columns.len() - self.mutants.len();
        for (at, key) in keys.into_iter().enumerate() {
            known.keep(key, at, &columns, right);
        }
        Ok(columns)
    }
}

/// What all cases did on the program with a number: those that are new, and those that are known.
fn with(new: Vec<Tried>, program: usize, known: &[Option<Vec<Tried>>]) -> Vec<Tried> {
    let mut new = new.into_iter();
    let tried = |known: &Option<Vec<Tried>>| match known {
        Some(known) => known[program].clone(),
        None => new.next().expect("it has run"),
    };
    known.iter().map(tried).collect()
}

/// What each case of a file depends on, as a digest. `names` are those of all its cases.
fn keys(source: &str, names: &[String]) -> Vec<String> {
    let places: Vec<_> = names.iter().map(|name| place(source, name)).collect();
    let rest = rest(source, names, &places);
    let key = |(name, place): (&String, &Option<Place>)| {
        let [rest, own] = match (&rest, place) {
            (Some(rest), Some((start, end))) => [rest, &source[*start..*end]],
            // It may depend on every line.
            _ => [source, ""],
        };
        Digest::default().with(name).with(rest).with(own).hex()
    };
    names.iter().zip(&places).map(key).collect()
}

/// Where a case begins and ends.
type Place = (usize, usize);

fn place(source: &str, name: &str) -> Option<Place> {
    let (_, code) = code(source, name)?;
    let start = code.as_ptr().addr() - source.as_ptr().addr();
    Some((start, start + code.len()))
}

/// What is in no case, without empty lines. `None` if the lines of one case may change what another one does.
fn rest(source: &str, names: &[String], places: &[Option<Place>]) -> Option<String> {
    let own: BTreeSet<_> = places.iter().flatten().copied().collect();
    let (mut rest, mut end) = (String::new(), 0);
    for &(start, next) in &own {
        // Another one may lie in it.
        rest += source.get(end..start)?;
        end = next;
    }
    rest += &source[end..];
    let cases = || own.iter().map(|&(start, end)| &source[start..end]);
    let is_called = |(name, place): (&String, &Option<Place>)| {
        let Some(own) = place.map(|(start, end)| &source[start..end]) else { return false };
        let mut others = cases().filter(|code| *code != own).chain([&*rest]);
        function(own, name).is_some_and(|function| others.any(|code| has_word(code, function)))
    };
    let depend = COUNTING.iter().any(|word| source.contains(word))
        || cases().any(has_directive)
        || names.iter().zip(places).any(is_called);
    let lines: Vec<_> = rest.lines().filter(|line| !line.trim().is_empty()).collect();
    (!depend).then(|| lines.join("\n"))
}

/// What counts lines, or itself.
const COUNTING: [&str; 2] = ["__LINE__", "__COUNTER__"];

/// Whether one of the lines is for the preprocessor, and so for the lines that follow. In Python, it is a comment.
fn has_directive(code: &str) -> bool {
    const DIRECTIVES: [&str; 8] =
        ["define", "undef", "include", "if", "el", "end", "pragma", "line"];
    let is_one = |rest: &str| DIRECTIVES.iter().any(|word| rest.trim_start().starts_with(word));
    !is_python(code)
        && code.lines().any(|line| line.trim_start().strip_prefix('#').is_some_and(is_one))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn of(source: &str, names: &[&str]) -> Vec<String> {
        keys(source, &names.iter().map(|name| (*name).to_owned()).collect::<Vec<_>>())
    }

    /// The numbers of the cases that run again if the first text becomes the second.
    fn again(before: &str, after: &str, names: &[&str]) -> Vec<usize> {
        let (before, after) = (of(before, names), of(after, names));
        (0..names.len()).filter(|&at| before[at] != after[at]).collect()
    }

    const CPP: &str = "#include \"m.h\"\nint f() { return 1; }\nTEST_CASE(\"a\") { CHECK(f() == 1); }\n\nTEST_CASE(\"b\") {\n    CHECK(g());\n}\n";

    #[test]
    fn a_case_runs_again_if_it_changes_and_all_do_if_what_they_share_changes() {
        let names = ["a", "b"];
        let with = |from: &str, to: &str| again(CPP, &CPP.replace(from, to), &names);
        assert_eq!(with("g()", "h()"), [1]);
        assert_eq!(with("f() == 1", "f() == 2"), [0]);
        assert_eq!(with("return 1", "return 2"), [0, 1]);
        assert_eq!(with("m.h", "n.h"), [0, 1]);
        assert_eq!(with("TEST_CASE(\"b\")", "int x;\nTEST_CASE(\"b\")"), [0, 1]);
        let more = CPP.replace("TEST_CASE(\"b\")", "TEST_CASE(\"c\") {\n}\n\nTEST_CASE(\"b\")");
        assert_eq!(of(&more, &["a", "c", "b"])[2], of(CPP, &names)[1]);
    }

    #[test]
    fn all_cases_run_again_if_one_of_them_may_change_another() {
        let names = ["a", "b"];
        let defines = CPP.replace("CHECK(g());", "\n#define x\n    CHECK(g());");
        assert_eq!(again(&defines, &defines.replace("define x", "define y"), &names), [0, 1]);
        let counts = CPP.replace("g()", "g(__LINE__)");
        assert_eq!(again(&counts, &counts.replace("f() == 1", "f() == 2"), &names), [0, 1]);
        let calls = "def test_a():\n    assert f(1)\n\ndef test_b():\n    test_a()\n";
        let names = ["test_a", "test_b"];
        assert_eq!(again(calls, &calls.replace("f(1)", "f(2)"), &names), [0, 1]);
        let alone = calls.replace("    test_a()", "    # if it can\n    assert g()");
        for above in ["", "@mark\n"] {
            let alone = alone.replace("def test_b", &format!("{above}def test_b"));
            assert_eq!(again(&alone, &alone.replace("f(1)", "f(2)"), &names), [0]);
        }
    }

    #[test]
    fn a_case_that_is_not_found_runs_again_whatever_changes() {
        let source = "MANY(x)\nTEST_CASE(\"a\") { CHECK(f()); }\n";
        let changed = source.replace("f()", "g()");
        assert_eq!(again(source, &changed, &["x", "a"]), [0, 1]);
        assert_eq!(again(source, &source.replace("CHECK", "REQUIRE"), &["a"]), [0]);
    }
}
