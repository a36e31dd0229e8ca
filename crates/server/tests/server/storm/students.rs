//! The students of a storm. Each hands in several times, and sends a request again until it is answered.

use super::super::support::{handing_in, sums};
use super::Size;
use super::machines::Machines;
use server::tokens;
use std::collections::BTreeMap;
use std::sync::Arc;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::thread::{self, JoinHandle, sleep};
use std::time::{Duration, Instant};

/// How long a student tries to hand in once.
const PATIENCE: Duration = Duration::from_mins(3);

/// A name for each archive that is handed in.
pub(super) fn archives() -> Vec<(&'static str, Vec<u8>)> {
    let wrong = sums::SUM.replace("a + b", "a - b");
    let broken = sums::SUM.replace("return 1;", "return;");
    let files = |source: &str| {
        sums::archive(&[("sum.cpp", source), ("Makefile", sums::MAKEFILE), ("test-1.txt", "2 3\n")])
    };
    let untested = sums::archive(&[("sum.cpp", sums::SUM), ("Makefile", sums::MAKEFILE)]);
    vec![
        ("right", sums::right()),
        ("wrong", files(&wrong)),
        ("broken", files(&broken)),
        ("untested", untested),
    ]
}

/// The students, each with a token.
pub(super) struct Students(Vec<String>);

/// What became of all requests.
#[derive(Debug, Default)]
pub(crate) struct HandedIn {
    /// The submission of each key that was acknowledged, and its archive.
    pub(crate) acknowledged: BTreeMap<String, (i64, &'static str)>,
    pub(crate) refused: usize,
    pub(crate) repeated: usize,
}

/// Students who hand in.
pub(super) struct HandingIn {
    threads: Vec<JoinHandle<HandedIn>>,
    open: Arc<AtomicUsize>,
}

impl Students {
    pub(super) fn enrol(machines: &Machines, size: Size) -> Self {
        let one = |number: usize| {
            machines.write(move |connection| {
                let sql =
                    "insert into person (login, name, role, created) values ($1, $1, 'student', 0)";
                let person = connection.insert(sql, &[format!("student-{number}").into()])?;
                tokens::make(connection, person, "storm")
            })
        };
        Self((0..size.students).map(one).collect())
    }

    pub(super) fn begin(self, urls: &[String], size: Size) -> HandingIn {
        let open = Arc::new(AtomicUsize::new(self.0.len()));
        let one = |(number, token): (usize, String)| {
            let (urls, open) = (urls.to_vec(), open.clone());
            thread::spawn(move || {
                let random = fastrand::Rng::with_seed(size.seed * 1_000 + number as u64);
                let mut student =
                    Student { number, token, urls, random, done: HandedIn::default() };
                student.hand_in_all(size);
                open.fetch_sub(1, Ordering::Relaxed);
                student.done
            })
        };
        let threads = self.0.into_iter().enumerate().map(one).collect();
        HandingIn { threads, open }
    }
}

impl HandingIn {
    pub(super) fn are_done(&self) -> bool {
        self.open.load(Ordering::Relaxed) == 0
    }

    /// Waits for all of them.
    pub(super) fn ended(self) -> HandedIn {
        let mut all = HandedIn::default();
        for thread in self.threads {
            let one = thread.join().unwrap();
            all.acknowledged.extend(one.acknowledged);
            all.refused += one.refused;
            all.repeated += one.repeated;
        }
        all
    }
}

struct Student {
    number: usize,
    token: String,
    urls: Vec<String>,
    random: fastrand::Rng,
    done: HandedIn,
}

impl Student {
    fn hand_in_all(&mut self, size: Size) {
        let archives = archives();
        let began = Instant::now();
        let mut moments: Vec<_> =
            (0..size.attempts).map(|_| self.random.u64(..size.seconds * 1_000)).collect();
        moments.sort_unstable();
        for (attempt, moment) in moments.into_iter().enumerate() {
            sleep(Duration::from_millis(moment).saturating_sub(began.elapsed()));
            let (kind, archive) = &archives[self.random.usize(..archives.len())];
            let key = format!("student-{} {attempt}", self.number);
            match self.hand_in(&key, archive) {
                Some(submission) => {
                    self.done.acknowledged.insert(key.clone(), (submission, kind));
                    // A click too many.
                    if self.random.bool() {
                        let again = self.hand_in(&key, archive);
                        assert_eq!(again, Some(submission), "the same request counts once");
                    }
                }
                None => self.done.refused += 1,
            }
        }
    }

    /// Sends a request until it is answered. None: the limit of the day is reached.
    fn hand_in(&mut self, key: &str, archive: &[u8]) -> Option<i64> {
        let began = Instant::now();
        loop {
            let url = self.urls[self.random.usize(..self.urls.len())].clone();
            match handing_in::send(&url, "sum", &self.token, key, archive) {
                Ok((200..400, Some(submission), _)) => return Some(submission),
                Ok((400..500, _, text)) if text.contains("limit") || text.contains("today") => {
                    return None;
                }
                Ok((429 | 500..600, ..)) | Err(_) => {}
                Ok(other) => panic!("{other:?}"),
            }
            assert!(began.elapsed() < PATIENCE, "nobody answers student {}", self.number);
            self.done.repeated += 1;
            sleep(Duration::from_millis(self.random.u64(50..500)));
        }
    }
}
