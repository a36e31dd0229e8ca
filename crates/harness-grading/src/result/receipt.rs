//! The receipt of a record: what the record was made from, digests of what it says, and the signature of the server that graded. Each
//! names the one before, so that receipts are a chain. Pure.
//!
//! docs/receipts.md describes what a receipt proves, and what not. Third parties check receipts, so nothing here may change within a
//! version.

mod key;
mod sealed;
mod span;

pub use key::{PublicKey, Signer};
pub use sealed::{CourseSecret, Sealed};
pub use span::span;

use crate::diagnostic::Problem;
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use serde_json::Value;
use sha2::{Digest, Sha256};
use std::collections::BTreeMap;

/// The version of the document.
pub const SCHEMA: &str = "harness-receipt/1";

/// The receipt of a record. Digests are SHA-256, and keys and signatures ed25519, all in hexadecimal.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct Receipt {
    /// `harness-receipt/1`.
    pub schema: String,
    /// Its place in the chain of the server, from 1.
    pub number: i64,
    /// The student's login.
    pub student: String,
    /// The assignment's id.
    pub assignment: String,
    /// The number of the submission.
    pub submission: i64,
    /// When the submission was acknowledged: RFC 3339.
    pub handed_in: String,
    /// When it was graded.
    pub graded: String,
    pub points: Earned,
    /// The digest of the archive that was handed in.
    pub archive: String,
    /// The digest of the version of the course, packed as the server keeps it.
    pub course: String,
    pub harness: Harness,
    /// The seed of random spellings.
    pub seed: u64,
    /// What each seal is mixed with, so that equal parts of two records have different seals.
    pub salt: String,
    /// The seal of the record, times aside.
    pub record: String,
    /// The seal of each part of the record.
    pub parts: BTreeMap<String, String>,
    /// The digest of the receipt before this one. Empty: it is the first.
    pub previous: String,
    /// The public key of the server.
    pub key: String,
    /// The signature of all other fields, as RFC 8785 writes them.
    pub signature: String,
}

/// The points of a record, as decimal numbers.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct Earned {
    pub earned: String,
    pub max: String,
}

/// The program that graded. Its fields stay in the order of their names.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct Harness {
    /// The digest of its file, as in a record.
    pub program: String,
    pub version: String,
}

impl Receipt {
    /// Reads a receipt. Whether its signature fits, [`check`](Self::check) tells.
    ///
    /// # Errors
    /// With why it is none.
    pub fn parse(text: &[u8]) -> Result<Self, Problem> {
        let value: Value = serde_json::from_slice(text)
            .map_err(|error| Problem::new(format!("it is no JSON: {error}")))?;
        let schema = value.get("schema").and_then(Value::as_str).unwrap_or_default();
        if schema != SCHEMA {
            let message = format!("its `schema` is not `{SCHEMA}`");
            return Err(Problem::new(message).printable());
        }
        serde_json::from_value(value).map_err(|error| Problem::new(error.to_string()).printable())
    }

    /// The same receipt with the key and the signature of `signer`.
    #[must_use]
    pub fn signed(mut self, signer: &Signer) -> Self {
        self.key = signer.public().to_string();
        self.signature = signer.sign(&self.signed_bytes());
        self
    }

    /// Whether the signature is that of the key in the receipt.
    pub fn is_signed(&self) -> bool {
        let key = self.key.parse::<PublicKey>();
        key.is_ok_and(|key| key.has_signed(&self.signed_bytes(), &self.signature))
    }

    /// What is signed: all other fields, sorted by name and without spaces. As all values are texts and whole numbers, that is the form of
    /// RFC 8785.
    fn signed_bytes(&self) -> Vec<u8> {
        let value = serde_json::to_value(self).expect("texts and numbers are JSON");
        let fields = value.as_object().expect("a struct is an object").iter();
        let fields: BTreeMap<_, _> = fields.filter(|(name, _)| *name != "signature").collect();
        serde_json::to_vec(&fields).expect("JSON is JSON")
    }

    /// The digest of what is signed.
    pub fn content(&self) -> String {
        hex(&Sha256::digest(self.signed_bytes()))
    }

    /// The digest that the next receipt names.
    pub fn digest(&self) -> String {
        linked(&self.previous, &self.content())
    }
}

/// The digest of a receipt with this content, after the one with the digest `previous`: that of the two texts together. So the contents of
/// all receipts are enough to follow the chain, and they tell nothing about students.
pub fn linked(previous: &str, content: &str) -> String {
    hex(&Sha256::digest(format!("{previous}{content}")))
}

impl Earned {
    pub fn of(points: &super::graded::points::PointsReport) -> Self {
        Self { earned: points.earned.to_string(), max: points.max.to_string() }
    }
}

fn hex(bytes: &[u8]) -> String {
    bytes.iter().map(|byte| format!("{byte:02x}")).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn receipt() -> Receipt {
        let text = |text: &str| text.to_owned();
        let receipt = Receipt {
            schema: text(SCHEMA),
            number: 2,
            student: text("zoë \"z\"\u{1}"),
            assignment: text("sum"),
            submission: 17,
            handed_in: text("2026-11-24T20:00:00Z"),
            graded: text("2026-11-24T20:00:01.5Z"),
            points: Earned { earned: text("87.5"), max: text("90") },
            archive: text("a1"),
            course: text("c1"),
            harness: Harness { program: text("p1"), version: text("0.1.0") },
            seed: 0,
            salt: text("5a"),
            record: text("0e"),
            parts: BTreeMap::from([(text("tests"), text("1")), (text("build"), text("2"))]),
            previous: text("00"),
            key: String::new(),
            signature: String::new(),
        };
        receipt.signed(&Signer::of(&[7; 32]))
    }

    #[test]
    fn what_is_signed_is_the_form_of_rfc_8785() {
        let key = Signer::of(&[7; 32]).public().to_string();
        let expected = format!(
            "{{\"archive\":\"a1\",\"assignment\":\"sum\",\"course\":\"c1\",\"graded\":\"2026-11-24T20:00:01.5Z\",\
             \"handed_in\":\"2026-11-24T20:00:00Z\",\"harness\":{{\"program\":\"p1\",\"version\":\"0.1.0\"}},\
             \"key\":\"{key}\",\"number\":2,\"parts\":{{\"build\":\"2\",\"tests\":\"1\"}},\
             \"points\":{{\"earned\":\"87.5\",\"max\":\"90\"}},\"previous\":\"00\",\"record\":\"0e\",\"salt\":\"5a\",\
             \"schema\":\"harness-receipt/1\",\"seed\":0,\"student\":\"zoë \\\"z\\\"\\u0001\",\"submission\":17}}"
        );
        assert_eq!(String::from_utf8(receipt().signed_bytes()).unwrap(), expected);
    }

    #[test]
    fn a_receipt_survives_a_file_and_no_field_of_it_can_change() {
        let right = receipt();
        let text = serde_json::to_vec_pretty(&right).unwrap();
        let read = Receipt::parse(&text).unwrap();
        assert!(read == right && read.is_signed());
        let value = serde_json::to_value(&right).unwrap();
        for name in value.as_object().unwrap().keys().filter(|name| *name != "schema") {
            let mut changed = value.clone();
            let field = &mut changed[name];
            *field = match &*field {
                Value::String(text) => format!("{text}1").into(),
                Value::Number(number) => (number.as_i64().unwrap() + 1).into(),
                Value::Object(inner) => {
                    let mut inner = inner.clone();
                    let first = inner.keys().next().unwrap().clone();
                    inner.insert(first, "other".into());
                    inner.into()
                }
                other => panic!("{other}"),
            };
            let changed = Receipt::parse(changed.to_string().as_bytes()).unwrap();
            assert!(!changed.is_signed(), "{name} was changed");
        }
        assert!(!Receipt { signature: receipt().signature, number: 3, ..receipt() }.is_signed());
    }

    #[test]
    fn what_is_no_receipt_is_refused_in_words() {
        let refused = |text: &[u8]| Receipt::parse(text).unwrap_err().message;
        assert!(refused(b"\xff").starts_with("it is no JSON"));
        assert!(refused(b"[]").contains("its `schema` is not"));
        assert!(refused(b"{\"schema\": \"harness-receipt/1\"}").contains("missing field"));
    }
}
