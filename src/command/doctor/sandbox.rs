//! What holds programs of students, which `grade` and `serve` run, and `score` if they are unit tests.

use super::absent;
use crate::course::Course;
use crate::report::doctor::{Finding, Health};
use crate::sandbox::{Layer, Sandbox};

/// A finding for each layer, or what keeps programs from being isolated. Unit tests are programs of students, which `score` runs.
pub(super) fn findings(course: Option<&Course>) -> Vec<Finding> {
    let has_unit_tests = course.is_some_and(|it| it.assignments.iter().any(|it| it.unit.is_some()));
    let users = if has_unit_tests {
        "the unit tests of this course are programs of students, so `harness score` needs it"
    } else {
        "`harness grade` and `harness serve` need it"
    };
    match Sandbox::open() {
        Ok(sandbox) => sandbox.layers().into_iter().map(about).collect(),
        Err(problem) => vec![Finding {
            what: "sandbox".to_owned(),
            health: absent(has_unit_tests),
            found: format!("{}; {users}", problem.message),
            remedy: problem.hint,
        }],
    }
}

fn about(layer: Layer) -> Finding {
    Finding {
        what: format!("sandbox: {}", layer.name),
        health: if layer.is_there { Health::Fine } else { Health::Optional },
        found: layer.found,
        remedy: layer.remedy,
    }
}
