//! `harness verify RECEIPT`: grades a submission again, and says whether the record comes out of which somebody holds the receipt, or in
//! what it differs. It needs no network.

mod compared;
mod signed;

use super::pack;
use crate::cli::verify::Verify;
use crate::command::terminal::Terminal;
use crate::course::Course;
use crate::diagnostic::{Failure, FailureKind, Problem};
use crate::exit::Exit;
use crate::grading::{Ready, Settings};
use crate::interrupt;
use crate::report::receipt::{Checked, Finding, Verdict};
use crate::result::receipt::{CourseSecret, Receipt};
use crate::result::record::Record;
use crate::run::work::Work;
use crate::sandbox::Sandbox;
use crate::submission::Contents;
use crate::submission::cores::Cores;
use crate::submission::store::Store;
use compared::Compared;
use sha2::{Digest, Sha256};
use std::fs;
use std::path::Path;
use std::sync::Arc;

/// What a server calls an archive while it is graded. Its bytes tell what kind of archive it is.
const ARCHIVE: &str = "submission.tar.gz";

pub(super) fn run(work: &Work, options: &Verify) -> Result<Exit, Failure> {
    let receipt = signed::receipt(&options.receipt)?;
    let mut findings = vec![signed::signature(&receipt, options.key.as_deref())?];
    if let Some(file) = &options.chain {
        findings.push(signed::chain(&receipt, file)?);
    }
    let archive = read(&options.archive)?;
    let course = Course::read(&options.course)?;
    let packed = pack::course(&course)?;
    findings.extend(inputs(&receipt, &archive, &packed));
    let known = options.record.as_deref().map(|file| record(file, &receipt)).transpose()?;
    // Of another archive or course, another record comes out.
    if findings.iter().all(|finding| finding.verdict != Verdict::Differs) {
        let (record, ready) = graded(work, options, &course, &receipt, &archive)?;
        let secret = CourseSecret::of(&packed);
        let most = &ready.submission().points;
        let compared = Compared { receipt: &receipt, secret: &secret, most };
        findings.extend(known.iter().map(|known| compared.file(&known.report)));
        let known = known.as_ref().map(|known| &known.report);
        findings.extend(compared.record(&record.report, known));
    }
    let checked = Checked::new(receipt, findings);
    super::print("the result", &checked, options.format)?;
    Ok(if checked.same { Exit::Done } else { Exit::UnderThreshold })
}

/// Whether what is given is what the record was made from.
fn inputs(receipt: &Receipt, archive: &[u8], packed: &[u8]) -> [Finding; 3] {
    let digest = |bytes: &[u8]| -> String {
        Sha256::digest(bytes).iter().map(|byte| format!("{byte:02x}")).collect()
    };
    let input = |what: &str, wanted: &str, bytes: &[u8], is: &str, hint: &str| {
        let here = digest(bytes);
        if here == *wanted {
            return Finding::new(what, Verdict::Same, is);
        }
        let short = |digest: &str| digest.chars().take(12).collect::<String>();
        let (wanted, here) = (short(wanted), short(&here));
        let found = format!("it is {here}…, and the receipt is for {wanted}…");
        Finding {
            details: vec![format!("hint: {hint}")],
            ..Finding::new(what, Verdict::Differs, found)
        }
    };
    let program = std::env::current_exe().and_then(fs::read).map(|bytes| digest(&bytes));
    let (then, now) = (&receipt.harness.version, env!("CARGO_PKG_VERSION"));
    let harness = if program.is_ok_and(|program| program == receipt.harness.program) {
        Finding::new("harness", Verdict::Same, format!("{now}, the very program that graded"))
    } else if then == now {
        Finding::new("harness", Verdict::Same, format!("{now}, as then, but another build"))
    } else {
        let found = format!("{then} graded, and this is {now}, which may see other things");
        Finding::new("harness", Verdict::Note, found)
    };
    [
        input(
            "archive",
            &receipt.archive,
            archive,
            "it is the one that was handed in",
            "download it from the page of the submission, and do not unpack it",
        ),
        input(
            "course",
            &receipt.course,
            packed,
            "it is the version that graded",
            "staff download each version from the page of the course, and unpack it",
        ),
        harness,
    ]
}

/// Grades the archive again, as a server does.
fn graded(
    work: &Work,
    options: &Verify,
    course: &Course,
    receipt: &Receipt,
    archive: &[u8],
) -> Result<(Record, Ready), Failure> {
    let sandbox = if options.unsafe_no_sandbox {
        Sandbox::none()
    } else {
        Sandbox::open().map_err(|problem| Failure::new(FailureKind::Machine, problem))?
    };
    let settings = Settings {
        work: work.clone(),
        sandbox: Arc::new(sandbox.hiding(&course.folder).hiding(&options.archive)),
        store: Store::none(),
        seed: receipt.seed,
        shows_times: false,
    };
    let ready = Ready::build(course, &receipt.assignment, settings, &Terminal::new(true))?;
    let cores = Cores::find()?;
    interrupt::listen(&work.cancellation);
    let contents = Contents::of_archive(ARCHIVE, archive, ready.submission());
    let opened = ready.check(contents).named(&receipt.student);
    let record = ready.grade(opened, &cores.take()?, &work.cancellation)?;
    Ok((record, ready))
}

/// The record in a file: one record, or the records that a server exported.
fn record(file: &Path, receipt: &Receipt) -> Result<Record, Failure> {
    let wrong = |what: String| {
        let message = format!("{} {what}", file.display());
        let hint = "the server exports them as records.json, from the page of the class";
        Failure::usage(Problem::new(message).printable().hint(hint))
    };
    let no_record = |error: serde_json::Error| wrong(format!("holds no records: {error}"));
    let mut value: serde_json::Value = serde_json::from_slice(&read(file)?).map_err(no_record)?;
    if let Some(all) = value.as_array_mut() {
        let number = receipt.submission;
        let mut found = all.iter_mut().filter(|it| it["submission"] == number);
        let missing = || wrong(format!("has no submission {number}"));
        value = found.next().ok_or_else(missing)?["record"].take();
    }
    serde_json::from_value(value).map_err(no_record)
}

fn read(file: &Path) -> Result<Vec<u8>, Failure> {
    fs::read(file).map_err(|error| {
        Failure::usage(Problem::new(format!("cannot read {}: {error}", file.display())))
    })
}
