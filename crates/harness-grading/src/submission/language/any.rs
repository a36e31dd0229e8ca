//! Programs in any language, which commands of the course build and run.

use super::{Language, Note};
use crate::course::Commands;
use crate::course::language::tokens::{self, Token, TokenKind};
use crate::course::submission::Program;
use crate::diagnostic::Failure;
use crate::result::graded::Diagnostic;
use crate::submission::SourceFile;
use crate::submission::check::imports::parts;

/// What stands before a name that is imported, and the most parts of one, with the marks between them.
const KEYWORDS: [&str; 6] = ["import", "use", "using", "require", "include", "from"];
const MOST_PARTS: usize = 32;

impl Language for Commands {
    fn build(&self, _: &Program, _: &[&str], _: u64) -> Result<Vec<String>, Failure> {
        Ok(self.build.clone())
    }

    fn made(&self, _: &str) -> Option<String> {
        None
    }

    fn why_missing(&self, name: &str, _: &SourceFile) -> Diagnostic {
        Diagnostic::plain(format!("there is no program `{name}`"))
    }

    fn keeps(&self, _: &str, _: &str) -> bool {
        true
    }

    fn start(&self, _: &Program, _: &str, _: u64) -> Vec<String> {
        self.run.clone()
    }

    /// Most languages have the comments and strings of C.
    fn tokens(&self, source: &str) -> Vec<Token> {
        tokens::c(source)
    }

    /// Many languages import a string, as `require("fs")` and `import "os/exec"`, and others a name after a keyword.
    fn imports<'a>(&self, source: &'a str, tokens: &[Token], note: Note<'_, 'a>) {
        for (at, token) in tokens.iter().enumerate() {
            let (place, text) = (token.range.start, token.text(source));
            if token.kind == TokenKind::Text {
                let name = text.trim_matches(['"', '\'', '`']);
                note(place, &parts(name), 0);
                // As in `node:fs`.
                let bare = name.split_once(':').map(|(_, bare)| parts(bare));
                bare.iter().for_each(|parts| note(place, parts, 0));
            } else if KEYWORDS.contains(&text) {
                let is_part = |token: &&Token| {
                    token.kind == TokenKind::Name || matches!(token.text(source), "." | ":" | "::")
                };
                let parts = tokens[at + 1..].iter().take_while(is_part).take(MOST_PARTS);
                let names = parts.filter(|part| part.kind == TokenKind::Name);
                note(place, &names.map(|part| part.text(source)).collect::<Vec<_>>(), 0);
            }
        }
    }
}
