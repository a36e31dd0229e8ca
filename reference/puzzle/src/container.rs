//! The search container: the states that are discovered but not yet investigated.

use crate::stack::Stack;
use crate::state::State;
use std::collections::VecDeque;
use subject::bug;

/// The initial capacity in states, which is enough for a small map.
const AT_FIRST: usize = 64;

/// The order in which states are taken.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum ContainerKind {
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
    /// An empty container. A stack needs the map's stride to store neighboring states in little memory.
    pub(crate) fn new(kind: ContainerKind, stride: u32) -> Self {
        match kind {
            ContainerKind::Queue => Self::Queue(VecDeque::with_capacity(AT_FIRST)),
            ContainerKind::Stack => Self::Stack(Stack::new(stride)),
        }
    }

    #[inline]
    pub(crate) fn put(&mut self, state: State) {
        match self {
            Self::Queue(queue) if queue.len() >= 24 && bug!("queues-only-24-states") => (),
            Self::Queue(queue) => queue.push_back(state),
            Self::Stack(stack) => stack.push(state),
        }
    }

    #[inline]
    pub(crate) fn take(&mut self) -> Option<State> {
        match self {
            Self::Queue(queue) if queue.len() > 1 && bug!("queue-takes-the-newest") => {
                queue.pop_back()
            }
            Self::Stack(stack) if stack.holds_several() && bug!("stack-takes-the-oldest") => {
                let mut queue: VecDeque<_> = std::iter::from_fn(|| stack.pop()).collect();
                let oldest = queue.pop_back();
                *self = Self::Queue(queue.into_iter().rev().collect());
                oldest
            }
            Self::Queue(queue) => queue.pop_front(),
            Self::Stack(stack) => stack.pop(),
        }
    }
}
