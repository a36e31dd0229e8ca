//! Checks the solution in an answer: its moves, their numbers, the stated number of moves, and the grids between the moves.

use super::answer::{Answer, Content, shortened};
use super::layout::Layout;
use super::statement;
use crate::Flaw;

/// Checks the parts of an answer after the grid at the start. A shortest solution has `enough` moves.
pub(super) fn check(answer: &Answer, start: Layout, enough: usize) -> Result<(), Flaw> {
    let layouts = replay(answer, start, enough)?;
    numbers(answer)?;
    claims(answer, layouts.len() - 1)?;
    grids(answer, &layouts)
}

/// The layouts from `start` on, after each move. The last one is solved, and there are at most `enough` moves.
fn replay(answer: &Answer, start: Layout, enough: usize) -> Result<Vec<Layout>, Flaw> {
    let unclear = answer.parts.iter().find_map(|part| match &part.content {
        Content::Unclear(text) => Some((part.line, shortened(text))),
        _ => None,
    });
    // A line that cannot be read explains what is wrong behind it.
    let explained = |flaw: Flaw| match &unclear {
        Some((line, text)) if flaw.line.is_none_or(|own| *line <= Some(own)) => {
            Flaw::at(*line, format!("`{text}` cannot be read as a move of one piece"))
        }
        _ => flaw,
    };
    let mut layout = start.clone();
    let mut layouts = vec![start];
    for ((line, listed), number) in answer.moves().zip(1..) {
        let made = layout.apply(listed.step);
        made.map_err(|fault| explained(Flaw::at(line, format!("move {number} {fault}"))))?;
        if number <= enough {
            layouts.push(layout.clone());
        }
    }
    let count = answer.moves().count();
    if !layout.is_solved() {
        let message = format!("after {count} moves the goal piece is not in the last column");
        let last = answer.moves().last().and_then(|(line, _)| line).or(answer.last_line());
        return Err(explained(Flaw::at(last.filter(|_| unclear.is_none()), message)));
    }
    match answer.moves().nth(enough) {
        Some((line, _)) => {
            Err(Flaw::at(line, format!("it takes {count} moves, but {enough} suffice")))
        }
        None => Ok(layouts),
    }
}

/// Checks the numbers of the moves. They count the moves or the lines, from 1 or from 0.
fn numbers(answer: &Answer) -> Result<(), Flaw> {
    let count = answer.moves().count();
    let mut last: Option<(u32, u32)> = None;
    for (at, (line, listed)) in (0..).zip(answer.moves()) {
        if let Some(total) = listed.total.filter(|&total| total as usize != count) {
            let message = format!("it says that there are {total} moves, but it lists {count}");
            return Err(Flaw::at(line, message));
        }
        let Some(number) = listed.number else { continue };
        let is_next = last.map_or(number <= at + 1, |(before, place)| {
            number.checked_sub(before).is_some_and(|step| step == 1 || step == at - place)
        });
        if !is_next {
            return Err(Flaw::at(line, format!("move {} has the number {number}", at + 1)));
        }
        last = Some((number, at));
    }
    Ok(())
}

/// Checks the number of moves that the text states.
fn claims(answer: &Answer, count: usize) -> Result<(), Flaw> {
    let claims = answer.parts.iter().filter_map(|part| match &part.content {
        Content::Text(text) => Some((part.line, statement::claimed_moves(text)?)),
        _ => None,
    });
    match claims.into_iter().find(|(_, claimed)| *claimed as usize != count) {
        Some((line, claimed)) => {
            let message = format!("it says that it takes {claimed} moves, but it lists {count}");
            Err(Flaw::at(line, message))
        }
        None => Ok(()),
    }
}

/// Checks the grids after the first. A grid between two moves shows the layout there. The other grids show layouts in order, and the
/// last one shows the end.
fn grids(answer: &Answer, layouts: &[Layout]) -> Result<(), Flaw> {
    let end = layouts.len() - 1;
    let (mut made, mut shown) = (0, 0);
    // The fault of a grid between two moves that shows the layout before. It is wrong if no other grid precedes the next move.
    let mut behind: Option<Flaw> = None;
    for part in &answer.parts {
        let grid = match &part.content {
            Content::Grid(grid) => grid,
            Content::Move(_) => {
                behind.take().map_or(Ok(()), Err)?;
                made += 1;
                continue;
            }
            Content::Text(_) | Content::Unclear(_) => continue,
        };
        let is_between = 0 < made && made < end;
        let (from, to) = if is_between { (made - 1, made) } else { (shown, end) };
        let fault = layouts[to].is_shown_by(grid).err().map(|fault| {
            let (which, after) = if is_between {
                (format!("after move {made}"), "")
            } else {
                ("at the end".to_owned(), " after the moves")
            };
            Flaw::at(part.line, format!("the grid {which} {fault}{after}"))
        });
        let shows = |at: &usize| layouts[*at].is_shown_by(grid).is_ok();
        // All grids may be repeated after the list.
        let again = || Some(0).filter(|at| made == end && shows(at));
        match (from..=to).find(shows).or_else(again) {
            Some(place) => shown = place,
            None => fault.clone().map_or(Ok(()), Err)?,
        }
        behind = fault.filter(|_| is_between);
    }
    let Some((line, last)) = answer.grids().skip(1).last() else {
        return Err(Flaw::at(answer.last_line(), "there is no grid at the end"));
    };
    let is_end = layouts[end].is_shown_by(last);
    is_end.map_err(|fault| Flaw::at(line, format!("the grid at the end {fault} after the moves")))
}
