//! Compares outputs line by line, in any order.

use crate::{Flaw, shortened};
use std::collections::HashMap;

/// The first error in `output`; `None` if it has the lines of `right`, each as often. The end of the last line does not count.
pub fn flaw(right: &[u8], output: &[u8]) -> Option<Flaw> {
    let mut missing: HashMap<&[u8], usize> = HashMap::new();
    for line in lines(right) {
        *missing.entry(line).or_default() += 1;
    }
    for (at, line) in lines(output).enumerate() {
        match missing.get_mut(line) {
            Some(left) if *left > 0 => *left -= 1,
            known => {
                let often = if known.is_some() { " so often" } else { "" };
                let message = format!("the line {} is not expected{often}", quoted(line));
                return Some(Flaw::at(Some(at + 1), message));
            }
        }
    }
    let first = lines(right).find(|line| missing[line] > 0)?;
    Some(Flaw::whole(format!("the line {} is missing", quoted(first))))
}

fn lines(text: &[u8]) -> impl Iterator<Item = &[u8]> {
    text.split_inclusive(|&byte| byte == b'\n').map(|line| line.strip_suffix(b"\n").unwrap_or(line))
}

fn quoted(line: &[u8]) -> String {
    const MOST: usize = 60;
    format!("`{}`", shortened(&String::from_utf8_lossy(line), MOST))
}

#[cfg(test)]
mod tests {
    #[test]
    fn lines_may_be_in_any_order_but_each_counts() {
        let flaw = |right: &str, output: &str| {
            super::flaw(right.as_bytes(), output.as_bytes()).map(|flaw| flaw.to_string())
        };
        assert_eq!(flaw("a\nb\nb\n", "b\na\nb"), None);
        assert_eq!(flaw("", ""), None);
        let flaw = |right, output| flaw(right, output).unwrap();
        assert_eq!(flaw("a\nb\n", "b\nc\n"), "line 2: the line `c` is not expected");
        assert_eq!(flaw("a\nb\n", "b\nb\na\n"), "line 2: the line `b` is not expected so often");
        assert_eq!(flaw("b\na\nb\n", "b\na\n"), "the line `b` is missing");
        assert_eq!(flaw("a\n", "a\n\n"), "line 2: the line `` is not expected");
    }
}
