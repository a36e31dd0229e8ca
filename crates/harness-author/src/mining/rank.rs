//! Rank correlations, with intervals. Pure.

/// A rank correlation of pairs of numbers.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Correlation {
    /// The number of pairs.
    pub pairs: usize,
    /// Spearman's coefficient, from -1 to 1.
    pub rho: f64,
    /// The interval that has the true coefficient in it in 95 of 100 classes. `None` if there are fewer than four pairs.
    pub interval: Option<(f64, f64)>,
}

/// Spearman's rank correlation. Its interval is Fisher's, with the standard error of Bonett and Wright for ranks. `None` if the numbers
/// of one side are all the same.
pub fn correlation(pairs: &[(usize, usize)]) -> Option<Correlation> {
    let one = ranks(&pairs.iter().map(|pair| pair.0).collect::<Vec<_>>());
    let other = ranks(&pairs.iter().map(|pair| pair.1).collect::<Vec<_>>());
    // The mean of all ranks, with the same rank for equal numbers.
    let mean = f64::midpoint(pairs.len() as f64, 1.0);
    let sum = |of: &dyn Fn(f64, f64) -> f64| -> f64 {
        one.iter().zip(&other).map(|(a, b)| of(a - mean, b - mean)).sum()
    };
    let spread = (sum(&|a, _| a * a) * sum(&|_, b| b * b)).sqrt();
    let rho = (sum(&|a, b| a * b) / spread).clamp(-1.0, 1.0);
    (spread > 0.0).then(|| Correlation {
        pairs: pairs.len(),
        rho,
        interval: interval(rho, pairs.len()),
    })
}

fn interval(rho: f64, pairs: usize) -> Option<(f64, f64)> {
    /// Of the normal distribution, 95 percent are within so many standard deviations.
    const DEVIATIONS: f64 = 1.96;
    let free = pairs.checked_sub(3).filter(|free| *free > 0)? as f64;
    let reach = DEVIATIONS * ((1.0 + rho * rho / 2.0) / free).sqrt();
    let transformed = rho.atanh();
    Some(((transformed - reach).tanh(), (transformed + reach).tanh()))
}

/// The rank of each number, from 1. Equal numbers have the mean of their ranks.
fn ranks(numbers: &[usize]) -> Vec<f64> {
    let rank = |number: &usize| {
        let lower = numbers.iter().filter(|other| *other < number).count() as f64;
        let same = numbers.iter().filter(|other| *other == number).count() as f64;
        lower + f64::midpoint(same, 1.0)
    };
    numbers.iter().map(rank).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn equal_numbers_share_a_rank() {
        assert_eq!(ranks(&[5, 1, 5, 9]), [2.5, 1.0, 2.5, 4.0]);
    }

    #[test]
    fn the_coefficient_is_that_of_the_textbooks() {
        // Hours of television and intelligence: the example of many textbooks, with -29/165.
        let intelligence = [106, 86, 100, 101, 99, 103, 97, 113, 112, 110];
        let hours = [7, 0, 27, 50, 28, 29, 20, 12, 6, 17];
        let pairs: Vec<_> = intelligence.into_iter().zip(hours).collect();
        let found = correlation(&pairs).unwrap();
        assert!((found.rho + 29.0 / 165.0).abs() < 1e-12, "{found:?}");
        let (low, high) = found.interval.unwrap();
        assert!((low + 0.725).abs() < 0.01 && (high - 0.515).abs() < 0.01, "{found:?}");
    }

    #[test]
    fn few_pairs_have_no_interval_and_equal_numbers_no_correlation() {
        assert_eq!(correlation(&[(1, 2), (2, 3), (3, 4)]).unwrap().interval, None);
        assert_eq!(correlation(&[(1, 2), (1, 3), (1, 4)]), None);
        assert_eq!(correlation(&[]), None);
    }
}
