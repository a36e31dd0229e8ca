//! The search container: states that are discovered and not yet investigated. It can be put to and taken from, and nothing else.

use crate::stack::Stack;
use crate::state::State;
use std::collections::VecDeque;
use subject::bug;

/// For how many states there is room at first, which is enough for a small map.
const AT_FIRST: usize = 64;

/// What a search container behaves like.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Kind {
    /// The oldest state is taken.
    Queue,
    /// The newest state is taken.
    Stack,
}

/// States to investigate.
pub(crate) enum Container {
    /// Takes the oldest.
    Queue(VecDeque<State>),
    /// Takes the newest.
    Stack(Stack),
}

impl Container {
    /// An empty container. The map's stride lets a stack store neighbors in little room.
    pub(crate) fn new(kind: Kind, stride: u32) -> Self {
        match kind {
            Kind::Queue if bug!("queue-takes-the-newest") => Self::Stack(Stack::new(stride)),
            Kind::Stack if bug!("stack-takes-the-oldest") => {
                Self::Queue(VecDeque::with_capacity(AT_FIRST))
            }
            Kind::Queue => Self::Queue(VecDeque::with_capacity(AT_FIRST)),
            Kind::Stack => Self::Stack(Stack::new(stride)),
        }
    }

    /// Adds a state.
    #[inline]
    pub(crate) fn put(&mut self, state: State) {
        match self {
            Self::Queue(queue) if queue.len() >= 24 && bug!("queues-only-24-states") => (),
            Self::Queue(queue) => queue.push_back(state),
            Self::Stack(stack) => stack.push(state),
        }
    }

    /// Removes the next state.
    #[inline]
    pub(crate) fn take(&mut self) -> Option<State> {
        match self {
            Self::Queue(queue) => queue.pop_front(),
            Self::Stack(stack) => stack.pop(),
        }
    }
}
