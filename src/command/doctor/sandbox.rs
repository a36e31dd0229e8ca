//! What holds programs of students, which `grade` and `serve` run.

use crate::report::doctor::{Finding, Health};
use crate::sandbox::{Layer, Sandbox};

/// A finding for each layer, or what keeps programs from being isolated.
pub(super) fn findings() -> Vec<Finding> {
    match Sandbox::open() {
        Ok(sandbox) => sandbox.layers().into_iter().map(about).collect(),
        Err(problem) => vec![Finding {
            what: "sandbox".to_owned(),
            health: Health::Optional,
            found: format!("{}; `harness grade` and `harness serve` need it", problem.message),
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
