//! The languages that are told apart, and the words that mean something in each.
//!
//! This is a table of its own. It knows files by their names alone, takes C and C++ for one language, and essays for another, and no
//! program is built here. The rules by which programs are built are in `course/language`.

/// The language of a file.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Language {
    /// C and C++.
    C,
    Java,
    Python,
    Rust,
    /// Words, as in an essay.
    Text,
}

impl Language {
    /// The language of a source, by the end of its name. `None` if it is no source.
    pub fn of(path: &str) -> Option<Self> {
        let name = path.rsplit('/').next().unwrap_or(path);
        let (_, ending) = name.rsplit_once('.')?;
        Some(match ending.to_ascii_lowercase().as_str() {
            "c" | "cc" | "cpp" | "cxx" | "c++" | "h" | "hh" | "hpp" | "hxx" | "inl" | "tcc" => {
                Self::C
            }
            "java" => Self::Java,
            "py" => Self::Python,
            "rs" => Self::Rust,
            "txt" | "md" => Self::Text,
            _ => return None,
        })
    }

    /// Words that shape a program. Every other name could as well be another one.
    pub(crate) fn keywords(self) -> &'static [&'static str] {
        match self {
            Self::C => &[
                "if",
                "else",
                "for",
                "while",
                "do",
                "switch",
                "case",
                "default",
                "break",
                "continue",
                "return",
                "goto",
                "try",
                "catch",
                "throw",
                "new",
                "delete",
                "class",
                "struct",
                "enum",
                "union",
                "template",
                "operator",
                "sizeof",
                "typedef",
                "namespace",
                "define",
            ],
            Self::Java => &[
                "if",
                "else",
                "for",
                "while",
                "do",
                "switch",
                "case",
                "default",
                "break",
                "continue",
                "return",
                "try",
                "catch",
                "finally",
                "throw",
                "throws",
                "new",
                "class",
                "interface",
                "enum",
                "record",
                "extends",
                "implements",
                "instanceof",
            ],
            Self::Python => &[
                "if", "elif", "else", "for", "while", "break", "continue", "return", "try",
                "except", "finally", "raise", "class", "def", "lambda", "yield", "with", "as",
                "in", "is", "not", "and", "or", "pass", "del", "assert", "global", "nonlocal",
            ],
            Self::Rust => &[
                "if", "else", "for", "while", "loop", "match", "break", "continue", "return",
                "struct", "enum", "trait", "impl", "fn", "let", "in", "as", "where", "type", "mod",
                "move", "dyn",
            ],
            Self::Text => &[],
        }
    }

    /// Words that can be added to many places and change little.
    pub(crate) fn modifiers(self) -> &'static [&'static str] {
        match self {
            Self::C => &[
                "const",
                "constexpr",
                "static",
                "inline",
                "volatile",
                "register",
                "mutable",
                "noexcept",
                "override",
                "virtual",
                "explicit",
                "final",
                "typename",
                "extern",
                "nodiscard",
                "maybe_unused",
            ],
            Self::Java => {
                &["public", "private", "protected", "static", "final", "abstract", "synchronized"]
            }
            Self::Rust => &["pub", "mut", "const", "static", "unsafe", "ref"],
            Self::Python | Self::Text => &[],
        }
    }

    /// The word with which a member is named, and could as well not be.
    pub(crate) fn own(self) -> &'static str {
        match self {
            Self::C | Self::Java => "this",
            Self::Python | Self::Rust => "self",
            Self::Text => "",
        }
    }
}
