//! C.

use super::{LanguageRules, Tool};

pub(super) const RULES: LanguageRules = LanguageRules {
    key: "c",
    extensions: &["c"],
    mark: "BUG",
    library: ("subject.h", include_str!("../../../../subject/c/subject.h")),
    truth: ["1", "0"],
    is_selected_at_run_time: false,
    starts_by_name: false,
    tools: &[Tool {
        what: "C compiler",
        name: "cc",
        remedy: "for example `apt-get install gcc libc6-dev`",
    }],
};
