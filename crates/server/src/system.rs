//! What the system says when something fails, for people. It knows nothing else.

/// A message without the numbers of the system's errors, such as ` (os error 13)`: the words before them say the same.
pub(crate) fn said(message: &str) -> String {
    const NUMBER: &str = " (os error ";
    let mut parts = message.split(NUMBER);
    let first = parts.next().unwrap_or_default().to_owned();
    parts.fold(first, |text, part| match part.split_once(')') {
        Some((number, rest)) if number.parse::<i32>().is_ok() => text + rest,
        _ => text + NUMBER + part,
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_error_of_the_system_is_told_without_its_number() {
        let denied = std::io::Error::from_raw_os_error(13).to_string();
        assert_eq!(
            said(&format!("a: {denied}; b: {denied}")),
            "a: Permission denied; b: Permission denied"
        );
        assert_eq!(said("x (os error y)"), "x (os error y)");
    }
}
