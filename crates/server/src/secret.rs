//! Secrets: random ones, of which the database holds only the digest, and passwords.

use argon2::Argon2;
use argon2::password_hash::{PasswordHasher, PasswordVerifier, phc::PasswordHash};
use sha2::{Digest, Sha256};

/// A random secret that a browser or client holds: 256 bits in hexadecimal.
pub fn random() -> String {
    hex(&random_bytes())
}

/// The bytes of a random key.
pub fn random_bytes() -> [u8; 32] {
    let mut bytes = [0; 32];
    getrandom::fill(&mut bytes).expect("the system gives random bytes");
    bytes
}

/// What the database holds of a secret.
pub fn digest(secret: &str) -> String {
    sha256(secret.as_bytes())
}

/// The SHA-256 in hexadecimal.
pub fn sha256(bytes: &[u8]) -> String {
    hex(&Sha256::digest(bytes))
}

fn hex(bytes: &[u8]) -> String {
    bytes.iter().map(|byte| format!("{byte:02x}")).collect()
}

/// The hash of a password, by argon2id with the parameters that OWASP names. It takes some tens of milliseconds.
pub fn hash_password(password: &str) -> String {
    let hash = Argon2::default().hash_password(password.as_bytes());
    hash.expect("a password of bounded length has a hash").to_string()
}

/// Whether a password has this hash. Without a hash, it takes as long, so that nobody learns whether there is such a student.
pub fn is_password(password: &str, hash: Option<&str>) -> bool {
    static NOBODY: std::sync::LazyLock<String> =
        std::sync::LazyLock::new(|| hash_password(&random()));
    let parsed = PasswordHash::new(hash.unwrap_or(&NOBODY));
    let is_right = parsed.is_ok_and(|parsed| {
        Argon2::default().verify_password(password.as_bytes(), &parsed).is_ok()
    });
    is_right && hash.is_some()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_password_is_recognized_and_its_hash_names_argon2id() {
        let hash = hash_password("correct horse");
        assert!(hash.starts_with("$argon2id$"), "{hash}");
        assert!(is_password("correct horse", Some(&hash)));
        assert!(!is_password("correct hors", Some(&hash)));
        assert!(!is_password("correct horse", None));
    }
}
