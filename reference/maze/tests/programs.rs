//! Tests the three programs with files in memory, and as processes with files on disk.

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
