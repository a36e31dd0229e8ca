//! The commands of an author print what their documents show.

use super::example;
use super::run::has_a_compiler;

#[test]
#[ignore = "it takes long; .ci/run runs it"]
fn every_command_in_the_documents_prints_what_they_show() {
    if has_a_compiler() {
        example::check(["docs/packages.md", "docs/mining.md"]);
    }
}
