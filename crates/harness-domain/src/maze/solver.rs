//! The solver's assignment. A test is a maze, and its name gives the start, the goal and the output mode.

use super::file::{self, Ending, Style};
use super::grid::Room;
use super::random_tasks::{KIND_NAMES, KINDS, Tasks};
use super::route::{Ends, Route, RouteKind};
use super::task::Task;
use super::{smaller, space, view};
use crate::TestRules;
use crate::picture::{View, Viewer};
use crate::{
    Domain, Draft, Family, Fault, Flaw, Generator, InputLimits, Limit, LimitExceeded, Reason,
};
use fastrand::Rng;
use harness_diagnostic::Problem;
use proptest::strategy::{Strategy, ValueTree};
use proptest::test_runner::TestRunner;
use std::collections::BTreeMap;
use subject::{Case, End, How, Outcome};

/// The files that a solver reads and writes.
const MAZE: &str = "maze.txt";
const PATH: &str = "path.txt";
/// The option for the second output mode.
const FULL: &str = "--full";

pub(crate) struct MazeSolver;

impl Domain for MazeSolver {
    fn name(&self) -> &'static str {
        "maze-solver"
    }

    fn limits(&self) -> Vec<Limit<'_>> {
        vec![Limit { name: "rows", default: 300 }, Limit { name: "columns", default: 300 }]
    }

    /// Also rejects a maze whose walls do not agree, because a solver need not check for that.
    fn check(&self, input: &[u8], limits: &InputLimits) -> Result<(), LimitExceeded> {
        let (maze, misshapen) = file::read(input);
        let sizes =
            [("rows", maze.height(), limits["rows"] as usize + 1), ("columns", maze.width(), 1)];
        for (what, size, line) in sizes {
            if size as u64 > limits[what] {
                let problem = Problem::new(format!(
                    "the maze has {size} {what}; a test may have at most {}",
                    limits[what]
                ));
                return Err(LimitExceeded { line, column: None, reason: Reason::Limit, problem });
            }
        }
        // The reference reports errors in the file's form.
        match maze.flaws().next().filter(|_| misshapen.is_empty()) {
            None => Ok(()),
            Some(flaw) => {
                let hint = "the border must be closed, and the rooms on both sides of a wall must both have it";
                Err(LimitExceeded {
                    line: flaw.line.unwrap_or(1),
                    column: None,
                    reason: Reason::Unfit,
                    problem: Problem::new(flaw.message).hint(hint),
                })
            }
        }
    }

    fn characters(&self, _input: &[u8], _line: usize, _column: usize) -> Option<String> {
        Some("0123456789abcdef".to_owned())
    }

    fn case(&self, options: Vec<String>, parameters: &[u32], input: Vec<u8>) -> Case {
        let ends = parameters.iter().map(u32::to_string);
        let args =
            options.into_iter().chain([MAZE.to_owned(), PATH.to_owned()]).chain(ends).collect();
        Case { args, input: Vec::new(), files: BTreeMap::from([(MAZE.to_owned(), input)]) }
    }

    /// The document has a second program instead of an option.
    fn document_args(&self, case: &Case) -> Vec<String> {
        case.args.iter().filter(|arg| *arg != FULL).cloned().collect()
    }

    fn has_many_answers(&self) -> bool {
        true
    }

    fn answer<'a>(&self, outcome: &'a Outcome) -> &'a [u8] {
        outcome.files.get(PATH).map_or(&[], Vec::as_slice)
    }

    fn outcome(&self, reference: &Outcome, answer: Vec<u8>) -> Outcome {
        let files = BTreeMap::from([(PATH.to_owned(), answer)]);
        Outcome { files, ..reference.clone() }
    }

    fn judge(&self, case: &Case, reference: &Outcome, mutant: &Outcome) -> Option<Fault> {
        let how = How::between(reference, mutant)?;
        if how != How::Output || reference.end != End::Exit(0) {
            return Some(how.into());
        }
        let why = match mutant.files.get(PATH) {
            Some(answer) => wrong(case, answer)?,
            None => Flaw::whole(format!("the program does not write {PATH}")),
        };
        Some(Fault { how, why: Some(why) })
    }

    fn generator(&self) -> Option<&dyn Generator> {
        Some(self)
    }

    fn viewer(&self) -> Option<&dyn Viewer> {
        Some(self)
    }
}

impl Viewer for MazeSolver {
    fn recognizes(&self, input: &[u8]) -> bool {
        view::recognizes(input)
    }

    fn view(&self, draft: &Draft, answer: Option<&[u8]>) -> View {
        view::view(draft, answer)
    }

    fn view_outcome(&self, draft: &Draft, outcome: &Outcome) -> View {
        self.view(draft, outcome.files.get(PATH).map(Vec::as_slice))
    }
}

/// What is wrong with an answer, which need not be the same as the reference's.
fn wrong(case: &Case, answer: &[u8]) -> Option<Flaw> {
    let (maze, _) = file::read(case.files.get(MAZE)?);
    let kind =
        if case.args.iter().any(|arg| arg == FULL) { RouteKind::Walk } else { RouteKind::Path };
    Route::read(answer).flaws(&maze, kind, ends(case)?).into_iter().next()
}

fn ends(case: &Case) -> Option<Ends> {
    let mut numbers = case.args.iter().rev().map_while(|arg| arg.parse::<usize>().ok());
    let (goal_y, goal_x, start_y, start_x) =
        (numbers.next()?, numbers.next()?, numbers.next()?, numbers.next()?);
    Some(Ends { start: Room { x: start_x, y: start_y }, goal: Room { x: goal_x, y: goal_y } })
}

impl Generator for MazeSolver {
    fn size(&self, input: &[u8]) -> usize {
        file::read(input).0.area()
    }

    fn families(&self, area: usize, rules: &TestRules) -> Vec<Family> {
        space::families(area, &rules.flag_combinations(), &rules.limits)
    }

    fn reach(&self, _rules: &TestRules) -> usize {
        8
    }

    fn leaves_nothing_out(&self, _area: usize, _rules: &TestRules) -> bool {
        true
    }

    fn alphabet(&self) -> &'static str {
        space::ALPHABET
    }

    fn sample(&self, rules: &TestRules, runner: &mut TestRunner) -> Draft {
        Tasks::new(rules).new_tree(runner).expect("a maze can always be drawn").current().draft()
    }

    fn kinds(&self) -> &'static [&'static str] {
        &KIND_NAMES
    }

    fn sample_of(&self, kind: usize, rules: &TestRules, rng: &mut Rng) -> Draft {
        Tasks::new(rules).draw_kind(KINDS[kind], rng).draft()
    }

    fn neighbour(&self, draft: &Draft, rules: &TestRules, rng: &mut Rng) -> Draft {
        Task::of(draft)
            .map_or_else(|| draft.clone(), |task| Tasks::new(rules).neighbour(&task, rng).draft())
    }

    fn smaller(&self, draft: &Draft) -> Vec<Draft> {
        Task::of(draft)
            .map_or_else(Vec::new, |task| smaller::steps(&task).iter().map(Task::draft).collect())
    }

    fn plain(&self, draft: &Draft) -> Draft {
        with_style(draft, Style::default())
    }

    fn lenient(&self, draft: &Draft, rules: &TestRules) -> Vec<(&'static str, Draft)> {
        let plain = Style::default();
        let mut forms = vec![
            ("no newline at the end", Style { ending: Ending::Open, ..plain }),
            ("a blank line at the end", Style { ending: Ending::BlankLine, ..plain }),
            ("capital digits", Style { capitals: true, ..plain }),
        ];
        if !rules.convert_crlf {
            forms.push(("CRLF line ends", Style { crlf: true, ..plain }));
        }
        forms.into_iter().map(|(name, style)| (name, with_style(draft, style))).collect()
    }

    fn resized(&self, draft: &Draft, columns: usize, rows: usize) -> Option<Draft> {
        let task = Task::of(draft)?;
        Some(Task { maze: task.maze.extended(columns, rows)?, ..task }.draft())
    }

    fn describe(&self, draft: &Draft, _stdout: &[u8]) -> String {
        let Some(Task { maze, ends: Ends { start, goal }, letters, .. }) = Task::of(draft) else {
            return "a maze".to_owned();
        };
        let wanted = if letters.contains('f') { "the whole walk" } else { "the path" };
        format!("{}x{} maze, {wanted} from {start} to {goal}", maze.width(), maze.height())
    }

    fn commented(&self, _draft: &Draft, _comment: &str) -> Option<Draft> {
        None
    }
}

fn with_style(draft: &Draft, style: Style) -> Draft {
    Task::of(draft).map_or_else(|| draft.clone(), |task| Task { style, ..task }.draft())
}

#[cfg(test)]
mod tests {
    use super::*;

    fn rejected(maze: &str, limit: u64) -> Option<(usize, String)> {
        let limits = InputLimits::from([("rows".into(), limit), ("columns".into(), limit)]);
        MazeSolver
            .check(maze.as_bytes(), &limits)
            .err()
            .map(|exceeded| (exceeded.line, exceeded.problem.message))
    }

    #[test]
    fn a_test_must_be_a_closed_maze_within_the_limits_whose_walls_agree() {
        assert_eq!(rejected("59\n6a\n", 2), None);
        assert_eq!(
            rejected("d\nc\ne\n", 2).unwrap(),
            (3, "the maze has 3 rows; a test may have at most 2".to_owned())
        );
        assert_eq!(
            rejected("73b\n", 2).unwrap(),
            (1, "the maze has 3 columns; a test may have at most 2".to_owned())
        );
        assert_eq!(
            rejected("d\nf\n", 2).unwrap(),
            (1, "room (0, 0) is open towards (0, 1), but (0, 1) has a wall there".to_owned())
        );
        assert_eq!(
            rejected("d\nc\n", 2).unwrap(),
            (2, "room (0, 1) is open to the south, but the maze ends there".to_owned())
        );
    }

    #[test]
    fn an_error_in_the_form_of_the_file_is_left_to_the_reference() {
        for file in ["", "x\n", "7b\nf\n", "0\n\n0\n"] {
            assert_eq!(rejected(file, 9), None, "{file}");
        }
    }

    fn outcome(end: End, path: Option<&str>) -> Outcome {
        let files = path.iter().map(|path| (PATH.to_owned(), path.as_bytes().to_vec())).collect();
        Outcome { end, stdout: Vec::new(), stderr: Vec::new(), files }
    }

    fn judge(options: &[&str], answer: &Outcome) -> Option<Fault> {
        let options = options.iter().map(|&option| option.to_owned()).collect();
        let case = MazeSolver.case(options, &[0, 0, 1, 1], b"519\n62a\n".to_vec());
        MazeSolver.judge(&case, &outcome(End::Exit(0), Some("0, 0\n1, 0\n1, 1\n")), answer)
    }

    #[test]
    fn a_case_names_both_files_and_contains_the_maze() {
        let case = MazeSolver.case(vec![FULL.to_owned()], &[3, 1, 0, 12], b"f\n".to_vec());
        assert_eq!(case.args, [FULL, MAZE, PATH, "3", "1", "0", "12"]);
        assert_eq!(
            (case.files[MAZE].as_slice(), case.input.as_slice()),
            (b"f\n".as_slice(), b"".as_slice())
        );
    }

    #[test]
    fn a_different_right_answer_is_not_a_fault() {
        for answer in
            ["0, 0\n0, 1\n1, 1\n", "1, 1\n1, 0\n0, 0\n", "PRUNED\n0,0\n1,0\n2,0\n2,1\n1,1"]
        {
            assert_eq!(judge(&[], &outcome(End::Exit(0), Some(answer))), None, "{answer}");
        }
        assert_eq!(judge(&[FULL], &outcome(End::Exit(0), Some("FULL\n0, 0\n0, 1\n1, 1\n"))), None);
    }

    #[test]
    fn a_wrong_answer_is_a_fault_with_a_reason() {
        let why = |options: &[&str], answer| {
            judge(options, &outcome(End::Exit(0), answer)).unwrap().why.unwrap().to_string()
        };
        assert_eq!(why(&[], None), "the program does not write path.txt");
        assert_eq!(why(&[], Some("")), "the route is empty");
        assert_eq!(
            why(&[], Some("0, 0\n1, 0\n")),
            "line 2: the route ends at (1, 0), not at the goal (1, 1)"
        );
        assert_eq!(
            why(&[FULL], Some("0, 0\n1, 0\n0, 0\n0, 1\n1, 1")),
            "line 3: the walk goes back from (1, 0) before it tries (2, 0)"
        );
        for end in [End::Timeout, End::Exit(1), End::Crash("panicked".to_owned())] {
            assert!(judge(&[], &outcome(end, None)).is_some());
        }
    }
}
