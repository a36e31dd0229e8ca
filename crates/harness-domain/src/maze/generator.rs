//! The generator's assignment. A test is a seed and a size, and any maze of that size is a right answer.

use super::file;
use super::grid::Room;
use super::random_recipes::{KIND_NAMES, KINDS, largest, random, random_of};
use super::recipe::Recipe;
use super::view;
use crate::TestRules;
use crate::picture::{View, Viewer};
use crate::{
    Domain, Draft, Family, Fault, Flaw, Generator, InputLimits, Limit, LimitExceeded, Reason,
};
use fastrand::Rng;
use harness_diagnostic::Problem;
use proptest::test_runner::TestRunner;
use std::collections::BTreeMap;
use subject::{Case, End, How, Outcome};

/// The file that a generator writes.
const MAZE: &str = "maze.txt";
/// The test's own file. A case with a file runs in a folder of its own, where the program can write.
const TEST: &str = "test.txt";
/// The number of seeds, from 0, that are tried with each size.
const SEEDS: usize = 32;
/// A maze with more rooms than `LARGE` is slow; one with at most `SMALL` is fast.
const LARGE: u64 = 2000;
const SMALL: u64 = 200;

pub(crate) struct MazeGenerator;

impl Domain for MazeGenerator {
    fn name(&self) -> &'static str {
        "maze-generator"
    }

    fn limits(&self) -> Vec<Limit<'_>> {
        vec![Limit { name: "rooms", default: 70_000 }]
    }

    fn check(&self, input: &[u8], limits: &InputLimits) -> Result<(), LimitExceeded> {
        let recipe = Recipe::read(input).map_err(|flaw| {
            let hint = "for example `1 25 10`; lines that begin with // are comments";
            LimitExceeded {
                line: flaw.line.unwrap_or(1),
                column: None,
                reason: Reason::Form,
                problem: Problem::new(flaw.message).hint(hint),
            }
        })?;
        if recipe.rooms() > limits["rooms"] {
            let (width, height, most) = (recipe.width, recipe.height, limits["rooms"]);
            let problem = Problem::new(format!(
                "the maze has {width}x{height} rooms; a test may have at most {most} rooms"
            ));
            return Err(LimitExceeded {
                line: Recipe::line(input),
                column: None,
                reason: Reason::Limit,
                problem,
            });
        }
        Ok(())
    }

    fn case(&self, _options: Vec<String>, _parameters: &[u32], input: Vec<u8>) -> Case {
        // The reference rejects a call without arguments, as it must if there is no recipe.
        let args = Recipe::read(&input).map(|recipe| recipe.arguments(MAZE)).unwrap_or_default();
        Case { args, input: Vec::new(), files: BTreeMap::from([(TEST.to_owned(), input)]) }
    }

    /// The document's generator has no seed, and its size is fixed.
    fn document_args(&self, case: &Case) -> Vec<String> {
        case.args.last().cloned().into_iter().collect()
    }

    fn has_many_answers(&self) -> bool {
        true
    }

    fn answer<'a>(&self, outcome: &'a Outcome) -> &'a [u8] {
        outcome.files.get(MAZE).map_or(&[], Vec::as_slice)
    }

    fn outcome(&self, reference: &Outcome, answer: Vec<u8>) -> Outcome {
        let files = BTreeMap::from([(MAZE.to_owned(), answer)]);
        Outcome { files, ..reference.clone() }
    }

    fn judge(&self, case: &Case, reference: &Outcome, mutant: &Outcome) -> Option<Fault> {
        let how = How::between(reference, mutant)?;
        if how != How::Output || reference.end != End::Exit(0) {
            return Some(how.into());
        }
        let why = match (mutant.files.get(MAZE), Recipe::read(&case.files[TEST])) {
            (Some(answer), Ok(recipe)) => wrong(&recipe, answer)?,
            _ => Flaw::whole(format!("the program does not write {MAZE}")),
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

/// Shows the maze that a generator writes. The test, a line of numbers, needs no picture.
impl Viewer for MazeGenerator {
    fn recognizes(&self, _input: &[u8]) -> bool {
        // The solver's viewer handles every maze file.
        false
    }

    fn view(&self, draft: &Draft, answer: Option<&[u8]>) -> View {
        let mut view = view::view(draft, answer);
        let (maze, _) = file::read(&draft.input);
        view.input_flaws.extend(maze.unreachable().map(unreachable));
        view
    }

    fn view_outcome(&self, _draft: &Draft, outcome: &Outcome) -> View {
        let maze = outcome.files.get(MAZE).cloned().unwrap_or_default();
        self.view(&Draft { flags: String::new(), input: maze }, None)
    }
}

/// What is wrong with a maze, which need not be the same as the reference's.
fn wrong(recipe: &Recipe, answer: &[u8]) -> Option<Flaw> {
    let (maze, misshapen) = file::read(answer);
    if let Some(flaw) = misshapen.into_iter().next() {
        return Some(flaw);
    }
    let (width, height) = (maze.width() as u64, maze.height() as u64);
    if (width, height) != (recipe.width, recipe.height) {
        let (wanted_width, wanted_height) = (recipe.width, recipe.height);
        return Some(Flaw::whole(format!(
            "the maze has {width}x{height} rooms instead of {wanted_width}x{wanted_height}"
        )));
    }
    if let Some(flaw) = maze.flaws().next() {
        return Some(flaw);
    }
    maze.unreachable().map(unreachable)
}

fn unreachable(room: Room) -> Flaw {
    let message = format!("room {room} cannot be reached from (0, 0)");
    Flaw { line: Some(room.y + 1), column: Some(room.x + 1), message }
}

impl Generator for MazeGenerator {
    fn size(&self, input: &[u8]) -> usize {
        Recipe::read(input).map_or(0, |recipe| recipe.rooms() as usize)
    }

    fn families(&self, area: usize, rules: &TestRules) -> Vec<Family> {
        let heights = (1..=area as u64).filter(move |height| (area as u64).is_multiple_of(*height));
        let family = |height: u64| Family {
            count: SEEDS,
            make: Box::new(move |seed| {
                Some(draft(Recipe { seed: seed as u64, width: area as u64 / height, height }))
            }),
        };
        if area as u64 > rules.limits["rooms"] { Vec::new() } else { heights.map(family).collect() }
    }

    fn reach(&self, _rules: &TestRules) -> usize {
        260
    }

    fn alphabet(&self) -> &'static str {
        "every width and height, each with the seeds 0 to 31"
    }

    fn sample(&self, rules: &TestRules, runner: &mut TestRunner) -> Draft {
        use proptest::prelude::Rng as _;
        draft(random(rules.limits["rooms"], &mut Rng::with_seed(runner.rng().next_u64())))
    }

    fn kinds(&self) -> &'static [&'static str] {
        &KIND_NAMES
    }

    fn sample_of(&self, kind: usize, rules: &TestRules, rng: &mut Rng) -> Draft {
        draft(random_of(KINDS[kind], rules.limits["rooms"], rng))
    }

    fn largest(&self, rules: &TestRules, rng: &mut Rng) -> Option<Draft> {
        Some(draft(largest(rules.limits["rooms"], rng)))
    }

    fn neighbour(&self, draft: &Draft, rules: &TestRules, rng: &mut Rng) -> Draft {
        let most = rules.limits["rooms"];
        let Ok(mut near) = Recipe::read(&draft.input) else { return draft.clone() };
        if near.rooms() > LARGE {
            // A neighbour of a large maze would be as slow, and would expose no more.
            let width = near.width.min(SMALL);
            return self::draft(Recipe {
                width,
                height: (SMALL / width).clamp(1, near.height),
                ..near
            });
        }
        match rng.u8(..4) {
            0 => {
                near.width = (near.width + rng.u64(..5))
                    .saturating_sub(2)
                    .clamp(1, (most / near.height).max(1));
            }
            1 => {
                near.height = (near.height + rng.u64(..5))
                    .saturating_sub(2)
                    .clamp(1, (most / near.width).max(1));
            }
            _ => near.seed = rng.u64(..1000),
        }
        self::draft(near)
    }

    /// A smaller size may need another seed, so each size is tried with several. A large maze exposes everything with any seed.
    fn smaller(&self, draft: &Draft) -> Vec<Draft> {
        let Ok(recipe) = Recipe::read(&draft.input) else { return Vec::new() };
        let Recipe { seed, width, height } = recipe;
        let (other_seeds, lower_seeds) =
            if recipe.rooms() > LARGE { (0, 1) } else { (8, SEEDS as u64) };
        let seeds =
            |most: u64| std::iter::once(seed).chain((0..most).filter(move |&other| other != seed));
        let sizes = shorter(width)
            .map(|width| (width, height))
            .chain(shorter(height).map(|height| (width, height)));
        let mut steps: Vec<_> = sizes
            .flat_map(|(width, height)| {
                seeds(other_seeds).map(move |seed| Recipe { seed, width, height })
            })
            .collect();
        steps.extend((0..seed.min(lower_seeds)).map(|seed| Recipe { seed, ..recipe }));
        steps.into_iter().map(self::draft).collect()
    }

    fn resized(&self, draft: &Draft, columns: usize, rows: usize) -> Option<Draft> {
        let recipe = Recipe::read(&draft.input).ok()?;
        Some(self::draft(Recipe { width: columns as u64, height: rows as u64, ..recipe }))
    }

    fn describe(&self, draft: &Draft, _stdout: &[u8]) -> String {
        let recipe = Recipe::read(&draft.input);
        recipe.map_or_else(
            |_| "a maze".to_owned(),
            |recipe| format!("a maze of {}x{} rooms", recipe.width, recipe.height),
        )
    }

    fn commented(&self, draft: &Draft, comment: &str) -> Option<Draft> {
        let mut input = format!("// {comment}\n").into_bytes();
        input.extend_from_slice(&draft.input);
        Some(Draft { flags: draft.flags.clone(), input })
    }
}

fn draft(recipe: Recipe) -> Draft {
    Draft { flags: String::new(), input: recipe.write() }
}

/// Lengths below `length`, the smallest first.
fn shorter(length: u64) -> impl Iterator<Item = u64> {
    let cuts =
        std::iter::successors(Some(length / 2), |cut| Some(cut / 2)).take_while(|&cut| cut > 0);
    cuts.map(move |cut| length - cut)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn rejected(file: &str) -> Option<(usize, String)> {
        let limits = InputLimits::from([("rooms".into(), 100)]);
        MazeGenerator
            .check(file.as_bytes(), &limits)
            .err()
            .map(|exceeded| (exceeded.line, exceeded.problem.message))
    }

    #[test]
    fn a_test_is_one_line_within_the_limit() {
        assert_eq!(rejected("// ten by ten\n7 10 10\n"), None);
        assert_eq!(
            rejected("//\n7 10 11\n").unwrap(),
            (2, "the maze has 10x11 rooms; a test may have at most 100 rooms".to_owned())
        );
        assert_eq!(rejected("7 18446744073709551615 2").unwrap().0, 1);
        assert!(rejected("7 10").is_some());
    }

    #[test]
    fn a_recipe_becomes_arguments_and_an_invalid_one_gives_none() {
        let case = MazeGenerator.case(Vec::new(), &[], b"// x\n7 3 2\n".to_vec());
        assert_eq!(case.args, ["--seed", "7", "--size", "3x2", "maze.txt"]);
        assert!(MazeGenerator.case(Vec::new(), &[], b"7 3\n".to_vec()).args.is_empty());
    }

    fn judge(answer: Option<&str>) -> Option<Fault> {
        let outcome = |answer: Option<&str>| Outcome {
            end: End::Exit(0),
            stdout: Vec::new(),
            stderr: Vec::new(),
            files: answer
                .iter()
                .map(|answer| (MAZE.to_owned(), answer.as_bytes().to_vec()))
                .collect(),
        };
        let case = MazeGenerator.case(Vec::new(), &[], b"7 3 2\n".to_vec());
        MazeGenerator.judge(&case, &outcome(Some("539\n6ba\n")), &outcome(answer))
    }

    #[test]
    fn every_maze_of_the_requested_size_is_right() {
        for answer in ["519\n62a\n", "53B\r\n63B", "539\n63a\n\n"] {
            assert_eq!(judge(Some(answer)), None, "{answer}");
        }
    }

    #[test]
    fn each_kind_of_wrong_maze_has_a_reason() {
        let why = |answer| judge(answer).unwrap().why.unwrap().to_string();
        assert_eq!(why(None), "the program does not write maze.txt");
        assert_eq!(why(Some("")), "line 1: the first row is empty");
        assert_eq!(why(Some("53g\n63b\n")), "line 1, column 3: `g` is not a hexadecimal digit");
        assert_eq!(why(Some("53b\n63\n")), "line 2: this row has 2 rooms, but the first row has 3");
        assert_eq!(why(Some("59\nca\n6b\n")), "the maze has 2x3 rooms instead of 3x2");
        assert_eq!(
            why(Some("533\n63b\n")),
            "line 1, column 3: room (2, 0) is open to the east, but the maze ends there"
        );
        let disagree =
            "line 1, column 1: room (0, 0) is open towards (0, 1), but (0, 1) has a wall there";
        assert_eq!(why(Some("53b\n73b\n")), disagree);
        assert_eq!(
            why(Some("73b\n73b\n")),
            "line 2, column 1: room (0, 1) cannot be reached from (0, 0)"
        );
    }

    #[test]
    fn every_random_recipe_and_every_neighbour_is_within_the_limit() {
        let mut rng = Rng::with_seed(1);
        for most in [1, 7, 100, 70_000] {
            let groups = Vec::new();
            let rules = TestRules {
                files: 15,
                bytes: 99,
                convert_crlf: true,
                limits: InputLimits::from([("rooms".into(), most)]),
                groups,
                ordered: true,
                parameters: Vec::new(),
                accepts_empty: false,
                follows_links: false,
                joined_options: false,
                literals: std::sync::Arc::default(),
            };
            for _ in 0..500 {
                let sample = draft(random(most, &mut rng));
                for draft in [MazeGenerator.neighbour(&sample, &rules, &mut rng), sample] {
                    assert!(
                        MazeGenerator.check(&draft.input, &rules.limits).is_ok(),
                        "{}",
                        String::from_utf8_lossy(&draft.input)
                    );
                }
            }
        }
    }

    #[test]
    fn every_step_is_a_smaller_size_or_seed() {
        let steps = MazeGenerator.smaller(&draft(Recipe { seed: 40, width: 5, height: 1 }));
        assert!(steps.contains(&draft(Recipe { seed: 40, width: 3, height: 1 })));
        assert!(steps.contains(&draft(Recipe { seed: 0, width: 4, height: 1 })));
        assert!(steps.contains(&draft(Recipe { seed: 31, width: 5, height: 1 })));
        assert!(!steps.contains(&draft(Recipe { seed: 40, width: 5, height: 1 })));
    }
}
