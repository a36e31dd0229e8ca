//! What comes of a call.

/// The value of a call, as a test writes it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) enum Value {
    Literal(String),
    /// A number that another right program may round in another way.
    Near(String),
    /// The type of an exception.
    Throws(String),
    /// It crashes, does not end, or gives something that a test cannot write.
    Fails,
}

impl Value {
    /// Whether a test can ask for it.
    pub(super) fn can_be_asked_for(&self) -> bool {
        *self != Self::Fails
    }

    /// Whether a test that asks for this value passes with another one.
    pub(super) fn accepts(&self, other: &Self) -> bool {
        const NEAR: f64 = 1e-9;
        let (Self::Near(one), Self::Near(other)) = (self, other) else { return self == other };
        match (one.parse::<f64>(), other.parse::<f64>()) {
            (Ok(one), Ok(other)) => one.total_cmp(&other).is_eq() || (one - other).abs() <= NEAR,
            _ => one == other,
        }
    }
}

/// The values in what a probe printed, for so many calls. There is none for a call of which it says nothing.
pub(super) fn values(printed: &str, calls: usize) -> Vec<Option<Value>> {
    let mut values = vec![None; calls];
    for line in printed.lines() {
        let mut parts = line.splitn(3, '\t');
        let at = parts.next().and_then(|at| at.parse::<usize>().ok());
        let (Some(at), Some(kind), Some(text)) = (at, parts.next(), parts.next()) else { continue };
        let value = match kind {
            "literal" => Value::Literal(text.to_owned()),
            "near" => Value::Near(text.to_owned()),
            "throws" => Value::Throws(text.to_owned()),
            _ => Value::Fails,
        };
        if let Some(place) = values.get_mut(at) {
            *place = Some(value);
        }
    }
    values
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn numbers_that_differ_by_rounding_are_the_same_value() {
        let near = |text: &str| Value::Near(text.to_owned());
        assert!(near("0.3").accepts(&near("0.30000000000000004")));
        assert!(!near("0.3").accepts(&near("0.301")));
        assert!(!Value::Literal("1".into()).accepts(&Value::Literal("2".into())));
    }

    #[test]
    fn a_call_without_a_line_has_no_value() {
        let found = values("0\tliteral\t'a\\tb'\n2\tfails\tsignal\nnoise\n", 3);
        assert_eq!(found, [Some(Value::Literal("'a\\tb'".into())), None, Some(Value::Fails)]);
    }
}
