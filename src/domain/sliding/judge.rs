//! Whether an answer is right: any shortest way is, and what is printed beside it must be true. The moves are replayed on the board;
//! only how many suffice is taken from the reference.

use super::answer::{Answer, Content, Grid, Part, shortened};
use super::board::Board;
use super::layout::Layout;
use super::messages::{self, Discarded};
use super::{BOARD, PAGE, page, statement};
use crate::domain::Flaw;
use subject::{Case, How, Outcome};

/// What is wrong with the `mutant`'s output where the `reference`'s is right; both exited with 0.
pub(super) fn wrong(case: &Case, reference: &Outcome, mutant: &Outcome) -> Option<Flaw> {
    let text = |bytes: &[u8]| String::from_utf8_lossy(bytes).into_owned();
    let input = case.files.get(BOARD)?;
    let Some(board) = Board::read(input).ok().filter(|board| board.area() <= MOST_CELLS) else {
        // There is nothing to replay on.
        let how = How::between(reference, mutant);
        return how.map(|_| Flaw::whole("the output is not the reference's"));
    };
    let right = Answer::read(&text(&reference.stdout), &board);
    let enough = right.denial().is_none().then(|| right.listed().count());
    let judge = Judge { board: &board, due: messages::discarded(input, &board), enough };
    if let Err(fault) = judge.judge(&Answer::read(&text(&mutant.stdout), &board)) {
        return Some(fault);
    }
    let unasked = mutant.files.keys().find(|name| !reference.files.contains_key(*name));
    if reference.files.contains_key(PAGE) {
        let Some(html) = mutant.files.get(PAGE) else {
            let instead = unasked.map_or(String::new(), |name| format!(", but {name}"));
            return Some(flaw(None, format!("it does not write the page {PAGE}{instead}")));
        };
        if let Err(fault) = judge.judge(&page::read(&text(html), &board)) {
            return Some(flaw(None, format!("in the page, {}", fault.message)));
        }
    }
    unasked.map(|name| flaw(None, format!("it writes a file that was not asked for: {name}")))
}

/// What is wrong with an answer in itself. Whether there is a solution, and how many moves it needs, is taken from the answer.
pub(super) fn inconsistency(input: &[u8], board: &Board, answer: &Answer) -> Option<Flaw> {
    let enough = answer.denial().is_none().then(|| answer.listed().count());
    Judge { board, due: messages::discarded(input, board), enough }.judge(answer).err()
}

/// Beyond any limit that a course will set.
pub(super) const MOST_CELLS: usize = 1 << 16;

/// What answers are measured against.
struct Judge<'a> {
    board: &'a Board,
    /// The pieces that a message is due for.
    due: Vec<Discarded>,
    /// How many moves suffice; `None` if there is no solution.
    enough: Option<usize>,
}

impl Judge<'_> {
    fn judge(&self, answer: &Answer) -> Result<(), Flaw> {
        let is_grid = |part: &&Part| matches!(part.content, Content::Grid(_));
        let Some(Part { line, content: Content::Grid(start) }) = answer.parts.iter().find(is_grid)
        else {
            return Err(flaw(answer.last_line(), "there is no grid"));
        };
        let layout = Layout::new(self.board, start);
        layout
            .is_shown_by(start)
            .map_err(|fault| flaw(*line, format!("the grid at the start {fault}")))?;
        messages::check(answer.messages(), &self.due, *line)?;
        match self.enough {
            None => without_solution(answer),
            Some(enough) => self.solution(answer, layout, enough),
        }
    }

    fn solution(&self, answer: &Answer, start: Layout, enough: usize) -> Result<(), Flaw> {
        if let Some(part) = answer.denial() {
            return Err(flaw(part.line, "it says that there is no solution, and there is one"));
        }
        let layouts = replay(answer, start, enough)?;
        numbers(answer)?;
        claims(answer, layouts.len() - 1)?;
        grids(answer, &layouts)
    }
}

impl Answer {
    /// The last line that holds anything.
    fn last_line(&self) -> Option<usize> {
        self.parts.last().and_then(|part| part.line)
    }
}

/// The layouts that the moves make of `start`, one after the other. They end with a solved one, and there are no more than necessary.
fn replay(answer: &Answer, start: Layout, enough: usize) -> Result<Vec<Layout>, Flaw> {
    let unclear = answer.parts.iter().find(|part| matches!(part.content, Content::Unclear(_)));
    let or_unclear = |fault: Flaw| match unclear {
        Some(part) if fault.line.is_none_or(|line| part.line.is_none_or(|own| own <= line)) => {
            let quoted = shortened(part.text());
            flaw(part.line, format!("`{quoted}` cannot be read as a move of one piece"))
        }
        _ => fault,
    };
    let mut layout = start.clone();
    let mut layouts = vec![start];
    let (mut count, mut first_excess) = (0, None);
    for (line, step) in answer.listed() {
        count += 1;
        layout
            .make(step)
            .map_err(|fault| or_unclear(flaw(line, format!("move {count} {fault}"))))?;
        if count <= enough {
            layouts.push(layout.clone());
        } else if count == enough + 1 {
            first_excess = line;
        }
    }
    if !layout.is_solved() {
        let message = format!("after {count} moves the goal piece is not in the last column");
        let last = answer.listed().last().and_then(|(line, _)| line);
        let end = flaw(last.or(answer.last_line()), message);
        return Err(if unclear.is_some() { or_unclear(Flaw { line: None, ..end }) } else { end });
    }
    if count > enough {
        return Err(flaw(first_excess, format!("it takes {count} moves, and {enough} suffice")));
    }
    Ok(layouts)
}

/// Checks the numbers of the moves: they count the moves, or the lines of moves, from 1 or from 0.
fn numbers(answer: &Answer) -> Result<(), Flaw> {
    let count = answer.listed().count();
    let mut last: Option<(u32, u32)> = None;
    let listed = answer.parts.iter().filter_map(|part| match part.content {
        Content::Move(listed) => Some((part.line, listed)),
        _ => None,
    });
    for (at, (line, listed)) in (0..).zip(listed) {
        if let Some(total) = listed.total.filter(|&total| total as usize != count) {
            return Err(flaw(
                line,
                format!("it says that there are {total} moves, and it lists {count}"),
            ));
        }
        let Some(number) = listed.number else { continue };
        let is_next = match last {
            None => number <= at + 1,
            Some((before, place)) => {
                Some(number) == before.checked_add(1)
                    || Some(number) == before.checked_add(at - place)
            }
        };
        if !is_next {
            return Err(flaw(line, format!("move {} has the number {number}", at + 1)));
        }
        last = Some((number, at));
    }
    Ok(())
}

/// Checks what the text says of how many moves there are.
fn claims(answer: &Answer, count: usize) -> Result<(), Flaw> {
    for part in &answer.parts {
        let Content::Text(text) = &part.content else { continue };
        if let Some(claimed) =
            statement::claimed_moves(text).filter(|&claimed| claimed as usize != count)
        {
            return Err(flaw(
                part.line,
                format!("it says that it takes {claimed} moves, and it lists {count}"),
            ));
        }
    }
    Ok(())
}

/// Checks the grids behind the first. One between two moves shows the layout there; the others show layouts in order, and the last one
/// shows the end.
fn grids(answer: &Answer, layouts: &[Layout]) -> Result<(), Flaw> {
    let end = layouts.len() - 1;
    let (mut made, mut shown, mut last) = (0, None, None);
    // The last grid between two moves, if it does not show what the first of them made.
    let mut behind: Option<Flaw> = None;
    for part in &answer.parts {
        match &part.content {
            Content::Move(_) => match behind.take() {
                Some(flaw) => return Err(flaw),
                None => made += 1,
            },
            Content::Grid(grid) => {
                let is_between = 0 < made && made < end;
                let from = if is_between { made - 1 } else { shown.unwrap_or(0) };
                let to = if is_between { made } else { end };
                let place = first_shown(grid, layouts, from..=to);
                // A list may be followed by all the grids again.
                let again = || (made == end).then(|| first_shown(grid, layouts, 0..=0)).flatten();
                let Some(place) = place.or_else(again) else {
                    let wanted = if is_between { made } else { end };
                    let fault = layouts[wanted].is_shown_by(grid).err().unwrap_or_default();
                    let which = if is_between {
                        format!("after move {made}")
                    } else {
                        "at the end".to_owned()
                    };
                    let behind = if is_between { "" } else { " after the moves" };
                    return Err(flaw(part.line, format!("the grid {which} {fault}{behind}")));
                };
                let fault = layouts[made].is_shown_by(grid).err().filter(|_| is_between);
                behind = fault
                    .map(|fault| flaw(part.line, format!("the grid after move {made} {fault}")));
                last = shown.map(|_| part.line);
                shown = Some(place);
            }
            Content::Text(_) | Content::Unclear(_) => {}
        }
    }
    match (last, shown) {
        (None, _) => Err(flaw(answer.last_line(), "there is no grid at the end")),
        (Some(_), Some(place)) if place == end => Ok(()),
        (Some(line), _) => {
            let last = answer.grids().last();
            let fault = last.and_then(|grid| layouts[end].is_shown_by(grid).err());
            match fault {
                None => Ok(()),
                Some(fault) => {
                    Err(flaw(line, format!("the grid at the end {fault} after the moves")))
                }
            }
        }
    }
}

/// The first of these layouts that a grid shows.
fn first_shown(
    grid: &Grid,
    layouts: &[Layout],
    range: std::ops::RangeInclusive<usize>,
) -> Option<usize> {
    range.into_iter().find(|&at| layouts[at].is_shown_by(grid).is_ok())
}

fn without_solution(answer: &Answer) -> Result<(), Flaw> {
    let is_move = |part: &&Part| matches!(part.content, Content::Move(_));
    let grid = answer.parts.iter().filter(|part| matches!(part.content, Content::Grid(_))).nth(1);
    let denial = answer.denial();
    if let Some(part) = answer.parts.iter().find(is_move).or(grid) {
        Err(flaw(part.line, "it shows a solution, and there is none"))
    } else if denial.is_none() {
        Err(flaw(answer.last_line(), "it does not say that there is no solution"))
    } else {
        Ok(())
    }
}

fn flaw(line: Option<usize>, message: impl Into<String>) -> Flaw {
    Flaw { line, column: None, message: message.into() }
}

#[cfg(test)]
mod tests {
    use super::super::board::NAMES;
    use super::*;
    use subject::End;

    fn wrong(case: &Case, reference: &Outcome, mutant: &Outcome) -> Option<String> {
        super::wrong(case, reference, mutant).map(|flaw| flaw.message)
    }

    fn outcome(stdout: &str, page: Option<&str>) -> Outcome {
        let files =
            page.map(|page| (PAGE.to_owned(), page.as_bytes().to_vec())).into_iter().collect();
        Outcome { end: End::Exit(0), stdout: stdout.into(), stderr: Vec::new(), files }
    }

    fn case(board: &str) -> Case {
        Case { files: [(BOARD.to_owned(), board.into())].into(), ..Case::default() }
    }

    /// What the judge says of `text` for a board with two shortest solutions, and one piece that is discarded.
    fn fault(text: &str) -> Option<String> {
        wrong(&case(FORK), &outcome(RIGHT, None), &outcome(text, None))
    }

    // Z can leave by way of piece 1 going up, or down.
    const FORK: &str = "3 2\n2 1 1 1 h\n2 2 1 1 v\n9 9 1 1 n\n";
    const RIGHT: &str = "line 4: the piece falls outside of the grid; it is discarded\n****\n*..*\n*Z1*\n*..*\n****\n1. Piece 1 up 1 space\n2. Piece Z right 1 space\n****\n*.1*\n*.Z*\n*..*\n****\n";

    #[test]
    fn every_shortest_solution_is_right_however_it_is_printed() {
        let down = "Error: outside\n****\n*  *\n*Z1*\n*\n****\nPiece 1 DOWN 1 spaces\nPiece Z right 1 spaces\n****\n*\n* Z*\n* 1*\n****\n";
        let headed =
            format!("Sliding Blocks\nStart:\n{}", RIGHT.replace("****\n1.", "****\nMoves:\n1."));
        for text in [RIGHT, down, &headed, &RIGHT.replace('.', " "), &RIGHT.replace('\n', "\r\n")] {
            assert_eq!(fault(text), None, "{text}");
        }
    }

    #[test]
    fn each_kind_of_wrong_answer_is_told_by_its_reason() {
        let swap = |from: &str, to: &str| RIGHT.replacen(from, to, 1);
        let end = "****\n*.1*\n*.Z*\n*..*\n****\n";
        for (text, reason) in [
            (String::new(), "there is no grid"),
            (
                swap("line 4: the piece falls outside of the grid; it is discarded\n", ""),
                "no message says that the piece in line 4 of the board is discarded: it is not inside the grid",
            ),
            (
                format!("Piece 1 overlaps Z\n{RIGHT}"),
                "`Piece 1 overlaps Z` fits no piece that is discarded",
            ),
            (swap("*Z1*", "*Z2*"), "the grid at the start shows `2`, not `1`, in row 2, column 2"),
            (swap("*..*\n*Z1*", "*Z1*"), "the grid at the start has 2 rows, not 3"),
            (swap("*Z1*", "*Z1.3*"), "the grid at the start has more than 2 columns in row 2"),
            (swap("Piece 1 up", "Piece 2 up"), "move 1 is of piece 2, and there is no such piece"),
            (
                swap("Piece 1 up", "Piece 1 left"),
                "move 1 takes piece 1 left, and its direction is v",
            ),
            (swap("up 1", "up 0"), "move 1 takes piece 1 0 spaces up"),
            (swap("up 1", "up 2"), "move 1 takes piece 1 up off the grid at space 2"),
            (
                swap("1. Piece 1 up 1 space\n", ""),
                "move 1 takes piece Z right into piece 1 at space 1",
            ),
            (
                swap("2. Piece Z right 1 space\n", ""),
                "after 1 moves the goal piece is not in the last column",
            ),
            (
                swap("2. ", "2. Piece 1 down 2 spaces\n3. Piece 1 up 2 spaces\n4. "),
                "it takes 4 moves, and 2 suffice",
            ),
            (
                swap(end, "****\n*..*\n*1Z*\n*..*\n****\n"),
                "the grid at the end shows `.`, not `1`, in row 1, column 2 after the moves",
            ),
            (swap(end, ""), "there is no grid at the end"),
            (
                swap("1. Piece 1 up 1 space\n2. Piece Z right 1 space\n", "not solvable\n"),
                "it says that there is no solution, and there is one",
            ),
        ] {
            assert_eq!(fault(&text).as_deref(), Some(reason), "{text}");
        }
    }

    #[test]
    fn that_there_is_no_solution_must_be_said_and_no_solution_shown() {
        let right = "****\n*Z1*\n****\nThe puzzle is not solvable.\n";
        let fault = |text: &str| {
            wrong(&case("1 2\n1 1 1 1 h\n1 2 1 1 v\n"), &outcome(right, None), &outcome(text, None))
        };
        for text in ["*****\n*Z1 *\n*****\nThere is no solution", "***\n*Z1\n***\nUNSOLVABLE"] {
            assert_eq!(fault(text), None);
        }
        assert_eq!(
            fault("****\n*Z1*\n****\n").unwrap(),
            "it does not say that there is no solution"
        );
        for text in
            [format!("{right}****\n*Z1*\n****\n"), format!("{right}Piece Z right 1 space\n")]
        {
            assert_eq!(fault(&text).unwrap(), "it shows a solution, and there is none");
        }
    }

    #[test]
    fn a_page_is_judged_as_standard_output_is() {
        let right = "***\n*Z*\n***\nsolved in 0 moves\n***\n*Z*\n***\n";
        let page = "<table><tr><td>Z</td></tr></table><table><tr><td>Z</td></tr></table>";
        let (case, reference) = (case("1 1\n1 1 1 1 n\n"), outcome(right, Some(page)));
        let fault = |page| wrong(&case, &reference, &outcome(right, page));
        assert_eq!(
            fault(Some("<h1>Solved</h1><table><td>Z</table>0 moves<table><td>Z</table>")),
            None
        );
        assert_eq!(
            fault(Some("<table><td>Z</table>")).unwrap(),
            "in the page, there is no grid at the end"
        );
        assert_eq!(fault(None).unwrap(), "it does not write the page board.html");
        let mut elsewhere = outcome(right, None);
        elsewhere.files.insert("board.data.html".to_owned(), page.into());
        assert_eq!(
            wrong(&case, &reference, &elsewhere).unwrap(),
            "it does not write the page board.html, but board.data.html"
        );
        let unasked = wrong(&case, &outcome(right, None), &reference);
        assert_eq!(unasked.unwrap(), "it writes a file that was not asked for: board.html");
    }

    #[test]
    fn past_the_names_of_the_document_any_name_will_do() {
        let pieces: String = (1..=63)
            .map(|column| format!("1 {column} 1 1 {}\n", if column == 63 { "v" } else { "n" }))
            .collect();
        let board = format!("2 64\n1 64 1 1 n\n{}", &pieces[..pieces.len() - 1]);
        let print = |names: &str, row: i32| {
            let border = "*".repeat(66);
            let row = if row == 1 { format!("*{names}*\n*") } else { format!("*\n*{names}*") };
            format!("{border}\n{row}\n{border}\n")
        };
        let names: String = NAMES[1..].chars().chain(['Ā', 'ā', 'Ă', 'Z']).collect();
        let other = names.replace('Ā', "!").replace('Ă', "?");
        let print = |names: &str| print(names, 1).repeat(2);
        let fault =
            |text: &str| wrong(&case(&board), &outcome(&print(&names), None), &outcome(text, None));
        assert_eq!(fault(&print(&other)), None);
        assert!(fault(&print(&names.replace('Y', "!"))).is_some());
    }
}
