//! A hash that is the same in every release.

/// FNV-1a with 64 bits. The standard library does not guarantee that its own hash is stable.
pub fn fnv1a(bytes: &[u8]) -> u64 {
    bytes.iter().fold(0xcbf2_9ce4_8422_2325, |hash, &byte| {
        (hash ^ u64::from(byte)).wrapping_mul(0x0100_0000_01b3)
    })
}
