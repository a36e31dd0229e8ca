//! The three programs over files in memory, and once as processes over files on disk.

#[path = "maze/check.rs"]
mod check;
#[path = "maze/command_line.rs"]
mod command_line;
#[path = "maze/generator.rs"]
mod generator;
#[path = "maze/maze_file.rs"]
mod maze_file;
#[path = "maze/processes.rs"]
mod processes;
#[path = "maze/solver.rs"]
mod solver;
