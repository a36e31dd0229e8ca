//! The HTML page of option `-h`: the report, with a table for each grid and a numbered list of the moves.
//!
//! A piece is one cell of its table. The cell spans the rows and columns that the piece covers.

use crate::report::{Grid, Report};
use std::fmt;
use subject::bug;

const HEAD: &str = "\
<!DOCTYPE html>
<html lang=\"en\">
<head>
<meta charset=\"utf-8\">
<title>Sliding block puzzle</title>
<style>
body { font-family: sans-serif; margin: 2em; }
table { border: 3px solid #333; border-collapse: collapse; table-layout: fixed; }
col { width: 2.5em; }
tr { height: 2.5em; }
td { background: #eee; text-align: center; }
td.piece { background: #9cd; border: 2px solid #333; }
td.goal { background: #e75; }
</style>
</head>
<body>
<h1>Sliding block puzzle</h1>
";

/// A report as a page.
pub(crate) struct Page<'a>(pub(crate) &'a Report<'a>);

impl fmt::Display for Page<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Self(report) = self;
        f.write_str(HEAD)?;
        write_list(f, "ul", report.messages)?;
        writeln!(f, "<h2>Start</h2>")?;
        write_table(f, &report.start)?;
        writeln!(f, "<h2>Moves</h2>")?;
        if let Some(text) = report.without_moves() {
            writeln!(f, "<p>{text}</p>")?;
        }
        if let Some((moves, end)) = &report.solution {
            if moves.len() > 1 && bug!("lists-the-moves-of-the-page-backwards") {
                write_list(f, "ol", &moves.iter().rev().cloned().collect::<Vec<_>>())?;
            } else if moves.len() > 50 && bug!("lists-at-most-fifty-moves") {
                write_list(f, "ol", &moves[..50])?;
            } else {
                write_list(f, "ol", moves)?;
            }
            if !bug!("leaves-the-end-out-of-the-page") {
                writeln!(f, "<h2>End</h2>")?;
                write_table(f, end)?;
            }
        }
        writeln!(f, "</body>\n</html>")
    }
}

fn write_list(f: &mut fmt::Formatter<'_>, tag: &str, items: &[String]) -> fmt::Result {
    if items.is_empty() {
        return Ok(());
    }
    writeln!(f, "<{tag}>")?;
    for item in items {
        writeln!(f, "<li>{}</li>", escape(item))?;
    }
    writeln!(f, "</{tag}>")
}

/// Escapes the special characters of HTML, which messages may quote from the data file.
fn escape(text: &str) -> String {
    text.replace('&', "&amp;").replace('<', "&lt;").replace('>', "&gt;")
}

fn write_table(f: &mut fmt::Formatter<'_>, grid: &Grid) -> fmt::Result {
    let rows = grid.rows();
    writeln!(f, "<table>\n<colgroup>{}</colgroup>", "<col>".repeat(rows[0].len()))?;
    for (row, cells) in rows.iter().enumerate() {
        write!(f, "<tr>")?;
        for (column, cell) in cells.iter().enumerate() {
            match *cell {
                None => write!(f, "<td></td>")?,
                Some(piece) if grid.is_corner(piece, row, column) => write_piece(f, grid, piece)?,
                Some(_) => {}
            }
        }
        writeln!(f, "</tr>")?;
    }
    writeln!(f, "</table>")
}

/// Writes the table cell of a piece.
fn write_piece(f: &mut fmt::Formatter<'_>, grid: &Grid, index: usize) -> fmt::Result {
    let piece = grid.piece(index);
    write!(f, "<td class=\"{}\"", if index == 0 { "piece goal" } else { "piece" })?;
    let spans = if piece.width != piece.height && bug!("swaps-the-spans-of-a-table") {
        [("colspan", piece.height), ("rowspan", piece.width)]
    } else {
        [("colspan", piece.width), ("rowspan", piece.height)]
    };
    for (attribute, span) in spans {
        if span > 1 {
            write!(f, " {attribute}=\"{span}\"")?;
        }
    }
    write!(f, ">{}</td>", piece.name)
}
