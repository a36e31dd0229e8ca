//! Handing in later never costs less, whatever the rules, the budget and the clocks.

use super::{Assignment, Budget, Dates, Late, Lateness, Moment, Per, Price, Zone};
use proptest::prelude::*;

const HOUR: i64 = 3_600_000;

fn at(text: &str) -> Moment {
    Moment(text.parse::<jiff::Timestamp>().unwrap().as_millisecond())
}

fn dates(rules: &str, zone: &str, budget: Budget) -> Dates {
    let rules: Assignment = serde_yaml::from_str(rules).unwrap();
    Dates::new(&rules, &Zone::new(zone).unwrap(), 0, budget)
}

prop_compose! {
    fn any_late()(
        days in 0..6_i64, amount in 0..40_u32, is_points: bool, is_hourly: bool,
        most in proptest::option::of(0..80_u32), grace in 0..90_i64,
        budget in proptest::option::of(0..4_i64),
    ) -> Late {
        let amount = f64::from(amount);
        let (percent, points) = if is_points { (0.0, amount) } else { (amount, 0.0) };
        let per = if is_hourly { Per::Hour } else { Per::Day };
        Late { days, percent, points, per, most: most.map(f64::from), grace, budget }
    }
}

fn any_zone() -> impl Strategy<Value = Zone> {
    let zones =
        ["America/Detroit", "Australia/Lord_Howe", "Pacific/Apia", "UTC", "EST5EDT,M3.2.0,M11.1.0"];
    proptest::sample::select(zones.to_vec()).prop_map(|name| Zone::new(name).unwrap())
}

proptest! {
    #[test]
    fn handing_in_later_never_costs_less(
        late in any_late(), zone in any_zone(),
        due in 1_300_000_000..1_900_000_000_i64, after in -100..900_000_i64, more in 0..300_000_i64,
        earned in 0..10_000_u32, total in 0..6_i64, spent in 0..6_i64, here in 0..4_i64,
    ) {
        let (due, earned) = (Moment(due * 1000), f64::from(earned) / 100.0);
        let budget = Budget { total, spent: spent.max(here), here };
        prop_assert!(budget.left() >= 0);
        let terms = |seconds: i64| {
            let late_now = late.lateness(due, due.plus(seconds * 1000), &zone);
            late.cover(late_now, &budget)
        };
        let ((first, spends), (second, spends_later)) = (terms(after), terms(after + more));
        prop_assert!(first.days <= second.days && first.hours <= second.hours);
        prop_assert!(late.left(earned, first) >= late.left(earned, second));
        prop_assert!(late.left(earned, second) >= 0.0);
        prop_assert!(spends <= spends_later);
        prop_assert!(spends_later <= budget.left(), "the budget is never negative");
        prop_assert!(second.covered <= second.days);
        let is_in_time = after <= late.grace * 60;
        prop_assert_eq!(is_in_time, first == Lateness::default());
        if is_in_time {
            prop_assert!((late.left(earned, first) - earned).abs() < 0.001);
        }
    }

    #[test]
    fn the_terms_of_a_moment_hold_until_the_moment_that_is_said_and_not_longer(
        days in 1..4_i64, percent in 0..60_u32, is_hourly: bool, grace in 0..90_i64,
        total in 0..3_i64, after in -5_000..250_000_i64, due in 0..400_i64,
    ) {
        let per = if is_hourly { "hour" } else { "day" };
        let day = jiff::civil::date(2026, 1, 1).checked_add(jiff::Span::new().days(due)).unwrap();
        let text = format!("due: {day} 23:59\nlate: {{ days: {days}, percent: {percent}, per: {per}, grace: {grace} }}\n");
        let dates = dates(&text, "America/Detroit", Budget { total, ..Budget::default() });
        let (now, closes) = (dates.due.unwrap().plus(after * 1000), dates.closes.unwrap());
        prop_assume!(now <= closes);
        let end = dates.terms_end(now).unwrap();
        prop_assert!(now <= end && end <= closes);
        let known = |at| { let terms = dates.terms(at); (terms.price, terms.spends) };
        for part in 0..=8 {
            prop_assert_eq!(known(now.plus((end.0 - now.0) * part / 8)), known(now));
        }
        let differs = dates.terms(end.plus(1)) != dates.terms(now);
        prop_assert!(end == closes || differs);
    }
}

#[test]
fn a_late_day_ends_at_the_time_of_day_of_the_due_date_also_when_clocks_change() {
    // Clocks go back at 2:00 on 1 November 2026, and forward on 14 March 2027.
    for (due, hours) in [("2026-10-31T23:59", 25), ("2027-03-13T23:59", 23)] {
        let text = format!("due: {}\nlate: {{ days: 2, percent: 10 }}\n", due.replace('T', " "));
        let dates = dates(&text, "America/Detroit", Budget::default());
        let due = dates.due.unwrap();
        let days = |moment: Moment| dates.terms(moment).late.days;
        assert_eq!((days(due), days(due.plus(1))), (0, 1));
        assert_eq!((days(due.plus(hours * HOUR)), days(due.plus(hours * HOUR + 1))), (1, 2));
        assert_eq!(dates.terms_end(due.plus(1)), Some(due.plus(hours * HOUR)));
        assert_eq!(dates.closes, Some(due.plus((hours + 24) * HOUR)));
    }
}

#[test]
fn the_hours_of_a_day_that_the_budget_covers_cost_nothing() {
    let text = "due: 2026-10-31 23:59\nlate: { days: 3, points: 0.5, per: hour, most: 10 }\n";
    let dates = dates(text, "America/Detroit", Budget { total: 1, spent: 0, here: 0 });
    let due = dates.due.unwrap();
    let price = |hours: i64| dates.terms(due.plus(hours * HOUR)).price;
    // The covered day has 25 hours.
    assert_eq!(
        (price(25), price(26), price(28)),
        (Price::Nothing, Price::Points(0.5), Price::Points(1.5))
    );
    assert_eq!(price(60), Price::Points(10.0));
    assert_eq!(dates.terms(due.plus(26 * HOUR)).spends, 1);
}

#[test]
fn without_a_cost_only_days_of_the_budget_are_taken() {
    let text = "due: 2026-11-24 23:59\nlate: { days: 3, grace: 10 }\n";
    let closes = |budget| {
        let dates = dates(text, "UTC", budget);
        (dates.closes.unwrap().0 - dates.due.unwrap().0) / 60_000
    };
    let day = 24 * 60;
    assert_eq!(closes(Budget::default()), 3 * day, "a course without a budget");
    assert_eq!(closes(Budget { total: 2, spent: 0, here: 0 }), 2 * day);
    assert_eq!(closes(Budget { total: 2, spent: 2, here: 0 }), 10, "only the grace is left");
    assert_eq!(
        closes(Budget { total: 2, spent: 2, here: 1 }),
        day,
        "what was spent here covers it"
    );
    assert_eq!(closes(Budget { total: 1, spent: 3, here: 0 }), 10, "the course took days away");
}

#[test]
fn a_section_has_its_own_dates() {
    let text =
        "due: 2026-11-24 23:59\ncloses: 2026-12-01\nsections: { b: { due: 2026-11-26 12:00 } }\n";
    let rules: Assignment = serde_yaml::from_str(text).unwrap();
    let zone = Zone::new("UTC").unwrap();
    assert_eq!(rules.for_section("b").due(&zone), Some(at("2026-11-26T12:00:59Z")));
    assert_eq!(rules.for_section("b").closes(&zone), rules.closes(&zone));
    assert_eq!(rules.for_section("a").due(&zone), rules.due(&zone));
}
