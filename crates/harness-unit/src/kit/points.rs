//! A reference that tells the lines that it reaches as one tells the bugs whose places it reaches: by a number for each *point*, which is
//! a place in a line.

use super::Kit;
use crate::coverage::{Counter, FACTOR};
use crate::diagnostic::{Failure, Problem};
use crate::run::coverage::{Coverage, Lines};
use crate::running::Pair;
use crate::variant::Variant;
use crate::variants::Variants;
use subject::Case;

/// The files and the lines of points, by their numbers.
pub(super) type Points = Vec<(String, usize)>;

/// The reference with points.
pub(super) struct Counting {
    pub(super) variant: Variant,
    pub(super) points: Points,
    /// Makes programs that may take as long as they need to tell lines.
    pub(super) kit: Box<dyn Kit>,
}

impl Counter for Counting {
    fn coverage(
        &self,
        variants: &Variants,
        pair: &mut Pair<'_>,
        cases: &[Case],
    ) -> Result<Result<Coverage, Problem>, Failure> {
        let made = self.kit.program(pair.built, &self.variant)?;
        let program = match made {
            Ok(program) => program,
            Err(problem) => return Ok(Err(problem)),
        };
        let mut slow = pair.slow(&self.variant, program, FACTOR);
        let cases: Vec<_> = cases.iter().collect();
        let mut told = variants.reached(&mut slow, &cases)?;
        // One that starts what does not end lets the others after it not run.
        for (case, told) in cases.iter().zip(&mut told).filter(|(_, told)| told.is_none()) {
            *told = variants.reached(&mut slow, &[case])?.pop().flatten();
        }
        let numbers = told.into_iter().flatten().flatten();
        let reached = numbers.filter_map(|number| self.points.get(number.parse::<usize>().ok()?));
        Ok(Ok(Coverage { code: lines(self.points.iter()), reached: lines(reached) }))
    }
}

fn lines<'a>(points: impl Iterator<Item = &'a (String, usize)>) -> Lines {
    let mut lines = Lines::new();
    for (file, line) in points {
        lines.entry(file.clone()).or_default().insert(*line);
    }
    lines
}
