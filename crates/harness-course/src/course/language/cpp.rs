//! C++.

use super::{LanguageRules, Tool, c};

pub(super) const RULES: LanguageRules = LanguageRules {
    key: "cpp",
    extensions: &["cpp", "cc", "cxx"],
    tools: &[Tool {
        what: "C++ compiler",
        name: "c++",
        remedy: "for example `apt-get install g++`",
    }],
    // The same header marks bugs.
    ..c::RULES
};
