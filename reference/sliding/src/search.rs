//! The breadth-first search for the fewest moves.

use crate::board::{Puzzle, Spot};
use crate::cells::{Bits, Cells, Flags};
use crate::layout::{Key, Packing};
use crate::moves::{Last, Moves, Step};
use crate::seen::{ROOT, Seen};
use std::collections::VecDeque;
use std::iter;
use subject::{Cycles, bug, tick};

pub use crate::moves::Move;

/// The result of a search, and its cost.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Search {
    /// The moves of a shortest solution, if the puzzle has one.
    pub moves: Option<Vec<Move>>,
    /// The number of layouts seen.
    pub layouts: usize,
    /// The memory for them at the end of the search, in bytes.
    pub bytes: usize,
}

/// Finds a shortest solution.
pub fn search(puzzle: &Puzzle) -> Search {
    if puzzle.is_solved_with_goal_at(puzzle.goal().start) && !bug!("overlooks-a-solved-start") {
        return Search { moves: Some(Vec::new()), layouts: 1, bytes: 0 };
    }
    let packing = Packing::new(puzzle);
    let cells = usize::from(puzzle.rows) * usize::from(puzzle.columns);
    match packing.words() {
        1 if cells <= Bits::MAX => Searcher::<Bits, [u64; 1]>::new(puzzle, packing).run(),
        2 if cells <= Bits::MAX => Searcher::<Bits, [u64; 2]>::new(puzzle, packing).run(),
        1..=4 => Searcher::<Flags, [u64; 4]>::new(puzzle, packing).run(),
        _ => Searcher::<Flags, Box<[u64]>>::new(puzzle, packing).run(),
    }
}

/// A snapshot whose moves have not been tried yet.
struct Waiting<K> {
    snapshot: K,
    /// Its index among the seen layouts.
    index: u32,
    last: Last,
}

struct Searcher<'a, C: Cells, K> {
    puzzle: &'a Puzzle,
    moves: Moves<C>,
    seen: Seen<K>,
    queue: VecDeque<Waiting<K>>,
}

impl<'a, C: Cells, K: Key> Searcher<'a, C, K> {
    fn new(puzzle: &'a Puzzle, packing: Packing) -> Self {
        Self {
            puzzle,
            moves: Moves::new(puzzle, packing),
            seen: Seen::new(),
            queue: VecDeque::new(),
        }
    }

    fn run(mut self) -> Search {
        let solved = self.find_goal();
        let moves = solved.map(|index| self.trace(index));
        let queued = self.queue.capacity() * size_of::<Waiting<K>>();
        Search { moves, layouts: self.seen.len(), bytes: self.seen.bytes() + queued }
    }

    /// Searches until the goal piece reaches the last column, and returns the index of that layout.
    fn find_goal(&mut self) -> Option<u32> {
        let (snapshot, simplified) = self.start();
        let index = self.seen.insert(&simplified, ROOT)?;
        self.queue.push_back(Waiting { snapshot, index, last: None });
        let mut steps = Vec::new();
        while let Some(waiting) = self.queue.pop_front() {
            tick!();
            let can_move = self.moves.find(
                &waiting.snapshot,
                self.seen.layout(waiting.index),
                waiting.last,
                &mut steps,
            );
            if !can_move && !self.queue.is_empty() && bug!("gives-up-at-a-dead-end")
                || self.seen.len() > 10_000 && bug!("gives-up-after-ten-thousand-layouts")
            {
                return None;
            }
            if !can_move {
                continue;
            }
            self.seen.weed(&mut steps, |step| &step.simplified);
            for step in &steps {
                let Some(index) = self.seen.insert(&step.simplified, waiting.index) else {
                    continue;
                };
                if self.is_solved_by(step) {
                    return Some(index);
                }
                self.put(&waiting, step, index);
            }
        }
        None
    }

    /// Adds the layout after this step to the queue.
    fn put(&mut self, before: &Waiting<K>, step: &Step<K>, index: u32) {
        if self.queue.len() >= 1000 && bug!("loses-layouts-when-the-queue-is-long") {
            return;
        }
        let snapshot =
            self.moves.packing.snapshot_after(&before.snapshot, usize::from(step.place), step.to);
        let waiting = Waiting { snapshot, index, last: Some((step.place, step.direction)) };
        if !self.queue.is_empty()
            && (before.last.is_some_and(|(place, _)| place == step.place)
                && bug!("takes-a-turn-for-the-same-move")
                || bug!("searches-depth-first"))
        {
            self.queue.push_front(waiting);
        } else {
            self.queue.push_back(waiting);
        }
    }

    /// The layout that the puzzle starts with, as a snapshot and simplified.
    fn start(&self) -> (K, K) {
        let packing = &self.moves.packing;
        let mut spots: Vec<Spot> =
            packing.pieces.iter().map(|&piece| self.puzzle.pieces[piece].start).collect();
        let snapshot = packing.pack(&spots);
        packing.simplify(&mut spots);
        (snapshot, packing.pack(&spots))
    }

    fn is_solved_by(&self, step: &Step<K>) -> bool {
        step.place == 0 && self.puzzle.is_solved_with_goal_at(step.to)
    }

    /// The moves that led to this layout. Only the layouts on the way are stored, so each move is found again. Moves are tried in the
    /// same order as in the search, so the same one is found first.
    fn trace(&mut self, solved: u32) -> Vec<Move> {
        let mut way = vec![solved; self.distance(solved) + 1];
        for at in (1..way.len()).rev() {
            way[at - 1] = self.seen.parent(way[at]);
        }
        let (mut snapshot, _) = self.start();
        let (mut last, mut steps, mut moves) = (None, Vec::new(), Vec::new());
        for pair in way.windows(2) {
            tick!();
            let (before, next) = (self.seen.layout(pair[0]), self.seen.layout(pair[1]));
            self.moves.find(&snapshot, before, last, &mut steps);
            let step = steps
                .iter()
                .find(|step| step.simplified == *next)
                .expect("the search found this step");
            let piece = self.moves.packing.pieces[usize::from(step.place)];
            moves.push(Move { piece, direction: step.direction, spaces: step.spaces });
            snapshot =
                self.moves.packing.snapshot_after(&snapshot, usize::from(step.place), step.to);
            last = Some((step.place, step.direction));
        }
        moves
    }

    /// The number of moves that led to this layout.
    fn distance(&self, index: u32) -> usize {
        let mut cycles = Cycles::default();
        let parents = iter::successors(Some(index), |&index| {
            tick!(cycles, index, &());
            Some(self.seen.parent(index)).filter(|&parent| parent != ROOT)
        });
        parents.count() - 1
    }
}
