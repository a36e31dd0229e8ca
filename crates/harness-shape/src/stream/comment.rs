//! The text of a comment: any text, or a line that stands above it, because programs that read comments by mistake take them for lines.

use crate::pattern::Pattern;
use std::sync::LazyLock;

/// The text of a comment that is read.
pub(super) static ANY: LazyLock<Pattern> =
    LazyLock::new(|| Pattern::new(b"[^\n]*").expect("this is an expression"));

/// The text of a comment that is made. Its letters are in the order of those of [`ANY`], so that choices of one are choices of the other.
pub(super) static PRINTABLE: LazyLock<Pattern> =
    LazyLock::new(|| Pattern::new(b"[ -~]*").expect("this is an expression"));
