//! Tells a script that was handed in from a program that a compiler made. Pure.

use crate::submission::SourceFile;
use crate::submission::check::{is_code, is_makefile};

const ELF: &[u8] = b"\x7fELF";

/// Whether `program` is a script that was handed in, so that no compiler made it.
///
/// A script can hold a compiled program, or the text of one. So it counts only if it is little more than a file that the course lets
/// students hand in as a script: no code of C or C++, no Makefile, and no text such as a test. In a course for C++ there is none.
pub(super) fn was_handed_in(program: &[u8], sources: &[SourceFile]) -> bool {
    let holds_a_program = program.windows(ELF.len()).any(|bytes| bytes == ELF);
    if !program.starts_with(b"#!") || holds_a_program {
        return false;
    }
    // A Makefile may convert line ends.
    let text = |bytes: &[u8]| String::from_utf8_lossy(bytes).replace('\r', "");
    let whole = text(program);
    let scripts = sources.iter().filter(|file| {
        let is_text = file.extension() == "txt" || file.name.starts_with("test");
        !is_code(file) && !is_makefile(file) && !is_text
    });
    let mut scripts = scripts.map(|file| text(&file.bytes));
    scripts.any(|script| script.len() * 2 >= whole.len() && whole.contains(script.trim()))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn is_script(program: &str, (name, text): (&str, &str)) -> bool {
        let file = SourceFile { name: name.to_owned(), bytes: text.into() };
        was_handed_in(program.as_bytes(), &[file])
    }

    #[test]
    fn a_script_that_was_handed_in_is_no_compiled_program() {
        let text = "#!/usr/bin/env python3\nprint(sum(map(int, input().split())))\n";
        assert!(is_script(text, ("talks.py", text)));
        assert!(is_script(text, ("talks.py", &text.replace('\n', "\r\n"))));
        assert!(is_script(&format!("#!/usr/bin/env python3\n{text}"), ("talks.py", text)));
    }

    #[test]
    fn a_script_around_a_program_is_none() {
        let script = "#!/bin/sh\nbase64 -d <<end > /tmp/it && exec /tmp/it\nZm9v\nend\n";
        for name in ["sum.cpp", "sum.h", "Makefile", "test-it.txt", "notes.txt"] {
            assert!(!is_script(script, (name, script)), "{name}");
        }
        assert!(!is_script(script, ("empty.py", "")) && !is_script(script, ("a.py", "exec")));
        let with_program = format!("{script}\u{7f}ELF");
        assert!(!is_script(&with_program, ("sum.py", &with_program)));
        assert!(!is_script("print(1)\n", ("sum.py", "print(1)\n")), "no system starts it");
    }
}
