//! Which mutants are exposed along with which: mutants ordered by the cases that expose them. Pure.
//!
//! A mutant *implies* another where every case that exposes it exposes the other too, so that whoever finds it finds both. Mutants that
//! imply each other are *twins*: on the cases that were tried, nothing tells them apart. The *dominators* are those that no other
//! implies: a suite that exposes all of them exposes all.

/// A set of cases, by number.
#[derive(Clone, Debug, Default, PartialEq, Eq, PartialOrd, Ord)]
pub struct Cases {
    words: Vec<u64>,
    count: usize,
}

impl Cases {
    /// Adds a case with a higher number than any before it.
    pub fn insert(&mut self, case: usize) {
        self.words.resize(case / 64 + 1, 0);
        self.words[case / 64] |= 1 << (case % 64);
        self.count += 1;
    }

    /// How many there are.
    pub fn len(&self) -> usize {
        self.count
    }

    /// Whether there is none.
    pub fn is_empty(&self) -> bool {
        self.count == 0
    }

    /// Whether each of these is in `other`.
    pub fn is_subset(&self, other: &Self) -> bool {
        self.words
            .iter()
            .enumerate()
            .all(|(at, word)| word & !other.words.get(at).copied().unwrap_or(0) == 0)
    }
}

/// The order of the mutants.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Order {
    /// The mutants that some case exposes, twins together, each by its index.
    pub classes: Vec<Vec<usize>>,
    /// Which class implies which other directly, with none between them, by index into the classes.
    pub implies: Vec<(usize, usize)>,
    /// The mutants that no case exposes.
    pub unexposed: Vec<usize>,
}

impl Order {
    /// The order of mutants that these cases expose.
    pub fn new(killers: &[&Cases]) -> Self {
        let mut classes: Vec<Vec<usize>> = Vec::new();
        let mut unexposed = Vec::new();
        for (mutant, cases) in killers.iter().enumerate() {
            if cases.is_empty() {
                unexposed.push(mutant);
                continue;
            }
            match classes.iter_mut().find(|class| killers[class[0]] == *cases) {
                Some(class) => class.push(mutant),
                None => classes.push(vec![mutant]),
            }
        }
        let is_above =
            |a: usize, b: usize| a != b && killers[classes[a][0]].is_subset(killers[classes[b][0]]);
        let all = 0..classes.len();
        let below: Vec<Vec<usize>> =
            all.clone().map(|a| all.clone().filter(|&b| is_above(a, b)).collect()).collect();
        // Implication is transitive, so what is between can be asked directly.
        let is_direct = |a: usize, b: usize| {
            !below[a].iter().any(|&between| between != b && below[between].contains(&b))
        };
        let direct = |a: usize| {
            below[a]
                .iter()
                .filter(move |&&b| is_direct(a, b))
                .map(move |&b| (a, b))
                .collect::<Vec<_>>()
        };
        let implies = all.flat_map(direct).collect();
        Self { classes, implies, unexposed }
    }

    /// The classes that no other implies.
    pub fn dominators(&self) -> impl Iterator<Item = usize> + '_ {
        (0..self.classes.len())
            .filter(|class| !self.implies.iter().any(|(_, implied)| implied == class))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn cases(numbers: &[usize]) -> Cases {
        let mut cases = Cases::default();
        for &number in numbers {
            cases.insert(number);
        }
        cases
    }

    #[test]
    fn twins_are_one_class_and_only_direct_implications_stay() {
        let killers = [
            cases(&[1, 100]),
            cases(&[0, 1, 2, 100]),
            cases(&[1, 100]),
            cases(&[]),
            cases(&[100]),
            cases(&[7]),
        ];
        let order = Order::new(&killers.iter().collect::<Vec<_>>());
        assert_eq!(order.classes, [vec![0, 2], vec![1], vec![4], vec![5]]);
        assert_eq!(order.implies, [(0, 1), (2, 0)], "that 4 implies 1 follows");
        assert_eq!(order.dominators().collect::<Vec<_>>(), [2, 3]);
        assert_eq!(order.unexposed, [3]);
    }
}
