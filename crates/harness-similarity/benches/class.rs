//! A class of 1,000 works of about 600 lines, of which some are copies that were changed: reading them into symbols, and comparing all.

use harness_similarity::{Given, Language, Settings, Work, compare};
use std::fmt::Write;
use std::time::Instant;

const WORKS: usize = 1000;

fn main() {
    let sources: Vec<_> = (0..WORKS as u64).map(source).collect();
    let bytes: usize = sources.iter().map(String::len).sum();
    let start = Instant::now();
    let given = Given::default();
    let read =
        |source: &String| Work::read([("main.cpp", source.as_bytes())], Language::of, &given);
    let works: Vec<_> = sources.iter().map(read).collect();
    let (read, start) = (start.elapsed(), Instant::now());
    let found = compare(&works, WORKS, &given, &Settings::default());
    let compared = start.elapsed();
    #[expect(clippy::print_stdout, reason = "what a benchmark is for")]
    {
        println!(
            "{WORKS} works of {} bytes on average, {} pairs alike",
            bytes / WORKS,
            found.pairs.len()
        );
        println!("reading   {:.2} s", read.as_secs_f64());
        println!("comparing {:.2} s", compared.as_secs_f64());
    }
}

/// A work. Every tenth has half of the functions of the one before.
fn source(number: u64) -> String {
    let mut source = String::new();
    for part in 0..40_u64 {
        let is_copied = number % 10 == 9 && part % 2 == 0;
        let seed = if is_copied { number - 1 } else { number } * 100 + part;
        function(&mut fastrand::Rng::with_seed(seed), &mut source);
    }
    source
}

/// A function of statements as students write them, from few kinds, so that works have much in common by chance.
fn function(random: &mut fastrand::Rng, out: &mut String) {
    const KINDS: [&str; 12] = [
        "for (int i = 0; i < n; ++i) {",
        "if (a < b && !done[i]) {",
        "while (!queue.empty()) {",
        "}",
        "}",
        "total += values[i] * 2;",
        "std::cout << total << '\\n';",
        "const auto &next = grid[row][column];",
        "queue.push_back({ row, column });",
        "return total;",
        "int count = 0;",
        "if (x == y) continue;",
    ];
    let _ = writeln!(out, "int f{}(int n, std::vector<int> &values) {{", random.u16(..));
    for _ in 0..14 {
        let _ = writeln!(out, "    {}", KINDS[random.usize(..KINDS.len())]);
    }
    out.push_str("}\n\n");
}
