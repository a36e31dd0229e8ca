//! Checks the solution in an answer: its moves, their numbers, the stated number of moves, and the grids between the moves.

use super::answer::{Answer, Content, Grid, shortened};
use super::layout::Layout;
use super::statement;
use crate::Flaw;
use std::ops::RangeInclusive;

/// Checks the parts of an answer after the grid at the start. A shortest solution has `enough` moves.
pub(super) fn check(answer: &Answer, start: Layout, enough: usize) -> Result<(), Flaw> {
    let layouts = replay(answer, start, enough)?;
    numbers(answer)?;
    claims(answer, layouts.len() - 1)?;
    grids(answer, &layouts)
}

/// The layouts from `start` on, after each move. The last one is solved, and there are at most `enough` moves.
fn replay(answer: &Answer, start: Layout, enough: usize) -> Result<Vec<Layout>, Flaw> {
    let unclear = answer.parts.iter().find(|part| matches!(part.content, Content::Unclear(_)));
    let or_unclear = |fault: Flaw| match unclear {
        Some(part) if fault.line.is_none_or(|line| part.line.is_none_or(|own| own <= line)) => {
            let quoted = shortened(part.text());
            Flaw::at(part.line, format!("`{quoted}` cannot be read as a move of one piece"))
        }
        _ => fault,
    };
    let mut layout = start.clone();
    let mut layouts = vec![start];
    let (mut count, mut first_excess) = (0, None);
    for (line, step) in answer.listed() {
        count += 1;
        layout
            .apply(step)
            .map_err(|fault| or_unclear(Flaw::at(line, format!("move {count} {fault}"))))?;
        if count <= enough {
            layouts.push(layout.clone());
        } else if count == enough + 1 {
            first_excess = line;
        }
    }
    if !layout.is_solved() {
        let message = format!("after {count} moves the goal piece is not in the last column");
        let last = answer.listed().last().and_then(|(line, _)| line);
        let end = Flaw::at(last.or(answer.last_line()), message);
        return Err(if unclear.is_some() { or_unclear(Flaw { line: None, ..end }) } else { end });
    }
    if count > enough {
        return Err(Flaw::at(
            first_excess,
            format!("it takes {count} moves, but {enough} suffice"),
        ));
    }
    Ok(layouts)
}

/// Checks the numbers of the moves. They count the moves or the lines, from 1 or from 0.
fn numbers(answer: &Answer) -> Result<(), Flaw> {
    let count = answer.listed().count();
    let mut last: Option<(u32, u32)> = None;
    let listed = answer.parts.iter().filter_map(|part| match part.content {
        Content::Move(listed) => Some((part.line, listed)),
        _ => None,
    });
    for (at, (line, listed)) in (0..).zip(listed) {
        if let Some(total) = listed.total.filter(|&total| total as usize != count) {
            return Err(Flaw::at(
                line,
                format!("it says that there are {total} moves, but it lists {count}"),
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
            return Err(Flaw::at(line, format!("move {} has the number {number}", at + 1)));
        }
        last = Some((number, at));
    }
    Ok(())
}

/// Checks the number of moves that the text states.
fn claims(answer: &Answer, count: usize) -> Result<(), Flaw> {
    for part in &answer.parts {
        let Content::Text(text) = &part.content else { continue };
        if let Some(claimed) =
            statement::claimed_moves(text).filter(|&claimed| claimed as usize != count)
        {
            return Err(Flaw::at(
                part.line,
                format!("it says that it takes {claimed} moves, but it lists {count}"),
            ));
        }
    }
    Ok(())
}

/// Checks the grids after the first. A grid between two moves shows the layout there. The other grids show layouts in order, and the
/// last one shows the end.
fn grids(answer: &Answer, layouts: &[Layout]) -> Result<(), Flaw> {
    let end = layouts.len() - 1;
    let (mut made, mut shown, mut last) = (0, None, None);
    // The fault of a grid between two moves that shows an earlier layout. It is wrong if no other grid precedes the next move.
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
                // All grids may be repeated after the list.
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
                    return Err(Flaw::at(part.line, format!("the grid {which} {fault}{behind}")));
                };
                let fault = layouts[made].is_shown_by(grid).err().filter(|_| is_between);
                behind = fault.map(|fault| {
                    Flaw::at(part.line, format!("the grid after move {made} {fault}"))
                });
                last = shown.map(|_| part.line);
                shown = Some(place);
            }
            Content::Text(_) | Content::Unclear(_) => {}
        }
    }
    match (last, shown) {
        (None, _) => Err(Flaw::at(answer.last_line(), "there is no grid at the end")),
        (Some(_), Some(place)) if place == end => Ok(()),
        (Some(line), _) => {
            let last = answer.grids().last();
            let fault = last.and_then(|grid| layouts[end].is_shown_by(grid).err());
            match fault {
                None => Ok(()),
                Some(fault) => {
                    Err(Flaw::at(line, format!("the grid at the end {fault} after the moves")))
                }
            }
        }
    }
}

/// The first of these layouts that `grid` shows.
fn first_shown(grid: &Grid, layouts: &[Layout], range: RangeInclusive<usize>) -> Option<usize> {
    range.into_iter().find(|&at| layouts[at].is_shown_by(grid).is_ok())
}
