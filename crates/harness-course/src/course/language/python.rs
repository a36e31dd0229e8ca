//! Python.

use super::tokens::{self, TokenKind};
use super::{Grammar, HandedIn, LanguageRules, Made, Marks, Tool};
use std::path::{Path, PathBuf};

pub(super) const RULES: LanguageRules = LanguageRules {
    key: "python",
    extensions: &["py", "py3"],
    comment: "#",
    marks: Marks {
        name: "bug",
        tokens: tokens::python,
        grammar: Grammar::Python,
        forms: "write it as `wrong if bug(\"id\") else right`, or as the condition of an `if`, alone or with `not`, `and` and `or`",
        example: "first = wrong if {mark} else right",
    },
    library: ("subject.py", include_str!("../../../../subject/python/subject.py")),
    truth: ["True", "False"],
    uses: imported,
    starts_by_name: true,
    keeps_file_names: false,
    takes_candidates: true,
    made: Made::Nothing,
    tools: &[Tool {
        what: "Python",
        name: "python3",
        remedy: "for example `apt-get install python3`",
    }],
    packages: &["python3"],
    handed_in: HandedIn {
        ending: ".py",
        has_makefile: false,
        is_native: false,
        files: &["*.py", "test*.txt"],
    },
};

/// The files beside a file in Python that may be the modules that it imports.
fn imported(file: &Path, text: &str) -> Vec<PathBuf> {
    let folder = file.parent().unwrap_or(Path::new(""));
    let modules = statements(text).into_iter().flat_map(|words| match words.split_first() {
        Some((&"import", modules)) => {
            let modules = modules.split(|word| *word == ",");
            modules.map(|words| module(folder, words)).collect()
        }
        Some((&"from", words)) => imported_from(folder, words),
        _ => Vec::new(),
    });
    modules.flat_map(|module| [module.with_extension("py"), module.join("__init__.py")]).collect()
}

/// The words of each line, without comments. A line goes on inside brackets.
fn statements(text: &str) -> Vec<Vec<&str>> {
    let (mut statements, mut depth) = (vec![Vec::new()], 0_usize);
    for token in tokens::python(text) {
        let word = token.text(text);
        match word {
            "(" | "[" | "{" => depth += 1,
            ")" | "]" | "}" => depth = depth.saturating_sub(1),
            _ => {}
        }
        let ends =
            token.kind == TokenKind::Space && word.trim_start_matches('\\').len() == word.len();
        if depth == 0 && (word == ";" || ends && word.contains('\n')) {
            statements.push(Vec::new());
        } else if token.counts() {
            statements.last_mut().expect("there is always a last one").push(word);
        }
    }
    statements
}

/// The modules of `from … import …`: what is imported may be a module too.
fn imported_from(folder: &Path, words: &[&str]) -> Vec<PathBuf> {
    let Some(at) = words.iter().position(|word| *word == "import") else { return Vec::new() };
    let dots = words.iter().take_while(|word| **word == ".").count();
    // One dot is the file's own package, and each further one the package around it.
    let base = (1..dots).fold(folder.to_owned(), |folder, _| folder.join(".."));
    let from = module(&base, &words[dots..at]);
    let names = words[at + 1..].split(|word| *word == ",");
    let inner: Vec<_> = names.map(|words| module(&from, words)).collect();
    [from].into_iter().chain(inner).collect()
}

/// The module that `words` name, such as `a.b as c`.
fn module(folder: &Path, words: &[&str]) -> PathBuf {
    let names = words.iter().take_while(|word| **word != "as");
    folder.join(names.filter(|word| !matches!(**word, "." | "(" | ")" | "*")).collect::<PathBuf>())
}

#[cfg(test)]
mod tests {
    use super::*;

    fn names(found: &[PathBuf]) -> Vec<String> {
        found
            .iter()
            .map(|path| path.display().to_string())
            .filter(|path| !path.ends_with("__init__.py"))
            .collect()
    }

    #[test]
    fn the_modules_that_are_imported_are_part_of_a_program() {
        let text = "\"\"\"import no\"\"\"\nimport a.b as c, d; import e\nfrom f import (g,\n  h as i)\nif x: pass\nx = y \\\n  + 1\n";
        assert_eq!(
            names(&imported(Path::new("src/main.py"), text)),
            ["src/a/b.py", "src/d.py", "src/e.py", "src/f.py", "src/f/g.py", "src/f/h.py"]
        );
        let text = "from . import a\nfrom ..b import c\n";
        assert_eq!(
            names(&imported(Path::new("p/main.py"), text)),
            ["p.py", "p/a.py", "p/../b.py", "p/../b/c.py"]
        );
    }
}
