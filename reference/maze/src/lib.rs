//! Project Maze: the programs `generator`, `solver` and `solver_full`.
//!
//! A maze is a grid of rooms; between two neighbours is a wall or an opening. The generator walks like a drunk until it has been in
//! every room, and opens each wall that it goes through. The solver searches depth first from one room to another. Both mark the
//! rooms with the way in which they first came, and find their way back by those marks: there is no recursion to overflow and no
//! stack to keep, so a maze may be of any size.
//!
//! All input and output goes through [`Env`]. The three programs below share everything but their last step.

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

/// The program `solver_full`: writes the whole walk of the search instead.
pub fn solver_full(env: &mut Env<'_>) -> u8 {
    let outcome = solver::run(env, Output::Walk);
    failure::status(outcome, env)
}
