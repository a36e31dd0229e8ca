//! What the reference does on a mutant's witness, as the catalogue file records it. Pure.

use base64::Engine;
use base64::prelude::BASE64_STANDARD;
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use sha2::{Digest, Sha256};
use std::collections::BTreeMap;
use subject::{End, Outcome};

/// The longest output that is recorded as it is. A longer one is recorded as its length and digest, so that files stay readable.
pub const LONGEST_OUTPUT: usize = 2_000;

/// What the reference does on a witness: its exit status, standard output and files.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct Expected {
    /// The exit status.
    pub exit: u8,
    /// Standard output. Absent if the reference prints nothing.
    #[serde(default, skip_serializing_if = "Recorded::is_empty")]
    pub stdout: Recorded,
    /// The files that the reference writes, by name.
    #[serde(default, skip_serializing_if = "BTreeMap::is_empty")]
    pub files: BTreeMap<String, Recorded>,
}

/// Recorded bytes.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(untagged, expecting = "expected text, `base64:`, or `bytes:` with `sha256:`")]
pub enum Recorded {
    /// UTF-8 text.
    Text(String),
    /// Bytes that are not UTF-8.
    #[serde(rename_all = "kebab-case")]
    Bytes {
        /// The bytes in base64.
        base64: String,
    },
    /// Output that is too long to be recorded as it is.
    Long {
        /// The number of bytes.
        bytes: usize,
        /// Their SHA-256 digest in hexadecimal digits.
        sha256: String,
    },
}

impl Default for Recorded {
    fn default() -> Self {
        Self::Text(String::new())
    }
}

impl Recorded {
    /// The record of `bytes`.
    pub fn of(bytes: &[u8]) -> Self {
        if bytes.len() > LONGEST_OUTPUT {
            return Self::Long { bytes: bytes.len(), sha256: sha256(bytes) };
        }
        std::str::from_utf8(bytes).map_or_else(
            |_| Self::Bytes { base64: BASE64_STANDARD.encode(bytes) },
            |text| Self::Text(text.to_owned()),
        )
    }

    /// Whether this is a record of `bytes`.
    pub fn is_of(&self, bytes: &[u8]) -> bool {
        match self {
            Self::Long { bytes: length, sha256: digest } => {
                *length == bytes.len() && *digest == sha256(bytes)
            }
            Self::Text(_) | Self::Bytes { .. } => self.bytes().is_some_and(|own| own == bytes),
        }
    }

    /// The bytes. `None` if only their digest is recorded, or the base64 text is not valid.
    pub fn bytes(&self) -> Option<Vec<u8>> {
        match self {
            Self::Text(text) => Some(text.clone().into_bytes()),
            Self::Bytes { base64 } => BASE64_STANDARD.decode(base64).ok(),
            Self::Long { .. } => None,
        }
    }

    fn is_empty(&self) -> bool {
        *self == Self::default()
    }
}

impl Expected {
    /// The record of `outcome`. `None` if the run did not exit.
    pub fn of(outcome: &Outcome) -> Option<Self> {
        let End::Exit(exit) = outcome.end else { return None };
        let files = outcome.files.iter();
        Some(Self {
            exit,
            stdout: Recorded::of(&outcome.stdout),
            files: files.map(|(name, bytes)| (name.clone(), Recorded::of(bytes))).collect(),
        })
    }

    /// Whether this is a record of `outcome`.
    pub fn is_of(&self, outcome: &Outcome) -> bool {
        let is_recorded = |(name, bytes): (&String, &Vec<u8>)| {
            self.files.get(name).is_some_and(|recorded| recorded.is_of(bytes))
        };
        outcome.end == End::Exit(self.exit)
            && self.stdout.is_of(&outcome.stdout)
            && self.files.len() == outcome.files.len()
            && outcome.files.iter().all(is_recorded)
    }
}

fn sha256(bytes: &[u8]) -> String {
    Sha256::digest(bytes).iter().map(|byte| format!("{byte:02x}")).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_record_is_of_its_own_bytes_alone() {
        let long = vec![b'a'; LONGEST_OUTPUT + 1];
        let mut other = long.clone();
        other[LONGEST_OUTPUT] = b'b';
        let all = [&b""[..], b"text\n", b"\xff\xfe", &long, &other];
        for bytes in all {
            let recorded = Recorded::of(bytes);
            let matching: Vec<_> = all.iter().filter(|other| recorded.is_of(other)).collect();
            assert_eq!(matching, [&bytes]);
        }
    }
}
