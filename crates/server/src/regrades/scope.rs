//! Which submissions a regrade takes.

/// Which submissions a regrade takes.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Scope {
    /// Of each student, the one that counts.
    Counting,
    All,
    /// All of the students with these logins.
    Students(Vec<String>),
}

impl Scope {
    /// As the database holds it.
    pub fn text(&self) -> String {
        match self {
            Self::Counting => "counting".to_owned(),
            Self::All => "all".to_owned(),
            Self::Students(logins) => format!("students {}", logins.join(" ")),
        }
    }

    /// The one that a text of the database names.
    pub fn of(text: &str) -> Self {
        match text {
            "counting" => Self::Counting,
            "all" => Self::All,
            students => {
                Self::Students(students.split_whitespace().skip(1).map(Into::into).collect())
            }
        }
    }

    /// For people.
    pub fn words(&self) -> String {
        match self {
            Self::Counting => "the submissions that count".to_owned(),
            Self::All => "all submissions".to_owned(),
            Self::Students(logins) => format!("all submissions of {}", logins.join(", ")),
        }
    }

    /// The word of the form, and the logins.
    pub fn word(&self) -> &'static str {
        match self {
            Self::Counting => "counting",
            Self::All => "all",
            Self::Students(_) => "students",
        }
    }

    pub fn logins(&self) -> String {
        match self {
            Self::Students(logins) => logins.join(" "),
            _ => String::new(),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_scope_comes_back_as_it_was_stored() {
        let students = Scope::Students(vec!["ann".to_owned(), "bob".to_owned()]);
        for scope in [Scope::Counting, Scope::All, students] {
            assert_eq!(Scope::of(&scope.text()), scope);
        }
    }
}
