//! The two maze assignments: a solver, whose tests are mazes, and a generator, whose tests say what maze is wanted.
//!
//! Both have many right answers, so both are judged by what a route or a maze must be, never by a comparison.

mod draw;
mod file;
mod generator;
mod grid;
mod random_tasks;
mod recipe;
mod route;
mod smaller;
mod solver;
mod space;
mod task;
mod view;

pub(super) use generator::MazeGenerator;
pub(super) use solver::MazeSolver;
