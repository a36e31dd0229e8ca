//! Reads what only words can tell: that there is no solution, and how many moves the solution takes. `judge` asks for the first only if an
//! answer lists no move.

use super::words::{Word, words};

/// The first line that says that there is no solution. The sentence may begin in an earlier line or continue on later ones.
pub(super) fn denial(lines: &[&str]) -> Option<usize> {
    let says = |lines: &[&str]| {
        let mut text = String::new();
        for line in lines {
            let is_new = line.starts_with(|c: char| !c.is_lowercase());
            text += if is_new { "\n" } else { " " };
            text += line;
        }
        text.lines().any(denies) || denies(&text)
    };
    says(lines).then(|| lines.iter().position(|line| denies(line)).unwrap_or(0))
}

/// Whether a sentence of the text says that there is no solution.
fn denies(text: &str) -> bool {
    // Sentences with these words compare the solution, or need no move: `it cannot be solved in fewer moves`.
    const OTHERWISE: &str = "fewer less shorter better faster other another than only unique if needed required necessary already error errors";
    let text = text.to_lowercase().replace('’', "'").replace("n't", " not");
    let words = words(&text.replace("cannot", "can not"));
    let is_plain = |words: &&[Word]| !words.iter().any(|word| word.is(OTHERWISE));
    let mut sentences = words.split_inclusive(ends_sentence).filter(is_plain);
    sentences.any(|words| (0..words.len()).any(|at| denies_at(words, at)))
}

/// Whether the word at `at` is one such as `impossible`, or negates one such as `solution`.
fn denies_at(words: &[Word], at: usize) -> bool {
    const HOPELESS: &str = "unsolv insol imposs unwinn infeas unreach stuck trapped nonexist";
    const NO: &str = "no not never none nothing without unable fail fails failed neither nor";
    const ABOUT: &str = "sol answer way path sequence reach possib escap exit get succe";
    const FOUND: &str = "found find exist exists available known there";
    let is_end = |word: &Word| word.after.contains([',', ':', '?', '(']);
    let clause = words[at..].split_inclusive(is_end).next().unwrap_or_default();
    let (word, behind) = (&words[at], &clause[1..]);
    let is_answer = || behind.is_empty() || behind.iter().any(|word| word.is(FOUND));
    let negates = || {
        behind.iter().any(|word| word.begins(ABOUT))
            || words[..at].iter().any(|word| word.begins("sol answer")) && is_answer()
    };
    let is_count = || behind.first().is_some_and(|next| next.begins("solut answer way"));
    let is_negated = at > 0 && words[at - 1].is("not");
    word.is(NO) && negates()
        || word.is("0 zero") && is_count()
        || word.begins(HOPELESS) && !is_negated
}

fn ends_sentence(word: &Word) -> bool {
    word.after.contains(['.', '!', ';'])
}

/// The number of moves of the solution, if the line states it: `solved in 5 moves`, or `Number of moves: 5`.
pub(super) fn claimed_moves(line: &str) -> Option<u32> {
    // Other numbers of moves are those of a search, or of a part of the solution.
    const TAKES: &str = "in takes take took has have requires needs needed with using of is are was a only exactly total after";
    const LABEL: &str = "the total minimum number count of in shortest solution moves needed required made to solve is was";
    const TELLS: &str = "sol shortest total number goal take took need require";
    let words = words(line);
    words.split_inclusive(ends_sentence).find_map(|words| {
        let tells = |word: &Word| word.begins(TELLS);
        let is_told = words.len() == 2 || words.iter().any(tells);
        (0..words.len()).find_map(|at| {
            let value = words[at].number()?;
            let (before, behind) = (&words[..at], &words[at + 1..]);
            let mut next = behind.iter().skip_while(|word| word.is("total"));
            let is_counted = next.next().is_some_and(|word| word.is("moves move"))
                && before
                    .last()
                    .is_none_or(|word| word.is(TAKES) || word.after.contains([':', '=', '(']))
                && (is_told || before.last().is_some_and(|word| word.is("in")));
            let is_named = behind.is_empty()
                && before.iter().any(|word| word.is("moves"))
                && before.iter().all(|word| word.is(LABEL));
            (is_counted || is_named).then_some(value)
        })
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_way_to_say_that_there_is_no_solution_is_understood() {
        for text in [
            "The puzzle is not solvable.",
            "Unsolvable!",
            "There is NO SOLUTION",
            "This puzzle cannot be solved",
            "not solved",
            "impossible",
            "It is impossible to solve this puzzle.",
            "There is no way to solve this.",
            "NO valid solution",
            "There is no possible solution for this board!",
            "The puzzle\ncannot be solved.",
            "There is no\nsolution",
            "This puzzle has\nNO\nsolution.",
            "No solution: the queue is empty.",
            "Sorry, this puzzle can't be solved",
            "A solution does not exist.",
            "A solution could not be found",
            "Solution: none",
            "Solvable? No",
            "Solved: false, not solvable",
            "0 solutions found",
            "No sequence of moves solves the puzzle.",
            "The goal piece can never reach the last column.",
            "Failed to find a solution.",
            "Searched 12 states.\nNo way to solve it.",
            "Unable to solve the puzzle",
            "The puzzle isn't possible",
        ] {
            assert!(denial(&text.lines().collect::<Vec<_>>()).is_some(), "{text}");
        }
    }

    #[test]
    fn a_sentence_that_only_sounds_like_a_denial_is_not_one() {
        for text in [
            "The puzzle is solved in 0 moves.",
            "It cannot be solved in fewer moves.",
            "This cannot be solved in fewer than 5 moves.",
            "It cannot be solved\nin fewer moves.",
            "There is no shorter solution.",
            "No solution is shorter.",
            "No other solution is as short.",
            "Already solved: no moves needed.",
            "No moves are needed to solve this.",
            "No errors. Solution:",
            "Solution found!",
            "The solution is not unique.",
            "Solvable? Yes",
            "The puzzle is solvable, not impossible.",
        ] {
            assert_eq!(denial(&text.lines().collect::<Vec<_>>()), None, "{text}");
        }
    }

    #[test]
    fn only_the_number_of_moves_of_the_solution_is_read() {
        for (text, claimed) in [
            ("The puzzle is solved in 6 moves.", Some(6)),
            ("Solved in six moves!", Some(6)),
            ("Solution (5 moves):", Some(5)),
            ("5 moves", Some(5)),
            ("Number of moves: 5", Some(5)),
            ("Total moves = 12", Some(12)),
            ("The shortest solution takes 3 moves", Some(3)),
            ("A 5-move solution:", Some(5)),
            ("Found a solution after 4 moves.", Some(4)),
            ("It cannot be solved in fewer than 5 moves.", None),
            ("Searched 532 moves", None),
            ("Searched: 532 moves", None),
            ("Solution found after searching 532 moves", None),
            ("Solved using five moves.", Some(5)),
            ("Moves needed: 5", Some(5)),
            ("Goal reached in 5 moves", Some(5)),
            ("Moves:", None),
            ("Move 5:", None),
            ("After 2 moves:", None),
            ("6 possible moves were tried", None),
            ("Solved in 0.25 seconds", None),
        ] {
            assert_eq!(claimed_moves(text), claimed, "{text}");
        }
    }
}
