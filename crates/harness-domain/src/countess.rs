//! The castles of Rescue the Countess: square rooms and warp pipes, as a map or as a list of coordinates.

mod castle;
mod file;
mod grown;
mod kind;
mod picture;
mod random_castles;
mod smaller;
mod space;

use super::{Domain, Draft, Family, Generator, InputLimits, Limit, LimitExceeded, Reason, Steps};
use crate::TestRules;
use crate::picture::{View, Viewer};
use castle::{Castle, Comment, Ending, Form, MINION, MOST_ROOMS, pipe};
use fastrand::Rng;
use harness_diagnostic::Problem;
use proptest::strategy::{Strategy, ValueTree};
use proptest::test_runner::TestRunner;
use random_castles::Castles;

pub(super) struct Countess;

impl Domain for Countess {
    fn name(&self) -> &'static str {
        "countess"
    }

    fn limits(&self) -> Vec<Limit<'_>> {
        vec![Limit { name: "rooms", default: 10 }, Limit { name: "size", default: 8 }]
    }

    fn check(&self, input: &[u8], limits: &InputLimits) -> Result<(), LimitExceeded> {
        // The first line is the input mode. The next two lines are the same in both modes.
        let lines = input.split(|&byte| byte == b'\n').zip(1..).skip(1);
        for ((line, number), what) in lines.zip(["rooms", "size"]) {
            let (most, value) = (
                limits[what],
                std::str::from_utf8(line.trim_ascii_end()).ok().and_then(|text| text.parse().ok()),
            );
            if let Some(value) = value.filter(|&value: &u64| value > most) {
                let message = match what {
                    "rooms" => {
                        format!("the castle has {value} rooms; a test may have at most {most}")
                    }
                    _ => format!(
                        "the rooms are {value}x{value}; a test may have rooms of at most {most}x{most}"
                    ),
                };
                return Err(LimitExceeded {
                    line: number,
                    column: None,
                    reason: Reason::Limit,
                    problem: Problem::new(message),
                });
            }
        }
        Ok(())
    }

    fn characters(&self, input: &[u8], line: usize, column: usize) -> Option<String> {
        let lines = input
            .split(|&byte| byte == b'\n')
            .zip(1..)
            .filter(|(text, _)| !text.starts_with(b"//"));
        let lines: Vec<_> = lines.map(|(text, number)| (text.trim_ascii_end(), number)).collect();
        let [(mode, _), (_, _), (size, _), castle @ ..] = lines.as_slice() else { return None };
        let size: usize = std::str::from_utf8(size).ok()?.parse().ok()?;
        let (text, _) = castle.iter().find(|(_, number)| *number == line)?;
        let is_tile = match *mode {
            b"M" => column <= size,
            // The tile is the fourth part of a coordinate.
            b"L" => {
                text.get(..column.checked_sub(1)?)?.iter().filter(|&&byte| byte == b',').count()
                    == 3
            }
            _ => false,
        };
        is_tile.then(|| ".#!SC0123456789".to_owned())
    }

    fn generator(&self) -> Option<&dyn Generator> {
        Some(self)
    }

    fn viewer(&self) -> Option<&dyn Viewer> {
        Some(self)
    }
}

impl Viewer for Countess {
    fn recognizes(&self, input: &[u8]) -> bool {
        input.starts_with(b"M\n")
            || input.starts_with(b"L\n")
            || input.starts_with(b"M\r")
            || input.starts_with(b"L\r")
    }

    fn view(&self, draft: &Draft, answer: Option<&[u8]>) -> View {
        picture::view(&draft.input, answer)
    }
}

impl Generator for Countess {
    fn size(&self, input: &[u8]) -> usize {
        Castle::parse(input).map_or(input.len(), |castle| castle.tiles.len())
    }

    fn families(&self, area: usize, rules: &TestRules) -> Vec<Family> {
        space::families(area, &rules.flag_combinations(), &rules.limits)
    }

    fn alphabet(&self) -> &'static str {
        space::ALPHABET
    }

    fn sample(&self, rules: &TestRules, runner: &mut TestRunner) -> Draft {
        let tree = castles(rules).new_tree(runner).expect("a castle can always be drawn");
        let flags = proptest::sample::select(rules.flag_combinations())
            .new_tree(runner)
            .expect("there are flags to choose from");
        Draft { flags: flags.current(), input: tree.current().render() }
    }

    fn kinds(&self) -> &'static [&'static str] {
        &kind::KIND_NAMES
    }

    fn sample_of(&self, kind: usize, rules: &TestRules, rng: &mut Rng) -> Draft {
        let flags = rules.flag_combinations();
        let flags = flags[rng.usize(..flags.len())].clone();
        Draft { flags, input: castles(rules).draw_kind(kind::KINDS[kind], rng).render() }
    }

    fn neighbour(&self, draft: &Draft, rules: &TestRules, rng: &mut Rng) -> Draft {
        let flags = rules.flag_combinations();
        let flags = if rng.u8(..6) == 0 {
            flags[rng.usize(..flags.len())].clone()
        } else {
            draft.flags.clone()
        };
        let near = |castle| castles(rules).neighbour(&castle, rng).render();
        Draft {
            flags,
            input: Castle::parse(&draft.input).map_or_else(|| draft.input.clone(), near),
        }
    }

    fn smaller(&self, draft: &Draft) -> Vec<Draft> {
        self.steps(draft).all().collect()
    }

    fn steps(&self, draft: &Draft) -> Steps<'_> {
        let castle = Castle::parse(&draft.input);
        let steps = castle.map_or_else(Vec::new, |castle| smaller::steps(&castle));
        let (count, flags) = (steps.len(), draft.flags.clone());
        let make = move |at: usize| Draft { flags: flags.clone(), input: steps[at].render() };
        Steps { count, make: Box::new(move |at| Some(make(at))) }
    }

    fn plain(&self, draft: &Draft) -> Draft {
        with_ending(draft, Ending::plain)
    }

    fn lenient(&self, draft: &Draft, _rules: &TestRules) -> Vec<(&'static str, Draft)> {
        let open = |ending| if ending == Ending::Newline { Ending::Open } else { ending };
        vec![("no newline at the end", with_ending(draft, open))]
    }

    fn describe(&self, draft: &Draft, stdout: &[u8]) -> String {
        let Some(castle) = Castle::parse(&draft.input) else { return "a castle".to_owned() };
        let search = if draft.flags.contains('s') { "stack" } else { "queue" };
        let form = if castle.form == Form::Map { "" } else { ", as a list" };
        let end = if stdout.starts_with(b"No solution") {
            "no path to the Countess"
        } else {
            "a path to the Countess"
        };
        let rooms = castle.rooms();
        let count = |is: &dyn Fn(u8) -> bool| castle.tiles.iter().filter(|&&tile| is(tile)).count();
        let things = [
            counted(count(&|tile| pipe(tile).is_some_and(|to| to < rooms)), "pipe"),
            counted(count(&|tile| pipe(tile).is_some_and(|to| to >= rooms)), "pipe to nowhere"),
            counted(count(&|tile| tile == MINION), "minion"),
        ];
        let things: Vec<_> = things.into_iter().flatten().collect();
        let with =
            if things.is_empty() { String::new() } else { format!(" with {}", things.join(", ")) };
        let rooms = counted(rooms, "room").unwrap_or_default();
        format!("{rooms} of {0}x{0}{with}{form}: {end}, {search}", castle.size)
    }

    fn commented(&self, draft: &Draft, comment: &str) -> Option<Draft> {
        let mut castle = Castle::parse(&draft.input)?;
        castle.style.comments.insert(0, Comment { after: 0, text: format!(" {comment}") });
        Some(Draft { flags: draft.flags.clone(), input: castle.render() })
    }
}

/// The same castle with the ending that `change` makes of its own.
fn with_ending(draft: &Draft, change: impl Fn(Ending) -> Ending) -> Draft {
    let Some(mut castle) = Castle::parse(&draft.input) else { return draft.clone() };
    castle.style.ending = change(castle.style.ending);
    Draft { flags: draft.flags.clone(), input: castle.render() }
}

/// `2 pipes to nowhere`; `None` if the count is 0.
fn counted(count: usize, thing: &str) -> Option<String> {
    let (noun, rest) = thing
        .split_once(' ')
        .map_or((thing, String::new()), |(noun, rest)| (noun, format!(" {rest}")));
    match count {
        0 => None,
        1 => Some(format!("1 {noun}{rest}")),
        count => Some(format!("{count} {noun}s{rest}")),
    }
}

fn castles(rules: &TestRules) -> Castles {
    // Larger rooms make no better test, only one that is harder to read.
    const LARGEST: u64 = 20;
    let within = |name, most| rules.limits[name].clamp(1, most) as usize;
    Castles { rooms: within("rooms", MOST_ROOMS as u64), size: within("size", LARGEST) }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn check(input: &str) -> Option<(usize, String)> {
        let limits = InputLimits::from([("rooms".into(), 10), ("size".into(), 8)]);
        Countess
            .check(input.as_bytes(), &limits)
            .err()
            .map(|exceeded| (exceeded.line, exceeded.problem.message))
    }

    #[test]
    fn a_castle_within_the_limits_passes() {
        assert_eq!(check("M\n10\n8\n"), None);
        assert_eq!(check("L\n1\n8"), None);
    }

    #[test]
    fn too_many_rooms_and_too_large_rooms_are_reported_with_their_line() {
        assert_eq!(
            check("M\n11\n9\n").unwrap(),
            (2, "the castle has 11 rooms; a test may have at most 10".to_owned())
        );
        let message = "the rooms are 200x200; a test may have rooms of at most 8x8".to_owned();
        assert_eq!(check("L\n1\n200 \r\n(0,1,1,S)\n").unwrap(), (3, message));
    }

    #[test]
    fn a_tile_has_the_same_characters_in_both_input_modes() {
        let tiles = Some(".#!SC0123456789".to_owned());
        let map = b"M\n// a comment\n1\n3\nS.g\n";
        assert_eq!(Countess.characters(map, 5, 3), tiles);
        let list = b"L\n1\n3\n(0,1,1,Z)\n";
        assert_eq!(Countess.characters(list, 4, 8), tiles);
        for (input, line, column) in [
            (&map[..], 5, 4),
            (map, 4, 1),
            (map, 2, 4),
            (list, 4, 4),
            (b"X\n1\n3\n.", 4, 1),
            (b"M\n", 2, 1),
        ] {
            assert_eq!(Countess.characters(input, line, column), None, "{line}:{column}");
        }
    }

    #[test]
    fn an_invalid_header_is_left_to_the_reference() {
        for input in [
            "",
            "M",
            "M\n//\n9999999999999999999999\n",
            "// no header\nten\n-9\n",
            "L\n1\n2\n(99,99,99,S)\n",
        ] {
            assert_eq!(check(input), None, "{input}");
        }
    }

    #[test]
    fn a_draft_is_described_in_one_line() {
        let draft = Draft {
            flags: "sm".to_owned(),
            input: b"L\n2\n2\n(0,0,0,S)\n(0,0,1,1)\n(0,1,1,1)\n(0,1,0,7)\n(1,0,0,C)".to_vec(),
        };
        let described = Countess.describe(&draft, b"Start in room 0");
        assert_eq!(
            described,
            "2 rooms of 2x2 with 2 pipes, 1 pipe to nowhere, as a list: a path to the Countess, stack"
        );
    }

    #[test]
    fn a_comment_is_added_in_line_four() {
        let draft = Draft { flags: "q".to_owned(), input: b"M\n2\n1\nS\n//\nC\n".to_vec() };
        assert_eq!(
            Countess.commented(&draft, "two rooms").unwrap().input,
            b"M\n2\n1\n// two rooms\nS\n//\nC\n"
        );
    }
}
