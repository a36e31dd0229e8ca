//! Archives that are bombs, damaged, or reach for other folders: refused with a message, and at no cost.

use super::archives::{BOMB, entry, refused, tarball};
use super::{costs_nothing, is_refused};
use crate::support::handing_in::send;
use crate::support::records::HAND_IN;
use crate::support::{program, site_on_both, sums};
use server::database::{Address, Database};
use server::people::Role;
use server::tokens;
use std::fs;
use std::io::{BufRead, BufReader, Read};
use std::process::Stdio;

#[test]
fn hostile_archives_are_refused_with_a_message_and_cost_nothing() {
    let all = refused();
    site_on_both("{}", |site| {
        let ann = site.signed_in(&site.person("ann", Role::Student, ""));
        for (name, bytes) in &all {
            is_refused(name, &ann.upload(HAND_IN, "key", &[(name, bytes)]));
            let json = ann.upload_for(HAND_IN, "key", &[(name, bytes)], "application/json");
            assert_eq!(json.status, 422, "{name}: {}", json.body);
            let json: serde_json::Value = serde_json::from_str(&json.body).unwrap();
            let said = json["text"].as_str().unwrap_or_default();
            assert!(json["refused"] == true && !said.trim().is_empty(), "{name}: {json}");
            assert!(!said.contains('\u{1b}'), "{name}: {said}");
        }
        costs_nothing(site);
        // A name that a terminal would obey is shown and not obeyed.
        let odd = tarball(&[entry(b"\x1b[2J\xff.cpp", b'0', b"", sums::SUM.as_bytes())]);
        let json =
            ann.upload_for("/assignments/sum/check", "", &[("a.tar.gz", &odd)], "application/json");
        assert!(json.status == 200 && !json.body.contains("\\u001b["), "{}", json.body);
    });
}

/// A number of the status of a process, in megabytes.
fn megabytes(process: u32, name: &str) -> u64 {
    let status = fs::read_to_string(format!("/proc/{process}/status")).unwrap();
    let line = status.lines().find(|line| line.starts_with(name)).unwrap();
    line.split_whitespace().nth(1).unwrap().parse::<u64>().unwrap() >> 10
}

#[test]
fn bombs_and_large_bodies_leave_the_memory_of_the_server_small() {
    let course = sums::course("{}");
    let file = course.path().join("serve.sqlite");
    let token = tokio::runtime::Runtime::new().unwrap().block_on(async {
        let database = Database::open(&Address::Sqlite(file.clone())).await.unwrap();
        let made = database.write(|connection| {
            let sql =
                "insert into person (login, name, role, created) values ('ann', '', 'student', 0)";
            let person = connection.insert(sql, &[])?;
            tokens::make(connection, person, "laptop")
        });
        made.await.unwrap()
    });
    let mut command =
        program::serve(course.path(), &["--workers", "0", "--address", "127.0.0.1:0"]);
    command.env("RUST_LOG", "info").stdout(Stdio::piped()).stderr(Stdio::piped());
    let mut running = program::Running(command.spawn().unwrap());
    let process = running.0.id();
    let port = listens(process);
    let url = format!("http://127.0.0.1:{port}");
    let taken = send(&url, "sum", &token, "first", &sums::right()).unwrap();
    assert_eq!(taken.0, 201, "{}", taken.2);
    let before = megabytes(process, "VmRSS");
    let large = vec![0; 60 << 20];
    let all = refused();
    let bombs: Vec<_> = all.iter().filter(|(_, bytes)| bytes.len() > 1 << 10).collect();
    std::thread::scope(|scope| {
        for sender in 0..6 {
            let (large, bombs, url, token) = (&large, &bombs, &url, &token);
            scope.spawn(move || {
                for (at, (_, bomb)) in bombs.iter().enumerate() {
                    let body = if at % 3 == sender % 3 { large } else { bomb };
                    // A body that is far too long may be answered before it is sent.
                    if let Ok((status, _, text)) = send(url, "sum", token, "key", body) {
                        assert!(
                            matches!(status, 413 | 422 | 429),
                            "{}: {status} {text}",
                            body.len()
                        );
                    }
                }
            });
        }
    });
    let (after, most) = (megabytes(process, "VmRSS"), megabytes(process, "VmHWM"));
    println!("megabytes of the server: {before} before, {after} after, at most {most}");
    assert!(most < before + BOMB as u64 / (1 << 20), "{before} MB became {most} MB");
    let again = send(&url, "sum", &token, "second", &sums::right()).unwrap();
    assert_eq!(again.0, 201, "{}", again.2);
    running.0.kill().unwrap();
    let taken = tokio::runtime::Runtime::new().unwrap().block_on(async {
        let database = Database::open(&Address::Sqlite(file)).await.unwrap();
        let sql = "select count(*) from submission";
        database.read(move |connection| Ok(connection.query(sql, &[])?[0].int(0))).await.unwrap()
    });
    assert_eq!(taken, 2, "the two that are right");
    let mut log = String::new();
    running.0.stderr.take().unwrap().read_to_string(&mut log).unwrap();
    assert!(log.contains("request") && !log.contains("panic") && !log.contains("ERROR"), "{log}");
}

/// The port on which a process listens.
fn listens(process: u32) -> u16 {
    let mut found = None;
    crate::support::grading::wait("the server listens", || {
        found = port_of(process);
        found.is_some()
    });
    found.unwrap()
}

fn port_of(process: u32) -> Option<u16> {
    let entries = fs::read_dir(format!("/proc/{process}/fd")).ok()?.flatten();
    let targets = entries.filter_map(|entry| fs::read_link(entry.path()).ok());
    let sockets: Vec<_> = targets
        .filter_map(|it| {
            let inode = it.to_str()?.strip_prefix("socket:[")?.strip_suffix(']')?;
            Some(inode.to_owned())
        })
        .collect();
    let table = BufReader::new(fs::File::open("/proc/net/tcp").ok()?);
    table.lines().map_while(Result::ok).find_map(|line| {
        let words: Vec<_> = line.split_whitespace().collect();
        let listens = words.get(3) == Some(&"0A") && sockets.iter().any(|it| it == words[9]);
        let (_, port) = words.get(1)?.split_once(':')?;
        listens.then(|| u16::from_str_radix(port, 16).ok())?
    })
}
