//! What staff decide about a regrade: they apply it, drop it, or try again what failed.

use super::{changed, wrong};
use crate::app::App;
use crate::pages::words::reason;
use crate::queue::by_hand;
use crate::regrades::{self, Applied};
use crate::web::{Answer, Refusal, Visitor};
use axum::Form;
use axum::extract::{Path, State};
use serde::Deserialize;

#[derive(Clone, Debug, Deserialize)]
pub(super) struct Reason {
    #[serde(default)]
    reason: String,
}

fn over() -> Refusal {
    wrong("this regrade is over", "somebody else applied or dropped it")
}

pub(super) async fn apply(
    State(app): State<App>,
    visitor: Visitor,
    Path(id): Path<i64>,
    Form(sent): Form<Reason>,
) -> Answer {
    let (why, by) = (reason(&sent.reason)?, visitor.person().id);
    let applied = app.database.write(move |connection| regrades::apply(connection, id, &why, by));
    match applied.await? {
        Applied::Yes(_) => {}
        Applied::Over => return Err(over()),
        Applied::Beginning => {
            return Err(wrong(
                "its submissions are still being queued",
                "wait, or drop the regrade",
            ));
        }
        Applied::Open(open) => {
            let what = format!("{open} of its submissions are still to be graded");
            return Err(wrong(what, "wait, or drop the regrade"));
        }
        Applied::Elsewhere(open) => {
            let what =
                format!("{open} of its submissions are just being graded for another reason");
            return Err(wrong(what, "wait until that is done, and apply it then"));
        }
        Applied::Nothing => {
            return Err(wrong("none of its submissions could be graded", "drop the regrade"));
        }
    }
    Ok(changed(&app, id))
}

pub(super) async fn drop_it(
    State(app): State<App>,
    visitor: Visitor,
    Path(id): Path<i64>,
    Form(sent): Form<Reason>,
) -> Answer {
    let (why, by) = (reason(&sent.reason)?, visitor.person().id);
    let dropped = app.database.write(move |connection| regrades::drop_it(connection, id, &why, by));
    if !dropped.await? {
        return Err(over());
    }
    Ok(changed(&app, id))
}

/// Tries again what failed.
pub(super) async fn retry(State(app): State<App>, visitor: Visitor, Path(id): Path<i64>) -> Answer {
    let by = visitor.person().id;
    let retried = app.database.write(move |connection| {
        let mut count = 0;
        for failed in regrades::failed(connection, id)? {
            count += i64::from(by_hand::retry(connection, failed.job, by)?);
        }
        Ok(count)
    });
    if retried.await? == 0 {
        return Err(wrong("nothing can be tried again", "the regrade may be over"));
    }
    Ok(changed(&app, id))
}
