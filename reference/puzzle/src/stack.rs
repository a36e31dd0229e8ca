//! A stack that needs about one byte per state. A depth-first search of an open map leaves half of all states on it.
//!
//! Only the top state is stored in full. Of each state below, the stack stores the step from the state above to it. That step is
//! nearly always short, because the search pushes neighbors of neighbors.

use crate::state::State;

/// A step fits in a byte if it goes at most this many rows up and columns left, or one more down and right.
const REACH: u32 = 7;
/// The initial capacity in states, which is enough for a small map.
const AT_FIRST: usize = 64;
/// The byte for a step that does not fit. The state is stored in full on a separate stack.
const FAR: u8 = u8::MAX;

pub(crate) struct Stack {
    top: Option<State>,
    steps: Vec<u8>,
    far: Vec<State>,
    stride: u32,
    /// The distance from the top back to the first cell that a byte can reach.
    behind: u32,
}

impl Stack {
    /// An empty stack for a map whose rows are `stride` cells apart.
    pub(crate) fn new(stride: u32) -> Self {
        Self {
            top: None,
            steps: Vec::with_capacity(AT_FIRST),
            far: Vec::new(),
            stride,
            behind: REACH.wrapping_mul(stride).wrapping_add(REACH),
        }
    }

    pub(crate) fn push(&mut self, state: State) {
        if let Some(below) = self.top.replace(state) {
            let step = self.step(state, below).unwrap_or(FAR);
            self.steps.push(step);
            if step == FAR {
                self.far.push(below);
            }
        }
    }

    pub(crate) fn pop(&mut self) -> Option<State> {
        let top = self.top?;
        self.top = match self.steps.pop() {
            Some(FAR) => self.far.pop(),
            Some(step) => Some(self.follow(top, step)),
            None => None,
        };
        Some(top)
    }

    /// The step between two states as a byte, if it fits.
    fn step(&self, from: State, to: State) -> Option<u8> {
        let ahead = to.cell.wrapping_sub(from.cell).wrapping_add(self.behind);
        let (rows, columns) = (ahead / self.stride, ahead % self.stride);
        (from.color == to.color && rows < 16 && columns < 16).then_some((rows << 4 | columns) as u8)
    }

    fn follow(&self, from: State, step: u8) -> State {
        let (rows, columns) = (u32::from(step >> 4), u32::from(step & 15));
        let ahead = rows * self.stride + columns;
        State { cell: from.cell.wrapping_add(ahead).wrapping_sub(self.behind), ..from }
    }
}

/// What only bugs ask about a stack.
mod bugs {
    use super::Stack;

    impl Stack {
        /// Whether there are two states or more, so that an order decides which one is taken.
        pub(crate) fn holds_several(&self) -> bool {
            !self.steps.is_empty()
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::state::Color;

    #[track_caller]
    fn check(stride: u32, states: &[(u8, u32)]) {
        let states =
            states.iter().map(|&(layer, cell)| State { color: Color::of_layer(layer), cell });
        let mut stack = Stack::new(stride);
        states.clone().for_each(|state| stack.push(state));
        for state in states.rev() {
            assert_eq!(stack.pop(), Some(state));
        }
        assert_eq!(stack.pop(), None);
    }

    #[test]
    fn states_come_back_in_reverse() {
        check(100, &[]);
        check(100, &[(0, 5)]);
        check(100, &[(0, 500), (0, 599), (0, 401), (0, 400), (0, 400)]);
    }

    #[test]
    fn far_states_and_other_colors_come_back_whole() {
        check(
            100,
            &[(0, 0), (0, 9000), (1, 9000), (2, 8999), (2, 0), (2, 1200), (2, 1), (2, 908), (2, 0)],
        );
        check(4_000_000_000, &[(0, 0), (0, 3_999_999_999), (0, 3_999_999_992), (0, 8), (0, 0)]);
        check(2, &[(0, 0), (0, 1), (0, 16), (0, 0), (0, 100), (0, 83)]);
    }
}
