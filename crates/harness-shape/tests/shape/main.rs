//! Shapes as other crates use them.

mod apart;
mod choices;
mod conformance;
mod described;
mod hostile;
mod references;
mod strategy;
mod values;
mod yaml;
