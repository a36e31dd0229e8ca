//! The test of a generator: the line `seed width height`.

use crate::Flaw;

/// The seed and the size of a maze.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub(super) struct Recipe {
    pub(super) seed: u64,
    pub(super) width: u64,
    pub(super) height: u64,
}

impl Recipe {
    /// Parses a test: one line of three numbers, and any number of comments and blank lines.
    pub(super) fn read(file: &[u8]) -> Result<Self, Flaw> {
        let text = String::from_utf8_lossy(file);
        let mut lines = lines(&text);
        let flaw = |at: usize, message: String| Flaw { line: Some(at + 1), column: None, message };
        let Some((at, line)) = lines.next() else {
            return Err(flaw(0, "expected a line `seed width height`".to_owned()));
        };
        if let Some((at, _)) = lines.next() {
            return Err(flaw(at, "unexpected second line: a test describes one maze".to_owned()));
        }
        let words: Vec<&str> = line.split_whitespace().collect();
        let [seed, width, height] = words.as_slice() else {
            return Err(flaw(
                at,
                format!(
                    "expected the three numbers `seed width height`, found {} words",
                    words.len()
                ),
            ));
        };
        let number = |what: &str, word: &str, least: u64| {
            let number = word.parse().ok().filter(|number| {
                *number >= least && word.bytes().all(|byte| byte.is_ascii_digit())
            });
            number.ok_or_else(|| {
                flaw(at, format!("expected a {what} from {least} to {}, found `{word}`", u64::MAX))
            })
        };
        Ok(Self {
            seed: number("seed", seed, 0)?,
            width: number("width", width, 1)?,
            height: number("height", height, 1)?,
        })
    }

    /// The number of the line that holds the recipe.
    pub(super) fn line(file: &[u8]) -> usize {
        lines(&String::from_utf8_lossy(file)).next().map_or(1, |(at, _)| at + 1)
    }

    /// The test without comments.
    pub(super) fn write(&self) -> Vec<u8> {
        format!("{} {} {}\n", self.seed, self.width, self.height).into_bytes()
    }

    /// The number of rooms; `u64::MAX` if there are more.
    pub(super) fn rooms(&self) -> u64 {
        self.width.saturating_mul(self.height)
    }

    /// The arguments that make the generator write this maze to the file `maze`.
    pub(super) fn arguments(&self, maze: &str) -> Vec<String> {
        let size = format!("{}x{}", self.width, self.height);
        vec!["--seed".to_owned(), self.seed.to_string(), "--size".to_owned(), size, maze.to_owned()]
    }
}

/// The lines that are neither blank nor comments, numbered from 0.
fn lines(text: &str) -> impl Iterator<Item = (usize, &str)> {
    text.lines().enumerate().filter(|(_, line)| !line.trim().is_empty() && !line.starts_with("//"))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn comments_and_blanks_do_not_matter() {
        let recipe = Recipe::read(b"// a corridor\r\n\r\n 7  3\t2 \r\n// end").unwrap();
        assert_eq!(recipe, Recipe { seed: 7, width: 3, height: 2 });
        assert_eq!(recipe.write(), b"7 3 2\n");
        assert_eq!(recipe.arguments("m"), ["--seed", "7", "--size", "3x2", "m"]);
    }

    #[test]
    fn an_invalid_recipe_is_reported_with_its_line() {
        for (file, reason) in [
            ("", "line 1: expected a line `seed width height`"),
            ("// 1 2 3\n", "line 1: expected a line `seed width height`"),
            ("1 2 3\n\n4 5 6\n", "line 3: unexpected second line: a test describes one maze"),
            (
                "//\n1 25x10\n",
                "line 2: expected the three numbers `seed width height`, found 2 words",
            ),
            ("1 0 3", "line 1: expected a width from 1 to 18446744073709551615, found `0`"),
            ("-1 2 3", "line 1: expected a seed from 0 to 18446744073709551615, found `-1`"),
            ("1 2 +3", "line 1: expected a height from 1 to 18446744073709551615, found `+3`"),
        ] {
            assert_eq!(Recipe::read(file.as_bytes()).unwrap_err().to_string(), reason, "{file}");
        }
    }
}
