//! Patterns of names, in which `*` stands for any characters.

/// Whether a name fits one of the patterns of a course.
pub fn fits(name: &str, patterns: &[String]) -> bool {
    // As in a shell, a star stands for no dot at the start.
    let fits = |pattern: &String| {
        matches(pattern, name) && name.starts_with('.') == pattern.starts_with('.')
    };
    patterns.iter().any(fits)
}

/// Whether a name fits a pattern, in which `*` stands for any characters.
pub fn matches(pattern: &str, name: &str) -> bool {
    match pattern.split_once('*') {
        None => pattern == name,
        Some((before, after)) => name.strip_prefix(before).is_some_and(|rest| {
            rest.char_indices()
                .map(|(at, _)| at)
                .chain([rest.len()])
                .any(|at| matches(after, &rest[at..]))
        }),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_star_stands_for_any_characters() {
        assert!(matches("*.cpp", "a.cpp") && matches("test*.txt", "test-1-q.txt"));
        assert!(!matches("*.cpp", "a.cpp.txt") && !matches("Makefile", "makefile"));
        assert!(matches("*", "") && matches("a*b*c", "a-b-b-c") && !matches("a*b*c", "a-c"));
    }

    #[test]
    fn a_star_stands_for_no_dot_at_the_start() {
        let patterns = ["*".to_owned(), ".a*".to_owned()];
        assert!(fits("b", &patterns) && fits(".ab", &patterns) && !fits(".b", &patterns));
    }
}
