//! Java.

use super::{LanguageRules, Tool};

pub(super) const RULES: LanguageRules = LanguageRules {
    key: "java",
    extensions: &["java"],
    mark: "Bug.on",
    library: ("Bug.java", include_str!("../../../../subject/java/Bug.java")),
    truth: ["true", "false"],
    is_selected_at_run_time: true,
    starts_by_name: true,
    tools: &[
        Tool {
            what: "Java compiler",
            name: "javac",
            remedy: "for example `apt-get install default-jdk-headless`",
        },
        Tool {
            what: "Java",
            name: "java",
            remedy: "for example `apt-get install default-jre-headless`",
        },
    ],
};
