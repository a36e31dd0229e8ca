//! Project Maze: the programs `generator`, `solver` and `solver_full`.
//!
//! A maze is a grid of rooms with a wall or an opening between neighbours. The generator walks at random until it has visited every
//! room, and opens each wall that it goes through. The solver searches depth first for a path from one room to another. Both mark
//! each room with the direction from which they first entered it, and use these marks to walk back. They need no recursion and no
//! stack, so a maze may have any size.
//!
//! All input and output goes through [`Env`].

mod direction;
mod drunken_walk;
mod failure;
mod generator;
mod maze;
mod maze_file;
mod path_file;
mod random;
mod room;
mod search;
mod solver;

use solver::Output;
use subject::Env;

/// The program `generator`: makes a maze and writes it to a file.
pub fn generator(env: &mut Env<'_>) -> u8 {
    let outcome = generator::run(env);
    failure::status(outcome, env)
}

/// The program `solver`: writes the path from one room of a maze to another.
pub fn solver(env: &mut Env<'_>) -> u8 {
    let outcome = solver::run(env, Output::Path);
    failure::status(outcome, env)
}

/// The program `solver_full`: writes the whole walk of the search.
pub fn solver_full(env: &mut Env<'_>) -> u8 {
    let outcome = solver::run(env, Output::Walk);
    failure::status(outcome, env)
}
