//! doctest, which is one header.

use super::{Failed, Framework, passed};
use crate::code::with_line;

pub(super) struct Doctest;

impl Framework for Doctest {
    fn main(&self) -> Option<&'static str> {
        Some(concat!(
            "#define DOCTEST_CONFIG_IMPLEMENT\n#include <doctest/doctest.h>\n",
            "int main(int count, char** words) {\n",
            "    return doctest::Context(count, words).run() == 0 ? ",
            passed!(),
            " : 1;\n}\n"
        ))
    }

    fn passed(&self, status: u8, _: &[u8]) -> bool {
        status == passed!()
    }

    fn form(&self) -> &'static str {
        "`TEST_CASE(\"name\") { … }`"
    }

    fn list(&self) -> &'static [&'static str] {
        &["--list-test-cases", "--reporters=xml"]
    }

    /// `<TestCase name="NAME" … line="LINE" …/>`, without the name if it is empty. Cases of several suites may have one name. The line
    /// tells them apart.
    fn cases(&self, listed: &str) -> Vec<String> {
        let of = |case: &str, attribute: &str| {
            let (_, rest) = case.split_once(&format!("{attribute}=\""))?;
            Some(rest.split_once('"')?.0.to_owned())
        };
        let name = |case: &str| {
            let name = of(case, "name").filter(|_| case.starts_with("name=")).unwrap_or_default();
            let plain = name.replace("&lt;", "<").replace("&gt;", ">").replace("&quot;", "\"");
            plain.replace("&amp;", "&")
        };
        let listed: Vec<_> = listed.split("<TestCase ").skip(1).collect();
        let names: Vec<_> = listed.iter().map(|case| name(case)).collect();
        let is_alone = |name: &String| names.iter().filter(|it| *it == name).count() == 1;
        let told = |(name, case): (&String, &&str)| match of(case, " line") {
            Some(line) if !is_alone(name) => with_line(name, &line),
            _ => name.clone(),
        };
        names.iter().zip(&listed).map(told).collect()
    }

    /// By its number, because a filter has wildcards, ignores case, and takes cases of one name in two suites for the same.
    fn run(&self, _: &str, number: usize) -> Vec<String> {
        vec![format!("--first={number}"), format!("--last={number}"), "--no-colors=true".to_owned()]
    }

    fn confuses(&self, _: &str, _: &str) -> bool {
        false
    }

    /// `FILE:LINE: ERROR: CHECK( … ) is NOT correct!`, and the values in the line below. Otherwise a decorator makes the case fail.
    fn failure(&self, printed: &str) -> Option<Failed> {
        let mut lines = printed.lines();
        let assertion = lines.find_map(|line| {
            let (place, message) =
                line.split_once(": ERROR: ").or(line.split_once(": FATAL ERROR: "))?;
            let message = message.strip_suffix(" is NOT correct!").unwrap_or(message);
            Some((place.rsplit_once(':')?.1.parse().ok(), message.to_owned()))
        });
        let Some((line, message)) = assertion else {
            let decorated = printed.lines().find(|line| {
                line.ends_with("arking it as failed!") || line.contains(" exceeded time limit of ")
            })?;
            return Some(Failed { line: None, message: decorated.trim().to_owned() });
        };
        let values = lines.next().and_then(|line| line.trim().strip_prefix("values: "));
        let values = values.map(|values| format!("; values: {values}")).unwrap_or_default();
        Some(Failed { line, message: message + &values })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_name_may_have_any_characters_or_none() {
        let listed = "<doctest>\n<TestCase name=\"a &lt;b>, &quot;c&quot; &amp;lt;\nd\" line=\"1\"/>\n  <TestCase filename=\"t.cpp\" line=\"2\"/>\n";
        assert_eq!(Doctest.cases(listed), ["a <b>, \"c\" &lt;\nd", ""]);
    }

    #[test]
    fn cases_of_one_name_are_told_apart_by_their_lines() {
        let case = |name: &str, line: u32| {
            format!(
                "<TestCase name=\"{name}\" testsuite=\"pop\" filename=\"t.cpp\" line=\"{line}\"/>\n"
            )
        };
        let listed = case("empty", 3) + &case("full", 5) + &case("empty", 9);
        assert_eq!(Doctest.cases(&listed), ["empty (line 3)", "full", "empty (line 9)"]);
    }

    #[test]
    fn an_assertion_without_values_does_not_have_those_of_the_next() {
        let printed = "a.cpp:5: ERROR: CHECK_THROWS( pop() ) did NOT throw at all!\n\n\
            a.cpp:6: ERROR: CHECK( size() == 1 ) is NOT correct!\n  values: CHECK( 2 == 1 )\n\n";
        let failed = Doctest.failure(printed).unwrap();
        assert_eq!(failed.message, "CHECK_THROWS( pop() ) did NOT throw at all!");
        let failed = Doctest.failure(&printed[printed.find("a.cpp:6").unwrap()..]).unwrap();
        assert_eq!(failed.message, "CHECK( size() == 1 ); values: CHECK( 2 == 1 )");
    }

    #[test]
    fn a_case_that_its_decorator_fails_says_why() {
        let printed = "[doctest] run with \"--help\"\n===\na.cpp:3:\nTEST CASE:  a\n\n\
            Should have failed but didn't! Marking it as failed!\n===\n";
        let failed = Doctest.failure(printed).unwrap();
        assert_eq!(failed.line, None);
        assert_eq!(failed.message, "Should have failed but didn't! Marking it as failed!");
    }
}
