//! The two maze assignments: a solver, whose tests are mazes, and a generator, whose tests give a seed and a size.
//!
//! Both have many right answers, so a judge checks each route or maze instead of comparing it with the reference's.

mod draw;
mod file;
mod generator;
mod grid;
mod random_recipes;
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
