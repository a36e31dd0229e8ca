//! A part of a class, for one of several machines.

use std::fmt;
use std::str::FromStr;

/// The part `number` of `count`, from 1.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Shard {
    number: usize,
    count: usize,
}

impl Shard {
    /// Whether the item `at` is in this part.
    pub fn has(self, at: usize) -> bool {
        at % self.count == self.number - 1
    }
}

impl FromStr for Shard {
    type Err = String;

    fn from_str(text: &str) -> Result<Self, String> {
        let numbers = text.split_once('/').and_then(|(number, count)| {
            Some((number.parse::<usize>().ok()?, count.parse::<usize>().ok()?))
        });
        match numbers {
            Some((number, count)) if (1..=count).contains(&number) => Ok(Self { number, count }),
            _ => Err("a shard is a number and how many there are, such as 2/8".to_owned()),
        }
    }
}

impl fmt::Display for Shard {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}/{}", self.number, self.count)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_item_is_in_one_shard() {
        let shards: Vec<Shard> = (1..=3).map(|at| format!("{at}/3").parse().unwrap()).collect();
        for at in 0..10 {
            assert_eq!(shards.iter().filter(|shard| shard.has(at)).count(), 1);
        }
        for wrong in ["", "1", "0/3", "4/3", "a/b", "1/0", "-1/3"] {
            assert!(wrong.parse::<Shard>().is_err(), "{wrong}");
        }
    }
}
