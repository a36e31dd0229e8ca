//! Parses what the Puzzle Solver prints, to say where two answers first differ: in which state, or where on which map.

enum Printed<'a> {
    /// The states of the path, one on each line.
    List(Vec<&'a str>),
    /// The name and the map of each colour.
    Maps(Vec<(&'a str, Vec<&'a str>)>),
    /// No path: the map of what was discovered.
    NoSolution(Vec<&'a str>),
}

use Printed::{List, Maps, NoSolution};

pub(super) fn first_difference(reference: &[u8], mutant: &[u8]) -> Option<String> {
    let (reference, mutant) = (parse(reference)?, parse(mutant)?);
    match (&reference, &mutant) {
        (List(right), List(wrong)) => in_lists(right, wrong),
        (Maps(right), Maps(wrong)) => in_maps(right, wrong),
        (NoSolution(right), NoSolution(wrong)) => in_rows(right, wrong)
            .map(|difference| format!("on the map of discovered cells, {difference}")),
        (NoSolution(_), _) => {
            Some("the reference finds no solution, but the mutant does".to_owned())
        }
        (_, NoSolution(_)) => {
            Some("the reference finds a solution, but the mutant does not".to_owned())
        }
        _ => Some(format!(
            "the reference prints {}, but the mutant prints {}",
            form(&reference),
            form(&mutant)
        )),
    }
}

fn parse(stdout: &[u8]) -> Option<Printed<'_>> {
    let text = std::str::from_utf8(stdout).ok()?;
    let mut lines = text.lines().peekable();
    match lines.peek()? {
        line if line.starts_with('(') => Some(List(lines.collect())),
        line if line.starts_with("No solution") => Some(NoSolution(lines.skip(2).collect())),
        line if line.starts_with("// color ") => {
            let mut maps: Vec<(&str, Vec<&str>)> = Vec::new();
            for line in lines {
                match (line.strip_prefix("// color "), maps.last_mut()) {
                    (Some(color), _) => maps.push((color, Vec::new())),
                    (None, Some((_, rows))) => rows.push(line),
                    (None, None) => return None,
                }
            }
            Some(Maps(maps))
        }
        _ => None,
    }
}

fn form(printed: &Printed<'_>) -> &'static str {
    match printed {
        List(_) => "a list",
        Maps(_) => "maps",
        NoSolution(_) => "that there is no solution",
    }
}

fn in_lists(right: &[&str], wrong: &[&str]) -> Option<String> {
    let at = right
        .iter()
        .zip(wrong)
        .position(|(right, wrong)| right != wrong)
        .unwrap_or(right.len().min(wrong.len()));
    let (state, all) = (at + 1, right.len());
    Some(match (right.get(at), wrong.get(at)) {
        (Some(right), Some(wrong)) => {
            format!("state {state} of {all} is {right} in the reference and {wrong} in the mutant")
        }
        (Some(right), None) => {
            format!("the mutant's list ends before state {state} of {all}, {right}")
        }
        (None, Some(wrong)) => {
            format!("the mutant's list continues after all {all} states, with {wrong}")
        }
        (None, None) => return None,
    })
}

fn in_maps(right: &[(&str, Vec<&str>)], wrong: &[(&str, Vec<&str>)]) -> Option<String> {
    for (number, (color, rows)) in right.iter().enumerate() {
        let map = format!("the map of color {color} ({} of {})", number + 1, right.len());
        match wrong.get(number) {
            Some((other, others)) if other == color => {
                if let Some(difference) = in_rows(rows, others) {
                    return Some(format!("on {map}, {difference}"));
                }
            }
            Some((other, _)) => {
                return Some(format!(
                    "the mutant prints the map of color {other} instead of {map}"
                ));
            }
            None => return Some(format!("the mutant's output ends before {map}")),
        }
    }
    wrong
        .get(right.len())
        .map(|(color, _)| format!("the mutant prints an additional map, of color {color}"))
}

/// Rows and columns count from 0, as in the list output.
fn in_rows(right: &[&str], wrong: &[&str]) -> Option<String> {
    for (row, (right, wrong)) in right.iter().zip(wrong).enumerate() {
        let column = right.bytes().zip(wrong.bytes()).position(|(right, wrong)| right != wrong);
        match column {
            Some(column) => {
                let (right, wrong) = (right.chars().nth(column)?, wrong.chars().nth(column)?);
                return Some(format!(
                    "row {row}, column {column} is `{right}` in the reference and `{wrong}` in the mutant"
                ));
            }
            None if right.len() != wrong.len() => {
                return Some(format!(
                    "row {row} has {} cells in the reference and {} in the mutant",
                    right.len(),
                    wrong.len()
                ));
            }
            None => (),
        }
    }
    (right.len() != wrong.len()).then(|| {
        format!("there are {} rows in the reference and {} in the mutant", right.len(), wrong.len())
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    fn check(reference: &str, mutant: &str) -> String {
        first_difference(reference.as_bytes(), mutant.as_bytes()).unwrap_or_default()
    }

    #[test]
    fn lists_differ_at_a_state() {
        let list = "(^, (0, 0))\n(^, (0, 1))\n";
        let expected = "state 2 of 2 is (^, (0, 1)) in the reference and (^, (1, 0)) in the mutant";
        assert_eq!(check(list, "(^, (0, 0))\n(^, (1, 0))\n(a, (1, 0))\n"), expected);
        assert_eq!(
            check(list, "(^, (0, 0))\n"),
            "the mutant's list ends before state 2 of 2, (^, (0, 1))"
        );
        let longer = format!("{list}(^, (0, 2))\n");
        assert_eq!(
            check(list, &longer),
            "the mutant's list continues after all 2 states, with (^, (0, 2))"
        );
    }

    #[test]
    fn maps_differ_at_a_cell_of_a_color() {
        let maps = "// color ^\n@?\n// color a\n..\n";
        let expected = "on the map of color a (2 of 2), row 0, column 1 is `.` in the reference and `+` in the mutant";
        assert_eq!(check(maps, "// color ^\n@?\n// color a\n.+\n"), expected);
        assert_eq!(
            check(maps, "// color ^\n@?\n"),
            "the mutant's output ends before the map of color a (2 of 2)"
        );
    }

    #[test]
    fn a_solution_differs_from_no_solution() {
        let none = "No solution.\nDiscovered:\n@#\n";
        assert_eq!(
            check("(^, (0, 0))\n", none),
            "the reference finds a solution, but the mutant does not"
        );
        let discovered = "on the map of discovered cells, row 0, column 1 is `#` in the reference and `?` in the mutant";
        assert_eq!(check(none, "No solution.\nDiscovered:\n@?\n"), discovered);
    }

    #[test]
    fn output_that_is_not_an_answer_is_not_compared() {
        assert_eq!(first_difference(b"(^, (0, 0))\n", b""), None);
        assert_eq!(first_difference(b"\xff", b"x"), None);
    }
}
