//! The names with which people sign in.

use harness::diagnostic::Problem;

/// The longest login, in characters.
const LONGEST: usize = 64;

/// The login that somebody typed, or what is wrong with it. It is part of addresses and of messages.
///
/// # Errors
/// With what is wrong.
pub fn checked(typed: &str) -> Result<String, Problem> {
    let login = typed.trim();
    let is_allowed = |it: char| it.is_alphanumeric() || ".-_@+".contains(it);
    let length = login.chars().count();
    if length == 0 || length > LONGEST || !login.chars().all(is_allowed) || login.starts_with('.') {
        let problem = Problem::new(format!("`{}` is no login", login.escape_debug()));
        let hint = format!("use up to {LONGEST} letters, digits and . - _ @ +");
        return Err(problem.hint(hint));
    }
    Ok(login.to_owned())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_login_has_letters_digits_and_a_few_signs() {
        for login in ["ann", "ann.lee@example.edu", "x+1", "zoë"] {
            assert_eq!(checked(login).ok().as_deref(), Some(login));
        }
        for login in ["", " ", "a b", "a/b", "..", "a\0", "<b>", &"a".repeat(65)] {
            assert!(checked(login).is_err(), "{login:?}");
        }
    }
}
