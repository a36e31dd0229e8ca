//! Hashes that are the same in every release.

use sha2::Sha256;

/// FNV-1a with 64 bits. The standard library does not guarantee that its own hash is stable.
pub fn fnv1a(bytes: &[u8]) -> u64 {
    bytes.iter().fold(0xcbf2_9ce4_8422_2325, |hash, &byte| {
        (hash ^ u64::from(byte)).wrapping_mul(0x0100_0000_01b3)
    })
}

/// The SHA-256 of several parts. Two different lists of parts have different digests.
#[derive(Clone, Default)]
pub struct Digest(Sha256);

impl Digest {
    /// The same with another part.
    #[must_use]
    pub fn with(mut self, part: impl AsRef<[u8]>) -> Self {
        let part = part.as_ref();
        sha2::Digest::update(&mut self.0, (part.len() as u64).to_le_bytes());
        sha2::Digest::update(&mut self.0, part);
        self
    }

    /// The digest in hexadecimal.
    pub fn hex(self) -> String {
        sha2::Digest::finalize(self.0).iter().map(|byte| format!("{byte:02x}")).collect()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_digest_depends_on_where_a_part_ends() {
        let digest = |parts: &[&str]| parts.iter().fold(Digest::default(), Digest::with).hex();
        assert_eq!(digest(&["a", "b"]).len(), 64);
        assert_ne!(digest(&["a", "b"]), digest(&["ab"]));
    }
}
