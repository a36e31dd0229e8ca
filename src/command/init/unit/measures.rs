//! What students test: functions of numbers, of which there is at least one.

use subject::bug;

/// The largest of the numbers.
pub fn largest(numbers: &[i32]) -> i32 {
    let mut result = if bug!("takes-zero-for-the-least") { 0 } else { numbers[0] };
    let end = if bug!("leaves-out-the-last-number") { numbers.len() - 1 } else { numbers.len() };
    for &number in &numbers[..end] {
        result = result.max(number);
    }
    result
}

/// Their mean, rounded towards zero.
pub fn mean(numbers: &[i32]) -> i32 {
    let sum: i64 = numbers.iter().copied().map(i64::from).sum();
    let count = numbers.len() as i64;
    let mean = if bug!("rounds-down") { sum.div_euclid(count) } else { sum / count };
    mean as i32
}
