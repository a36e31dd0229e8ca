//! Checks and draws a maze and a route through it.

use super::draw::MazePicture;
use super::file;
use super::grid::Maze;
use super::route::{Ends, Route, RouteKind};
use super::task;
use crate::picture::View;
use crate::{Draft, Flaw};

/// Whether a file looks more like a maze than like another input.
pub(super) fn recognizes(input: &[u8]) -> bool {
    let rooms = || input.iter().filter(|byte| !byte.is_ascii_whitespace());
    let digits = rooms().filter(|byte| byte.is_ascii_hexdigit()).count();
    digits > 0 && 2 * digits > rooms().count() && !input.contains(&b' ')
}

/// Views a test's or a generator's maze. If the test's name is unknown, the route itself determines its kind and ends.
pub(super) fn view(draft: &Draft, answer: Option<&[u8]>) -> View {
    let (maze, mut input_flaws) = file::read(&draft.input);
    input_flaws.extend(maze.flaws());
    input_flaws.sort_by_key(|flaw| (flaw.line, flaw.column));
    let test = task::parse_flags(&draft.flags);
    let mut picture = MazePicture {
        maze,
        route: Vec::new(),
        kind: RouteKind::Path,
        ends: test.as_ref().map(|(_, ends)| *ends),
    };
    picture.ends = picture
        .ends
        .filter(|ends| picture.maze.contains(ends.start) && picture.maze.contains(ends.goal));
    let mut answer_flaws = Vec::new();
    if let Some(answer) = answer {
        let route = Route::read(answer);
        let kind = match &test {
            Some((letters, _)) if letters.contains('f') => RouteKind::Walk,
            Some(_) => RouteKind::Path,
            // A path is a valid walk without dead ends.
            None => route.header().unwrap_or(RouteKind::Walk),
        };
        let ends = test.map(|(_, ends)| ends);
        let (reversed, flaws) = best_order(&picture.maze, kind, ends, answer);
        answer_flaws = flaws;
        (picture.kind, picture.ends) =
            (kind, if reversed { route.ends().map(Ends::reversed) } else { route.ends() });
        picture.route = route.rooms();
        if reversed {
            picture.route.reverse();
        }
    }
    View {
        input_flaws,
        answer_flaws,
        picture: (picture.maze.area() > 0).then(|| Box::new(picture) as _),
    }
}

/// Whether the route is written from goal to start, and the errors in it. Both orders are valid.
fn best_order(
    maze: &Maze,
    kind: RouteKind,
    ends: Option<Ends>,
    answer: &[u8],
) -> (bool, Vec<Flaw>) {
    let route = || Route::read(answer);
    let own = route().ends();
    // A route without rooms has no ends, and their place does not matter.
    let nowhere = || Ends { start: maze.room(0), goal: maze.room(0) };
    if let Some(ends) = ends {
        let reversed = ends.start != ends.goal && own == Some(ends.reversed());
        return (reversed, route().flaws(maze, kind, ends));
    }
    let forwards = route().flaws(maze, kind, own.unwrap_or_else(nowhere));
    if !forwards.is_empty() && own.is_some_and(|own| own.start != own.goal) {
        let backwards = route().flaws(maze, kind, own.unwrap_or_else(nowhere).reversed());
        if backwards.is_empty() {
            return (true, backwards);
        }
    }
    (false, forwards)
}
