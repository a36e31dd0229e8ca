//! Orders mutants by the sets of cases that expose them. Pure.
//!
//! A mutant *implies* another (in the literature: subsumes it) if every case that exposes it exposes the other too. Mutants that imply
//! each other are *twins*: no case that was tried distinguishes them. *Dominators* are mutants that no other implies: a suite that
//! exposes all dominators exposes all mutants.

use subject::IndexSet;

/// A set of cases, by number.
pub type Cases = IndexSet;

/// The order of mutants by implication.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Order {
    /// The exposed mutants by index, with twins in one class.
    pub classes: Vec<Vec<usize>>,
    /// Pairs of classes by index, of which the first implies the second directly, with no class between them.
    pub implies: Vec<(usize, usize)>,
    /// The mutants that no case exposes, by index.
    pub unexposed: Vec<usize>,
}

impl Order {
    /// Orders mutants by the cases that expose each.
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
        // Implication is transitive, so one class between two is enough to know.
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
        numbers.iter().copied().collect()
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
