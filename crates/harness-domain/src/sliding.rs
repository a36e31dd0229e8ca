//! Sliding Blocks: a board file describes a grid and its pieces. The answer is any shortest list of moves that brings the goal piece to
//! the last column.

mod answer;
mod board;
mod complaint;
mod effort;
mod frame;
mod judge;
mod layout;
mod layouts;
mod mention;
mod messages;
mod moves;
mod neighbour;
mod page;
mod path;
mod picture;
mod random_boards;
mod smaller;
mod solution;
mod space;
mod statement;
#[cfg(test)]
mod wordings;
mod words;

use super::{
    Domain, Draft, Family, Fault, Generator, InputLimits, Limit, LimitExceeded, Reason, Steps,
};
use crate::TestRules;
use crate::picture::{View, Viewer};
use answer::Answer;
use board::{Board, ParseError, Style};
use effort::MOST_LAYOUTS;
use fastrand::Rng;
use harness_diagnostic::Problem;
use judge::Right;
use layouts::Layouts;
use proptest::strategy::{Strategy, ValueTree};
use proptest::test_runner::TestRunner;
use random_boards::Boards;
use std::cell::LazyCell;
use subject::{Case, How, Outcome};

pub(super) struct Sliding;

/// The name of the board file in a case.
const BOARD: &str = "board.data";
/// The page that a program writes, if the flags ask for it.
const PAGE: &str = "board.html";

impl Domain for Sliding {
    fn name(&self) -> &'static str {
        "sliding"
    }

    fn limits(&self) -> Vec<Limit<'_>> {
        vec![
            Limit { name: "rows", default: 8 },
            Limit { name: "columns", default: 8 },
            Limit { name: "pieces", default: 20 },
        ]
    }

    fn check(&self, input: &[u8], limits: &InputLimits) -> Result<(), LimitExceeded> {
        let board = Board::read(input).map_err(|ParseError { line, problem }| {
            let hint = "a test has one line for the grid and one for each piece, as in the specification's example";
            LimitExceeded { line, column: None, reason: Reason::Form, problem: Problem::new(problem).hint(hint) }
        })?;
        let line_of = |index| board::lines(input).nth(index).map_or(1, |(line, _)| line);
        let sizes = [("rows", i64::from(board.rows), 0), ("columns", i64::from(board.columns), 0)];
        let pieces = ("pieces", board.pieces.len() as i64, limits["pieces"] as usize + 1);
        for (what, size, index) in sizes.into_iter().chain([pieces]) {
            let most = limits[what];
            if u64::try_from(size).is_ok_and(|size| size > most) {
                let problem = Problem::new(format!(
                    "the board has {size} {what}; a test may have at most {most}"
                ));
                return Err(LimitExceeded {
                    line: line_of(index),
                    column: None,
                    reason: Reason::Limit,
                    problem,
                });
            }
        }
        Ok(())
    }

    fn case(&self, options: Vec<String>, _parameters: &[u32], input: Vec<u8>) -> Case {
        let args = options.into_iter().chain([BOARD.to_owned()]).collect();
        Case { args, input: Vec::new(), files: [(BOARD.to_owned(), input)].into() }
    }

    fn has_many_answers(&self) -> bool {
        true
    }

    fn judge(&self, case: &Case, reference: &Outcome, mutant: &Outcome) -> Option<Fault> {
        self.judge_all(case, reference, &[mutant]).pop().flatten()
    }

    fn judge_all(
        &self,
        case: &Case,
        reference: &Outcome,
        mutants: &[&Outcome],
    ) -> Vec<Option<Fault>> {
        let right = LazyCell::new(|| Right::read(case, reference));
        let judge = |mutant: &&Outcome| match How::between(reference, mutant)? {
            How::Output => {
                right.wrong(mutant).map(|why| Fault { how: How::Output, why: Some(why) })
            }
            how => Some(Fault::from(how)),
        };
        mutants.iter().map(judge).collect()
    }

    fn generator(&self) -> Option<&dyn Generator> {
        Some(self)
    }

    fn viewer(&self) -> Option<&dyn Viewer> {
        Some(self)
    }
}

impl Viewer for Sliding {
    fn recognizes(&self, input: &[u8]) -> bool {
        // Only numbers and directions, as in `2 1 1 1 h`.
        let words: Vec<_> =
            input.split(u8::is_ascii_whitespace).filter(|word| !word.is_empty()).collect();
        words.len() > 5
            && words.len() % 5 == 2
            && words.iter().skip(6).step_by(5).all(|word| word[0].is_ascii_alphabetic())
    }

    fn view(&self, draft: &Draft, answer: Option<&[u8]>) -> View {
        picture::view(&draft.input, answer)
    }
}

impl Generator for Sliding {
    fn size(&self, input: &[u8]) -> usize {
        Board::read(input).map_or(input.len(), |board| board.area())
    }

    fn families(&self, area: usize, rules: &TestRules) -> Vec<Family> {
        space::families(area, &rules.flag_combinations(), &rules.limits)
    }

    fn reach(&self, _rules: &TestRules) -> usize {
        6
    }

    fn alphabet(&self) -> &'static str {
        space::ALPHABET
    }

    fn sample(&self, rules: &TestRules, runner: &mut TestRunner) -> Draft {
        let tree = boards(rules).new_tree(runner).expect("a board can always be drawn");
        let flags = proptest::sample::select(rules.flag_combinations())
            .new_tree(runner)
            .expect("there are flags to choose from");
        Draft { flags: flags.current(), input: tree.current().render() }
    }

    fn kinds(&self) -> &'static [&'static str] {
        &random_boards::KIND_NAMES
    }

    fn sample_of(&self, kind: usize, rules: &TestRules, rng: &mut Rng) -> Draft {
        let flags = rules.flag_combinations();
        let flags = flags[rng.usize(..flags.len())].clone();
        Draft { flags, input: boards(rules).draw_kind(random_boards::KINDS[kind], rng).render() }
    }

    fn neighbour(&self, draft: &Draft, rules: &TestRules, rng: &mut Rng) -> Draft {
        let flags = rules.flag_combinations();
        let flags = if rng.u8(..6) == 0 {
            flags[rng.usize(..flags.len())].clone()
        } else {
            draft.flags.clone()
        };
        let input = Board::read(&draft.input).map_or_else(
            |_| draft.input.clone(),
            |board| boards(rules).neighbour(&board, rng).render(),
        );
        Draft { flags, input }
    }

    fn smaller(&self, draft: &Draft) -> Vec<Draft> {
        self.steps(draft).all().collect()
    }

    /// With fewer pieces in the way, a search may take many times as long. Such a step is not made.
    fn steps(&self, draft: &Draft) -> Steps<'_> {
        /// A search is long if it meets more layouts than this.
        const LONG: usize = 1000;
        let Ok(board) = Board::read(&draft.input) else {
            return Steps { count: 0, make: Box::new(|_| None) };
        };
        let count = Layouts::of(&board, MOST_LAYOUTS).map(|layouts| layouts.count());
        let is_short = count.is_some_and(|count| count <= LONG);
        let steps = if is_short { smaller::steps(&board) } else { smaller::large_steps(&board) };
        let most = count.map(|count| count.max(LONG));
        let may_be_made =
            move |step: &Board| most.is_none_or(|most| Layouts::of(step, most).is_some());
        let flags = draft.flags.clone();
        Steps {
            count: steps.len(),
            make: Box::new(move |at| {
                let step = Some(&steps[at]).filter(|step| may_be_made(step))?;
                Some(Draft { flags: flags.clone(), input: step.render() })
            }),
        }
    }

    fn plain(&self, draft: &Draft) -> Draft {
        with_style(draft, Style::plain)
    }

    fn lenient(&self, draft: &Draft, rules: &TestRules) -> Vec<(&'static str, Draft)> {
        let mut forms = Style::LENIENT.to_vec();
        if !rules.convert_crlf {
            forms.push(("CRLF line ends", |style| Style { crlf: true, ..style }));
        }
        forms.into_iter().map(|(name, form)| (name, with_style(draft, form))).collect()
    }

    fn describe(&self, draft: &Draft, stdout: &[u8]) -> String {
        let Ok(board) = Board::read(&draft.input) else { return "a board".to_owned() };
        let plural = |count: usize, thing: &str| {
            format!("{count} {thing}{}", if count == 1 { "" } else { "s" })
        };
        let valid = board.valid().len();
        let discarded = match board.pieces.len() - valid {
            0 => String::new(),
            discarded => format!(" and {discarded} that must be discarded"),
        };
        let answer = Answer::read(&String::from_utf8_lossy(stdout), &board);
        let end = match answer.solution() {
            None => "no solution".to_owned(),
            Some(0) => "solved at the start".to_owned(),
            Some(moves) => format!("solved in {}", plural(moves, "move")),
        };
        let page = if draft.flags.is_empty() { "" } else { ", as a page too" };
        format!(
            "{}x{} board with {}{discarded}: {end}{page}",
            board.rows,
            board.columns,
            plural(valid, "piece")
        )
    }

    fn commented(&self, _draft: &Draft, _comment: &str) -> Option<Draft> {
        None
    }
}

/// The same board in the style that `change` makes of its own.
fn with_style(draft: &Draft, change: impl Fn(Style) -> Style) -> Draft {
    let Ok(board) = Board::read(&draft.input) else { return draft.clone() };
    let board = Board { style: change(board.style), ..board };
    Draft { flags: draft.flags.clone(), input: board.render() }
}

fn boards(rules: &TestRules) -> Boards {
    // Longer sides make searches much longer, and tests no better.
    const LONGEST: u64 = 8;
    const MOST_PIECES: u64 = 24;
    let side = |name| rules.limits[name].clamp(1, LONGEST) as i32;
    let pieces = rules.limits["pieces"].clamp(1, MOST_PIECES) as usize;
    Boards { rows: side("rows"), columns: side("columns"), pieces, crlf: !rules.convert_crlf }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn check(input: &str) -> Option<(usize, String)> {
        let limits =
            InputLimits::from([("rows".into(), 8), ("columns".into(), 8), ("pieces".into(), 2)]);
        Sliding
            .check(input.as_bytes(), &limits)
            .err()
            .map(|exceeded| (exceeded.line, exceeded.problem.message))
    }

    #[test]
    fn a_board_within_the_limits_passes_valid_or_not() {
        for board in ["8 8\n1 1 1 1 h\n1 1 1 1 x\n", "0 -3\n", "1 1\r\n\r\n 1\t1 1 1 n"] {
            assert_eq!(check(board), None);
        }
    }

    #[test]
    fn what_is_too_large_is_named_with_its_line() {
        assert_eq!(
            check("\n9 1\n").unwrap(),
            (2, "the board has 9 rows; a test may have at most 8".to_owned())
        );
        assert_eq!(
            check("1 9\n").unwrap(),
            (1, "the board has 9 columns; a test may have at most 8".to_owned())
        );
        let pieces = check("2 2\n1 1 1 1 h\n\n1 1 1 1 h\n1 1 1 1 h\n1 1 1 1 h\n").unwrap();
        assert_eq!(pieces, (5, "the board has 4 pieces; a test may have at most 2".to_owned()));
    }

    #[test]
    fn what_the_document_leaves_open_is_no_test() {
        assert_eq!(check("2 2\n1 one 1 1 h\n").unwrap().0, 2);
    }

    #[test]
    fn a_test_is_described_by_its_board_and_its_answer() {
        let draft = Draft { flags: "h".to_owned(), input: b"1 2\n1 1 1 1 h\n9 9 1 1 n\n".to_vec() };
        let stdout = b"outside\n****\n*Z.*\n****\n1. Piece Z right 1 space\n****\n*.Z*\n****\n";
        let words =
            "1x2 board with 1 piece and 1 that must be discarded: solved in 1 move, as a page too";
        assert_eq!(Sliding.describe(&draft, stdout), words);
    }

    #[test]
    fn the_board_is_a_file_and_its_name_the_last_argument() {
        let case = Sliding.case(vec!["-h".to_owned()], &[], b"1 1\n".to_vec());
        assert_eq!(case.args, ["-h", "board.data"]);
        assert_eq!(case.files["board.data"], b"1 1\n");
        assert!(case.input.is_empty());
    }
}
