//! The autograder that students submit to.
