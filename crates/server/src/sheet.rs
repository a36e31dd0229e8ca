//! Tables in CSV that a spreadsheet opens. A cell that it would take for a formula gets a quote before it.

use std::borrow::Cow;

/// A cell that no spreadsheet evaluates. Numbers stay numbers.
pub fn cell(text: &str) -> Cow<'_, str> {
    let is_number = text.parse::<f64>().is_ok();
    if text.starts_with(['=', '+', '-', '@', '\t', '\r']) && !is_number {
        Cow::Owned(format!("'{text}"))
    } else {
        Cow::Borrowed(text)
    }
}

/// A line of cells.
pub fn line<I: IntoIterator<Item = S>, S: AsRef<str>>(cells: I) -> String {
    let mut out = csv::Writer::from_writer(Vec::new());
    let cells: Vec<_> = cells.into_iter().map(|it| cell(it.as_ref()).into_owned()).collect();
    out.write_record(&cells).expect("memory takes any text");
    String::from_utf8(out.into_inner().expect("memory takes any text")).expect("it is text")
}

/// A table with the names of its columns.
pub fn text<R: IntoIterator<Item = S>, S: AsRef<str>>(
    columns: &[&str],
    rows: impl IntoIterator<Item = R>,
) -> String {
    let mut text = line(columns);
    rows.into_iter().for_each(|row| text.push_str(&line(row)));
    text
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_looks_like_a_formula_is_text_and_numbers_stay_numbers() {
        let row = ["=1+1", "@a", "-5", "-a", "+", "a,b", "\"q\""];
        assert_eq!(line(row), "'=1+1,'@a,-5,'-a,'+,\"a,b\",\"\"\"q\"\"\"\n");
    }
}
