//! Chooses a number for which there is room.

use super::scan::no_number;
use crate::choice::{Choose, Role, Tape};
use crate::number;
use crate::value::Value;

/// A number of a range. If the one that is chosen is not free, the next one is taken, or else the one before.
pub(super) fn chosen(
    tape: &mut Tape<'_>,
    (least, most): (&Value, &Value),
    role: Role,
    is_free: Option<&dyn Fn(i64) -> bool>,
) -> Result<Value, String> {
    /// How many numbers are tried.
    const TRIES: usize = 200;
    let options = number::options_of(least, most)?;
    if options == 0 {
        return Err(no_number(least, most));
    }
    let literal = (role == Role::Number).then(|| tape.literal_number(least, most)).flatten();
    let literal = literal.map(|number| number::choice(least, most, &Value::Small(number)));
    let wished = literal.transpose()?.map(|(choice, _)| choice);
    let choice = tape.choose_rather(wished, options, role);
    let number = number::nth_of(least, most, choice)?;
    let is_free = |number: &Value| match (is_free, number) {
        (Some(is_free), &Value::Small(number)) => is_free(number),
        _ => true,
    };
    if is_free(&number) {
        return Ok(number);
    }
    for other in (choice + 1..options).chain((0..choice).rev()).take(TRIES) {
        let number = number::nth_of(least, most, other)?;
        if is_free(&number) {
            if let Some(choice) = tape.made.last_mut() {
                choice.value = other;
            }
            return Ok(number);
        }
    }
    Err(format!("there is no room for a number from {least} to {most}"))
}
