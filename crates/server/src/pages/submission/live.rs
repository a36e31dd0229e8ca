//! The events of a submission's page. What is looked at is small; the report is read only when that changed.

use super::{Asked, Now};
use crate::app::App;
use crate::feedback::Glance;
use crate::pages::live::{self, Live, Part};
use crate::submissions::Submission;
use crate::web::{Answer, Refusal, Visitor};
use axum::extract::{Query, State};

pub(super) async fn events(
    State(app): State<App>,
    visitor: Visitor,
    Query(asked): Query<Asked>,
) -> Answer {
    live::events(app.clone(), &visitor.clone(), Watched { app, visitor, asked })
}

struct Watched {
    app: App,
    visitor: Visitor,
    asked: Asked,
}

impl Live for Watched {
    type Stamp = Glance;

    async fn stamp(&self) -> Result<Glance, Refusal> {
        let id = self.visitor.submission().id;
        Ok(self.app.database.read(move |connection| Glance::of(connection, id)).await?)
    }

    async fn part(&self) -> Result<Part, Refusal> {
        // A refund or a new choice of what counts may have come meanwhile.
        let mut visitor = self.visitor.clone();
        let id = visitor.submission().id;
        let found = self.app.database.read(move |connection| Submission::find(connection, id));
        visitor.submission = Some(found.await?.ok_or(Refusal::NotFound)?);
        Now::of(&self.app, &visitor, &self.asked).await?.part().await
    }
}
