//! Looking at a maze and at a route through it: what is wrong with each, and the picture of both.

use super::draw::MazePicture;
use super::file;
use super::grid::Maze;
use super::route::{Ends, Route, RouteKind};
use super::task;
use crate::domain::picture::View;
use crate::domain::{Draft, Flaw};

/// Whether a file is more like a maze than like anything else.
pub(super) fn recognizes(input: &[u8]) -> bool {
    let rooms = || input.iter().filter(|byte| !byte.is_ascii_whitespace());
    let digits = rooms().filter(|byte| byte.is_ascii_hexdigit()).count();
    digits > 0 && 2 * digits > rooms().count() && !input.contains(&b' ')
}

/// The maze of a test or of a generator. Where the test's name doesn't say what is asked for, the route itself does.
pub(super) fn view(draft: &Draft, answer: Option<&[u8]>) -> View {
    let (maze, mut input_flaws) = file::read(&draft.input);
    input_flaws.extend(maze.flaws());
    input_flaws.sort_by_key(|flaw| (flaw.line, flaw.column));
    let asked = task::asked(&draft.flags);
    let mut picture = MazePicture {
        maze,
        route: Vec::new(),
        kind: RouteKind::Path,
        ends: asked.as_ref().map(|(_, ends)| *ends),
    };
    picture.ends = picture
        .ends
        .filter(|ends| picture.maze.contains(ends.start) && picture.maze.contains(ends.goal));
    let mut answer_flaws = Vec::new();
    if let Some(answer) = answer {
        let route = Route::read(answer);
        let kind = match &asked {
            Some((letters, _)) if letters.contains('f') => RouteKind::Walk,
            Some(_) => RouteKind::Path,
            // A path is a walk that never went wrong.
            None => route.header().unwrap_or(RouteKind::Walk),
        };
        let ends = asked.map(|(_, ends)| ends);
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

/// Whether the route is to be read backwards, and what is wrong with it then: either order is right.
fn best_order(
    maze: &Maze,
    kind: RouteKind,
    ends: Option<Ends>,
    answer: &[u8],
) -> (bool, Vec<Flaw>) {
    let route = || Route::read(answer);
    let own = route().ends();
    // Without any room there are no ends, and their place does not matter.
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
