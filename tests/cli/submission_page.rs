//! The section of a submission on a page: what it shows of a report, in which order, and what it must not contain. `browser/graded.rs`
//! tests how it behaves.

use harness::report::html::graded::{About, Progress, section};
use harness::result::graded::SubmissionReport;
use serde_json::{Value, json};

/// A report with everything: messages, warnings, slow and wrong cases, leaks, tests and a part that a person grades.
pub(crate) fn report() -> Value {
    let line = |text: &str, marks: Value| json!({"number": 1, "text": text, "marks": marks});
    let diff = json!({"more_lines": 0, "rows": [{
        "same": false,
        "reference": line("a<b>c", json!([{"start": 2, "end": 3}])),
        "mutant": line("a<i>c", json!([{"start": 2, "end": 3}])),
    }]});
    let difference = json!({
        "how": "output", "reference_end": "exits with status 0", "mutant_end": "exits with status 0",
        "mutant_says": "<script>alert(1)</script>", "why": null, "first": "row 0 differs",
        "outputs": [{"file": null, "diff": diff}],
    });
    let shown = json!({"input": "<img src=x>", "is_cut": false, "difference": difference});
    let case = |name: &str, verdict: &str, share: f64| json!({"name": name, "verdict": verdict, "share": share, "command": ["sum", "-q"]});
    let mut wrong = case("W1", "wrong", 0.0);
    wrong["shown"] = shown.clone();
    let mut slow = case("L1", "slow", 0.25);
    slow["measures"] = json!({"seconds": 3.0, "reference_seconds": 1.5, "megabytes": 9.0, "reference_megabytes": null});
    let group = |name: &str, points: f64, cases: &[Value]| {
        let right = cases.iter().filter(|case| case["verdict"] != "wrong").count();
        json!({"name": name, "extra": false, "points": points, "max_points": 40.0,
            "passed": right, "total": cases.len(), "cases": cases})
    };
    let findings = json!([
        {"rule": "banned", "severity": "deduction", "points": 5.0, "file": "a<b>.cpp", "line": 3, "column": 10,
            "excerpt": {"text": "#include <regex>", "mark": {"start": 9, "width": 7}},
            "message": "the header <regex> may not be included", "hint": "do without it"},
    ]);
    let build = json!({"command": "make -R -r", "built": true, "compilations": [], "more_warnings": 0, "error": null,
        "warnings": [{"file": "a.cpp", "line": 1, "column": null, "message": "unused <b>"}]});
    let score = json!({"exposed": 4, "mutants": 9, "points": 5.0, "max_points": 10.0, "start": 2, "full": 8});
    let tests = json!({"name": "mine", "exposed_by": {}, "score": score, "tests": [
        {"file": "test-1.txt", "status": "valid", "exposes": []},
        {"file": "test-<b>.txt", "status": "rejected", "reason": "<i> is no flag", "exposes": []},
    ]});
    json!({
        "name": "ann", "digest": "", "refused": false, "findings": findings, "build": build,
        "groups": [
            group("small", 20.0, &[case("S1", "passed", 1.0), wrong]),
            group("large", 10.0, &[slow]),
        ],
        "leaks": {"checked": 2, "clean": 1, "errors": [], "unchecked": null, "leaks": [
            {"kind": "definite", "counts": true, "bytes": 12_345, "place": ["grow<T>", "main"], "case": "S1"}]},
        "tests": tests,
        "own": {"file": "test-1.txt", "verdict": "wrong", "command": ["sum"], "shown": shown},
        "points": {"earned": 35.0, "max": 100.0, "parts": [
            {"name": "cases", "earned": 30.0, "max": 80.0}, {"name": "tests", "earned": 5.0, "max": 10.0},
            {"name": "leaks", "earned": 5.0, "max": 10.0}, {"name": "deductions", "earned": -5.0, "max": 0.0},
            {"name": "style", "earned": null, "max": 15.0}]},
    })
}

/// The section of this report.
pub(crate) fn html(
    report: &Value,
    previous: Option<&Value>,
    id: &str,
    progress: Progress,
) -> String {
    let read = |value: &Value| serde_json::from_value::<SubmissionReport>(value.clone()).unwrap();
    let about = About { title: "Sums", id, mutants: &[], progress, note: None };
    section(&read(report), previous.map(read).as_ref(), &about)
}

fn finished(report: &Value) -> String {
    html(report, None, "0", Progress::Finished)
}

/// Where each text is on the page. They must be there in this order.
#[track_caller]
fn in_order(page: &str, texts: &[&str]) {
    let mut rest = page;
    for text in texts {
        let at =
            rest.find(text).unwrap_or_else(|| panic!("{text} is not there, or too early: {page}"));
        rest = &rest[at + text.len()..];
    }
}

#[test]
fn messages_come_before_points_and_points_before_their_reasons() {
    let page = finished(&report());
    in_order(
        &page,
        &[
            "Messages",
            "costs points: −5",
            "a&#60;b&#62;.cpp:3:10",
            "#include <mark>&#60;regex&#62;</mark>",
            "hint: do without it",
            "Points</h2>",
            "<strong>35</strong> of 100 points",
            "30 of 80",
            "not graded yet, of 15",
            "What cost points",
            "Build</h2>",
            "Warnings of the compiler",
            "Group small: 1 of 2 right, 20 of 40 points",
            "Group large",
            "wrong on its own test test-1.txt",
            "Leaks: in 1 of 2 checked cases",
            "12,345 bytes",
            "called from",
            "Tests: 1 valid, 1 rejected",
            "4 of 9 bugs exposed",
            "Rejected tests",
        ],
    );
}

#[test]
fn what_cost_points_is_ordered_by_the_loss_and_leads_to_its_section() {
    let page = finished(&report());
    in_order(
        &page,
        &[
            "−30 of 40</span>",
            "group large</a>: L1: right, but too slow for all points",
            "−20 of 40</span>",
            "group small</a>: W1: wrong output",
            "−5",
            "4 more bugs to expose for full points",
            "Build</h2>",
        ],
    );
    for link in page.split("href=\"#").skip(1) {
        let target = link.split('"').next().unwrap();
        assert!(page.contains(&format!("id=\"{target}\"")), "nothing is at {target}");
    }
}

#[test]
fn a_case_has_a_name_and_a_verdict_in_words_and_both_outputs_if_it_failed() {
    let page = finished(&report());
    assert!(page.contains("title=\"S1 passed\"") && page.contains("title=\"W1 wrong output\""));
    in_order(
        &page,
        &[
            "W1",
            "sum -q",
            "First difference: row 0 differs",
            "a&#60;<mark>b</mark>&#62;c",
            "a&#60;<mark>i</mark>&#62;c",
        ],
    );
    in_order(
        &page,
        &[
            "L1",
            "25 % of its points",
            "Time and memory",
            "2.0 ×",
            "3.000\u{a0}s (1.500)",
            "9.0\u{a0}MB",
        ],
    );
    assert_eq!(page.matches("<rect class=\"own\"").count(), 1, "only one case was measured");
}

#[test]
fn a_submission_that_is_refused_is_not_graded_and_lost_nothing() {
    let mut report = report();
    report["refused"] = true.into();
    report["findings"][0]["severity"] = "refusal".into();
    for missing in ["build", "leaks", "tests", "own"] {
        report[missing] = Value::Null;
    }
    report["groups"] = json!([]);
    for progress in [Progress::Finished, Progress::UnderWay] {
        let page = html(&report, Some(&self::report()), "0", progress);
        in_order(
            &page,
            &["<strong>not graded</strong>", "nothing was lost", "✗ refused", "not graded"],
        );
        for wrong in ["What cost points", "of 100 points", "to come", "Nothing cost", "Since the"] {
            assert!(!page.contains(wrong), "{wrong}: {page}");
        }
    }
}

#[test]
fn what_is_missing_is_still_to_come_while_the_grading_is_under_way() {
    let mut report = report();
    for missing in ["leaks", "tests", "own"] {
        report[missing] = Value::Null;
    }
    report["points"]["parts"][1]["earned"] = Value::Null;
    report["points"]["parts"][2]["earned"] = 0.0.into();
    report["groups"].as_array_mut().unwrap().pop();
    report["groups"][0]["total"] = 5.into();
    let page = html(&report, None, "0", Progress::UnderWay);
    in_order(
        &page,
        &[
            "being graded",
            "35</strong> points so far, not final",
            "30 of 80 so far",
            "still to come, of 10",
            "still to come, of 10",
            "not graded yet, of 15",
            "20 of 40 points so far",
            "3 still to come",
            "Still to come</h2>",
            "more cases",
            "the leaks",
            "the tests",
        ],
    );
    assert!(!page.contains("group small</a>"), "its points are not final");
    (report["build"], report["groups"]) = (Value::Null, json!([]));
    report["points"] = json!({"earned": 0.0, "max": 0.0, "parts": []});
    in_order(
        &html(&report, None, "0", Progress::UnderWay),
        &["Still to come", "the build", "the cases"],
    );
}

#[test]
fn without_a_program_the_error_comes_first_and_no_case_is_listed() {
    let mut report = report();
    report["build"]["built"] = false.into();
    report["build"]["error"] = json!({"file": "a.cpp", "line": 7, "column": null, "message": "expected <;>", "hint": "add it"});
    let page = finished(&report);
    in_order(
        &page,
        &[
            "cases</a>: the program was not built: a.cpp:7",
            "failed",
            "first error",
            "expected &#60;;&#62;",
            "hint: add it",
            "3 cases were not run",
        ],
    );
    assert!(!page.contains("Group small"));
}

#[test]
fn what_changed_since_the_last_attempt_tells_no_more_than_the_reader_may_see() {
    let mut before = report();
    before["groups"][0]["cases"][0]["verdict"] = "wrong".into();
    before["groups"][1]["cases"][0]["verdict"] = "passed".into();
    before["points"]["earned"] = 22.5.into();
    before["tests"]["score"]["exposed"] = 1.into();
    let counts = html(&report(), Some(&before), "0", Progress::Finished);
    in_order(
        &counts,
        &[
            "Since the last attempt",
            "+12.5",
            "22.5 → 35 of 100",
            "1 case gained",
            "small/S1",
            "1 case lost",
            "large/L1",
            "bugs exposed: 1 → 4",
        ],
    );
    let mut after = report();
    after["tests"]["exposed_by"] = json!({"adds-one": [{"file": "test-1.txt", "how": "output"}]});
    let ids = html(&after, Some(&before), "0", Progress::Finished);
    in_order(&ids, &["1 bug newly exposed", "adds-one", "Which test exposes which bug"]);
    assert!(!counts.contains("newly exposed") && !counts.contains("adds-one"));
    let same = html(&report(), Some(&report()), "0", Progress::Finished);
    in_order(&same, &["±0", "No case and no bug changed."]);
    let mut refused = report();
    refused["refused"] = true.into();
    let graded = html(&report(), Some(&refused), "0", Progress::Finished);
    in_order(&graded, &["Since the last attempt", "the last attempt was not graded"]);
    let under_way = html(&report(), Some(&before), "0", Progress::UnderWay);
    assert!(!under_way.contains("22.5"), "the points are not final");
}

#[test]
fn sections_of_one_page_share_no_id_and_no_text_of_a_student_becomes_markup() {
    let page = ["7", "ann-2"].map(|id| html(&report(), None, id, Progress::Finished)).concat();
    let mut ids: Vec<_> =
        page.split(" id=\"").skip(1).map(|it| it.split('"').next().unwrap()).collect();
    let all = ids.len();
    ids.sort_unstable();
    ids.dedup();
    assert_eq!(ids.len(), all, "an id is there twice");
    for markup in ["<script", "<img", "<i>", "<regex>", "style=", "onclick", "onerror"] {
        assert!(!page.contains(markup), "{markup}");
    }
}
