//! Passwords: which may be chosen, and their hashes. The hashes take memory and time on purpose, so only a few are made at once.

use crate::secret;
use harness::diagnostic::Problem;
use std::time::Duration;
use tokio::sync::Semaphore;

/// The shortest and the longest password, in characters.
pub const SHORTEST: usize = 10;
const LONGEST: usize = 200;

/// The fewest different characters of a password.
const FEWEST_DIFFERENT: usize = 5;

/// Passwords of this length that people choose most.
const COMMON: &str = include_str!("common_passwords.txt");

/// How many hashes are made at once. Each takes 19 MiB.
static ROOM: Semaphore = Semaphore::const_new(2);

/// How long somebody waits for their turn.
const PATIENCE: Duration = Duration::from_secs(20);

/// Why a hash was not made.
#[derive(Debug)]
pub struct Crowded;

/// Checks that a person with this login and name may choose this password.
///
/// # Errors
/// With what is wrong.
pub fn check(password: &str, login: &str, name: &str) -> Result<(), Problem> {
    let small = password.to_lowercase();
    let length = password.chars().count();
    let different: std::collections::HashSet<char> = small.chars().collect();
    let problem = |text: &str, hint: &str| Err(Problem::new(text).hint(hint));
    let longer = "three or four words that nobody connects with you are easy to remember";
    if length < SHORTEST {
        problem(&format!("the password has less than {SHORTEST} characters"), longer)
    } else if length > LONGEST {
        problem(&format!("the password has more than {LONGEST} characters"), "choose a shorter one")
    } else if small == login.to_lowercase() || small == name.to_lowercase() {
        problem("the password is your name", longer)
    } else if different.len() < FEWEST_DIFFERENT || COMMON.lines().any(|common| common == small) {
        problem("this password is one of the first that others try", longer)
    } else {
        Ok(())
    }
}

/// The hash of a password.
///
/// # Errors
/// If too many others wait for theirs.
pub async fn hash(password: String) -> Result<String, Crowded> {
    in_turn(move || secret::hash_password(&password)).await
}

/// Whether a password has this hash. Without a hash, it takes as long.
///
/// # Errors
/// If too many others wait.
pub async fn is_right(password: String, hash: Option<String>) -> Result<bool, Crowded> {
    in_turn(move || secret::is_password(&password, hash.as_deref())).await
}

async fn in_turn<T: Send + 'static>(
    work: impl FnOnce() -> T + Send + 'static,
) -> Result<T, Crowded> {
    let turn = tokio::time::timeout(PATIENCE, ROOM.acquire()).await;
    let Ok(Ok(turn)) = turn else { return Err(Crowded) };
    let done = tokio::task::spawn_blocking(move || {
        let it = work();
        drop(turn);
        it
    });
    done.await.map_err(|_| Crowded)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_password_is_long_and_not_what_others_try_first() {
        assert!(check("correct horse battery", "ann", "Ann Lee").is_ok());
        for password in
            ["short", "Password123", "aaaaaaaaaaaaaa", "ann.lee@school", "Ann Lee Smith"]
        {
            let refused = check(password, "Ann.Lee@School", "Ann Lee Smith");
            assert!(refused.is_err(), "{password}");
        }
        assert!(check(&"0123456789".repeat(21), "ann", "Ann").is_err());
    }

    #[test]
    fn each_common_password_is_long_enough_to_be_chosen() {
        let all: Vec<_> = COMMON.lines().collect();
        assert!(all.len() > 100);
        for common in all {
            assert!(
                common.chars().count() >= SHORTEST && common == common.to_lowercase(),
                "{common}"
            );
        }
    }
}
