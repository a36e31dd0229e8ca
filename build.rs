//! Links the programs of this package to a fixed address. Otherwise the system would move 130,000 addresses in each of them whenever it
//! starts, which takes as long as the rest of a sandbox: `harness` itself is the first process of every run.

fn main() {
    println!("cargo::rerun-if-changed=build.rs");
    println!("cargo::rustc-link-arg=-no-pie");
}
