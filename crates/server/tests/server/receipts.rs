//! Receipts: each result has one, none can be forged, changed or moved without showing, and nobody gets that of another student.

use super::support::grading::{SERVER, cannot_grade, options};
use super::support::records::report;
use super::support::results::{graded, handed_in, record};
use super::support::site::{Browser, Site};
use super::support::{program, site_on_both, sums};
use harness::result::receipt::{PublicKey, Receipt, Signer, linked};
use server::database::Database;
use server::people::{Person, Role};
use server::queue::{self, Class};
use server::{courses, receipts};
use std::fs;
use std::process::{Command, Output};

/// The receipt at an address.
#[track_caller]
fn receipt(browser: &Browser, submission: i64) -> Receipt {
    let answer = browser.get(&format!("/submissions/{submission}/receipt"));
    assert_eq!(answer.status, 200, "{}", answer.body);
    let name = format!("attachment; filename=\"receipt-{submission}.json\"");
    assert_eq!(answer.headers["content-disposition"], name);
    let receipt = Receipt::parse(answer.body.as_bytes()).unwrap();
    assert!(receipt.is_signed(), "{receipt:?}");
    receipt
}

/// Some results, with their receipts.
fn some_results(site: &Site, count: usize) {
    let ann = site.person("ann", Role::Student, "");
    for right in 0..count {
        let ann = ann.clone();
        site.write(move |connection| graded(connection, &ann, "sum", right));
    }
}

#[test]
fn a_student_gets_the_receipt_of_an_own_result_and_the_server_publishes_key_and_head() {
    site_on_both("{}", |site| {
        let ann = site.signed_in(&site.person("ann", Role::Student, ""));
        let bob = site.signed_in(&site.person("bob", Role::Student, ""));
        let submission = ann.hands_in("k1");
        let path = format!("/submissions/{submission}/receipt");
        assert_eq!(ann.get(&path).status, 422, "it is not graded yet");
        let head = site.nobody().get("/receipts/head").body;
        assert!(head.contains("\"number\":0"), "{head}");
        site.grades(&report("ann", 40.0, true));
        let first = receipt(&ann, submission);
        assert_eq!((first.number, first.student.as_str()), (1, "ann"));
        assert_eq!((first.points.earned.as_str(), first.previous.as_str()), ("50", ""));
        assert_eq!(first.archive, server::secret::sha256(&sums::right()));
        assert_eq!(bob.get(&path).status, 404);
        assert_eq!(site.nobody().get(&path).status, 303);
        let page = ann.get(&format!("/submissions/{submission}")).body;
        assert!(page.contains(&format!("{path}?result=")), "{page}");
        let keys = PublicKey::all_in(&site.nobody().get("/receipts/key").body).unwrap();
        assert_eq!(keys.iter().map(ToString::to_string).collect::<Vec<_>>(), [first.key.clone()]);
        let other = bob.hands_in("k2");
        site.grades(&report("bob", 80.0, false));
        let second = receipt(&bob, other);
        assert_eq!((second.number, &second.previous), (2, &first.digest()));
        let head = site.nobody().get("/receipts/head").body;
        assert!(head.contains("\"number\":2") && head.contains(&second.digest()), "{head}");
        // Anybody can follow the chain from a receipt to the head.
        let rest = site.nobody().get("/receipts/chain?after=1").body;
        assert_eq!(rest, format!("2 {}\n", second.content()));
        assert_eq!(linked(&first.digest(), &second.content()), second.digest());
    });
}

#[test]
fn a_receipt_says_the_points_only_when_they_are_shown() {
    site_on_both("{ time_zone: UTC, assignments: { sum: { scores: 2999-01-01 } } }", |site| {
        let ann = site.signed_in(&site.person("ann", Role::Student, ""));
        let staff = site.signed_in(&site.person("sam", Role::Staff, ""));
        let submission = ann.hands_in("k1");
        site.grades(&report("ann", 40.0, true));
        let refused = ann.get(&format!("/submissions/{submission}/receipt"));
        assert!(refused.status == 422 && refused.body.contains("2999"), "{}", refused.body);
        let page = ann.get(&format!("/submissions/{submission}")).body;
        assert!(!page.contains("/receipt"), "{page}");
        assert_eq!(receipt(&staff, submission).points.earned, "50");
    });
}

#[test]
fn the_receipt_of_a_result_that_is_not_applied_is_for_staff() {
    site_on_both("{}", |site| {
        let ann = site.signed_in(&site.person("ann", Role::Student, ""));
        let staff = site.signed_in(&site.person("sam", Role::Staff, ""));
        let submission = ann.hands_in("k1");
        site.grades(&report("ann", 40.0, true));
        site.write(|connection| connection.execute("update result set applied = null", &[]));
        let path = format!("/submissions/{submission}/receipt?result=1");
        assert_eq!(ann.get(&path).status, 422);
        assert_eq!(staff.get(&path).status, 200);
    });
}

#[test]
fn workers_of_two_servers_that_finish_at_once_make_one_chain() {
    const COUNT: usize = 40;
    site_on_both("{}", |site| {
        let ann = site.person("ann", Role::Student, "");
        let claims = site.write(move |connection| {
            let course = courses::in_force(connection)?.unwrap();
            let mut claims = Vec::new();
            for _ in 0..COUNT {
                let submission = handed_in(connection, &ann, "sum")?;
                queue::put(connection, submission, ann.id, &course, Class::Live, None)?;
                connection.execute("update job set until = 0 where state = 'queued'", &[])?;
                claims.push(queue::claim(connection, "test")?.unwrap());
            }
            Ok(claims)
        });
        site.runtime.block_on(async {
            let other = Database::open(&site.database).await.unwrap();
            let each = claims.into_iter().enumerate().map(|(at, claim)| {
                let database = if at % 2 == 0 { &other } else { &site.app.database }.clone();
                tokio::spawn(async move {
                    let record = record("sum", "ann", at % 11);
                    let done = database.write(move |it| queue::finish(it, &claim, &record)).await;
                    assert!(done.unwrap(), "the claim holds");
                })
            });
            for one in each.collect::<Vec<_>>() {
                one.await.unwrap();
            }
            let checked = other.read(receipts::verify).await.unwrap();
            assert_eq!(checked, Ok(COUNT as i64));
            assert_eq!(other.read(receipts::head).await.unwrap().number, COUNT as i64);
        });
        assert_eq!(site.number("select count(*) from receipt_key"), 1, "one key was made");
        assert_eq!(site.number("select max(number) from receipt"), COUNT as i64);
    });
}

#[test]
fn a_receipt_that_is_forged_changed_moved_or_removed_shows() {
    site_on_both("{}", |site| {
        some_results(site, 4);
        let verify = || site.write(receipts::verify);
        assert_eq!(verify(), Ok(4));
        let stored = site.text("select receipt from receipt where number = 3");
        let put = |number: i64, receipt: &Receipt| {
            let text = serde_json::to_string(receipt).unwrap();
            let (content, digest) = (receipt.content(), receipt.digest());
            site.write(move |connection| {
                let sql =
                    "update receipt set receipt = $1, content = $2, digest = $3 where number = $4";
                let values = [(&text).into(), (&content).into(), (&digest).into(), number.into()];
                connection.execute(sql, &values)
            });
        };
        let right: Receipt = serde_json::from_str(&stored).unwrap();
        let mut changed = right.clone();
        changed.points.earned = "90".to_owned();
        put(3, &changed);
        assert_eq!(verify(), Err(3), "it was changed, with all digests");
        put(3, &changed.signed(&Signer::of(&[7; 32])));
        assert_eq!(verify(), Err(3), "it was signed with another key");
        put(3, &right);
        assert_eq!(verify(), Ok(4));
        let swap = || {
            for (from, to) in [(2_i64, -1_i64), (3, 2), (-1, 3)] {
                let sql = "update receipt set number = $1 where number = $2";
                site.write(move |connection| connection.execute(sql, &[to.into(), from.into()]));
            }
        };
        swap();
        assert_eq!(verify(), Err(2), "two have changed places");
        swap();
        assert_eq!(verify(), Ok(4));
        site.write(|it| it.execute("delete from receipt where number = 4", &[]));
        assert_eq!(site.write(receipts::lost), 1, "the last one was removed");
        let args = ["--workers", "0", "doctor", "--database", &site.database_name()];
        let doctor = program::run(program::serve(site.course.path(), &args));
        assert!(doctor.out.contains("1 results have lost their receipts"), "{}", doctor.out);
        site.write(|it| it.execute("delete from receipt where number = 1", &[]));
        assert_eq!(verify(), Err(2), "the first one was removed");
    });
}

#[test]
fn a_backup_has_the_receipts_and_no_private_key_and_a_restored_server_goes_on_with_a_new_one() {
    site_on_both("{}", |site| {
        some_results(site, 2);
        let folder = tempfile::tempdir().unwrap();
        let file = folder.path().join("b.backup");
        let (name, path) = (site.database_name(), file.to_str().unwrap());
        let args = ["backup", path, "--database", &name];
        let saved = program::run(program::serve(site.course.path(), &args));
        assert_eq!(saved.status, 0, "{}", saved.error);
        let secret = site.write(|connection| {
            let sql = "select private_key from receipt_secret";
            Ok(connection.first(sql, &[])?.unwrap().bytes(0))
        });
        let mut all = Vec::new();
        let reader = flate2::read::GzDecoder::new(fs::File::open(&file).unwrap());
        std::io::Read::read_to_end(&mut { reader }, &mut all).unwrap();
        assert!(!all.windows(secret.len()).any(|it| it == secret), "the key is in the backup");
        let address = super::support::sqlite(&folder);
        let new = folder.path().join("serve.sqlite");
        let args = ["restore", path, "--database", new.to_str().unwrap()];
        let restored = program::run(program::serve(site.course.path(), &args));
        assert_eq!(restored.status, 0, "{}", restored.error);
        site.runtime.block_on(async {
            let database = Database::open(&address).await.unwrap();
            let known = database.write(|connection| {
                let ann = Person::by_login(connection, "ann")?.unwrap();
                graded(connection, &ann, "sum", 3)?;
                Ok((receipts::verify(connection)?, receipts::key::all(connection)?.len()))
            });
            assert_eq!(known.await.unwrap(), (Ok(3), 2));
        });
    });
}

/// Runs `verify` with these arguments.
fn verify(args: &[&str]) -> (i32, String) {
    let Output { status, stdout, stderr } =
        Command::new(SERVER).arg("verify").args(args).output().unwrap();
    let text = String::from_utf8_lossy(&stdout) + String::from_utf8_lossy(&stderr);
    (status.code().unwrap(), text.into_owned())
}

#[test]
fn what_a_server_graded_comes_out_again_and_another_archive_course_or_record_differs() {
    if cannot_grade() {
        return;
    }
    site_on_both("{}", |site| {
        let ann = site.person("ann", Role::Student, "");
        let submission = site.hand_in(&ann, sums::right());
        let working = site.workers(&options());
        site.record(submission);
        drop(working);
        let browser = site.signed_in(&ann);
        let folder = tempfile::tempdir().unwrap();
        let file = |name: &str, bytes: &[u8]| {
            let path = folder.path().join(name);
            fs::write(&path, bytes).unwrap();
            path.to_str().unwrap().to_owned()
        };
        let text = browser.get(&format!("/submissions/{submission}/receipt")).body;
        let receipt = file("receipt.json", text.as_bytes());
        let key = file("key.pem", site.nobody().get("/receipts/key").body.as_bytes());
        let archive = file("submission.tar.gz", &sums::right());
        let course = site.course.path().to_str().unwrap();
        let usual = [&receipt, "--archive", &archive, "--course", course, "--key", &key];
        let (status, said) = verify(&usual);
        assert!(status == 0 && said.contains("comes out as the receipt says"), "{said}");
        assert!(said.contains("90 of 90") && !said.contains("note "), "{said}");
        let (status, said) = verify(&usual[..5]);
        assert!(status == 0 && said.contains("anybody can make such a receipt"), "{said}");
        let staff = site.signed_in(&site.person("sam", Role::Staff, ""));
        let records = staff.get("/assignments/sum/records.json").body;
        let changed =
            file("changed.json", records.replace("\"passed\":2", "\"passed\":1").as_bytes());
        let records = file("records.json", records.as_bytes());
        let (status, said) = verify(&[&usual[..], &["--record", &records]].concat());
        assert!(status == 0 && said.contains("it is the record of this receipt"), "{said}");
        let (status, said) = verify(&[&usual[..], &["--record", &changed]].concat());
        assert!(status == 1 && said.contains("not the record of this receipt: cases"), "{said}");
        let chain = file("chain", site.nobody().get("/receipts/chain").body.as_bytes());
        let (status, said) = verify(&[&usual[..], &["--chain", &chain]].concat());
        let head = site.text("select digest from receipt order by number desc limit 1");
        assert!(status == 0 && said.contains(&format!("the head {head}, after 1 ")), "{said}");
        let other = file("other.tar.gz", &sums::archive(&[("sum.cpp", sums::SUM)]));
        let (status, said) = verify(&[&receipt, "--archive", &other, "--course", course]);
        assert!(status == 1 && said.contains("DIFFERS  archive"), "{said}");
        let better = file("better.json", text.replace("\"90\"", "\"95\"").as_bytes());
        let (status, said) = verify(&[&better, "--archive", &archive, "--course", course]);
        assert!(status == 2 && said.contains("its signature does not fit"), "{said}");
        let forged = Receipt::parse(text.as_bytes()).unwrap().signed(&Signer::of(&[7; 32]));
        let forged = file("forged.json", &serde_json::to_vec(&forged).unwrap());
        let (status, said) = verify(&[&[&forged[..]], &usual[1..]].concat());
        assert!(status == 2 && said.contains("is not signed with a key in"), "{said}");
        // Even who has the key cannot give points that the verdicts do not allow. A slow machine may have given fewer.
        let secret = site.write(|connection| {
            let sql = "select private_key from receipt_secret";
            Ok(connection.first(sql, &[])?.unwrap().bytes(0))
        });
        let signer = Signer::of(&secret.try_into().unwrap());
        let with_points = |points: &str| {
            let mut receipt = Receipt::parse(text.as_bytes()).unwrap();
            receipt.points.earned = points.to_owned();
            let signed = serde_json::to_vec(&receipt.signed(&signer)).unwrap();
            let given = file("given.json", &signed);
            verify(&[&[&given[..]], &usual[1..]].concat())
        };
        let (status, said) = with_points("95");
        assert!(status == 1 && said.contains("no measured time explains that"), "{said}");
        let (status, said) = with_points("85.5");
        assert!(status == 0 && said.contains("right answers earn by measured time"), "{said}");
        // The version of the receipt, as staff download it.
        let version = Receipt::parse(text.as_bytes()).unwrap().course;
        let bytes = site.write(move |connection| courses::bytes(connection, &version));
        let unpacked = folder.path().join("course");
        harness::files::unarchive(&bytes, &unpacked).unwrap();
        let unpacked = unpacked.to_str().unwrap();
        let (status, said) = verify(&[&receipt, "--archive", &archive, "--course", unpacked]);
        assert_eq!(status, 0, "{said}");
        sums::write(
            site.course.path(),
            "cases.yaml",
            "sample:\n  cases:\n    Two: { text: \"1 2\\n\" }\n",
        );
        let (status, said) = verify(&usual);
        assert!(status == 1 && said.contains("DIFFERS  course"), "{said}");
    });
}
