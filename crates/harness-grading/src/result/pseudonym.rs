//! Pseudonyms of students on scoreboards, and of mutants, for readers who may count and compare the bugs but not know them. Pure.
//!
//! A pseudonym is a keyed hash of the assignment and the id. It stays the same when mutants are added or removed, and even a
//! reader who knows all ids cannot assign them.

use crate::catalogue::Mutant;
use crate::course::{Assignment, Secret};
use crate::diagnostic::{Failure, FailureKind, Problem};
use hmac::{Hmac, KeyInit, Mac};
use sha2::Sha256;
use std::collections::BTreeMap;

/// The pseudonyms of an assignment's mutants, all different.
#[derive(Clone, Debug)]
pub struct Pseudonyms(BTreeMap<String, String>);

/// Two ids have the same pseudonym.
#[derive(Debug, PartialEq, Eq)]
struct Collision(String, String);

impl Pseudonyms {
    /// The pseudonyms of the mutants of `assignment`, if its course file asks for them.
    ///
    /// # Errors
    /// If two pseudonyms are equal.
    pub fn of_all(assignment: &Assignment, mutants: &[Mutant]) -> Result<Option<Self>, Failure> {
        let Some(secret) = &assignment.feedback.pseudonyms else { return Ok(None) };
        let ids = mutants.iter().map(|mutant| mutant.id.as_str());
        Self::new(secret, &assignment.id, ids).map(Some).map_err(|Collision(one, other)| {
            let message =
                format!("`{one}` and `{other}` of `{}` have the same pseudonym", assignment.id);
            Failure::new(
                FailureKind::Request,
                Problem::new(message)
                    .hint("choose another secret under `pseudonyms:` in the course file"),
            )
        })
    }

    /// The pseudonyms of `ids`.
    ///
    /// # Errors
    /// If two pseudonyms are equal. Only another secret helps, because no pseudonym may change when a mutant is added.
    fn new<'a>(
        secret: &Secret,
        assignment: &str,
        ids: impl IntoIterator<Item = &'a str>,
    ) -> Result<Self, Collision> {
        let mut owners: BTreeMap<String, &str> = BTreeMap::new();
        for id in ids {
            if let Some(other) = owners.insert(pseudonym(secret, assignment, id), id) {
                return Err(Collision(other.to_owned(), id.to_owned()));
            }
        }
        Ok(Self(owners.into_iter().map(|(pseudonym, id)| (id.to_owned(), pseudonym)).collect()))
    }

    /// The pseudonym of the mutant `id`, which must belong to the assignment.
    pub fn of(&self, id: &str) -> &str {
        &self.0[id]
    }
}

/// The pseudonym of a student, on a scoreboard.
pub fn of_student(secret: &Secret, assignment: &str, name: &str) -> String {
    format!("student-{}", code(secret, &format!("{assignment}\nstudent\n{name}")))
}

fn pseudonym(secret: &Secret, assignment: &str, id: &str) -> String {
    // Ids contain no newline.
    format!("bug-{}", code(secret, &format!("{assignment}\n{id}")))
}

/// Forty bits of a keyed hash, in characters that are not easily confused.
fn code(secret: &Secret, text: &str) -> String {
    const ALPHABET: &[u8; 32] = b"23456789abcdefghijkmnpqrstuvwxyz";
    let mut mac =
        Hmac::<Sha256>::new_from_slice(secret.bytes()).expect("a key of any length will do");
    mac.update(text.as_bytes());
    let hash = mac.finalize().into_bytes();
    let bits = hash[..5].iter().fold(0_u64, |bits, &byte| bits << 8 | u64::from(byte));
    let characters: String =
        (0..8).map(|at| char::from(ALPHABET[(bits >> (at * 5) & 31) as usize])).collect();
    format!("{}-{}", &characters[..4], &characters[4..])
}

#[cfg(test)]
mod tests {
    use super::*;

    fn secret(text: &str) -> Secret {
        Secret::try_from(text.to_owned()).unwrap()
    }

    #[test]
    fn a_pseudonym_never_changes() {
        let secret = secret("an example's secret");
        assert_eq!(pseudonym(&secret, "puzzle", "z-is-no-button"), "bug-rr4i-umrj");
    }

    #[test]
    fn a_pseudonym_depends_only_on_secret_assignment_and_id() {
        let (one, other) = (secret("an example's secret"), secret("another's secret"));
        let of = |secret, assignment, ids: &[&str]| {
            Pseudonyms::new(secret, assignment, ids.iter().copied()).unwrap().of("b").to_owned()
        };
        assert_eq!(of(&one, "puzzle", &["b"]), of(&one, "puzzle", &["a", "b", "c"]));
        assert_ne!(of(&one, "puzzle", &["b"]), of(&other, "puzzle", &["b"]));
        assert_ne!(of(&one, "puzzle", &["b"]), of(&one, "maze", &["b"]));
    }

    #[test]
    fn pseudonyms_of_thousands_of_mutants_differ_and_are_not_in_order() {
        let ids: Vec<_> = (0..3000).map(|number| format!("mutant-{number:04}")).collect();
        let all = Pseudonyms::new(
            &secret("an example's secret"),
            "puzzle",
            ids.iter().map(String::as_str),
        )
        .unwrap();
        let in_order = ids.windows(2).filter(|pair| all.of(&pair[0]) < all.of(&pair[1])).count();
        assert!((1200..1800).contains(&in_order), "{in_order}");
    }

    #[test]
    fn the_same_id_twice_is_a_collision() {
        let twice = Pseudonyms::new(&secret("an example's secret"), "puzzle", ["a", "a"]);
        assert_eq!(twice.unwrap_err(), Collision("a".to_owned(), "a".to_owned()));
    }
}
