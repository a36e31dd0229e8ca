//! Random boards of several kinds, as a `proptest` strategy. The tree of a board is a list of smaller boards.
//!
//! A search takes longer with more pieces and more room to move, so nearly all boards have few layouts. Many start in the layout that
//! is the farthest from a solution, because such boards expose more.

use super::board::{Board, Piece, Style};
use super::effort::{MANY_LAYOUTS, effort, limit_layouts, long_effort};
use super::layouts::Layouts;
use super::smaller;
use crate::tree::Tree;
use fastrand::Rng;
use proptest::prelude::Rng as _;
use proptest::strategy::{NewTree, Strategy};
use proptest::test_runner::TestRunner;
use std::ops::RangeInclusive;

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum BoardKind {
    Cars,
    Tight,
    Loose,
    Mixed,
    Tiles,
    Faulty,
    Gates,
    Deep,
}

pub(super) const KINDS: [BoardKind; 8] = [
    BoardKind::Cars,
    BoardKind::Tight,
    BoardKind::Loose,
    BoardKind::Mixed,
    BoardKind::Tiles,
    BoardKind::Faulty,
    BoardKind::Gates,
    BoardKind::Deep,
];
pub(super) const KIND_NAMES: [&str; 8] =
    ["cars", "tight", "loose", "mixed", "tiles", "faulty", "gates", "deep"];

/// The rows and columns of tight boards.
const TIGHT: [(i32, i32); 6] = [(4, 5), (5, 4), (4, 4), (3, 5), (3, 4), (4, 3)];
/// Of so many tight boards, one is taken.
const TRIED: usize = 6;

/// Boards of every kind, with at most this many rows, columns and pieces.
#[derive(Clone, Debug)]
pub(super) struct Boards {
    pub(super) rows: i32,
    pub(super) columns: i32,
    pub(super) pieces: usize,
    /// Whether a program may get CRLF line ends.
    pub(super) crlf: bool,
}

impl Strategy for Boards {
    type Value = Board;
    type Tree = Tree<Board>;

    fn new_tree(&self, runner: &mut TestRunner) -> NewTree<Self> {
        Ok(Tree::new(self.draw(&mut Rng::with_seed(runner.rng().next_u64())), smaller::steps))
    }
}

impl Boards {
    /// A random board of a random kind. Some have a piece that must be discarded.
    pub(super) fn draw(&self, rng: &mut Rng) -> Board {
        let mut board = self.draw_kind(KINDS[rng.usize(..KINDS.len())], rng);
        if rng.u8(..4) == 0 {
            self.spoil(&mut board, rng);
        }
        board
    }

    pub(super) fn draw_kind(&self, kind: BoardKind, rng: &mut Rng) -> Board {
        let mut board = match kind {
            BoardKind::Cars => self.cars(rng),
            BoardKind::Tight => self.tight(rng, &TIGHT, 1..=2),
            BoardKind::Loose | BoardKind::Faulty => self.loose(rng),
            BoardKind::Mixed => self.mixed(rng),
            BoardKind::Tiles => self.tiles(rng),
            BoardKind::Gates => self.gates(rng),
            BoardKind::Deep => self.deep(rng),
        };
        board.pieces.truncate(self.pieces);
        if kind != BoardKind::Deep {
            let most = if kind == BoardKind::Gates { long_effort(rng) } else { effort(rng) };
            let layouts = limit_layouts(&mut board, rng, most);
            if (kind == BoardKind::Gates || rng.bool())
                && let Some((_, pieces)) = layouts.and_then(|layouts| layouts.farthest())
            {
                board.pieces = pieces;
            }
        }
        if board.pieces.is_empty() {
            board.pieces.push(Piece::new(1, 1, 1, 1, b'h'));
        }
        if kind == BoardKind::Faulty {
            for _ in 0..rng.usize(1..=4) {
                self.spoil(&mut board, rng);
            }
        }
        board.style = self.style(rng);
        board
    }

    /// Cars in their lanes, as in Rush Hour.
    fn cars(&self, rng: &mut Rng) -> Board {
        let mut board = self.empty(rng, 3..=6);
        let goal = Piece::new(rng.i32(1..=board.rows), 1, rng.i32(1..=2), 1, b'h');
        add(&mut board, goal);
        for _ in 0..rng.usize(3..25) {
            let (length, is_wide) = (rng.i32(1..=3), rng.bool());
            let (width, height) = if is_wide { (length, 1) } else { (1, length) };
            let along = if is_wide { b'h' } else { b'v' };
            let direction = if rng.u8(..10) == 0 { direction(rng) } else { along };
            let shape = Piece::new(
                rng.i32(1..=board.rows),
                rng.i32(1..=board.columns),
                width,
                height,
                direction,
            );
            add(&mut board, shape);
        }
        board
    }

    /// Pieces of one and two cells that can move in every direction but have very little room, as in Klotski. With few holes, no search
    /// is long, but some solutions are.
    fn tight(&self, rng: &mut Rng, sizes: &[(i32, i32)], holes: RangeInclusive<usize>) -> Board {
        let (rows, columns) = sizes[rng.usize(..sizes.len())];
        let mut board = Self::sized(rows.min(self.rows), columns.min(self.columns));
        let (width, height) = [(2, 2), (1, 2), (1, 2), (2, 1)][rng.usize(..4)];
        let goal = Piece::new(rng.i32(1..=board.rows), rng.i32(1..=2), width, height, b'b');
        add(&mut board, goal);
        fill(&mut board, rng, 2, |rng| if rng.u8(..12) == 0 { direction(rng) } else { b'b' });
        let holes = rng.usize(holes);
        open(&mut board, rng, holes);
        board.pieces.truncate(self.pieces);
        board
    }

    /// A tight board whose search or solution is long.
    fn deep(&self, rng: &mut Rng) -> Board {
        let board = if rng.u8(..8) == 0 { self.long_search(rng) } else { self.long_solution(rng) };
        board.unwrap_or_else(|| Self::sized(1, 1))
    }

    /// The one of several tight boards whose solution takes the most moves.
    fn long_solution(&self, rng: &mut Rng) -> Option<Board> {
        let most = long_effort(rng);
        let tried = (0..TRIED).filter_map(|_| {
            let board = self.tight(rng, &TIGHT, 2..=3);
            let (moves, pieces) = Layouts::of(&board, most)?.farthest()?;
            Some((moves, Board { pieces, ..board }))
        });
        tried.max_by_key(|(moves, _)| *moves).map(|(_, board)| board)
    }

    /// A board that reaches many layouts. With 20 cells, nearly all reach too few or too many.
    fn long_search(&self, rng: &mut Rng) -> Option<Board> {
        (0..TRIED).find_map(|_| {
            let board = self.tight(rng, &[(4, 4), (3, 5)], 3..=5);
            let layouts = Layouts::of(&board, *MANY_LAYOUTS.end())?;
            if layouts.count() < *MANY_LAYOUTS.start() {
                return None;
            }
            let (_, pieces) = layouts.farthest()?;
            Some(Board { pieces, ..board })
        })
    }

    /// Few pieces on a small grid.
    fn loose(&self, rng: &mut Rng) -> Board {
        let mut board = self.empty(rng, 1..=5);
        for _ in 0..rng.usize(1..=9) {
            let shape = Piece::new(
                rng.i32(1..=board.rows),
                rng.i32(1..=board.columns),
                rng.i32(1..=3).min(rng.i32(1..=3)),
                rng.i32(1..=3).min(rng.i32(1..=3)),
                direction(rng),
            );
            add(&mut board, shape);
        }
        board
    }

    /// Pieces of every shape and direction in little room.
    fn mixed(&self, rng: &mut Rng) -> Board {
        let mut board = self.empty(rng, 2..=4);
        let goal =
            Piece::new(rng.i32(1..=board.rows), 1, rng.i32(1..=2), rng.i32(1..=2), direction(rng));
        add(&mut board, goal);
        fill(&mut board, rng, 3, direction);
        let holes = rng.usize(1..=4);
        open(&mut board, rng, holes);
        board
    }

    /// A goal piece whose way is blocked by many pieces, each in a lane of its own. The search is broad.
    fn gates(&self, rng: &mut Rng) -> Board {
        let mut board = self.empty(rng, 5..=6);
        let row = rng.i32(1..=board.rows);
        add(&mut board, Piece::new(row, 1, 1, 1, b'h'));
        for column in 2..=board.columns {
            let height = rng.i32(1..=2);
            add(&mut board, Piece::new(rng.i32(row - height + 1..=row), column, 1, height, b'v'));
        }
        for row in 1..=board.rows {
            add(&mut board, Piece::new(row, 1, rng.i32(1..=2), 1, b'h'));
        }
        board
    }

    /// Many pieces of one cell.
    fn tiles(&self, rng: &mut Rng) -> Board {
        let mut board = self.empty(rng, 3..=5);
        let goal = Piece::new(rng.i32(1..=board.rows), 1, 1, 1, direction(rng));
        add(&mut board, goal);
        fill(&mut board, rng, 1, |rng| if rng.u8(..8) == 0 { direction(rng) } else { b'b' });
        let holes = rng.usize(1..=2);
        open(&mut board, rng, holes);
        board
    }

    fn empty(&self, rng: &mut Rng, sides: RangeInclusive<i32>) -> Board {
        Self::sized(rng.i32(sides.clone()).min(self.rows), rng.i32(sides).min(self.columns))
    }

    fn sized(rows: i32, columns: i32) -> Board {
        Board { rows, columns, pieces: Vec::new(), style: Style::default() }
    }

    pub(super) fn style(&self, rng: &mut Rng) -> Style {
        Style {
            blank_line_at: (rng.u8(..8) == 0).then(|| rng.usize(1..=3)),
            wide: rng.u8(..16) == 0,
            crlf: self.crlf && rng.u8(..16) == 0,
            no_final_newline: rng.u8(..16) == 0,
        }
    }

    /// Inserts a piece that must be discarded, or makes a later one overlap it.
    pub(super) fn spoil(&self, board: &mut Board, rng: &mut Rng) {
        let (rows, columns) = (board.rows, board.columns);
        let mut piece = Piece::new(rng.i32(1..=rows), rng.i32(1..=columns), 1, 1, direction(rng));
        match rng.u8(..10) {
            0 => piece.row = [0, -1, rows + 1][rng.usize(..3)],
            1 => piece.column = [0, -1, columns + 1][rng.usize(..3)],
            2 => piece.width = columns - piece.column + 2,
            3 => piece.height = rows - piece.row + 2,
            4 => piece.width = rng.i32(-1..=0),
            5 => piece.height = rng.i32(-1..=0),
            6 => piece.direction = *rng.choice(b"xHVBN0").unwrap_or(&b'x'),
            _ => {
                // It is likely to overlap another piece.
                piece.height = rng.i32(1..=rows - piece.row + 1);
                piece.width = rng.i32(1..=columns - piece.column + 1);
            }
        }
        if board.pieces.len() < self.pieces {
            board.pieces.insert(rng.usize(..=board.pieces.len()), piece);
        }
    }
}

pub(super) fn direction(rng: &mut Rng) -> u8 {
    b"hvbbn"[rng.usize(..5)]
}

/// Adds a piece if it is inside the grid and overlaps no other.
pub(super) fn add(board: &mut Board, piece: Piece) {
    if piece.is_inside(board.rows, board.columns)
        && !board.pieces.iter().any(|other| other.overlaps(&piece))
    {
        board.pieces.push(piece);
    }
}

/// Covers all free cells with pieces of one row or column that are up to `longest` cells long. Few have only one cell.
fn fill(board: &mut Board, rng: &mut Rng, longest: i32, direction: fn(&mut Rng) -> u8) {
    for row in 1..=board.rows {
        for column in 1..=board.columns {
            let length = if rng.u8(..4) == 0 { 1 } else { rng.i32(2.min(longest)..=longest) };
            let (across, down) = ((length, 1), (1, length));
            // If one does not fit, the next one is tried.
            for (width, height) in
                if rng.bool() { [across, down, (1, 1)] } else { [down, across, (1, 1)] }
            {
                add(board, Piece::new(row, column, width, height, direction(rng)));
            }
        }
    }
}

/// Removes pieces, small ones if possible, until this many cells are free. The goal piece stays.
fn open(board: &mut Board, rng: &mut Rng, holes: usize) {
    let mut free = board.area()
        - board.pieces.iter().map(|piece| (piece.width * piece.height) as usize).sum::<usize>();
    while free < holes && board.pieces.len() > 1 {
        let cells = |piece: &Piece| (piece.width * piece.height) as usize;
        let small: Vec<_> = (1..board.pieces.len())
            .filter(|&at| free + cells(&board.pieces[at]) <= holes)
            .collect();
        let at = rng.choice(&small).copied().unwrap_or(1);
        free += cells(&board.pieces.remove(at));
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use fastrand::Rng;
    use proptest::prelude::*;
    use proptest::strategy::ValueTree;

    fn boards() -> Boards {
        Boards { rows: 8, columns: 8, pieces: 20, crlf: true }
    }

    fn is_fine(board: &Board) -> bool {
        (1..=8).contains(&board.rows)
            && (1..=8).contains(&board.columns)
            && (1..=20).contains(&board.pieces.len())
    }

    proptest! {
        #![proptest_config(ProptestConfig::with_cases(40))]
        #[test]
        fn every_board_and_its_neighbours_are_within_the_limits_and_can_be_read_back(board in boards(), seed: u64) {
            prop_assert!(is_fine(&board));
            let near = boards().neighbour(&board, &mut fastrand::Rng::with_seed(seed));
            prop_assert!(is_fine(&near));
            let plain = Board { style: Style::default(), ..near };
            prop_assert_eq!(Board::read(&plain.render()).unwrap(), plain);
        }

        #[test]
        fn boards_on_the_smallest_grid_can_be_drawn(board in Boards { rows: 1, columns: 1, pieces: 1, crlf: false }) {
            prop_assert_eq!((board.rows, board.columns, board.pieces.len()), (1, 1, 1));
        }
    }

    #[test]
    fn every_kind_of_line_and_style_is_drawn() {
        let mut rng = Rng::with_seed(1);
        let drawn: Vec<_> = (0..2000).map(|_| boards().draw(&mut rng)).collect();
        let has = |is: &dyn Fn(&Board) -> bool| drawn.iter().any(is);
        assert!(
            has(&|board| board.valid().len() < board.pieces.len())
                && has(&|board| board.valid().len() > 16)
        );
        assert!(
            has(&|board| !board.pieces[0].has_direction())
                && has(&|board| board.style.blank_line_at.is_some())
        );
        assert!(has(&|board| board.style.crlf) && has(&|board| board.style.no_final_newline));
    }

    #[test]
    fn a_board_with_a_long_search_reaches_many_layouts() {
        let mut rng = Rng::with_seed(1);
        let board = (0..10).find_map(|_| boards().long_search(&mut rng)).unwrap();
        let layouts = Layouts::of(&board, *MANY_LAYOUTS.end()).unwrap();
        assert!(MANY_LAYOUTS.contains(&layouts.count()), "{}", layouts.count());
    }

    #[test]
    fn a_tree_finds_the_smallest_board_that_still_has_an_overlap() {
        let mut runner = TestRunner::deterministic();
        let overlaps = |board: &Board| {
            let inside = board.pieces.iter().filter(|piece| {
                piece.is_inside(board.rows, board.columns) && piece.has_direction()
            });
            inside.count() > board.valid().len()
        };
        let mut tree = loop {
            let tree = boards().new_tree(&mut runner).unwrap();
            if overlaps(&tree.current()) {
                break tree;
            }
        };
        let mut smaller = tree.simplify();
        while smaller {
            smaller = if overlaps(&tree.current()) { tree.simplify() } else { tree.complicate() };
        }
        assert_eq!(tree.current().render(), b"1 1\n1 1 1 1 n\n1 1 1 1 n\n");
    }
}
