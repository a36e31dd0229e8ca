//! The code of a test case: its lines in the file of tests.

/// The words that begin a case, in each framework.
const BEGINNINGS: [&str; 6] = ["TEST", "SCENARIO", "def ", "async def ", "void ", "fn "];

/// The name of a case that shares its name with others: the line where it begins tells them apart.
pub(crate) fn with_line(name: &str, line: &str) -> String {
    format!("{name} (line {line})")
}

/// The line in such a name, and the text from there on.
fn from_line<'a>(source: &'a str, case: &str) -> Option<(usize, &'a str)> {
    let (name, line) = case.strip_suffix(')')?.rsplit_once(" (line ")?;
    let line: usize = line.parse().ok()?;
    let before: usize = source.split_inclusive('\n').take(line.checked_sub(1)?).map(str::len).sum();
    let rest = &source[before..];
    let first = rest.lines().next()?;
    let is_named = [name, plain_name(name)].iter().any(|name| names_case(first, name));
    is_named.then_some((line, rest))
}

/// The number of the first line of a case, from 1, and its lines. `None` if they cannot be found, such as those of a case that a macro
/// makes.
pub fn code<'a>(source: &'a str, case: &str) -> Option<(usize, &'a str)> {
    if let Some((line, rest)) = from_line(source, case) {
        return Some((line, block(rest, rest)?));
    }
    let names = [case, plain_name(case)];
    // Tests of several suites have the same name.
    let suite = case.rsplit_once('.').map(|(suite, _)| suite.split('/'));
    let is_in_suite = |line: &str| {
        suite.as_ref().is_none_or(|suite| suite.clone().any(|part| names_case(line, part)))
    };
    let is_first = |line: &str| {
        if !begins(line) {
            return false;
        }
        let line = declaration(line);
        let is_macro = line.starts_with("TEST") && !line.contains('"');
        let is_of_suite = !is_macro || is_in_suite(line);
        is_of_suite && names.iter().any(|name| names_case(line, name))
    };
    // Where what stands above a case begins, such as the values of its parameters.
    let mut above = None;
    let mut offset = 0;
    for (at, line) in source.split_inclusive('\n').enumerate() {
        if is_first(line) {
            let (first, start) = above.unwrap_or((at, offset));
            return Some((first + 1, block(&source[start..], &source[offset..])?));
        }
        if begins(line) || ends_what_is_above(line) {
            above = None;
        } else if ["@", "#["].iter().any(|it| line.trim_start().starts_with(it)) {
            above.get_or_insert((at, offset));
        }
        offset += line.len();
    }
    None
}

/// The line with the name of a case, from 1.
pub(crate) fn line_of(source: &str, case: &str) -> Option<usize> {
    let (first, code) = code(source, case)?;
    let names = [case, plain_name(case)];
    let is_named = |line: &str| begins(line) && names.iter().any(|name| names_case(line, name));
    Some(first + code.lines().position(is_named).unwrap_or(0))
}

/// Whether a case may begin on a line.
fn begins(line: &str) -> bool {
    let line = declaration(line);
    BEGINNINGS.iter().any(|it| line.starts_with(it))
}

/// Whether what stands above this line belongs to no case below it.
fn ends_what_is_above(line: &str) -> bool {
    const OTHERS: [&str; 7] =
        ["class ", "struct ", "enum ", "record ", "interface ", "mod ", "use "];
    line.trim().is_empty() || OTHERS.iter().any(|it| declaration(line).starts_with(it))
}

/// The text up to the end of the case that begins where `rest` does.
fn block<'a>(text: &'a str, rest: &str) -> Option<&'a str> {
    let length = if is_python(rest) { indented(rest) } else { braced(rest)? };
    Some(text[..text.len() - rest.len() + length].trim_end())
}

/// Whether the code of a case is in Python.
pub(crate) fn is_python(code: &str) -> bool {
    ["def ", "async def "].iter().any(|it| declaration(code).starts_with(it))
}

/// A line without what may stand before a method or a function.
fn declaration(line: &str) -> &str {
    const MODIFIERS: [&str; 6] = ["public ", "protected ", "private ", "static ", "final ", "pub "];
    let mut rest = line.trim_start();
    loop {
        let after = if rest.starts_with('@') {
            rest.split_at(annotation(rest)).1
        } else {
            let after = MODIFIERS.iter().find_map(|it| rest.strip_prefix(it));
            let Some(after) = after else { return rest };
            after
        };
        rest = after.trim_start();
    }
}

/// The length of the annotation that a text begins with, as of `@Disabled("later")`.
fn annotation(text: &str) -> usize {
    let (mut depth, mut skipped) = (0_usize, 0);
    for (at, found) in text.char_indices() {
        match found {
            _ if at < skipped => {}
            '"' | '\'' => skipped = at + quoted(&text[at..]),
            '(' => depth += 1,
            ')' if depth <= 1 => return at + 1,
            ')' => depth -= 1,
            _ if depth == 0 && found.is_whitespace() => return at,
            _ => {}
        }
    }
    text.len()
}

/// The name of the function: without suite or class, and without parameters.
fn plain_name(case: &str) -> &str {
    let case = case.split('[').next().unwrap_or(case);
    let name = case.split('/').find(|part| part.contains(['.', ':'])).unwrap_or(case);
    name.rsplit(['.', ':']).next().unwrap_or(name)
}

/// Whether a line names a case so.
fn names_case(line: &str, word: &str) -> bool {
    // A name that is a string is the whole string.
    if line.split_once('(').is_some_and(|(_, rest)| rest.trim_start().starts_with('"')) {
        let written = word.replace('\\', "\\\\").replace('"', "\\\"");
        return line.contains(&format!("\"{written}\""));
    }
    has_word(line, word)
}

/// Whether a text has a word that is no part of a longer one.
pub(crate) fn has_word(text: &str, word: &str) -> bool {
    let is_name = |it: char| it.is_alphanumeric() || it == '_';
    !word.is_empty()
        && text.match_indices(word).any(|(at, _)| {
            !text[..at].ends_with(is_name) && !text[at + word.len()..].starts_with(is_name)
        })
}

/// The name by which other code can call a case with this code. `None` if a macro makes its name.
pub(crate) fn function<'a>(code: &str, case: &'a str) -> Option<&'a str> {
    let line = declaration(code);
    let is_macro = line.starts_with("TEST") || line.starts_with("SCENARIO");
    (!is_macro).then(|| plain_name(case))
}

/// The length of the block that the first line begins, by its indentation.
fn indented(text: &str) -> usize {
    let indent = |line: &str| line.len() - line.trim_start().len();
    let mut lines = text.split_inclusive('\n');
    let first = lines.next().unwrap_or_default();
    let inner = lines.take_while(|line| line.trim().is_empty() || indent(line) > indent(first));
    first.len() + inner.map(str::len).sum::<usize>()
}

/// The length of the text up to the brace that closes the first one. Braces in strings, characters and comments do not count, and not
/// those in parentheses before it, as in `@ValueSource(ints = {1, 2})`.
fn braced(text: &str) -> Option<usize> {
    let (mut depth, mut parentheses, mut skipped) = (0_usize, 0_usize, 0);
    for (at, found) in text.char_indices() {
        if at < skipped {
            continue;
        }
        let rest = &text[at..];
        match found {
            '"' | '\'' => skipped = at + quoted(rest),
            '/' if rest.starts_with("//") => skipped = at + rest.find('\n').unwrap_or(rest.len()),
            '/' if rest.starts_with("/*") => {
                skipped = at + rest.find("*/").map_or(rest.len(), |end| end + 2);
            }
            '(' if depth == 0 => parentheses += 1,
            ')' if depth == 0 => parentheses = parentheses.saturating_sub(1),
            '{' | '}' if depth == 0 && parentheses > 0 => {}
            '{' => depth += 1,
            '}' if depth == 1 => return Some(at + 1),
            '}' => depth = depth.saturating_sub(1),
            _ => {}
        }
    }
    None
}

/// The length of the string or character that a text begins with.
fn quoted(text: &str) -> usize {
    let mut chars = text.char_indices();
    let Some((_, quote)) = chars.next() else { return 0 };
    while let Some((at, found)) = chars.next() {
        match found {
            '\\' => _ = chars.next(),
            '\n' => return at,
            _ if found == quote => return at + 1,
            _ => {}
        }
    }
    text.len()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_case_in_cpp_ends_with_its_brace() {
        let source = "int a;\nTEST(Matrix, fills_all) { f(); }\nTEST(Matrix, fills) {\n    g(\"}\", '{'); // }\n}\nint b;\n";
        let expected = "TEST(Matrix, fills) {\n    g(\"}\", '{'); // }\n}";
        assert_eq!(code(source, "Matrix.fills"), Some((3, expected)));
        let source = "TEST_CASE(\"a matrix, of 3\") {\n}\n";
        assert_eq!(code(source, "a matrix, of 3"), Some((1, "TEST_CASE(\"a matrix, of 3\") {\n}")));
        assert_eq!(code(source, "a matrix"), None);
        let source = r#"TEST_CASE("says \"a\\b\"") { }"#;
        assert_eq!(code(source, r#"says "a\b""#), Some((1, source)));
    }

    #[test]
    fn a_case_with_the_name_of_another_one_is_found_by_its_line() {
        let source = "TEST_CASE(\"empty\") { f(); }\n\nTEST_CASE(\"empty\") { g(); }\n";
        let found = code(source, &with_line("empty", "3"));
        assert_eq!(found, Some((3, "TEST_CASE(\"empty\") { g(); }")));
        assert_eq!(code(source, "empty (line 2)"), None, "there is none on this line");
    }

    #[test]
    fn a_case_in_java_may_begin_with_annotations_and_modifiers() {
        let source =
            "@Test void a() { }\n@Disabled(\"(a\") @Test public void b() { }\n  void c() { }\n";
        let place = |case| code(source, case).map(|(line, _)| line);
        assert_eq!(["a", "b", "C.c", "d"].map(place), [Some(1), Some(2), Some(3), None]);
    }

    #[test]
    fn a_case_in_java_does_not_end_with_its_annotation() {
        let source =
            "@ParameterizedTest @ValueSource(ints = {1, 2}) void a(int x) {\n    f(x);\n}\n";
        assert_eq!(code(source, "a[1]"), Some((1, source.trim_end())));
    }

    #[test]
    fn a_case_in_python_ends_with_its_indentation() {
        let source = "class TestLoans:\n    def test_a(self):\n        x = 1\n\n        assert x\n\n    def test_b(self):\n        pass\n";
        let expected = "    def test_a(self):\n        x = 1\n\n        assert x";
        assert_eq!(code(source, "TestLoans::test_a[1-2]"), Some((2, expected)));
        assert_eq!(code(source, "TestLoans::test_a[a::[b]]"), Some((2, expected)));
        let (again, expected) =
            ("def test_a():\n    f()\n\ndef test_a():\n    g()\n", "def test_a():\n    f()");
        for name in ["test_a", "A.test_a"] {
            assert_eq!(code(again, &with_line(name, "1")), Some((1, expected)));
        }
    }

    #[test]
    fn what_stands_above_a_case_belongs_to_it() {
        let source = "@dataclass\nclass X:\n    pass\n\n@pytest.mark.parametrize(\"x\", [\n    1,\n])\n# As told.\ndef test_a(x):\n    f(x)\n";
        let expected =
            "@pytest.mark.parametrize(\"x\", [\n    1,\n])\n# As told.\ndef test_a(x):\n    f(x)";
        assert_eq!(code(source, "test_a[1]"), Some((5, expected)));
        assert_eq!(line_of(source, "test_a[1]"), Some(9));
        let source = "fn a() {}\n#[test]\n#[should_panic(expected = \"{\")]\nfn b() { f(); }\n";
        let expected = "#[test]\n#[should_panic(expected = \"{\")]\nfn b() { f(); }";
        assert_eq!(code(source, "b"), Some((2, expected)));
        let source = "#include \"a.h\"\nTEST(A, b) { f(); }\n";
        assert_eq!(code(source, "A.b"), Some((2, "TEST(A, b) { f(); }")));
    }
}
