//! Random programs in C with loops, jumps, tables of jumps, and recursion. They end, because they have little fuel.

use std::fmt::Write;

const FUNCTIONS: u64 = 4;
const VARIABLES: u64 = 4;

struct Random {
    state: u64,
    labels: u64,
}

/// A program. It prints what it computes.
pub(super) fn program(seed: u64) -> String {
    let mut random = Random { state: seed, labels: 0 };
    let mut text = "#include <stdio.h>\nstatic int fuel = 3000;\n".to_owned();
    for function in 0..FUNCTIONS {
        writeln!(text, "int f{function}(int a, int b);").unwrap();
    }
    for function in 0..FUNCTIONS {
        // The address of a label is taken in functions that jump to one.
        let jumps = random.below(3) == 0;
        let body = random.block(3);
        let start = if jumps {
            "static void *const places[] = {&&p0, &&p1, &&p2};\n\
             p0: c += 3; if (fuel-- > 0 && d < 90) { d += 7; goto *places[(unsigned)(a + c) % 3]; }\n\
             p1: d ^= a; if (fuel-- > 0 && d < 50) { d += 5; goto *places[(unsigned)(b + d) % 3]; }\n\
             p2: a += 1;\n"
        } else {
            ""
        };
        let kind = if random.below(2) == 0 { "" } else { "__attribute__((noinline)) " };
        writeln!(
            text,
            "{kind}int f{function}(int a, int b) {{ int c = a ^ b, d = b;\n{start}{body}return a + b * 3 + c - d; }}"
        )
        .unwrap();
    }
    text + "int main(void) { int sum = 0;\n\
            for (int i = 0; i < 20; i++) { fuel = 300; sum = sum * 31 + f0(i, sum) + f1(sum, i); printf(\"%d\\n\", sum); } }\n"
}

impl Random {
    fn below(&mut self, below: u64) -> u64 {
        self.state = self
            .state
            .wrapping_mul(6_364_136_223_846_793_005)
            .wrapping_add(1_442_695_040_888_963_407);
        (self.state >> 33) % below
    }

    fn variable(&mut self) -> char {
        (b'a' + u8::try_from(self.below(VARIABLES)).unwrap()) as char
    }

    fn block(&mut self, depth: u64) -> String {
        (0..=self.below(3)).map(|_| self.statement(depth)).collect()
    }

    fn condition(&mut self) -> String {
        let (one, other, number) = (self.variable(), self.variable(), self.below(40));
        let compared = ["<", "!=", ">=", "=="][self.below(4) as usize];
        match self.below(3) {
            0 => format!("{one} {compared} {other}"),
            1 => format!("({one} & {number}) {compared} {number}"),
            _ => format!("(unsigned){one} % 7 {compared} {}", number % 7),
        }
    }

    fn statement(&mut self, depth: u64) -> String {
        let kinds = if depth == 0 { 2 } else { 9 };
        let (one, other) = (self.variable(), self.variable());
        match self.below(kinds) {
            0 => format!("{one} = (int)((unsigned){one} * 5u + (unsigned){other});\n"),
            1 => format!("{one} ^= {other} >> 2;\n"),
            2 => {
                let function = self.below(FUNCTIONS);
                format!("if (fuel-- > 0) {one} += f{function}({other}, {one});\n")
            }
            3 => format!(
                "while (fuel-- > 0 && {}) {{\n{}}}\n",
                self.condition(),
                self.block(depth - 1)
            ),
            4 => {
                let (most, body) = (self.below(20), self.block(depth - 1));
                format!("for (int i = 0; i < {most} && fuel-- > 0; i++) {{ {one} += i;\n{body}}}\n")
            }
            5 => format!(
                "do {{\n{}}} while ({} && fuel-- > 0);\n",
                self.block(depth - 1),
                self.condition()
            ),
            6 => {
                self.labels += 1;
                let label = format!("l{}", self.labels);
                let (body, condition) = (self.block(depth - 1), self.condition());
                format!("{label}:;\n{body}if ({condition} && fuel-- > 0) goto {label};\n")
            }
            7 => {
                let condition = self.condition();
                format!("if (__builtin_expect({condition}, 0)) {{\n{}}}\n", self.block(depth - 1))
            }
            _ => {
                let cases: String = (0..6)
                    .map(|case| {
                        let end = ["break;", "continue;", ""][self.below(3) as usize];
                        format!("case {case}: {}{end}\n", self.statement(depth - 1))
                    })
                    .collect();
                format!(
                    "for (; fuel-- > 0; {one}++) {{ switch ((unsigned){other} % 8) {{\n{cases}}}\nbreak; }}\n"
                )
            }
        }
    }
}
