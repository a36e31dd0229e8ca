//! Prints the sum (`--sum`) or the largest (`--max`) of the numbers on standard input, one on each line.

use std::io::Read;

fn largest(numbers: &[i64]) -> i64 {
    let mut result = numbers[0];
    for at in 0..numbers.len() {
        result = result.max(numbers[at]);
    }
    result
}

fn main() {
    let mut input = String::new();
    std::io::stdin().read_to_string(&mut input).expect("the input is text");
    let numbers: Vec<i64> =
        input.split_whitespace().map(|word| word.parse().expect("it is a number")).collect();
    let option = std::env::args().nth(1).unwrap_or_default();
    if option == "--sum" || option == "-s" {
        println!("{}", numbers.iter().sum::<i64>());
    } else {
        println!("{}", largest(&numbers));
    }
}
