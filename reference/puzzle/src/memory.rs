//! Memory for large maps, which may not fit.

/// Requests for fewer bytes than this are not checked.
const LARGE: usize = 1 << 20;

/// `count` zeros, or `None` if they do not fit in memory. A zero takes physical memory only once it is overwritten.
pub(crate) fn zeros(count: usize) -> Option<Vec<u8>> {
    // `vec!` gets zeroed pages from the system at no cost, but aborts if memory runs out. So check first.
    if count >= LARGE {
        Vec::<u8>::new().try_reserve_exact(count).ok()?;
    }
    Some(vec![0; count])
}
