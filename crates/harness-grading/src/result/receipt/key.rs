//! The keys of receipts: ed25519.

use super::hex;
use crate::diagnostic::Problem;
use ed25519_dalek::pkcs8::spki::der::pem::LineEnding;
use ed25519_dalek::pkcs8::{DecodePublicKey, EncodePublicKey};
use ed25519_dalek::{Signature, Signer as _, SigningKey, VerifyingKey};
use std::fmt;
use std::str::FromStr;

/// A private key. It is wiped from memory when it is dropped, and is shown nowhere.
pub struct Signer(SigningKey);

impl Signer {
    /// The key with these random bytes.
    pub fn of(secret: &[u8; 32]) -> Self {
        Self(SigningKey::from_bytes(secret))
    }

    pub fn public(&self) -> PublicKey {
        PublicKey(self.0.verifying_key())
    }

    pub(super) fn sign(&self, bytes: &[u8]) -> String {
        hex(&self.0.sign(bytes).to_bytes())
    }
}

/// A public key. Its text is hexadecimal.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct PublicKey(VerifyingKey);

impl PublicKey {
    /// Whether the private half of this key has signed these bytes.
    pub(super) fn has_signed(&self, bytes: &[u8], signature: &str) -> bool {
        let signature = unhex(signature).map(|bytes| Signature::from_bytes(&bytes));
        signature.is_some_and(|signature| self.0.verify_strict(bytes, &signature).is_ok())
    }

    /// The key as a file that `openssl` reads too.
    pub fn pem(&self) -> String {
        self.0.to_public_key_pem(LineEnding::LF).expect("32 bytes have this form")
    }

    /// The keys in a file: those of a server, of which it used one after the other. Text between them is passed over.
    ///
    /// # Errors
    /// If there is none, or one is broken.
    pub fn all_in(text: &str) -> Result<Vec<Self>, Problem> {
        const BEGIN: &str = "-----BEGIN PUBLIC KEY-----";
        let keys = text.split(BEGIN).skip(1).map(|rest| {
            const END: &str = "-----END PUBLIC KEY-----";
            let body = rest.split(END).next().unwrap_or_default();
            VerifyingKey::from_public_key_pem(&format!("{BEGIN}{body}{END}\n")).map(Self)
        });
        let keys: Result<Vec<_>, _> = keys.collect();
        let keys = keys.map_err(|error| Problem::new(format!("its key is broken: {error}")))?;
        if keys.is_empty() { Err(Problem::new("it holds no public key")) } else { Ok(keys) }
    }
}

impl fmt::Display for PublicKey {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&hex(self.0.as_bytes()))
    }
}

impl FromStr for PublicKey {
    type Err = ();

    fn from_str(text: &str) -> Result<Self, ()> {
        let bytes = unhex(text).ok_or(())?;
        VerifyingKey::from_bytes(&bytes).map(Self).map_err(|_| ())
    }
}

/// The bytes of lower-case hexadecimal digits, so that a key or signature has one text only.
fn unhex<const N: usize>(text: &str) -> Option<[u8; N]> {
    let is_plain = text.bytes().all(|it| matches!(it, b'0'..=b'9' | b'a'..=b'f'));
    if text.len() != 2 * N || !is_plain {
        return None;
    }
    let mut bytes = [0; N];
    for (at, byte) in bytes.iter_mut().enumerate() {
        *byte = u8::from_str_radix(&text[2 * at..2 * at + 2], 16).ok()?;
    }
    Some(bytes)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn keys_are_read_from_a_file_that_has_text_between_them() {
        let [one, two] = [[1; 32], [2; 32]].map(|secret| Signer::of(&secret).public());
        let file = format!("since today\n{}before\n{}", one.pem(), two.pem());
        assert_eq!(PublicKey::all_in(&file).unwrap(), [one, two]);
        assert_eq!(one.to_string().parse(), Ok(one));
        for broken in ["", "no key", &one.pem().replace("MCow", "MCpw")] {
            assert!(PublicKey::all_in(broken).is_err(), "{broken}");
        }
        assert!(one.to_string().to_uppercase().parse::<PublicKey>().is_err());
    }
}
