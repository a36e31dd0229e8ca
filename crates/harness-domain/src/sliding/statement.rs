//! Recognizes sentences that say that there is no solution, or how many moves the solution takes.

/// The first line that says that there is no solution. The sentence may continue on later lines.
pub(super) fn denial(lines: &[&str]) -> Option<usize> {
    let goes_on = |at: usize| {
        let is_open = !lines[at].ends_with(['.', '!', '?', ';']);
        is_open && lines.get(at + 1).is_some_and(|next| next.starts_with(char::is_lowercase))
    };
    let mut start = 0;
    while start < lines.len() {
        let mut end = start;
        while goes_on(end) {
            end += 1;
        }
        if sentences(&lines[start..=end].join(" ")).any(|sentence| denies(&sentence)) {
            return Some(start);
        }
        start = end + 1;
    }
    // A sentence may also continue with a capital letter on the next line.
    sentences(&lines.join(" ")).any(|sentence| denies(&sentence)).then_some(0)
}

/// The number of moves of the solution, if the line states it.
pub(super) fn claimed_moves(line: &str) -> Option<u32> {
    const OTHERS: [&str; 25] = [
        "explored",
        "searched",
        "tried",
        "trying",
        "considered",
        "examined",
        "checked",
        "visited",
        "generated",
        "possible",
        "states",
        "layouts",
        "configurations",
        "limit",
        "max",
        "maximum",
        "most",
        "least",
        "than",
        "fewer",
        "less",
        "under",
        "up",
        "legal",
        "each",
    ];
    const BEFORE: [&str; 20] = [
        "in", "takes", "take", "took", "has", "have", "requires", "require", "required", "needs",
        "needed", "with", "using", "of", "is", "are", "was", "a", "only", "exactly",
    ];
    let words = words(line);
    let is = |at: usize, any: &[&str]| {
        words.get(at).is_some_and(|word: &String| any.contains(&word.as_str()))
    };
    if (0..words.len()).any(|at| is(at, &OTHERS)) {
        return None;
    }
    let tells_of_end = words.iter().any(|word| word.starts_with("sol") || word == "goal");
    let is_moves = |at| is(at, &["moves", "move"]);
    let before = |at: usize| {
        at.checked_sub(1).is_none_or(|before| {
            is(before, &BEFORE)
                || is(before, &["solution", "solved", ":", "(", "total", "shortest"])
                || tells_of_end && is(before, &["after"])
        })
    };
    let behind = |at: usize| {
        let total = usize::from(is(at + 1, &["total", "single", "slides"]));
        is_moves(at + 1 + total) && !is(at + 2 + total, &["piece", "block", "the"])
    };
    (0..words.len()).find_map(|at| {
        let value = number(&words[at])?;
        if before(at) && behind(at) {
            return Some(value);
        }
        // `Number of moves: 5`
        let sign = at.checked_sub(1).filter(|&at| is(at, &[":", "=", "is", "was", "are"]))?;
        let is_alone = words.get(at + 1).is_none() || is(at + 1, &[".", ",", ")"]);
        let names_it = (sign.saturating_sub(2)..sign).any(|at| is(at, &["moves"]));
        (names_it && is_alone).then_some(value)
    })
}

/// A number in digits or in words.
pub(super) fn number(word: &str) -> Option<u32> {
    const WORDS: [&str; 21] = [
        "zero",
        "one",
        "two",
        "three",
        "four",
        "five",
        "six",
        "seven",
        "eight",
        "nine",
        "ten",
        "eleven",
        "twelve",
        "thirteen",
        "fourteen",
        "fifteen",
        "sixteen",
        "seventeen",
        "eighteen",
        "nineteen",
        "twenty",
    ];
    let in_words =
        || WORDS.iter().position(|name| word.eq_ignore_ascii_case(name)).map(|at| at as u32);
    word.parse().ok().or_else(in_words)
}

/// The sentences, each as lowercase words and punctuation.
fn sentences(text: &str) -> impl Iterator<Item = Vec<String>> {
    let words = words(text);
    words
        .split(|word| [".", "!", ";"].contains(&word.as_str()))
        .map(<[String]>::to_vec)
        .collect::<Vec<_>>()
        .into_iter()
}

/// Lowercase words, numbers and punctuation. `can't` becomes `can not`. `?` becomes `:`, as in `Solvable? No`.
fn words(text: &str) -> Vec<String> {
    let text = text
        .to_lowercase()
        .replace('’', "'")
        .replace("n't", " not")
        .replace("cannot", "can not")
        .replace('?', ":");
    let mut words: Vec<String> = Vec::new();
    let mut is_open = false;
    for c in text.chars() {
        if c.is_alphanumeric() {
            match words.last_mut().filter(|_| is_open) {
                Some(last) => last.push(c),
                None => words.push(c.to_string()),
            }
        } else if !c.is_whitespace() && !matches!(c, '\'' | '"' | '*' | '-' | '_' | '#') {
            words.push(c.to_string());
        }
        is_open = c.is_alphanumeric();
    }
    words
}

const HOPELESS: [&str; 12] = [
    "unsolvable",
    "unsolveable",
    "insolvable",
    "insoluble",
    "impossible",
    "unwinnable",
    "unsolved",
    "infeasible",
    "unreachable",
    "stuck",
    "trapped",
    "nonexistent",
];
// Sentences with these words say that there is a solution: `cannot be solved in fewer moves`, `no moves are needed`.
const OTHERWISE: [&str; 24] = [
    "fewer",
    "less",
    "shorter",
    "better",
    "faster",
    "quicker",
    "sooner",
    "than",
    "under",
    "other",
    "another",
    "only",
    "unique",
    "if",
    "whether",
    "needed",
    "required",
    "necessary",
    "already",
    "yet",
    "longer",
    "further",
    "error",
    "errors",
];
const NEGATIONS: [&str; 14] = [
    "not", "no", "never", "without", "unable", "fail", "fails", "failed", "none", "neither", "nor",
    "zero", "0", "nothing",
];
const SUBJECTS: [&str; 12] = [
    "solution",
    "solutions",
    "answer",
    "answers",
    "way",
    "ways",
    "path",
    "paths",
    "sequence",
    "solvable",
    "solved",
    "solve",
];
const VERBS: [&str; 12] = [
    "solves",
    "solving",
    "reach",
    "reached",
    "reachable",
    "possible",
    "escape",
    "exit",
    "get",
    "out",
    "succeed",
    "solveable",
];
const FOUND: [&str; 10] =
    ["found", "find", "exist", "exists", "exits", "available", "known", "be", "there", "possible"];
const NEAR: usize = 6;

/// Whether a sentence says that there is no solution: it has a word such as `impossible`, or negates a word such as `solution`.
fn denies(words: &[String]) -> bool {
    let is = |word: &String, any: &[&str]| any.contains(&word.as_str());
    if words.iter().any(|word| is(word, &OTHERWISE)) {
        return false;
    }
    let negates = |at: usize| {
        let clause =
            words[at + 1..].iter().take(NEAR).take_while(|word| !is(word, &[",", ":", "("]));
        let is_count = is(&words[at], &["0", "zero"]);
        let is_about = |word: &String| {
            is(word, &SUBJECTS[..10]) || !is_count && (is(word, &SUBJECTS) || is(word, &VERBS))
        };
        let behind = clause.clone().any(is_about);
        let subject = words[..at].iter().position(|word| is(word, &SUBJECTS));
        let is_answer = subject.is_some_and(|subject| {
            words[subject + 1..at].iter().all(|word| is(word, &[":", "=", ">"]))
        });
        let is_last = words.get(at + 1).is_none_or(|next| is(next, &[",", "(", ")"]));
        behind
            || subject.is_some() && clause.clone().any(|word| is(word, &FOUND))
            || is_answer && is_last && !is(&words[at], &["unable"])
    };
    let is_negated = |at: usize| at > 0 && is(&words[at - 1], &["not"]);
    (0..words.len()).any(|at| {
        is(&words[at], &HOPELESS) && !is_negated(at) || is(&words[at], &NEGATIONS) && negates(at)
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
