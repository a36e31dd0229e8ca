//! Memory for large maps, which may be more than there is. Knows nothing of maps.

/// A request for less than this is not worth a question.
const LARGE: usize = 1 << 20;

/// So many zeros, unless there is no room. They take memory once something else is written over them.
pub(crate) fn zeros(count: usize) -> Option<Vec<u8>> {
    // `vec!` gets zeros for nothing but would abort if there is no room, so ask first.
    if count >= LARGE {
        Vec::<u8>::new().try_reserve_exact(count).ok()?;
    }
    Some(vec![0; count])
}
