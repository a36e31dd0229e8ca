//! JUnit 5.

use super::{Failed, Framework, Read, python};

pub(super) struct JUnit;

impl Framework for JUnit {
    /// Names of archives, without their versions.
    fn libraries(&self) -> &'static [&'static str] {
        &[
            "junit-jupiter-api",
            "junit-jupiter-engine",
            "junit-jupiter-params",
            "junit-platform-commons",
            "junit-platform-engine",
            "junit-platform-launcher",
            "opentest4j",
            "apiguardian-api",
            "univocity-parsers",
        ]
    }

    fn sources(&self) -> &'static [(&'static str, &'static str)] {
        &[
            ("Cases.java", include_str!("junit/Cases.java")),
            ("Classes.java", include_str!("junit/Classes.java")),
            ("Example.java", include_str!("junit/Example.java")),
            ("Heard.java", include_str!("junit/Heard.java")),
            ("Listed.java", include_str!("junit/Listed.java")),
            ("Overlooked.java", include_str!("junit/Overlooked.java")),
            ("META-INF/services/org.junit.jupiter.api.extension.Extension", "Listed\n"),
        ]
    }

    fn knows_a_secret(&self) -> bool {
        true
    }

    fn form(&self) -> &'static str {
        "a method with `@Test` of `org.junit.jupiter.api`"
    }

    fn cases(&self, listed: &str) -> Vec<String> {
        python::cases_as_lines(listed)
    }

    fn skipped(&self, printed: &str) -> Option<String> {
        python::skipped(printed)
    }

    fn failure(&self, printed: &str) -> Option<Failed> {
        python::failure(printed)
    }

    fn together(&self) -> Option<Read> {
        Some(python::verdicts)
    }
}
