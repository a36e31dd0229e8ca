//! The Puzzle Solver's maps: a header with colours, height and width, comments, and rows of cells.

use super::{Domain, Limit, Limits, Oversize};
use crate::problem::Problem;

pub(super) struct Puzzle;

impl Domain for Puzzle {
    fn name(&self) -> &'static str {
        "puzzle"
    }

    fn limits(&self) -> &'static [Limit] {
        &[Limit { name: "rows", default: 10 }, Limit { name: "columns", default: 10 }]
    }

    fn check(&self, input: &[u8], limits: &Limits) -> Result<(), Oversize> {
        let header = input.split(|&byte| byte == b'\n').next().unwrap_or_default();
        let mut sizes = header.split(u8::is_ascii_whitespace).filter(|word| !word.is_empty()).skip(1);
        for (what, limit) in [("rows", limits["rows"]), ("columns", limits["columns"])] {
            let size = sizes.next().and_then(|word| std::str::from_utf8(word).ok()?.parse::<u64>().ok());
            if let Some(size) = size.filter(|&size| size > limit) {
                let problem = Problem::new(format!("the map has {size} {what}; a test may have at most {limit}"));
                return Err(Oversize { line: 1, problem });
            }
        }
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn check(input: &str) -> Option<String> {
        let limits = Limits::from([("rows", 10), ("columns", 10)]);
        Puzzle.check(input.as_bytes(), &limits).err().map(|oversize| oversize.problem.message)
    }

    #[test]
    fn a_map_within_the_limits_passes() {
        assert_eq!(check("26 10 10\n"), None);
    }

    #[test]
    fn the_first_side_that_is_too_long_is_named() {
        assert_eq!(check("2 12 10 \r\n").unwrap(), "the map has 12 rows; a test may have at most 10");
        assert_eq!(check("2 1 11").unwrap(), "the map has 11 columns; a test may have at most 10");
    }

    #[test]
    fn what_is_no_header_is_left_to_the_reference() {
        assert_eq!(check(""), None);
        assert_eq!(check("// no header"), None);
    }
}
