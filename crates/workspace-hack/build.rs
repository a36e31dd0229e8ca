fn main() {} // Cargo considers dependencies of a build script only if there is one.
