//! The limit of a day while the day ends at two servers, also where clocks change at that moment.

use super::races::{all_at_once, hand_in, two};
use crate::support::site_on_both;
use harness::course::yaml::Source;
use jiff::Timestamp;
use server::people::Role;
use server::rules::{Moment, Rules};
use server::submissions::hand_in::Taken;
use std::collections::BTreeMap;
use std::path::Path;
use std::thread::sleep;
use std::time::Duration;

/// How long the day still lasts when the test begins. Seconds.
const LEFT: i64 = 2;

/// What clocks do when the day ends.
#[derive(Clone, Copy, Debug)]
enum Change {
    Nothing,
    /// An hour back: it lasts 25 hours, and its last hour comes twice.
    Back,
    /// An hour forward: the next one begins at 01:00.
    Forward,
}

fn offset(seconds: i64) -> String {
    let sign = if seconds < 0 { "-" } else { "" };
    let seconds = seconds.abs();
    format!("{sign}{:02}:{:02}:{:02}", seconds / 3_600, seconds / 60 % 60, seconds % 60)
}

/// A time zone in which midnight, of summer time if clocks go back, is at this moment.
fn zone(midnight: Timestamp, change: Change) -> String {
    let second = midnight.as_second();
    // So much is UTC later. It is summer time when clocks go back, and otherwise not.
    let west = second.rem_euclid(86_400);
    let ended = Timestamp::from_second(second - west - 1).unwrap();
    let ended = jiff::tz::TimeZone::UTC.to_datetime(ended).date().day_of_year();
    let ended = i64::from(ended) - 1;
    let other = (ended + 180) % 365;
    match change {
        Change::Nothing => format!("AAA{}", offset(west)),
        Change::Back => {
            format!("AAA{}BBB{},{other}/12,{ended}/24", offset(west + 3_600), offset(west))
        }
        Change::Forward => {
            format!("AAA{}BBB{},{ended}/24,{other}/12", offset(west), offset(west - 3_600))
        }
    }
}

fn rules(zone: &str) -> Rules {
    let text = format!("time_zone: \"{zone}\"\nassignments: {{ sum: {{ limit: 3, bonus: 0 }} }}");
    Rules::parse(&Source::new(Path::new("serve.yaml"), text)).unwrap_or_else(|it| panic!("{it}"))
}

#[test]
fn a_day_that_ends_at_two_servers_has_its_limit_and_so_has_the_next_one() {
    site_on_both("{}", |site| {
        let servers = two(site);
        let midnight = Timestamp::from_second(Timestamp::now().as_second() + LEFT).unwrap();
        let changes = [Change::Nothing, Change::Back, Change::Forward];
        let students = ["ann", "bob", "cat"].map(|login| site.person(login, Role::Student, ""));
        let all: Vec<_> = changes
            .iter()
            .zip(&students)
            .map(|(change, student)| (*change, student, rules(&zone(midnight, *change))))
            .collect();
        for (change, _, rules) in &all {
            let zone = &rules.time_zone;
            let at = |seconds: i64| Moment(midnight.as_millisecond() + seconds * 1_000);
            let hours = |moment| {
                (zone.midnight_after(moment).0 - zone.start_of(zone.date(moment)).0) / 3_600_000
            };
            assert_ne!(zone.day(at(-1)), zone.day(at(3_700)), "{change:?}");
            let expected = match change {
                Change::Nothing => [24, 24],
                Change::Back => [25, 25],
                Change::Forward => [24, 23],
            };
            assert_eq!([hours(at(-1)), hours(at(1))], expected, "{change:?}");
        }
        let mut full: BTreeMap<(i64, String), usize> = BTreeMap::new();
        for round in 0.. {
            let is_last = Timestamp::now() > midnight;
            for (_, student, rules) in &all {
                let many = (0..8).map(|at| hand_in(site, student, &format!("{round} {at}")));
                for taken in all_at_once(site, &servers, rules, many.collect()) {
                    if let Taken::Full { day } = taken {
                        *full.entry((student.id, day.date)).or_default() += 1;
                    }
                }
            }
            if is_last {
                break;
            }
            sleep(Duration::from_millis(100));
        }
        let rows = site.write(|connection| {
            let sql = "select person, at, day, slot from submission";
            connection.query(sql, &[])
        });
        let mut counts: BTreeMap<(i64, String), usize> = BTreeMap::new();
        for row in rows {
            let (_, _, rules) = all.iter().find(|it| it.1.id == row.int(0)).unwrap();
            assert_eq!(rules.time_zone.day(Moment(row.int(1))), row.text(2));
            *counts.entry((row.int(0), row.text(2))).or_default() += 1;
        }
        assert!(counts.values().all(|count| *count <= 3), "{counts:?}");
        for day in full.keys() {
            assert_eq!(counts.get(day), Some(&3), "{day:?} was full");
        }
        for (change, student, rules) in &all {
            let last = rules.time_zone.day(Moment(Timestamp::now().as_millisecond()));
            assert_eq!(counts.get(&(student.id, last)), Some(&3), "{change:?}");
        }
    });
}
