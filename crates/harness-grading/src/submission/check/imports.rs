//! Finds banned imports and words in code that no C compiler sees, by its tokens: in code, and not in comments or strings.
//!
//! An import begins with a keyword and ends with its statement, so tokens tell all that a syntax tree would. No parser that is written in
//! another language reads what students wrote.

use super::{MOST_OF_A_RULE, code, place};
use crate::course::language::tokens::{Token, TokenKind};
use crate::course::submission::Banned;
use crate::diagnostic::{Problem, printable};
use crate::submission::SourceFile;
use crate::submission::language::Language;
use std::collections::BTreeSet;

/// What is banned in `file`, each name once for each place.
pub(super) fn banned(file: &SourceFile, language: &dyn Language, banned: &Banned) -> Vec<Problem> {
    if banned.imports.is_empty() && banned.words().is_empty() {
        return Vec::new();
    }
    let text = file.text();
    let tokens: Vec<_> = language.tokens(&text).into_iter().filter(Token::counts).collect();
    let mut found: BTreeSet<(usize, String)> = BTreeSet::new();
    let names: Vec<(&String, Vec<&str>)> =
        banned.imports.iter().map(|name| (name, parts(name))).collect();
    language.imports(&text, &tokens, &mut |at, imported, named| {
        // A star imports all that is in a module.
        let all = imported.strip_suffix(&["*"]);
        let fits = |(_, parts): &&(&String, Vec<&str>)| {
            // The import elsewhere is reported, and need not be again where it is used.
            imported.starts_with(parts) && parts.len() > named
                || all.is_some_and(|module| parts.starts_with(module))
        };
        if let Some((name, _)) = names.iter().find(fits) {
            found.insert((at, format!("`{name}` may not be imported")));
        }
    });
    for token in tokens.iter().filter(|token| token.kind == TokenKind::Name) {
        if let Some(word) = banned.words().iter().find(|word| *word == token.text(&text)) {
            found.insert((token.range.start, code::word_used(word).message));
        }
    }
    let problem = |(number, (at, message)): (usize, (usize, String))| {
        let problem = Problem::new(printable(&message)).hint(code::HINT);
        if number < MOST_OF_A_RULE { problem.at(place(file, &text, at)) } else { problem }
    };
    found.into_iter().enumerate().map(problem).collect()
}

/// The parts of a name in any language.
pub(in crate::submission) fn parts(name: &str) -> Vec<&str> {
    name.split(['.', ':']).filter(|part| !part.is_empty()).collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::course::submission::Program;
    use crate::submission::language;

    /// The lines and messages of what is banned in a source.
    fn check(program: &str, bans: &str, source: &str) -> Vec<String> {
        let program: Program = serde_json::from_str(program).unwrap();
        let bans: Banned = serde_json::from_str(bans).unwrap();
        let file = SourceFile { name: "a".to_owned(), bytes: source.into() };
        let found = banned(&file, language::of(&program).unwrap(), &bans);
        found.into_iter().map(|it| format!("{}: {}", it.place.unwrap().line, it.message)).collect()
    }

    #[track_caller]
    fn finds(program: &str, bans: &str, source: &str, lines: &[usize]) {
        let found = check(program, bans, source);
        let lines: Vec<_> = lines.iter().map(|line| format!("{line}: ")).collect();
        assert_eq!(found.len(), lines.len(), "{source}: {found:?}");
        assert!(found.iter().zip(&lines).all(|(it, line)| it.starts_with(line)), "{found:?}");
    }

    const PYTHON: &str = r#"{"python": "a.py"}"#;

    #[test]
    fn a_module_is_banned_however_python_imports_it() {
        let bans = r#"{"imports": ["os", "numpy.linalg"]}"#;
        for source in [
            "import os\n",
            "import sys, os.path as p\n",
            "import sys as s, \\\n os\n",
            "from os import (path,\n sep)\n",
            "from os.path import join as j\n",
            "from numpy import zeros, linalg as l\n",
            "if 1: import numpy.linalg\n",
            "x = __import__('os')\n",
            "importlib.import_module(\"os.path\")\n",
            "f\"{__import__('os')}\"\n",
        ] {
            finds(PYTHON, bans, source, &[1]);
        }
    }

    #[test]
    fn a_part_of_a_module_is_banned_however_python_names_it() {
        let bans = r#"{"imports": ["os.system", "numpy.linalg"]}"#;
        for source in [
            "import os\nos.system('true')\n",
            "import os as o\nx = 1 + o . system('true')\n",
            "import numpy as np\nnp.linalg.norm(x)\n",
            "import numpy.random\nnumpy.linalg.norm(x)\n",
            "from a import b as os, c\nfrom numpy import zeros\nimport os\nos.system\n",
        ] {
            let line = source.matches('\n').count();
            finds(PYTHON, bans, source, &[line]);
        }
        finds(PYTHON, bans, "import os\nself.os.system()\nos.systems()\n# os.system\n", &[]);
        finds(PYTHON, bans, "import a as os\nos.system()\n", &[]);
    }

    #[test]
    fn no_other_import_hides_a_banned_part_of_a_module() {
        let bans = r#"{"imports": ["os.system"]}"#;
        finds(PYTHON, bans, "import os\nos.system('true')\nimport json as os\n", &[2]);
        finds(PYTHON, bans, "import os\n# It runs.\nos.system('true')\n", &[3]);
        finds(PYTHON, bans, "from os import *\nsystem('true')\n", &[1]);
        finds(PYTHON, bans, "from json import *\nfrom .os import *\nfrom os.path import *\n", &[]);
    }

    #[test]
    fn what_only_looks_like_a_banned_import_is_none() {
        let bans = r#"{"imports": ["os", "numpy.linalg"]}"#;
        for source in [
            "# import os\ns = 'import os'\n",
            "import ossaudiodev, numpy\nfrom numpy import zeros\n",
            "from .os import x\nfrom . import os\n",
            "def f():\n    yield from os\nraise E from os\n",
            "import",
            "from os import",
            "from",
        ] {
            finds(PYTHON, bans, source, &[]);
        }
        finds(PYTHON, r#"{"words": ["eval"]}"#, "# eval\nevaluate(1)\neval('1')\n", &[3]);
    }

    #[test]
    fn a_package_is_banned_in_java_with_and_without_an_import() {
        let java = r#"{"java": "A.java"}"#;
        let bans = r#"{"imports": ["java.util.regex", "java.util.Scanner"]}"#;
        finds(java, bans, "import java.util.regex.Pattern;\nimport java.util.*;\n", &[1]);
        finds(java, bans, "class A {\n  java.util.Scanner s; // java.util.regex\n}\n", &[2]);
        let bans = r#"{"imports": ["java.lang.Thread", "java.util.regex"]}"#;
        finds(java, bans, "class A {\n  Thread t = new a.Thread(); // Thread\n}\n", &[2]);
        finds(java, bans, "class Lang extends java.lang.Thread {}\n", &[1]);
        finds(java, bans, "class A { Regex Threads, lang; }\n", &[]);
        finds(java, bans, "class A {\n  // Starts it.\n  Thread t;\n  A.Thread u;\n}\n", &[3]);
        finds(java, bans, "class A {\n  void f() { Thread.sleep(1); }\n}\n", &[2]);
        let bans = r#"{"imports": ["java.util.regex", "java.util.Scanner"]}"#;
        finds(java, bans, "import static java . util . regex . Pattern . compile;\n", &[1]);
    }

    #[test]
    fn what_only_has_the_name_of_something_in_a_package_of_java_is_not_banned() {
        let java = r#"{"java": "A.java"}"#;
        let bans = r#"{"imports": ["java.lang.reflect", "java.lang.Process"]}"#;
        finds(java, bans, "class A { void reflect() { this.reflect(); reflect(); } }\n", &[]);
        finds(java, bans, "class A { Process p = new Process(); }\nclass Process {}\n", &[]);
        finds(java, bans, "import edu.school.Process;\nclass A { Process p; }\n", &[]);
        finds(java, bans, "class A {\n  Process p;\n  java.lang.Process q;\n}\n", &[2, 3]);
        finds(java, bans, "import java.lang.reflect.Method;\n", &[1]);
    }

    #[test]
    fn a_member_of_a_class_of_java_lang_is_banned_without_its_package() {
        let (java, bans) = (r#"{"java": "A.java"}"#, r#"{"imports": ["java.lang.System.exit"]}"#);
        let source =
            "class A {\n  void f() {\n    System.out.println();\n    System.exit(0);\n  }\n}\n";
        finds(java, bans, source, &[4]);
    }

    #[test]
    fn a_path_is_banned_in_rust_in_the_braces_of_a_use_too() {
        let (rust, bans) = (r#"{"rust": "a.rs"}"#, r#"{"imports": ["std::thread"]}"#);
        finds(rust, bans, "use std::{io::{self, Read}, thread::{self as t}};\n", &[1, 1][..1]);
        finds(rust, bans, "use ::std::thread;\nfn f() { std::thread::spawn(|| 1); }\n", &[1, 2]);
        finds(rust, bans, "use std::io as thread;\nuse std::{sync, io as thread};\n", &[]);
        let deep = format!("use {}", "a::{".repeat(100_000));
        finds(rust, bans, &deep, &[]);
    }

    #[test]
    fn a_part_of_a_module_is_banned_however_rust_names_it() {
        let (rust, bans) = (r#"{"rust": "a.rs"}"#, r#"{"imports": ["std::process::Command"]}"#);
        for source in [
            "use std::process;\nprocess::Command::new();\n",
            "use std::process as p;\np::Command::new();\n",
            "use std::{io, process::{self, exit}};\nprocess::Command::new();\n",
        ] {
            finds(rust, bans, source, &[2]);
        }
        finds(rust, bans, "use std::process::Command;\nfn f() { Command::new(); }\n", &[1]);
        finds(rust, bans, "use std::process;\nprocess::exit(1);\n", &[]);
    }

    #[test]
    fn a_name_that_is_imported_in_one_place_is_no_import_in_another() {
        let bans = r#"{"imports": ["os.system"]}"#;
        let source = "def f():\n    from os import system as s\ns = input()\ns.strip()\n";
        finds(PYTHON, bans, source, &[2]);
    }

    #[test]
    fn a_module_is_banned_as_a_string_or_after_a_keyword_in_any_other_language() {
        let any = r#"{"run": ["x", "a"]}"#;
        let bans = r#"{"imports": ["child_process", "os/exec", "IO::Socket"]}"#;
        for source in [
            "const c = require('child_process');\n",
            "import { spawn } from \"node:child_process\";\n",
            "import child_process\n",
            "import \"os/exec\"\n",
            "use IO::Socket;\n",
            "use IO::Socket::INET;\n",
        ] {
            finds(any, bans, source, &[1]);
        }
        finds(any, bans, "// child_process\nlet child_process = 'a child_process';\n", &[]);
    }
}
