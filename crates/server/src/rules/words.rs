//! The rules of an assignment as people read them.

use super::assignment::{DayOfWeek, Exception, Exceptions};
use super::lengths::counted;
use super::{Assignment, Beyond, Counts, Late, Limit, Moment, Per, Zone};

/// What each rule says, with its name.
pub fn of(rules: &Assignment, zone: &Zone) -> Vec<(&'static str, String)> {
    let date = |date: Option<Moment>, without: &str| {
        date.map_or_else(|| without.to_owned(), |date| zone.shown(date))
    };
    let rules_late = &rules.late.value;
    let closes = match (rules.closes(zone), rules.due(zone)) {
        (Some(closes), _) => zone.shown(closes),
        (None, Some(_)) if rules_late.days > 0 => "after the last late day".to_owned(),
        (None, Some(_)) => "when it is due".to_owned(),
        (None, None) => "never".to_owned(),
    };
    let beyond = match rules.beyond {
        Beyond::Refuse => "not taken",
        Beyond::Grade => "graded with less feedback, and does not count",
    };
    let counts = match rules.counts {
        Counts::Best => "the best, or the last if the student asks for it",
        Counts::Last => "the last, or the best if the student asks for it",
    };
    let mut said = vec![
        ("Opens", date(rules.opens(zone), "always open")),
        ("Due", date(rules.due(zone), "never")),
        ("Closes", closes),
        ("Late", late(rules_late)),
        ("Submissions a day", limit(&rules.limit)),
        ("For enough exposed bugs", format!("{} more a day", rules.bonus)),
        ("Past the limit", beyond.to_owned()),
        ("What counts", counts.to_owned()),
        ("Groups", groups(rules, zone)),
        ("Students see scores", date(rules.scores(zone), "at once")),
    ];
    let sections = rules.sections.keys();
    let due = sections.map(|section| {
        let due = date(rules.for_section(section).due(zone), "never");
        format!("{section}: due {due}")
    });
    let due: Vec<_> = due.collect();
    if !due.is_empty() {
        said.push(("Sections", due.join("; ")));
    }
    let by_hand = rules
        .rubrics
        .0
        .iter()
        .map(|(part, it)| format!("{part}, {} points", it.value.most.0 as f64 / 100.0));
    let by_hand: Vec<_> = by_hand.collect();
    if !by_hand.is_empty() {
        said.push(("Graded by hand", by_hand.join("; ")));
    }
    said
}

/// How many hand in together, and until when they find each other.
fn groups(rules: &Assignment, zone: &Zone) -> String {
    let Some(groups) = &rules.groups else { return "each works alone".to_owned() };
    let until = rules.groups_until(zone).or_else(|| rules.due(zone));
    let until =
        until.map_or_else(String::new, |until| format!(", made until {}", zone.shown(until)));
    format!("{} students at most{until}", groups.value.most)
}

/// What late days there are, and what they cost.
fn late(late: &Late) -> String {
    let mut said = match late.days {
        0 => "none".to_owned(),
        days => counted(days, "day"),
    };
    if let Some(cost) = cost(late) {
        said = format!("{said}, {cost}");
    } else if late.days > 0 {
        said.push_str(", which cost nothing");
    }
    match late.budget {
        Some(0) => said.push_str("; the late days of the course are not for it"),
        Some(days) => said = format!("{said}; {} of the course at most", counted(days, "late day")),
        None => {}
    }
    if late.grace > 0 {
        said = format!("{said}; {} after it is due are not late", counted(late.grace, "minute"));
    }
    said
}

/// What each late day or hour costs. None: nothing.
pub fn cost(late: &Late) -> Option<String> {
    let unit = match late.per {
        Per::Day => "day",
        Per::Hour => "hour",
    };
    let (amount, of) = match (late.percent, late.points) {
        (percent, _) if percent > 0.0 => (percent, " % of the points"),
        (_, points) if points > 0.0 => {
            (points, if (points - 1.0).abs() < 0.005 { " point" } else { " points" })
        }
        _ => return None,
    };
    let most = late.most.map_or_else(String::new, |most| {
        format!(", and at most {most}{}", if late.points > 0.0 { "" } else { " %" })
    });
    Some(format!("each {unit} that has begun costs {amount}{of}{most}"))
}

fn limit(limit: &Limit) -> String {
    match limit {
        Limit::Usual(limit) => limit.to_string(),
        Limit::WithExceptions(Exceptions { usual, except }) => {
            let all: Vec<_> = except.iter().map(exception).collect();
            format!("{}; otherwise {usual}", all.join("; "))
        }
    }
}

fn exception(it: &Exception) -> String {
    let days: Vec<_> = it.weekdays.iter().map(|day| word(*day)).collect();
    let on = if days.is_empty() { String::new() } else { format!(" on {}", days.join(", ")) };
    let from = it.from.map_or_else(String::new, |from| format!(" from {from}"));
    let until = it.until.map_or_else(String::new, |until| format!(" until {until}"));
    format!("{}{on}{from}{until}", it.limit)
}

fn word(day: DayOfWeek) -> &'static str {
    match day {
        DayOfWeek::Monday => "Monday",
        DayOfWeek::Tuesday => "Tuesday",
        DayOfWeek::Wednesday => "Wednesday",
        DayOfWeek::Thursday => "Thursday",
        DayOfWeek::Friday => "Friday",
        DayOfWeek::Saturday => "Saturday",
        DayOfWeek::Sunday => "Sunday",
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn dates_and_limits_are_said_in_words() {
        let text = "due: 2026-11-24 23:59\nlate: { days: 2, percent: 10 }\nlimit: { usual: 3, except: \
            [{ limit: 5, weekdays: [friday], until: 2026-08-31 }] }\n";
        let rules: Assignment = serde_yaml::from_str(text).unwrap();
        let said = of(&rules, &Zone::new("America/Detroit").unwrap());
        let get = |name| &said.iter().find(|(it, _)| *it == name).unwrap().1;
        assert_eq!(get("Due"), "Tue 24 Nov 2026, 23:59 EST");
        assert_eq!(get("Closes"), "after the last late day");
        assert_eq!(get("Late"), "2 days, each day that has begun costs 10 % of the points");
        assert_eq!(get("Submissions a day"), "5 on Friday until 2026-08-31; otherwise 3");
        assert_eq!(get("Opens"), "always open");
    }
}
