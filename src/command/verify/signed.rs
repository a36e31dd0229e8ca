//! What a receipt says of itself: whose signature it has, and where it is in the chain.

use super::read;
use crate::diagnostic::{Failure, Problem};
use crate::report::receipt::{Finding, Verdict};
use crate::result::receipt::{PublicKey, Receipt, linked};
use std::path::Path;

/// Reads a receipt, whose signature must fit.
pub(super) fn receipt(file: &Path) -> Result<Receipt, Failure> {
    let wrong = |problem: Problem, hint: &str| {
        let message = format!("{} is no receipt: {}", file.display(), problem.message);
        Failure::usage(Problem::new(message).hint(hint))
    };
    let download = "download it from the page of the submission";
    let receipt = Receipt::parse(&read(file)?).map_err(|problem| wrong(problem, download))?;
    if receipt.is_signed() {
        return Ok(receipt);
    }
    let problem = Problem::new("its signature does not fit what it says");
    Err(wrong(problem, "it was changed or damaged, so it proves nothing"))
}

/// Whose signature it is, as far as somebody knows.
pub(super) fn signature(receipt: &Receipt, file: Option<&Path>) -> Result<Finding, Failure> {
    const WHAT: &str = "signature";
    let Some(file) = file else {
        let found = "it fits the key in the receipt itself, and anybody can make such a receipt";
        let hint = "hint: --key names a file with the key that the course published";
        let finding = Finding::new(WHAT, Verdict::Note, found);
        return Ok(Finding { details: vec![hint.to_owned()], ..finding });
    };
    let keys = PublicKey::all_in(&String::from_utf8_lossy(&read(file)?)).map_err(|problem| {
        let message = format!("{} is no key: {}", file.display(), problem.message);
        Failure::usage(Problem::new(message).hint("the server's is at /receipts/key"))
    })?;
    if !keys.iter().any(|key| key.to_string() == receipt.key) {
        let message = format!("the receipt is not signed with a key in {}", file.display());
        let hint = "it is of another server, or forged";
        return Err(Failure::usage(Problem::new(message).hint(hint)));
    }
    Ok(Finding::new(WHAT, Verdict::Same, format!("it is by a key in {}", file.display())))
}

/// The head to which the chain in a file leads from this receipt. The file has a line for each receipt, with its number and the digest of
/// what is signed.
pub(super) fn chain(receipt: &Receipt, file: &Path) -> Result<Finding, Failure> {
    const WHAT: &str = "chain";
    let wrong = |what: &str| {
        let message = format!("{} {what}", file.display());
        let hint = format!("download it again: /receipts/chain?after={}", receipt.number - 1);
        Failure::usage(Problem::new(message).hint(hint))
    };
    let text = String::from_utf8_lossy(&read(file)?).into_owned();
    let (mut number, mut digest) = (receipt.number - 1, receipt.previous.clone());
    for line in text.lines() {
        let link = line.split_once(' ').and_then(|(at, content)| Some((at.parse().ok()?, content)));
        let (at, content): (i64, &str) = link.ok_or_else(|| wrong("is no chain of receipts"))?;
        if at < receipt.number {
            continue;
        }
        if at != number + 1 {
            return Err(wrong(&format!("lacks receipt {}", number + 1)));
        }
        if at == receipt.number && content != receipt.content() {
            let found = format!("receipt {at} of the chain is another one");
            return Ok(Finding::new(WHAT, Verdict::Differs, found));
        }
        (number, digest) = (at, linked(&digest, content));
    }
    if number < receipt.number {
        return Err(wrong(&format!("lacks receipt {}", receipt.number)));
    }
    let found = format!("it leads to the head {digest}, after {number} receipts");
    let hint = "compare this with the heads that the course published";
    let finding = Finding::new(WHAT, Verdict::Same, found);
    Ok(Finding { details: vec![hint.to_owned()], ..finding })
}
