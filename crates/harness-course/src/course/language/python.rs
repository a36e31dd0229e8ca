//! Python.

use super::{LanguageRules, Tool};

pub(super) const RULES: LanguageRules = LanguageRules {
    key: "python",
    extensions: &["py", "py3"],
    mark: "bug",
    library: ("subject.py", include_str!("../../../../subject/python/subject.py")),
    truth: ["True", "False"],
    is_selected_at_run_time: true,
    starts_by_name: true,
    tools: &[Tool {
        what: "Python",
        name: "python3",
        remedy: "for example `apt-get install python3`",
    }],
};
